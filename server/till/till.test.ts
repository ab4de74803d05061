// The till: a card charged by its QR and by its number, refusals, cancellations and refunds, and the closing
// of the day, checked against the ledger.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { referenceOf } from "#contract/reference.ts";
import { till as limits } from "#contract/till/limits.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { partnerCommands } from "#server/partners/operator.ts";
import { reversalCommands } from "#server/wallet/reversals-operator.ts";
import { grant, openWallet } from "#server/wallet/wallet.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";
import { tillTasks } from "./till.ts";
import { runByTwo } from "#tests/two-operators.ts";

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
  // A minute later each time: a card's QR is another one.
  await comeAgain();
  server.deps.config.codeFromCents = 1_000_000;
  await query("update till_sale set state = 'expired' where state = 'requested'");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const qrOf = async (name: CastName, client = camille): Promise<string> =>
  (await client.get(`/api/cards/${cast[name].cardnumber}/qr`)).body.token;
const balance = async (client = camille, number = own): Promise<number> =>
  (await client.get(`/api/wallets?cardnumber=${number}`)).body.items[0].balanceCents;
const charge = (more: Record<string, unknown>, client = shop) =>
  client.post("/api/till/sales", { id: randomUUID(), partner, amountCents: 1250, ...more });
const answer = (sale: string, accept: boolean, client = camille, more = {}) =>
  client.post(`/api/till/requests/${sale}`, { accept, ...more });
const tills = async (): Promise<number> =>
  Number(
    (
      await query(`select a.balance from scheme_account s join ledger_account a on a.id = s.account_id
        where s.name = 'tills'`)
    )[0].balance,
  );

test("the counters are those of one's company", async () => {
  const { body } = await shop.get("/api/till/counters");
  const free = { discountPercent: 0, pointsPerEuro: 0, takesPoints: false, frozenWhy: null };
  expect(body.items).toEqual([{ id: partner, name: "Librairie des Embruns", ...free }]);
  const canteen = await server.as("canteenProvider");
  expect((await charge({ token: await qrOf("guardian") }, canteen)).status).toBe(404);
});

describe("by QR", () => {
  test("pays at once, and is told on both sides; the same call again is one sale", async () => {
    const [before, income] = [await balance(), await tills()];
    const request = { id: randomUUID(), token: await qrOf("guardian"), label: "Un roman" };
    const { status, body } = await charge(request);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "paid",
      paidCents: 1250,
      holder: "Camille M.",
      last4: "0016",
      cashier: "Librairie des Embruns",
    });
    expect(JSON.stringify(body)).not.toContain(String(before));
    expect(await balance()).toBe(before - 1250);
    expect(await tills()).toBe(income + 1250);
    expect((await charge(request)).body).toEqual(body);
    expect(await balance()).toBe(before - 1250);
    const rename = (name: string) =>
      query("update person set name = $1 where name like 'Camille %'", name);
    await rename("Camille de la Tour");
    expect((await charge(request)).body.holder).toBe("Camille D.");
    await rename(cast.guardian.name);
    expect((await charge({ ...request, amountCents: 1300 })).body.code).toBe(
      "idempotency_mismatch",
    );
    const { items } = (await camille.get("/api/notifications")).body;
    expect(items[0]).toMatchObject({ title: "Achat chez Librairie des Embruns" });
    const messages = server.outbox.filter(({ body: text }) => text.includes("Montant : 12,50"));
    expect(messages).toHaveLength(1);
    expect(messages[0]?.body).toContain(`Référence : ${referenceOf(request.id)}`);
  });

  test("one code pays one sale, also of two at once", async () => {
    const before = await balance();
    const token = await qrOf("guardian");
    const both = await Promise.all([charge({ token }), charge({ token })]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    expect(both.find(({ status }) => status === 409)?.body.code).toBe("till_code_used");
    expect(await balance()).toBe(before - 1250);
  });

  test("a past, forged or missing code charges nobody", async () => {
    const before = await balance();
    const token = await qrOf("guardian");
    const forged = token.replace(
      /.{9}$/,
      (end) => (end.startsWith("A") ? "B" : "A") + end.slice(1),
    );
    expect((await charge({ token: forged })).body.code).toBe("till_code");
    expect((await charge({})).body.code).toBe("invalid_input");
    server.clock.advance(61_000);
    shop = await server.as("partnerShop");
    expect((await charge({ token })).body.code).toBe("till_code");
    camille = await server.as("guardian");
    expect(await balance()).toBe(before);
  });

  test("without money, a suspended card, a limit: refused without a balance, the code stays good", async () => {
    const before = await balance();
    const token = await qrOf("guardian");
    const { body } = await charge({ token, amountCents: 90_000 });
    expect(body.code).toBe("till_funds");
    expect(body.details).toBeUndefined();
    expect(await balance()).toBe(before);
    expect((await charge({ token })).status).toBe(200);
    const jade = await qrOf("secondChild");
    await camille.post(`/api/cards/${cast.secondChild.cardnumber}/suspend`);
    expect((await charge({ token: jade, amountCents: 100 })).body.code).toBe("till_card");
    await camille.post(`/api/cards/${cast.secondChild.cardnumber}/resume`);
  });

  test("above the threshold the holder is asked first", async () => {
    server.deps.config.codeFromCents = 1000;
    const before = await balance();
    const { body } = await charge({ token: await qrOf("guardian"), amountCents: 2000 });
    expect(body).toMatchObject({ state: "requested", holder: null });
    expect(await balance()).toBe(before);
    const refused = await answer(body.id, true);
    expect(refused.body.code).toBe("code_required");
    expect(await balance()).toBe(before);
    const paid = await approve(server, camille, `/api/till/requests/${body.id}`, { accept: true });
    expect(paid.body.state).toBe("paid");
    expect(await balance()).toBe(before - 2000);
    const [main] = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items;
    await leaveToSpend(server, main.objectID, before - 1250);
  });
});

describe("by number", () => {
  test("nothing moves before the holder's yes, and then once", async () => {
    const before = await balance();
    const { body } = await charge({ cardnumber: own });
    expect(body).toMatchObject({ state: "requested", holder: null, last4: "0016" });
    expect(await balance()).toBe(before);
    const { items } = (await camille.get("/api/till/requests")).body;
    expect(items).toMatchObject([{ id: body.id, paidCents: 1250, own: true }]);
    const home = (await camille.get(`/api/home?cardnumber=${own}`)).body;
    expect(home.toDos).toContainEqual(
      expect.objectContaining({ kind: "till", from: "Librairie des Embruns", what: "1250" }),
    );
    const both = await Promise.all([answer(body.id, true), answer(body.id, true)]);
    expect(both.map(({ body: { state } }) => state)).toEqual(["paid", "paid"]);
    expect(await balance()).toBe(before - 1250);
    expect((await shop.get(`/api/till/sales/${body.id}`)).body).toMatchObject({
      state: "paid",
      holder: "Camille M.",
    });
    expect((await camille.get("/api/till/requests")).body.items).toEqual([]);
  });

  // proves: strangers-write
  test("refused, given up or left alone, it charges nobody and is over", async () => {
    const before = await balance();
    const declined = (await charge({ cardnumber: own })).body;
    expect((await charge({ cardnumber: own })).body.code).toBe("till_waiting");
    expect((await answer(declined.id, false)).body.state).toBe("declined");
    const withdrawn = (await charge({ cardnumber: own })).body;
    expect((await shop.post(`/api/till/sales/${withdrawn.id}/withdraw`)).body.state).toBe(
      "withdrawn",
    );
    // After two unpaid sales the next one by number must wait, and the holder is not asked.
    server.outbox.length = 0;
    expect((await charge({ cardnumber: own })).body.code).toBe("till_often");
    expect(server.outbox).toEqual([]);
    expect((await camille.get("/api/till/requests")).body.items).toEqual([]);
    server.clock.advance(601_000);
    [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    const late = (await charge({ cardnumber: own })).body;
    server.clock.advance(301_000);
    camille = await server.as("guardian");
    expect((await answer(late.id, true)).body.code).toBe("till_state");
    await tillTasks(server.deps).expire_till_requests();
    shop = await server.as("partnerShop");
    expect((await shop.get(`/api/till/sales/${late.id}`)).body.state).toBe("expired");
    for (const { id } of [declined, withdrawn, late]) {
      expect((await answer(id, true)).body.code).toBe("till_state");
      expect((await shop.post(`/api/till/sales/${id}/cancel`)).body.code).toBe("till_state");
    }
    expect(await balance()).toBe(before);
  });

  // proves: spoken-code
  test("a code told aloud pays that sale, once; five wrong ones or another sale's pay nothing", async () => {
    const before = await balance();
    const sale = (await charge({ cardnumber: own })).body;
    const send = (id: string, client = shop) => client.post(`/api/till/sales/${id}/code`);
    const payByCode = (id: string, challenge: string, code: string, client = shop) =>
      client.post(`/api/till/sales/${id}/pay`, { challenge, code });
    expect((await send(sale.id, await server.as("canteenProvider"))).status).toBe(404);
    server.outbox.length = 0;
    const first = (await send(sale.id)).body;
    const code = server.lastCode();
    expect(server.outbox[0]?.body).toContain("payer 12,50");
    // The sale waits five minutes, less than a code is good for.
    expect(server.outbox[0]?.body).toMatch(/valable [45] minutes/);
    expect(JSON.stringify(first)).not.toContain(code);
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await payByCode(sale.id, first.challenge, wrong)).body.code).toBe("code_wrong");
    expect(await balance()).toBe(before);
    const both = await Promise.all([
      payByCode(sale.id, first.challenge, code),
      payByCode(sale.id, first.challenge, code),
    ]);
    expect(both.map(({ status }) => status)).toContain(200);
    expect((await payByCode(sale.id, first.challenge, code)).body.state).toBe("paid");
    expect(await balance()).toBe(before - 1250);
    const other = (await charge({ cardnumber: own, amountCents: 300 })).body;
    expect((await payByCode(other.id, first.challenge, code)).body.code).toBe("code_expired");
    const second = (await send(other.id)).body;
    const good = server.lastCode();
    const bad = good === "000000" ? "000001" : "000000";
    for (let n = 0; n < 5; n++) await payByCode(other.id, second.challenge, bad);
    expect((await payByCode(other.id, second.challenge, good)).body.code).toBe("code_expired");
    expect(await balance()).toBe(before - 1250);
    await shop.post(`/api/till/sales/${sale.id}/cancel`);
    await shop.post(`/api/till/sales/${other.id}/withdraw`);
    expect((await send(other.id)).body.code).toBe("till_state");
    expect((await payByCode(other.id, second.challenge, good)).body.code).toBe("till_state");
  });

  test("without a phone or an e-mail no code is sent", async () => {
    const { body } = await charge({ cardnumber: cast.secondChild.cardnumber, amountCents: 100 });
    const answered = await shop.post(`/api/till/sales/${body.id}/code`);
    expect(answered.body.code).toBe("no_spoken_channel");
  });

  // proves: strangers-write
  test("many numbers, known or not: soon none is looked up", async () => {
    await query("delete from limiter where key like 'till.number%'");
    const before = Number((await query("select count(*) from till_sale"))[0].count);
    const answers = [];
    for (let time = 0; time <= limits.maxNumbers; time += 1)
      answers.push((await charge({ cardnumber: 1_000_000_107 })).status);
    expect(answers).toEqual(answers.map((_, time) => (time < limits.maxNumbers ? 404 : 429)));
    expect((await charge({ cardnumber: own })).status).toBe(429);
    expect(Number((await query("select count(*) from till_sale"))[0].count)).toBe(before);
    const response = await charge({ token: await qrOf("guardian"), amountCents: 10 });
    expect(response.body.state).toBe("paid");
    await shop.post(`/api/till/sales/${response.body.id}/cancel`);
    await query("delete from limiter where key like 'till.number%'");
  });

  test("a guardian answers for a child, a stranger finds nothing", async () => {
    const child: number = cast.child.cardnumber;
    const before = await balance(camille, child);
    const { body } = await charge({ cardnumber: child, amountCents: 300 });
    expect((await answer(body.id, true, await server.as("stranger"))).status).toBe(404);
    expect((await answer(body.id, true)).body).toMatchObject({ state: "paid", own: false });
    expect(await balance(camille, child)).toBe(before - 300);
  });

  test("a card of the company that sells and an unknown number are refused", async () => {
    expect((await charge({ cardnumber: cast.partnerShop.cardnumber })).body.code).toBe("till_own");
    expect((await charge({ cardnumber: 1_999_999_999 })).status).toBe(404);
  });
});

describe("discount and wallets", () => {
  test("the terms in force are taken off; a sale keeps those of its day", async () => {
    const terms = async (discountPercent: number) => {
      const command = partnerCommands.find(({ name }) => name === "partners terms");
      return await command!.run(
        server.deps,
        ["librairie-des-embruns", String(discountPercent), "0"],
        "alice",
      );
    };
    expect((await terms(5)).lines).toEqual([expect.stringMatching(/n° 1 : remise de 5.%/)]);
    expect((await terms(91)).ok).toBe(false);
    const before = await balance();
    const { body } = await charge({ token: await qrOf("guardian"), amountCents: 1999 });
    // A request by number shows the discount.
    const number = { cardnumber: cast.child.cardnumber, amountCents: 800 };
    const request = (await charge(number)).body;
    expect(request).toMatchObject({ state: "requested", paidCents: 760 });
    const [notice] = (await camille.get("/api/notifications")).body.items;
    expect(notice.title).toMatch(/^Librairie des Embruns demande 7,60.€$/);
    expect(notice.body).toMatch(/^Remise de 0,40.€ déduite\. La carte de Léo/);
    expect((await answer(request.id, true)).body.state).toBe("paid");
    // 5 % of 19.99 is 0.9995: whole cents, never more than the terms give.
    expect(body).toMatchObject({ discountCents: 99, paidCents: 1900 });
    expect(await balance()).toBe(before - 1900);
    expect((await terms(0)).lines).toEqual([expect.stringContaining("n° 2")]);
    expect((await shop.get(`/api/till/sales/${body.id}`)).body.discountCents).toBe(99);
  });

  test("aid of a group that the partner accepts pays first, and has a cancelled sale back", async () => {
    const [{ group_id: groupId }] = await query(
      "select group_id from partner_group where partner_id = $1 and group_id <> 1",
      partner,
    );
    const [{ id: personId }] = await query(
      "select person_id as id from card where number = $1",
      own,
    );
    const { id: walletId } = await inTx(server.deps.db, async (tx) => {
      const wallet = await openWallet(tx, { personId, groupId });
      const aid = { walletId: wallet.id, amountCents: 1000, label: "Aide", expiresOn: null };
      await grant(tx, { ...aid, key: randomUUID(), at: server.deps.now() });
      return wallet;
    });
    const left = async () =>
      Number(
        (
          await query(
            `select sum(balance) from wallet_lot l join ledger_account a on a.id = l.account_id
             where l.wallet_id = $1`,
            walletId,
          )
        )[0].sum,
      );
    const before = await balance();
    const { body } = await charge({ token: await qrOf("guardian") });
    expect([await left(), await balance()]).toEqual([0, before - 250]);
    await shop.post(`/api/till/sales/${body.id}/cancel`);
    expect([await left(), await balance()]).toEqual([1000, before]);
    await query(
      "update wallet set frozen_at = now(), frozen_why = 'essai' where id = $1",
      walletId,
    );
  });

  test("every accepted group pays, what ends first before the rest, then the main wallet", async () => {
    const at = server.deps.now();
    const personId = (await query("select person_id as id from card where number = $1", own))[0].id;
    const groups = await query(
      `insert into acceptance_group (name, slug, rule) values ('Sport', 'essai-sport', 'Sport'),
         ('Culture', 'essai-culture', 'Culture'), ('Livres', 'essai-livres', 'Livres') returning id`,
    );
    const aids: { id: number; cents: number; on: string | null }[] = [];
    for (const [place, { id: groupId }] of groups.entries()) {
      await query("insert into partner_group values ($1, $2)", partner, groupId);
      const [cents, on] = [
        [10, null],
        [5000, addDays(parisDay(at), 30)],
        [700, null],
      ][place] as [number, string | null];
      const wallet = await inTx(server.deps.db, async (tx) => {
        const made = await openWallet(tx, { personId, groupId });
        const aid = { walletId: made.id, amountCents: cents, label: "Aide", expiresOn: on };
        await grant(tx, { ...aid, key: randomUUID(), at });
        return made;
      });
      aids.push({ id: wallet.id, cents, on });
    }
    const left = async () =>
      await Promise.all(
        aids.map(async ({ id }) =>
          Number(
            (
              await query(
                `select sum(balance) from wallet_lot l join ledger_account a on a.id = l.account_id
                 where l.wallet_id = $1`,
                id,
              )
            )[0].sum,
          ),
        ),
      );
    const before = await balance();
    // A child whose guardian blocks spending from the third one.
    const [{ born_on: born }] = await query("select born_on from person where id = $1", personId);
    await query("update person set born_on = paris_day(now()) - 3000 where id = $1", personId);
    const [sport, culture] = groups.map(({ id }) => id);
    await query(
      "insert into member_limit (person_id, groups, set_by, set_at) values ($1, $2, $1, now())",
      personId,
      [1, sport, culture],
    );
    const { status, text, body } = await charge({
      token: await qrOf("guardian"),
      amountCents: 2000,
    });
    expect(status, text).toBe(200);
    expect([await left(), await balance()]).toEqual([[10, 3000, 700], before]);
    server.clock.advance(61_000);
    [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    const all = await charge({ token: await qrOf("guardian"), amountCents: 3110 });
    expect(all.status, all.text).toBe(200);
    expect([await left(), await balance()]).toEqual([[0, 0, 700], before - 100]);
    await shop.post(`/api/till/sales/${all.body.id}/cancel`);
    expect([await left(), await balance()]).toEqual([[10, 3000, 700], before]);
    await shop.post(`/api/till/sales/${body.id}/cancel`);
    expect(await left()).toEqual([10, 5000, 700]);
    await query("delete from member_limit where person_id = $1", personId);
    await query("update person set born_on = $2 where id = $1", personId, born);
    await query(
      "delete from partner_group where group_id = any ($1)",
      groups.map(({ id }) => id),
    );
  });
});

describe("given back", () => {
  test("cancelled once within a quarter of an hour, refused after", async () => {
    const before = await balance();
    const sale = (await charge({ token: await qrOf("guardian") })).body;
    const path = `/api/till/sales/${sale.id}/cancel`;
    const both = await Promise.all([shop.post(path), shop.post(path)]);
    expect(both.map(({ body }) => body.state)).toEqual(["cancelled", "cancelled"]);
    expect(await balance()).toBe(before);
    server.clock.advance(61_000);
    [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    const oldSale = (await charge({ token: await qrOf("guardian") })).body;
    server.clock.advance(15 * 60_000 + 1000);
    [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    const late = await shop.post(`/api/till/sales/${oldSale.id}/cancel`);
    expect(late.body.code).toBe("till_late");
    expect(await balance()).toBe(before - 1250);
  });

  test("refunded in parts, never more than was paid, a repeated call once; not by a cashier", async () => {
    const before = await balance();
    const sale = (await charge({ token: await qrOf("guardian") })).body;
    const refund = (amountCents: number, refundedCents: number) =>
      shop.post(`/api/till/sales/${sale.id}/refund`, { amountCents, refundedCents });
    const both = await Promise.all([refund(500, 0), refund(500, 0)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
    expect(await balance()).toBe(before - 750);
    expect((await refund(751, 500)).body.code).toBe("till_too_much");
    await asCashier(async () => {
      expect((await refund(750, 500)).body.code).toBe("company_role");
    });
    expect((await refund(750, 500)).body.state).toBe("refunded");
    expect(await balance()).toBe(before);
    expect((await refund(1, 1250)).body.code).toBe("till_state");
  });

  test("more refunds than a cart has tickets: each gives back its own", async () => {
    const before = await balance();
    const sale = (await charge({ token: await qrOf("guardian") })).body;
    for (let refundedCents = 0; refundedCents < 53; refundedCents += 1) {
      const input = { amountCents: refundedCents === 52 ? 1198 : 1, refundedCents };
      const { status, text } = await shop.post(`/api/till/sales/${sale.id}/refund`, input);
      expect(status, text).toBe(200);
    }
    expect(await balance()).toBe(before);
  });
});

async function asCashier(work: () => Promise<void>): Promise<void> {
  const set = `update company_member set roles = array[$2]
    where person_id = (select person_id from card where number = $1)`;
  await query(set, cast.partnerShop.cardnumber, "cashier");
  await work();
  await query(set, cast.partnerShop.cardnumber, "owner");
}

test("another company finds neither the sale nor the till of this one", async () => {
  const before = await balance();
  const { id } = (await charge({ token: await qrOf("guardian") })).body;
  const canteen = await server.as("canteenProvider");
  const answers = await Promise.all([
    canteen.get(`/api/till/sales/${id}`),
    canteen.post(`/api/till/sales/${id}/cancel`),
    canteen.post(`/api/till/sales/${id}/withdraw`),
    canteen.post(`/api/till/sales/${id}/refund`, { amountCents: 1, refundedCents: 0 }),
    canteen.get(`/api/till/sales?partner=${partner}`),
    canteen.get(`/api/till/running?partner=${partner}`),
    canteen.get(`/api/till/closings?partner=${partner}`),
    canteen.post("/api/till/closings", { partner }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect(await balance()).toBe(before - 1250);
  expect((await shop.post(`/api/till/sales/${id}/cancel`)).body.state).toBe("cancelled");
  expect(await balance()).toBe(before);
});

describe("the day", () => {
  const running = async () => (await shop.get(`/api/till/running?partner=${partner}`)).body;
  const close = () => shop.post("/api/till/closings", { partner });

  test("is closed under the next number with what happened, which counts once", async () => {
    await close();
    expect((await close()).body.code).toBe("till_nothing");
    const sale = (await charge({ token: await qrOf("guardian") })).body;
    const request = (await charge({ cardnumber: own })).body;
    expect((await running()).cashiers).toEqual([
      expect.objectContaining({ sales: 1, paidCents: 1250, returnedCents: 0 }),
    ]);
    const [first, second] = await Promise.all([close(), close()]);
    const done = first.status === 201 ? first : second;
    const other = first.status === 201 ? second : first;
    expect(done.body.cashiers).toMatchObject([{ sales: 1, paidCents: 1250 }]);
    expect(other.body.code).toBe("till_nothing");
    await shop.post(`/api/till/sales/${sale.id}/cancel`);
    await answer(request.id, true);
    expect((await running()).cashiers).toMatchObject([
      { sales: 1, paidCents: 1250, returnedCents: 1250 },
    ]);
    const next = await close();
    expect(next.body.number).toBe(done.body.number + 1);
    expect(next.body.from).toBe(done.body.until);
    const { items } = (await shop.get(`/api/till/closings?partner=${partner}&limit=1`)).body;
    expect(items.map(({ number }: { number: number }) => number)).toEqual([next.body.number]);
    // Sales less refunds equal the balance of the ledger's till account.
    const [{ sum }] = await query(
      `select sum(amount_cents - discount_cents) filter (where paid_at is not null)
         - sum(refunded_cents) as sum from till_sale`,
    );
    expect(Number(sum)).toBe(await tills());
  });

  test("a request is paid once a closing under way is over, and falls into the next one", async () => {
    const thomas = await server.as("coGuardian");
    const sale = (await charge({ cardnumber: cast.coGuardian.cardnumber })).body;
    const { answer: paid, waited } = await whileHeld(
      server,
      // As a closing holds it between counting the sales and marking them as counted.
      (held) => held.query("select from partner where id = $1 for update", [partner]),
      () => answer(sale.id, true, thomas),
    );
    expect([waited, paid.body.state]).toEqual([true, "paid"]);
    const { cashiers } = (await close()).body;
    expect(cashiers.reduce((sum: number, one: any) => sum + one.sales, 0)).toBe(1);
  });

  test("sales racing a closing are counted by one closing each", async () => {
    server.deps.config.codeFromCents = 100_000_000;
    const numbers: number[] = [
      own,
      cast.child.cardnumber,
      cast.coGuardian.cardnumber,
      cast.stranger.cardnumber,
    ];
    const people = await Promise.all(
      (["guardian", "coGuardian", "stranger"] as const).map((name) => server.as(name)),
    );
    const requests = await Promise.all(
      numbers.map((cardnumber) => charge({ cardnumber, amountCents: 100 })),
    );
    const [guardian, coGuardian, stranger] = people as [Client, Client, Client];
    const by = [guardian, guardian, coGuardian, stranger];
    await Promise.all([
      ...requests.map(({ body }, index) => answer(body.id, true, by[index])),
      close(),
      close(),
    ]);
    await close();
    const rows = await query(
      "select closing from till_sale where id = any($1)",
      requests.map(({ body }) => body.id),
    );
    expect(rows.every(({ closing }) => closing !== null)).toBe(true);
    const closings = await query("select number, totals from till_closing order by number");
    const counted = closings
      .flatMap(({ totals }) => totals)
      .reduce((sum: number, one: { paidCents: number }) => sum + one.paidCents, 0);
    const [{ sum }] = await query(
      "select sum(amount_cents - discount_cents) as sum from till_sale where paid_at is not null",
    );
    expect(counted).toBe(Number(sum));
    expect(closings.map(({ number }) => number)).toEqual(closings.map((_, index) => index + 1));
  });

  test("a cashier sees their own sales of the day, and no closings", async () => {
    const sale = (await charge({ token: await qrOf("guardian") })).body;
    const list = async () =>
      (await shop.get(`/api/till/sales?partner=${partner}&limit=100`)).body.items as {
        id: string;
      }[];
    expect((await list()).length).toBeGreaterThan(1);
    await query("update till_sale set cashier_id = holder_id where id <> $1", sale.id);
    await asCashier(async () => {
      expect((await list()).map(({ id }) => id)).toEqual([sale.id]);
      expect((await close()).body.code).toBe("company_role");
      expect((await shop.get(`/api/till/closings?partner=${partner}`)).body.code).toBe(
        "company_role",
      );
      expect((await running()).cashiers).toMatchObject([{ sales: 1 }]);
      const [colleagues] = await query("select id from till_sale where id <> $1 limit 1", sale.id);
      expect((await shop.get(`/api/till/sales/${colleagues.id}`)).status).toBe(404);
      expect((await shop.get(`/api/till/sales/${sale.id}`)).status).toBe(200);
    });
  });
});

test("a frozen partner charges nobody, and a request made before is not paid", async () => {
  const main = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0];
  await leaveToSpend(server, main.objectID, 5000);
  const before = await balance();
  const {
    body: sold,
    text,
    status,
  } = await charge({ token: await qrOf("guardian"), amountCents: 300 });
  expect(status, text).toBe(200);
  const { body } = await charge({ cardnumber: own });
  await query("update partner set frozen_at = now(), frozen_why = 'essai' where id = $1", partner);
  expect((await charge({ token: await qrOf("guardian") })).body.code).toBe("till_frozen");
  expect((await answer(body.id, true)).body.code).toBe("till_frozen");
  // It is still listed, with its reason: sales are refunded, and the day is closed.
  expect((await shop.get("/api/till/counters")).body.items).toMatchObject([
    { id: partner, frozenWhy: "essai" },
  ]);
  expect((await shop.post(`/api/till/sales/${sold.id}/cancel`)).body.state).toBe("cancelled");
  expect(await balance()).toBe(before);
  await query("update partner set frozen_at = null, frozen_why = null where id = $1", partner);
});

test("undone by two operators: not given back again; the request says what was refunded", async () => {
  await comeAgain();
  const [{ id: walletId }] = await query(
    `select w.id from wallet w join card c on c.person_id = w.person_id
      where c.number = $1 and w.group_id = 1`,
    cast.guardian.cardnumber,
  );
  await inTx(server.deps.db, (tx) => {
    const aid = { walletId, amountCents: 5000, label: "Aide", expiresOn: null, key: "undone" };
    return grant(tx, { ...aid, at: server.clock.now() });
  });
  const before = await balance();
  const undo = async (account: string, transfer: string, why: string) => {
    const command = reversalCommands.find(({ name }) => name === "reversals undo");
    const done = await command?.run(server.deps, [transfer, why], account);
    return { ok: done?.ok, text: (done?.lines ?? []).join("\n").replaceAll(/\s/g, " ") };
  };
  const transferOf = async (id: string) =>
    String((await query("select id from transfer where key = $1", `till:${id}`))[0]?.id);
  const gross = async () => (await shop.get("/api/settlements/summary")).body.running.grossCents;
  const soldBefore = await gross();
  const { body: sale, text } = await charge({ token: await qrOf("guardian") });
  expect(sale.state, text).toBe("paid");
  expect(await gross()).toBe(soldBefore + sale.paidCents);
  const transfer = await transferOf(sale.id);
  const request = await undo("awa", transfer, "montant saisi deux fois");
  expect(request.text).toContain(`till:${sale.id}`);
  expect(request.text).not.toContain("déjà remboursés");
  expect(await balance()).toBe(before - sale.paidCents);
  expect((await undo("paul", transfer, "montant saisi deux fois")).ok).toBe(true);
  expect(await balance()).toBe(before);
  // The till and its company know: nothing is left to refund, no point is given, the day keeps its own
  // operations.
  expect((await shop.get(`/api/till/sales/${sale.id}`)).body).toMatchObject({
    state: "refunded",
    refundedCents: sale.paidCents,
    pointsEarned: 0,
  });
  const notice = (await shop.get("/api/notifications")).body.items[0];
  expect(notice.title).toMatch(/^Le service clients a rendu .* d’un achat$/);
  expect(notice.body).toContain("montant saisi deux fois. La somme est déduite de votre règlement");
  expect(await gross()).toBe(soldBefore);
  const input = { amountCents: 1250, refundedCents: 0 };
  const twice = await shop.post(`/api/till/sales/${sale.id}/refund`, input);
  expect([twice.status, twice.body.code]).toEqual([409, "till_state"]);
  // The counter's list updates by itself: the sentence does not ask to reload the page.
  expect(twice.body.message).toContain("Regardez où il en est");
  const cancelled = await shop.post(`/api/till/sales/${sale.id}/cancel`);
  expect([cancelled.status, cancelled.body.code]).toEqual([409, "till_state"]);
  expect(await balance()).toBe(before);
  await comeAgain();
  const other = (await charge({ token: await qrOf("guardian") })).body;
  const part = { amountCents: 500, refundedCents: 0 };
  expect((await shop.post(`/api/till/sales/${other.id}/refund`, part)).status).toBe(200);
  const late = await undo("awa", await transferOf(other.id), "montant");
  expect(late.text).toMatch(/5,00 € en sont déjà remboursés/);
});

/** A minute later, with new sessions: no limit counts earlier calls. */
async function comeAgain(): Promise<void> {
  server.clock.advance(61_000);
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
}

test("a refund undone by two operators: as much may be given back again, and no more", async () => {
  await comeAgain();
  const [{ id: walletId }] = await query(
    `select w.id from wallet w join card c on c.person_id = w.person_id
      where c.number = $1 and w.group_id = 1`,
    cast.guardian.cardnumber,
  );
  await inTx(server.deps.db, (tx) => {
    const aid = { walletId, amountCents: 5000, label: "Aide", expiresOn: null, key: "unrefunded" };
    return grant(tx, { ...aid, at: server.clock.now() });
  });
  const gross = async () => (await shop.get("/api/settlements/summary")).body.running.grossCents;
  const undo = async (key: string) => {
    const command = reversalCommands.find(({ name }) => name === "reversals undo");
    const [{ id }] = await query("select id from transfer where key = $1", key);
    const done = await runByTwo(server.deps, command, [String(id), "rendu deux fois"]);
    expect(done.ok, done.lines.join()).toBe(true);
  };
  const saleOf = async (id: string) => (await shop.get(`/api/till/sales/${id}`)).body;
  const refund = (id: string, amountCents: number, refundedCents: number) =>
    shop.post(`/api/till/sales/${id}/refund`, { amountCents, refundedCents });

  const { body: sale, text } = await charge({ token: await qrOf("guardian") });
  expect(sale.state, text).toBe("paid");
  const [paid, sold] = [await balance(), await gross()];
  expect((await refund(sale.id, 500, 0)).status).toBe(200);
  expect((await refund(sale.id, sale.paidCents - 500, 500)).body.state).toBe("refunded");
  await undo(`till:${sale.id}:refund:2`);
  expect(await saleOf(sale.id)).toMatchObject({ state: "paid", refundedCents: 500 });
  expect(await balance()).toBe(paid + 500);
  expect(await gross()).toBe(sold - 500);
  const notice = (await shop.get("/api/notifications")).body.items[0];
  expect(notice.title).toMatch(/^Le service clients a annulé un remboursement de /);
  expect(notice.body).toContain("rendu deux fois. La somme est ajoutée à votre règlement");
  // Exactly up to the paid amount; an amount decided before the reversal is no longer valid.
  const left = sale.paidCents - 500;
  expect((await refund(sale.id, left, sale.paidCents)).body.code).toBe("till_state");
  expect((await refund(sale.id, left + 1, 500)).body.code).toBe("till_too_much");
  expect((await refund(sale.id, left, 500)).body.state).toBe("refunded");
  expect(await balance()).toBe(paid + sale.paidCents);
  expect(await gross()).toBe(sold - sale.paidCents);

  // A cancelled one is paid again, and cancelled anew while its quarter of an hour lasts.
  await comeAgain();
  const other = (await charge({ token: await qrOf("guardian") })).body;
  const after = await balance();
  expect((await shop.post(`/api/till/sales/${other.id}/cancel`)).body.state).toBe("cancelled");
  await undo(`till:${other.id}:refund:1`);
  expect(await saleOf(other.id)).toMatchObject({ state: "paid", refundedCents: 0 });
  expect(await balance()).toBe(after);
  expect((await shop.post(`/api/till/sales/${other.id}/cancel`)).body.state).toBe("cancelled");
  expect(await balance()).toBe(after + other.paidCents);
});

test("a sale that was cancelled uses up nothing of a child's limit, one of before raises none", async () => {
  const leo: number = cast.child.cardnumber;
  await comeAgain();
  const [{ id: walletId }] = await query(
    `select w.id from wallet w join card c on c.person_id = w.person_id
      where c.number = $1 and w.group_id = 1`,
    leo,
  );
  await inTx(server.deps.db, (tx) => {
    const aid = { walletId, amountCents: 9000, label: "Aide", expiresOn: null, key: "limited" };
    return grant(tx, { ...aid, at: server.clock.now() });
  });
  const limit = (dayCents: number | null) =>
    camille.post(`/api/family/members/${leo}/limits`, {
      limits: { dayCents, weekCents: null, groups: null },
    });
  const ring = async (amountCents: number) =>
    (await charge({ token: await qrOf("child"), amountCents })).body;
  await limit(null);
  const before = await ring(700);
  expect(before.state).toBe("paid");
  // Noon of the next day: what follows stays within it.
  const noon = instantOfParis(addDays(parisDay(server.clock.now()), 1), "12:00");
  server.clock.advance(noon.getTime() - server.clock.now().getTime());
  await comeAgain();
  expect((await limit(1000)).status).toBe(200);
  const wrong = await ring(800);
  expect(wrong.state).toBe("paid");
  await comeAgain();
  expect((await ring(600)).code).toBe("till_limit");
  expect((await shop.post(`/api/till/sales/${wrong.id}/cancel`)).body.state).toBe("cancelled");
  await comeAgain();
  const right = await ring(600);
  expect(right.state, JSON.stringify(right)).toBe("paid");
  const back = { amountCents: 700, refundedCents: 0 };
  expect((await shop.post(`/api/till/sales/${before.id}/refund`, back)).status).toBe(200);
  await comeAgain();
  expect((await ring(401)).code).toBe("till_limit");
  expect((await ring(400)).state).toBe("paid");
});
