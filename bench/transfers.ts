// Processor time of a batch of transfers, in PostgreSQL and in Node: figures that stay comparable on a shared
// machine, where rates do not. Compared with the bare posting function, one transfer per call.
//   --batches 300   of each load     --size 32   transfers in one     --split   by statement
//   --data <folder>   a fixture kept from run to run (made when it is not there)
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client, type PoolClient } from "pg";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import type { Call } from "#server/http/serve.ts";
import type { Row } from "#contract/endpoint.ts";
import { rooms } from "#server/rooms.ts";
import { boundedNumber } from "#tests/bounded-number.ts";
import { openDeps } from "./deps.ts";
import { type Fixture, makeFixture } from "./goals/fixture.ts";

const { values } = parseArgs({
  options: {
    batches: { type: "string", default: "300" },
    size: { type: "string", default: "32" },
    split: { type: "boolean", default: false },
    data: { type: "string" },
  },
});
const batches = boundedNumber(values.batches, 10, 5_000);
const size = boundedNumber(values.size, 1, 64);

/** Nanoseconds on a processor of a process, as the scheduler counts them. */
async function ranNs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, "utf8");
  return Number(text.split(" ")[0]);
}

/** PostgreSQL backends of this benchmark, and the processor time of each statement. */
const backends = new Set<number>();
const spent = new Map<string, { calls: number; ns: number }>();
const before = new Map<number, number>();

async function note(pid: number, statement: string): Promise<void> {
  const [last, now] = [before.get(pid), await ranNs(pid).catch(() => undefined)];
  if (now === undefined) return;
  before.set(pid, now);
  if (last === undefined) return;
  const name = statement.trim().slice(0, 60).replaceAll(/\s+/g, " ");
  const { calls, ns } = spent.get(name) ?? { calls: 0, ns: 0 };
  spent.set(name, { calls: calls + 1, ns: ns + now - last });
}

const plain = Reflect.get(Client.prototype, "query") as (...args: unknown[]) => unknown;
Reflect.set(Client.prototype, "query", function query(this: Client, ...args: unknown[]) {
  const pid = Reflect.get(this, "processID") as number;
  backends.add(pid);
  const answer = plain.apply(this, args);
  if (!values.split || !(answer instanceof Promise)) return answer;
  const queryConfig = args[0] as string | { name?: string; text: string };
  const statement =
    typeof queryConfig === "string" ? queryConfig : (queryConfig.name ?? queryConfig.text);
  void answer.then(
    () => note(pid, statement),
    () => note(pid, statement),
  );
  return answer;
});
// One statement after the other: with several at once, a backend's time could not be attributed.
if (values.split)
  Object.defineProperty(Client.prototype, "pipeline", { get: () => false, set: () => {} });

async function fixtureIn(folder: string | undefined): Promise<Fixture> {
  if (folder === undefined) return await makeFixture();
  const fixtureFile = join(folder, "fixture.json");
  if (existsSync(fixtureFile)) {
    return { ...(JSON.parse(await readFile(fixtureFile, "utf8")) as Fixture), dataDir: folder };
  }
  const made = await makeFixture();
  await rename(made.dataDir, folder);
  const fixture = { ...made, dataDir: folder };
  await writeFile(fixtureFile, JSON.stringify(fixture));
  return fixture;
}

const pick = (count: number) => Math.floor(Math.random() * count);

const fixture = await fixtureIn(values.data);
const embedded = await startEmbedded({ dataDir: fixture.dataDir });
await migrate(embedded.url);
const { deps, close } = openDeps(embedded.url);
const config = { ...deps.config, walletCapCents: 100_000_000, codeFromCents: 100_000_000 };
const measured = { ...deps, config };
const { rows: people } = await deps.pool.query<{ id: number; number: number }>(
  "select person_id as id, number from card",
);
const personOf = new Map(people.map(({ id, number }) => [number, id]));

/** The handler of the row, without HTTP. */
const route = rooms
  .flatMap(({ routes = [] }) => routes)
  .find(({ name }) => name === "wallet.transfer");

function randomTransfer(hot: boolean) {
  const family = fixture.families[pick(fixture.families.length)]!;
  const from = pick(family.wallets.length);
  const to = (from + 1 + pick(family.cards.length - 1)) % family.cards.length;
  return {
    caller: {
      sessionId: "",
      personId: personOf.get(family.cardnumber)!,
      objectId: "",
      type: 1,
      cardnumber: family.cardnumber,
      name: "",
      mustReset: false,
      siteOrigin: "",
    },
    origin: { address: "127.0.0.1", agent: "", samePage: false, requestId: "" },
    input: {
      fromWallet: family.wallets[from]!,
      toCardnumber: hot ? fixture.hotCard : family.cards[to]!,
      amountCents: 1 + pick(99),
      repeat: true,
    },
    key: randomUUID(),
  };
}

const send = (hot: boolean) =>
  route!.handle({ deps: measured, ...randomTransfer(hot) } as unknown as Call<Row>);

async function inBatches(hot: boolean, count: number) {
  for (let n = 0; n < count; n++) {
    await Promise.all(Array.from({ length: size }, () => send(hot)));
  }
}

const total = async () =>
  (await Promise.all([...backends].map((pid) => ranNs(pid).catch(() => 0)))).reduce(
    (a, b) => a + b,
    0,
  );

async function timed(name: string, count: number, perCall: number, work: () => Promise<void>) {
  const [node, ns] = [process.cpuUsage(), await total()];
  await work();
  const pg = ((await total()) - ns) / 1e6 / count;
  const { user, system } = process.cpuUsage(node);
  const js = (user + system) / 1000 / count;
  console.log(
    `${name.padEnd(34)} PostgreSQL ${pg.toFixed(2)} ms, Node ${js.toFixed(2)} ms; a transfer ${((pg * 1000) / perCall).toFixed(0)} µs and ${((js * 1000) / perCall).toFixed(0)} µs`,
  );
}

const post = {
  name: "post",
  text: `select refused from ledger_post(true, array[1], array[$1], array[$2::bigint],
    array[$3::bigint], array[1::bigint], array['transfer'], array[null::jsonb],
    array[null::bigint], array[null::timestamptz])`,
};
async function bare(client: PoolClient, count: number) {
  for (let n = 0; n < count; n++) {
    const from = pick(fixture.accounts.length);
    const to = (from + 1 + pick(fixture.accounts.length - 1)) % fixture.accounts.length;
    const keys = [`bare:${randomUUID()}`, fixture.accounts[from], fixture.accounts[to]];
    await client.query({ ...post, values: keys });
  }
}

try {
  await inBatches(false, 30);
  await inBatches(true, 10);
  const client = await deps.pool.connect();
  await bare(client, 200);
  spent.clear();
  await timed(`batch of ${size}, uniform`, batches, size, () => inBatches(false, batches));
  await timed(`batch of ${size}, onto one card`, batches, size, () => inBatches(true, batches));
  const totals = [...spent];
  await timed("bare posting function, one a call", batches * 10, 1, () =>
    bare(client, batches * 10),
  );
  client.release();
  for (const [name, { calls, ns }] of totals)
    console.log(
      `${(ns / 1e6 / (batches * 2)).toFixed(3).padStart(8)} ms a batch in ${(calls / batches / 2).toFixed(1)} × ${name}`,
    );
} finally {
  await close();
  await embedded.stop();
  if (values.data === undefined) await rm(fixture.dataDir, { recursive: true, force: true });
}
