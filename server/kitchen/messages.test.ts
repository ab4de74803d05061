// Messages of a canteen to families: who is reached, once, within the day's limit, and told as they chose.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let made: MadeCanteen;
let day: string;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  made = await makeCanteen(server);
  day = addDays(todayInParis(server.clock.now()), 1);
  desk = await server.as("canteenProvider");
});
afterAll(() => server.close());
beforeEach(async () => {
  const { pool } = server.deps;
  await pool.query("delete from canteen_message; delete from notification; delete from meal_order");
  await pool.query("delete from canteen_day; delete from notification_choice");
  await pool.query("update canteen_registration set class = 'CE1', state = 'accepted'");
  server.outbox.length = 0;
});

const path = () => `/api/canteen/own/${made.id}/messages`;
const readers = async (query = "") => (await desk.get(`${path()}/readers${query}`)).body.readers;
const words = { title: "Pique-nique", body: "Le repas est froid.\nPensez au chapeau." };
const send = async (more: object = {}, client = desk) =>
  client.post(path(), {
    id: randomUUID(),
    day: null,
    className: null,
    readers: await readers(),
    ...words,
    ...more,
  });
const readNotices = async () =>
  (
    await server.deps.pool.query(
      `select p.name, n.title, n.body from notification n join person p on p.id = n.person_id
       order by p.name`,
    )
  ).rows;
const setClass = (className: string) =>
  server.deps.pool.query("update canteen_registration set class = $1 where id = $2", [
    className,
    made.registrations.secondChild,
  ]);
const placeFor = (registration: string) => placeMeal(server, { registration, day, priceCents: 0 });

describe("GET /api/canteen/own/:canteen/messages/readers", () => {
  test("counts who eats on a day or is registered in a class, with their guardians, each once", async () => {
    const all = await readers();
    await placeFor(made.registrations.child);
    const ofDay = await readers(`?day=${day}`);
    expect(ofDay).toBe(all - 1);
    expect(await readers(`?day=${addDays(day, 1)}`)).toBe(0);
    await setClass("CM2");
    // One guardian; the other child has two.
    expect(await readers("?className=CM2")).toBe(2);
    expect(await readers(`?day=${day}&className=CM2`)).toBe(0);
    await server.deps.pool.query("update canteen_registration set state = 'ended'");
    expect(await readers()).toBe(0);
  });

  test("counts nobody whose account is closed", async () => {
    const all = await readers();
    const { pool } = server.deps;
    const guardian = "(select person_id from card where number = $1)";
    await pool.query(`update person set disabled_at = now() where id = ${guardian}`, [
      cast.guardian.cardnumber,
    ]);
    expect(await readers()).toBe(all - 1);
    await pool.query(`update person set disabled_at = null where id = ${guardian}`, [
      cast.guardian.cardnumber,
    ]);
  });
});

describe("POST /api/canteen/own/:canteen/messages", () => {
  test("tells each family once, by e-mail where they want it, and keeps who sent what", async () => {
    const count = await readers();
    const { status, body } = await send();
    expect(status).toBe(200);
    expect(body.message).toBe(`Message envoyé à ${count} personnes.`);
    const all = await readNotices();
    expect(all).toHaveLength(count);
    expect(all.map(({ name }) => name)).toContain(cast.guardian.name);
    const title = "École des Embruns\u202f: Pique-nique";
    expect(all[0]).toMatchObject({ title, body: words.body });
    expect(server.outbox.map(({ channel }) => channel)).toContain("email");
    expect(server.outbox.every(({ channel }) => channel === "email")).toBe(true);
    const { items, next } = (await desk.get(path())).body;
    expect(next).toBeNull();
    expect(items).toEqual([
      expect.objectContaining({
        ...words,
        day: null,
        className: null,
        sentBy: cast.canteenProvider.name,
        sentAt: server.clock.now().toISOString(),
        readers: count,
      }),
    ]);
  });

  test("sends no e-mail to whoever switched it off", async () => {
    const { pool } = server.deps;
    await pool.query(
      `insert into notification_choice (person_id, kind, channel, enabled)
       select id, 'meal', 'email', false from person`,
    );
    await send();
    expect(server.outbox).toEqual([]);
    expect((await readNotices()).length).toBeGreaterThan(0);
  });

  test("sends once for the same id, also when two come together", async () => {
    const id = randomUUID();
    const count = await readers();
    const both = await Promise.all([send({ id }), send({ id })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readNotices()).toHaveLength(count);
  });

  test("refuses the same words to the same families for a day, not to others", async () => {
    await send();
    expect(await send()).toMatchObject({ status: 409, body: { code: "canteen_message_twin" } });
    const ce1 = await send({ className: "CE1", readers: await readers("?className=CE1") });
    expect(ce1.status).toBe(200);
    server.clock.advance(24 * 3_600_000 + 1000);
    desk = await server.as("canteenProvider");
    expect((await send()).status).toBe(200);
  });

  test("refuses when others would be reached than were shown, and tells nobody", async () => {
    const count = await readers();
    const answer = await send({ readers: count + 1 });
    expect(answer).toMatchObject({ status: 409, body: { code: "canteen_message_readers" } });
    expect(answer.body.message).toContain(`a changé\u202f: ${count}.`);
    expect(await send({ day, readers: 1 })).toMatchObject({
      body: { code: "canteen_message_nobody" },
    });
    expect(await readNotices()).toEqual([]);
    expect((await desk.get(path())).body.items).toEqual([]);
  });

  test("refuses a sixth message of a day, and takes it the next day", async () => {
    for (let one = 1; one <= 5; one++) {
      expect((await send({ title: `Nouvelle ${one}` })).status).toBe(200);
    }
    const sixth = await send({ title: "Nouvelle 6" });
    expect(sixth).toMatchObject({ status: 409, body: { code: "canteen_message_max" } });
    server.clock.advance(24 * 3_600_000);
    desk = await server.as("canteenProvider");
    expect((await send({ title: "Nouvelle 6" })).status).toBe(200);
  });

  test("refuses words that are blank or too long", async () => {
    for (const wrong of [{ title: " " }, { body: "\n" }, { title: "x".repeat(81) }]) {
      expect((await send(wrong)).status).toBe(400);
    }
    expect((await send({ body: "x".repeat(1001) })).status).toBe(400);
  });

  test("is not found for a canteen of another, forbidden to a holder", async () => {
    const [shop, guardian] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
    expect((await send({}, shop)).status).toBe(404);
    expect((await shop.get(path())).status).toBe(404);
    expect((await shop.get(`${path()}/readers`)).status).toBe(404);
    expect((await send({}, guardian)).status).toBe(403);
    expect(await readNotices()).toEqual([]);
  });
});

test("GET /api/canteen/own/:canteen/messages: the last first, by page", async () => {
  const { pool } = server.deps;
  await pool.query(
    `insert into canteen_message (canteen_id, title, body, sent_by, sent_at, readers)
     select $1, 'Message ' || n, 'Texte', (select min(id) from person),
       '2026-01-01'::timestamptz + n * interval '1 hour', 1 from generate_series(1, 30) n`,
    [made.id],
  );
  const first = (await desk.get(path())).body;
  expect(first.items[0].title).toBe("Message 30");
  const rest = (await desk.get(`${path()}?before=${encodeURIComponent(first.next)}`)).body;
  expect([...first.items, ...rest.items]).toHaveLength(30);
  expect(rest.next).toBeNull();
  expect((await desk.get(`${path()}?before=0000-01-01T12:30:00Z`)).status).toBe(400);
});
