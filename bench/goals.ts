// The portal's performance goals, measured in one run: over HTTP, compared with a bare HTTP server and a bare
// database on the same machine. Durable commits, loopback, bounded; only ratios within one run are
// meaningful.
//   --seconds 2   of each load     --rounds 3   interleaved     --rows 1000000   of the long journal
//   --only transfers   these and the bare posting, nothing else;  --only starts   starts and recoveries alone
//   --json        the table for programs, alone on the output
// Otherwise the medians are also added as a line to docs/figures.md.
import { readFile, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { startEmbedded } from "#server/db/embedded.ts";
import { boundedNumber } from "#tests/bounded-number.ts";
import { freePort } from "#tests/free-port.ts";
import { killServers, launchServer, ready, type Started, stop } from "#tests/server-process.ts";
import { grown } from "./goals/growth.ts";
import * as load from "./goals/loads.ts";
import { findPgbench, pgbenchPosts, pgbenchReads } from "./goals/pgbench.ts";
import { type Line, type Machine, printTable, appendFigures } from "./goals/report.ts";
import { coldStart, recovery } from "./goals/starts.ts";
import { logIn, makeFixture, type Fixture } from "./goals/fixture.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
    rows: { type: "string", default: "1000000" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const seconds = boundedNumber(values.seconds, 1, 30);
const rounds = boundedNumber(values.rounds, 1, 15);
const rows = boundedNumber(values.rows, 10_000, 20_000_000);
const onlyTransfers = values.only === "transfers";
const onlyStarts = values.only === "starts";
if (values.only !== undefined && !onlyTransfers && !onlyStarts)
  throw new Error("--only transfers and --only starts are all there is");
const say = (text: string) => (values.json ? console.error(text) : console.log(text));

const found = new Map<string, number[]>();
const note = (name: string, value: number) => found.set(name, [...(found.get(name) ?? []), value]);
const all = (name: string) => found.get(name) ?? [];
const middle = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const pgbench = findPgbench();
let failures = 0;
const loads: number[] = [];

/**
 * Runs each load once, alternating server and bare loads, so that figures of one round are compared with each
 * other.
 */
async function round(target: load.Target, pool: Pool, url: string): Promise<void> {
  const { fixture } = target;
  const http = async (name: string, work: Promise<load.Load>) => {
    const measured = await work;
    failures += measured.failures;
    note(name, measured.perSecond);
    note(`${name} p99`, measured.p99Ms);
  };
  const clients = 32;
  for (const hot of [false, true]) {
    const kind = hot ? "hot" : "uniform";
    await http(`transfers ${kind}`, load.transfers(target, { connections: clients, hot }));
    note(`posts ${kind}`, await load.barePosts(pool, fixture, { clients, hot, seconds }));
    if (pgbench)
      note(`pgbench ${kind}`, await pgbenchPosts(pgbench, fixture, { clients, hot, seconds, url }));
  }
  loads.push(loadavg()[0] ?? 0);
  if (onlyTransfers) return;
  await http("reads", load.reads(target, clients));
  note("bare reads", await load.bareReads(pool, fixture, { clients, seconds }));
  if (pgbench)
    note("pgbench reads", await pgbenchReads(pgbench, fixture, { clients, seconds, url }));
  for (const name of ["movements", "wallets", "health"] as const)
    await http(name, load.pages[name](target, clients));
  await http("bare http", load.bareHttp(clients, seconds));
  await http("transfers at 64", load.transfers(target, { connections: 64, hot: false }));
  await http("reads at 64", load.reads(target, 64));
  await http("quiet", load.reads(target, 8));
  const [, logins] = await Promise.all([
    http("beside logins", load.reads(target, 8)),
    load.logins(target, 32),
  ]);
  note("logins", logins.perSecond);
  note("logins p99", logins.p99Ms);
}

async function measureServer(fixture: Fixture): Promise<void> {
  const embedded = await startEmbedded({ dataDir: fixture.dataDir });
  const pool = new Pool({ connectionString: embedded.url, max: 32 });
  const port = await freePort();
  let started: Started | undefined;
  try {
    started = await ready(
      await launchServer({
        dataDir: fixture.dataDir,
        port,
        env: {
          DATABASE_URL: embedded.url,
          PAYMENTS: "sandbox",
          DEMO: "1",
          TRUST_PROXY: "1",
          WALLET_CAP_CENTS: "100000000",
          CODE_FROM_CENTS: "100000000",
          LOG_LEVEL: "error",
        },
      }),
    );
    const address = `http://127.0.0.1:${port}`;
    const tokens = await logIn(address, fixture);
    // Warm-up: compiled and planned before the measurement.
    await load.transfers({ address, fixture, tokens, seconds: 1 }, { connections: 32, hot: false });
    await load.reads({ address, fixture, tokens, seconds: 1 }, 32);
    for (let n = 1; n <= rounds; n++) {
      await round({ address, fixture, tokens, seconds }, pool, embedded.url);
      say(`round ${n} of ${rounds}, load average ${loads.at(-1)?.toFixed(1)}`);
    }
    const status = await readFile(`/proc/${started.child.pid}/status`, "utf8").catch(() => "");
    note("rss", Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
    await stop(started);
    if (onlyTransfers) return;
    for (const size of [rows / 10, rows]) {
      const at = await grown(pool, fixture, { rows: size, url: embedded.url, seconds });
      note("first pages", at.firstPages);
      note("deep pages", at.deepPages);
      note("posts by length", at.posts);
      note("bytes a row", at.bytesPerRow);
      say(`journal of ${at.rows} rows measured`);
    }
  } finally {
    if (started?.child.exitCode === null) await stop(started, "SIGKILL");
    await pool.end();
    await embedded.stop();
  }
}

async function measureStarts(fixture: Fixture): Promise<void> {
  for (let n = 0; n < Math.max(3, rounds); n++) {
    const { ms, nodeMs, databaseMs } = await coldStart(fixture);
    note("cold start", ms);
    note("cold start, node", nodeMs);
    note("cold start, database", databaseMs);
  }
  for (let n = 0; n < (onlyStarts ? rounds : Math.min(rounds, 3)); n++) {
    const { ms, sent, lost } = await recovery(fixture);
    note("recovery", ms);
    note("lost", lost);
    say(`killed with ${sent} transfers acknowledged, ${lost} lost`);
  }
}

const line = (what: string, of: readonly number[], unit: string, goal = ""): Line => ({
  what,
  value: middle(of),
  min: Math.min(...of),
  max: Math.max(...of),
  unit,
  goal,
});
const ratio = (what: string, over: string, under: string, goal = ""): Line =>
  line(
    what,
    all(over).map((value, at) => value / (all(under)[at] ?? Number.NaN)),
    "×",
    goal,
  );
const grew = (what: string, name: string, goal: string): Line => {
  const [tenth = Number.NaN, whole = Number.NaN] = all(name);
  return line(what, [whole / tenth], "×", goal);
};

/** What PostgreSQL does alone, without the portal. */
const againstPgbench = (): Line[] => [
  line("pgbench, posting, uniform", all("pgbench uniform"), "/s"),
  line("pgbench, posting onto one account", all("pgbench hot"), "/s"),
  line("pgbench, read by key", all("pgbench reads"), "/s"),
  ratio("HTTP ÷ pgbench, uniform", "transfers uniform", "pgbench uniform", "≥ 0.8"),
  ratio("HTTP ÷ pgbench, hot", "transfers hot", "pgbench hot", "≥ 4"),
  ratio("/api/card/info ÷ pgbench", "reads", "pgbench reads", "≥ 0.35"),
];

function table(): Line[] {
  return [
    line("HTTP transfers, uniform, 32 clients", all("transfers uniform"), "/s"),
    line("HTTP transfers, onto one card", all("transfers hot"), "/s"),
    ...(pgbench ? againstPgbench() : []),
    line("posting through the driver, uniform", all("posts uniform"), "/s"),
    line("posting through the driver, onto one account", all("posts hot"), "/s"),
    ratio("HTTP ÷ posting through the driver, uniform", "transfers uniform", "posts uniform"),
    ratio("HTTP ÷ posting through the driver, hot", "transfers hot", "posts hot"),
    line("/api/card/info, 32 clients", all("reads"), "/s"),
    line("read by key through the driver", all("bare reads"), "/s"),
    line("bare node:http answer", all("bare http"), "/s"),
    ratio("/api/card/info ÷ read through the driver", "reads", "bare reads"),
    ratio("/api/card/info ÷ bare node:http", "reads", "bare http", "≥ 0.6"),
    ratio("movements, a page of 20 ÷ bare node:http", "movements", "bare http", "≥ 0.1"),
    ratio("wallets of a card ÷ bare node:http", "wallets", "bare http", "≥ 0.1"),
    ratio("/api/health ÷ bare node:http", "health", "bare http", "≥ 0.4"),
    ratio("HTTP transfers ÷ bare node:http", "transfers uniform", "bare http"),
    line("p99 of a transfer, 64 connections", all("transfers at 64 p99"), "ms", "≤ 15"),
    line("p99 of a read, 64 connections", all("reads at 64 p99"), "ms", "≤ 8"),
    line("logins, 32 at once", all("logins"), "/s"),
    ratio("p99 of reads beside logins ÷ quiet", "beside logins p99", "quiet p99", "≤ 2"),
    line("resident memory after all loads", all("rss"), "MB", "≤ 250"),
    line("cold start to first 200", all("cold start"), "ms", "≤ 300"),
    line("cold start, processor time of Node", all("cold start, node"), "ms"),
    line("cold start, processor time of PostgreSQL", all("cold start, database"), "ms"),
    line("recovery after kill -9 of both", all("recovery"), "ms", "≤ 600"),
    line("acknowledged transfers lost", all("lost"), "", "0"),
    grew(`posting at ${rows} rows ÷ a tenth`, "posts by length", "≥ 0.9"),
    grew(`first page at ${rows} rows ÷ a tenth`, "first pages", "≥ 0.75"),
    grew(`deep page at ${rows} rows ÷ a tenth`, "deep pages", "≥ 0.75"),
    line("journal, indexes included", all("bytes a row").slice(-1), "B/row"),
  ];
}

function machine(): Machine {
  return { loadBefore: before, loads, seconds, rounds, failures };
}

const before = loadavg()[0] ?? 0;
const fixture = await makeFixture();
try {
  if (!onlyStarts) await measureServer(fixture);
  if (!onlyTransfers) await measureStarts(fixture);
  const lines = table().filter(({ value }) => !Number.isNaN(value));
  if (values.json) console.log(JSON.stringify({ machine: machine(), lines }, null, 2));
  else {
    printTable(machine(), lines);
    if (values.only === undefined) await appendFigures(machine(), lines);
  }
} finally {
  killServers();
  await rm(fixture.dataDir, { recursive: true, force: true });
}
