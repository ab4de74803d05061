// `npm run scale -- --cluster`: the parts of three machines on this one, under a load of payments, while
// parts of them die. Prints for each drill how long no payment was acknowledged, and what was lost.
import { loadavg } from "node:os";
import { openDb } from "#server/db/db.ts";
import { verifyLoad, type Load, startLoad } from "#tests/campaigns/faults/load.ts";
import { signIn } from "#tests/campaigns/faults/portal-process.ts";
import { removeData, scratchFolder, sweep, sweepOnSignal } from "#tests/scratch.ts";
import { killServers } from "#tests/server-process.ts";
import { drills } from "./drills.ts";
import { findPrograms } from "./programs.ts";
import type { Drill, Scene } from "./scene.ts";
import { Trio } from "./trio.ts";

export interface Choices {
  clients: number;
  /** Names of drills; all where none is given. */
  only: readonly string[];
  /** Where the programs of others are looked for. */
  folders: readonly string[];
}

/** 0 when nothing was lost or doubled, 64 for a drill that does not exist, 69 when a program is missing. */
export async function runCluster({ clients, only, folders }: Choices): Promise<number> {
  const chosen = drills.filter(({ name }) => only.length === 0 || only.includes(name));
  if (chosen.length === 0) {
    process.stderr.write(
      `No such drill. There are: ${drills.map(({ name }) => name).join(", ")}\n`,
    );
    return 64;
  }
  const programs = findPrograms(folders);
  if (typeof programs === "string") {
    process.stderr.write(`${programs}\n`);
    return 69;
  }
  sweepOnSignal();
  await sweep();
  const folder = await scratchFolder("cluster");
  const trio = await Trio.make(folder, programs);
  // Before the sweep: a stopped process would not receive the signal.
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.prependListener(name, () => trio.thawAll());
  try {
    await trio.start((text) => console.log(text));
    return (await underLoad(trio, chosen, clients)) ? 0 : 1;
  } catch (error) {
    console.log(await trio.lastWords());
    throw error;
  } finally {
    await trio.end();
    killServers();
    await removeData(folder);
  }
}

async function underLoad(trio: Trio, chosen: readonly Drill[], clients: number): Promise<boolean> {
  const holder = await signIn(trio.first.url("WEB_PORT"));
  const load = startLoad({ ...holder, lastWords: () => trio.lastWords() }, clients);
  const gaps = watchGaps(load);
  const lost: string[] = [];
  await load.next();
  console.log(`\n${clients} clients pay without a pause; load average ${loadNow()}\n`);
  try {
    for (const drill of [calm, ...chosen]) {
      const acknowledged = load.acknowledged.size;
      gaps.begin();
      const [said, wrong] = await perform(drill, { trio, load, holder });
      const seconds = (gaps.longestMs() / 1000).toFixed(1);
      wrong.push(...(await missing(trio, load, Infinity)));
      lost.push(...wrong);
      console.log(
        `${wrong.length === 0 ? "✓" : "✗"} ${drill.name.padEnd(8)} ${seconds.padStart(5)} s without ` +
          `a payment, ${String(load.acknowledged.size - acknowledged).padStart(5)} acknowledged: ` +
          `${drill.says}${said === "" ? "" : ` (${said})`}`,
      );
      const faults = wrong.length === 0 ? [] : trio.machines.flatMap((one) => one.faults());
      for (const one of [...wrong, ...faults]) console.log(`    ${one}`);
    }
  } finally {
    gaps.end();
    await load.stop(true);
  }
  const last = await missing(trio, load, 0);
  lost.push(...last);
  for (const one of last) console.log(`✗ ${one}`);
  console.log(
    `\n${load.acknowledged.size} payments acknowledged, lost or stored twice: ` +
      `${lost.length === 0 ? "0" : "see above"}; ${load.repeats} calls repeated under their key, ` +
      `${load.unanswered} of them without any answer; load average ${loadNow()}`,
  );
  return lost.length === 0;
}

const calm: Drill = {
  name: "calm",
  says: "nothing is broken",
  run: async () => {
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    return "";
  },
};

async function perform(drill: Drill, scene: Scene): Promise<[string, string[]]> {
  try {
    const said = await drill.run(scene);
    await scene.trio.whole();
    await scene.trio.portalsUp(3);
    await scene.load.next();
    return [said, []];
  } catch (error) {
    return ["", [error instanceof Error ? error.message : String(error)]];
  }
}

/** Acknowledged payments that the leader has not stored, or not exactly once. */
async function missing(trio: Trio, load: Load, open: number): Promise<string[]> {
  const seen = { acknowledged: new Map(load.acknowledged), unexpected: [...load.unexpected] };
  const database = openDb((await trio.leader()).databaseUrl("POSTGRES_PORT"), { max: 2 });
  try {
    return (await verifyLoad(database, seen, open)).lost;
  } finally {
    await database.close();
  }
}

/** Follows how long no payment is acknowledged. */
function watchGaps(load: Load) {
  let size = load.acknowledged.size;
  let lastAt = performance.now();
  let longest = 0;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - lastAt);
    if (load.acknowledged.size === size) return;
    size = load.acknowledged.size;
    lastAt = now;
  };
  const timer = setInterval(look, 10);
  return {
    begin() {
      longest = 0;
      lastAt = performance.now();
    },
    longestMs() {
      look();
      return longest;
    },
    end: () => clearInterval(timer),
  };
}

const loadNow = () => loadavg()[0]?.toFixed(1);
