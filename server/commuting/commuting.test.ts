// Employer's transport: the share and its minimum, enrolments that disclose nothing about a number, the
// purchase at the lower price against the ledger, the months of payroll, and every refusal with its absent
// effects.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commuting as limits } from "#contract/commuting/limits.ts";
import { addDays, firstOfMonth, parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { settleInvoice } from "#server/invoices/invoices.ts";
import { verify } from "#server/ledger/ledger.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { type Queries, whileHeld } from "#tests/row-locks.ts";
import { commutingCommands } from "./operator.ts";
import { clearPaidMonths, invoiceMonths, netOf } from "./statements.ts";
import { paymentTasks } from "#server/payments/payments.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let owner: Client;
let camille: Client;
let service: string;
let wallet: string;
/** Numbers of good digits that nobody has. */
const nobody = [1000000107, 1000000115];
const own: number = cast.guardian.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  service = (await furnishDirectory(server.deps)).transport;
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
});
beforeEach(async () => {
  await query(
    "delete from commuting_purchase; delete from commuting_enrolment; delete from commuting_plan; delete from pass; delete from pass_order; delete from notification; delete from limiter",
  );
  server.outbox.length = 0;
  server.deps.config.codeFromCents = 1_000_000;
  [owner, camille] = await Promise.all([server.as("employer"), server.as("guardian")]);
  wallet = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].objectID;
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const offer = () => `/api/commuting/offers/${service}`;
const share = (employerPercent: number, client = owner) =>
  client.post(offer(), { employerPercent });
const enrol = (cardnumber: number, more: object = {}, client = owner) =>
  client.post(`${offer()}/enrolments`, { cardnumber, name: "Camille Moreau", ...more });
const listed = async (search = "") =>
  (await owner.get(`${offer()}/enrolments${search}`)).body.items as Record<string, unknown>[];
const act = (id: string, what: string, client = owner) =>
  client.post(`/api/commuting/enrolments/${id}/${what}`);
const mine = async (client = camille) =>
  (await client.get("/api/commuting/mine")).body.items as Record<string, unknown>[];
const answer = (id: string, accept: boolean, client = camille) =>
  client.post(`/api/commuting/mine/${id}`, { accept });
/** Camille enrolled and accepted; gives the id. */
async function enrolled(percent = 60): Promise<string> {
  await share(percent);
  const { body } = await enrol(own);
  expect((await answer(body.id, true)).status).toBe(200);
  return body.id;
}
const titles = async (client: Client) =>
  ((await client.get("/api/notifications")).body.items as { title: string }[]).map(
    ({ title }) => title,
  );
const balance = async () =>
  (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].balanceCents as number;
const account = async (name: string) =>
  Number(
    (
      await query(
        "select a.balance from scheme_account s join ledger_account a on a.id = s.account_id where s.name = $1",
        name,
      )
    )[0].balance,
  );
const begin = async (product = "lagon-mois", startOn?: string) => {
  const { body } = await camille.post("/api/passes/orders", { product, cardnumber: own });
  const path = `/api/passes/orders/${body.id}`;
  return (await camille.post(path, { startOn: startOn ?? body.start.from })).body;
};
const pay = (order: { id: string; revision: number }, totalCents: number, method = "wallet") =>
  camille.post(`/api/passes/orders/${order.id}/pay`, {
    revision: order.revision,
    totalCents,
    objectID: wallet,
    method,
  });
const month = () => parisDay(server.deps.now()).slice(0, 7);
async function as(role: "accountant" | "cashier", work: () => Promise<void>): Promise<void> {
  const where = `where person_id = (select person_id from card where number = ${cast.employer.cardnumber})`;
  await query(`update company_member set roles = '{${role}}' ${where}`);
  await work();
  await query(`update company_member set roles = '{owner}' ${where}`);
}

describe("the share", () => {
  test("at least half, by the owner alone; the accountant reads, the cashier does not", async () => {
    const before = await owner.get(offer());
    expect(before.body).toMatchObject({ employerPercent: null, canDecide: true, active: 0 });
    expect(before.body.passes).toEqual([
      { name: "Mensuel", kind: "month", priceCents: 4400 },
      { name: "Annuel", kind: "year", priceCents: 44_000 },
    ]);
    expect((await share(49)).body.code).toBe("commuting_minimum");
    expect((await share(101)).status).toBe(400);
    expect((await owner.get(offer())).body.employerPercent).toBeNull();
    expect((await enrol(own)).body.code).toBe("commuting_closed");
    expect((await share(60)).body).toMatchObject({ employerPercent: 60 });
    expect((await owner.get("/api/commuting/offers")).body.items).toEqual([
      {
        service,
        code: "transport-entreprise",
        name: "Abonnement des salariés",
        employerPercent: 60,
      },
    ]);
    await as("accountant", async () => {
      expect((await owner.get(offer())).body).toMatchObject({ canDecide: false });
      expect((await share(70)).body.code).toBe("company_role");
      expect((await enrol(own)).body.code).toBe("company_role");
    });
    await as("cashier", async () => {
      for (const path of [
        "",
        "/enrolments",
        `/payroll?month=${month()}`,
        `/payroll.csv?month=${month()}`,
      ])
        expect((await owner.get(offer() + path)).body.code).toBe("company_role");
      expect((await owner.get("/api/commuting/offers")).body.items).toEqual([]);
    });
    expect((await owner.get(offer())).body.employerPercent).toBe(60);
  });

  test("another company sees nothing of it, and an offer for holders is none", async () => {
    await share(60);
    const shop = await server.as("partnerShop");
    expect((await shop.get(offer())).body.employerPercent).toBeNull();
    expect((await shop.get("/api/commuting/offers")).body.items).toEqual([]);
    const [holders] = await query("select id from transport_service where audience = 1 limit 1");
    const path = `/api/commuting/offers/${holders.id}`;
    expect((await owner.get(path)).status).toBe(404);
    expect((await owner.post(path, { employerPercent: 60 })).status).toBe(404);
    await query("update fare_product set on_sale = false");
    expect((await share(70)).body.code).toBe("commuting_no_pass");
    await query("update fare_product set on_sale = true");
  });

  test("a change is told to whoever is enrolled, and holds for what is bought from then on", async () => {
    await enrolled(60);
    const order = await begin();
    expect(order.price.totalCents).toBe(1760);
    await query("delete from notification");
    await share(60);
    expect(await titles(camille)).toEqual([]);
    await share(75);
    expect(await titles(camille)).toEqual(["La part de votre employeur change"]);
    expect((await pay(order, 1760)).body.code).toBe("price_changed");
    expect((await pay(order, 1100)).status).toBe(200);
  });
});

describe("enrolment", () => {
  test("a number that nobody has, a holder's and a stranger's are answered alike", async () => {
    await share(60);
    const answers = [];
    for (const cardnumber of [own, ...nobody]) {
      const { status, body } = await enrol(cardnumber);
      const view = { ...body, id: null, last4: null };
      answers.push({ status, ...view, invitedAt: null, expiresAt: null });
    }
    expect(answers[0]).toMatchObject({ status: 201, state: "invited", name: "Camille Moreau" });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(JSON.stringify(await listed())).not.toMatch(/1000000/);
    // Nobody is told before the job has run: the answer took no longer for a number that is known.
    expect(server.outbox).toEqual([]);
    await server.runJobs();
    expect(await titles(camille)).toEqual([
      "Ateliers Corail propose de payer une part de vos abonnements",
    ]);
    expect(server.outbox).toHaveLength(1);
  });

  test("waits among what its holder has to do, until it is answered", async () => {
    await share(60);
    const { body } = await enrol(own);
    const toDos = async () =>
      (await camille.get(`/api/home?cardnumber=${own}`)).body.toDos.filter(
        ({ kind }: { kind: string }) => kind === "employer",
      );
    expect(await toDos()).toMatchObject([
      {
        id: body.id,
        cardnumber: own,
        own: true,
        from: "Ateliers Corail",
        until: body.expiresAt,
        path: expect.stringMatching(/^\/Abonnement\/ligne\/\d+#employeur-[\da-f-]{36}$/),
      },
    ]);
    await answer(body.id, false);
    expect(await toDos()).toEqual([]);
  });

  test("refused by the digits alone, twice, or beyond the most", async () => {
    await share(60);
    expect((await enrol(1000000017)).body.code).toBe("commuting_number");
    expect((await enrol(cast.employer.cardnumber)).body.code).toBe("commuting_personal_card");
    const both = await Promise.all([enrol(own), enrol(own)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 409]));
    expect(both.find(({ status }) => status === 409)?.body.code).toBe("commuting_enrolled");
    expect(await listed()).toHaveLength(1);
    await query(
      `insert into commuting_enrolment (plan_id, state, name, cardnumber, invited_by, invited_at, expires_at)
       select p.id, 'invited', 'X', 1100000000 + n, i.invited_by, now(), now() + interval '9 days'
       from commuting_plan p, generate_series(1, 499) n, (select invited_by from commuting_enrolment limit 1) i`,
    );
    expect((await enrol(nobody[0] as number)).body.code).toBe("commuting_full");
    const first = await owner.get(`${offer()}/enrolments?limit=100`);
    const second = await owner.get(`${offer()}/enrolments?limit=100&before=${first.body.next}`);
    const ids = [...first.body.items, ...second.body.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(200);
  });

  test("the holder sees who asks and as whom; accepted, the owner is told by the name they typed", async () => {
    await share(60);
    const { body } = await enrol(own, { name: "  C. Moreau ", staffNumber: "A-12" });
    expect(await mine()).toEqual([
      expect.objectContaining({
        id: body.id,
        state: "invited",
        company: "Ateliers Corail",
        siren: "900345679",
        name: "C. Moreau",
        own: true,
        employerPercent: 60,
      }),
    ]);
    const stranger = await server.as("stranger");
    expect(await mine(stranger)).toEqual([]);
    expect((await answer(body.id, true, stranger)).status).toBe(404);
    expect((await answer(body.id, true)).body).toMatchObject({ state: "active" });
    expect((await answer(body.id, true)).status).toBe(200);
    expect((await answer(body.id, false)).body.code).toBe("commuting_state");
    const [seen] = await listed();
    expect(seen).toMatchObject({ state: "active", name: "C. Moreau", staffNumber: "A-12" });
    expect(await titles(owner)).toEqual(["Inscription acceptée"]);
    expect((await owner.get(offer())).body).toMatchObject({ active: 1, invited: 0 });
  });

  test("refused or unanswered, nothing is shared, and the number may be asked again", async () => {
    await share(60);
    const first = (await enrol(own)).body.id;
    expect((await answer(first, false)).body).toMatchObject({ state: "declined" });
    expect(await mine()).toEqual([]);
    expect((await begin()).price.employer).toBeNull();
    const second = (await enrol(own)).body.id;
    await query(
      "update commuting_enrolment set expires_at = now() - interval '1 day' where id = $1",
      second,
    );
    expect(await mine()).toEqual([]);
    expect((await answer(second, true)).body.code).toBe("commuting_state");
    expect((await listed("?show=over")).map(({ state }) => state)).toEqual(["expired", "declined"]);
    expect((await enrol(own)).status).toBe(201);
    expect((await listed("?show=running")).map(({ state }) => state)).toEqual(["invited"]);
  });

  // proves: strangers-write
  test("a number enrolled over and over is told outside once, and then refused, whoever has it", async () => {
    await share(60);
    for (const cardnumber of [own, nobody[0] as number]) {
      const answers = [];
      for (let time = 0; time <= limits.maxPerNumber; time += 1) {
        const { status, body } = await enrol(cardnumber);
        answers.push(status === 201 ? status : body.code);
        await server.runJobs();
        if (status === 201) await act(body.id, "end");
      }
      expect(answers).toEqual([201, 201, 201, "commuting_often"]);
    }
    expect(server.outbox).toHaveLength(1);
    expect(await titles(camille)).toHaveLength(limits.maxPerNumber);
    expect(await listed()).toHaveLength(2 * limits.maxPerNumber);
    await query("update commuting_enrolment set invited_at = invited_at - interval '30 days'");
    expect((await enrol(own)).status).toBe(201);
    await server.runJobs();
    expect(server.outbox).toHaveLength(2);
  });

  // proves: strangers-write
  test("resumed over and over, and the share set anew, it soon waits: each time employees are written to", async () => {
    const id = await enrolled();
    server.outbox.length = 0;
    const answers = [];
    for (let time = 0; time <= limits.resumesPerDay; time += 1) {
      expect((await act(id, "suspend")).status).toBe(200);
      answers.push((await act(id, "resume")).body);
    }
    expect(answers.at(-1)).toMatchObject({
      code: "too_many_requests",
      message: "Trop de demandes à la fois. Réessayez dans 24 h.",
    });
    expect((await listed())[0]).toMatchObject({ state: "suspended" });
    expect(server.outbox).toHaveLength(2 * limits.resumesPerDay + 1);
    server.outbox.length = 0;
    const shares = [];
    // The first was set to enrol.
    for (let time = 1; time <= limits.sharesPerDay; time += 1)
      shares.push((await share(60 + time)).status);
    expect(shares).toEqual(shares.map((_, time) => (time < limits.sharesPerDay - 1 ? 200 : 429)));
    expect(server.outbox).toHaveLength(limits.sharesPerDay - 1);
  });

  test("one employer at a time; a guardian answers for a child", async () => {
    await enrolled();
    const shop = await server.as("partnerShop");
    await shop.post(offer(), { employerPercent: 50 });
    const { body } = await enrol(own, {}, shop);
    expect((await answer(body.id, true)).body.code).toBe("commuting_other");
    expect((await mine()).map(({ state }) => state)).toEqual(["invited", "active"]);
    const child = await enrol(cast.child.cardnumber, { name: "Léo" });
    expect((await answer(child.body.id, true)).body).toMatchObject({ own: false, state: "active" });
    expect((await mine(await server.as("child"))).map(({ own: o }) => o)).toEqual([true]);
  });

  test("suspended, resumed and ended by the owner alone; the employee is told each time", async () => {
    const id = await enrolled();
    await query("delete from notification");
    const shop = await server.as("partnerShop");
    expect((await act(id, "suspend", shop)).status).toBe(404);
    await as("accountant", async () => {
      expect((await act(id, "end")).body.code).toBe("company_role");
    });
    expect((await act(id, "resume")).body.code).toBe("commuting_state");
    expect((await act(id, "suspend")).body).toMatchObject({ state: "suspended" });
    expect((await act(id, "suspend")).body.code).toBe("commuting_state");
    expect((await begin()).price).toMatchObject({ employer: null, totalCents: 4400 });
    expect((await act(id, "resume")).body).toMatchObject({ state: "active" });
    expect((await begin()).price.totalCents).toBe(1760);
    expect((await act(id, "end")).body).toMatchObject({ state: "ended", endedBy: "company" });
    expect((await act(id, "end")).body.code).toBe("commuting_state");
    expect((await begin()).price.employer).toBeNull();
    expect(await mine()).toEqual([]);
    expect(await titles(camille)).toEqual([
      "Votre employeur ne paie plus vos abonnements",
      "La part de votre employeur reprend",
      "La part de votre employeur est suspendue",
    ]);
  });

  test("withdrawn before its answer, and left by the employee", async () => {
    await share(60);
    const enrolmentId = (await enrol(own)).body.id;
    expect((await act(enrolmentId, "end")).body).toMatchObject({ state: "withdrawn" });
    expect((await answer(enrolmentId, true)).body.code).toBe("commuting_state");
    const id = await enrolled();
    const leave = (client: Client) => client.post(`/api/commuting/mine/${id}/leave`);
    expect((await leave(await server.as("stranger"))).status).toBe(404);
    expect((await leave(camille)).body).toMatchObject({ state: "ended" });
    expect((await leave(camille)).body.code).toBe("commuting_state");
    expect((await listed())[0]).toMatchObject({ state: "ended", endedBy: "holder" });
    expect((await titles(owner))[0]).toBe("Inscription terminée par le salarié");
  });

  test("a guardian whose tie ends meanwhile answers no more; nobody else waits for the enrolment", async () => {
    await share(60);
    const { body } = await enrol(cast.child.cardnumber, { name: "Léo" });
    const hold = (held: Queries) => held.query("select from commuting_enrolment for update");
    const former = await whileHeld(
      server,
      hold,
      () => answer(body.id, true),
      (held) => untie(held, "guardian", "child"),
    );
    await tieAgain(server.owner.pool, "guardian", "child");
    expect([former.answer.status, former.waited]).toEqual([404, true]);
    const [stranger, shop] = [await server.as("stranger"), await server.as("partnerShop")];
    const calls = [
      () => answer(body.id, true, stranger),
      () => stranger.post(`/api/commuting/mine/${body.id}/leave`),
      () => act(body.id, "end", shop),
    ];
    for (const call of calls) {
      const { answer: refused, waited } = await whileHeld(server, hold, call);
      expect([refused.status, waited]).toEqual([404, false]);
    }
    expect(await listed()).toMatchObject([{ state: "invited" }]);
  });
});

describe("a purchase", () => {
  test("the employee pays their part, the employer owes the rest, the network has the whole", async () => {
    const id = await enrolled(60);
    const [money, owed, network] = [
      await balance(),
      await account("employers"),
      await account("transport"),
    ];
    const offers = await camille.get(
      `/api/fares/${(await camille.get("/api/fares")).body.items[0].idgroup}?cardnumber=${own}`,
    );
    expect(
      offers.body.items.map(({ id: product, price }: any) => [product, price.totalCents]),
    ).toEqual([
      ["lagon-ticket", 170],
      ["lagon-jour", 480],
      ["lagon-mois", 1760],
      ["lagon-an", 17_600],
    ]);
    const order = await begin();
    expect(order.price).toMatchObject({
      cents: 4400,
      employer: { name: "Ateliers Corail", percent: 60, cents: 2640, enrolment: id },
      totalCents: 1760,
    });
    expect((await pay(order, 4400)).body.code).toBe("price_changed");
    expect((await pay(order, 1760)).status).toBe(200);
    expect((await pay(order, 1760)).status).toBe(200);
    expect(await balance()).toBe(money - 1760);
    expect(await account("employers")).toBe(owed - 2640);
    expect(await account("transport")).toBe(network + 4400);
    const [pass] = (await camille.get(`/api/passes?cardnumber=${own}`)).body.items;
    expect(pass.employer).toEqual({ name: "Ateliers Corail", cents: 2640, ownCents: 1760 });
    expect((await listed())[0]).toMatchObject({ lastPass: { name: "Mensuel" } });
  });

  test("the whole price paid by the employer: nothing is asked of the wallet", async () => {
    await enrolled(100);
    const money = await balance();
    const order = await begin();
    expect((await pay(order, 0)).status).toBe(200);
    expect(await balance()).toBe(money);
    expect(await query("select 1 from transfer where key = $1", `pass:${order.id}`)).toEqual([]);
  });

  test("no share of a single ticket, nor of a second pass for the same days", async () => {
    await enrolled(60);
    expect(
      (await camille.post("/api/passes/orders", { product: "lagon-ticket", cardnumber: own })).body
        .price,
    ).toMatchObject({ employer: null, totalCents: 170 });
    await pay(await begin(), 1760);
    const today = parisDay(server.deps.now());
    expect((await begin("lagon-an", today)).price.employer).toBeNull();
    const after = await begin("lagon-mois", firstOfMonth(today, 1));
    expect(after.price.employer).toMatchObject({ cents: 2640 });
  });

  test("two passes being paid at once: one bears the share, of two that were promised one is booked", async () => {
    await enrolled(60);
    const today = parisDay(server.deps.now());
    const first = await begin();
    expect((await pay(first, 1760, "provider")).body.order.state).toBe("awaiting_payment");
    expect((await begin("lagon-an", today)).price.employer).toBeNull();
    const set = (state: string) =>
      query("update pass_order set state = $2 where id = $1", first.id, state);
    await set("draft");
    const second = await begin("lagon-an", today);
    expect((await pay(second, 17_600, "provider")).body.order.state).toBe("awaiting_payment");
    await set("awaiting_payment");
    await query("update sandbox_charge set state = 'succeeded' where state = 'open'");
    await query("update top_up set created_at = created_at - interval '3 minutes'");
    const before = await balance();
    await paymentTasks(server.deps).reconcile_payments();
    expect(await query("select count(*)::int as shares from commuting_purchase")).toEqual([
      { shares: 1 },
    ]);
    const settled = await query(
      "select order_outcome as outcome, amount_cents::int as cents from top_up where order_id = any ($1)",
      [first.id, second.id],
    );
    expect(new Set(settled.map(({ outcome }) => outcome))).toEqual(
      new Set(["unapplied", "settled"]),
    );
    const unappliedTopUp = settled.find(({ outcome }) => outcome === "unapplied");
    expect(await balance()).toBe(before + unappliedTopUp?.cents);
  });

  test("of a payment under way the share stays as it was promised", async () => {
    const id = await enrolled(60);
    const order = await begin();
    const { body } = await pay(order, 1760, "provider");
    expect(body.order.state).toBe("awaiting_payment");
    await act(id, "end");
    const { body: waiting } = await camille.get(`/api/passes/orders/${order.id}`);
    expect(waiting.price.totalCents).toBe(1760);
    await camille.post(`/api/passes/orders/${order.id}/cancel`);
    expect(await query("select 1 from commuting_purchase")).toEqual([]);
  });

  test("an end at the same moment: the pass bears the share, or the price has changed", async () => {
    const id = await enrolled(60);
    const order = await begin();
    const [paid] = await Promise.all([pay(order, 1760), act(id, "end")]);
    const shares = await query("select employer_cents from commuting_purchase");
    if (paid.status === 200) expect(shares).toEqual([{ employer_cents: 2640 }]);
    else {
      expect(paid.body.code).toBe("price_changed");
      expect(shares).toEqual([]);
    }
  });
});

describe("the invoice of a month", () => {
  const bill = () => invoiceMonths(server.deps);
  const invoices = () =>
    query(
      `select i.id, i.total_cents, i.vat_cents, i.content->'lines' as lines from invoice i
       join commuting_statement s on s.id::text = i.subject_id where i.subject_kind = 'commuting'`,
    );
  /** Puts the purchases of this test into the month before. */
  const monthAgo = () =>
    query("update commuting_purchase set bought_at = bought_at - interval '1 month'");
  afterEach(() => query("delete from commuting_purchase; delete from commuting_statement"));

  test("once a month is over, once, with VAT, to the cent of the shares; its payment settles them", async () => {
    await enrolled(60);
    await pay(await begin(), 1760);
    await bill();
    expect(await invoices()).toEqual([]);
    await monthAgo();
    await Promise.all([bill(), bill()]);
    const made = await invoices();
    expect(made).toMatchObject([{ total_cents: 2640, vat_cents: 240 }]);
    expect(made[0].lines[0].label).toMatch(/^Part employeur, Mensuel, 1 titre, /);
    const owed = await account("employers");
    await inTx(server.deps.db, (tx) =>
      settleInvoice(tx, {
        invoiceId: made[0].id,
        amountCents: 2000,
        by: "transfer",
        reference: "VIR-1",
        at: new Date(),
      }),
    );
    await clearPaidMonths(server.deps);
    await clearPaidMonths(server.deps);
    expect(await account("employers")).toBe(owed + 2000);
  });

  test("without an issuer the month stays open for the next night, and nothing is lost", async () => {
    await enrolled(75);
    await pay(await begin(), 1100);
    await monthAgo();
    const { issuer } = server.deps.config;
    server.deps.config.issuer = null;
    await expect(bill()).rejects.toThrow();
    expect(await query("select 1 from commuting_statement")).toEqual([]);
    server.deps.config.issuer = issuer;
    await bill();
    expect(await invoices()).toMatchObject([{ total_cents: 3300 }]);
  });

  test("a company whose month cannot be invoiced keeps no other waiting", async () => {
    await enrolled(60);
    await pay(await begin(), 1760);
    await monthAgo();
    // Another employer, read before this one, has an invoice of the month already, and a purchase in it.
    const [other, enrolment, order] = Array.from({ length: 3 }, () => randomUUID());
    const employer = `00000000${other?.slice(8)}`;
    await query(
      `insert into company (id, name, street, postcode, town, created_at)
       values ($1, 'Autre employeur', '1 rue du Port', '35400', 'Saint-Malo', now())`,
      employer,
    );
    await query(
      `with plan as (
         insert into commuting_plan (company_id, service_id, employer_percent, opened_at, changed_at)
         select $1, service_id, employer_percent, opened_at, changed_at from commuting_plan returning id)
       insert into commuting_enrolment
         (id, plan_id, state, name, cardnumber, holder_id, invited_by, invited_at, expires_at, ended_at)
       select $2, plan.id, 'ended', name, cardnumber, holder_id, invited_by, invited_at, expires_at, now()
       from commuting_enrolment, plan`,
      employer,
      enrolment,
    );
    await query(
      `insert into pass_order overriding system value select (jsonb_populate_record(o,
         jsonb_build_object('id', $1::uuid, 'number', o.number + 1000000))).* from pass_order o`,
      order,
    );
    await query(
      `insert into commuting_purchase overriding system value select (jsonb_populate_record(b,
         jsonb_build_object('order_id', $1::uuid, 'number', b.number + 1000000, 'enrolment_id', $2::uuid))).*
       from commuting_purchase b`,
      order,
      enrolment,
    );
    await query(
      `insert into commuting_statement (company_id, month, purchases, employer_cents, issued_at)
       select $1, date_trunc('month', paris_day(bought_at)), 1, 0, now()
       from commuting_purchase where enrolment_id = $2`,
      employer,
      enrolment,
    );
    await expect(invoiceMonths(server.deps, { atOnce: 1 })).rejects.toThrow("left open");
    expect(await invoices()).toMatchObject([{ total_cents: 2640 }]);
  });

  test("a total that no amount with VAT reaches leaves its cent to the next month", () => {
    for (let total = 1; total < 3000; total += 1) {
      const { withVatCents } = netOf(total, true);
      expect([total, total - 1]).toContain(withVatCents);
      expect(netOf(total, false)).toEqual({ cents: total, withVatCents: total });
    }
  });
});

describe("payroll", () => {
  const payroll = async (at: string) =>
    (await owner.get(`${offer()}/payroll?month=${at}`)).body as Record<string, any>;

  test("a month's pass counts in its month, a year's for a twelfth in each of twelve", async () => {
    await enrolled(75);
    const today = parisDay(server.deps.now());
    await query("update fare_product set price_cents = 10007 where id = 'lagon-an'");
    const order = await begin("lagon-an", today);
    expect(order.price).toMatchObject({ employer: { cents: 7506 }, totalCents: 2501 });
    expect((await pay(order, 2501)).status).toBe(200);
    const months = Array.from({ length: 14 }, (_, n) => firstOfMonth(today, n - 1).slice(0, 7));
    const lists = await Promise.all(months.map(payroll));
    expect(lists.map(({ lines }) => lines)).toEqual([0, ...Array<number>(12).fill(1), 0]);
    const sum = (key: string) => lists.reduce((total, list) => total + Number(list[key]), 0);
    expect([sum("monthPriceCents"), sum("monthEmployerCents")]).toEqual([10_007, 7506]);
    expect(lists[1]?.items[0]).toMatchObject({
      name: "Camille Moreau",
      pass: "Annuel",
      employerPercent: 75,
      firstDay: today,
      lastDay: addDays(`${Number(today.slice(0, 4)) + 1}${today.slice(4)}`, -1),
    });
    await putBack();
  });

  test("the file: one line each, what is exempt, and no cell starts a formula", async () => {
    await share(100);
    const { body } = await enrol(own, { name: "=cmd()|x", staffNumber: "+33" });
    await answer(body.id, true);
    await pay(await begin(), 0);
    const { status, text, headers } = await owner.get(`${offer()}/payroll.csv?month=${month()}`);
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toContain(`transport-paie-${month()}.csv`);
    const lines = text.replace("\uFEFF", "").trim().split("\r\n");
    expect(lines).toHaveLength(2);
    const exempt = month().startsWith("2026") ? "33,00" : "22,00";
    expect(lines[1]).toMatch(
      new RegExp(
        `^${month()};'\\+33;'=cmd\\(\\)\\|x;Mensuel;.*;44,00;44,00;100;44,00;44,00;${exempt};0,00$`,
      ),
    );
    expect(text).not.toMatch(/1000000016|ligne|trajet|arrêt/i);
    await as("accountant", async () => {
      expect((await owner.get(`${offer()}/payroll.csv?month=${month()}`)).status).toBe(200);
    });
    const shop = await server.as("partnerShop");
    expect((await shop.get(`${offer()}/payroll?month=${month()}`)).body.lines).toBe(0);
    for (const wrong of ["2026-13", "26-01", "", "2026-1"])
      expect((await owner.get(`${offer()}/payroll?month=${wrong}`)).status).toBe(400);
  });

  const putBack = () => inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
});

test("holders and professionals are kept apart, and a number without a company has nothing", async () => {
  expect((await camille.get(offer())).status).toBe(403);
  expect((await owner.get("/api/commuting/mine")).status).toBe(403);
  const name: CastName = "employer";
  const where = `where person_id = (select person_id from card where number = ${cast[name].cardnumber})`;
  const [row] = await query(`select * from company_member ${where}`);
  await query(`delete from company_member ${where}`);
  expect((await owner.get(offer())).body.code).toBe("company_missing");
  await query(
    "insert into company_member (person_id, company_id, roles, since) select ($1::jsonb->>'person_id')::bigint, ($1::jsonb->>'company_id')::uuid, array(select jsonb_array_elements_text($1::jsonb->'roles')), ($1::jsonb->>'since')::timestamptz",
    JSON.stringify(row),
  );
});

describe("the operator", () => {
  const operate = (name: string, ...args: string[]) => {
    const command = commutingCommands.find((one) => one.name === name);
    if (!command) throw new Error(name);
    return command.run(server.deps, args, "camille");
  };

  test("lists who pays, shows a company, and ends an enrolment with a reason that both read", async () => {
    await enrolled(60);
    const all = (await operate("commuting list")).lines.join("\n");
    expect(all).toContain("Ateliers Corail  Abonnement des salariés  60\u202f%  1 salarié");
    const output = await operate("commuting show", String(cast.employer.cardnumber));
    const [, line = ""] = output.lines;
    expect(line).toMatch(/carte …\d{4} {2}En cours/);
    const number = line.trim().split(" ")[0] ?? "";
    expect((await operate("commuting show", String(own))).ok).toBe(false);
    expect((await operate("commuting end", number, " ")).ok).toBe(false);
    expect((await operate("commuting end", "999999", "Erreur")).ok).toBe(false);
    expect((await operate("commuting resume", number, "Erreur")).ok).toBe(false);
    expect((await listed())[0]).toMatchObject({ state: "active" });

    await query("delete from notification");
    const said = "Contrat rompu, dit l’entreprise";
    expect((await operate("commuting suspend", number, said)).ok).toBe(true);
    expect((await listed())[0]).toMatchObject({ state: "suspended" });
    expect(await titles(camille)).toEqual(["La part de votre employeur est suspendue"]);
    expect(await titles(owner)).toEqual(["Inscription suspendue par Ma carte"]);
    const ended = await operate("commuting end", number, said);
    expect(ended.lines.join()).toContain("Terminée");
    expect((await listed())[0]).toMatchObject({ state: "ended", endedBy: null });
    expect((await begin()).price.employer).toBeNull();
    const [trail] = await query(
      "select actor, details from audit where action = 'commuting.end' order by id desc limit 1",
    );
    expect(trail).toMatchObject({ actor: "operator:camille", details: { why: said } });
  });
});
