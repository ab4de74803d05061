// Ordering meals as a family: registering, choosing, setting the money aside, cancelling; deadlines, seats
// and other people's children.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closePastMeals } from "#server/meal-service/day-end.ts";
import { keepHealth } from "#server/allergies/allergies.ts";
import { addDays, startOfWeek, todayInParis, weekdayOf } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { paymentTasks } from "#server/payments/payments.ts";
import { cast } from "#tests/cast.ts";
import { farMonday, makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { countStatements } from "#tests/statement-count.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
let canteen: MadeCanteen;
// Of the staff kind: open on every working day, whatever day the test runs.
beforeAll(async () => {
  server = await openTestServer();
  canteen = await makeCanteen(server, { kind: "staff", classes: [], seats: 3 });
});
beforeEach(async () => {
  server.deps.config.codeFromCents = 1_000_000;
  [camille, hugo] = await Promise.all([server.as("guardian"), server.as("stranger")]);
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

let used = 2;
/** A working day that no other test has ordered on. */
const freshDay = () => workingDaysAfter(todayInParis(server.deps.now()), (used += 1));
const own: number = cast.guardian.cardnumber;
const mainOf = async () => (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0];
const child = () => canteen.registrations.child;
const choose = (meals: { registration: string; day: string }[], more = {}) =>
  camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals,
    chosen: true,
    ...more,
  });
const drop = () => camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
const payFrom = async (request: any, more = {}) =>
  await camille.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID: (await mainOf()).objectID,
    ...more,
  });
const order = async (days: string[], registration = child()) => {
  const chosen = await choose(days.map((day) => ({ registration, day })));
  expect(chosen.status, chosen.text).toBe(200);
  const paid = await payFrom(chosen.body.request);
  expect(paid.status, paid.text).toBe(200);
  return await comingOn(days);
};
/** All pages: the meals of the tests before fill the first. */
const coming = async (after = ""): Promise<any[]> => {
  const { items, next } = (await camille.get(`/api/canteen/orders?when=coming${after}`)).body;
  return next === null ? items : [...items, ...(await coming(`&after=${next}`))];
};
const comingOn = async (days: string[]) =>
  (await coming()).filter(({ day }: { day: string }) => days.includes(day));
const cellOf = async (day: string, registration = child()) => {
  const week = await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`);
  expect(week.status, week.text).toBe(200);
  const person = week.body.people.find((one: any) => one.registration === registration);
  return person.cells.find((cell: any) => cell.day === day);
};

describe("ordering", () => {
  test("a meal that is paid is set aside, not spent: the balance stays, what can be spent falls", async () => {
    const before = await mainOf();
    const day = freshDay();
    const [meal] = await order([day]);
    expect(meal).toMatchObject({ day, state: "reserved", priceCents: 345, canCancel: true });
    const after = await mainOf();
    expect(after.balanceCents).toBe(before.balanceCents);
    expect(after.projectedCents).toBe(before.projectedCents - 345);
    expect(await cellOf(day)).toMatchObject({ order: { state: "reserved" }, chosen: false });
    const mail = server.outbox.findLast(({ subject }) => subject === "Repas commandés");
    expect(mail?.body).toMatch(/Mis de côté sur Cagnotte principale, Camille Moreau/);
  });

  test("a frozen provider takes no order, what is ordered stays, and strangers do not see it", async () => {
    const [day, booked] = [freshDay(), freshDay()];
    const [meal] = await order([booked]);
    const { request } = (await choose([{ registration: child(), day }])).body;
    const freeze = (why: string | null) =>
      server.deps.pool.query(
        `update partner set frozen_why = $1, frozen_at = case when $1::text is null then null else now() end
         where id = (select partner_id from canteen_provider where group_id = $2)`,
        [why, canteen.groupId],
      );
    await freeze("Contrôle en cours");
    const other = freshDay();
    const refused = await choose([{ registration: child(), day: other }]);
    expect([refused.status, refused.body.code]).toEqual([409, "meal_provider_frozen"]);
    expect((await payFrom(request)).body.code).toBe("meal_provider_frozen");
    expect((await cellOf(other)).problem).toContain("ne prend plus de commandes");
    expect((await cellOf(booked)).order).toMatchObject({ id: meal.id, state: "reserved" });
    const seen = async (client: Client) =>
      (await client.get("/api/canteen/providers")).body.items.map(
        ({ idgroup, orderUntil, frozen }: any) => [idgroup, orderUntil, frozen],
      );
    expect(await seen(camille)).toEqual([[canteen.groupId, null, true]]);
    expect(await seen(hugo)).toEqual([]);
    await freeze(null);
    expect(await seen(hugo)).toHaveLength(1);
    await drop();
  });

  test("paying twice, or a request that changed meanwhile, orders once", async () => {
    const day = freshDay();
    const { request } = (await choose([{ registration: child(), day }])).body;
    const other = freshDay();
    await choose([{ registration: child(), day: other }]);
    expect((await payFrom(request)).body.code).toBe("order_changed");
    await choose([{ registration: child(), day: other }], { chosen: false });
    const week = await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`);
    const last = week.body.request;
    const answers = await Promise.all([payFrom(last), payFrom(last)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await comingOn([day, other])).toHaveLength(1);
  });

  test("refused: a closed day, a day ordered already, and after the deadline nothing is chosen", async () => {
    const today = todayInParis(server.deps.now());
    const sunday = addDays(startOfWeek(today), 13);
    expect((await choose([{ registration: child(), day: sunday }])).body).toMatchObject({
      code: "meal_closed",
      details: { why: "Pas de service ce jour-là" },
    });
    const day = freshDay();
    await order([day]);
    expect((await choose([{ registration: child(), day }])).body.code).toBe("meal_already_ordered");
    const past = weekdayOf(today) > 4 ? addDays(startOfWeek(today), 4) : addDays(today, -7);
    expect((await choose([{ registration: child(), day: past }])).body.code).toMatch(
      /meal_too_late|meal_closed/,
    );
    expect((await camille.get(`/api/canteen/providers/${canteen.groupId}/week`)).body.request).toBe(
      null,
    );
  });

  test("the deadline passes between the choice and the payment: nothing is ordered nor set aside", async () => {
    const day = freshDay();
    const { request } = (await choose([{ registration: child(), day }])).body;
    await server.deps.pool.query(
      `update canteen set order_deadline = '{"kind":"days_before","days":60,"workingDays":false,"at":"10:00"}'`,
    );
    const before = await mainOf();
    expect((await payFrom(request)).body.code).toBe("meal_too_late");
    const line = (await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`))
      .body.request.lines[0];
    expect(line.problem).toMatch(
      /commandes pour le \p{L}+ \S+ \p{L}+ sont closes depuis le \p{L}+ \S+ \p{L}+ à \d\d:\d\d/u,
    );
    await server.deps.pool.query(
      `update canteen set order_deadline = '{"kind":"days_before","days":1,"workingDays":false,"at":"10:00"}'`,
    );
    expect((await mainOf()).projectedCents).toBe(before.projectedCents);
    expect(await comingOn([day])).toEqual([]);
    await drop();
  });

  test("a choice says until when it can be cancelled for nothing, and no time that is past", async () => {
    const day = freshDay();
    const until = async () =>
      (await choose([{ registration: child(), day }])).body.request.lines[0];
    expect((await until()).cancelUntil > server.deps.now().toISOString()).toBe(true);
    const deadline = (days: number) =>
      server.deps.pool.query("update canteen set cancel_deadline = $1", [
        { kind: "days_before", days, workingDays: false, at: "10:00" },
      ]);
    await deadline(60);
    expect((await until()).cancelUntil).toBeNull();
    await deadline(1);
    await drop();
  });

  test("the last seat goes once: 6 payments at once for 3 seats", async () => {
    const day = freshDay();
    const { registrations } = canteen;
    await order([day], registrations.child);
    await order([day], registrations.secondChild);
    const thomas = await server.as("coGuardian");
    const stranger = await registered(hugo, cast.stranger.cardnumber);
    const mine = await registered(camille, own);
    const seats = await Promise.all([
      placed(hugo, stranger, day, cast.stranger.cardnumber),
      placed(camille, mine, day, own),
      placed(
        thomas,
        await registered(thomas, cast.coGuardian.cardnumber),
        day,
        cast.coGuardian.cardnumber,
      ),
    ]);
    expect(seats.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = seats.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(codes.every((code) => code === "meals_full")).toBe(true);
    expect(await cellOf(day)).toMatchObject({ seatsLeft: 0 });
    const week = await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`);
    if (week.body.request) expect(week.body.request.lines[0].problem).toMatch(/complet/);
    await drop();
  });

  test("a year by weekdays: what cannot be ordered is left out and counted by its reason", async () => {
    await server.deps.pool.query("update canteen set seats = 200");
    // Four weeks whose Saturdays are no public holiday, which would be another reason.
    const from = farMonday(addDays(todayInParis(server.deps.now()), 21), [5, 12, 19, 26]);
    const to = addDays(from, 27);
    const answer = await camille.post("/api/canteen/requests/template", {
      idgroup: canteen.groupId,
      registrations: [canteen.registrations.child, canteen.registrations.secondChild],
      weekdays: [0, 1, 5],
      from,
      to,
    });
    expect(answer.status, answer.text).toBe(200);
    const { added, leftOut, request } = answer.body;
    const closed = leftOut.find(({ why }: { why: string }) => why === "Pas de service ce jour-là");
    expect(closed.count).toBe(8);
    const total = leftOut.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(added + total).toBe(24);
    expect(request.lines).toHaveLength(added);
    expect(request.totalCents).toBe(added * 345);
    const again = await camille.post("/api/canteen/requests/template", {
      idgroup: canteen.groupId,
      registrations: [child()],
      weekdays: [0],
      from: addDays(from, -60),
      to,
    });
    expect(again.body.code).toBe("meal_period");
    await drop();
  });

  test("a period has the price of each of its days: a quotient that ends meanwhile counts until then", async () => {
    await server.deps.pool.query("update canteen set seats = 200");
    const from = addDays(startOfWeek(todayInParis(server.deps.now())), 70);
    const { rows } = await server.deps.pool.query(
      `insert into proof (person_id, sent_by, kind, state, quotient, valid_from, valid_until, sent_at,
         answered_at)
       select person_id, person_id, 'quotient', 'validated', 600, $2::date - 400, $2::date + 7, now(),
         now() from card where number = $1 returning id`,
      [own, from],
    );
    const { body } = await camille.post("/api/canteen/requests/template", {
      idgroup: canteen.groupId,
      registrations: Object.values(canteen.registrations),
      weekdays: [0, 1, 2, 3, 4],
      from,
      to: addDays(from, 300),
    });
    await server.deps.pool.query("delete from proof where id = $1", [rows[0].id]);
    const prices = body.request.lines.map(({ day, priceCents }: any) => [
      day <= addDays(from, 7),
      priceCents,
    ]);
    expect(prices.length).toBeGreaterThan(380);
    expect(new Set(prices.map(String))).toEqual(new Set(["true,210", "false,345"]));
    await drop();
  });

  test("an allergen of the menu must be confirmed; the trail says so without naming it", async () => {
    const day = freshDay();
    const { rows } = await server.deps.pool.query(
      `insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, now())
       returning id`,
      [canteen.providerId, day],
    );
    await server.deps.pool.query(
      `insert into canteen_dish (menu_id, place, course, name, allergens)
       values ($1, 1, 'main', 'Poulet satay', '{peanuts}')`,
      [rows[0].id],
    );
    await inTx(server.deps.db, async (tx) => {
      const personId = Number(
        (
          await server.deps.pool.query(
            `select person_id as id from card where number = ${cast.child.cardnumber}`,
          )
        ).rows[0].id,
      );
      await keepHealth(tx, {
        personId,
        by: personId,
        allergens: ["peanuts"],
        note: "",
        at: server.deps.now(),
      });
    });
    const meal = { registration: child(), day };
    const refused = await choose([meal]);
    expect(refused.body.code).toBe("meal_allergens");
    expect(refused.body.message).toContain("arachides");
    const warning = { allergens: ["peanuts"], undeclared: false };
    expect(await cellOf(day)).toMatchObject({ warning, chosen: false });
    const chosen = await choose([meal], { allergensConfirmed: true });
    expect(chosen.body.request.lines).toMatchObject([{ warning }]);
    expect((await payFrom(chosen.body.request)).status).toBe(200);
    const { rows: trail } = await server.deps.pool.query(
      `select actor, details, actor = 'guardian:' || (select person_id from card where number = $1) as own
       from audit where action = 'meal.allergens_confirmed'`,
      [own],
    );
    expect(trail).toMatchObject([{ own: true, details: { day } }]);
    expect(JSON.stringify(trail)).not.toMatch(/peanut|arachide/);
  });

  test("a dish whose allergens are not declared warns who declared some, one declared without does not", async () => {
    const day = freshDay();
    const { rows } = await server.deps.pool.query(
      `with menu as (
         insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, now())
         returning id)
       insert into canteen_dish (menu_id, place, course, name, allergens)
       select id, 1, 'main', 'Hachis', null from menu returning menu_id as menu`,
      [canteen.providerId, day],
    );
    const meal = { registration: child(), day };
    expect(await cellOf(day)).toMatchObject({ warning: { allergens: [], undeclared: true } });
    const refused = await choose([meal]);
    expect(refused).toMatchObject({ status: 409, body: { code: "meal_allergens_undeclared" } });
    expect(await cellOf(day)).toMatchObject({ chosen: false });
    expect((await choose([meal], { allergensConfirmed: true })).status).toBe(200);
    await drop();
    await server.deps.pool.query("update canteen_dish set allergens = '{}' where menu_id = $1", [
      rows[0].menu,
    ]);
    expect(await cellOf(day)).toMatchObject({ warning: null });
    expect((await choose([meal])).status).toBe(200);
    await drop();
  });

  test("meals that are set aside ask for no code, and count for no other payment", async () => {
    server.deps.config.codeFromCents = 300;
    const { request } = (await choose([{ registration: child(), day: freshDay() }])).body;
    expect((await payFrom(request)).status).toBe(200);
    const { objectID } = await mainOf();
    const body = { fromWallet: objectID, toCardnumber: cast.child.cardnumber, amountCents: 250 };
    expect((await camille.post("/api/transfers", body)).status).toBe(201);
    const more = await camille.post("/api/transfers", { ...body, amountCents: 60 });
    expect(more.body.code).toBe("code_required");
    server.deps.config.codeFromCents = 1_000_000;
  });
});

describe("cancelling", () => {
  test("in time: for nothing, the money is free again and the seat too", async () => {
    const day = freshDay();
    const before = await mainOf();
    const [meal] = await order([day]);
    const { seatsLeft } = await cellOf(day);
    const gone = await camille.post("/api/canteen/orders/cancel", {
      orders: [meal.id],
      costCents: 0,
    });
    expect(gone.body).toEqual({ releasedCents: 345, costCents: 0 });
    expect((await mainOf()).projectedCents).toBe(before.projectedCents);
    expect((await cellOf(day)).seatsLeft).toBe(seatsLeft + 1);
    const again = await camille.post("/api/canteen/orders/cancel", {
      orders: [meal.id],
      costCents: 0,
    });
    expect(again.body.code).toBe("meal_state");
  });

  test("after the deadline: the percentage of the order, frozen when it was made, and only if it was seen", async () => {
    await server.deps.pool.query("update canteen set late_cancel_percent = 50");
    const day = freshDay();
    const [meal] = await order([day]);
    await server.deps.pool.query("update canteen set late_cancel_percent = 100");
    await server.deps.pool.query(
      "update meal_order set cancel_until = now() - interval '1 minute' where id = $1",
      [meal.id],
    );
    const before = await mainOf();
    const seen = { orders: [meal.id], costCents: 0 };
    expect((await camille.post("/api/canteen/orders/cancel", seen)).body.code).toBe(
      "price_changed",
    );
    const late = await camille.post("/api/canteen/orders/cancel", { ...seen, costCents: 173 });
    expect(late.body).toEqual({ releasedCents: 172, costCents: 173 });
    const after = await mainOf();
    expect(after.balanceCents).toBe(before.balanceCents - 173);
    expect(after.projectedCents).toBe(before.projectedCents + 172);
  });

  test("asks the database no more often for several meals than for one", async () => {
    const ids = (await order([freshDay(), freshDay(), freshDay(), freshDay()])).map(
      ({ id }) => id as string,
    );
    const cancel = (orders: readonly string[]) =>
      countStatements(server.deps.pool, async () => {
        const { status, text } = await camille.post("/api/canteen/orders/cancel", {
          orders,
          costCents: 0,
        });
        expect(status, text).toBe(200);
      });
    const one = await cancel(ids.slice(0, 1));
    expect(await cancel(ids.slice(1))).toBe(one);
  });

  test("somebody else's meals are not found, one among one's own included; nothing is cancelled", async () => {
    const day = freshDay();
    const [meal] = await order([day]);
    const input = { orders: [meal.id], costCents: 0 };
    expect((await hugo.post("/api/canteen/orders/cancel", input)).status).toBe(404);
    expect((await comingOn([day]))[0].state).toBe("reserved");
    expect(
      (await hugo.get("/api/canteen/orders?when=coming")).body.items.every(
        ({ cardnumber }: { cardnumber: number }) => cardnumber === cast.stranger.cardnumber,
      ),
    ).toBe(true);
    expect(
      (await hugo.get(`/api/canteen/orders?when=coming&cardnumber=${cast.child.cardnumber}`))
        .status,
    ).toBe(404);
  });
});

describe("registering", () => {
  test("a guardian asks for a child, once; the provider is told; the child itself may not", async () => {
    const school = await makeCanteen(server);
    const end = `/api/canteen/registrations/${school.registrations.child}/end`;
    expect((await camille.post(end)).status).toBe(200);
    const input = {
      canteen: school.id,
      cardnumber: cast.child.cardnumber,
      className: "CM2",
      diet: "no_pork",
      pai: false,
      shareAllergens: true,
      sharePhoto: false,
    };
    const answer = await camille.post("/api/canteen/registrations", input);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      state: "requested",
      className: "CM2",
      allergensShared: true,
    });
    expect((await camille.post("/api/canteen/registrations", input)).body.code).toBe(
      "meal_registered",
    );
    expect(
      (await camille.post("/api/canteen/registrations", { ...input, className: "Terminale" })).body
        .code,
    ).toBe("meal_class_unknown");
    expect(
      (
        await hugo.post("/api/canteen/registrations", {
          ...input,
          cardnumber: cast.child.cardnumber,
        })
      ).status,
    ).toBe(404);
    const leo = await server.as("child");
    expect(
      (
        await leo.post("/api/canteen/registrations", {
          ...input,
          cardnumber: cast.child.cardnumber,
        })
      ).body.code,
    ).toBe("family_minor");
    const desk = await server.as("canteenProvider");
    expect((await desk.get("/api/notifications")).body.items[0].title).toBe(
      "Inscription à étudier",
    );
    const day = freshDay();
    expect((await choose([{ registration: answer.body.id, day }])).status).toBe(404);
    expect((await camille.post(`/api/canteen/registrations/${answer.body.id}/end`)).status).toBe(
      200,
    );
    expect((await camille.post(`/api/canteen/registrations/${answer.body.id}/end`)).body.code).toBe(
      "meal_registration_state",
    );
  });

  test("whom a canteen would not register is told before, and is refused", async () => {
    const school = await makeCanteen(server);
    const staff = await makeCanteen(server, { kind: "staff", classes: [] });
    for (const id of [school.registrations.child, staff.registrations.child])
      expect((await camille.post(`/api/canteen/registrations/${id}/end`)).status).toBe(200);
    const barred = async (client: Client, id: string) => {
      const { canteens } = (await client.get(`/api/canteen/providers/${school.groupId}`)).body;
      const cards = canteens.find((one: { id: string }) => one.id === id).barred;
      return cards.toSorted((a: any, b: any) => a.cardnumber - b.cardnumber);
    };
    const jade = { cardnumber: cast.secondChild.cardnumber, why: "registered" };
    expect(await barred(camille, school.id)).toEqual([{ cardnumber: own, why: "not_pupil" }, jade]);
    expect(await barred(camille, staff.id)).toEqual([jade]);
    const leo = await server.as("child");
    expect(await barred(leo, school.id)).toEqual([
      { cardnumber: cast.child.cardnumber, why: "minor" },
    ]);
    const ask = async (client: Client, canteenId: string, cardnumber: number) =>
      (
        await client.post("/api/canteen/registrations", {
          canteen: canteenId,
          cardnumber,
          className: canteenId === school.id ? "CM2" : "",
          diet: "standard",
          pai: false,
          shareAllergens: false,
          sharePhoto: false,
        })
      ).body.code;
    expect(await ask(camille, school.id, own)).toBe("meal_not_pupil");
    expect(await ask(camille, school.id, jade.cardnumber)).toBe("meal_registered");
    expect(await ask(leo, school.id, cast.child.cardnumber)).toBe("family_minor");
    expect(await ask(camille, staff.id, own)).toBeUndefined();
    expect(await ask(camille, school.id, cast.child.cardnumber)).toBeUndefined();
  });

  test("what a card is registered for, with where it is ordered; a stranger finds nothing", async () => {
    const path = `/api/canteen/registrations?cardnumber=${cast.child.cardnumber}`;
    const { items } = (await camille.get(path)).body;
    const here = items.find(({ id }: { id: string }) => id === child());
    expect(here).toMatchObject({
      name: "Léo Moreau",
      state: "accepted",
      canteen: { id: canteen.id },
      provider: { idgroup: canteen.groupId, slug: "restauration-essai" },
    });
    const others = items.filter(({ name }: { name: string }) => name !== "Léo Moreau");
    expect(others).toEqual([]);
    expect((await hugo.get(path)).status).toBe(404);
  });

  test("while a meal is ordered a registration is not ended", async () => {
    await order([freshDay()], canteen.registrations.secondChild);
    const path = `/api/canteen/registrations/${canteen.registrations.secondChild}/end`;
    expect((await camille.post(path)).body.code).toBe("meal_registration_orders");
    expect((await hugo.post(path)).status).toBe(404);
  });
});

test("the week offers to cancel a meal until its service begins, not after", async () => {
  const [meal] = await order([freshDay()]);
  const today = todayInParis(server.deps.now());
  const { pool } = server.deps;
  await pool.query("update meal_order set on_day = $2 where id = $1", [meal.id, today]);
  const serves = (from: string, until: string) =>
    pool.query("update canteen set serves_from = $1, serves_until = $2", [from, until]);
  const { rows } = await pool.query("select serves_from, serves_until from canteen limit 1");
  await serves("23:58", "23:59");
  expect((await cellOf(today)).order).toMatchObject({ id: meal.id, canCancel: true });
  await serves("00:00", "23:59");
  expect((await cellOf(today)).order).toMatchObject({ id: meal.id, canCancel: false });
  expect(
    (await camille.post("/api/canteen/orders/cancel", { orders: [meal.id], costCents: 345 })).body
      .code,
  ).toBe("meal_state");
  await serves(rows[0].serves_from, rows[0].serves_until);
  await pool.query("update meal_order set on_day = $2 where id = $1", [meal.id, meal.day]);
});

test("the next deadline of a provider is of a meal that is not ordered yet", async () => {
  const deadline = async () =>
    (await camille.get("/api/canteen/providers")).body.items[0].orderUntil as string;
  const before = await deadline();
  const { body } = await camille.get(
    `/api/canteen/providers/${canteen.groupId}/week?day=${before.slice(0, 10)}`,
  );
  const next = (
    await camille.get(
      `/api/canteen/providers/${canteen.groupId}/week?day=${addDays(body.monday, 7)}`,
    )
  ).body;
  for (const { registration, cells } of [...body.people, ...next.people]) {
    for (const { day, order: there, orderUntil, closedWhy } of cells) {
      if (there || closedWhy || orderUntil !== before) continue;
      await placeMeal(server, { registration, day, priceCents: 0 });
    }
  }
  expect((await deadline()) > before).toBe(true);
});

test("providers: the family's first, with when orders close; the month as a PDF", async () => {
  const { items } = (await camille.get("/api/canteen/providers")).body;
  expect(items[0]).toMatchObject({ idgroup: canteen.groupId, name: "Les Tables du Lagon" });
  expect(items[0].people).toContain("Léo Moreau");
  expect(items[0].orderUntil > server.deps.now().toISOString()).toBe(true);
  const month = todayInParis(server.deps.now()).slice(0, 7);
  const file = await camille.get(
    `/api/canteen/orders.pdf?cardnumber=${cast.child.cardnumber}&month=${month}`,
  );
  expect(file.headers["content-type"]).toBe("application/pdf");
});

/** Registers a card and accepts it at once, as the desk would. */
async function registered(client: Client, cardnumber: number): Promise<string> {
  const answer = await client.post("/api/canteen/registrations", {
    canteen: canteen.id,
    cardnumber,
    className: "",
    diet: "standard",
    pai: false,
    shareAllergens: false,
    sharePhoto: false,
  });
  expect(answer.status, answer.text).toBe(201);
  await server.deps.pool.query(
    "update canteen_registration set state = 'accepted', audience = 'guest' where id = $1",
    [answer.body.id],
  );
  return answer.body.id;
}

async function placed(client: Client, registration: string, day: string, cardnumber: number) {
  const chosen = await client.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: [{ registration, day }],
    chosen: true,
  });
  if (chosen.status !== 200) return chosen;
  const { request } = chosen.body;
  const { objectID } = (await client.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
  return await client.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID,
  });
}

describe("the end of a day", () => {
  const pastDay = async (id: string) => {
    await server.owner.pool.query("update meal_order set on_day = on_day - 400 where id = $1", [
      id,
    ]);
  };

  test("a meal that nobody fetched costs what its order froze, once; the family is told", async () => {
    await server.deps.pool.query("update canteen set absence_percent = 60 where id = $1", [
      canteen.id,
    ]);
    const before = await mainOf();
    const [meal] = await order([freshDay()]);
    await server.deps.pool.query("update canteen set absence_percent = 0 where id = $1", [
      canteen.id,
    ]);
    await pastDay(meal.id);
    await closePastMeals(server.deps);
    await closePastMeals(server.deps);
    const after = await mainOf();
    expect(after.balanceCents).toBe(before.balanceCents - 207);
    expect(after.projectedCents).toBe(before.projectedCents - 207);
    const past = (await camille.get("/api/canteen/orders?when=past")).body.items;
    expect(past.find(({ id }: { id: string }) => id === meal.id)).toMatchObject({
      state: "absent",
      chargedCents: 207,
    });
    expect((await camille.get("/api/notifications")).body.items[0].body).toMatch(
      /2,07.€ sont retenus/,
    );
  });

  test("one that the provider never accepted expires and costs nothing", async () => {
    const before = await mainOf();
    const [meal] = await order([freshDay()]);
    await server.deps.pool.query("update canteen set needs_validation = true where id = $1", [
      canteen.id,
    ]);
    await pastDay(meal.id);
    await closePastMeals(server.deps);
    await server.deps.pool.query("update canteen set needs_validation = false where id = $1", [
      canteen.id,
    ]);
    expect((await mainOf()).balanceCents).toBe(before.balanceCents);
    expect((await mainOf()).projectedCents).toBe(before.projectedCents);
    const past = (await camille.get("/api/canteen/orders?when=past")).body.items;
    expect(past.find(({ id }: { id: string }) => id === meal.id)?.state).toBe("expired");
  });
});

test("card money that comes once the service began stays in the wallet, and no absence is charged", async () => {
  const day = freshDay();
  const [{ balanceCents: before }, { body }] = [
    await mainOf(),
    await choose([{ registration: child(), day }]),
  ];
  expect(body.request.totalCents).toBe(345);
  const paying = await payFrom(body.request, { method: "provider" });
  expect(paying.status, paying.text).toBe(200);
  await server.deps.db.updateTable("sandboxCharge").set({ state: "succeeded" }).execute();
  server.clock.advance(Date.parse(`${addDays(day, 1)}T09:00:00Z`) - server.clock.now().getTime());
  camille = await server.as("guardian");
  await paymentTasks(server.deps).reconcile_payments();
  expect((await mainOf()).balanceCents).toBe(before + body.request.totalCents);
  await closePastMeals(server.deps);
  const past = (await camille.get("/api/canteen/orders?when=past")).body.items;
  expect(past.filter((one: { day: string }) => one.day === day)).toEqual([]);
  const notice = (await camille.get("/api/notifications")).body.items.find(
    ({ title }: { title: string }) => title === "Commande non réglée",
  );
  expect(notice.body).toContain("sont closes depuis");
});
