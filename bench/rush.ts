// 10,000 holders in one minute, over HTTP to a real server: some type their password, all read their card and
// its movements, then send money, begin a top-up or take a seat. Measures the time of each call, refusals and
// answers with Retry-After, the server's memory, and the time until it is idle again. Durable commits,
// bounded.
//   --holders 10000   --seconds 60   --logins 10   percent that log in, 99 at most; the others have a session
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { parseRootKeys, type RootKeys, useRootKeys } from "#server/process/root-key.ts";
import { boundedNumber } from "#tests/bounded-number.ts";
import { allAtOnce } from "#tests/at-once.ts";
import { castInto, castPassword } from "#tests/cast.ts";
import { makeEvent, type MadeEvent } from "#tests/events.ts";
import { killServers, launchServer, ready, stop, testRootKey } from "#tests/server-process.ts";
import { openSession } from "#tests/test-server.ts";
import { openDeps } from "./deps.ts";
import { insertPeople, type Person } from "./goals/fixture.ts";

const { values } = parseArgs({
  options: {
    holders: { type: "string", default: "10000" },
    seconds: { type: "string", default: "60" },
    logins: { type: "string", default: "10" },
  },
});
const holders = boundedNumber(values.holders, 100, 50_000);
const seconds = boundedNumber(values.seconds, 5, 600);
const logins = boundedNumber(values.logins, 0, 99);
const seats = 500;

interface Tally {
  ms: number[];
  done: number;
  /** Refused by a business rule: sold out, for example. */
  refused: number;
  /** 429 and 503. */
  sentAway: number;
  failed: number;
}
const tallies = new Map<string, Tally>();
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

interface RequestSpec {
  name: string;
  method?: string;
  path: string;
  body?: unknown;
  headers: Record<string, string>;
}
interface Answer {
  status: number;
  ms: number;
  body: { token?: { jeton: string } };
}

function ask(port: number, { method = "POST", path, body, headers }: RequestSpec): Promise<Answer> {
  const from = performance.now();
  const text = body === undefined ? "" : JSON.stringify(body);
  const own = text ? { "content-type": "application/json", "content-length": text.length } : {};
  return new Promise((resolve) => {
    const answered = (status: number, said = "{}") =>
      resolve({ status, ms: performance.now() - from, body: JSON.parse(said || "{}") });
    const call = request(
      { agent, port, host: "127.0.0.1", method, path, headers: { ...headers, ...own } },
      (response) => {
        let said = "";
        response.on("data", (part: Buffer) => (said += part.toString()));
        response.on("end", () => answered(response.statusCode ?? 0, said));
      },
    );
    call.on("error", () => answered(0));
    call.end(text);
  });
}

async function sendAndTally(port: number, spec: RequestSpec): Promise<Answer> {
  const answer = await ask(port, spec);
  const tally = tallies.get(spec.name) ?? { ms: [], done: 0, refused: 0, sentAway: 0, failed: 0 };
  tallies.set(spec.name, tally);
  tally.ms.push(answer.ms);
  if (answer.status === 429 || answer.status === 503) tally.sentAway += 1;
  else if (answer.status >= 500 || answer.status === 0) tally.failed += 1;
  else if (answer.status >= 400) tally.refused += 1;
  else tally.done += 1;
  return answer;
}

interface Crowd {
  port: number;
  people: readonly Person[];
  tokens: ReadonlyMap<number, string>;
  event: MadeEvent;
}

const nextOf = (people: readonly Person[], at: number) =>
  people[(at + 1) % people.length] as Person;

/** One holder's visit: log in, read, then one write. */
async function visit({ port, people, tokens, event }: Crowd, at: number): Promise<void> {
  const { cardnumber, wallet } = people[at] as Person;
  // Each holder has an address of their own, as behind a balancer.
  const forwarded = { "x-forwarded-for": `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` };
  let token = tokens.get(cardnumber);
  if (token === undefined) {
    const body = { login: cardnumber, password: castPassword };
    const login = await sendAndTally(port, {
      name: "login",
      path: "/api/login",
      body,
      headers: forwarded,
    });
    token = login.body.token?.jeton;
    if (token === undefined) return;
  }
  const headers = { ...forwarded, authorization: `Bearer ${token}` };
  const own = { headers, body: { cardnumber } };
  await sendAndTally(port, { name: "card/info", path: "/api/card/info", ...own });
  const page = `/api/wallets/${wallet}/movements?limit=20`;
  await sendAndTally(port, { name: "movements", method: "GET", path: page, headers });
  const keyed = { ...headers, "idempotency-key": randomUUID() };
  const to = nextOf(people, at);
  const act = at % 10;
  if (act < 5) {
    const body = { fromWallet: wallet, toCardnumber: to.cardnumber, amountCents: 100 };
    await sendAndTally(port, { name: "transfer", path: "/api/transfers", body, headers: keyed });
  } else if (act < 8) {
    const path = `/api/wallets/${wallet}/top-ups`;
    await sendAndTally(port, { name: "top-up", path, body: { amountCents: 2000 }, headers: keyed });
  } else {
    const body = { session: event.session, category: event.full, cardnumber, quantity: 1 };
    await sendAndTally(port, { name: "seat", path: "/api/tickets/cart/lines", body, headers });
  }
}

/** Milliseconds to read a card when there is no other load, the median of thirty. */
async function quietMs(crowd: Crowd): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 30; n++) times.push(await probe(crowd));
  return times.toSorted((a, b) => a - b)[15] ?? 0;
}

async function probe({ port, people, tokens }: Crowd): Promise<number> {
  const { cardnumber } = people.find((one) => tokens.has(one.cardnumber)) as Person;
  const headers = { authorization: `Bearer ${tokens.get(cardnumber)}` };
  const spec = { name: "probe", path: "/api/card/info", body: { cardnumber }, headers };
  return (await ask(port, spec)).ms;
}

/** Seconds until ten reads in a row take at most three times the idle time. */
async function secondsToRecover(crowd: Crowd, quiet: number): Promise<number> {
  const from = performance.now();
  for (let good = 0; good < 10 && performance.now() - from < 60_000;)
    good = (await probe(crowd)) <= 3 * quiet + 1 ? good + 1 : 0;
  return (performance.now() - from) / 1000;
}

const residentMb = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

async function rush(crowd: Crowd, pid: number): Promise<{ tookSeconds: number; maxMb: number }> {
  let maxMb = 0;
  const over = new AbortController();
  const weighing = (async () => {
    while (!over.signal.aborted) {
      maxMb = Math.max(maxMb, await residentMb(pid));
      await sleep(250);
    }
  })();
  const from = performance.now();
  await Promise.all(
    crowd.people.map(async (_, at) => {
      await sleep(Math.random() * seconds * 1000);
      await visit(crowd, at);
    }),
  );
  const tookSeconds = (performance.now() - from) / 1000;
  over.abort();
  await weighing;
  return { tookSeconds, maxMb };
}

function printTallies(): void {
  const at = (ms: readonly number[], part: number) =>
    (ms[Math.min(ms.length - 1, Math.floor(ms.length * part))] ?? 0).toFixed(1);
  console.log("| call | asked | p50 ms | p99 ms | done | refused | sent away | failed |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const [name, { ms, done, refused, sentAway, failed }] of tallies) {
    const times = ms.toSorted((a, b) => a - b);
    const figures = [
      times.length,
      at(times, 0.5),
      at(times, 0.99),
      done,
      refused,
      sentAway,
      failed,
    ];
    console.log(`| ${[name, ...figures].join(" | ")} |`);
  }
}

const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-rush-"));
const embedded = await startEmbedded({ dataDir });
const { deps, close } = openDeps(embedded.url);
try {
  await migrate(embedded.url);
  await castInto(embedded.url);
  const people = await insertPeople(deps.pool, holders);
  // Each holder has the next one as a relative, to whom money may be sent.
  await deps.pool.query(
    `insert into family_tie (guardian_id, member_id, role)
     select a, b, 'relative' from unnest($1::bigint[], $2::bigint[]) as pair (a, b)`,
    [people.map(({ id }) => id), people.map((_, at) => nextOf(people, at).id)],
  );
  const event = await makeEvent(
    { deps },
    { seats, categories: [{ name: "Entrée", priceCents: 500 }] },
  );
  await deps.pool.query("vacuum analyze");
  const started = await ready(
    await launchServer({
      dataDir,
      env: {
        DATABASE_URL: embedded.url,
        DEMO: "1",
        PAYMENTS: "sandbox",
        TRUST_PROXY: "1",
        WALLET_CAP_CENTS: "100000000",
        CODE_FROM_CENTS: "100000000",
        LOG_LEVEL: "error",
      },
    }),
  );
  useRootKeys(parseRootKeys(testRootKey) as RootKeys);
  const tokens = new Map<number, string>();
  const known = people.filter((_, at) => at % 100 >= logins);
  await allAtOnce(known, 8, async ({ cardnumber }) => {
    tokens.set(cardnumber, await openSession(deps, cardnumber));
  });
  const crowd = { port: started.port, people, tokens, event };
  const before = loadavg()[0] ?? 0;
  const quiet = await quietMs(crowd);
  const { tookSeconds, maxMb } = await rush(crowd, started.child.pid ?? 0);
  const calm = await secondsToRecover(crowd, quiet);
  console.log(
    `${holders} holders in ${seconds} s, ${logins} % log in; load average ${before.toFixed(1)} before, ` +
      `${(loadavg()[0] ?? 0).toFixed(1)} after\n`,
  );
  printTallies();
  const { rows } = await deps.pool.query<{ taken: number }>(
    "select taken from ticket_quota where session_id = $1 and category_id is null",
    [event.session],
  );
  console.log(
    `\nthe last answer came after ${tookSeconds.toFixed(1)} s; at most ${maxMb.toFixed(0)} MB; ` +
      `quiet again (${quiet.toFixed(1)} ms a look) after ${calm.toFixed(1)} s; ` +
      `${rows[0]?.taken ?? "?"} of ${seats} seats taken`,
  );
  if ((rows[0]?.taken ?? 0) > seats) process.exitCode = 1;
  await stop(started);
} finally {
  killServers();
  agent.destroy();
  await close();
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
