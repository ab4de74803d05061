// Points: earned once a sale settles, spent oldest first, returned and withdrawn in the right proportion,
// expired after their last day, and seen by the holder and a child's guardian alone.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { pointsExpireOn } from "#contract/till/point-limits.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { partnerCommands } from "#server/partners/operator.ts";
import { tillTasks } from "./till.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { reversalCommands } from "#server/wallet/reversals-operator.ts";
import { earnPoints, usePoints } from "./point-lots.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let partner: string;
let companyId: string;
const own: number = cast.guardian.cardnumber;
const leo: number = cast.child.cardnumber;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const command = (name: string, ...args: string[]) =>
  partnerCommands.find((one) => one.name === name)!.run(server.deps, args, "alice");
const personOf = async (number: number): Promise<number> =>
  (await query("select person_id as id from card where number = $1", number))[0].id;

beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  const [found] = await query(
    "select id, company_id as company from partner where reference = 'librairie-des-embruns'",
  );
  partner = found.id;
  companyId = found.company;
  expect((await command("partners points", "librairie-des-embruns", "4")).ok).toBe(true);
});
beforeEach(async () => {
  // A minute later each time: a card's QR is another one.
  server.clock.advance(61_000);
  await logIn();
  server.deps.config.codeFromCents = 100_000_000;
  await query("update till_sale set state = 'expired' where state = 'requested'");
});
afterAll(async () => {
  const { ok, checks } = await verify(server.deps.db);
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(ok).toBe(true);
  // All points of people are balanced by the partners' account, in no other asset.
  const [{ sum }] = await query(`select sum(balance)::int as sum from ledger_account a
    where asset = 'PTS'`);
  expect(sum).toBe(0);
  await server.close();
});

async function logIn(): Promise<void> {
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
}
const qrOf = async (name: CastName): Promise<string> =>
  (await camille.get(`/api/cards/${cast[name].cardnumber}/qr`)).body.token;
const charge = (more: Record<string, unknown>) =>
  shop.post("/api/till/sales", { id: randomUUID(), partner, amountCents: 1000, ...more });
const points = async (number = own, client = camille): Promise<number> => {
  const { items } = (await client.get(`/api/wallets/points?cardnumber=${number}`)).body;
  return items.reduce((sum: number, one: { points: number }) => sum + one.points, 0);
};
const movements = async (number = own, more = "") =>
  (await camille.get(`/api/wallets/points/movements?cardnumber=${number}${more}`)).body;
const balance = async (): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].balanceCents;
async function settle(): Promise<void> {
  server.clock.advance(15 * 60_000 + 1000);
  await tillTasks(server.deps).settle_till_points();
  await logIn();
}
const give = async (number: number, count: number, at = server.deps.now()) => {
  const act = { companyId, points: count, label: "Librairie des Embruns", at };
  const personId = await personOf(number);
  const key = randomUUID();
  await inTx(server.deps.db, (tx) => earnPoints(tx, { ...act, personId, key }));
};

describe("earned", () => {
  // proves: points
  test("not before the sale can no longer be cancelled, then once, with a last day", async () => {
    const before = await points();
    const { body } = await charge({ token: await qrOf("guardian") });
    expect(body).toMatchObject({ pointsEarned: 40, pointsUsed: 0 });
    await tillTasks(server.deps).settle_till_points();
    expect(await points()).toBe(before);
    await settle();
    await tillTasks(server.deps).settle_till_points();
    expect(await points()).toBe(before + 40);
    const day = pointsExpireOn(parisDay(server.deps.now()));
    expect((await movements()).items[0]).toMatchObject({
      kind: "earned",
      points: 40,
      label: "Librairie des Embruns",
      expiresOn: day,
    });
    const messages = server.outbox.filter(({ body: text }) => text.includes("Points gagnés : 40"));
    expect(messages).toHaveLength(1);
  });

  test("nothing for a cancelled sale, the rest for one refunded in part", async () => {
    const before = await points();
    const cancelled = (await charge({ token: await qrOf("guardian") })).body;
    await shop.post(`/api/till/sales/${cancelled.id}/cancel`);
    server.clock.advance(61_000);
    await logIn();
    const sale = (await charge({ token: await qrOf("guardian") })).body;
    const refunded = { amountCents: 600, refundedCents: 0 };
    await shop.post(`/api/till/sales/${sale.id}/refund`, refunded);
    await settle();
    expect(await points()).toBe(before + 16);
  });

  test("taken back by a later refund, as far as they are there", async () => {
    const before = await points();
    const { id } = (await charge({ token: await qrOf("guardian") })).body;
    await settle();
    expect(await points()).toBe(before + 40);
    await shop.post(`/api/till/sales/${id}/refund`, { amountCents: 250, refundedCents: 0 });
    expect(await points()).toBe(before + 30);
    await spendAll();
    await shop.post(`/api/till/sales/${id}/refund`, { amountCents: 750, refundedCents: 250 });
    expect(await points()).toBe(0);
    expect((await query("select points_earned from till_sale where id = $1", id))[0]).toEqual({
      points_earned: 0,
    });
  });
});

test("a refund that operators undo: points follow the money there and back", async () => {
  await give(own, 100);
  const { id } = (await charge({ token: await qrOf("guardian"), usePoints: true })).body;
  const [{ used }] = await query("select points_used as used from till_sale where id = $1", id);
  expect(used).toBeGreaterThan(0);
  await settle();
  const before = await points();
  const price = 1000 - used;
  const earned = Math.floor((price * 4) / 100);
  const refund = async () => {
    const body = { amountCents: price, refundedCents: 0 };
    expect((await shop.post(`/api/till/sales/${id}/refund`, body)).body.state).toBe("refunded");
  };
  const undo = async (number: number) => {
    const undone = reversalCommands.find(({ name }) => name === "reversals undo");
    const [found] = await query(
      "select id from transfer where key = $1",
      `till:${id}:refund:${number}`,
    );
    const done = await runByTwo(server.deps, undone, [String(found.id), "Erreur"]);
    expect(done.ok, done.lines.join()).toBe(true);
  };
  await refund();
  expect(await points()).toBe(before + used - earned);
  await undo(1);
  expect(await points()).toBe(before);
  // Refunded and reversed again: the same points, each time anew.
  await refund();
  expect(await points()).toBe(before + used - earned);
  await undo(2);
  expect(await points()).toBe(before);
});

async function spendAll(): Promise<void> {
  const act = { companyId, points: await points(), label: "Essai", at: server.deps.now() };
  const personId = await personOf(own);
  await inTx(server.deps.db, (tx) => usePoints(tx, { ...act, personId, key: randomUUID() }));
}

describe("spent", () => {
  // proves: points
  test("off the price, the earliest last day first; all come back to where they were", async () => {
    await spendAll();
    const now = server.deps.now();
    await give(own, 100, now);
    await give(own, 30, new Date(now.getTime() - 100 * 86_400_000));
    const money = await balance();
    const { body } = await charge({ token: await qrOf("guardian"), amountCents: 60 });
    expect(body).toMatchObject({ pointsUsed: 0, paidCents: 60 });
    server.clock.advance(61_000);
    await logIn();
    const used = await charge({ token: await qrOf("guardian"), amountCents: 90, usePoints: true });
    // The wallet pays at least ten cents.
    expect(used.body).toMatchObject({ pointsUsed: 80, discountCents: 80, paidCents: 10 });
    expect(await balance()).toBe(money - 70);
    const { items } = (await camille.get(`/api/wallets/points?cardnumber=${own}`)).body;
    expect(items[0].lots.map((lot: { points: number }) => lot.points)).toEqual([50]);
    await shop.post(`/api/till/sales/${used.body.id}/cancel`);
    expect(await points()).toBe(130);
    const [notice] = (await camille.get("/api/notifications")).body.items;
    expect(notice.body).toMatch(/^L’argent est revenu\s: .*\. 80 points sont revenus aussi\.$/);
    expect(await balance()).toBe(money - 60);
    const again = (await camille.get(`/api/wallets/points?cardnumber=${own}`)).body;
    expect(again.items[0].lots.map((lot: { points: number }) => lot.points)).toEqual([30, 100]);
  });

  test("a refund gives back the same part; of two refunds together never more", async () => {
    await settle();
    await spendAll();
    await give(own, 100);
    const request = { token: await qrOf("guardian"), amountCents: 300, usePoints: true };
    const { id, paidCents } = (await charge(request)).body;
    expect([paidCents, await points()]).toEqual([200, 0]);
    const refund = (amountCents: number, refundedCents: number) =>
      shop.post(`/api/till/sales/${id}/refund`, { amountCents, refundedCents });
    await refund(67, 0);
    expect(await points()).toBe(33);
    await refund(133, 67);
    expect(await points()).toBe(100);
    await settle();
    expect(await points()).toBe(100);
  });

  // proves: points
  test("two tills at once spend them once", async () => {
    await spendAll();
    await give(own, 100);
    const tokens = [await qrOf("guardian")];
    server.clock.advance(2000);
    tokens.push(await qrOf("guardian"));
    const both = await Promise.all(
      tokens.map((token) => charge({ token, amountCents: 500, usePoints: true })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const used = both.map(({ body }) => body.pointsUsed as number);
    expect(used.toSorted((a, b) => a - b)).toEqual([0, 100]);
    expect(await points()).toBe(0);
  });

  test("by number: the holder sees them first; gone meanwhile, nothing is paid", async () => {
    await spendAll();
    await give(own, 100);
    const money = await balance();
    const { id } = (await charge({ cardnumber: own, amountCents: 500, usePoints: true })).body;
    const { items } = (await camille.get("/api/till/requests")).body;
    expect(items[0]).toMatchObject({ pointsUsed: 100, paidCents: 400, pointsEarned: 16 });
    expect(await points()).toBe(100);
    await spendAll();
    const answer = () => camille.post(`/api/till/requests/${id}`, { accept: true });
    expect((await answer()).body.code).toBe("points_short");
    expect(await balance()).toBe(money);
    await give(own, 100);
    expect((await answer()).body.state).toBe("paid");
    expect([await points(), await balance()]).toEqual([0, money - 400]);
  });
});

describe("expired", () => {
  // proves: points
  test("after the last day they are neither shown nor spent, leave once, and it is told", async () => {
    await spendAll();
    const long = new Date(server.deps.now().getTime() - 400 * 86_400_000);
    await give(own, 70, long);
    expect(await points()).toBe(0);
    const { body } = await charge({ token: await qrOf("guardian"), usePoints: true });
    expect(body.pointsUsed).toBe(0);
    await Promise.all([
      tillTasks(server.deps).expire_points(),
      tillTasks(server.deps).expire_points(),
    ]);
    expect((await movements()).items[0]).toMatchObject({ kind: "expired", points: -70 });
    const { items } = (await camille.get("/api/notifications")).body;
    expect(
      items.filter(({ title }: { title: string }) => title === "Des points ont expiré"),
    ).toHaveLength(1);
  });

  test("told once, fourteen days before, where some are left and as the holder chose", async () => {
    await spendAll();
    const { warn_points: warn } = tillTasks(server.deps);
    const warnings = async () =>
      (await camille.get("/api/notifications")).body.items.filter(
        ({ title }: { title: string }) => title === "Des points finissent bientôt",
      );
    const ends = async (days: number) =>
      await query(
        `update point_lot l set expires_on = $1, warned_at = null from ledger_account a
         where a.id = l.account_id and l.person_id = $2 and a.balance > 0`,
        addDays(parisDay(server.deps.now()), days),
        await personOf(own),
      );
    await give(own, 250);
    await ends(15);
    await warn();
    expect(await warnings()).toEqual([]);
    await ends(14);
    server.outbox.length = 0;
    await Promise.all([warn(), warn()]);
    await warn();
    expect(await warnings()).toHaveLength(1);
    expect((await warnings())[0].body).toMatch(/250 points, soit 2,50.*de remise/);
    const sent = () => server.outbox.filter(({ subject }) => subject?.includes("points finissent"));
    expect(sent()).toHaveLength(1);
    await query(
      "insert into notification_choice values ($1, 'expiry', 'email', false), ($1, 'expiry', 'sms', false)",
      await personOf(own),
    );
    await ends(3);
    await warn();
    expect(await warnings()).toHaveLength(2);
    expect(sent()).toHaveLength(1);
    await spendAll();
    await query("update point_lot set warned_at = null");
    await warn();
    expect(await warnings()).toHaveLength(2);
  });

  test("the last day is the end of the month, a year later, leap years too", () => {
    expect(pointsExpireOn("2026-11-23")).toBe("2027-11-30");
    expect(pointsExpireOn("2027-02-01")).toBe("2028-02-29");
    expect(pointsExpireOn("2028-02-29")).toBe("2029-02-28");
  });
});

describe("seen", () => {
  test("by a child's guardian, paged; a stranger and a shop find nothing", async () => {
    for (let n = 1; n <= 5; n++) await give(leo, n);
    expect(await points(leo)).toBe(15);
    const first = await movements(leo, "&limit=2");
    expect(first.items.map(({ points: count }: { points: number }) => count)).toEqual([5, 4]);
    const rest = await movements(leo, `&limit=100&before=${first.next}`);
    expect(rest.items.map(({ points: count }: { points: number }) => count)).toEqual([3, 2, 1]);
    expect(rest.next).toBeNull();
    const stranger = await server.as("stranger");
    for (const path of ["points", "points/movements"]) {
      const url = `/api/wallets/${path}?cardnumber=${leo}`;
      expect((await stranger.get(url)).status).toBe(404);
      expect((await shop.get(url)).status).toBe(404);
      expect((await server.anonymous.get(url)).status).toBe(401);
    }
  });

  test("the till says what it gives and whether there are points to spend", async () => {
    const { items } = (await shop.get("/api/till/counters")).body;
    expect(items[0]).toMatchObject({ pointsPerEuro: 4, takesPoints: true });
    expect((await command("partners points", "librairie-des-embruns", "21")).ok).toBe(false);
    expect((await command("partners points", "nulle-part", "1")).ok).toBe(false);
  });
});
