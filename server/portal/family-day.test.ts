// GET /api/home: the next day of a family, with the meal, the bus, the tickets and the custodian of each, and the
// favourite stop.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { weekOf } from "#contract/weeks.ts";
import { approveIfRequired } from "#tests/approve.ts";
import {
  farMonday,
  forgetMeals,
  type MadeCanteen,
  makeCanteen,
  placeMeal,
} from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { inTx } from "../db/db.ts";
import { demoFares } from "../demo/fares.ts";
import { openNetwork } from "../demo/transit.ts";
import { writeMenuDays } from "../kitchen/kitchen.ts";
import { putOnSale } from "../passes/passes.ts";

let server: TestServer;
let canteen: MadeCanteen;
let camille: Client;
/** No canteen of the staff kind is closed from the Friday before to the Monday after. */
let monday: string;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  monday = farMonday(parisDay(server.clock.now()), [-3, 0, 1, 2, 3, 4, 7]);
  await clockTo(-7, "09:00");
  canteen = await makeCanteen(server, { kind: "staff" });
});
afterAll(() => server.close());

const run = (text: string, values: unknown[] = []) => server.deps.pool.query(text, values);
const dayOf = (ahead: number) => addDays(monday, ahead);
/** Sets the clock to a time in Paris, so many days after the Monday, with a new session. */
async function clockTo(ahead: number, time: string): Promise<void> {
  const target = instantOfParis(dayOf(ahead), time).getTime();
  server.clock.advance(target - server.clock.now().getTime());
  camille = await server.as("guardian");
}
const homeOf = async (client: Client = camille, name: CastName = "guardian") =>
  (await client.get(`/api/home?cardnumber=${cast[name].cardnumber}`)).body;
const dayFor = async (client?: Client, name?: CastName) => (await homeOf(client, name)).day;
const names = ({ people }: { people: { name: string }[] }) => people.map(({ name }) => name);
/** The part of Léo, of the Monday unless another day is the next. */
const leo = async () => {
  const { people } = await dayFor();
  return people.find(({ name }: { name: string }) => name === cast.child.name);
};
const order = (ahead: number, registration = canteen.registrations.child) =>
  placeMeal(server, { registration, day: dayOf(ahead), priceCents: 0 });

describe("the day", () => {
  test("is today before 14:00 in Paris, then tomorrow; nobody is shown where nothing is known", async () => {
    for (const [time, day] of [
      ["00:00", 0],
      ["13:59", 0],
      ["14:00", 1],
      ["23:59", 1],
    ] as const) {
      await clockTo(0, time);
      const hugo = await server.as("stranger");
      expect(await homeOf(hugo, "stranger"), time).toMatchObject({
        day: { on: dayOf(day), people: [] },
        stop: null,
      });
    }
    expect((await camille.get(`/api/home?cardnumber=${cast.stranger.cardnumber}`)).status).toBe(
      404,
    );
  });

  test("from Friday afternoon to Sunday it is Monday, even where the meal can no longer be ordered", async () => {
    for (const [ahead, time, state] of [
      [-3, "14:00", "open"],
      [-2, "10:00", "open"],
      [-1, "09:59", "open"],
      [-1, "10:01", "missed"],
      [-1, "15:00", "missed"],
      [0, "10:00", "missed"],
    ] as const) {
      await clockTo(ahead, time);
      const { on, people } = await dayFor();
      expect([on, people[0].meal.state], time).toEqual([monday, state]);
    }
    await clockTo(-3, "13:59");
    expect((await dayFor()).on).toBe(dayOf(-3));
  });
});

describe("meals", () => {
  beforeEach(() => clockTo(-2, "10:00"));
  afterEach(async () => {
    await forgetMeals(server);
    await run("delete from canteen_menu; delete from canteen_closing");
  });

  test("one that can be ordered comes with its deadline and the week where it is ordered", async () => {
    const day = await dayFor();
    const open = {
      state: "open",
      canteen: "École des Embruns",
      dishes: [],
      warning: null,
      orderUntil: instantOfParis(dayOf(-1), "10:00").toISOString(),
      path: `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${monday}`,
    };
    const nothing = { bus: null, tickets: [], custodian: null };
    expect(day).toEqual({
      on: monday,
      people: [
        {
          cardnumber: cast.secondChild.cardnumber,
          name: "Jade Moreau",
          own: false,
          meal: open,
          ...nothing,
        },
        {
          cardnumber: cast.child.cardnumber,
          name: "Léo Moreau",
          own: false,
          meal: open,
          ...nothing,
        },
      ],
    });
  });

  test("one that is ordered, validated or served says so; an absence is none", async () => {
    const id = await order(0);
    for (const [state, shown] of [
      ["reserved", "ordered"],
      ["validated", "ordered"],
      ["served", "served"],
    ]) {
      await run("update meal_order set state = $1 where id = $2", [state, id]);
      expect((await leo()).meal, state).toMatchObject({ state: shown, orderUntil: null });
    }
    await run("update meal_order set state = 'absent' where id = $1", [id]);
    expect((await leo()).meal).toBeNull();
  });

  test("without a free seat it is missed, unless the waiting list offers one", async () => {
    await order(0, canteen.registrations.secondChild);
    await run("update canteen_day set taken = seats");
    expect((await leo()).meal).toMatchObject({ state: "missed", orderUntil: null });
    await run(
      `insert into meal_wait (registration_id, on_day, requested_by, state, requested_at, offered_until)
       select id, $2, person_id, 'offered', now(), $3 from canteen_registration where id = $1`,
      [canteen.registrations.child, monday, instantOfParis(dayOf(-2), "12:00")],
    );
    expect((await leo()).meal.state).toBe("open");
    await run("delete from meal_wait");
  });

  test("a closed day, a registration that begins later and a full week have none to order", async () => {
    await run(
      `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
       values ($1, $2::date, $2::date, 'Travaux', now())`,
      [canteen.id, monday],
    );
    expect((await dayFor()).on).toBe(dayOf(1));
    await run("delete from canteen_closing");
    const later = (on: string | null) =>
      run("update canteen_registration set from_on = $2 where id = $1", [
        canteen.registrations.child,
        on,
      ]);
    await later(dayOf(1));
    expect((await leo()).meal).toBeNull();
    await later(null);
    await order(1);
    await run("update canteen set max_per_week = 1");
    expect((await leo()).meal).toBeNull();
    await run("update canteen set max_per_week = null");
    const priceFor = (from: string, to: string) =>
      run("update canteen_price set audience = $2 where audience = $1", [from, to]);
    await priceFor("pupil", "staff");
    expect((await dayFor()).on).toBe(dayOf(1));
    await priceFor("staff", "pupil");
    expect((await leo()).meal.state).toBe("open");
  });

  test("names the main dish and its side as the child is served them, and warns of its allergens", async () => {
    const dish = (course: "starter" | "main" | "side", name: string, more: object = {}) => ({
      course,
      name,
      labels: [],
      allergens: [],
      diets: [],
      priceCents: null,
      ...more,
    });
    const menu = [
      dish("starter", "Soupe"),
      dish("side", "Riz"),
      dish("main", "Rôti de porc", { allergens: ["mustard"] }),
      dish("main", "Omelette", { diets: ["no_pork"] }),
    ];
    const serve = (dishes: typeof menu) =>
      inTx(server.deps.db, (tx) =>
        writeMenuDays(tx, canteen.providerId, [{ day: monday, note: "", dishes }]),
      );
    await serve(menu);
    expect((await leo()).meal.dishes).toEqual([]);
    await run("update canteen_menu set published_at = now()");
    await run("update canteen_registration set diet = 'no_pork' where id = $1", [
      canteen.registrations.secondChild,
    ]);
    const { cardnumber } = cast.child;
    const record = { cardnumber, allergens: ["mustard"], note: "", consent: true };
    expect((await camille.post("/api/health-record", record)).status).toBe(200);
    const [jade, own] = (await dayFor()).people;
    expect(jade.meal).toMatchObject({ dishes: ["Omelette", "Riz"], warning: null, state: "open" });
    expect(own.meal).toMatchObject({
      dishes: ["Rôti de porc", "Riz"],
      warning: { allergens: ["mustard"], undeclared: false },
      state: "open",
    });
    await serve(["Soupe", "Salade", "Melon", "Radis"].map((name) => dish("starter", name)));
    expect((await leo()).meal.dishes).toEqual(["Soupe", "Salade", "Melon"]);
    await run("update canteen_registration set diet = 'packed'");
    expect((await leo()).meal.dishes).toEqual([]);
    await run("update canteen_registration set diet = 'standard'");
    await camille.post("/api/health-record/withdraw", { cardnumber });
  });

  test("of two canteens the one that is ordered counts, else the one that serves first", async () => {
    const { registrations, id } = await makeCanteen(server, {
      kind: "staff",
      name: "Centre de loisirs",
      servesFrom: "16:30",
      servesUntil: "17:15",
    });
    const where = async () => (await leo()).meal.canteen;
    expect(await where()).toBe("École des Embruns");
    await order(0, registrations.child);
    expect(await where()).toBe("Centre de loisirs");
    await order(0);
    expect(await where()).toBe("École des Embruns");
    await forgetMeals(server);
    await run(
      "update canteen_registration set state = 'ended', ended_at = now() where canteen_id = $1",
      [id],
    );
  });

  test("a child who looks sees itself alone, a guardian on a child's card that child", async () => {
    const own = await dayFor(await server.as("child"), "child");
    expect(own.people).toMatchObject([{ name: "Léo Moreau", own: true, meal: { state: "open" } }]);
    const seen = await dayFor(camille, "child");
    expect(seen.people).toMatchObject([{ name: "Léo Moreau", own: false }]);
  });
});

describe("custody", () => {
  test("names the guardian of the day, and shows all children for it", async () => {
    await clockTo(0, "09:00");
    const thomas = await server.as("coGuardian");
    const path = `/api/family/members/${cast.child.cardnumber}/custody`;
    const weeks = { kind: "weeks", first: "me", fromOn: monday };
    const { body } = await thomas.post(path, weeks);
    expect((await camille.post(`/api/family/custody/${body.id}/accept`)).status).toBe(200);
    // Whoever proposes takes the even weeks by saying « me ».
    const isEven = weekOf(monday) % 2 === 0;
    const custodian = (name: "Thomas Moreau" | "Camille Moreau", own: boolean) => ({ name, own });
    const inThomasWeek = custodian("Thomas Moreau", false);
    const inCamilleWeek = custodian("Camille Moreau", true);
    expect((await leo()).custodian).toEqual(isEven ? inThomasWeek : inCamilleWeek);
    await clockTo(7, "09:00");
    expect((await leo()).custodian).toEqual(isEven ? inCamilleWeek : inThomasWeek);
    await run("update canteen_registration set state = 'ended', ended_at = now()");
    const alone = await dayFor();
    expect(names(alone)).toEqual(["Jade Moreau", "Léo Moreau"]);
    expect(alone.people[0]).toMatchObject({ meal: null, custodian: null });
    await run("delete from custody");
    expect(await dayFor()).toEqual({ on: dayOf(7), people: [] });
    await run("update canteen_registration set state = 'accepted', ended_at = null");
  });
});

describe("tickets", () => {
  test("make their day the next one, for their holder alone, until the session is over", async () => {
    await run("update canteen_registration set state = 'ended', ended_at = now()");
    await clockTo(0, "09:00");
    const starts = instantOfParis(dayOf(2), "20:00");
    const ends = instantOfParis(dayOf(2), "22:00");
    const session = { startsAt: starts.toISOString(), endsAt: ends.toISOString(), seats: 10 };
    const event = await makeEvent(server, { sessions: [session] });
    const { cardnumber } = cast.guardian;
    const line = { session: event.session, category: event.full, cardnumber, quantity: 2 };
    const { cart } = (await camille.post("/api/tickets/cart/lines", line)).body;
    const { items } = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body;
    const paid = await approveIfRequired(server, camille, "/api/tickets/cart/pay", {
      method: "wallet",
      order: cart.id,
      objectID: items[0].objectID,
      totalCents: cart.totalCents,
    });
    expect(paid.status, paid.text).toBe(200);
    const { on, people } = await dayFor();
    expect(on).toBe(dayOf(2));
    expect(names({ people })).toEqual(["Jade Moreau", "Léo Moreau", "Camille Moreau"]);
    expect(people[0].tickets).toEqual([]);
    expect(people[2]).toMatchObject({
      own: true,
      meal: null,
      tickets: [
        {
          id: event.session,
          title: "Concert du port",
          place: "Halle du Port",
          from: session.startsAt,
          count: 2,
        },
      ],
    });
    expect((await dayFor(camille, "child")).people).toEqual([]);
    await clockTo(2, "13:59");
    expect((await dayFor()).on).toBe(dayOf(2));
    // In the afternoon the day is the next one; what is left of today is still told.
    await clockTo(2, "17:00");
    const evening = await dayFor();
    expect(evening.on).toBe(dayOf(3));
    expect(evening.people[2].tickets).toMatchObject([{ from: session.startsAt, count: 2 }]);
    await clockTo(2, "22:01");
    expect(await dayFor()).toEqual({ on: dayOf(3), people: [] });
    await clockTo(2, "13:59");
    await run(
      `update ticket_session set starts_at = starts_at - interval '10 hours',
         ends_at = ends_at - interval '10 hours'`,
    );
    expect(await dayFor()).toEqual({ on: dayOf(2), people: [] });
    await run("update canteen_registration set state = 'accepted', ended_at = null");
  });
});

describe("buses", () => {
  let stop: number;
  let lines: Set<string>;
  beforeAll(async () => {
    await clockTo(0, "09:00");
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
    await inTx(server.deps.db, (tx) => openNetwork(tx, server.clock.now()));
    const start = { product: "lagon-mois", cardnumber: cast.child.cardnumber };
    const { body: begun } = await camille.post("/api/passes/orders", start);
    const path = `/api/passes/orders/${begun.id}`;
    const { body: changed } = await camille.post(path, { startOn: begun.start.from });
    const { items } = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`))
      .body;
    const paid = await approveIfRequired(server, camille, `${path}/pay`, {
      revision: changed.revision,
      totalCents: changed.price.totalCents,
      objectID: items[0].objectID,
      method: "wallet",
    });
    expect(paid.status, paid.text).toBe(200);
    const { rows } = await run(
      `select ds.stop_id as stop, array(select number from transit_line where group_id = f.group_id) as lines
       from fare_product f join transit_line l on l.group_id = f.group_id
       join transit_direction_stop ds on ds.line_id = l.id
       where f.id = 'lagon-mois' order by ds.place, ds.stop_id limit 1`,
    );
    stop = rows[0].stop;
    lines = new Set(rows[0].lines);
    await run("update pass set stop_id = $1::int::text", [stop]);
  });

  /** The line and direction of the pass that leaves first from now on, as the stop's own screen shows it. */
  const firstOfStop = async () => {
    const { body } = await camille.get(`/api/transit/stops/${stop}/departures`);
    const [first] = body.items
      .filter(({ line, next }: any) => lines.has(line.number) && next.length > 0)
      .toSorted((one: any, other: any) => one.next[0].at.localeCompare(other.next[0].at));
    return { line: first.line, to: first.to, stop: body.stop.name, next: first.next };
  };

  test("from now on today, from 07:00 of a later day, within that day", async () => {
    await clockTo(1, "09:30");
    const now = await firstOfStop();
    expect(now.next).toHaveLength(3);
    const { people } = await dayFor();
    expect(people.map(({ name, bus }: any) => [name, bus])).toEqual([
      ["Jade Moreau", null],
      ["Léo Moreau", now],
    ]);
    await clockTo(1, "07:00");
    const morning = await firstOfStop();
    await clockTo(0, "15:00");
    expect((await leo()).bus).toEqual(morning);
    // The last bus of Tuesday leaves before 09:30 now: those of Wednesday are not of that day.
    await run("delete from transit_departure where departs > 9 * 3600");
    await clockTo(1, "09:30");
    expect((await firstOfStop()).next[0].at > instantOfParis(dayOf(2), "00:00").toISOString()).toBe(
      true,
    );
    expect(await leo()).toMatchObject({ bus: null });
    await inTx(server.deps.db, (tx) => openNetwork(tx, server.clock.now()));
  });

  test("none by a pass that is suspended, over, or whose stop is gone", async () => {
    await clockTo(1, "09:30");
    expect((await leo()).bus).not.toBeNull();
    await run("update pass set stop_id = '2147483647'");
    expect((await leo()).bus).toBeNull();
    await run("update pass set stop_id = $1::int::text", [stop]);
    await run("update pass set state = 'suspended', suspended_on = $1", [monday]);
    expect((await leo()).bus).toBeNull();
    await run("update pass set state = 'active', suspended_on = null");
    await clockTo(60, "09:30");
    expect((await leo())?.bus ?? null).toBeNull();
  });

  test("the favourite stop chosen first that has buses shows the two directions that leave next", async () => {
    await clockTo(1, "09:30");
    expect((await homeOf()).stop).toBeNull();
    const { rows } = await run("select id from transit_stop where id <> $1 limit 1", [stop]);
    for (const id of [stop, rows[0].id]) {
      const chosen = await camille.post(`/api/transit/stops/${id}/favourite`, { chosen: true });
      expect(chosen.status).toBe(200);
      await clockTo(1, "09:31");
    }
    const { body } = await camille.get(`/api/transit/stops/${stop}/departures`);
    const byDeparture = body.items
      .filter(({ next }: any) => next.length > 0)
      .toSorted((one: any, other: any) => one.next[0].at.localeCompare(other.next[0].at));
    const { stop: shown } = await homeOf();
    expect(shown).toMatchObject({ id: stop, name: body.stop.name, now: body.now });
    const leaving = shown.items.map(({ next }: any) => next[0].at);
    expect(leaving).toEqual(byDeparture.slice(0, 2).map(({ next }: any) => next[0].at));
    for (const way of shown.items) expect(byDeparture).toContainEqual(way);
    expect((await homeOf(camille, "child")).stop).toBeNull();
    expect((await homeOf(await server.as("coGuardian"), "coGuardian")).stop).toBeNull();
    await run("delete from transit_departure where stop_id = $1", [stop]);
    expect((await homeOf()).stop.id).toBe(rows[0].id);
  });
});
