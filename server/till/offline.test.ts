// Offline charges: taken once each, in order, or stored with the reason why not; the server enforces the caps
// too.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { referenceOf } from "#contract/reference.ts";
import { offlineTill as limits } from "#contract/till/limits.ts";
import { cardTasks } from "#server/cards/cards.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let partner: string;
const own: number = cast.guardian.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  const [{ id }] = await query("select id from partner where reference = 'librairie-des-embruns'");
  partner = id;
});
beforeEach(async () => {
  // Noon in Paris of the next day: a holder has paid nothing yet, and a test stays within its day.
  const noon = instantOfParis(addDays(parisDay(server.clock.now()), 1), "12:00");
  server.clock.advance(noon.getTime() - server.clock.now().getTime());
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
  server.deps.config.codeFromCents = 1_000_000;
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
/** A code of its own: those of one card differ by their second. */
const qrOf = async (name: CastName = "guardian", client = camille): Promise<string> => {
  server.clock.advance(1000);
  return (await client.get(`/api/cards/${cast[name].cardnumber}/qr`)).body.token;
};
const balance = async (client = camille, number = own): Promise<number> =>
  (await client.get(`/api/wallets?cardnumber=${number}`)).body.items[0].balanceCents;
const now = () => server.clock.now().toISOString();
const made = async (more: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  partner,
  amountCents: 1250,
  ...(more["token"] ? {} : { token: await qrOf() }),
  soldAt: now(),
  knownAt: now(),
  ...more,
});
/** Moves the clock until a charge that is sent no longer counts as made now. */
const pastNow = () => server.clock.advance(60_000 + limits.onlineSeconds * 1000);
const nextDay = async () => {
  server.clock.advance(86_400_000);
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
};
/** The largest charges of one holder, as many in a day as the cap allows, not sent yet. */
async function soldOverDays(count: number): Promise<Awaited<ReturnType<typeof made>>[]> {
  const sold = [];
  const perDay = limits.holderDayCents / limits.chargeCents;
  for (let place = 0; place < count; place++) {
    if (place > 0 && place % perDay === 0) await nextDay();
    sold.push(await made({ amountCents: limits.chargeCents }));
  }
  return sold;
}
const record = (charges: readonly unknown[], client = shop) =>
  client.post("/api/till/offline", { charges });
const sales = async () => Number((await query("select count(*) from till_sale"))[0].count);
const losses = async (client = shop) =>
  (await client.get("/api/till/offline?limit=100")).body.items;

/**
 * The charge is not made: its reason is answered, stored and listed; no money moves and no sale is written.
 */
async function refuses(charge: { id: string; amountCents: number }, conflict: string) {
  const [before, written] = [await balance(), await sales()];
  const { status, body } = await record([charge]);
  expect(status).toBe(200);
  expect(body.items).toEqual([{ id: charge.id, conflict, sale: null }]);
  expect((await record([charge])).body).toEqual(body);
  expect(await balance()).toBe(before);
  expect(await sales()).toBe(written);
  const [loss] = await losses();
  expect(loss).toMatchObject({ id: charge.id, conflict, amountCents: charge.amountCents });
}

describe("what can be charged", () => {
  // proves: till-offline
  test("is taken in order and once, with the time of the sale on the receipt", async () => {
    const before = await balance();
    const first = await made({ label: "Un roman" });
    const soldAt = server.clock.now();
    const second = await made({ amountCents: 500 });
    server.clock.advance(2 * 3_600_000);
    [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    server.outbox.length = 0;
    const { body } = await record([first, second]);
    expect(body.items).toMatchObject([
      { id: first.id, conflict: null, sale: { state: "paid", paidCents: 1250, offline: true } },
      { id: second.id, conflict: null, sale: { state: "paid", paidCents: 500 } },
    ]);
    expect(body.items[0].sale).toMatchObject({ at: first.soldAt, holder: "Camille M." });
    expect(await balance()).toBe(before - 1750);
    expect((await record([first, second])).body).toEqual(body);
    expect(await balance()).toBe(before - 1750);
    const receipts = server.outbox.filter(({ body: text }) => text.includes("Montant : 12,50"));
    expect(receipts).toHaveLength(1);
    const time = new Intl.DateTimeFormat("fr-FR", {
      timeZone: "Europe/Paris",
      hour: "2-digit",
      minute: "2-digit",
    }).format(soldAt);
    expect(receipts[0]?.body).toContain(time);
    expect(receipts[0]?.body).toContain("fait sans réseau");
    const { items } = (await camille.get("/api/notifications")).body;
    expect(items[0]).toMatchObject({ title: "Achat chez Librairie des Embruns" });
    const ids = (await query(
      "select sale_id from till_offline where sale_id is not null order by received_at, sold_at",
    )) as { sale_id: string }[];
    expect(ids.map(({ sale_id }) => sale_id)).toEqual([first.id, second.id]);
    const listed = (await shop.get(`/api/till/sales?partner=${partner}`)).body.items;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(await losses()).toEqual([]);
    // It may be cancelled for a quarter of an hour from now on.
    expect((await shop.post(`/api/till/sales/${second.id}/cancel`)).body.state).toBe("cancelled");
    expect(await balance()).toBe(before - 1250);
  });

  test("a code of before a suspension stays bad once the card is resumed; a sale of before it counts", async () => {
    const [sold, stolen] = [await made(), await made()];
    expect((await camille.post(`/api/cards/${own}/suspend`)).status).toBe(200);
    server.clock.advance(5000);
    const late = { ...stolen, soldAt: now() };
    expect((await camille.post(`/api/cards/${own}/resume`)).status).toBe(200);
    const online = { id: randomUUID(), partner, amountCents: 500, token: stolen.token };
    expect((await shop.post("/api/till/sales", online)).body.code).toBe("till_code");
    expect((await shop.post("/api/till/sales", { ...online, token: await qrOf() })).status).toBe(
      200,
    );
    pastNow();
    await refuses(late, "code");
    const before = await balance();
    const { body } = await record([sold]);
    expect(body.items).toMatchObject([{ id: sold.id, conflict: null, sale: { state: "paid" } }]);
    expect(await balance()).toBe(before - 1250);
    // Stored for as long as a charge may come, and deleted then.
    const revocations = () => query("select from card_revocation");
    server.clock.advance(limits.days * 86_400_000);
    await cardTasks(server.deps).forget_card_revocations();
    expect(await revocations()).toHaveLength(1);
    server.clock.advance(limits.days * 86_400_000);
    await cardTasks(server.deps).forget_card_revocations();
    expect(await revocations()).toEqual([]);
  });

  // proves: till-offline
  test("sent by two tabs at once, it is one sale", async () => {
    const before = await balance();
    const charge = await made();
    const both = await Promise.all([record([charge]), record([charge])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0].body).toEqual(both[1].body);
    expect(both[0].body.items[0].conflict).toBeNull();
    expect(await balance()).toBe(before - 1250);
  });

  test("the same id with other content, or of somebody else, is refused whole", async () => {
    const charge = await made();
    await record([charge]);
    const before = await balance();
    const other = await record([{ ...charge, amountCents: 1300 }]);
    expect(other.body.code).toBe("idempotency_mismatch");
    const canteen = await server.as("canteenProvider");
    expect((await record([charge], canteen)).status).toBe(404);
    expect((await record([await made({ partner: randomUUID() })])).status).toBe(404);
    expect(await balance()).toBe(before);
  });

  // proves: till-offline
  test("a request whose answer was lost is the sale that it made", async () => {
    const before = await balance();
    const charge = await made();
    const { id, amountCents, token } = charge;
    const paid = await shop.post("/api/till/sales", { id, partner, amountCents, token });
    expect(paid.body.state).toBe("paid");
    const { body } = await record([charge]);
    expect(body.items).toMatchObject([{ conflict: null, sale: { id, offline: false } }]);
    expect(await balance()).toBe(before - 1250);
  });

  test("no code is asked, no points are taken, and the discount is the one that the device knew", async () => {
    server.deps.config.codeFromCents = 100;
    const knownAt = now();
    const grants = (discountPercent: number) =>
      inTx(server.deps.db, (tx) =>
        writeTerms(tx, {
          reference: "librairie-des-embruns",
          discountPercent,
          commissionBasisPoints: 150,
          operator: "alice",
          at: server.clock.now(),
        }),
      );
    server.clock.advance(1000);
    await grants(20);
    const before = await balance();
    const [known, since] = [await made({ knownAt }), await made()];
    pastNow();
    const { body } = await record([known, since]);
    expect(
      body.items.map(({ sale }: any) => [sale.state, sale.paidCents, sale.pointsUsed]),
    ).toEqual([
      ["paid", 1250, 0],
      ["paid", 1000, 0],
    ]);
    expect(await balance()).toBe(before - 2250);
    server.clock.advance(1000);
    await grants(0);
  });

  test("while the holder is asked something at this counter it waits, then is charged", async () => {
    const before = await balance();
    const sale = await shop.post("/api/till/sales", {
      id: randomUUID(),
      partner,
      amountCents: 900,
      cardnumber: own,
    });
    const charge = await made();
    expect((await record([charge])).body.items).toEqual([]);
    expect(await balance()).toBe(before);
    await shop.post(`/api/till/sales/${sale.body.id}/withdraw`);
    expect((await record([charge])).body.items).toMatchObject([{ conflict: null }]);
    expect(await balance()).toBe(before - 1250);
  });

  // proves: till-offline
  test("six charges sent as they are made ask their holder as six online would, then take what is confirmed", async () => {
    server.deps.config.codeFromCents = 5000;
    const wallets = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items;
    await leaveToSpend(server, wallets[0].objectID, 20_000);
    const six = [];
    for (let place = 0; place < 6; place++) {
      const charge = await made({ amountCents: 3000 });
      six.push(charge);
      await record([charge]);
    }
    expect(await balance()).toBe(17_000);
    const [first, second] = six;
    expect((await record(six)).body.items).toMatchObject([{ id: first?.id, conflict: null }]);
    const requests = await camille.get("/api/till/requests");
    expect(requests.body.items.map(({ id }: { id: string }) => id)).toEqual([second?.id]);
    const path = `/api/till/requests/${second?.id}`;
    expect((await approve(server, camille, path, { accept: true })).body.state).toBe("paid");
    expect((await record([second])).body.items).toMatchObject([
      { conflict: null, sale: { id: second?.id, state: "paid", offline: false } },
    ]);
    expect(await balance()).toBe(14_000);
  });

  test("a closing before it does not count it, the next one does", async () => {
    const close = () => shop.post("/api/till/closings", { partner });
    await record([await made({ amountCents: 300 })]);
    const late = await made({ amountCents: 700 });
    server.clock.advance(60_000);
    const first = (await close()).body;
    expect((await close()).body.code).toBe("till_nothing");
    await record([late]);
    const next = (await close()).body;
    expect(next.number).toBe(first.number + 1);
    expect(next.cashiers).toMatchObject([{ sales: 1, paidCents: 700 }]);
  });
});

describe("what cannot", () => {
  test("no money, a limit, a card of one's own company", async () => {
    const jade = cast.secondChild.cardnumber;
    const token = await qrOf("secondChild");
    const spare = await balance(camille, jade);
    await refuses(await made({ token, amountCents: spare + 1 }), "funds");
    expect(await balance(camille, jade)).toBe(spare);
    await query(
      `insert into member_limit (person_id, day_cents, set_by, set_at)
       select person_id, 100, person_id, now() from card where number = $1`,
      jade,
    );
    await refuses(await made({ token: await qrOf("secondChild"), amountCents: 200 }), "limit");
    await query("delete from member_limit");
    const ours = await qrOf("partnerShop", shop);
    await refuses(await made({ token: ours }), "own");
  });

  test("a card suspended or opposed since", async () => {
    const suspended = await made({ token: await qrOf("secondChild"), amountCents: 100 });
    await camille.post(`/api/cards/${cast.secondChild.cardnumber}/suspend`);
    await refuses(suspended, "card");
    await camille.post(`/api/cards/${cast.secondChild.cardnumber}/resume`);
    const hugo = await server.as("stranger");
    const opposed = await made({ token: await qrOf("stranger", hugo) });
    const before = await balance(hugo, cast.stranger.cardnumber);
    const answer = await hugo.post(`/api/cards/${cast.stranger.cardnumber}/oppose`, {
      reason: "lost",
    });
    expect(answer.status).toBe(200);
    await refuses(opposed, "card");
    expect(await balance(hugo, cast.stranger.cardnumber)).toBe(before);
  });

  test("a forged code, one of another moment, one that paid already", async () => {
    const token = await qrOf();
    const forged = token.replace(
      /.{9}$/,
      (end) => (end.startsWith("A") ? "B" : "A") + end.slice(1),
    );
    await refuses(await made({ token: forged }), "code");
    const soldAt = server.clock.now().getTime();
    const later = await made({ token, soldAt: new Date(soldAt + 151_000).toISOString() });
    server.clock.advance(200_000);
    await refuses(later, "code");
    const early = await made({ token, soldAt: new Date(soldAt - 95_000).toISOString() });
    await refuses(early, "code");
    const first = await made();
    expect((await record([first])).body.items).toMatchObject([{ conflict: null }]);
    await refuses(await made({ token: first["token"] }), "code_used");
    const online = await qrOf();
    await shop.post("/api/till/sales", {
      id: randomUUID(),
      partner,
      amountCents: 100,
      token: online,
    });
    await refuses(await made({ token: online }), "code_used");
  });

  // proves: till-offline
  test("beyond what one charge and one till may be, whatever the device says", async () => {
    await refuses(await made({ amountCents: limits.chargeCents + 1 }), "cap_charge");
    const wallets = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items;
    await leaveToSpend(server, wallets[0].objectID, limits.tillCents + 1000);
    const many = await soldOverDays(limits.tillCents / limits.chargeCents);
    await nextDay();
    const over = await made({ amountCents: 100 });
    pastNow();
    const { body } = await record(many);
    expect(body.items.map(({ conflict }: any) => conflict)).toEqual(many.map(() => null));
    expect(await balance()).toBe(1000);
    await refuses(over, "cap_till");
    // Synchronised: the next one is free again.
    const next = await made({ amountCents: 10 });
    expect((await record([next])).body.items).toMatchObject([{ conflict: null }]);
  });

  test("beyond what one till may be, sent one by one and the newest first, or together in disorder", async () => {
    const wallets = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items;
    await leaveToSpend(server, wallets[0].objectID, limits.tillCents + 9000);
    const sold = await soldOverDays(limits.tillCents / limits.chargeCents + 2);
    pastNow();
    const conflicts: unknown[] = [];
    for (const charge of sold.slice(2).toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- one sending after the other
      conflicts.push((await record([charge])).body.items[0].conflict);
    }
    expect(conflicts).toEqual(sold.slice(2).map(() => null));
    const [first, second] = sold;
    expect((await record([second, first])).body.items).toMatchObject([
      { id: first?.id, conflict: "cap_till" },
      { id: second?.id, conflict: "cap_till" },
    ]);
    expect(await balance()).toBe(9000);
    // Once the server has received them the till is free again.
    await nextDay();
    const accepted = await made({ amountCents: 20 });
    server.clock.advance(60_000);
    expect((await record([accepted])).body.items).toMatchObject([{ conflict: null }]);
    expect((await record([await made({ amountCents: 10 })])).body.items).toMatchObject([
      { conflict: null },
    ]);
  });

  // proves: till-offline
  test("beyond what one holder pays in a day without network, at whatever tills; the next day is another", async () => {
    const wallets = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items;
    await leaveToSpend(server, wallets[0].objectID, 20_000);
    const six = [];
    for (let place = 0; place < 6; place++) six.push(await made({ amountCents: 3000 }));
    pastNow();
    const answers = await Promise.all(six.slice(0, 4).map((one) => record([one])));
    const conflicts = answers.flatMap(({ body }) =>
      body.items.map(({ conflict }: any) => conflict),
    );
    expect(conflicts.filter((one) => one === null)).toHaveLength(2);
    expect(conflicts.filter((one) => one === "cap_holder")).toHaveLength(2);
    expect(await balance()).toBe(20_000 - limits.holderDayCents);
    await refuses(six[4] as (typeof six)[0], "cap_holder");
    // Another holder has a cap of their own.
    const jade = await made({ token: await qrOf("secondChild"), amountCents: 100 });
    await nextDay();
    const next = await made({ amountCents: 3000 });
    pastNow();
    const { body } = await record([jade, next]);
    expect(body.items).toMatchObject([{ conflict: null }, { conflict: null }]);
  });

  test("after seven days; at a stopped counter, another company's, and once one belongs to none", async () => {
    const late = await made({ amountCents: 100 });
    server.clock.advance(limits.days * 86_400_000 + 1000);
    [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    await refuses(late, "late");
    const frozen = await made({ amountCents: 100 });
    await query(
      "update partner set frozen_at = now(), frozen_why = 'essai' where id = $1",
      partner,
    );
    await refuses(frozen, "counter");
    await query("update partner set frozen_at = null, frozen_why = null where id = $1", partner);
    const [{ id: foreign }] = await query(
      "select id from partner where company_id is null or company_id <> (select company_id from partner where id = $1) limit 1",
      partner,
    );
    await refuses(await made({ partner: foreign, amountCents: 100 }), "counter");
    const [member] = await query(
      `delete from company_member where person_id = (select person_id from card where number = $1)
       returning *`,
      cast.partnerShop.cardnumber,
    );
    await refuses(await made({ amountCents: 100 }), "counter");
    await query(
      "insert into company_member (person_id, company_id, roles, since) values ($1, $2, $3, $4)",
      member.person_id,
      member.company_id,
      member.roles,
      member.since,
    );
  });

  test("a request above the threshold that nobody answered", async () => {
    server.deps.config.codeFromCents = 100;
    const charge = await made({ amountCents: 2000 });
    const { id, amountCents, token } = charge;
    const sale = await shop.post("/api/till/sales", { id, partner, amountCents, token });
    expect(sale.body.state).toBe("requested");
    expect((await record([charge])).body.items).toEqual([]);
    await camille.post(`/api/till/requests/${id}`, { accept: false });
    await refuses(charge, "unanswered");
  });

  // proves: till-offline
  test("stays in the company's list and file; a cashier reads their own, others nothing", async () => {
    const token = await qrOf("secondChild");
    const amountCents = (await balance(camille, cast.secondChild.cardnumber)) + 1;
    const charges = [await made({ token, amountCents })];
    while (charges.length < 6) charges.push(await made({ withdrawnWhy: "Erreur" }));
    await record(charges);
    const all = await losses();
    expect(all.length).toBeGreaterThan(5);
    const page = (await shop.get("/api/till/offline?limit=2")).body;
    expect(page.items).toEqual(all.slice(0, 2));
    const more = (await shop.get(`/api/till/offline?limit=2&before=${page.next}`)).body;
    expect(more.items).toEqual(all.slice(2, 4));
    const file = await shop.get("/api/till/offline.csv");
    expect(file.text.split("\r\n").filter(Boolean)).toHaveLength(all.length + 1);
    expect(file.text).toContain("La cagnotte ne couvre pas ce montant.");
    expect(file.text).not.toContain("Camille");
    expect(file.text).toContain(referenceOf(all[0].id));
    expect(file.text).not.toContain(all[0].id);
    const canteen = await server.as("canteenProvider");
    expect(await losses(canteen)).toEqual([]);
    const role =
      "update company_member set roles = array[$2] where person_id = (select person_id from card where number = $1)";
    await query(role, cast.partnerShop.cardnumber, "cashier");
    const [{ id }] = all;
    await query(
      "update till_offline set cashier_id = (select person_id from card where number = $2) where id = $1",
      id,
      cast.canteenProvider.cardnumber,
    );
    expect((await losses()).map((one: { id: string }) => one.id)).not.toContain(id);
    await query(role, cast.partnerShop.cardnumber, "owner");
    expect((await losses()).map((one: { id: string }) => one.id)).toContain(id);
  });
});

describe("taken off the device before it was sent", () => {
  test("leaves a trace with its reason, debits nothing, and the owners are told once", async () => {
    const [before, written] = [await balance(), await sales()];
    // Another owner of the shop's company, who did not make the charge.
    await query(
      `update company_member set roles = '{owner}', company_id = (select m.company_id
         from company_member m join card on card.person_id = m.person_id and card.number = $1)
       where person_id = (select person_id from card where number = $2)`,
      cast.partnerShop.cardnumber,
      cast.employer.cardnumber,
    );
    const charge = await made({ withdrawnWhy: "La personne a rendu le livre", amountCents: 900 });
    const { body } = await record([charge]);
    expect(body.items).toEqual([{ id: charge.id, conflict: "withdrawn", sale: null }]);
    // Sent again, with or without the reason, it stays removed.
    expect((await record([charge])).body).toEqual(body);
    const { withdrawnWhy, ...plain } = charge as typeof charge & { withdrawnWhy: string };
    expect((await record([plain])).body).toEqual(body);
    expect([await balance(), await sales()]).toEqual([before, written]);
    expect((await losses())[0]).toMatchObject({
      id: charge.id,
      conflict: "withdrawn",
      withdrawnWhy,
    });
    expect((await shop.get("/api/till/offline.csv")).text).toContain(withdrawnWhy);
    const other = await server.as("employer");
    const notices = (await other.get("/api/notifications")).body.items;
    const title = "1 achat hors connexion non débité";
    expect(notices.filter((one: { title: string }) => one.title === title)).toHaveLength(1);
    expect(notices[0].body).toMatch(/^9,00.€ encaissés sans réseau par /u);
    const cashiers = (await shop.get("/api/notifications")).body.items;
    expect(cashiers.filter((one: { title: string }) => one.title === title)).toEqual([]);
  });

  test("what the server has charged already stays charged, and a blank reason is none", async () => {
    const charge = await made({ amountCents: 700 });
    const before = await balance();
    expect((await record([charge])).body.items).toMatchObject([{ conflict: null }]);
    expect((await record([{ ...charge, withdrawnWhy: "Erreur" }])).body.items).toMatchObject([
      { conflict: null, sale: { paidCents: 700 } },
    ]);
    expect(await balance()).toBe(before - 700);
    expect((await record([await made({ withdrawnWhy: "" })])).status).toBe(400);
  });
});

test("the company's file says that it holds the latest 1,000 where there are more", async () => {
  await record([await made({ withdrawnWhy: "Erreur" })]);
  const [loss] = await losses();
  const lines = async () =>
    (await shop.get("/api/till/offline.csv")).text.split("\r\n").filter(Boolean).slice(1);
  const add = (count: number) =>
    query(
      `insert into till_offline (id, partner_id, company_id, cashier_id, amount_cents, sold_at, received_at, conflict)
       select gen_random_uuid(), partner_id, company_id, cashier_id, 100, sold_at, received_at, 'funds'
       from till_offline, generate_series(1, $2::int) where id = $1`,
      loss.id,
      count,
    );
  await add(1000 - (await lines()).length);
  const whole = await lines();
  expect(whole).toHaveLength(1000);
  expect(whole.join()).not.toContain("les plus récents");
  await add(1);
  const cut = await lines();
  expect(cut).toHaveLength(1001);
  expect(cut.at(-1)).toMatch(/^Seuls les 1.000 écarts/u);
});
