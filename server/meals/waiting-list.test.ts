// Waiting for a seat of a full service: the line and its order, offers that keep a seat and expire, what is
// refused; every seat is sold once, and the count of seats agrees with meals and offers.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, instantOfParis } from "#contract/days.ts";
import { canteen as limits } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { registerAt } from "#server/kitchen/kitchen.ts";
import { cancelMealsOfLeaver } from "./departure.ts";
import { advanceWaits } from "./waiting-list.ts";

// A Monday of January: no zone is on holiday that week.
const monday = "2027-01-18";
let server: TestServer;
let made: MadeCanteen;
/** Registrations of two strangers, each for oneself. */
let hugos: string;
let emplois: string;
let camille: Client;
let hugo: Client;
let other: Client;
let desk: Client;
let day = addDays(monday, 1);
const moveTo = (on: string, time: string) =>
  server.clock.advance(instantOfParis(on, time).getTime() - server.clock.now().getTime());
const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;

beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  moveTo(monday, "06:00");
  server.deps.config.codeFromCents = 1_000_000;
  made = await makeCanteen(server, { kind: "staff", classes: [], seats: 1 });
  [hugos, emplois] = [await registered("stranger"), await registered("coGuardian")];
});
afterAll(() => server.close());
beforeEach(async () => {
  day = addDays(day, 7);
  moveTo(addDays(day, -4), "06:00");
  [camille, hugo, other, desk] = await Promise.all([
    server.as("guardian"),
    server.as("stranger"),
    server.as("coGuardian"),
    server.as("canteenProvider"),
  ]);
  await rows("update canteen set seats = 1");
  await rows("delete from meal_wait; delete from limiter");
});
afterEach(async () => {
  expect(
    await rows(`select d.on_day, d.taken from canteen_day d
      where d.taken <> (select count(*) from meal_order o where o.canteen_id = d.canteen_id
          and o.on_day = d.on_day and o.state in ('reserved', 'validated', 'served', 'absent'))
        + (select count(*) from meal_wait w join canteen_registration r on r.id = w.registration_id
          where r.canteen_id = d.canteen_id and w.on_day = d.on_day and w.state = 'offered')
      or d.taken > d.seats`).then((wrong) => wrong.filter(({ on_day: on }) => on === day)),
  ).toEqual([]);
  expect((await verify(server.deps.db)).ok).toBe(true);
});

async function registered(name: CastName): Promise<string> {
  const [{ id }] = await rows(
    "select person_id as id from card where number = $1",
    cast[name].cardnumber,
  );
  return await inTx(server.deps.db, (tx) =>
    registerAt(tx, made.id, { personId: id, audience: "pupil", by: id, at: server.clock.now() }),
  );
}

/** Offers to a person, on their first screen. */
const offeredTo = async (client: Client, name: CastName) =>
  (await client.get(`/api/home?cardnumber=${cast[name].cardnumber}`)).body.toDos.filter(
    ({ kind }: { kind: string }) => kind === "meal_offered",
  );
const child = () => made.registrations.child;
const second = () => made.registrations.secondChild;
const full = () => placeMeal(server, { registration: child(), day, priceCents: 100 });
const join = (who: Client, registration: string, on = day) =>
  who.post("/api/canteen/waiting-list", { registration, day: on });
const leave = (who: Client, id: string) => who.post(`/api/canteen/waiting-list/${id}/leave`, {});
// `placeMeal` writes meals whose cancellation costs their price.
const cancel = (meal: string, costCents = 100) =>
  camille.post("/api/canteen/orders/cancel", { orders: [meal], costCents });
async function cellOf(who: Client, registration: string, on = day) {
  const { body } = await who.get(`/api/canteen/providers/${made.groupId}/week?day=${on}`);
  const person = body.people.find((one: any) => one.registration === registration);
  return person.cells.find((cell: any) => cell.day === on);
}
async function order(who: Client, registration: string, name: CastName) {
  const chosen = await who.post("/api/canteen/requests/lines", {
    idgroup: made.groupId,
    meals: [{ registration, day }],
    chosen: true,
  });
  if (chosen.status !== 200) return chosen;
  const { request } = chosen.body;
  const { body } = await who.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
  return await who.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID: body.items[0].objectID,
  });
}
const done = async (answer: Promise<any>) => {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
};
const codeOf = async (answer: Promise<any>): Promise<string> => (await answer).body.code;

describe("the line", () => {
  test("a refused meal, an illness and an ended registration free a seat for who waits", async () => {
    const meal = await full();
    await done(join(hugo, hugos));
    await done(
      desk.post(`/api/canteen/own/${made.id}/meals/refuse`, { orders: [meal], reason: "Panne" }),
    );
    expect((await cellOf(hugo, hugos)).wait.state).toBe("offered");
    await done(join(camille, child()));
    await done(hugo.post(`/api/canteen/registrations/${hugos}/end`, {}));
    hugos = await registered("stranger");
    expect((await cellOf(camille, child())).wait.state).toBe("offered");
    await done(order(camille, child(), "child"));
    await done(join(hugo, hugos));
    const days = { cardnumber: cast.child.cardnumber, from: day, to: day };
    await done(camille.post("/api/canteen/illnesses", { ...days, dueCents: 0, proofCents: 0 }));
    expect((await cellOf(hugo, hugos)).wait.state).toBe("offered");
  });

  test("first come first offered: a cancelled meal keeps its seat for the first two hours", async () => {
    const meal = await full();
    expect(await cellOf(hugo, hugos)).toMatchObject({ canWait: true, wait: null });
    await done(join(hugo, hugos));
    await done(join(other, emplois));
    expect(await cellOf(hugo, hugos)).toMatchObject({
      canWait: false,
      wait: { state: "waiting", place: 1 },
    });
    expect((await cellOf(other, emplois)).wait.place).toBe(2);
    expect((await desk.get(`/api/canteen/quantities?day=${day}`)).body.services[0].waiting).toBe(2);
    await done(cancel(meal));
    const cell = await cellOf(hugo, hugos);
    const until = new Date(server.clock.now().getTime() + limits.offeredSeconds * 1000);
    expect(cell).toMatchObject({
      problem: null,
      wait: { state: "offered", offeredUntil: until.toISOString() },
    });
    expect((await cellOf(other, emplois)).wait).toMatchObject({ state: "waiting", place: 1 });
    const [notice] = (await hugo.get("/api/notifications")).body.items;
    expect(notice).toMatchObject({ title: "Une place se libère à la cantine" });
    expect(notice.path).toMatch(
      new RegExp(
        `^/commande/cantine/.*/${made.groupId}\\?semaine=${addDays(day, -1)}#repas-[\\da-f-]{36}$`,
      ),
    );
    // It is on the first screen of the person whom it is kept for, and of nobody else.
    expect(await offeredTo(hugo, "stranger")).toMatchObject([
      { what: day, until: until.toISOString(), path: notice.path, own: true },
    ]);
    expect(await offeredTo(other, "coGuardian")).toEqual([]);
    // The seat is nobody else's: not for who waits behind, not for who just came.
    expect(await codeOf(order(other, emplois, "coGuardian"))).toBe("meals_full");
    expect(await codeOf(order(camille, second(), "secondChild"))).toBe("meals_full");
    await done(order(hugo, hugos, "stranger"));
    expect(await cellOf(hugo, hugos)).toMatchObject({ wait: null, order: { state: "reserved" } });
    expect(await offeredTo(hugo, "stranger")).toEqual([]);
    expect(await rows("select state from meal_wait order by number")).toEqual([
      { state: "taken" },
      { state: "waiting" },
    ]);
  });

  test("an offer that is not used goes to the next, by the job, and both are told", async () => {
    const meal = await full();
    await done(join(hugo, hugos));
    await done(join(camille, second()));
    await done(cancel(meal));
    server.clock.advance(limits.offeredSeconds * 1000);
    hugo = await server.as("stranger");
    expect(await codeOf(order(hugo, hugos, "stranger"))).toBe("meals_full");
    await Promise.all([advanceWaits(server.deps), advanceWaits(server.deps)]);
    camille = await server.as("guardian");
    expect((await cellOf(hugo, hugos)).wait).toBeNull();
    expect((await cellOf(camille, second())).wait.state).toBe("offered");
    expect(await offeredTo(hugo, "stranger")).toEqual([]);
    expect(await offeredTo(camille, "guardian")).toMatchObject([
      { cardnumber: cast.secondChild.cardnumber, own: false, what: day },
    ]);
    const titles = (await hugo.get("/api/notifications")).body.items.map(
      ({ title }: { title: string }) => title,
    );
    expect(titles.filter((title: string) => title === "La place n’est plus gardée")).toHaveLength(
      1,
    );
    await done(order(camille, second(), "secondChild"));
  });

  test("who leaves gives the seat to the next; a wait that is over says so", async () => {
    const meal = await full();
    await done(join(hugo, hugos));
    await done(join(other, emplois));
    await done(cancel(meal));
    const { id } = (await cellOf(hugo, hugos)).wait;
    expect((await leave(other, id)).status).toBe(404);
    await done(leave(hugo, id));
    expect(await codeOf(leave(hugo, id))).toBe("meal_wait_over");
    const mine = (await cellOf(other, emplois)).wait;
    expect(mine.state).toBe("offered");
    await done(leave(other, mine.id));
    expect(await cellOf(camille, second())).toMatchObject({ seatsLeft: 1, problem: null });
  });

  test("more seats in the rules are offered to as many as fit", async () => {
    await full();
    await done(join(hugo, hugos));
    await done(join(camille, second()));
    await done(join(other, emplois));
    const own = `/api/canteen/own/${made.id}/rules`;
    const { rules } = (await desk.get(own)).body;
    await done(desk.post(own, { rules: { ...rules, seats: 3 } }));
    expect(await rows("select state from meal_wait order by number")).toEqual([
      { state: "offered" },
      { state: "offered" },
      { state: "waiting" },
    ]);
  });
});

describe("the deadline", () => {
  test("an offer never lasts longer than orders are taken; under ten minutes there is none", async () => {
    const meal = await full();
    await done(join(hugo, hugos));
    await done(join(camille, second()));
    moveTo(addDays(day, -1), "09:15");
    [camille, hugo] = [await server.as("guardian"), await server.as("stranger")];
    await done(cancel(meal));
    const wait = (await cellOf(hugo, hugos)).wait;
    expect(wait.offeredUntil).toBe(instantOfParis(addDays(day, -1), "10:00").toISOString());
    moveTo(addDays(day, -1), "09:51");
    await done(leave(hugo, wait.id));
    await advanceWaits(server.deps);
    // The seat is free for all, who waits too, and ordering ends the wait.
    expect(await cellOf(camille, second())).toMatchObject({
      wait: { state: "waiting" },
      seatsLeft: 1,
    });
    await done(order(camille, second(), "secondChild"));
    expect(await rows("select state from meal_wait order by number")).toEqual([
      { state: "left" },
      { state: "taken" },
    ]);
  });

  test("waits end with it: nobody is offered anything and who waited is told", async () => {
    await full();
    await done(join(hugo, hugos));
    moveTo(addDays(day, -1), "10:01");
    await advanceWaits(server.deps);
    hugo = await server.as("stranger");
    expect((await cellOf(hugo, hugos)).wait).toBeNull();
    expect((await hugo.get("/api/notifications")).body.items[0].title).toBe(
      "Aucune place ne s’est libérée",
    );
    expect(await codeOf(join(hugo, hugos))).toBe("meal_too_late");
  });
});

test("a card that is opposed, or an account that closes, waits no more and keeps no seat", async () => {
  const meal = await full();
  await done(join(hugo, hugos));
  await done(join(camille, second()));
  await done(cancel(meal));
  const [{ id: personId }] = await rows(
    "select person_id as id from card where number = $1",
    cast.stranger.cardnumber,
  );
  await inTx(server.deps.db, (tx) =>
    cancelMealsOfLeaver(tx, server.deps, { personId, at: server.clock.now() }),
  );
  expect(await rows("select state from meal_wait order by number")).toEqual([
    { state: "expired" },
    { state: "offered" },
  ]);
});

test("a child whose guardian left the family waits no more, and its seat goes to the next", async () => {
  const meal = await full();
  await done(join(camille, second()));
  await done(join(hugo, hugos));
  await done(cancel(meal));
  expect((await cellOf(camille, second())).wait.state).toBe("offered");
  const ids = (await rows(
    `select g.person_id as guardian, m.person_id as member from card g, card m
      where g.number = $1 and m.number = $2`,
    cast.guardian.cardnumber,
    cast.secondChild.cardnumber,
  )) as [{ guardian: number; member: number }];
  const { guardian, member } = ids[0];
  const tie = "guardian_id = $1 and member_id = $2";
  await rows(`update family_tie set role = 'relative' where ${tie}`, guardian, member);
  const outboxBefore = server.outbox.length;
  await advanceWaits(server.deps);
  expect(await rows("select state from meal_wait order by number")).toEqual([
    { state: "left" },
    { state: "offered" },
  ]);
  const notices = await rows(
    `select person_id as id from notification
      where title = 'Attente terminée à la cantine' order by 1`,
  );
  expect(notices).toEqual([{ id: member }]);
  expect(server.outbox.slice(outboxBefore).some(({ body }) => body.includes("Jade"))).toBe(false);
  await rows(`update family_tie set role = 'child' where ${tie}`, guardian, member);
});

test("while its provider is frozen nobody is offered a seat; the line goes on once it sells again", async () => {
  const meal = await full();
  await done(join(hugo, hugos));
  const freeze = (at: Date | null) =>
    rows(
      `update partner set frozen_at = $1, frozen_why = case when $1::timestamptz is null then null
         else 'Contrôle' end
        where id = (select partner_id from canteen_provider where group_id = $2)`,
      at,
      made.groupId,
    );
  await freeze(server.clock.now());
  await done(cancel(meal));
  await advanceWaits(server.deps);
  expect((await cellOf(hugo, hugos)).wait).toMatchObject({ state: "waiting", place: 1 });
  expect(await offeredTo(hugo, "stranger")).toEqual([]);
  await freeze(null);
  await advanceWaits(server.deps);
  expect((await cellOf(hugo, hugos)).wait.state).toBe("offered");
});

describe("refused", () => {
  test("a free seat, a meal ordered already, a second wait, a closed day, somebody else’s child", async () => {
    expect(await codeOf(join(hugo, hugos))).toBe("meal_wait_needless");
    await full();
    expect(await codeOf(join(camille, child()))).toBe("meal_already_ordered");
    await done(join(hugo, hugos));
    expect(await codeOf(join(hugo, hugos))).toBe("meal_wait_twice");
    expect(await codeOf(join(hugo, hugos, addDays(day, 4)))).toBe("meal_closed");
    expect(await codeOf(join(hugo, second()))).toBe("not_found");
    await rows("update canteen_registration set state = 'ended' where id = $1", second());
    expect(await codeOf(join(camille, second()))).toBe("meal_not_registered");
    await rows("update canteen_registration set state = 'accepted' where id = $1", second());
  });

  test("a canteen without orders online or without a price, a week that is full, too many waits", async () => {
    await full();
    const [{ rule }] = await rows("select order_deadline as rule from canteen");
    await rows(`update canteen set order_deadline = '{"kind":"never"}'`);
    expect(await codeOf(join(hugo, hugos))).toBe("meal_order_off");
    await rows("update canteen set order_deadline = $1", rule);
    await rows("update canteen_price set ended_at = now()");
    expect(await codeOf(join(hugo, hugos))).toBe("meal_price_missing");
    await rows("update canteen_price set ended_at = null");
    await placeMeal(server, { registration: second(), day: addDays(day, 1), priceCents: 0 });
    await rows("update canteen set max_per_week = 1");
    expect(await codeOf(join(camille, second()))).toBe("meal_week_max");
    await rows("update canteen set max_per_week = null");
    await rows(
      `insert into meal_wait (registration_id, on_day, requested_by, requested_at)
       select r.id, $2::date + n, r.person_id, now()
       from canteen_registration r, generate_series(30, $3::int) n where r.id = $1`,
      hugos,
      day,
      29 + limits.openWaits,
    );
    expect((await join(hugo, hugos)).body).toMatchObject({
      code: "meal_waits_full",
      details: { max: limits.openWaits },
    });
  });
});

describe("at once", () => {
  test("one freed seat, everybody after it: the first in line alone gets it", async () => {
    const meal = await full();
    await done(join(hugo, hugos));
    const answers = await Promise.all([
      cancel(meal),
      order(other, emplois, "coGuardian"),
      order(camille, second(), "secondChild"),
      join(other, emplois),
      order(hugo, hugos, "stranger"),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const meals = await rows(
      "select registration_id as id from meal_order where on_day = $1 and state = 'reserved'",
      day,
    );
    expect(meals.filter(({ id }) => id !== hugos)).toEqual([]);
    expect((await cellOf(hugo, hugos)).wait?.state ?? "ordered").toMatch(/offered|ordered/);
  });

  test("several join at once, and one twice: one wait each, in one line", async () => {
    await full();
    const answers = await Promise.all([
      join(hugo, hugos),
      join(hugo, hugos),
      join(camille, second()),
      join(other, emplois),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 409,
    ]);
    const places = [
      (await cellOf(hugo, hugos)).wait.place,
      (await cellOf(camille, second())).wait.place,
      (await cellOf(other, emplois)).wait.place,
    ];
    expect(places.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });
});
