// Registrations at the desk: requests answered once, people listed by class, ended when nothing is ordered.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let guardian: Client;
let made: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
  [desk, guardian] = await Promise.all([server.as("canteenProvider"), server.as("guardian")]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.pool.query("delete from notification");
  await server.deps.pool.query(
    `update canteen_registration set state = 'requested', reason = null, answered_at = null,
       diet = 'no_pork', pai = true where id = $1`,
    [made.registrations.child],
  );
  await server.deps.pool.query(
    "update canteen_registration set state = 'accepted', ended_at = null where id = $1",
    [made.registrations.secondChild],
  );
});

const own = "/api/canteen/own";
const list = async (className?: string) =>
  (await desk.get(`${own}/${made.id}/registrations${className ? `?className=${className}` : ""}`))
    .body;
const answer = (accept: boolean, reason = "", client = desk) =>
  client.post(`${own}/registrations/${made.registrations.child}/answer`, { accept, reason });
const end = (registration: string, client = desk) =>
  client.post(`${own}/registrations/${registration}/end`, {});
const notices = async () =>
  (await guardian.get("/api/notifications")).body.items.map((one: { title: string }) => one.title);

describe("GET /api/canteen/own/:canteen/registrations", () => {
  test("tells the requests, the size of each class and the people of the one asked for", async () => {
    const { waiting, classes, accepted } = await list("CE1");
    expect(waiting).toMatchObject([
      {
        name: cast.child.name,
        className: "CE1",
        diet: "no_pork",
        pai: true,
        sharesAllergens: true,
      },
    ]);
    expect(classes).toEqual([{ className: "CE1", count: 1 }]);
    expect(accepted).toMatchObject([{ name: cast.secondChild.name }]);
    expect((await list()).accepted).toEqual([]);
    expect((await list("CP")).accepted).toEqual([]);
  });
});

describe("POST /api/canteen/own/registrations/:registration/answer", () => {
  test("accepts once, and the guardian is told", async () => {
    expect((await answer(true)).status).toBe(200);
    expect((await list("CE1")).accepted).toHaveLength(2);
    expect((await list()).waiting).toEqual([]);
    expect(await notices()).toEqual(["Inscription acceptée"]);
    expect(await answer(false, "Trop tard")).toMatchObject({
      status: 409,
      body: { code: "meal_registration_answered" },
    });
    expect((await list("CE1")).accepted).toHaveLength(2);
  });

  test("refuses with a reason that the family reads, never without one", async () => {
    expect(await answer(false, "  ")).toMatchObject({
      status: 422,
      body: { code: "meal_registration_reason" },
    });
    expect((await list()).waiting).toHaveLength(1);
    await answer(false, "Plus de place en CE1.");
    expect((await list()).waiting).toEqual([]);
    const { items } = (await guardian.get("/api/notifications")).body;
    expect(items).toMatchObject([{ title: "Inscription refusée" }]);
    expect(items[0].body).toContain("Plus de place en CE1.");
  });
});

describe("POST /api/canteen/own/registrations/:registration/end", () => {
  test("ends what was accepted, once; a request is answered instead", async () => {
    const { child, secondChild } = made.registrations;
    expect((await end(child)).body.code).toBe("meal_registration_state");
    expect((await end(secondChild)).status).toBe(200);
    expect((await list("CE1")).accepted).toEqual([]);
    expect(await notices()).toEqual(["Inscription terminée"]);
    expect((await end(secondChild)).body.code).toBe("meal_registration_state");
  });

  test("is refused while a meal is ordered", async () => {
    const { secondChild } = made.registrations;
    await server.deps.pool.query(
      `insert into meal_order (canteen_id, registration_id, person_id, ordered_by, on_day, state,
         price_cents, price_reason, late_cancel_percent, absence_percent, ordered_at)
       select canteen_id, id, person_id, person_id, paris_day(now()) + 5, 'reserved', 345, 'Plein tarif',
         100, 100, now() from canteen_registration where id = $1`,
      [secondChild],
    );
    expect(await end(secondChild)).toMatchObject({
      status: 409,
      body: { code: "meal_registration_orders" },
    });
    expect((await list("CE1")).accepted).toHaveLength(1);
    await server.deps.pool.query("delete from meal_order");
  });
});

describe("GET /api/canteen/own/:canteen/class.csv and class.pdf", () => {
  test("list the people accepted, not the requests", async () => {
    const { text } = await desk.get(`${own}/${made.id}/class.csv?className=CE1`);
    expect(text).toContain(cast.secondChild.name);
    expect(text).not.toContain(cast.child.name);
    const paper = await server.app.inject({
      url: `${own}/${made.id}/class.pdf`,
      headers: { authorization: `Bearer ${desk.token}` },
    });
    expect(paper.statusCode).toBe(200);
    expect(wordsOf(paper.rawPayload)).toContain(cast.secondChild.name);
  });
});

test("another professional finds none of it, and nothing changes", async () => {
  const shop = await server.as("partnerShop");
  const answers = await Promise.all([
    shop.get(`${own}/${made.id}/registrations`),
    shop.get(`${own}/${made.id}/class.csv`),
    shop.get(`${own}/${made.id}/class.pdf`),
    answer(true, "", shop),
    end(made.registrations.secondChild, shop),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await list("CE1")).accepted).toHaveLength(1);
  expect((await list()).waiting).toHaveLength(1);
});
