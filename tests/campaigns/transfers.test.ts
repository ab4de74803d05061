// Two server processes send on the same four wallets at once, both in batches, many of the transfers asked
// of both: nothing lost, nothing twice, each answered once, no limit exceeded. Twenty seeds.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { post, verify } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { type Answer, type Fleet, startFleet } from "#tests/campaigns/scale/fleet.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Clone, cloneDatabase } from "#tests/cluster.ts";
import { dice } from "#tests/ledger-random.ts";
import { killServers } from "#tests/server-process.ts";

const senders = ["guardian", "child", "coGuardian"] as const;
const owners = ["guardian", "child", "secondChild", "coGuardian"] as const;
type Sender = (typeof senders)[number];
type Owner = (typeof owners)[number];
type Headers = Record<string, string>;

let clone: Clone;
let fleet: Fleet;
const bearers = new Map<Sender, Headers>();
const wallets = new Map<Owner, { id: number; objectId: string; account: number }>();

beforeAll(async () => {
  clone = await cloneDatabase();
  fleet = await startFleet(clone.url, 2);
  for (const [at, name] of senders.entries()) bearers.set(name, await fleet.login(at, name));
  for (const name of owners) wallets.set(name, await walletOf(name));
  // Little enough that some of what is sent is not there.
  for (const name of owners) await leave(name, 600);
});
afterAll(async () => {
  await fleet.close();
  killServers();
  await clone.drop();
});

async function walletOf(name: CastName) {
  const { rows } = await sql<{ id: number; objectId: string; account: number }>`
    select w.id, w.object_id, l.account_id as account
    from card c join wallet w on w.person_id = c.person_id and w.group_id = 1
    join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
    where c.number = ${cast[name].cardnumber}`.execute(fleet.database.db);
  return rows[0]!;
}

/** Takes money out until so many cents are left. */
async function leave(name: Owner, cents: number): Promise<void> {
  const { account } = wallets.get(name)!;
  const now = (await balances()).get(name)!;
  await inTx(fleet.database.db, async (tx) =>
    post(tx, [
      {
        key: `leave:${name}`,
        debitAccount: account,
        creditAccount: await schemeAccount(tx, "bank"),
        amountCents: now - cents,
        kind: "correction",
      },
    ]),
  );
}

async function balances(): Promise<Map<Owner, number>> {
  const { rows } = await sql<{ id: number; balance: number }>`
    select id, balance from ledger_account`.execute(fleet.database.db);
  const of = new Map(rows.map(({ id, balance }) => [id, balance]));
  return new Map(owners.map((name) => [name, of.get(wallets.get(name)!.account)!]));
}

/** How much stands in each of the places where a transfer is written. */
async function written() {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from transfer where kind = 'transfer') as journal,
      (select count(*) from wallet_transfer) as lines,
      (select count(*) from audit where action = 'transfer.send') as audit,
      (select count(*) from notification where kind = 'transfer') as notices`.execute(
    fleet.database.db,
  );
  return rows[0]!;
}

/** What the child sent by itself today. */
async function sentByChild(): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(t.amount_cents), 0)::bigint as cents from wallet_transfer t
    join wallet w on w.id = t.from_wallet and w.person_id = t.person_id
    where w.id = ${wallets.get("child")!.id}`.execute(fleet.database.db);
  return rows[0]!.cents;
}

/** The child may send so many cents more today, whatever the hour at which the test runs. */
async function allowChild(more: number): Promise<number> {
  const day = (await sentByChild()) + more;
  await sql`insert into member_limit (person_id, day_cents, set_by, set_at)
    select person_id, ${day}, person_id, now() from wallet where id = ${wallets.get("child")!.id}
    on conflict (person_id) do update set day_cents = excluded.day_cents`.execute(
    fleet.database.db,
  );
  return day;
}

interface RandomTransfer {
  by: Sender;
  from: Owner;
  to: Owner;
  amountCents: number;
  key: string;
}

/** Who may send from which wallet: oneself, a guardian from those of the children. */
const reach: Record<Sender, readonly Owner[]> = {
  guardian: ["guardian", "child", "secondChild"],
  child: ["child"],
  coGuardian: ["coGuardian", "child"],
};

function randomTransfers(seed: number): RandomTransfer[] {
  const { one, upTo } = dice(seed);
  return Array.from({ length: 24 }, (_, at) => {
    const by = one(senders);
    const from = one(reach[by]);
    const others = owners.filter((name) => name !== from && mayReceive(by, name));
    const amountCents = upTo(250);
    return { by, from, to: one(others), amountCents, key: `${seed}-${at}` };
  });
}

/** The two guardians share one child; the other child is the first one's alone. */
const mayReceive = (by: Sender, to: Owner) => by === "guardian" || to !== "secondChild";

const sendTransfer = (transfer: RandomTransfer, at: number): Promise<Answer> =>
  fleet.call(
    at,
    "/api/transfers",
    {
      fromWallet: wallets.get(transfer.from)!.objectId,
      toCardnumber: cast[transfer.to].cardnumber,
      amountCents: transfer.amountCents,
      repeat: true,
    },
    { ...bearers.get(transfer.by), "idempotency-key": transfer.key },
  );

const refusals = new Set(["insufficient_funds", "limit_day"]);
const met = new Set<string>();

// proves: transfers-two-servers
test.each(Array.from({ length: 20 }, (_, n) => n + 1))(
  "seed %i: nothing lost, nothing twice, each answered once, no limit exceeded",
  async (seed) => {
    const day = parisDay(new Date());
    const limit = await allowChild(300);
    const [before, standing] = [await balances(), await written()];
    const transfers = randomTransfers(seed);
    const answers = await Promise.all(
      transfers.map((transfer) =>
        Promise.all([sendTransfer(transfer, 0), sendTransfer(transfer, 1)]),
      ),
    );
    const expected = new Map(before);
    let passed = 0;
    const ids = new Set<string>();
    for (const [at, pair] of answers.entries()) {
      const { from, to, amountCents } = transfers[at]!;
      for (const { status, body } of pair) {
        met.add(body.code);
        expect(status === 201 || refusals.has(body.code), JSON.stringify(body)).toBe(true);
      }
      const sent = pair.filter(({ status }) => status === 201);
      if (sent.length === 0) continue;
      // Both were told the same transfer, to the letter.
      expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      passed += 1;
      ids.add(sent[0]!.body.id);
      expected.set(from, expected.get(from)! - amountCents);
      expected.set(to, expected.get(to)! + amountCents);
    }
    expect(ids.size).toBe(passed);
    const after = await balances();
    expect(after).toEqual(expected);
    expect(Math.min(...after.values())).toBeGreaterThanOrEqual(0);
    const now = await written();
    for (const [place, count] of Object.entries(standing)) {
      expect(now[place], place).toBe(count + passed);
    }
    // A day that turned meanwhile begins the sum anew.
    if (parisDay(new Date()) === day) expect(await sentByChild()).toBeLessThanOrEqual(limit);
    const { checks } = await verify(fleet.database.db);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  },
);

test("both refusals were met, or the seeds would prove less than they say", () => {
  expect(met).toEqual(new Set([undefined, ...refusals]));
});
