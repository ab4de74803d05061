// The follow-up of a family's meals as a month: whose meals and of which days, which month opens, between
// which months there is anything to see.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Output } from "#contract/endpoint.ts";
import type { canteenMonth } from "#contract/meals/month.ts";
import { inTx } from "#server/db/db.ts";
import { registerAt } from "#server/kitchen/kitchen.ts";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { countStatements } from "#tests/statement-count.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

type Month = Output<(typeof canteenMonth)["month"]>;
type Eater = "guardian" | "child" | "secondChild" | "stranger";

const noon = "2027-11-23T11:00:00Z";
const today = "2027-11-23";
let server: TestServer;
let canteen: MadeCanteen;
let camille: Client;
let registrations: Record<Eater, string>;

beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer(noon));
  registrations = {
    ...canteen.registrations,
    guardian: await register("guardian"),
    stranger: await register("stranger"),
  };
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  clockAt(noon);
  await forgetMeals(server);
});

const clockAt = (instant: string) =>
  server.clock.advance(Date.parse(instant) - server.clock.now().getTime());

async function register(name: Eater): Promise<string> {
  const { rows } = await server.deps.pool.query(
    "select person_id as id from card where number = $1",
    [cast[name].cardnumber],
  );
  const personId = rows[0].id;
  return await inTx(server.deps.db, (tx) =>
    registerAt(tx, canteen.id, {
      personId,
      audience: "guest",
      by: personId,
      at: server.deps.now(),
    }),
  );
}

const place = (day: string, who: Eater = "child", priceCents = 0) =>
  placeMeal(server, { registration: registrations[who], day, priceCents });

async function cancel(id: string): Promise<void> {
  const answer = await camille.post("/api/canteen/orders/cancel", { orders: [id], costCents: 0 });
  expect(answer.status, answer.text).toBe(200);
}

async function readMonth(month?: string, client = camille): Promise<Month> {
  const answer = await client.get(`/api/canteen/month${month ? `?month=${month}` : ""}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Day and name of each meal of December. */
const inDecember = async (client = camille) =>
  (await readMonth("2027-12", client)).items.map(({ day, name }) => `${day} ${name}`);

async function listOrders(client = camille): Promise<Month["items"]> {
  const pages = ["coming", "past"].map(async (when) => {
    const { body } = await client.get(`/api/canteen/orders?when=${when}`);
    expect(body.next).toBeNull();
    return body.items;
  });
  return (await Promise.all(pages)).flat();
}

describe("the meals of a month", () => {
  test("oneself's and the children's, by day, name and number; a cancelled one among them", async () => {
    const [late, first] = [await place("2027-12-31"), await place("2027-12-01")];
    const own = await place("2027-12-01", "guardian");
    const jade = await place("2027-12-01", "secondChild");
    const cancelled = await place("2027-12-02");
    await cancel(cancelled);
    const again = await place("2027-12-02");
    for (const day of ["2027-11-30", "2028-01-01", "2026-12-01"]) await place(day);
    await place("2027-12-01", "stranger");

    const { month, items, now } = await readMonth("2027-12");
    expect([month, now]).toEqual(["2027-12", server.clock.now().toISOString()]);
    expect(items.map(({ id, day, name, state }) => [id, day, name, state])).toEqual([
      [own, "2027-12-01", cast.guardian.name, "reserved"],
      [jade, "2027-12-01", cast.secondChild.name, "reserved"],
      [first, "2027-12-01", cast.child.name, "reserved"],
      [cancelled, "2027-12-02", cast.child.name, "cancelled"],
      [again, "2027-12-02", cast.child.name, "reserved"],
      [late, "2027-12-31", cast.child.name, "reserved"],
    ]);
    expect((await readMonth("2027-10")).items).toEqual([]);
  });

  test("each as the list of orders shows it: the past, what a cancellation costs, the warning", async () => {
    const desk = await server.as("canteenProvider");
    const day = "2027-11-26";
    const dish = { course: "main", name: "Plat", labels: [], allergens: ["peanuts"], diets: [] };
    const menu = { day, note: "", dishes: [{ ...dish, priceCents: null }], undeclared: true };
    expect((await desk.post("/api/canteen/menus", menu)).status).toBe(200);
    const publish = { day, published: true, undeclared: true };
    expect((await desk.post("/api/canteen/menus/publish", publish)).status).toBe(200);
    const [past, over, warned] = [
      await place("2027-11-02"),
      await place("2027-11-25"),
      await place(day, "child", 345),
    ];
    await cancel(over);
    const free = await place("2027-11-29", "guardian", 345);
    await server.deps.pool.query("update meal_order set cancel_until = $2 where id = $1", [
      free,
      "2027-11-28T09:00:00Z",
    ]);
    const declared = await camille.post("/api/health-record", {
      cardnumber: cast.child.cardnumber,
      allergens: ["peanuts"],
      note: "",
      consent: true,
    });
    expect(declared.status, declared.text).toBe(200);

    const { items } = await readMonth("2027-11");
    expect(items.map(({ id }) => id)).toEqual([past, over, warned, free]);
    const byId = new Map((await listOrders()).map((order) => [order.id, order]));
    expect(items).toEqual(items.map(({ id }) => byId.get(id)));
    expect(items.slice(2)).toMatchObject([
      {
        warning: { allergens: ["peanuts"], undeclared: false },
        toReview: true,
        canCancel: true,
        cancelCostCents: 345,
      },
      { warning: null, toReview: false, canCancel: true, cancelCostCents: 0 },
    ]);
  });

  test("asks the database no more often for many meals than for one", async () => {
    const count = () => countStatements(server.deps.pool, () => readMonth());
    await place("2027-12-01");
    await count();
    const one = await count();
    for (const day of ["2027-12-02", "2027-12-03"]) {
      await place(day);
      await place(day, "secondChild");
    }
    expect(await count()).toBe(one);
  });
});

describe("whose meals", () => {
  beforeEach(async () => {
    await place("2027-12-01");
    await place("2027-12-01", "secondChild");
    await place("2027-12-02", "guardian");
  });
  const [leo, jade] = [`2027-12-01 ${cast.child.name}`, `2027-12-01 ${cast.secondChild.name}`];
  const own = `2027-12-02 ${cast.guardian.name}`;

  test.each<[CastName, string[]]>([
    ["guardian", [jade, leo, own]],
    ["coGuardian", [leo]],
    ["child", [leo]],
    ["stranger", []],
  ])("%s sees those that the list of orders shows", async (name, meals) => {
    const client = await server.as(name);
    expect(await inDecember(client)).toEqual(meals);
    const listed = (await listOrders(client)).map((one) => `${one.day} ${one.name}`);
    expect(listed).toEqual(meals);
  });

  test("a guardian whose tie ended sees neither the child's meals nor their months", async () => {
    await place("2029-01-15");
    expect((await readMonth()).span?.last).toBe("2029-01");
    await untie(server.owner.pool, "guardian", "child");
    try {
      expect(await inDecember()).toEqual([jade, own]);
      expect((await readMonth()).span).toEqual({ first: "2027-12", last: "2027-12" });
    } finally {
      await tieAgain(server.owner.pool, "guardian", "child");
    }
  });

  test("nor those of a child who has come of age", async () => {
    const { pool } = server.owner;
    const bornOn = async (day: string): Promise<string> =>
      (
        await pool.query(
          `update person set born_on = $2 where id = (select person_id from card where number = $1)
           returning (select to_char(before.born_on, 'YYYY-MM-DD') from person before
             where before.id = person.id) as before`,
          [cast.child.cardnumber, day],
        )
      ).rows[0].before;
    const before = await bornOn("2000-01-01");
    try {
      expect(await inDecember()).toEqual([jade, own]);
    } finally {
      await bornOn(before);
    }
  });
});

describe("the month that opens", () => {
  test("is that of the next meal that is still held, whatever this month's are", async () => {
    await place("2027-11-02");
    await cancel(await place("2027-11-26"));
    const next = await place("2027-12-06", "secondChild");
    await place("2028-02-07");
    const { month, items, span } = await readMonth();
    expect([month, items.map(({ id }) => id)]).toEqual(["2027-12", [next]]);
    expect(span).toEqual({ first: "2027-11", last: "2028-02" });
  });

  test.each(["validated", "reserved"])("is this one while a meal of today is %s", async (state) => {
    await place("2027-12-06");
    const id = await place(today);
    await server.deps.pool.query("update meal_order set state = $2 where id = $1", [id, state]);
    expect((await readMonth()).month).toBe("2027-11");
  });

  test("is the current one when no meal is held, whatever there was or was to be", async () => {
    await place("2027-10-04");
    await cancel(await place("2028-01-10"));
    const { month, items, span } = await readMonth();
    expect([month, items]).toEqual(["2027-11", []]);
    expect(span).toEqual({ first: "2027-10", last: "2028-01" });
  });

  test("begins with the day in Paris: a meal of the 30th counts until its midnight", async () => {
    await place("2027-11-30");
    await place("2028-01-10");
    const opened = async (instant: string) => {
      clockAt(instant);
      return (await readMonth(undefined, await server.as("guardian"))).month;
    };
    expect(await opened("2027-11-30T22:59:00Z")).toBe("2027-11");
    expect(await opened("2027-11-30T23:01:00Z")).toBe("2028-01");
    await forgetMeals(server);
    expect(await opened("2027-11-30T23:01:00Z")).toBe("2027-12");
  });
});

test("without any meal there is nothing to go to: no months, whichever one is read", async () => {
  await place("2027-12-01", "stranger");
  expect(await readMonth()).toEqual({
    now: server.clock.now().toISOString(),
    month: "2027-11",
    span: null,
    items: [],
  });
  expect(await readMonth("2030-05")).toMatchObject({ month: "2030-05", span: null, items: [] });
});

test.each(["2027-13", "2027-00", "2027-1", "2027-12-01", "1999-12", "2100-01", "décembre", ""])(
  "the month « %s » is refused",
  async (month) => {
    const { status, body } = await camille.get(
      `/api/canteen/month?month=${encodeURIComponent(month)}`,
    );
    expect([status, body.code]).toEqual([400, "invalid_input"]);
  },
);
