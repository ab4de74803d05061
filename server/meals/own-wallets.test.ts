// Each child's own wallet pays its meals in one purchase, whoever pays the rest: from a wallet, by a bank card
// or by both.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { payments } from "#contract/limits.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { paymentTasks } from "#server/payments/payments.ts";
import { openWallet, reserve, schemeAccount } from "#server/wallet/wallet.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { refusedAsTieEnds, tieAgain } from "#tests/family-ties.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";

const priceCents = 345;
const names = ["guardian", "child", "secondChild", "coGuardian"] as const;
type Name = (typeof names)[number];
type Wallets = Record<"main" | "canteen", string>;

let server: TestServer;
let canteen: MadeCanteen;
let camille: Client;
let thomas: Client;
let wallets: Record<Name, Wallets>;
let used = 2;
const freshDay = () => workingDaysAfter(todayInParis(server.deps.now()), (used += 1));

beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  canteen = await makeCanteen(server, { kind: "staff", classes: [], seats: 100 });
  await tieAgain(server.owner.pool, "coGuardian", "secondChild");
  const found = await Promise.all(
    names.map(async (name) => [name, await walletsOf(name)] as const),
  );
  wallets = Object.fromEntries(found) as Record<Name, Wallets>;
});
beforeEach(async () => {
  server.deps.config.codeFromCents = 1_000_000;
  server.deps.config.payments = "sandbox";
  await sql`update wallet set frozen_at = null, frozen_why = null`.execute(server.deps.db);
  await sql`delete from member_limit`.execute(server.deps.db);
  [camille, thomas] = [await server.as("guardian"), await server.as("coGuardian")];
  for (const one of [camille, thomas]) {
    await one.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  }
  for (const name of names) await leave(name, 1_000, 1_000);
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter(({ ok }) => !ok)).toEqual([]);
  await server.close();
});

async function walletsOf(name: CastName): Promise<Wallets> {
  const { rows } = await sql<{ id: number }>`select person_id as id from card
    where number = ${cast[name].cardnumber}`.execute(server.deps.db);
  const personId = rows[0]?.id ?? 0;
  return await inTx(server.deps.db, async (tx) => ({
    main: (await openWallet(tx, { personId })).objectID,
    canteen: (await openWallet(tx, { personId, groupId: canteen.groupId })).objectID,
  }));
}

/** Leaves so much to spend in the main and the canteen wallet of a person. */
async function leave(name: Name, mainCents: number, canteenCents: number): Promise<void> {
  await leaveToSpend(server, wallets[name].main, mainCents);
  await leaveToSpend(server, wallets[name].canteen, canteenCents);
}

/** What can be spent, [main, canteen] of each person. */
async function moneyOf(...people: Name[]): Promise<[number, number][]> {
  const { rows } = await sql<{ id: string; cents: number }>`
    select w.object_id as id, sum(a.balance - a.held)::bigint as cents from wallet w
    join wallet_lot l on l.wallet_id = w.id join ledger_account a on a.id = l.account_id
    group by 1`.execute(server.deps.db);
  const cents = new Map(rows.map((row) => [row.id, row.cents]));
  return people.map((name) => [
    cents.get(wallets[name].main) ?? 0,
    cents.get(wallets[name].canteen) ?? 0,
  ]);
}
const untouched = async () => {
  expect(await moneyOf(...names)).toEqual(names.map(() => [1_000, 1_000]));
};

interface Chosen {
  id: string;
  revision: number;
  totalCents: number;
}
/** Chooses so many meals of each child, on days of their own. */
async function choose(
  { leo = 0, jade = 0 }: { leo?: number; jade?: number },
  client = camille,
): Promise<Chosen> {
  const meals = [
    ...Array.from({ length: leo }, () => canteen.registrations.child),
    ...Array.from({ length: jade }, () => canteen.registrations.secondChild),
  ].map((registration) => ({ registration, day: freshDay() }));
  const chosen = await client.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals,
    chosen: true,
  });
  expect(chosen.status, chosen.text).toBe(200);
  expect(chosen.body.request.totalCents).toBe(priceCents * meals.length);
  return chosen.body.request;
}
const pay = (request: Chosen, more: Record<string, unknown>, client = camille) =>
  client.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID: wallets.guardian.main,
    ...more,
  });
const canteenOf = (...people: Name[]) => ({
  ownWallets: people.map((name) => wallets[name].canteen),
});

interface Ordered {
  id: string;
  name: string;
  wallet: string;
  parts: [string, number][];
}
/** The meals of a request, each with the wallet written in it and the wallets whose money is aside. */
async function mealsOf(request: Chosen): Promise<Ordered[]> {
  const { rows } = await sql<Ordered>`
    select o.id, p.name, own.object_id as wallet, (select json_agg(json_build_array(w.object_id, h.amount)
        order by h.id) from hold h join wallet_lot l on l.account_id = h.debit_account
        join wallet w on w.id = l.wallet_id where h.id = any (o.hold_ids)) as parts
    from meal_order o join person p on p.id = o.person_id join wallet own on own.id = o.wallet_id
    where o.request_id = ${request.id} order by o.on_day`.execute(server.deps.db);
  return rows;
}
const press = (url: string, outcome: string) =>
  server.app.inject({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
const topUp = async (id: string) => (await camille.get(`/api/top-ups/${id}`)).body;
const receiptOf = async (request: Chosen) =>
  (await camille.get(`/api/purchases/${request.id}`)).body;
const { child: leo, secondChild: jade, guardian } = cast;

describe("from wallets", () => {
  test("each child's own wallet pays its meals, the payer's the rest; the receipt names each", async () => {
    const request = await choose({ leo: 1, jade: 2 });
    const mails = server.outbox.length;
    const paid = await pay(request, canteenOf("secondChild"));
    expect([paid.status, paid.body.payment]).toEqual([200, null]);
    expect(await moneyOf(...names)).toEqual([
      [1_000 - priceCents, 1_000],
      [1_000, 1_000],
      [1_000, 1_000 - 2 * priceCents],
      [1_000, 1_000],
    ]);
    const meal = (name: string, wallet: string) => ({
      name,
      wallet,
      parts: [[wallet, priceCents]],
    });
    expect(await mealsOf(request)).toMatchObject([
      meal(leo.name, wallets.guardian.main),
      meal(jade.name, wallets.secondChild.canteen),
      meal(jade.name, wallets.secondChild.canteen),
    ]);
    const body = server.outbox
      .slice(mails)
      .map((mail) => mail.body)
      .join("\n");
    expect(body).toMatch(new RegExp(`Mis de côté sur Restauration, ${jade.name} : 6,90\\s€`));
    expect(body).toMatch(new RegExp(`Cagnotte principale, ${guardian.name} : 3,45\\s€`));
    expect((await receiptOf(request)).paidWith).toEqual([
      { wallet: `Cagnotte principale, ${guardian.name}`, aid: false, amountCents: priceCents },
      { wallet: `Restauration, ${jade.name}`, aid: false, amountCents: 2 * priceCents },
    ]);
    const again = await pay(request, canteenOf("secondChild"));
    expect([again.status, again.body.payment]).toEqual([200, null]);
    expect(await mealsOf(request)).toHaveLength(3);
    expect(await moneyOf("secondChild")).toEqual([[1_000, 1_000 - 2 * priceCents]]);
  });

  test("nothing is left for the payer: a frozen wallet of theirs keeps nobody from eating", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    await sql`update wallet set frozen_at = now(), frozen_why = 'test'
      where object_id = ${wallets.guardian.main}`.execute(server.deps.db);
    const paid = await pay(request, canteenOf("secondChild", "child"));
    expect(paid.status, paid.text).toBe(200);
    expect(await moneyOf("guardian", "child", "secondChild")).toEqual([
      [1_000, 1_000],
      [1_000, 1_000 - priceCents],
      [1_000, 1_000 - priceCents],
    ]);
  });

  test("what is free looks at no wallet: that of the payer may be frozen", async () => {
    await sql`update wallet set frozen_at = now(), frozen_why = 'test'
      where object_id = ${wallets.guardian.main}`.execute(server.deps.db);
    const idOf = async (objectID: string) =>
      (
        await sql<{ id: number }>`select id from wallet where object_id = ${objectID}`.execute(
          server.deps.db,
        )
      ).rows[0]?.id ?? 0;
    const [payer, own] = [await idOf(wallets.guardian.main), await idOf(wallets.child.canteen)];
    const holds = await inTx(server.deps.db, async (tx) =>
      reserve(tx, {
        walletId: payer,
        items: [
          { key: `free:${randomUUID()}`, amountCents: 0 },
          { key: `own:${randomUUID()}`, amountCents: priceCents, walletId: own },
        ],
        to: await schemeAccount(tx, "meals"),
        kind: "meal",
        at: server.deps.now(),
      }),
    );
    expect(holds.map(({ length }) => length)).toEqual([0, 1]);
    expect(await moneyOf("guardian", "child")).toEqual([
      [1_000, 1_000],
      [1_000, 1_000 - priceCents],
    ]);
  });

  test("an own wallet that is short takes the rest from the main one of the same child", async () => {
    await leave("secondChild", 1_000, 100);
    const request = await choose({ leo: 1, jade: 1 });
    const paid = await pay(request, canteenOf("secondChild", "child"));
    expect(paid.status, paid.text).toBe(200);
    expect(await moneyOf("secondChild")).toEqual([[1_000 - (priceCents - 100), 0]]);
    expect((await mealsOf(request))[1]).toMatchObject({ wallet: wallets.secondChild.canteen });
  });

  test("a child's canteen and main wallet, the latter for the rest too: each cent is taken once", async () => {
    await leave("secondChild", 500, 190);
    const request = await choose({ leo: 1, jade: 1 });
    const both = { ...canteenOf("secondChild"), objectID: wallets.secondChild.main };
    await leave("secondChild", 499, 190);
    expect((await pay(request, both)).body).toMatchObject({
      code: "insufficient_funds",
      details: { missingCents: 1 },
    });
    await leave("secondChild", 500, 190);
    const paid = await pay(request, both);
    expect(paid.status, paid.text).toBe(200);
    expect(await moneyOf("secondChild")).toEqual([[0, 0]]);
  });

  test("one that is short with its main: refused, and nothing is held anywhere", async () => {
    await leave("secondChild", 100, 100);
    const request = await choose({ leo: 1, jade: 1 });
    const refused = await pay(request, canteenOf("secondChild", "child"));
    expect(refused.body).toMatchObject({
      code: "insufficient_funds",
      details: { missingCents: priceCents - 200 },
    });
    expect(await moneyOf(...names)).toEqual([
      [1_000, 1_000],
      [1_000, 1_000],
      [100, 100],
      [1_000, 1_000],
    ]);
    expect(await mealsOf(request)).toEqual([]);
  });

  // proves: others-not-found
  test("of nobody who eats, two of one person, of another group: refused; a stranger's is none", async () => {
    const request = await choose({ leo: 1 });
    const other = await otherWalletOfLeo();
    for (const ownWallets of [
      [wallets.secondChild.canteen],
      [wallets.child.canteen, wallets.secondChild.canteen],
      [wallets.child.canteen, wallets.child.main],
      [wallets.child.canteen, wallets.child.canteen],
      [other],
    ]) {
      const refused = await pay(request, { ownWallets });
      expect([refused.status, refused.body.code]).toEqual([422, "wallet_not_accepted"]);
      const byCard = await pay(request, { ownWallets, method: "provider" });
      expect(byCard.body.code).toBe("wallet_not_accepted");
    }
    const hugos = await walletsOf("stranger");
    const ofStranger = await pay(request, { ownWallets: [hugos.canteen] });
    const ofNobody = await pay(request, { ownWallets: [crypto.randomUUID()] });
    expect([ofStranger.status, ofStranger.body.message]).toEqual([404, ofNobody.body.message]);
    await untouched();
  });

  async function otherWalletOfLeo(): Promise<string> {
    const { rows } = await sql<{ personId: number; groupId: number }>`
      with made as (insert into acceptance_group (name, slug, rule)
        values ('Sport', 'sport-essai', 'Au club.') returning id)
      select person_id, made.id as group_id from card, made
      where number = ${leo.cardnumber}`.execute(server.deps.db);
    const { personId, groupId } = rows[0] as { personId: number; groupId: number };
    return (await inTx(server.deps.db, (tx) => openWallet(tx, { personId, groupId }))).objectID;
  }

  test("frozen, or its child's card suspended: refused, whatever pays the rest", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    const card = (state: string) =>
      sql`update card set state = ${state} where number = ${jade.cardnumber}`.execute(
        server.deps.db,
      );
    const methods = [{}, { method: "provider" }, { method: "both", cardCents: priceCents - 100 }];
    await leave("guardian", 100, 0);
    await sql`update wallet set frozen_at = now(), frozen_why = 'test'
      where object_id = ${wallets.secondChild.canteen}`.execute(server.deps.db);
    for (const method of methods) {
      const refused = await pay(request, { ...canteenOf("secondChild"), ...method });
      expect(refused.body.code).toBe("wallet_frozen");
    }
    await sql`update wallet set frozen_at = null, frozen_why = null`.execute(server.deps.db);
    await card("suspended");
    for (const method of methods) {
      const refused = await pay(request, { ...canteenOf("secondChild"), ...method });
      expect(refused.body.code).toBe("card_suspended");
    }
    await card("active");
    await leave("guardian", 1_000, 1_000);
    await untouched();
  });

  const limit = (limits: Record<string, unknown>) =>
    camille.post(`/api/family/members/${jade.cardnumber}/limits`, {
      limits: { dayCents: null, weekCents: null, groups: null, ...limits },
    });
  test("a child's limit counts the sum of its wallets, and a card that passes through one", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    const both = { ...canteenOf("secondChild"), objectID: wallets.secondChild.main };
    await limit({ dayCents: 2 * priceCents - 1 });
    expect((await pay(request, both)).body.code).toBe("limit_day");
    const byCard = { ...both, method: "provider" };
    expect((await pay(request, byCard)).body.code).toBe("limit_day");
    await limit({ weekCents: 2 * priceCents - 1 });
    expect((await pay(request, both)).body.code).toBe("limit_week");
    await limit({ groups: [canteen.groupId] });
    expect((await pay(request, both)).body.code).toBe("limit_place");
    await limit({ groups: [1] });
    expect((await pay(request, canteenOf("secondChild"))).body.code).toBe("limit_place");
    await untouched();
    await limit({ dayCents: priceCents, groups: [canteen.groupId] });
    // What the payer gives for another child is not hers.
    expect((await pay(request, canteenOf("secondChild"))).status).toBe(200);
  });
});

test.each(["wallet", "provider"])(
  "by %s: the tie with a child ends meanwhile, and with it the right to its wallet",
  async (method) => {
    const request = await choose({ leo: 1, jade: 1 });
    const call = () => pay(request, { ...canteenOf("secondChild"), method });
    expect(await refusedAsTieEnds(server, "guardian", "secondChild", call)).toEqual([
      404,
      "not_found",
    ]);
    await untouched();
  },
);

describe("with a bank card", () => {
  const begin = async (request: Chosen, more: Record<string, unknown>) => {
    const begun = await pay(request, more);
    expect(begun.status, begun.text).toBe(200);
    const { topUp: id, paymentUrl } = begun.body.payment as { topUp: string; paymentUrl: string };
    return { id, paymentUrl };
  };

  test("the card pays the rest, own wallets theirs, aside until then; each pays its own child's meals", async () => {
    const request = await choose({ leo: 2, jade: 1 });
    const byCard = { ...canteenOf("secondChild"), method: "provider" };
    const { id, paymentUrl } = await begin(request, byCard);
    const aside = [{ objectID: wallets.secondChild.canteen, amountCents: priceCents }];
    expect(await topUp(id)).toMatchObject({ amountCents: 2 * priceCents, holds: aside });
    // A repeated press: one payment, one sum aside.
    expect((await pay(request, byCard)).body.payment.topUp).toBe(id);
    expect(await moneyOf("guardian", "secondChild")).toEqual([
      [1_000, 1_000],
      [1_000, 1_000 - priceCents],
    ]);
    await press(paymentUrl, "duplicate");
    expect(await topUp(id)).toMatchObject({ order: { outcome: "settled" }, holds: [] });
    const meal = (name: string, wallet: string) => ({
      name,
      wallet,
      parts: [[wallet, priceCents]],
    });
    expect(await mealsOf(request)).toMatchObject([
      meal(leo.name, wallets.guardian.main),
      meal(leo.name, wallets.guardian.main),
      meal(jade.name, wallets.secondChild.canteen),
    ]);
    expect(await moneyOf("guardian", "secondChild")).toEqual([
      [1_000, 1_000],
      [1_000, 1_000 - priceCents],
    ]);
    expect(await receiptOf(request)).toMatchObject({
      paidWith: [{ wallet: `Restauration, ${jade.name}`, amountCents: priceCents }],
      cardCents: 2 * priceCents,
    });
    const again = await pay(request, byCard);
    expect([again.status, again.body.payment]).toEqual([200, null]);
  });

  test("declined, expired, or the choice changed: every wallet is free again", async () => {
    const all = { ...canteenOf("secondChild"), method: "provider" };
    const request = await choose({ leo: 1, jade: 1 });
    const declined = await begin(request, all);
    await press(declined.paymentUrl, "declined");
    await untouched();
    await begin(request, { ...canteenOf("child"), method: "provider" });
    expect((await moneyOf("child"))[0]).toEqual([1_000, 1_000 - priceCents]);
    server.clock.advance((payments.pageLifeSeconds + 60) * 1000);
    await paymentTasks(server.deps).reconcile_payments();
    await untouched();
    camille = await server.as("guardian");
    await begin(request, all);
    await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
    await untouched();
  });

  test("other own wallets for the same order: those of before are free, those of now aside", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    const first = await begin(request, { ...canteenOf("secondChild"), method: "provider" });
    const second = await begin(request, { ...canteenOf("child"), method: "provider" });
    expect(second.id).toBe(first.id);
    expect(await moneyOf("child", "secondChild")).toEqual([
      [1_000, 1_000 - priceCents],
      [1_000, 1_000],
    ]);
    await press(second.paymentUrl, "success");
    expect(await mealsOf(request)).toMatchObject([
      { name: leo.name, wallet: wallets.child.canteen },
      { name: jade.name, wallet: wallets.guardian.main },
    ]);
  });

  test("wallet, card and own wallets: the card pays what the rest lacks, as it was seen", async () => {
    await leave("guardian", 100, 0);
    const request = await choose({ leo: 1, jade: 1 });
    const all = { ...canteenOf("secondChild"), method: "both" };
    const cardCents = priceCents - 100;
    for (const seen of [cardCents - 1, cardCents + 1, priceCents, undefined]) {
      expect((await pay(request, { ...all, cardCents: seen })).body.code).toBe("split_changed");
    }
    const { id, paymentUrl } = await begin(request, { ...all, cardCents });
    expect(await topUp(id)).toMatchObject({
      amountCents: cardCents,
      holds: [
        { objectID: wallets.secondChild.canteen, amountCents: priceCents },
        { objectID: wallets.guardian.main, amountCents: 100 },
      ],
    });
    await press(paymentUrl, "success");
    expect(await mealsOf(request)).toMatchObject([
      { name: leo.name, wallet: wallets.guardian.main, parts: [[wallets.guardian.main, 345]] },
      {
        name: jade.name,
        wallet: wallets.secondChild.canteen,
        parts: [[wallets.secondChild.canteen, priceCents]],
      },
    ]);
    expect(await receiptOf(request)).toMatchObject({
      paidWith: [
        { wallet: `Cagnotte principale, ${guardian.name}`, amountCents: 100 },
        { wallet: `Restauration, ${jade.name}`, amountCents: priceCents },
      ],
      cardCents,
    });
    expect(await moneyOf("guardian", "secondChild")).toEqual([
      [0, 0],
      [1_000, 1_000 - priceCents],
    ]);
  });

  test("a child's main wallet gives beside its own canteen wallet only what that one leaves", async () => {
    await leave("secondChild", 400, 300);
    const request = await choose({ leo: 1, jade: 1 });
    const all = {
      ...canteenOf("secondChild"),
      method: "both",
      objectID: wallets.secondChild.main,
    };
    // Jade's meal takes 45 of her main wallet; 355 would be enough for Léo's.
    expect((await pay(request, { ...all, cardCents: 50 })).body.code).toBe("split_changed");
    await leave("secondChild", 245, 300);
    const { paymentUrl } = await begin(request, { ...all, cardCents: 145 });
    expect(await moneyOf("secondChild")).toEqual([[0, 0]]);
    await press(paymentUrl, "success");
    expect((await mealsOf(request)).map(({ parts }) => parts)).toEqual([
      [
        [wallets.guardian.main, 145],
        [wallets.secondChild.main, 200],
      ],
      [
        [wallets.secondChild.canteen, 300],
        [wallets.secondChild.main, 45],
      ],
    ]);
  });

  test("nothing is left for the card: refused; an own wallet that is short too, nothing begun", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    for (const method of [{ method: "provider" }, { method: "both", cardCents: priceCents }]) {
      const refused = await pay(request, { ...canteenOf("child", "secondChild"), ...method });
      expect([refused.status, refused.body.code]).toEqual([409, "split_changed"]);
    }
    await leave("secondChild", 0, 100);
    await leave("guardian", 100, 0);
    for (const method of [
      { method: "provider" },
      { method: "both", cardCents: priceCents - 100 },
    ]) {
      const refused = await pay(request, { ...canteenOf("secondChild"), ...method });
      expect(refused.body.code).toBe("insufficient_funds");
    }
    const { rows } = await sql`select from top_up where order_id = ${request.id}`.execute(
      server.deps.db,
    );
    expect(rows).toEqual([]);
    expect(await moneyOf("guardian", "child", "secondChild")).toEqual([
      [100, 0],
      [1_000, 1_000],
      [0, 100],
    ]);
  });
});

describe("afterwards", () => {
  test("a cancelled meal gives back to the wallet that paid it", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    await pay(request, canteenOf("secondChild"));
    const [ofLeo, ofJade] = await mealsOf(request);
    const cancel = async (meal: Ordered | undefined) => {
      const done = await camille.post("/api/canteen/orders/cancel", {
        orders: [meal?.id],
        costCents: 0,
      });
      expect(done.status, done.text).toBe(200);
    };
    await cancel(ofJade);
    expect(await moneyOf("guardian", "secondChild")).toEqual([
      [1_000 - priceCents, 1_000],
      [1_000, 1_000],
    ]);
    await cancel(ofLeo);
    await untouched();
  });

  test("a meal paid with a card's money is ordered again from there once an illness is taken back", async () => {
    const request = await choose({ leo: 1, jade: 1 });
    const begun = await pay(request, { ...canteenOf("secondChild"), method: "provider" });
    await press(begun.body.payment.paymentUrl, "success");
    const before = await moneyOf("guardian", "secondChild");
    const { rows } = await sql<{ day: string }>`select to_char(on_day, 'YYYY-MM-DD') as day
      from meal_order where request_id = ${request.id} order by on_day`.execute(server.deps.db);
    for (const [index, { cardnumber }] of [leo, jade].entries()) {
      const day = rows[index]?.day ?? "";
      const input = { cardnumber, from: day, to: day };
      const seen = (await camille.post("/api/canteen/illnesses/preview", input)).body;
      const announced = await camille.post("/api/canteen/illnesses", {
        ...input,
        dueCents: seen.dueCents,
        proofCents: seen.proofCents,
      });
      expect(announced.status, announced.text).toBe(201);
      const { items } = (await camille.get("/api/canteen/illnesses")).body;
      const { id } = items.find((one: { from: string }) => one.from === day);
      const back = await camille.post(`/api/canteen/illnesses/${id}/withdraw`, {});
      expect(back.status, back.text).toBe(200);
    }
    expect(await moneyOf("guardian", "secondChild")).toEqual(before);
  });
});

test("two guardians at once with crossing wallets: no deadlock, each meal is paid once", async () => {
  const before = await deadlocks();
  for (let round = 0; round < 6; round++) {
    for (const name of names) await leave(name, 2_000, 2_000);
    const [first, second] = [
      await choose({ leo: 1, jade: 1 }),
      await choose({ leo: 1, jade: 1 }, thomas),
    ];
    const isByCard = round % 2 === 1;
    const method = isByCard ? "provider" : "wallet";
    const answers = await Promise.all([
      isByCard
        ? pay(first, { ...canteenOf("child"), method })
        : pay(first, canteenOf("child", "secondChild")),
      isByCard
        ? pay(
            second,
            { ...canteenOf("secondChild"), method, objectID: wallets.coGuardian.main },
            thomas,
          )
        : pay(second, { ...canteenOf("secondChild"), objectID: wallets.child.canteen }, thomas),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    if (!isByCard) {
      expect(await moneyOf("child", "secondChild")).toEqual([
        [2_000, 2_000 - 2 * priceCents],
        [2_000, 2_000 - 2 * priceCents],
      ]);
    } else {
      await Promise.all(answers.map(({ body }) => press(body.payment.paymentUrl, "success")));
    }
    expect([await mealsOf(first), await mealsOf(second)].map((all) => all.length)).toEqual([2, 2]);
  }
  expect(await deadlocks()).toBe(before);
});

/** Deadlocks that PostgreSQL has resolved; each connection reports its own a second later. */
async function deadlocks(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { pool } = server.deps;
  await Promise.all(Array.from({ length: 10 }, () => pool.query("select pg_sleep(0.1)")));
  const { rows } = await pool.query(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0].deadlocks);
}
