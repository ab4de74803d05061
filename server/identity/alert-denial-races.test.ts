// A call under way while its account is secured: what was proved before is no longer valid. Locks of the
// database hold each call exactly where the other one overtakes it.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approve } from "#tests/approve.ts";
import { newPasskey } from "#tests/authenticator.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { holdRows, untilWaiting } from "#tests/row-locks.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

const [words, others] = ["une phrase longue et rare 7", "trois hérons boitent au loin"];
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
});
afterAll(() => server.close());

const logIn = async (name: CastName, password: string, headers = {}) =>
  await server.anonymous.post(
    "/api/login",
    { login: cast[name].cardnumber, password },
    { "sec-fetch-site": "same-origin", ...headers },
  );
const statusOfLogin = async (name: CastName, password: string) =>
  (await logIn(name, password)).status;
const change = (client: Client, current: string, password: string) =>
  client.post("/api/password/change", { current, password });
const deny = (token: string) => server.anonymous.post("/api/login/alert/deny", { token });

/** Its person came in from a browser before; the intruder's login is told with a link. */
async function intruded(name: CastName): Promise<{ intruder: Client; token: string }> {
  expect(await statusOfLogin(name, castPassword)).toBe(200);
  const intruder = await server.as(name);
  const token = /pas-moi#([\w-]{64})/.exec(server.outbox.at(-1)?.body ?? "")?.[1] ?? "";
  expect(token).not.toBe("");
  return { intruder, token };
}

const holdPerson = (name: CastName) =>
  holdRows(
    server,
    "select from person where id = (select person_id from card where number = $1) for no key update",
    [cast[name].cardnumber],
  );

const waiting = (count: number) => untilWaiting(server, count);

test("« Ce n'était pas moi » overtakes an intruder's change of password: nothing changes, nobody comes in", async () => {
  const { intruder, token } = await intruded("guardian");
  const { release } = await holdPerson("guardian");
  const denied = deny(token);
  await waiting(1);
  const changed = change(intruder, castPassword, words);
  await waiting(2);
  await release();
  expect((await denied).status).toBe(200);
  const answer = await changed;
  expect([answer.status, answer.body.code]).toEqual([401, "session_ended"]);
  expect((await logIn("guardian", words)).body["code"]).toBe("wrong_credentials");
  expect((await logIn("guardian", castPassword)).body["code"]).toBe("renewal_required");
});

test("of two sessions that change the password at once the first wins, the other is ended", async () => {
  const [mine, theirs] = [await server.as("stranger"), await server.as("stranger")];
  const { release } = await holdPerson("stranger");
  const first = change(mine, castPassword, words);
  await waiting(1);
  const second = change(theirs, castPassword, others);
  await waiting(2);
  await release();
  expect((await first).status).toBe(200);
  expect((await second).body.code).toBe("session_ended");
  expect(await statusOfLogin("stranger", words)).toBe(200);
  expect(await statusOfLogin("stranger", others)).toBe(401);
});

test("of two changes of one session the second is told that its current password is no more", async () => {
  const mine = await server.as("coGuardian");
  const { release } = await holdPerson("coGuardian");
  const first = change(mine, castPassword, words);
  await waiting(1);
  const second = change(mine, castPassword, others);
  await waiting(2);
  await release();
  expect((await first).status).toBe(200);
  expect((await second).body.code).toBe("wrong_password");
  expect(await statusOfLogin("coGuardian", words)).toBe(200);
});

test("of two first passwords chosen at once the second is told that one is chosen", async () => {
  const mine = await server.as("resetPending");
  const { release } = await holdPerson("resetPending");
  const first = mine.post("/api/password/reset", { password: words });
  await waiting(1);
  const second = mine.post("/api/password/reset", { password: others });
  await waiting(2);
  await release();
  expect((await first).status).toBe(200);
  expect((await second).body["code"]).toBe("reset_not_pending");
  expect(await statusOfLogin("resetPending", words)).toBe(200);
});

test("a login whose password was compared before the owner changed it opens nothing", async () => {
  const mine = await server.as("employer");
  const { release } = await holdPerson("employer");
  const changed = change(mine, castPassword, words);
  await waiting(1);
  const late = logIn("employer", castPassword);
  await waiting(2);
  await release();
  expect((await changed).status).toBe(200);
  const answer = await late;
  expect([answer.status, answer.body["code"]]).toEqual([401, "wrong_credentials"]);
  expect(answer.headers["set-cookie"]).toBeUndefined();
  expect((await mine.get("/api/profile/sessions")).body.items).toHaveLength(1);
});

test("what an intruder makes while the login is being denied stays nowhere", async () => {
  const keys = "/api/profile/passkeys";
  const { intruder, token } = await intruded("canteenProvider");
  // Begun before: approved, and asked for only now.
  const headers = { "sec-fetch-site": "same-origin", origin: "http://localhost" };
  const { body } = await approve(server, intruder, `${keys}/options`, {}, headers);
  const response = newPasskey().register(body.options);
  const refusal = await intruder.post("/api/profile/recovery-codes");
  const { challenge } = refusal.body["details"];
  const proof = { challenge, code: server.lastCode(), password: castPassword };
  // The denial took back what it found and ends the sessions last: it is held there.
  const { release } = await holdRows(
    server,
    `select from session s join card c on c.person_id = s.person_id where c.number = $1
       for no key update of s`,
    [cast.canteenProvider.cardnumber],
  );
  const denied = deny(token);
  await waiting(1);
  const made = [
    intruder.post(keys, { response }, headers),
    intruder.post("/api/profile/recovery-codes", proof),
  ];
  await waiting(3);
  await release();
  expect((await denied).status).toBe(200);
  for (const answer of await Promise.all(made)) {
    expect([answer.status, answer.body["code"]]).toEqual([401, "session_ended"]);
  }
  const { db } = server.deps;
  expect(await db.selectFrom("passkey").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("recoveryCode").selectAll().execute()).toEqual([]);
});
