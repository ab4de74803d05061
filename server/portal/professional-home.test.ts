// GET /api/home/professional: a professional's day from their company, and what a role may not read.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CompanyRole } from "#contract/companies/roles.ts";
import { addDays, instantOfParis, startOfWeek, todayInParis, weekDays } from "#contract/days.ts";
import { placeMeal, makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { makeEvent } from "#tests/events.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { calendarOf } from "../kitchen/service-days.ts";
import { contactCommands } from "../contact/operator.ts";

const calendar = calendarOf({
  kind: "school",
  zone: "B",
  alsaceMoselle: false,
  weekdays: 31,
  closings: [],
});
/** The next Monday whose five days and the Monday after are all days of service. */
const day = (() => {
  for (let monday = addDays(startOfWeek(todayInParis()), 7); ; monday = addDays(monday, 7)) {
    const days = [...weekDays(monday).slice(0, 5), addDays(monday, 7)];
    if (days.every((one) => calendar.closedWhy(one) === null)) return monday;
  }
})();
const month = day.slice(0, 7);
let server: TestServer;
let made: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  goTo("08:00");
});
afterAll(() => server.close());

/** Moves the clock of the server to an hour of the day (Paris); sessions opened before may have ended. */
const goTo = (time: string) =>
  server.clock.advance(instantOfParis(day, time).getTime() - server.clock.now().getTime());

const query = (text: string, ...values: unknown[]) => server.deps.pool.query(text, values);
const personOf = async (name: CastName): Promise<number> =>
  (await query("select person_id as id from card where number = $1", cast[name].cardnumber)).rows[0]
    .id;
const homeOf = async (name: CastName) =>
  (await (await server.as(name)).get("/api/home/professional")).body;
/** Makes a person of the provider's company with a role, as the operator writes it. */
const joins = async (name: CastName, ...roles: CompanyRole[]) =>
  await query(
    `update company_member m set roles = $3, company_id = (select company_id from company_member
       where person_id = $2) where m.person_id = $1`,
    await personOf(name),
    await personOf("canteenProvider"),
    roles,
  );

test("a professional whose company has nothing here reads an empty day, a holder is refused", async () => {
  expect(await homeOf("partnerShop")).toEqual({
    company: { name: cast.partnerShop.name, roles: ["owner"] },
    sheets: [],
    canteen: null,
    grants: null,
    sessions: [],
    runsNetwork: false,
    toDos: [],
    firstSteps: [],
    scans: [],
  });
  await query("delete from company_member where person_id = $1", await personOf("employer"));
  expect((await homeOf("employer")).company).toBeNull();
  const refused = await (await server.as("guardian")).get("/api/home/professional");
  expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
});

describe("of a provider", () => {
  beforeAll(async () => {
    made = await makeCanteen(server, { needsValidation: true });
  });

  test("the service of today until its last hour, then the next one", async () => {
    const first = await placeMeal(server, { registration: made.registrations.child, day });
    await placeMeal(server, { registration: made.registrations.secondChild, day });
    const { canteen } = await homeOf("canteenProvider");
    expect(canteen.day).toBe(day);
    expect(canteen.services).toEqual([
      {
        canteen: made.id,
        name: "École des Embruns",
        servesFrom: "11:45",
        servesUntil: "13:30",
        ordered: 2,
        served: 0,
        walkIns: 0,
        toValidate: 2,
        orderUntil: instantOfParis(addDays(day, -1), "10:00").toISOString(),
      },
    ]);
    const provider = await server.as("canteenProvider");
    const validated = await provider.post(`/api/canteen/own/${made.id}/meals/validate`, {
      orders: [first],
    });
    expect(validated.status, validated.text).toBe(200);
    goTo("13:31");
    expect((await homeOf("canteenProvider")).canteen.day).toBe(addDays(day, 1));
    goTo("12:00");
  });

  test("what the desk has to do is counted by canteen, the most pressing first, and goes once done", async () => {
    await query(
      `update canteen_registration set state = 'requested', answered_at = null where id = $1`,
      made.registrations.child,
    );
    await query(
      `insert into meal_illness (registration_id, from_on, to_on, declared_by, declared_at, state, sent_at)
       select id, $2, $2, requested_by, $3, 'sent', $3 from canteen_registration where id = $1`,
      made.registrations.secondChild,
      day,
      server.clock.now(),
    );
    const kinds = async () =>
      (await homeOf("canteenProvider")).toDos.map(
        ({ kind, what, count, day: on }: Record<string, unknown>) => [kind, what, count, on],
      );
    const name = "École des Embruns";
    const before = await kinds();
    expect(before).toEqual([
      ["meals_to_validate", name, expect.any(Number), day],
      ["registrations", name, 1, null],
      ["certificates", name, 1, null],
      // From tomorrow: four days of this week and the next Monday.
      ["menus_missing", null, 5, addDays(day, 1)],
    ]);
    await query(
      "insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, $3), ($1, $4, null)",
      made.providerId,
      addDays(day, 1),
      server.clock.now(),
      addDays(day, 2),
    );
    await query("update meal_order set state = 'validated' where state = 'reserved'");
    await query("update meal_illness set state = 'accepted'");
    await query(
      "update canteen_registration set state = 'accepted' where id = $1",
      made.registrations.child,
    );
    // Families do not see a menu that is not published yet.
    expect(await kinds()).toEqual([["menus_missing", null, 4, addDays(day, 2)]]);
  });

  test("the last scans say who, what was told and in what the server differs", async () => {
    const scan = (at: string, more: Record<string, unknown>) => ({
      id: randomUUID(),
      day,
      at: instantOfParis(day, at).toISOString(),
      registration: made.registrations.child,
      ...more,
    });
    goTo("12:30");
    const scans = [scan("12:01", { verdict: "served" }), scan("12:20", { verdict: "served" })];
    const provider = await server.as("canteenProvider");
    const sent = await provider.post(`/api/canteen/${made.id}/scans`, { scans });
    expect(sent.status, sent.text).toBe(200);
    const home = await homeOf("canteenProvider");
    expect(
      home.scans.map((one: Record<string, unknown>) => [
        one["name"],
        one["verdict"],
        one["conflict"],
      ]),
    ).toEqual([
      [cast.child.name, "already", "served_elsewhere"],
      [cast.child.name, "served", null],
    ]);
    expect(home.canteen.services[0]).toMatchObject({ ordered: 2, served: 1, walkIns: 0 });
    // A person whom the provider does not know shows their card: neither home page nor counter names them.
    const [{ id: card }] = (
      await query("select object_id as id from card where number = $1", cast.partnerShop.cardnumber)
    ).rows;
    const unknown = { id: randomUUID(), day, at: instantOfParis(day, "12:25").toISOString() };
    await provider.post(`/api/canteen/${made.id}/scans`, {
      scans: [{ ...unknown, verdict: "unregistered", card }],
    });
    expect((await homeOf("canteenProvider")).scans[0]).toMatchObject({
      name: null,
      verdict: "unregistered",
    });
    // Served in the follow-up list, without the counter.
    await query(
      `update meal_order set state = 'served', served_at = $1 where state = 'validated'`,
      instantOfParis(day, "12:29"),
    );
    expect((await homeOf("canteenProvider")).scans[0]).toMatchObject({
      name: cast.secondChild.name,
      where: "École des Embruns",
      verdict: "served",
    });
  });

  // proves: cashier-view
  test("a colleague reads the part of the day that their roles open", async () => {
    const kinds = (home: { toDos: { kind: string }[] }) => home.toDos.map(({ kind }) => kind);
    const whole = await homeOf("canteenProvider");
    await joins("partnerShop", "counter");
    const counter = await homeOf("partnerShop");
    expect(counter.canteen).toEqual({ ...whole.canteen, next: null });
    expect(counter.scans).toEqual(whole.scans);
    expect(kinds(whole)).toEqual(["scan_conflicts", "menus_missing"]);
    expect(kinds(counter)).toEqual(["scan_conflicts"]);
    await joins("partnerShop", "kitchen");
    const kitchen = await homeOf("partnerShop");
    expect(kitchen.canteen).toEqual(whole.canteen);
    expect(kitchen.canteen.next.day > kitchen.canteen.day).toBe(true);
    expect(kitchen.scans).toEqual([]);
    expect(kinds(kitchen)).toEqual(["menus_missing"]);
    await joins("partnerShop", "counter", "kitchen");
    expect(await homeOf("partnerShop")).toMatchObject({
      canteen: whole.canteen,
      scans: whole.scans,
    });
    await joins("partnerShop", "cashier");
    const home = await homeOf("partnerShop");
    expect(home.company).toEqual({ name: cast.canteenProvider.name, roles: ["cashier"] });
    expect(home).toMatchObject({ canteen: null, scans: [], toDos: [] });
  });

  test("dishes without declared allergens wait for who cooks", async () => {
    await joins("partnerShop", "kitchen");
    const allergenToDos = async () =>
      (await homeOf("partnerShop")).toDos.filter(
        ({ kind }: { kind: string }) => kind === "allergens_undeclared",
      );
    expect(await allergenToDos()).toEqual([]);
    const soon = addDays(todayInParis(server.deps.now()), 2);
    const desk = await server.as("canteenProvider");
    const dish = { course: "main", name: "Gratin", labels: [], diets: [], priceCents: null };
    const written = await desk.post("/api/canteen/menus", {
      day: soon,
      note: "",
      dishes: [
        { ...dish, allergens: null },
        { ...dish, name: "Purée", allergens: [] },
      ],
    });
    expect(written.status, written.text).toBe(200);
    expect(await allergenToDos()).toEqual([
      { kind: "allergens_undeclared", id: soon, what: null, count: 1, day: soon },
    ]);
    await query("delete from canteen_dish");
    await query("delete from canteen_menu");
    expect(await allergenToDos()).toEqual([]);
  });

  // proves: cashier-view
  test("a cashier reads no statement, an accountant does", async () => {
    await joins("partnerShop", "cashier");
    for (const path of ["/api/canteen/statement", "/api/canteen/statement.csv"]) {
      const refused = await (await server.as("partnerShop")).get(`${path}?month=${month}`);
      expect([refused.status, refused.body.code]).toEqual([403, "company_role"]);
    }
    await joins("partnerShop", "accountant");
    const shop = await server.as("partnerShop");
    expect((await shop.get(`/api/canteen/statement?month=${month}`)).status).toBe(200);
  });
});

test("sheets of the company with whether they are open, and why one is frozen", async () => {
  const { partner } = await furnishDirectory(server.deps);
  await query(
    `update partner set company_id = (select company_id from company_member where person_id = $1)
     where id = $2`,
    await personOf("canteenProvider"),
    partner,
  );
  const sheetsOf = async () =>
    (await homeOf("canteenProvider")).sheets.find(({ id }: { id: string }) => id === partner);
  const sheet = (await (await server.as("guardian")).get(`/api/partners/${partner}`)).body;
  expect(await sheetsOf()).toMatchObject({
    name: sheet.name,
    category: sheet.category.name,
    listed: true,
    opening: sheet.opening,
  });
  await query(
    "update partner set frozen_at = now(), frozen_why = 'Contrat terminé.' where id = $1",
    partner,
  );
  expect((await sheetsOf()).listed).toBe(false);
  expect((await homeOf("canteenProvider")).toDos[0]).toMatchObject({
    kind: "sheet_frozen",
    what: `${sheet.name}\u202f: Contrat terminé.`,
  });
  await query("update partner set frozen_at = null, frozen_why = null");
});

test("sessions to come with what is sold and admitted; an answer of the service until it is read", async () => {
  const event = await makeEvent(server, { categories: [{ name: "Gratuit", priceCents: 0 }] });
  await query(
    "update ticket_event set company_id = (select company_id from company_member where person_id = $1) where id = $2",
    await personOf("canteenProvider"),
    event.id,
  );
  const guardian = await server.as("guardian");
  const { cardnumber } = cast.guardian;
  const wallets = await guardian.get(`/api/wallets?cardnumber=${cardnumber}`);
  const seat = { session: event.session, category: event.full, cardnumber, quantity: 1 };
  const order = (await guardian.post("/api/tickets/cart/lines", seat)).body.cart.id;
  const [held] = (await homeOf("canteenProvider")).sessions;
  expect(held).toMatchObject({ session: event.session, sold: 0, admitted: 0 });
  await guardian.post("/api/tickets/cart/pay", {
    order,
    objectID: wallets.body.items[0].objectID,
    totalCents: 0,
    method: "wallet",
  });
  expect((await homeOf("canteenProvider")).sessions[0]).toMatchObject({ sold: 1, admitted: 0 });
  await query("update ticket set state = 'used', used_at = $1", instantOfParis(day, "23:00"));
  const home = await homeOf("canteenProvider");
  expect(home.sessions[0]).toMatchObject({ sold: 1, admitted: 1 });
  expect(home.scans[0]).toMatchObject({ kind: "ticket", name: cast.guardian.name });

  const response = await (
    await server.as("canteenProvider")
  ).post("/api/contact", {
    topic: "partner",
    subject: "Un restaurant de plus",
    text: "Bonjour, nous ouvrons un restaurant.",
  });
  const answers = async () =>
    (await homeOf("canteenProvider")).toDos.filter(
      ({ kind }: { kind: string }) => kind === "answer",
    );
  expect(await answers()).toEqual([]);
  await contactCommands
    .find(({ name }) => name === "contact answer")
    ?.run(server.deps, [String(response.body.number), "Bonjour, c’est noté."], "test");
  expect(await answers()).toMatchObject([{ id: response.body.id, what: "Un restaurant de plus" }]);
});

test("a transfer that a grant waits for is to be made, for who sees the company's money", async () => {
  const employer = await personOf("employer");
  await query("delete from company_member where person_id = $1", employer);
  const { rows } = await query(
    `with opened as (
       insert into company (siren, siret, name, street, postcode, town, created_at)
       values ('900345679', '90034567900022', 'Corail Transport', 'rue A', '35400', 'Ville', now())
       on conflict (siren) do update set name = company.name returning id),
     joined as (
       insert into company_member (person_id, company_id, roles, since)
       select $1, id, '{owner}', now() from opened)
     insert into company_grant (company_id, person_id, group_id, label, expires_on, total_cents,
       created_at, state, reference, transfer_requested_at)
     select id, $1, 1, 'Repas', paris_day(now()) + 30, 7500, now(), 'awaiting', 'RF00D000001', now()
     from opened returning id`,
    employer,
  );
  const due = async () =>
    (await homeOf("employer")).toDos.filter(({ kind }: { kind: string }) => kind === "grants_due");
  expect(await due()).toEqual([
    {
      kind: "grants_due",
      id: rows[0].id,
      what: expect.stringMatching(/^75,00\s€$/u),
      count: 1,
      day: null,
    },
  ]);
  await query("update company_member set roles = '{cashier}' where person_id = $1", employer);
  expect(await due()).toEqual([]);
  await query("update company_member set roles = '{accountant}' where person_id = $1", employer);
  expect(await due()).toHaveLength(1);
  await query("delete from company_grant");
  expect(await due()).toEqual([]);
});

test("an owner's first steps tick themselves and go with the last; nobody else has them", async () => {
  const { partner } = await furnishDirectory(server.deps);
  const shop = await personOf("partnerShop");
  await query(
    `with opened as (insert into company (name, street, postcode, town, created_at)
       values ('Débuts', '1 quai', '35400', 'Port-Lagune', now()) returning id)
     update company_member m set company_id = opened.id, roles = '{owner}' from opened
       where m.person_id = $1`,
    shop,
  );
  const own = "(select company_id from company_member where person_id = $1)";
  await query(
    `update partner set company_id = ${own}, description = name where id = $2`,
    shop,
    partner,
  );
  await query("delete from partner_hours where partner_id = $1", partner);
  const steps = async () =>
    (await homeOf("partnerShop")).firstSteps.map(
      ({ kind, done }: { kind: string; done: boolean }) => `${kind} ${done}`,
    );
  expect(await steps()).toEqual(["bank false", "sheet false", "sale false"]);
  await query(`update company_member set roles = '{accountant}' where person_id = $1`, shop);
  expect(await steps()).toEqual([]);
  await query(`update company_member set roles = '{owner}' where person_id = $1`, shop);
  await query(
    `insert into company_bank_account (company_id, iban, holder_name, requested_by, requested_at, frozen_until)
     values (${own}, 'FR7630006000011234567890189', 'Débuts', $1, now() - interval '9 days', now())`,
    shop,
  );
  expect(await steps()).toEqual(["bank true", "sheet false", "sale false"]);
  await query("update partner set description = 'Livres et jeux.' where id = $1", partner);
  expect(await steps()).toEqual(["bank true", "sheet true", "sale false"]);
  const { token } = (
    await (await server.as("guardian")).get(`/api/cards/${cast.guardian.cardnumber}/qr`)
  ).body;
  const wallets = await (
    await server.as("guardian")
  ).get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  await leaveToSpend(server, wallets.body.items[0].objectID, 5000);
  const sale = await (
    await server.as("partnerShop")
  ).post("/api/till/sales", { id: randomUUID(), partner, amountCents: 100, token });
  expect([sale.status, sale.body.state], sale.text).toEqual([200, "paid"]);
  expect(await steps()).toEqual([]);
});
