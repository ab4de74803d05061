// The goals of the portal's speed, measured in one run: over HTTP against the same machine's bare HTTP
// server and bare database. Durable commits, loopback, bounded; only ratios of one run mean anything.
//   --seconds 2   of each load     --rounds 3   interleaved     --rows 1000000   of the long journal
//   --json        the table for programs, alone on the output
import { readFile, rm } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { startEmbedded } from "#server/db/embedded.ts";
import { freePort } from "#tests/free-port.ts";
import { killServers, launchServer, ready, type Started, stop } from "#tests/server-process.ts";
import { grown } from "./goals/growth.ts";
import * as load from "./goals/loads.ts";
import { coldStart, recovery } from "./goals/starts.ts";
import { logIn, makeFixture, type Fixture } from "./goals/fixture.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
    rows: { type: "string", default: "1000000" },
    json: { type: "boolean", default: false },
  },
});
const bounded = (text: string, least: number, most: number) =>
  Math.min(most, Math.max(least, Number(text) || least));
const seconds = bounded(values.seconds, 1, 30);
const rounds = bounded(values.rounds, 1, 15);
const rows = bounded(values.rows, 10_000, 20_000_000);
const say = (text: string) => (values.json ? console.error(text) : console.log(text));

const found = new Map<string, number[]>();
const note = (name: string, value: number) => found.set(name, [...(found.get(name) ?? []), value]);
const all = (name: string) => found.get(name) ?? [];
const middle = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
let failures = 0;
const loads: number[] = [];

/** Each load once, in an order that mixes server and bare: rounds are compared to themselves. */
async function round(target: load.Target, pool: Pool): Promise<void> {
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
  }
  await http("reads", load.reads(target, clients));
  note("bare reads", await load.bareReads(pool, fixture, { clients, seconds }));
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
  loads.push(loadavg()[0] ?? 0);
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
    // Compiled and planned before anything counts.
    await load.transfers({ address, fixture, tokens, seconds: 1 }, { connections: 32, hot: false });
    await load.reads({ address, fixture, tokens, seconds: 1 }, 32);
    for (let n = 1; n <= rounds; n++) {
      await round({ address, fixture, tokens, seconds }, pool);
      say(`round ${n} of ${rounds}, load average ${loads.at(-1)?.toFixed(1)}`);
    }
    const status = await readFile(`/proc/${started.child.pid}/status`, "utf8").catch(() => "");
    note("rss", Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
    await stop(started);
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

interface Line {
  what: string;
  value: number;
  least: number;
  most: number;
  unit: string;
  goal: string;
}

const line = (what: string, of: readonly number[], unit: string, goal = ""): Line => ({
  what,
  value: middle(of),
  least: Math.min(...of),
  most: Math.max(...of),
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

function table(): Line[] {
  return [
    line("HTTP transfers, uniform, 32 clients", all("transfers uniform"), "/s"),
    line("HTTP transfers, onto one card", all("transfers hot"), "/s"),
    line("bare posting function, uniform", all("posts uniform"), "/s"),
    line("bare posting function, onto one account", all("posts hot"), "/s"),
    ratio("HTTP ÷ bare posting, uniform", "transfers uniform", "posts uniform", "≥ 1.5"),
    ratio("HTTP ÷ bare posting, hot", "transfers hot", "posts hot", "≥ 10"),
    line("/api/card/info, 32 clients", all("reads"), "/s"),
    line("bare read by key", all("bare reads"), "/s"),
    line("bare node:http answer", all("bare http"), "/s"),
    ratio("/api/card/info ÷ bare read", "reads", "bare reads", "≥ 0.35"),
    ratio("/api/card/info ÷ bare node:http", "reads", "bare http"),
    ratio("HTTP transfers ÷ bare node:http", "transfers uniform", "bare http"),
    line("p99 of a transfer, 64 connections", all("transfers at 64 p99"), "ms", "≤ 15"),
    line("p99 of a read, 64 connections", all("reads at 64 p99"), "ms", "≤ 8"),
    line("logins, 32 at once", all("logins"), "/s"),
    ratio("p99 of reads beside logins ÷ quiet", "beside logins p99", "quiet p99", "≤ 2"),
    line("resident memory after all loads", all("rss"), "MB"),
    line("cold start to first 200", all("cold start"), "ms", "≤ 300"),
    line("recovery after kill -9 of both", all("recovery"), "ms", "≤ 600"),
    line("acknowledged transfers lost", all("lost"), "", "0"),
    grew(`posting at ${rows} rows ÷ a tenth`, "posts by length", "≥ 0.9"),
    grew(`first page at ${rows} rows ÷ a tenth`, "first pages", "≥ 0.75"),
    grew(`deep page at ${rows} rows ÷ a tenth`, "deep pages", "≥ 0.75"),
    line("journal, indexes included", all("bytes a row").slice(-1), "B/row"),
  ];
}

const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

function tell(lines: readonly Line[]): void {
  const model = cpus()[0]?.model ?? "?";
  const machine = {
    cores: availableParallelism(),
    model,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    loadBefore: before,
    loads,
    seconds,
    rounds,
    failures,
  };
  if (values.json) {
    console.log(JSON.stringify({ machine, lines }, null, 2));
    return;
  }
  console.log(
    `\n${machine.date}, ${machine.cores} × ${model}, Node ${machine.node}, load average ` +
      `${before.toFixed(1)} before, ${loads.map((one) => one.toFixed(1)).join(", ")} during; ` +
      `${rounds} rounds of ${seconds} s, median (least to most), ${failures} failures\n`,
  );
  console.log("| what | median | spread | goal |\n|---|---|---|---|");
  for (const { what, value, least, most, unit, goal } of lines) {
    console.log(`| ${what} | ${shown(value)} ${unit} | ${shown(least)}–${shown(most)} | ${goal} |`);
  }
}

const before = loadavg()[0] ?? 0;
const fixture = await makeFixture();
try {
  await measureServer(fixture);
  for (let n = 0; n < 3; n++) note("cold start", await coldStart(fixture));
  for (let n = 0; n < Math.min(rounds, 3); n++) {
    const { ms, sent, lost } = await recovery(fixture);
    note("recovery", ms);
    note("lost", lost);
    say(`killed with ${sent} transfers acknowledged, ${lost} lost`);
  }
  tell(table());
} finally {
  killServers();
  await rm(fixture.dataDir, { recursive: true, force: true });
}
