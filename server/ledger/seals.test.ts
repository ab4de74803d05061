// Rewritten history is detected: each test rewrites it as somebody would who controls only the database,
// triggers included, and rolls that back.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { audit } from "#server/identity/identity.ts";
import { openAccount, post } from "./ledger.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { type Fault, faultsWithin, historyFaults, overdueSeals, sealHistory } from "./seals.ts";

let server: TestServer;
let personId: number;
let auditIds: number[];
let transferId: number;
const old = new Date(Date.now() - 3_600_000);

beforeAll(async () => {
  server = await openTestServer({ dataDir: await mkdtemp(join(tmpdir(), "seals-")) });
  const { db } = server.deps;
  ({ id: personId } = await db
    .selectFrom("person")
    .select("id")
    .limit(1)
    .executeTakeFirstOrThrow());
  for (const action of ["one", "two", "three", "four"]) await write(action);
  const kind = "seal_test";
  transferId = await inTx(db, async (tx) => {
    const debitAccount = await openAccount(tx, { kind, asset: "EUR", floorCents: null });
    const creditAccount = await openAccount(tx, { kind, asset: "EUR", floorCents: 0 });
    const memo = { label: "Repas" };
    const [posted] = await post(tx, [
      {
        key: "seal 1",
        debitAccount,
        creditAccount,
        amountCents: 1250,
        kind: "meal",
        memo,
        at: old,
      },
    ]);
    return posted?.id ?? 0;
  });
  expect(await sealHistory(server.deps)).toBeGreaterThanOrEqual(5);
  const rows = await db
    .selectFrom("audit")
    .select("id")
    .where("action", "in", ["one", "two", "three", "four"])
    .orderBy("id")
    .execute();
  auditIds = rows.map(({ id }) => id);
  await write("five");
  await sealHistory(server.deps);
});
afterAll(async () => {
  await server.close();
  await rm(server.deps.config.dataDir, { recursive: true });
});

const write = (action: string) =>
  inTx(server.deps.db, (tx) =>
    audit(tx, { personId, action, actor: "system", address: null, at: old }),
  );

class Found extends Error {
  faults: Fault[];
  constructor(faults: Fault[]) {
    super("rolled back");
    this.faults = faults;
  }
}

/** The faults found after `changes` bypassed every trigger; all of it is rolled back. */
async function after(...changes: RawBuilder<unknown>[]): Promise<Fault[]> {
  const tried = inTx(server.owner.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const change of changes) await change.execute(tx);
    throw new Found(await faultsWithin(tx, server.deps));
  });
  return await tried.catch((error: unknown) => {
    if (error instanceof Found) return error.faults;
    throw error;
  });
}

test("what nobody touched holds, and nothing waits", async () => {
  expect(await historyFaults(server.deps)).toEqual([]);
  expect(await overdueSeals(server.deps)).toBe(0);
  expect(await sealHistory(server.deps)).toBe(0);
});

// proves: sealed-database
test("an audit row altered, deleted, or two that change places are found by their number", async () => {
  const [first = 0, second = 0, third = 0] = auditIds;
  expect(await after(sql`update audit set address = '6.6.6.6' where id = ${second}`)).toEqual([
    { chain: "audit", id: second, why: "altered" },
  ]);
  expect(await after(sql`delete from audit where id = ${second}`)).toEqual([
    { chain: "audit", id: second, why: "deleted" },
  ]);
  const swapped = await after(
    sql`update audit a set action = b.action from audit b
      where (a.id, b.id) in ((${first}, ${third}), (${third}, ${first}))`,
  );
  expect(swapped.map(({ id, why }) => [id, why])).toEqual([
    [first, "altered"],
    [third, "altered"],
  ]);
});

// proves: sealed-database
test.each([
  ["memo", sql`memo = '{"label":"Cadeau"}'`],
  ["kind", sql`kind = 'gift'`],
  ["date", sql`at = at - interval '1 day'`],
  ["amount", sql`amount = amount + 1`],
])("the %s of a journal row, altered in place, is found", async (_what, change) => {
  expect(await after(sql`update transfer set ${change} where id = ${transferId}`)).toEqual([
    { chain: "journal", id: transferId, why: "altered" },
  ]);
});

// proves: sealed-database
test("digests made anew for an altered row do not fit the chain, nor does a chain without its key", async () => {
  const [, second = 0] = auditIds;
  const forged = await after(
    sql`update audit set action = 'nothing' where id = ${second}`,
    sql`update seal s set digests = (
        select array_agg(sha256(convert_to(jsonb_build_array(r.id, r.person_id,
          extract(epoch from r.at), r.actor, r.action, r.address, r.details)::text, 'UTF8'))
          order by u.place)
          from unnest(s.ids) with ordinality as u (id, place) join audit r on r.id = u.id)
      where chain = 'audit' and ${second} = any (ids)`,
    sql`update seal set mac = sha256(mac) where chain = 'audit'`,
  );
  expect(forged).toContainEqual({ chain: "audit", id: null, why: "chain" });
});

// proves: sealed-database
test("a tail cut off, its rows with its seals, is found by what this installation sealed last", async () => {
  const cut = await after(
    sql`delete from audit where id in (select unnest(ids) from seal
      where chain = 'audit' and seq = (select max(seq) from seal where chain = 'audit'))`,
    sql`delete from seal where chain = 'audit'
      and seq = (select max(seq) from seal where chain = 'audit')`,
  );
  expect(cut).toEqual([{ chain: "audit", id: null, why: "cut" }]);
});

test("a seal that is gone, or two that change places, break the chain", async () => {
  const gone = await after(sql`delete from seal where chain = 'audit' and seq = 1`);
  expect(gone).toContainEqual({ chain: "audit", id: null, why: "chain" });
});

// proves: sealed-database
test("a row that waits for more than a minute is an alarm, until it is sealed", async () => {
  await write("six");
  expect(await overdueSeals(server.deps)).toBe(1);
  expect(await historyFaults(server.deps)).toEqual([
    expect.objectContaining({ chain: "audit", why: "unsealed" }),
  ]);
  expect(await sealHistory(server.deps)).toBe(1);
  expect(await overdueSeals(server.deps)).toBe(0);
  expect(await historyFaults(server.deps)).toEqual([]);
});

test("twenty at once, and processes that seal at once: each row is sealed once", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => write(`at once ${n}`)));
  await Promise.all([1, 2, 3].map(() => sealHistory(server.deps)));
  await sealHistory(server.deps);
  expect(await historyFaults(server.deps)).toEqual([]);
  const { rows } = await sql`select id from seal, unnest(ids) as id where chain = 'audit'
    group by id having count(*) > 1`.execute(server.deps.db);
  expect(rows).toEqual([]);
});

test("more rows than one seal holds are sealed at once, in a chain that holds", async () => {
  const { db } = server.deps;
  const count = async () =>
    (await sql<{ n: number }>`select count(*) as n from seal where chain = 'audit'`.execute(db))
      .rows[0]?.n ?? 0;
  await sealHistory(server.deps);
  const before = await count();
  await sql`insert into audit (person_id, action, actor, details, at)
    select ${personId}, 'many', 'person', '{}', now() from generate_series(1, 2500)`.execute(db);
  expect(await sealHistory(server.deps)).toBe(2500);
  expect(await count()).toBe(before + 3);
  expect(await overdueSeals(server.deps)).toBe(0);
  expect(await historyFaults(server.deps)).toEqual([]);
});

// proves: sealed-database
test("a row of a transaction that outlasted the newest seals is sealed by the thorough pass", async () => {
  const { db } = server.deps;
  await sealHistory(server.deps);
  const [written, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const long = inTx(db, async (tx) => {
    await audit(tx, { personId, action: "long", actor: "system", address: null, at: new Date() });
    written.resolve();
    await ended.promise;
  });
  await written.promise;
  await write("meanwhile");
  expect(await sealHistory(server.deps, "nearlyAll")).toBe(1);
  // The seal becomes a minute older, as if the transaction had lasted that long.
  await inTx(server.owner.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update seal set sealed_at = sealed_at - interval '1 minute'`.execute(tx);
  });
  ended.resolve();
  await long;
  expect(await sealHistory(server.deps, "nearlyAll")).toBe(0);
  expect(await sealHistory(server.deps)).toBe(1);
  expect(await historyFaults(server.deps)).toEqual([]);
});
