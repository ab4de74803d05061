// The follow-up of a provider: lists and counts, and actions on several meals at once.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { canteen as limits } from "#contract/limits.ts";
import { cast } from "#tests/cast.ts";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  makeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let camille: Client;
let made: MadeCanteen;
/** Lines of the audit before the test. */
let audits: number;
beforeAll(async () => {
  ({ server, canteen: made, camille } = await openCanteenServer("2027-11-23T11:00:00Z"));
  desk = await server.as("canteenProvider");
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  const { pool } = server.deps;
  await forgetMeals(server);
  audits = (await pool.query("select count(*)::int as n from audit")).rows[0].n;
  await pool.query("update canteen set needs_validation = false");
  await pool.query("update canteen_registration set class = 'CE1'");
});

const today = () => parisDay(server.clock.now());
const placeChild = (day = today()) =>
  placeMeal(server, { registration: made.registrations.child, day });
const placeFree = (registration: string, day: string) =>
  placeMeal(server, { registration, day, priceCents: 0 });
const placeSecond = (day = today()) =>
  placeMeal(server, { registration: made.registrations.secondChild, day, priceCents: 0 });
const meals = (more = "") => `/api/canteen/own/${made.id}/meals${more}`;
const span = (from = today(), to = from) => `?from=${from}&to=${to}`;
const list = async (more = "", days = span()) => (await desk.get(meals(days + more))).body;
const namesIn = async (more: string) =>
  (await list(more)).items.map(({ name }: { name: string }) => name);
const act = (what: string, orders: string[], more = {}, client = desk) =>
  client.post(meals(`/${what}`), { orders, ...more });
const states = async () => {
  const { rows } = await server.deps.pool.query("select state from meal_order order by number");
  return rows.map(({ state }) => state);
};
const audited = async () => {
  const { rows } = await server.deps.pool.query("select action from audit order by id offset $1", [
    audits,
  ]);
  return rows.map(({ action }) => action).filter((action) => action.startsWith("meal."));
};
const childWallet = async () => {
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`);
  const { balanceCents, heldCents } = body.items.find((one: { main: boolean }) => one.main);
  return { balanceCents, heldCents };
};

describe("GET /api/canteen/own/:canteen/meals", () => {
  test("pages the meals of the days asked for, the last ordered first, and counts each state", async () => {
    const first = await placeChild();
    const second = await placeSecond();
    await placeChild(addDays(today(), 1));
    await placeSecond(addDays(today(), -1));
    await act("serve", [first]);
    const page = await list("&limit=1");
    expect(page.items).toMatchObject([
      {
        id: second,
        name: cast.secondChild.name,
        className: "CE1",
        state: "reserved",
        undoUntil: null,
      },
    ]);
    expect(page).toMatchObject({ total: 2, skipped: 0 });
    expect(page.counts).toEqual([
      { state: "reserved", count: 1 },
      { state: "served", count: 1 },
    ]);
    const before = page.items[0].number;
    const rest = await list(`&limit=1&before=${before}`);
    const undoUntil = new Date(
      server.clock.now().getTime() + limits.undoSeconds * 1000,
    ).toISOString();
    expect(rest).toMatchObject({
      items: [{ id: first, state: "served", chargedCents: 345, undoUntil }],
      total: 2,
      skipped: 1,
    });
    const oldest = rest.items[0].number;
    expect(await list(`&limit=1&after=${oldest}`)).toMatchObject({
      items: [{ id: second }],
      skipped: 0,
    });
    // Beyond an end is the page at that end; a state has pages of its own.
    expect(await list(`&limit=1&before=${oldest}`)).toMatchObject({
      items: [{ id: first }],
      skipped: 1,
    });
    expect(await list(`&limit=2&after=${oldest}`)).toMatchObject({
      items: [{ id: second }, { id: first }],
      skipped: 0,
    });
    expect(await list(`&limit=1&before=${oldest}&state=reserved`)).toMatchObject({
      items: [{ id: second }],
      total: 1,
      skipped: 0,
    });
    expect((await list("", span(addDays(today(), -1), addDays(today(), 1)))).items).toHaveLength(4);
  });

  test("a page keeps its meals while others are ordered", async () => {
    const ids = [];
    for (let ahead = 0; ahead < 4; ahead++) ids.push(await placeSecond(addDays(today(), ahead)));
    const days = span(today(), addDays(today(), 9));
    const first = await list("&limit=2", days);
    await placeSecond(addDays(today(), 5));
    const next = await list(`&limit=2&before=${first.items[1].number}`, days);
    expect(next.items.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[0]]);
    expect(next).toMatchObject({ total: 5, skipped: 3 });
  });

  test("filters by state, class and part of a name; counts keep to the other filters", async () => {
    const first = await placeChild();
    await placeSecond();
    await act("serve", [first]);
    await server.deps.pool.query("update canteen_registration set class = 'CM2' where id = $1", [
      made.registrations.secondChild,
    ]);
    expect(await namesIn("&state=served")).toEqual([cast.child.name]);
    expect((await list("&state=served")).counts).toHaveLength(2);
    expect(await namesIn("&className=CM2")).toEqual([cast.secondChild.name]);
    expect((await list("&className=CM2")).counts).toEqual([{ state: "reserved", count: 1 }]);
    expect(await namesIn(`&name=${encodeURIComponent(cast.child.name.slice(0, 4))}`)).toContain(
      cast.child.name,
    );
    // Typed without accents, as a name is typed in a hurry.
    expect(await namesIn("&name=leo")).toContain(cast.child.name);
    expect(await namesIn("&name=%25")).toEqual([]);
  });

  test("days in the wrong order, or more than a month of them, are refused", async () => {
    for (const to of [addDays(today(), -1), addDays(today(), limits.followedDays)]) {
      expect(await desk.get(meals(span(today(), to)))).toMatchObject({
        status: 422,
        body: { code: "meal_span" },
      });
    }
    const longest = addDays(today(), limits.followedDays - 1);
    expect((await desk.get(meals(span(today(), longest)))).status).toBe(200);
  });
});

describe("GET /api/canteen/orders", () => {
  const two = async (from: number) => {
    const ids: string[] = [];
    for (let ahead = 0; ahead < 13; ahead++) {
      const day = addDays(today(), from + ahead);
      ids.push(await placeFree(made.registrations.secondChild, day));
      ids.push(await placeFree(made.registrations.child, day));
    }
    return ids;
  };
  const read = async (query: string) => (await camille.get(`/api/canteen/orders?${query}`)).body;
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

  test.each([
    ["coming", 1, "by day, then by name"],
    ["past", -20, "last day first, then by name"],
  ])(
    "%s meals are paged by key, %s days from today: none twice, none left out",
    async (when, from) => {
      const placed = await two(from);
      const first = await read(`when=${when}`);
      expect(first.items).toHaveLength(20);
      expect(first.next).toBe(first.items[19].number);
      // A meal that is ordered meanwhile, before what was seen, moves nothing.
      const seenDay = when === "coming" ? addDays(today(), 0) : addDays(today(), -1);
      await placeFree(made.registrations.child, seenDay);
      const rest = await read(`when=${when}&after=${first.next}`);
      expect(rest.next).toBeNull();
      const all = [...first.items, ...rest.items];
      expect(idsOf(all).toSorted()).toEqual(placed.toSorted());
      const keys = all.map(({ day, name }: { day: string; name: string }) => `${day} ${name}`);
      const days = [...new Set(all.map(({ day }: { day: string }) => day))];
      expect(days).toEqual(when === "coming" ? days.toSorted() : days.toSorted().toReversed());
      expect(keys[0]?.endsWith(cast.secondChild.name)).toBe(
        cast.secondChild.name < cast.child.name,
      );
    },
  );
});

describe("acts on meals", () => {
  test("name the one that they cannot be done to, leave it as it was, and are done to the others", async () => {
    const [first, second] = [await placeChild(), await placeSecond()];
    expect(await act("validate", [first, second])).toMatchObject({
      status: 200,
      body: { message: "2 repas validés.", stopped: [] },
    });
    await act("serve", [first]);
    const { heldCents } = await childWallet();
    expect(await act("refuse", [second, first], { reason: "Panne" })).toMatchObject({
      status: 200,
      body: {
        message: "1 repas refusé.",
        stopped: [
          {
            order: first,
            name: cast.child.name,
            day: today(),
            why: expect.stringMatching(/Servie/),
          },
        ],
      },
    });
    expect((await childWallet()).heldCents).toBe(heldCents);
    expect(await states()).toEqual(["served", "refused"]);
    expect((await act("serve", [first, second])).body).toMatchObject({
      message: "Aucun repas servi.",
      stopped: [{ order: first }, { order: second, why: expect.stringMatching(/Refusée/) }],
    });
    for (const what of ["serve", "validate"]) {
      expect(await act(what, [first]), what).toMatchObject({
        status: 409,
        body: { code: "meal_state_now" },
      });
    }
    expect((await act("serve", [second, randomUUID()])).status).toBe(404);
    expect(await states()).toEqual(["served", "refused"]);
    expect(await audited()).toEqual([
      "meal.validate",
      "meal.validate",
      "meal.serve",
      "meal.refuse",
    ]);
  });

  test("an absence that the wallet cannot pay any more stays one; who stands beside it is served", async () => {
    const [first, second] = [
      await placeFree(made.registrations.child, addDays(today(), -1)),
      await placeFree(made.registrations.secondChild, today()),
    ];
    // Closed as an absence that cost nothing: serving it takes the price from what is left.
    await server.deps.pool.query(
      `update meal_order set state = 'absent', ended_at = now(), charged_cents = 0,
         price_cents = 9999999 where id = $1`,
      [first],
    );
    const before = await childWallet();
    const served = await act("serve", [first, second]);
    expect(served.body).toMatchObject({
      message: "1 repas servi.",
      stopped: [{ order: first, name: cast.child.name, why: expect.stringMatching(/solde/i) }],
    });
    expect(await states()).toEqual(["absent", "served"]);
    expect(await childWallet()).toEqual(before);
    expect(await audited()).toEqual(["meal.serve"]);
  });

  test("serving spends, undoing within five minutes holds again, later it is refused", async () => {
    const id = await placeChild();
    const { balanceCents, heldCents } = await childWallet();
    expect((await act("serve", [id, id])).body.message).toBe("1 repas servi.");
    expect((await childWallet()).heldCents).toBe(heldCents - 345);
    expect((await act("unserve", [id])).body.message).toBe("1 repas remis à servir.");
    expect(await childWallet()).toEqual({ balanceCents, heldCents });
    expect(await states()).toEqual(["reserved"]);
    await act("serve", [id]);
    server.clock.advance(limits.undoSeconds * 1000 + 1000);
    expect((await act("unserve", [id])).body.code).toBe("meal_undo_late");
    expect((await list("&state=served", span(parisDay(server.clock.now())))).items).toMatchObject([
      { undoUntil: null },
    ]);
    expect(await states()).toEqual(["served"]);
  });

  test("an absence of a few days ago may be served; one of three weeks ago is charged to nobody", async () => {
    const [late, recent] = [
      await placeFree(made.registrations.child, addDays(today(), -limits.servedLateDays - 1)),
      await placeFree(made.registrations.child, addDays(today(), -limits.servedLateDays)),
    ];
    await server.deps.pool.query("update meal_order set state = 'absent', ended_at = now()");
    expect(await act("serve", [late])).toMatchObject({
      status: 409,
      body: { code: "meal_past" },
    });
    expect(await states()).toEqual(["absent", "absent"]);
    expect((await act("serve", [recent, late])).body).toMatchObject({
      message: "1 repas servi.",
      stopped: [{ order: late }],
    });
    const [notice] = (await camille.get("/api/notifications")).body.items;
    expect(notice.body).toMatch(/^École des Embruns a corrigé l’absence de Léo/);
  });

  test("a canteen that accepts orders first accepts what it serves; undone, it stays accepted", async () => {
    await server.deps.pool.query("update canteen set needs_validation = true");
    const id = await placeChild();
    await act("serve", [id]);
    await act("unserve", [id]);
    expect(await states()).toEqual(["validated"]);
  });

  test("a meal of another day to come is not served yet", async () => {
    const [now, later] = [await placeChild(), await placeSecond(addDays(today(), 1))];
    expect(await act("serve", [later])).toMatchObject({
      status: 409,
      body: { code: "meal_not_yet" },
    });
    expect((await act("serve", [now, later])).body.stopped).toMatchObject([{ order: later }]);
    expect(await states()).toEqual(["served", "reserved"]);
  });

  test("a meal that the counter handed without an order is undone at the counter", async () => {
    const scan = {
      id: randomUUID(),
      day: today(),
      at: server.clock.now().toISOString(),
      verdict: "no_order",
      walkIn: "hold",
      registration: made.registrations.child,
    };
    const sent = await desk.post(`/api/canteen/${made.id}/scans`, { scans: [scan] });
    expect(sent.body.items).toMatchObject([{ conflict: null }]);
    const [{ id, undoUntil }] = (await list()).items;
    expect(undoUntil).toBeNull();
    expect((await act("unserve", [id])).body.code).toBe("meal_undo_walk_in");
    expect(await states()).toEqual(["served"]);
  });

  test("a refusal has a reason, which the family and the list read", async () => {
    const id = await placeChild();
    expect(await act("refuse", [id], { reason: "  " })).toMatchObject({
      status: 422,
      body: { code: "meal_refusal_reason" },
    });
    expect(await states()).toEqual(["reserved"]);
    await act("refuse", [id], { reason: "Panne du four" });
    expect((await list()).items).toMatchObject([{ state: "refused", endReason: "Panne du four" }]);
    const { items } = (await camille.get("/api/notifications")).body;
    expect(items[0].body).toContain("Panne du four");
    expect(await audited()).toEqual(["meal.refuse"]);
  });
});

describe("GET /api/canteen/own/:canteen/meals.csv and meals.pdf", () => {
  test("list the meals under the filters", async () => {
    const first = await placeChild();
    await placeSecond();
    await act("serve", [first]);
    const { text } = await desk.get(meals(`.csv${span()}&state=served`));
    const lines = text.trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`;${cast.child.name};CE1;`);
    expect(lines[1]).toContain(";Servie;3,45;3,45;");
    const paper = await server.app.inject({
      url: meals(`.pdf${span()}&state=reserved`),
      headers: { authorization: `Bearer ${desk.token}` },
    });
    expect(paper.statusCode).toBe(200);
    const words = wordsOf(paper.rawPayload);
    expect(words).toContain(cast.secondChild.name);
    expect(words).not.toContain(cast.child.name);
  });

  test("go by day, then class by class in the order of the canteen", async () => {
    const { pool } = server.deps;
    await placeSecond();
    await placeFree(made.registrations.child, today());
    await placeFree(made.registrations.child, addDays(today(), -1));
    const classes = (await pool.query("select classes from canteen where id = $1", [made.id]))
      .rows[0].classes;
    await pool.query("update canteen set classes = '{CP,CE1}' where id = $1", [made.id]);
    await pool.query("update canteen_registration set class = 'CP' where id = $1", [
      made.registrations.secondChild,
    ]);
    const { text } = await desk.get(meals(`.csv${span(addDays(today(), -1), today())}`));
    const names = text
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(";")[2]);
    expect(names).toEqual([cast.child.name, cast.secondChild.name, cast.child.name]);
    await pool.query("update canteen set classes = $2 where id = $1", [made.id, classes]);
  });

  test("more meals than a paper holds are refused there, not in the CSV", async () => {
    await server.deps.pool.query(
      `insert into meal_order (canteen_id, registration_id, person_id, ordered_by, on_day, state,
         price_cents, price_reason, late_cancel_percent, absence_percent, ordered_at)
       select canteen_id, id, person_id, person_id, $2::date, 'cancelled', 345, 'Plein tarif', 100, 100,
         now() from canteen_registration, generate_series(0, $3::int) where id = $1`,
      [made.registrations.child, today(), limits.mealsOnPaper],
    );
    expect((await desk.get(meals(`.pdf${span()}`))).body.code).toBe("meal_list_long");
    const { text } = await desk.get(meals(`.csv${span()}`));
    expect(text.trim().split("\r\n")).toHaveLength(limits.mealsOnPaper + 2);
  });
});

test("another professional finds none of it, nor a canteen's meals under another's, and nothing changes", async () => {
  const id = await placeChild();
  const shop = await server.as("partnerShop");
  const answers = await Promise.all([
    shop.get(meals(span())),
    shop.get(meals(`.csv${span()}`)),
    shop.get(meals(`.pdf${span()}`)),
    act("validate", [id], {}, shop),
    act("serve", [id], {}, shop),
    act("unserve", [id], {}, shop),
    act("refuse", [id], { reason: "Non" }, shop),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
  const other = await makeCanteen(server, { name: "École voisine" });
  const beside = `/api/canteen/own/${other.id}/meals/serve`;
  expect((await desk.post(beside, { orders: [id] })).status).toBe(404);
  expect(await states()).toEqual(["reserved"]);
});
