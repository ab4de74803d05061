// Transfers per second that the ledger posts: one by one from 8 and 32 connections, and arrays of 32 from one
// connection, over many accounts (uniform) and into one (hot). Rounds are interleaved, and only their ratios
// are compared. Durable commits, loopback, bounded.
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { openDb } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { movementsOf, verify } from "#server/ledger/ledger.ts";

const accounts = 100_000;
const batch = 32;
const roundMs = Number(process.env["ROUND_MS"] ?? 2000);
const rounds = Number(process.env["ROUNDS"] ?? 3);
const statement = {
  name: "ledger_post",
  text: "select ord, id, refused from ledger_post($1, $2, $3, $4, $5, $6, $7, $8::jsonb[], $9, $10)",
};

type Pair = () => [debitAccount: number, creditAccount: number];
const any = () => 2 + Math.floor(Math.random() * accounts);
const uniform: Pair = () => {
  const debitAccount = any();
  const creditAccount = any();
  return debitAccount === creditAccount ? uniform() : [debitAccount, creditAccount];
};
// Everyone pays account 1, like a partner's account at lunch time.
const hot: Pair = () => [any(), 1];

let key = 0;
function call(pair: Pair, size: number) {
  const n = Array.from({ length: size }, (_, index) => index + 1);
  const pairs = n.map(pair);
  const none = n.map(() => null);
  return {
    ...statement,
    values: [
      size === 1,
      n,
      n.map(() => `bench-${++key}`),
      pairs.map(([debitAccount]) => debitAccount),
      pairs.map(([, creditAccount]) => creditAccount),
      n.map(() => 1),
      n.map(() => "purchase"),
      none,
      none,
      none,
    ],
  };
}

async function rate(pool: Pool, pair: Pair, connections: number, size: number) {
  const end = performance.now() + roundMs;
  let posted = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect();
      while (performance.now() < end) {
        const { rows } = await client.query<{ refused: string | null }>(call(pair, size));
        posted += rows.filter((row) => row.refused === null).length;
      }
      client.release();
    }),
  );
  return (posted / (performance.now() - started)) * 1000;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const cases = [
  { name: "one by one, 8 connections", connections: 8, size: 1 },
  { name: "one by one, 32 connections", connections: 32, size: 1 },
  { name: `arrays of ${batch}, 1 connection`, connections: 1, size: batch },
];

async function measure(url: string): Promise<void> {
  await migrate(url);
  const pool = new Pool({ connectionString: url, max: 32 });
  await pool.query(
    `insert into ledger_account (kind, asset, floor, balance)
     select 'bench', 'EUR', 0, case n when 0 then 0 else 1000000 end
     from generate_series(0, $1) n`,
    [accounts],
  );
  await pool.query("vacuum analyze ledger_account");
  const found = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const { name, connections, size } of cases) {
      for (const [load, pair] of Object.entries({ uniform, hot })) {
        const title = `${name}, ${load}`;
        const speed = await rate(pool, pair, connections, size);
        found.set(title, [...(found.get(title) ?? []), speed]);
      }
    }
  }
  const processor = cpus()[0]?.model ?? "?";
  console.log(
    `${availableParallelism()} × ${processor}, Node ${process.version}, ${accounts} accounts`,
  );
  for (const load of ["uniform", "hot"]) {
    const base = median(found.get(`${cases[1]?.name}, ${load}`) ?? [1]);
    for (const { name } of cases) {
      const speed = median(found.get(`${name}, ${load}`) ?? [0]);
      const ratio = (speed / base).toFixed(2);
      console.log(
        `${name.padEnd(30)} ${load.padEnd(8)} ${speed.toFixed(0).padStart(7)} transfers/s  × ${ratio}`,
      );
    }
  }
  const size = await pool.query<{ bytes: number; n: number }>(
    `select pg_total_relation_size('transfer') as bytes, count(*) as n from transfer`,
  );
  const { bytes, n } = size.rows[0] ?? { bytes: 0, n: 1 };
  console.log(`${n} transfers, ${(bytes / n).toFixed(0)} bytes each with indexes`);
  await pool.end();
  await pages(url);
  await audit(url);
}

// A page of the account with the most movements, and of one with few: both must cost the same.
async function pages(url: string): Promise<void> {
  const database = openDb(url, { max: 1 });
  const timed = async (account: number, before?: number) => {
    const times: number[] = [];
    for (let n = 0; n < 50; n++) {
      const started = performance.now();
      await movementsOf(database.db, [account], { limit: 20, before });
      times.push(performance.now() - started);
    }
    return `${median(times).toFixed(2)} ms`;
  };
  const [first, deep, quiet] = [await timed(1), await timed(1, 1000), await timed(any())];
  console.log(
    `page of 20 movements: busiest account ${first}, its end ${deep}, a quiet one ${quiet}`,
  );
  await database.close();
}

async function audit(url: string): Promise<void> {
  const database = openDb(url, { max: 1 });
  const started = performance.now();
  const report = await verify(database.db);
  // The opening balances above have no transfer, so the check that all balances sum to zero fails here.
  const wrong = report.checks
    .filter((check) => !check.ok)
    .map((check) => check.name)
    .join();
  const expected = wrong === "sums,balances,chain" ? "as expected" : "NOT AS EXPECTED";
  console.log(`audit in ${(performance.now() - started).toFixed(0)} ms: ${wrong} (${expected})`);
  await database.close();
}

const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-bench-"));
const embedded = await startEmbedded({ dataDir });
try {
  await measure(embedded.url);
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
