// A fault campaign breaks something for real, then reports what was lost; nothing may be.
import { removeData, scratchFolder, sweep } from "#tests/scratch.ts";

/** How much of it is run: by `npm run faults`, and inside `npm test`. */
export interface Size {
  full: number;
  quick: number;
}

export interface CampaignContext {
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
  run(context: CampaignContext): Promise<Outcome>;
}

/** The sizes of a campaign: full or quick, or what was asked for by name. */
export function sizesOf(
  campaign: Campaign,
  form: keyof Size,
  overrides: Readonly<Record<string, number>> = {},
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(campaign.sizes).map(([name, size]) => [name, overrides[name] ?? size[form]]),
  );
}

/** Runs a campaign in a folder of its own under `.tmp/`; one that breaks off has lost too. */
export async function perform(
  campaign: Campaign,
  settings: Omit<CampaignContext, "folder">,
): Promise<Outcome> {
  await sweep();
  const folder = await scratchFolder("faults");
  try {
    return await campaign.run({ folder, ...settings });
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { did: "broken off", lost: [what] };
  } finally {
    await removeData(folder);
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
