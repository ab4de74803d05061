// The calendar of meals behind a secret address: made, replaced, ended; its content and its readers.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { type MadeCanteen, openCanteenServer, placeMeal } from "#tests/canteens.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer("2027-12-01T08:00:00Z"));
});
afterAll(() => server.close());

const make = async (client = camille) => {
  const { status, text, body } = await client.post("/api/canteen/calendar");
  expect(status, text).toBe(201);
  return new URL(body.address).pathname;
};
const read = (path: string, headers = {}) => server.anonymous.get(path, headers);
const unfolded = (text: string) => text.replaceAll("\r\n ", "");
const eventsOf = (text: string) => unfolded(text).split("BEGIN:VEVENT").slice(1);

test("GET calendar: the family's meals in Paris hours, without prices; the cancelled said so, ids kept", async () => {
  const { child, secondChild } = canteen.registrations;
  const winter = "2028-01-10";
  const summer = "2028-06-12";
  const id = await placeMeal(server, { registration: child, day: winter });
  await placeMeal(server, { registration: secondChild, day: summer, priceCents: 210 });
  const path = await make();
  const answer = await read(path);
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/calendar; charset=utf-8");
  expect(answer.headers["set-cookie"]).toBeUndefined();
  expect(answer.headers["cache-control"]).toBe("private, no-cache");
  expect(answer.text).not.toContain("€");
  const [leo, jade] = eventsOf(answer.text);
  expect(leo).toContain(`UID:repas-${id}@`);
  expect(leo).toContain(
    "DTSTART;TZID=Europe/Paris:20280110T114500\r\nDTEND;TZID=Europe/Paris:20280110T133000",
  );
  expect(jade).toContain(
    "DTSTART;TZID=Europe/Paris:20280612T114500\r\nDTEND;TZID=Europe/Paris:20280612T133000",
  );
  expect(leo).toContain("SUMMARY:Cantine\u202f: Léo");
  expect(leo).toContain("STATUS:CONFIRMED");

  const same = await read(path, { "if-none-match": String(answer.headers["etag"]) });
  expect([same.status, same.text]).toEqual([304, ""]);
  server.clock.advance(600_000);
  expect((await read(path)).headers["etag"]).toBe(answer.headers["etag"]);

  const cancel = await camille.post("/api/canteen/orders/cancel", { orders: [id], costCents: 345 });
  expect(cancel.status, cancel.text).toBe(200);
  const after = await read(path, { "if-none-match": String(answer.headers["etag"]) });
  expect(after.status).toBe(200);
  const [gone] = eventsOf(after.text);
  expect(gone).toContain(`UID:repas-${id}@`);
  expect(gone).toContain("SEQUENCE:1\r\nSTATUS:CANCELLED");
  for (const line of after.text.split("\r\n")) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  }
});

test("POST calendar: a new address ends the former; ended, none serves; only a digest is kept", async () => {
  const first = await make();
  expect((await camille.get("/api/canteen/calendar")).body.madeAt).toBe(
    server.clock.now().toISOString(),
  );
  const second = await make();
  expect((await read(first)).body.code).toBe("not_found");
  expect((await read(second)).status).toBe(200);
  const { rows } = await server.deps.pool.query("select secret_hash from meal_calendar");
  expect(rows).toHaveLength(1);
  expect(rows[0].secret_hash.toString()).not.toContain(second.split("/").at(-1));
  expect((await camille.post("/api/canteen/calendar/revoke")).status).toBe(200);
  expect((await camille.post("/api/canteen/calendar/revoke")).status).toBe(200);
  expect((await read(second)).status).toBe(404);
  expect((await camille.get("/api/canteen/calendar")).body.madeAt).toBe(null);
  const { rows: trail } = await server.deps.pool.query(
    "select action from audit where action like 'meal.calendar%' order by id desc limit 2",
  );
  expect(trail.map(({ action }) => action)).toEqual(["meal.calendar_end", "meal.calendar"]);
});

const noticesOf = async (client: Client, count: number) =>
  (await client.get(`/api/notifications?limit=${count}`)).body.items.map(
    ({ title }: { title: string }) => title,
  );
const intruder = async () => {
  // Somebody came in from a page before: the next browser is unknown, and told with a link.
  const login = { login: cast.guardian.cardnumber, password: castPassword };
  const page = { "sec-fetch-site": "same-origin" };
  expect((await server.anonymous.post("/api/login", login, page)).status).toBe(200);
  server.clock.advance(600_000);
  const client = await server.as("guardian");
  const token = /pas-moi#([\w-]{64})/.exec(server.outbox.at(-1)?.body ?? "")?.[1] ?? "";
  expect(token).not.toBe("");
  return { client, token };
};

test("POST calendar is told as what protects the account is, in the portal and outside it", async () => {
  const sent = server.outbox.length;
  await make();
  expect(server.outbox.slice(sent)).toMatchObject([
    { address: cast.guardian.email, subject: expect.stringContaining("calendrier des repas") },
  ]);
  const [title] = await noticesOf(camille, 1);
  expect(title).toBe("Adresse du calendrier des repas créée");
});

test("« Ce n'était pas moi » ends an address made since the denied login, not one from before", async () => {
  const unlock = () => server.deps.db.updateTable("person").set({ lockedAt: null }).execute();
  const own = await make();
  server.clock.advance(1000);
  const first = await intruder();
  expect(
    (await server.anonymous.post("/api/login/alert/deny", { token: first.token })).status,
  ).toBe(200);
  expect((await read(own)).status).toBe(200);
  await unlock();
  const second = await intruder();
  server.clock.advance(1000);
  const theirs = await make(second.client);
  expect(
    (await server.anonymous.post("/api/login/alert/deny", { token: second.token })).status,
  ).toBe(200);
  expect((await read(theirs)).body.code).toBe("not_found");
  expect((await read(own)).body.code).toBe("not_found");
  await unlock();
  camille = await server.as("guardian");
  expect((await camille.get("/api/canteen/calendar")).body.madeAt).toBe(null);
  expect(await noticesOf(camille, 3)).toContain("Adresse du calendrier des repas supprimée");
});

test("a password chosen with a code ends the address, one changed with the current password does not", async () => {
  const path = await make();
  const changed = { current: castPassword, password: "trois hérons boitent" };
  expect((await camille.post("/api/password/change", changed)).status).toBe(200);
  expect((await read(path)).status).toBe(200);
  const login = cast.guardian.cardnumber;
  const { challenge } = (await server.anonymous.post("/api/password/forgot", { login })).body;
  const reset = { challenge, code: server.lastCode(), password: "pluie-tiède-sur-zinc" };
  expect((await server.anonymous.post("/api/password/forgot/reset", reset)).status).toBe(200);
  expect((await read(path)).status).toBe(404);
  camille = await server.as("guardian");
  expect(await noticesOf(camille, 3)).toContain("Adresse du calendrier des repas supprimée");
});

test("GET calendar: a stranger's tells nothing of this family, and a closed account's nothing at all", async () => {
  const hugo = await server.as("stranger");
  const path = await make(hugo);
  const day = addDays(todayInParis(server.clock.now()), 2);
  await placeMeal(server, { registration: canteen.registrations.child, day });
  expect(eventsOf((await read(path)).text)).toEqual([]);
  await server.deps.pool.query(
    `update person set disabled_at = now()
     where id = (select person_id from card where number = $1)`,
    [cast.stranger.cardnumber],
  );
  expect((await read(path)).status).toBe(404);
});

test("GET calendar: too many readings from one address are refused", async () => {
  const path = await make();
  let status = 200;
  for (let count = 0; status === 200 && count < 70; count++) status = (await read(path)).status;
  expect(status).toBe(429);
});
