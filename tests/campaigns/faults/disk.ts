// The disk of the database is full: calls answer 503, nothing acknowledged is lost, and when there is
// room again the portal heals by itself. On a small file system of its own, which only root may mount.
import { execFileSync } from "node:child_process";
import { mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Campaign, Outcome } from "./campaign.ts";
import { onDatabase, verifyLoad, startLoad } from "./load.ts";
import { startPortal, type PortalProcess } from "./portal-process.ts";

const megabyte = 2 ** 20;
const timeoutMs = 60_000;

export const disk: Campaign = {
  name: "disk",
  says: "the disk is full: 503, nothing acknowledged lost, healed when there is room again",
  sizes: { megabytes: { full: 256, quick: 160 }, fills: { full: 3, quick: 1 } },
  async run({ folder, size, progress }) {
    const { megabytes = 256, fills = 1 } = size;
    const refused = await mountSmall(folder, megabytes);
    if (refused) return { did: "", lost: [], skipped: refused };
    try {
      return await fillAndHeal({ folder, fills, progress });
    } finally {
      execFileSync("umount", ["--lazy", join(folder, "small")]);
    }
  },
};

/** Mounts a file system of so many megabytes as `small` in the folder; why not, where it may not. */
export async function mountSmall(folder: string, megabytes: number): Promise<string | null> {
  if (process.platform !== "linux") return "only Linux has a file system in memory to fill";
  if (process.getuid?.() !== 0) return "only root may mount a small file system to fill";
  const small = join(folder, "small");
  await mkdir(small, { recursive: true });
  try {
    const options = `size=${megabytes}m,mode=0711`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", small], { stdio: "pipe" });
    return null;
  } catch {
    return "this machine does not let root mount a small file system (a container, perhaps)";
  }
}

async function fillAndHeal(options: {
  folder: string;
  fills: number;
  progress: (text: string) => void;
}): Promise<Outcome> {
  const { folder, fills, progress } = options;
  const small = join(folder, "small");
  const portal = await startPortal({ dataDir: join(small, "data") });
  try {
    const load = startLoad(portal, 4);
    const lost: string[] = [];
    const healedMs: number[] = [];
    let unavailable = 0;
    for (let fill = 0; fill < fills; fill++) {
      await load.next();
      progress(`fill ${fill + 1}/${fills}`);
      const ballast = await fillUp(small);
      const until = performance.now() + timeoutMs;
      const before = load.repeats;
      // A new segment of the journal is asked for until the database has no room for one.
      while (load.repeats === before && performance.now() < until) await useUp(portal, small);
      await sleep(1500);
      if (load.repeats === before) lost.push("the full disk was not felt: nothing is proved");
      unavailable += load.repeats - before;
      await rm(ballast);
      const freedAt = performance.now();
      await load.next(timeoutMs);
      healedMs.push(Math.round(performance.now() - freedAt));
    }
    await load.stop(true);
    const { stored, lost: wrong } = await onDatabase(portal, (one) => verifyLoad(one, load, 0));
    const healed = `healed ${healedMs.join(", ")} ms after there was room`;
    const did = `full ${fills} times, ${unavailable} calls told to come back, ${stored} stored; ${healed}`;
    return { did, lost: [...lost, ...wrong] };
  } finally {
    await portal.close();
  }
}

/** Leaves less than a page; gives the file that takes the room. */
async function fillUp(small: string): Promise<string> {
  const path = join(small, "ballast");
  const file = await open(path, "w");
  try {
    for (let piece = megabyte; piece >= 1024;) {
      const { bfree, bsize } = await statfs(small);
      if (bfree * bsize < piece) piece /= 2;
      else await file.appendFile(Buffer.alloc(piece)).catch(() => {});
    }
  } finally {
    await file.close();
  }
  return path;
}

// A closed segment makes the database want the next one; what recovery or a checkpoint freed is taken.
async function useUp(portal: PortalProcess, small: string): Promise<void> {
  await fillMore(small);
  await onDatabase(portal, ({ pool }) =>
    pool.query(
      `select pg_logical_emit_message(true, 'faults', repeat('x', 8000))
         from generate_series(1, 1000)`,
    ),
  ).catch(() => {});
  await sleep(50);
}

async function fillMore(small: string): Promise<void> {
  const file = await open(join(small, "ballast"), "a");
  try {
    for (let left = 1; left > 0;) {
      const { bfree, bsize } = await statfs(small);
      left = Math.min(bfree * bsize, 4 * megabyte);
      await file.appendFile(Buffer.alloc(left));
    }
  } catch {
    // Full, as it should be.
  } finally {
    await file.close();
  }
}
