// The step-up over HTTP: operations that a live session alone cannot do, and how a new address is undone
// (spec.md 29).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ofOnePerson } from "#contract/identity/limits.ts";
import { codes } from "#contract/limits.ts";
import { approve } from "#tests/approve.ts";
import { newPasskey } from "#tests/authenticator.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  server.outbox.length = 0;
});
afterAll(() => server.close());

const iban = "FR7630006000011234567890189";
const hours = 3_600_000;
const contactsOf = async (client: Client) => (await client.get("/api/profile")).body;
const forgot = (name: CastName) =>
  server.anonymous.post("/api/password/forgot", { login: cast[name].cardnumber });
const linkTo = (address: string) =>
  server.outbox
    .filter((message) => message.address === address)
    .map(({ body }) => /\/securite\/pas-moi#([\w-]{64})/.exec(body)?.[1])
    .findLast((token) => token !== undefined) ?? "";
const deny = (token: string) => server.anonymous.post("/api/login/alert/deny", { token });

// proves: guardian-decisions
test("a child's address is replaced by no child: a first one it may give itself", async () => {
  const leo = await server.as("child");
  const first = await approve(server, leo, "/api/profile/email", { email: "leo@exemple.fr" });
  expect(first.status).toBe(200);
  const other = await leo.post("/api/profile/email", { email: "autre@exemple.fr" });
  expect([other.status, other.body["code"]]).toEqual([409, "family_minor"]);
  expect((await contactsOf(leo))["email"]).toBe("leo@exemple.fr");
});

describe("a live session alone", () => {
  // proves: step-up
  test("POST /api/profile/email with the code but no password changes nothing", async () => {
    const thief = await server.as("guardian");
    const email = "voleur@exemple.com";
    const refusal = await thief.post("/api/profile/email", { email });
    const { challenge } = refusal.body.details;
    const proof = { email, challenge, code: server.lastCode(email) };
    const without = await thief.post("/api/profile/email", proof);
    expect([without.status, without.body.code]).toEqual([422, "password_required"]);
    const wrong = await thief.post("/api/profile/email", { ...proof, password: "deviné" });
    expect([wrong.status, wrong.body.code]).toEqual([422, "wrong_password"]);
    expect((await contactsOf(thief)).email).toBe(cast.guardian.email);
  });

  test.each([
    ["/api/profile/recovery-codes", {}],
    ["/api/profile/passkeys/options", {}],
    ["/api/privacy/closure", { cardnumber: cast.coGuardian.cardnumber, iban, beneficiary: "X Y" }],
  ])("POST %s with the code but no password is refused", async (path, body) => {
    const thief = await server.as("coGuardian");
    const { details } = (await thief.post(path, body)).body;
    const proof = { challenge: details.challenge, code: server.lastCode() };
    const refused = await thief.post(path, { ...body, ...proof });
    expect([refused.status, refused.body.code]).toEqual([422, "password_required"]);
  });

  test("guesses of the password climb the ladder of the session, the code stays good", async () => {
    const thief = await server.as("stranger");
    const { challenge } = (await thief.post("/api/profile/recovery-codes")).body.details;
    const proof = { challenge, code: server.lastCode() };
    for (let time = 0; time < 5; time++) {
      await thief.post("/api/profile/recovery-codes", { ...proof, password: "deviné" });
    }
    const body = { ...proof, password: castPassword };
    const locked = await thief.post("/api/profile/recovery-codes", body);
    expect([locked.status, locked.body.code]).toEqual([429, "login_locked"]);
    await server.deps.db.deleteFrom("limiter").execute();
    expect((await thief.post("/api/profile/recovery-codes", body)).status).toBe(200);
  });
});

describe("a channel younger than 72 h", () => {
  // proves: step-up
  test("is no factor, for no step-up and no forgotten password; older, it is", async () => {
    const email = "paul@nouvelle.exemple.fr";
    const client = await server.as("employer");
    const { db } = server.deps;
    await db
      .updateTable("person")
      .set({ phonenumber: null })
      .where("email", "=", cast.employer.email)
      .execute();
    expect((await approve(server, client, "/api/profile/email", { email })).status).toBe(200);
    server.outbox.length = 0;
    const refused = await client.post("/api/profile/recovery-codes");
    expect([refused.status, refused.body.code]).toEqual([409, "channel_too_new"]);
    expect((await forgot("employer")).status).toBe(200);
    expect(server.outbox).toEqual([]);
    server.clock.advance(72 * hours);
    const later = await server.as("employer");
    expect((await later.post("/api/profile/recovery-codes")).body.code).toBe("code_required");
    expect(server.outbox.at(-1)?.address).toBe(email);
  });
});

describe("a new address", () => {
  // proves: step-up
  test("is told to every former one, and the link puts it back whatever came after", async () => {
    const email = "voleur@exemple.com";
    const thief = await server.as("guardian");
    await approve(server, thief, "/api/profile/email", { email });
    const token = linkTo(cast.guardian.email ?? "");
    expect(token).not.toBe("");
    expect(linkTo(cast.guardian.phonenumber ?? "")).toBe(token);
    const read = await server.anonymous.post("/api/login/alert", { token });
    expect(read.body["about"]).toBe("email");
    // A second change from another session: the first address hears of it too; the young one gets no link.
    const again = await server.as("guardian");
    await approve(server, again, "/api/profile/email", { email: "autre@exemple.com" });
    expect(linkTo(cast.guardian.email ?? "")).not.toBe(token);
    expect(linkTo(email)).toBe("");
    expect((await deny(token)).status).toBe(200);
    const row = await server.deps.db
      .selectFrom("person")
      .select(["email", "emailSince"])
      .where("phonenumber", "=", cast.guardian.phonenumber)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ email: cast.guardian.email, emailSince: null });
    expect((await again.get("/api/profile")).body.code).toBe("session_ended");
    expect(server.outbox.at(-1)).toMatchObject({ address: "autre@exemple.com" });
    server.outbox.length = 0;
    await forgot("guardian");
    expect(server.outbox.at(-1)?.address).toBe(cast.guardian.email);
  });

  test("cannot be undone after 72 h, nor once a password was chosen by a code", async () => {
    const client = await server.as("coGuardian");
    await approve(server, client, "/api/profile/email", { email: "nadia@exemple.org" });
    const first = linkTo(cast.coGuardian.email ?? "");
    server.clock.advance(72 * hours);
    expect((await deny(first)).body["code"]).toBe("alert_over");
    const later = await server.as("coGuardian");
    await approve(server, later, "/api/profile/email", { email: "nadia@exemple.net" });
    const second = linkTo("nadia@exemple.org");
    const { body } = await forgot("coGuardian");
    const code = server.lastCode(cast.coGuardian.phonenumber ?? "");
    const password = "une phrase longue et rare 7";
    const reset = { challenge: body["challenge"], code, password };
    expect((await server.anonymous.post("/api/password/forgot/reset", reset)).status).toBe(200);
    expect((await deny(second)).body["code"]).toBe("alert_over");
  });
});

describe("a passkey", () => {
  // proves: step-up
  test("stands for password and code, signs one approval, and serves nobody else's", async () => {
    const key = newPasskey();
    const client = await server.as("partnerShop");
    const { options } = (await approve(server, client, "/api/profile/passkeys/options")).body;
    await client.post("/api/profile/passkeys", { response: key.register(options) });
    const path = "/api/profile/recovery-codes";
    const { challenge, passkeyChallenge } = (await client.post(path)).body.details;
    const passkey = key.sign({ challenge: passkeyChallenge });
    const thief = await server.as("canteenProvider");
    const theirs = (await thief.post(path)).body.details;
    expect(theirs.passkeyChallenge).toBeUndefined();
    const stolen = await thief.post(path, { challenge: theirs.challenge, passkey });
    expect([stolen.status, stolen.body.code]).toEqual([422, "passkey_refused"]);
    expect((await client.post(path, { challenge, passkey })).status).toBe(200);
    const replay = await client.post(path, { challenge, passkey });
    expect([replay.status, replay.body.code]).toEqual([410, "code_expired"]);
    // A new address still proves itself by its code.
    const email = "embruns@exemple.org";
    const details = (await client.post("/api/profile/email", { email })).body.details;
    expect(details.codeAlways).toBe(true);
    const signed = key.sign({ challenge: details.passkeyChallenge });
    const change = { email, challenge: details.challenge, passkey: signed };
    expect((await client.post("/api/profile/email", change)).body.code).toBe("code_wrong");
    const again = (await client.post("/api/profile/email", { email })).body.details;
    const done = await client.post("/api/profile/email", {
      email,
      challenge: again.challenge,
      code: server.lastCode(email),
      passkey: key.sign({ challenge: again.passkeyChallenge }),
    });
    expect([done.status, done.body.email]).toEqual([200, email]);
  });

  // proves: step-up
  test("is asked for first of a page that can use it: a code leaves once the call comes without", async () => {
    const key = newPasskey();
    const client = await server.as("employer");
    const { options } = (await approve(server, client, "/api/profile/passkeys/options")).body;
    await client.post("/api/profile/passkeys", { response: key.register(options) });
    const path = "/api/profile/recovery-codes";
    const first = { preferPasskey: true };
    const sent = server.outbox.length;
    // Held back, a code is none of the three of a quarter of an hour.
    for (let time = 0; time < 5; time++) await client.post(path, first);
    const held = (await client.post(path, first)).body;
    expect(server.outbox.length).toBe(sent);
    expect(held.message).toBe("Pour continuer, confirmez avec votre clé d'accès.");
    expect(held.details).toMatchObject({ sentTo: "", codeTo: expect.stringContaining("•") });
    const guess = { challenge: held.details.challenge, code: "000000", password: castPassword };
    expect((await client.post(path, guess)).body.code).toBe("code_wrong");
    const request = (await client.post(path)).body.details;
    expect(request).toMatchObject({ sentTo: held.details.codeTo });
    expect(request.codeTo).toBeUndefined();
    expect(server.outbox.length).toBe(sent + 1);
    // Either proof of that refusal will do.
    expect(request.passkeyChallenge).toEqual(expect.any(String));
    const proof = { challenge: request.challenge, code: server.lastCode(), password: castPassword };
    expect((await client.post(path, proof)).status).toBe(200);
  });

  test("serves on where no more codes are sent; asking for its challenge has an end as well", async () => {
    const key = newPasskey();
    const client = await server.as("employer");
    const { options } = (await approve(server, client, "/api/profile/passkeys/options")).body;
    await client.post("/api/profile/passkeys", { response: key.register(options) });
    const path = "/api/profile/recovery-codes";
    for (let time = 0; time < codes.sends; time++) await client.post(path);
    expect((await client.post(path)).body.code).toBe("code_sends_exhausted");
    const first = { preferPasskey: true };
    const { challenge, passkeyChallenge } = (await client.post(path, first)).body.details;
    const passkey = key.sign({ challenge: passkeyChallenge });
    expect((await client.post(path, { challenge, passkey })).status).toBe(200);
    const answers = [];
    for (let time = 0; time <= ofOnePerson.heldCodes; time++) {
      answers.push((await client.post(path, first)).body.code);
    }
    expect(answers.slice(0, -1).every((code) => code === "code_required")).toBe(true);
    expect(answers.at(-1)).toBe("too_many_requests");
  });

  test("a page that prefers one has the code sent at once to a person without", async () => {
    const client = await server.as("coGuardian");
    const sent = server.outbox.length;
    const { details } = (await client.post("/api/profile/recovery-codes", { preferPasskey: true }))
      .body;
    expect(details.sentTo).toContain("•");
    expect(server.outbox.length).toBe(sent + 1);
  });
});
