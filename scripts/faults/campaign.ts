// What a campaign of faults is: it breaks something for real, then says what was lost. None is.
import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeData } from "#tests/server-process.ts";

/** How much of it is run: by `npm run faults`, and inside `npm test` where all must fit in 90 s. */
export interface Size {
  full: number;
  quick: number;
}

export interface Stage {
  /** A folder of the campaign's own, gone at the end. */
  folder: string;
  /** Sizes as the command line wants them, by the names that the campaign gave. */
  size: Readonly<Record<string, number>>;
  /** Chance begins here; the same seed, the same run as far as the machine allows. */
  seed: number;
  /** Shows how far it is; a later line replaces it. */
  progress: (text: string) => void;
}

export interface Outcome {
  /** What was done, with its figures. */
  did: string;
  /** Each broken promise, one line each. */
  lost: string[];
  /** Why nothing was done: this machine or this user cannot. */
  skipped?: string;
}

export interface Campaign {
  name: string;
  /** What is broken and what must hold. */
  says: string;
  sizes: Readonly<Record<string, Size>>;
  run(stage: Stage): Promise<Outcome>;
}

/** The sizes of a campaign: full or quick, or what was asked for by name. */
export function sizesOf(
  campaign: Campaign,
  form: keyof Size,
  asked: Readonly<Record<string, number>> = {},
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(campaign.sizes).map(([name, size]) => [name, asked[name] ?? size[form]]),
  );
}

const scratch = join(import.meta.dirname, "..", "..", ".tmp");

/** Runs a campaign in a folder of its own under `.tmp/`; one that breaks off has lost too. */
export async function perform(
  campaign: Campaign,
  settings: Omit<Stage, "folder">,
): Promise<Outcome> {
  await sweep();
  const folder = join(scratch, `faults-${process.pid}-${campaign.name}`);
  await mkdir(folder, { recursive: true });
  try {
    return await campaign.run({ folder, ...settings });
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { did: "broken off", lost: [what] };
  } finally {
    await clear(folder);
  }
}

// What a run that was itself killed left behind: databases that run, a file system, folders.
async function sweep(): Promise<void> {
  for (const name of await readdir(scratch).catch(() => [])) {
    const owner = Number(/^faults-(\d+)-/.exec(name)?.[1]);
    if (owner && owner !== process.pid && !isAlive(owner)) await clear(join(scratch, name));
  }
}

async function clear(folder: string): Promise<void> {
  const small = join(folder, "small");
  const inside = await readdir(folder).catch((): string[] => []);
  if (inside.includes("small")) {
    await removeData(join(small, "data"));
    spawnSync("umount", ["--lazy", small], { stdio: "ignore" });
  }
  for (const name of inside) await removeData(join(folder, name));
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** mulberry32: the same numbers from 0 to 1 for the same seed. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Median and greatest, in ms, for a line of the table. */
export function spread(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `median ${at(0.5)} ms, worst ${at(1)} ms`;
}
