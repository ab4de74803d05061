// Scans of the counter: the data on the device, and how the server carries scans out, with network or after.
import { unknownNumbers } from "#contract/meal-service/limits.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CounterPerson, Scan, ScanView } from "#contract/meal-service/counter.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { cast } from "#tests/cast.ts";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

/** A Tuesday of a week of school, at noon in Paris. */
const schoolDay = "2027-11-23T11:00:00Z";

let server: TestServer;
let desk: Client;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer(schoolDay));
  desk = await server.as("canteenProvider");
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  const { pool } = server.deps;
  await forgetMeals(server);
  await pool.query("update card set state = 'active'");
  await pool.query("update canteen set needs_validation = false");
});

const today = () => parisDay(server.clock.now());
const leo = cast.child.cardnumber;
const place = (day = today(), registration = canteen.registrations.child) =>
  placeMeal(server, { registration, day });
const at = (path: string) => `/api/canteen/${canteen.id}/${path}`;
const list = async () => (await desk.get(at("day-list"))).body;
const personOf = async (name: string = cast.child.name): Promise<CounterPerson> =>
  (await list()).people.find((one: CounterPerson) => one.name === name);
const scanOf = (more: Partial<Scan> = {}): Scan => ({
  id: randomUUID(),
  day: today(),
  at: server.clock.now().toISOString(),
  verdict: "served",
  registration: canteen.registrations.child,
  ...more,
});
const send = async (...scans: Scan[]): Promise<ScanView[]> => {
  const answer = await desk.post(at("scans"), { scans });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
};
const stateOf = async (id: string) =>
  (await server.deps.pool.query("select state from meal_order where id = $1", [id])).rows[0].state;
const spendable = async () => {
  const { body } = await camille.get(`/api/wallets?cardnumber=${leo}`);
  const { balanceCents, heldCents } = body.items.find((one: { main: boolean }) => one.main);
  return { balanceCents, heldCents };
};

describe("GET /api/canteen/:canteen/day-list", () => {
  test("has the dishes of the day with the diets that they are made for, published or not", async () => {
    expect((await list()).dishes).toEqual([]);
    const day = parisDay(server.clock.now());
    const dish = { labels: [], allergens: [], priceCents: null };
    const menu = [
      { ...dish, course: "main", name: "Rôti", diets: [] },
      { ...dish, course: "main", name: "Omelette", diets: ["no_meat", "vegetarian"] },
    ];
    await desk.post("/api/canteen/menus", { day, note: "", dishes: menu });
    expect((await list()).dishes).toEqual([
      { course: "main", name: "Rôti", diets: [] },
      { course: "main", name: "Omelette", diets: ["no_meat", "vegetarian"] },
    ]);
    await desk.post("/api/canteen/menus", { day, note: "", dishes: [] });
  });

  test("who eats there, with today's order, the cards, and allergens only with consent", async () => {
    const camilleKeeps = { cardnumber: leo, allergens: ["milk"], note: "", consent: true };
    expect((await camille.post("/api/health-record", camilleKeeps)).status).toBe(200);
    await place();
    await place(addDays(today(), 1), canteen.registrations.secondChild);
    const { body } = await desk.get(at("day-list"));
    expect(body).toMatchObject({ day: today(), canteen: { id: canteen.id } });
    expect(body.keys[0].algorithm).toBe("Ed25519");
    expect(await personOf()).toMatchObject({
      class: "CE1",
      allergens: ["milk"],
      photo: null,
      order: { state: "reserved", servedAt: null },
      otherDay: null,
      walkInCents: 345,
      cards: [{ number: leo, state: "active" }],
    });
    expect(await personOf(cast.secondChild.name)).toMatchObject({
      order: null,
      otherDay: addDays(today(), 1),
    });
    const dish = { course: "main", name: "Gratin", labels: [], diets: [], priceCents: null };
    const serve = (allergens: string[] | null) =>
      desk.post("/api/canteen/menus", { day: today(), note: "", dishes: [{ ...dish, allergens }] });
    expect((await personOf()).warning).toBeNull();
    await serve(["milk", "eggs"]);
    expect((await personOf()).warning).toEqual({ allergens: ["milk"], undeclared: false });
    const found = await desk.post(at("find"), { number: leo });
    expect(found.body.person.warning).toEqual({ allergens: ["milk"], undeclared: false });
    await serve(null);
    expect((await personOf()).warning).toEqual({ allergens: [], undeclared: true });
    expect((await personOf(cast.secondChild.name)).warning).toBeNull();
    await serve([]);
    expect((await personOf()).warning).toBeNull();
    await serve(["milk"]);
    await server.deps.pool.query("update canteen_registration set allergens_consent_at = null");
    expect(await personOf()).toMatchObject({ allergens: [], warning: null });
    await desk.post("/api/canteen/menus", { day: today(), note: "", dishes: [] });
  });

  test("the next two days of service are those of the calendar, as in GET /api/canteen/services", async () => {
    const { pool } = server.deps;
    const close = (from: string, to: string) =>
      pool.query(
        `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
         values ($1, $2, $3, 'Grève', now())`,
        [canteen.id, from, to],
      );
    const services = async () => (await desk.get("/api/canteen/services")).body.items;
    const expectDays = async (serviceDays: string[]) => {
      expect((await list()).serviceDays).toEqual(serviceDays);
      expect(await services()).toEqual([{ canteen: canteen.id, serviceDays }]);
    };
    const [tuesday, friday] = [today(), addDays(today(), 3)];
    await expectDays([tuesday, addDays(tuesday, 1)]);
    await close(addDays(tuesday, 1), addDays(tuesday, 2));
    await expectDays([tuesday, friday]);
    await close(tuesday, tuesday);
    // No service at the weekend either.
    await expectDays([friday, addDays(friday, 3)]);
    await pool.query("delete from canteen_closing");
    const shop = await server.as("partnerShop");
    expect((await shop.get("/api/canteen/services")).body).toEqual({ items: [] });
    expect((await camille.get("/api/canteen/services")).status).toBe(403);
  });

  test("another professional, and every other row of the counter: not found", async () => {
    const shop = await server.as("partnerShop");
    expect((await shop.get(at("day-list"))).status).toBe(404);
    expect((await shop.post(at("find"), { number: leo })).status).toBe(404);
    const id = await place();
    expect((await shop.post(at("scans"), { scans: [scanOf()] })).status).toBe(404);
    expect((await shop.get(at(`photos/${randomUUID()}`))).status).toBe(404);
    expect(await stateOf(id)).toBe("reserved");
  });
});

describe("POST /api/canteen/:canteen/find", () => {
  const find = async (what: { number?: number; token?: string }) =>
    (await desk.post(at("find"), what)).body;

  test("by number and by QR code; an altered code, an old one and a stranger are told apart", async () => {
    await place();
    expect(await find({ number: leo })).toMatchObject({
      found: "person",
      person: { name: cast.child.name },
    });
    const { token } = (await camille.get(`/api/cards/${leo}/qr`)).body;
    expect((await find({ token })).person.name).toBe(cast.child.name);
    const altered = token.slice(0, -3) + (token.endsWith("AAA") ? "BBB" : "AAA");
    expect(await find({ token: altered })).toEqual({
      found: "forged",
      card: null,
      order: null,
      person: null,
    });
    // A number that is nobody's, and a card's of somebody who does not eat here: the same answer.
    const nobody = { found: "unregistered", card: null, order: null, person: null };
    expect(await find({ number: 1999999999 })).toEqual(nobody);
    expect(await find({ number: cast.stranger.cardnumber })).toEqual(nobody);
    const stranger = await server.as("stranger");
    const qrCode = (await stranger.get(`/api/cards/${cast.stranger.cardnumber}/qr`)).body;
    expect(await find({ token: qrCode.token })).toMatchObject({
      found: "unregistered",
      card: expect.any(String),
    });
    server.clock.advance(60_000 + 89_000);
    expect((await find({ token })).found).toBe("person");
    server.clock.advance(3000);
    expect((await find({ token })).found).toBe("late_code");
  });

  test("numbers of nobody are tried thirty times in ten minutes, not more; who eats here is still found", async () => {
    await server.deps.db.deleteFrom("limiter").execute();
    for (let time = 0; time < unknownNumbers.max; time++) {
      expect((await find({ number: 1999999999 })).found).toBe("unregistered");
    }
    expect((await find({ number: cast.stranger.cardnumber })).code).toBe("too_many_requests");
    expect((await find({ number: leo })).found).toBe("person");
    await server.deps.db.deleteFrom("limiter").execute();
  });
});

describe("GET /api/canteen/orders/:order/qr", () => {
  const qr = (id: string, client = camille) => client.get(`/api/canteen/orders/${id}/qr`);
  const find = async (token: string, client = desk) => await client.post(at("find"), { token });

  // Nothing held: other tests count the money.
  const free = (day = today()) =>
    placeMeal(server, { registration: canteen.registrations.child, day, priceCents: 0 });

  test("the counter finds whose meal it is, and serves that meal once", async () => {
    const id = await free();
    const { body } = await qr(id);
    expect(body).toMatchObject({ token: expect.stringMatching(/^MM1\./), day: today() });
    const found = (await find(body.token)).body;
    expect(found).toMatchObject({ found: "person", card: null, order: id });
    expect(found.person).toMatchObject({ name: cast.child.name, order: { id } });
    const altered = body.token.slice(0, -3) + (body.token.endsWith("AAA") ? "BBB" : "AAA");
    expect((await find(altered)).body.found).toBe("forged");
    expect((await find(body.token, await server.as("partnerShop"))).status).toBe(404);
    expect(await send(scanOf({ order: id }))).toMatchObject([
      { verdict: "served", conflict: null },
    ]);
    expect(await stateOf(id)).toBe("served");
    const again = scanOf({ order: id, verdict: "already" });
    expect(await send(again)).toMatchObject([{ verdict: "already", conflict: null }]);
    expect(await qr(id)).toMatchObject({ status: 409, body: { code: "meal_state" } });
  });

  test("stands for no other meal of the same person: the next day's, one that was cancelled", async () => {
    const tomorrow = addDays(today(), 1);
    const [now, next] = [await free(), await free(tomorrow)];
    expect((await qr(next)).body.day).toBe(tomorrow);
    const early = scanOf({ order: next, verdict: "other_day" });
    expect(await send(early)).toMatchObject([{ verdict: "other_day" }]);
    await server.deps.pool.query("update meal_order set state = 'cancelled' where id = $1", [next]);
    const gone = scanOf({ order: next, verdict: "no_order" });
    expect(await send(gone)).toMatchObject([{ verdict: "no_order" }]);
    expect(await stateOf(now)).toBe("reserved");
  });

  test("another family finds none; a suspended card shows none, and its code is not served by", async () => {
    const id = await free();
    expect((await qr(id, await server.as("stranger"))).status).toBe(404);
    await server.deps.pool.query("update card set state = 'suspended' where number = $1", [leo]);
    expect(await qr(id)).toMatchObject({ status: 409, body: { code: "meal_card_suspended" } });
    expect(await send(scanOf({ order: id }))).toMatchObject([
      { verdict: "suspended", conflict: "opposed_since" },
    ]);
    expect(await stateOf(id)).toBe("reserved");
  });
});

describe("GET /api/canteen/:canteen/photos/:photo", () => {
  test("shown with consent only", async () => {
    const avatar = randomUUID();
    await server.deps.pool.query(
      `with holder as (select person_id as id from card where number = $2)
       insert into avatar (id, person_id, content, at) select $1, id, 'jpeg', now() from holder`,
      [avatar, leo],
    );
    await server.deps.pool.query(
      "update person set avatar = $1 where id = (select person_id from card where number = $2)",
      [`/api/avatars/${avatar}`, leo],
    );
    expect((await personOf()).photo).toBeNull();
    expect((await desk.get(at(`photos/${avatar}`))).status).toBe(404);
    await server.deps.pool.query("update canteen_registration set photo_consent_at = now()");
    const { photo } = await personOf();
    expect(photo).toBe(at(`photos/${avatar}`));
    expect((await desk.get(photo ?? "")).status).toBe(200);
  });
});

describe("POST /api/canteen/:canteen/scans", () => {
  test("served once however often it is sent; the money is spent once", async () => {
    const id = await place();
    const held = await spendable();
    const scan = scanOf();
    const [first] = await send(scan);
    expect(first).toMatchObject({ verdict: "served", conflict: null, undone: false });
    expect(first?.person?.order).toMatchObject({ state: "served" });
    const after = await spendable();
    expect(after.heldCents).toBe(held.heldCents - 345);
    const again = await Promise.all([send(scan), send(scan)]);
    expect(again.flat().map(({ conflict }) => conflict)).toEqual([null, null]);
    expect(await spendable()).toEqual(after);
    expect(await stateOf(id)).toBe("served");
  });

  test("served on two devices: the second is told when, and nothing is spent twice", async () => {
    await place();
    await send(scanOf());
    const after = await spendable();
    const [second] = await send(scanOf());
    expect(second).toMatchObject({ verdict: "already", conflict: "served_elsewhere" });
    expect(second?.servedAt).toBe(server.clock.now().toISOString());
    expect(await spendable()).toEqual(after);
  });

  test("undone within five minutes, also when both happened offline; later it is refused", async () => {
    const id = await place();
    const held = await spendable();
    const scan = scanOf();
    await send(scan);
    const undoneAt = new Date(server.clock.now().getTime() + 60_000).toISOString();
    server.clock.advance(120_000);
    expect((await send({ ...scan, undoneAt }))[0]).toMatchObject({ undone: true, conflict: null });
    expect(await stateOf(id)).toBe("reserved");
    expect(await spendable()).toEqual(held);
    const never = scanOf();
    expect((await send({ ...never, undoneAt: never.at }))[0]).toMatchObject({ undone: true });
    expect(await stateOf(id)).toBe("reserved");
    const refusedScan = scanOf();
    await send(refusedScan);
    server.clock.advance(5 * 60_000 + 1);
    const late = server.clock.now().toISOString();
    expect((await send({ ...refusedScan, undoneAt: late }))[0]).toMatchObject({
      undone: false,
      conflict: "undo_late",
    });
    expect(await stateOf(id)).toBe("served");
  });

  test("a card opposed since, an order cancelled since: told, nothing spent, the line kept", async () => {
    const id = await place();
    const held = await spendable();
    const card = (await personOf()).cards[0]?.id as string;
    await server.deps.pool.query("update card set state = 'opposed' where number = $1", [leo]);
    expect((await send(scanOf({ card })))[0]).toMatchObject({
      verdict: "opposed",
      conflict: "opposed_since",
    });
    expect(await stateOf(id)).toBe("reserved");
    expect(await spendable()).toEqual(held);
    await server.deps.pool.query("update meal_order set state = 'cancelled' where id = $1", [id]);
    expect((await send(scanOf()))[0]).toMatchObject({ conflict: "cancelled_since" });
    expect((await server.deps.pool.query("select from meal_scan")).rowCount).toBe(2);
  });

  test("a walk-in costs their price at once, or nothing when paid in cash; undone, it goes back", async () => {
    const before = await spendable();
    const walkIn = scanOf({ verdict: "no_order", walkIn: "hold" });
    expect((await send(walkIn))[0]).toMatchObject({ verdict: "no_order", conflict: null });
    expect((await spendable()).balanceCents).toBe(before.balanceCents - 345);
    expect((await personOf()).order?.state).toBe("served");
    const notice = (await camille.get("/api/notifications")).body.items[0];
    expect(notice).toMatchObject({ title: "Repas sans commande", kind: "meal" });
    expect(notice.body).toMatch(/3,45.€ sont dépensés/);
    expect((await send({ ...walkIn, undoneAt: walkIn.at }))[0]).toMatchObject({ undone: true });
    expect(await spendable()).toEqual(before);
    expect((await personOf()).order).toBeNull();
    await send(scanOf({ verdict: "no_order", walkIn: "cash" }));
    expect(await spendable()).toEqual(before);
    const { rows } = await server.deps.pool.query(
      "select state, charged_cents, price_cents, price_reason from meal_order where state = 'served'",
    );
    expect(rows).toEqual([
      { state: "served", charged_cents: 0, price_cents: 345, price_reason: "Payé en espèces" },
    ]);
  });

  test("a walk-in takes a seat of its day; beyond the last it is an extra one that nobody orders instead", async () => {
    const seats = async () =>
      (
        await server.deps.pool.query(
          "select seats, taken, extra from canteen_day where canteen_id = $1 and on_day = $2",
          [canteen.id, today()],
        )
      ).rows[0];
    const left = async () =>
      (await desk.get(`/api/canteen/${canteen.id}/day-list`)).body.seatsLeft as number;
    await server.deps.pool.query("delete from canteen_day");
    await server.deps.pool.query("update canteen set seats = 1 where id = $1", [canteen.id]);
    expect(await left()).toBe(1);
    const first = scanOf({ verdict: "no_order", walkIn: "hold" });
    await send(first);
    await send(first);
    expect(await seats()).toEqual({ seats: 1, taken: 1, extra: 0 });
    expect(await left()).toBe(0);
    const second = scanOf({
      verdict: "no_order",
      walkIn: "cash",
      registration: canteen.registrations.secondChild,
    });
    expect((await send(second))[0]).toMatchObject({ conflict: null });
    const stranger = scanOf({ verdict: "unregistered", walkIn: "cash", registration: undefined });
    await send(stranger);
    expect(await seats()).toEqual({ seats: 1, taken: 3, extra: 2 });
    expect(await left()).toBe(0);
    // Given back one by one: the extra seats go first.
    for (const [scan, now] of [
      [stranger, { seats: 1, taken: 2, extra: 1 }],
      [first, { seats: 1, taken: 1, extra: 0 }],
      [second, { seats: 1, taken: 0, extra: 0 }],
    ] as const) {
      expect((await send({ ...scan, undoneAt: scan.at }))[0]).toMatchObject({ undone: true });
      await send({ ...scan, undoneAt: scan.at });
      expect(await seats()).toEqual(now);
    }
    await server.deps.pool.query("update canteen set seats = 10 where id = $1", [canteen.id]);
    await server.deps.pool.query("delete from canteen_day");
  });

  test("at a frozen provider no wallet pays a walk-in; cash and meals ordered before are handed", async () => {
    const freeze = (why: string | null) =>
      server.deps.pool.query(
        `update partner set frozen_why = $1, frozen_at = case when $1::text is null then null else now() end
         where id = (select partner_id from canteen_provider where group_id = $2)`,
        [why, canteen.groupId],
      );
    const before = await spendable();
    const prices = async () => (await list()).people.map(({ walkInCents }: any) => walkInCents);
    expect(await prices()).toContain(345);
    await freeze("Contrôle en cours");
    expect((await prices()).every((cents: number | null) => cents === null)).toBe(true);
    const scan = scanOf({ verdict: "no_order", walkIn: "hold" });
    expect((await send(scan))[0]).toMatchObject({ conflict: "unpaid" });
    expect(await spendable()).toEqual(before);
    const paid = scanOf({ verdict: "no_order", walkIn: "cash" });
    expect((await send(paid))[0]).toMatchObject({ conflict: null });
    expect(await spendable()).toEqual(before);
    await freeze(null);
  });

  test("a walk-in of a day long past charges no wallet", async () => {
    const before = await spendable();
    const day = addDays(today(), -8);
    const scan = scanOf({ day, verdict: "no_order", walkIn: "hold" });
    expect((await send(scan))[0]).toMatchObject({ conflict: "unpaid" });
    const order = await placeMeal(server, {
      registration: canteen.registrations.child,
      day,
      priceCents: 0,
    });
    const ordered = scanOf({ day, verdict: "served", order });
    expect((await send(ordered))[0]).toMatchObject({ conflict: "unpaid" });
    await server.deps.pool.query("update meal_order set state = 'absent'");
    expect((await send({ ...ordered, id: randomUUID() }))[0]).toMatchObject({ conflict: "unpaid" });
    expect(await spendable()).toEqual(before);
  });

  test("a day without service says why; a walk-in of it is neither counted nor paid, an order is served", async () => {
    const { pool } = server.deps;
    expect((await list()).closedWhy).toBeNull();
    const before = await spendable();
    await pool.query(
      "insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at) values ($1, $2, $2, 'Grève', now())",
      [canteen.id, today()],
    );
    expect((await list()).closedWhy).toBe("Grève");
    for (const walkIn of ["hold", "cash"] as const) {
      const scan = scanOf({ verdict: "no_order", walkIn });
      expect((await send(scan))[0]).toMatchObject({
        conflict: "closed_day",
        person: { order: null },
      });
      expect((await send(scan))[0]).toMatchObject({ conflict: "closed_day" });
    }
    const stranger = scanOf({ verdict: "unregistered", walkIn: "cash", registration: undefined });
    expect((await send(stranger))[0]).toMatchObject({ conflict: "closed_day" });
    expect(await spendable()).toEqual(before);
    expect((await pool.query("select from meal_order")).rowCount).toBe(0);
    expect((await pool.query("select from canteen_day where taken > 0")).rowCount).toBe(0);
    const ordered = await place();
    expect((await send(scanOf()))[0]).toMatchObject({ verdict: "served", conflict: null });
    expect(await stateOf(ordered)).toBe("served");
    await pool.query("delete from canteen_closing");
  });

  test("a walk-in that the wallet cannot pay is kept as eaten and unpaid", async () => {
    await server.deps.pool.query("update canteen_price set price_cents = 9000");
    const before = await spendable();
    const scan = scanOf({ verdict: "no_order", walkIn: "hold" });
    expect((await send(scan))[0]).toMatchObject({ conflict: "unpaid" });
    expect((await send(scan))[0]).toMatchObject({ conflict: "unpaid" });
    expect(await spendable()).toEqual(before);
    expect((await server.deps.pool.query("select from meal_order")).rowCount).toBe(0);
    await server.deps.pool.query(
      "update canteen_price set price_cents = 345 where audience = 'pupil'",
    );
  });

  test("an order that waits for the provider is served once the desk accepts it", async () => {
    await server.deps.pool.query("update canteen set needs_validation = true");
    const id = await place();
    expect((await send(scanOf({ verdict: "to_validate" })))[0]).toMatchObject({
      verdict: "to_validate",
      conflict: null,
    });
    expect(await stateOf(id)).toBe("reserved");
    const accepted = scanOf({ verdict: "to_validate", validated: true });
    expect((await send(accepted))[0]).toMatchObject({ verdict: "served", conflict: null });
    const { rows } = await server.deps.pool.query("select validated_at from meal_order");
    expect(rows[0].validated_at).not.toBeNull();
  });

  test("a meal of tomorrow is not served today, whatever the clock of the device says", async () => {
    const id = await place(addDays(today(), 1));
    const scan = scanOf({ day: addDays(today(), 1) });
    expect((await send(scan))[0]).toMatchObject({ conflict: "cancelled_since" });
    expect(await stateOf(id)).toBe("reserved");
  });
});

test("an offline service of 200 scans, with duplicates, a forged code and a card opposed meanwhile", async () => {
  const { pool } = server.owner;
  const { rows: pupils } = await pool.query<{ registration: string; card: string }>(
    `with made as (insert into person (type, name, password_hash) select 1, 'Élève ' || n, ''
         from generate_series(1, 190) n returning id),
       numbered as (select id, row_number() over (order by id) as n from made),
       cards as (insert into card (number, person_id, state)
         select 1500000000 + n, id, 'active' from numbered returning object_id, person_id),
       registered as (insert into canteen_registration (canteen_id, person_id, audience, diet, state,
           requested_by, requested_at)
         select $1, id, 'pupil', 'standard', 'accepted', id, now() from made returning id, person_id),
       ordered as (insert into meal_order (canteen_id, registration_id, person_id, ordered_by, on_day,
           state, price_cents, price_reason, late_cancel_percent, absence_percent, ordered_at)
         select $1, id, person_id, person_id, $2, 'reserved', 0, 'Gratuit', 100, 100, now()
         from registered)
     select r.id as registration, k.object_id as card
     from registered r join cards k on k.person_id = r.person_id`,
    [canteen.id, today()],
  );
  expect(pupils).toHaveLength(190);
  const start = server.clock.now().getTime();
  const made = (n: number, more: Partial<Scan>) =>
    scanOf({ at: new Date(start + n * 2000).toISOString(), ...more });
  const scans = pupils.map((pupil, n) => made(n, pupil));
  // Nine children come by twice with two devices, and one code is forged.
  const twice = pupils.slice(0, 9).map((pupil, n) => made(190 + n, pupil));
  const { registration: _, ...forged } = made(199, { verdict: "forged" });
  const queue: Scan[] = [...scans, ...twice, forged];
  expect(queue).toHaveLength(200);
  // Meanwhile, a card is opposed and a family cancels.
  await pool.query("update card set state = 'opposed' where object_id = $1", [pupils[20]?.card]);
  await pool.query("update meal_order set state = 'cancelled' where registration_id = $1", [
    pupils[21]?.registration,
  ]);
  server.clock.advance(3600_000);
  desk = await server.as("canteenProvider");
  const answers: ScanView[] = [];
  for (let from = 0; from < queue.length; from += 50) {
    const part = queue.slice(from, from + 50);
    // The answer of one part is lost on the way: it is sent again.
    if (from === 50) await send(...part);
    answers.push(...(await send(...part)));
  }
  expect(answers.map(({ id }) => id)).toEqual(queue.map(({ id }) => id));
  const times = (expected: ScanView["conflict"]) =>
    answers.filter(({ conflict }) => conflict === expected).length;
  expect([times("served_elsewhere"), times("opposed_since"), times("cancelled_since")]).toEqual([
    9, 1, 1,
  ]);
  expect(times(null)).toBe(189);
  expect(answers.find(({ id }) => id === forged.id)?.verdict).toBe("forged");
  const { rows } = await pool.query(
    `select (select count(*)::int from meal_scan) as scans,
       (select count(*)::int from meal_order where state = 'served') as served,
       (select count(*)::int from meal_scan where scanned_at > received_at) as future`,
  );
  expect(rows[0]).toEqual({ scans: 200, served: 188, future: 0 });
});
