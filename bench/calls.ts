// Processor time of one call, in Node and in PostgreSQL, of the reads that screens make most often, compared
// with a bare node:http server measured the same way. Other work on the machine changes these figures little.
//   --calls 20000   of each, bounded     --clients 32     --only wallets     --json
//   --profile /tmp/profile   writes a profile of the server's processor time there
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { boundedNumber } from "#tests/bounded-number.ts";
import { freePort } from "#tests/free-port.ts";
import { killServers, launchServer, ready, stop } from "#tests/server-process.ts";
import { logIn, makeFixture } from "./goals/fixture.ts";
import * as load from "./goals/loads.ts";
import { cpuMs, workedByDatabase } from "./goals/processor.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    clients: { type: "string", default: "32" },
    only: { type: "string", default: "" },
    profile: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const calls = boundedNumber(values.calls, 500, 200_000);
const clients = boundedNumber(values.clients, 1, 64);

interface Cost {
  what: string;
  nodeUs: number;
  databaseUs: number;
  /** Of the clients, in this process: they share the processors with the server under test. */
  callersUs: number;
  /**
   * Between two answers. Where it is far from the sum of the three divided by the processors, a process
   * waits.
   */
  clockUs: number;
  failures: number;
}

const port = await freePort();
const fixture = await makeFixture();
try {
  const costs = [await bareCost(), ...(await serverCosts())];
  if (values.json) console.log(JSON.stringify(costs));
  else print(costs);
} finally {
  killServers();
  await rm(fixture.dataDir, { recursive: true, force: true });
}

async function serverCosts(): Promise<Cost[]> {
  const profiling = values.profile ? `--cpu-prof --cpu-prof-dir=${values.profile}` : "";
  const started = await ready(
    await launchServer({
      dataDir: fixture.dataDir,
      env: {
        PAYMENTS: "sandbox",
        DEMO: "1",
        TRUST_PROXY: "1",
        WALLET_CAP_CENTS: "100000000",
        CODE_FROM_CENTS: "100000000",
        LOG_LEVEL: "error",
        NODE_OPTIONS: profiling,
      },
    }),
  );
  const address = `http://127.0.0.1:${started.port}`;
  const target = { address, fixture, tokens: await logIn(address, fixture), seconds: 1 };
  // Pages that have rows to show.
  await load.transfers({ ...target, calls: 8000 }, { connections: clients, hot: false });
  const loads = {
    "/api/card/info": load.reads,
    "movements, a page of 20": load.pages.movements,
    "wallets of a card": load.pages.wallets,
    "/api/health": load.pages.health,
    "a transfer": (to: load.Target, connections: number) =>
      load.transfers(to, { connections, hot: false }),
    "a transfer onto one card": (to: load.Target, connections: number) =>
      load.transfers(to, { connections, hot: true }),
  };
  const costs: Cost[] = [];
  for (const [what, ask] of Object.entries(loads)) {
    if (!what.includes(values.only)) continue;
    // Warm-up: compiled and planned before the measurement.
    await ask({ ...target, calls: 3000 }, clients);
    costs.push(await cost(what, started.child.pid ?? 0, () => ask({ ...target, calls }, clients)));
  }
  await stop(started);
  return costs;
}

async function bareCost(): Promise<Cost> {
  const module = new URL("./goals/bare-http.ts", import.meta.url).href;
  const code = `(await import("${module}")).bareServer().listen(${port}, "127.0.0.1", () => console.log("up"))`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  try {
    const target = { address: `http://127.0.0.1:${port}`, seconds: 1 };
    await load.bareCalls({ ...target, calls: 3000 }, clients);
    return await cost("bare node:http", child.pid ?? 0, () =>
      load.bareCalls({ ...target, calls }, clients),
    );
  } finally {
    child.kill();
  }
}

async function cost(what: string, pid: number, ask: () => Promise<load.Load>): Promise<Cost> {
  const [node, database] = [cpuMs(pid), workedByDatabase(fixture.dataDir)];
  const [callers, begun] = [cpuMs(process.pid), performance.now()];
  const { failures } = await ask();
  const clockUs = ((performance.now() - begun) * 1000) / calls;
  return {
    what,
    nodeUs: ((cpuMs(pid) - node) * 1000) / calls,
    databaseUs: ((workedByDatabase(fixture.dataDir) - database) * 1000) / calls,
    callersUs: ((cpuMs(process.pid) - callers) * 1000) / calls,
    clockUs,
    failures,
  };
}

function print(costs: readonly Cost[]): void {
  const bare = costs[0]?.nodeUs ?? Number.NaN;
  console.log(
    `${calls} calls of each by ${clients} clients, load average ${(loadavg()[0] ?? 0).toFixed(1)}; µs a call`,
  );
  console.log(
    "\n| what | Node | PostgreSQL | callers | clock | bare ÷ Node | bare ÷ both | failures |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const { what, nodeUs, databaseUs, callersUs, clockUs, failures } of costs) {
    const cells = [what, ...[nodeUs, databaseUs, callersUs, clockUs].map((one) => one.toFixed(1))];
    const ratios = [bare / nodeUs, bare / (nodeUs + databaseUs)].map((one) => one.toFixed(3));
    console.log(`| ${[...cells, ...ratios, failures].join(" | ")} |`);
  }
}
