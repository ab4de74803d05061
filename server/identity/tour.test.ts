// The tour of the first day over HTTP: offered once with the first password of a holder, ended for ever.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const stateOf = async (name: CastName) => {
  const { rows } = await server.deps.pool.query(
    "select tour_state from person join card on card.person_id = person.id where number = $1",
    [cast[name].cardnumber],
  );
  return rows[0].tour_state as string | null;
};
const isOffered = async (client: Client, name: CastName) =>
  (await client.get(`/api/home?cardnumber=${cast[name].cardnumber}`)).body.tour;
/** Hands a printed secret to somebody: a password is due first. */
const printSecret = async (name: CastName, more = "") => {
  await server.deps.pool.query(
    `update person set must_reset = true${more} where id = (select person_id from card where number = $1)`,
    [cast[name].cardnumber],
  );
};

test("POST /api/password/reset offers the tour with the first password, never with a later one", async () => {
  const nadia = await server.as("resetPending");
  expect(await stateOf("resetPending")).toBeNull();
  const first = await nadia.post("/api/password/reset", { password: "pluie-tiède-sur-zinc" });
  expect(first.body.tour).toBe(true);
  expect(await isOffered(nadia, "resetPending")).toBe(true);

  // A secret printed again is no first day: the tour that waits goes on waiting, and is not opened.
  await printSecret("resetPending");
  const later = await server.as("resetPending", "pluie-tiède-sur-zinc");
  const again = await later.post("/api/password/reset", { password: "trois hérons boitent" });
  expect(again.body.tour).toBe(false);
  expect(await isOffered(later, "resetPending")).toBe(true);
});

test("POST /api/password/reset offers nobody the tour who had a password before, nor a professional", async () => {
  await printSecret("stranger", ", password_changed_at = now()");
  await printSecret("partnerShop", ", password_changed_at = null");
  for (const name of ["stranger", "partnerShop"] as const) {
    const client = await server.as(name);
    const chosen = await client.post("/api/password/reset", { password: "quatre phares éteints" });
    expect([name, chosen.status, chosen.body.tour]).toEqual([name, 200, false]);
    expect(await stateOf(name)).toBeNull();
  }
});

test("POST /api/tour/end ends it on every device, again changes nothing, and of nobody else", async () => {
  const [one, other] = [
    await server.as("resetPending", "trois hérons boitent"),
    await server.as("resetPending", "trois hérons boitent"),
  ];
  expect(await isOffered(other, "resetPending")).toBe(true);
  const guardian = await server.as("guardian");
  expect((await guardian.post("/api/tour/end")).status).toBe(200);
  expect(await isOffered(one, "resetPending")).toBe(true);

  expect((await one.post("/api/tour/end")).status).toBe(200);
  expect(await isOffered(other, "resetPending")).toBe(false);
  expect((await other.post("/api/tour/end")).status).toBe(200);
  expect(await stateOf("resetPending")).toBe("ended");

  // Ended, it is not offered anew by a password that counts as the first one.
  await printSecret("resetPending", ", password_changed_at = null");
  const later = await server.as("resetPending", "trois hérons boitent");
  const chosen = await later.post("/api/password/reset", { password: "cinq algues au soleil" });
  expect(chosen.body.tour).toBe(false);
  expect(await stateOf("resetPending")).toBe("ended");
});

test("POST /api/tour/end is for holders, a child too; a stranger to the portal and a professional are refused", async () => {
  expect((await server.anonymous.post("/api/tour/end")).status).toBe(401);
  const canteen = await server.as("canteenProvider");
  expect((await canteen.post("/api/tour/end")).status).toBe(403);
  expect(await stateOf("canteenProvider")).toBeNull();
  const child = await server.as("child");
  expect((await child.post("/api/tour/end")).status).toBe(200);
  expect(await stateOf("child")).toBe("ended");
});

test("GET /api/home offers a guardian who acts for a child no tour", async () => {
  await server.deps.pool.query(
    `update person set tour_state = 'offered'
      where id in (select person_id from card where number = any($1))`,
    [[cast.guardian.cardnumber, cast.secondChild.cardnumber]],
  );
  const guardian = await server.as("guardian");
  expect(await isOffered(guardian, "guardian")).toBe(true);
  expect(await isOffered(guardian, "secondChild")).toBe(false);
});
