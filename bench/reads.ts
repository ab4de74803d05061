// Every read that the portal's screens make, measured one by one: a browser follows the links that a holder
// and three professionals of the demo see, each GET is recorded once per contract row, and then repeated.
//   --seconds 1   of each load     --only wallet     rows whose name holds the word     --json
// After a load that does not count: calls a second with 16 clients; statements, milliseconds in the database
// and in Node of one call alone. Last, the named statements that PostgreSQL planned anew at most of their
// calls.
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import type { Browser } from "playwright-core";
import { everyRow } from "#contract/api.ts";
import { boundedNumber } from "#tests/bounded-number.ts";
import { freePort } from "#tests/free-port.ts";
import { launchBrowser } from "#tests/browser.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { launchServer, ready, stop } from "#tests/server-process.ts";
import { signIn } from "#tests/sign-in.ts";
import * as load from "./goals/loads.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  },
});
const seconds = boundedNumber(values.seconds, 1, 10);
const demoPassword = "demo-ma-carte-2026";
const maxPages = 25;
const people: readonly CastName[] = ["guardian", "canteenProvider", "partnerShop", "employer"];

interface Read {
  row: string;
  path: string;
  headers: Record<string, string>;
}
interface Measured {
  row: string;
  perSecond: number;
  statements: number;
  databaseMs: number;
  nodeMs: number;
  kilobytes: number;
  failures: number;
}

const rows = everyRow().filter(({ row }) => row.method === "GET" && row.reply === undefined);

/** The row of the contract that a path of the portal belongs to; the most specific one wins. */
function rowOf(path: string): string | undefined {
  const parts = path.split("/");
  const fits = ({ row }: (typeof rows)[number]) => {
    const own = row.path.split("/");
    return (
      own.length === parts.length &&
      own.every((part, at) => part.startsWith(":") || part.startsWith("{") || part === parts[at])
    );
  };
  const variable = (text: string) => text.split(/[:{]/).length;
  return rows.filter(fits).toSorted((a, b) => variable(a.row.path) - variable(b.row.path))[0]?.name;
}

/** The reads behind the pages that a person can reach by links, one for each row. */
async function readsOf(browser: Browser, address: string, name: CastName): Promise<Read[]> {
  const context = await browser.newContext({ baseURL: address, locale: "fr-FR" });
  await context.addInitScript(
    "if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});",
  );
  const page = await context.newPage();
  await signIn(page, address, { login: cast[name].cardnumber, password: demoPassword });
  const found = new Map<string, Read>();
  page.on("request", (request) => {
    const url = new URL(request.url());
    const row = request.method() === "GET" ? rowOf(url.pathname) : undefined;
    if (!row || found.has(row)) return;
    const headers = request.headers();
    const bearer = headers["authorization"];
    if (bearer)
      found.set(row, { row, path: url.pathname + url.search, headers: { authorization: bearer } });
  });
  const seen = new Set(["/dashboard"]);
  const waiting = [...seen];
  for (let visits = 0; waiting.length > 0 && visits < maxPages; visits++) {
    await page.goto(waiting.shift() as string).catch(() => undefined);
    await page
      .locator("h1")
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => undefined);
    // Reads that a screen makes after it is drawn: live events keep the network from ever being idle.
    await page.waitForTimeout(600);
    const links = await page.$$eval("a[href^='/']", (all) =>
      all.map((one) =>
        (one as unknown as { getAttribute(name: string): string }).getAttribute("href"),
      ),
    );
    for (const link of links) {
      // Of screens that differ only by an id, two are enough.
      const form = link.replace(/[?#].*$/, "").replaceAll(/\/[^/]*\d[^/]*/g, "/1");
      const alike = [...seen].filter(
        (other) => other.replace(/[?#].*$/, "").replaceAll(/\/[^/]*\d[^/]*/g, "/1") === form,
      );
      if (link.startsWith("/api/") || seen.has(link) || alike.length > 1) continue;
      seen.add(link);
      waiting.push(link);
    }
  }
  const cookies = (await context.cookies())
    .map(({ name: key, value }) => `${key}=${value}`)
    .join("; ");
  await context.close();
  return [...found.values()].map((read) => ({
    ...read,
    headers: { ...read.headers, cookie: cookies },
  }));
}

const countsAt = async (port: number) =>
  (await (await fetch(`http://127.0.0.1:${port}`)).json()) as {
    statements: number;
    milliseconds: number;
  };

/** Statements planned anew at most of the calls after the first five, which PostgreSQL always plans. */
async function customPlanned(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/plans`);
  const all = (await answer.json()) as { statement: string; custom: number; generic: number }[];
  return all
    .filter(({ custom, generic }) => custom > 100 && custom > generic)
    .toSorted((a, b) => b.custom - a.custom)
    .map((one) => ({ ...one, statement: one.statement.replaceAll(/\s+/g, " ").slice(0, 300) }));
}

async function measure(address: string, countPort: number, read: Read): Promise<Measured> {
  const url = address + read.path;
  const options = { url, headers: read.headers, connections: 16, duration: seconds };
  // On each connection PostgreSQL plans a statement a few times before it caches the plan.
  await autocannon(options);
  const ask = async () => (await fetch(url, { headers: read.headers })).text();
  const sequentialCalls = 30;
  const before = await countsAt(countPort);
  const from = performance.now();
  let text = "";
  for (let call = 0; call < sequentialCalls; call++) text = await ask();
  const wholeMs = (performance.now() - from) / sequentialCalls;
  const after = await countsAt(countPort);
  const databaseMs = (after.milliseconds - before.milliseconds) / sequentialCalls;
  const shot = await autocannon(options);
  return {
    row: read.row,
    perSecond: shot.requests.average,
    statements: (after.statements - before.statements) / sequentialCalls,
    databaseMs,
    nodeMs: Math.max(0, wholeMs - databaseMs),
    kilobytes: Buffer.byteLength(text) / 1024,
    failures: shot.non2xx + shot.errors,
  };
}

const counting = new URL("./goals/count-statements.ts", import.meta.url);
const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-reads-"));
const countPort = await freePort();
const started = await ready(
  await launchServer({
    dataDir,
    sources: true,
    env: {
      DEMO: "1",
      COUNT_PORT: String(countPort),
      NODE_OPTIONS: `--import ${counting.href}`,
    },
  }),
);
const browser = await launchBrowser();
try {
  const reads = new Map<string, Read>();
  for (const name of people) {
    for (const read of await readsOf(browser, started.address, name)) {
      if (!reads.has(read.row)) reads.set(read.row, read);
    }
  }
  const selected = [...reads.values()].filter(({ row }) => row.includes(values.only));
  const bare = await load.bareHttp(16, seconds);
  const measured: Measured[] = [];
  for (const read of selected) measured.push(await measure(started.address, countPort, read));
  measured.sort((a, b) => a.perSecond - b.perSecond);
  const planned = await customPlanned(countPort);
  if (values.json) console.log(JSON.stringify({ measured, planned }));
  else {
    print(measured, bare.perSecond);
    for (const { statement, custom, generic } of planned)
      console.log(`custom plans ${custom}, generic ${generic}: ${statement}`);
  }
} finally {
  await browser.close();
  await stop(started);
  await rm(dataDir, { recursive: true, force: true });
}

function print(measured: readonly Measured[], bare: number): void {
  const load1 = (loadavg()[0] ?? 0).toFixed(1);
  console.log(
    `${measured.length} reads; bare node:http ${bare.toFixed(0)}/s; load average ${load1}`,
  );
  console.log(
    "row                             calls/s  ÷ bare  statements  db ms  node ms      KB",
  );
  for (const one of measured) {
    const cells = [
      one.row.padEnd(30),
      one.perSecond.toFixed(0).padStart(8),
      (one.perSecond / bare).toFixed(3).padStart(7),
      one.statements.toFixed(1).padStart(11),
      one.databaseMs.toFixed(1).padStart(6),
      one.nodeMs.toFixed(1).padStart(8),
      one.kilobytes.toFixed(1).padStart(7),
    ];
    console.log(cells.join(" ") + (one.failures > 0 ? `  ${one.failures} failed` : ""));
  }
}
