// `npm run scale`: several server processes on one database, what they share and what that costs.
//   --processes 3   how many      --seconds 4   of each measure, 0 for none
// `npm run scale -- --cluster`: the parts of three machines, under a load of payments, while they die.
//   --clients 8   who pay      --only leader,etcd   drills      --programs <folder>:<folder>   of others
// Exit ≠ 0 when anything that they share does not hold; rates are printed, never judged.
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { boundedNumber } from "#tests/bounded-number.ts";
import { cloneDatabase, ownCluster } from "#tests/cluster.ts";
import { killServers } from "#tests/server-process.ts";
import { checks, type Sizes } from "#tests/campaigns/scale/checks.ts";
import { runCluster } from "#tests/campaigns/scale/cluster.ts";
import { readRate } from "#tests/campaigns/scale/figures.ts";
import { type Fleet, startFleet } from "#tests/campaigns/scale/fleet.ts";
import { usualFolders } from "#tests/campaigns/scale/programs.ts";

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    cluster: { type: "boolean", default: false },
    clients: { type: "string", default: "8" },
    only: { type: "string", default: "" },
    programs: { type: "string" },
  },
});
const sizes: Sizes = { messages: 200, clicks: 30, transfers: 300 };
const processes = boundedNumber(values.processes, 2, 8);
const seconds = boundedNumber(values.seconds, 0, 30);

async function runChecks(fleet: Fleet): Promise<boolean> {
  let ok = true;
  for (const { name, run } of checks) {
    try {
      console.log(`✓ ${name.padEnd(15)} ${await run(fleet, sizes)}`);
    } catch (error) {
      ok = false;
      console.log(`✗ ${name.padEnd(15)} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return ok;
}

/** One process, then all, twice, interleaved: only the ratio means anything. */
async function measure(fleet: Fleet): Promise<void> {
  console.log(`\n/api/card/info, 32 connections in all, ${seconds} s each; load ${load()}`);
  const rates = new Map<number, number[]>();
  for (const size of [1, processes, 1, processes]) {
    const rate = await readRate(fleet, size, seconds);
    rates.set(size, [...(rates.get(size) ?? []), rate.perSecond]);
    console.log(
      `${String(size).padStart(2)} process${size > 1 ? "es" : "  "} ` +
        `${String(rate.perSecond).padStart(6)}/s  p99 ${rate.p99Ms} ms  ` +
        `failures ${rate.failures}  connections: ${rate.connections}`,
    );
  }
  const mean = (size: number) => (rates.get(size) ?? []).reduce((sum, rate) => sum + rate, 0);
  console.log(`${processes} processes ÷ 1: ${(mean(processes) / mean(1)).toFixed(2)}`);
}

const load = () => loadavg()[0]?.toFixed(1);

async function shared(): Promise<boolean> {
  const stopCluster = await ownCluster();
  const database = await cloneDatabase();
  try {
    console.log(
      `${processes} processes, one database, ${availableParallelism()} cores, load ${load()}\n`,
    );
    const fleet = await startFleet(database.url, processes);
    try {
      if (seconds > 0) await measure(fleet);
      console.log("");
      return await runChecks(fleet);
    } finally {
      await fleet.close();
    }
  } finally {
    killServers();
    await database.drop();
    await stopCluster();
  }
}

if (values.cluster) {
  process.exitCode = await runCluster({
    clients: boundedNumber(values.clients, 1, 64),
    only: values.only.split(",").filter(Boolean),
    folders: values.programs?.split(":") ?? usualFolders(process.env["PATH"] ?? ""),
  });
} else {
  process.exitCode = (await shared()) ? 0 : 1;
}
