// Passkeys over HTTP: making one, logging in with it, and every invalid answer.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signIn as limits } from "#contract/limits.ts";
import { approve } from "#tests/approve.ts";
import { newPasskey, type Lies, type SoftPasskey } from "#tests/authenticator.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

const all = "/api/profile/passkeys";
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  await server.deps.db.deleteFrom("passkey").execute();
});
afterAll(() => server.close());

const optionsFor = async (client: Client) =>
  (await approve(server, client, `${all}/options`)).body.options;

/** A passkey made whole, with the device that holds it. */
async function made(client: Client, name?: string): Promise<{ key: SoftPasskey; id: string }> {
  const key = newPasskey();
  const response = key.register(await optionsFor(client));
  const { status, body, text } = await client.post(all, { response, ...(name && { name }) });
  expect(status, text).toBe(201);
  return { key, id: body.id };
}

const challenge = async () =>
  (await server.anonymous.post("/api/login/passkey/challenge")).body.options;
const enter = async (key: SoftPasskey, lies: Lies = {}) =>
  await server.anonymous.post("/api/login/passkey", {
    response: key.sign(await challenge(), lies),
  });
const count = async (table: "session" | "passkey" | "passkeyChallenge") =>
  (await server.deps.db.selectFrom(table).selectAll().execute()).length;
const personOf = async (name: CastName) =>
  await server.deps.db
    .selectFrom("card")
    .innerJoin("person", "person.id", "card.personId")
    .selectAll("person")
    .where("number", "=", cast[name].cardnumber)
    .executeTakeFirstOrThrow();
const actionsOf = async (name: CastName) => {
  const { id } = await personOf(name);
  const rows = await server.deps.db
    .selectFrom("audit")
    .select("action")
    .where("personId", "=", id)
    .execute();
  return rows.map((row) => row.action);
};

describe("making one", () => {
  test("POST …/options asks for a code first, then names the site, the person and what is excluded", async () => {
    const me = await server.as("guardian");
    const refusal = await me.post(`${all}/options`);
    expect([refusal.status, refusal.body["code"]]).toEqual([403, "code_required"]);
    expect(await count("passkeyChallenge")).toBe(0);
    expect(server.outbox.at(-1)?.body).toContain("ajouter une clé d'accès");
    await server.deps.db.deleteFrom("limiter").execute();
    const { id } = { id: (await made(me)).key.id };
    const options = await optionsFor(me);
    expect(options).toMatchObject({
      rp: { name: "Ma carte", id: "localhost" },
      user: { displayName: "Camille Moreau" },
      attestation: "none",
      excludeCredentials: [{ id }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const { objectId } = await personOf("guardian");
    const handle = Buffer.from(options.user.id, "base64url").toString("hex");
    expect(handle).toBe(objectId.replaceAll("-", ""));
  });

  test("POST keeps it, lists it, tells the person in the portal and outside it", async () => {
    const me = await server.as("guardian");
    const { id } = await made(me, "  Téléphone de Camille ");
    const { body } = await me.get(all);
    expect(body.items).toEqual([
      {
        id,
        name: "Téléphone de Camille",
        createdAt: expect.any(String),
        lastUsedAt: null,
        synced: false,
      },
    ]);
    expect(server.outbox.at(-1)).toMatchObject({
      address: "camille.moreau@exemple.fr",
      subject: "Clé d'accès ajoutée sur votre compte Ma carte",
    });
    const notices = await me.get("/api/notifications");
    expect(notices.body.items[0]).toMatchObject({ kind: "security", title: "Clé d'accès ajoutée" });
    expect(await actionsOf("guardian")).toContain("passkey.add");
  });

  test.each<[string, Lies]>([
    ["another site", { origin: "https://ma-carte.exemple.com" }],
    ["another name of site", { rpID: "exemple.com" }],
    ["a device that did not verify its holder", { unverified: true }],
    ["an answer of another kind", { type: "webauthn.get" }],
  ])("POST refuses %s, and keeps nothing", async (_, lies) => {
    const me = await server.as("stranger");
    const response = newPasskey().register(await optionsFor(me), lies);
    const { status, body } = await me.post(all, { response });
    expect([status, body["code"]]).toEqual([422, "passkey_refused"]);
    expect(await count("passkey")).toBe(0);
  });

  // proves: passkeys
  test("a challenge serves once, for this session, for five minutes", async () => {
    const me = await server.as("guardian");
    const other = await server.as("guardian");
    const options = await optionsFor(me);
    const key = newPasskey();
    const stolen = await other.post(all, { response: key.register(options) });
    expect([stolen.status, stolen.body["code"]]).toEqual([410, "passkey_expired"]);
    const bad = await me.post(all, { response: key.register(options, { unverified: true }) });
    expect(bad.body["code"]).toBe("passkey_refused");
    const again = await me.post(all, { response: key.register(options) });
    expect([again.status, again.body["code"]]).toEqual([410, "passkey_expired"]);
    const invented = key.register({ ...options, challenge: "A".repeat(43) });
    expect((await me.post(all, { response: invented })).body["code"]).toBe("passkey_expired");
    await server.deps.db.deleteFrom("limiter").execute();
    const late = await optionsFor(me);
    server.clock.advance(limits.challengeSeconds * 1000);
    const tooLate = await me.post(all, { response: key.register(late) });
    expect(tooLate.body["code"]).toBe("passkey_expired");
    expect(await count("passkey")).toBe(0);
  });

  test("an answer that cannot be read is refused, not an error of ours", async () => {
    const me = await server.as("guardian");
    const good = newPasskey().register(await optionsFor(me));
    const clientDataJSON = Buffer.from("{").toString("base64url");
    const response = { ...good, response: { ...good.response, clientDataJSON } };
    expect((await me.post(all, { response })).body["code"]).toBe("passkey_refused");
    const cut = { ...good, response: { ...good.response, attestationObject: "AAAA" } };
    expect((await me.post(all, { response: cut })).status).toBe(422);
    expect((await me.post(all, { response: "…" })).status).toBe(400);
  });

  test("the same passkey twice is passkey_known; the eleventh is passkey_limit, without a code", async () => {
    const me = await server.as("guardian");
    const key = newPasskey();
    await me.post(all, { response: key.register(await optionsFor(me)) });
    const twice = await me.post(all, { response: key.register(await optionsFor(me)) });
    expect([twice.status, twice.body["code"]]).toEqual([409, "passkey_known"]);
    const { id } = await personOf("guardian");
    const rows = Array.from({ length: limits.passkeys - 1 }, () => ({
      id: randomUUID(),
      personId: id,
      credentialId: Buffer.from(randomUUID()),
      publicKey: Buffer.from("x"),
      counter: 0,
      transports: [],
      synced: false,
      name: "x",
      createdAt: server.clock.now(),
      lastUsedAt: null,
    }));
    await server.deps.db.insertInto("passkey").values(rows).execute();
    const sent = server.outbox.length;
    const full = await me.post(`${all}/options`);
    expect([full.status, full.body["code"]]).toEqual([409, "passkey_limit"]);
    expect(full.body["message"]).toContain("10");
    expect(server.outbox).toHaveLength(sent);
  });

  test("an address without a name has no passkeys", async () => {
    const me = await server.as("guardian");
    const host = { host: "127.0.0.1:3000" };
    for (const answer of [
      await me.post(`${all}/options`, {}, host),
      await server.anonymous.post("/api/login/passkey/challenge", {}, host),
    ]) {
      expect([answer.status, answer.body["code"]]).toEqual([409, "passkeys_unavailable"]);
    }
  });
});

describe("coming in", () => {
  test("POST /api/login/passkey opens the session that a password opens", async () => {
    const me = await server.as("guardian");
    const { key } = await made(me);
    const { status, body, text } = await enter(key);
    expect(status, text).toBe(200);
    expect(body.message).toBe("Connexion réussie");
    expect(body.data).toMatchObject({
      name: "Camille Moreau",
      cardnumber: cast.guardian.cardnumber,
    });
    const inside = server.withToken(body.token.jeton);
    expect((await inside.get("/api/profile")).status).toBe(200);
    const { items } = (await inside.get(all)).body;
    expect(items[0].lastUsedAt).not.toBeNull();
    expect(await actionsOf("guardian")).toContain("session.open_passkey");
  });

  test("the challenge names nobody, and allows no list of passkeys", async () => {
    const options = await challenge();
    expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(options.allowCredentials ?? []).toEqual([]);
  });

  test.each<[string, Lies]>([
    ["another site", { origin: "https://ma-carte.exemple.com" }],
    ["another name of site", { rpID: "exemple.com" }],
    ["a device that did not verify its holder", { unverified: true }],
    ["a forged signature", { forged: true }],
    ["an answer of another kind", { type: "webauthn.create" }],
    ["someone else's name", { userHandle: Buffer.alloc(16).toString("base64url") }],
  ])("%s is refused, and opens nothing", async (_, lies) => {
    const { key } = await made(await server.as("guardian"));
    const before = await count("session");
    const { status, body, headers } = await enter(key, lies);
    expect([status, body["code"]]).toEqual([422, "passkey_refused"]);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(await count("session")).toBe(before);
  });

  // proves: passkeys
  test("an unknown passkey, a removed one and a disabled person get the same words", async () => {
    const me = await server.as("stranger");
    const { key, id } = await made(me);
    await approve(server, me, `${all}/${id}/remove`);
    const removed = await enter(key);
    const unknown = await enter(newPasskey());
    const { key: other } = await made(me);
    const { id: personId } = await personOf("stranger");
    const disable = (at: Date | null) =>
      server.deps.db
        .updateTable("person")
        .set({ disabledAt: at })
        .where("id", "=", personId)
        .execute();
    await disable(new Date());
    const disabled = await enter(other);
    await disable(null);
    for (const { status, body } of [removed, unknown, disabled]) {
      expect([status, body["code"], body["message"]]).toEqual([
        422,
        "passkey_refused",
        removed.body["message"],
      ]);
    }
    expect((await enter(other)).status).toBe(200);
  });

  test("a challenge of the login serves one try, right or wrong, for five minutes", async () => {
    const { key } = await made(await server.as("guardian"));
    const options = await challenge();
    const log = (response: unknown) => server.anonymous.post("/api/login/passkey", { response });
    expect((await log(key.sign(options, { forged: true }))).body["code"]).toBe("passkey_refused");
    expect((await log(key.sign(options))).body["code"]).toBe("passkey_expired");
    const once = await challenge();
    const answer = key.sign(once);
    const both = await Promise.all([log(answer), log(answer)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
    const late = await challenge();
    server.clock.advance(limits.challengeSeconds * 1000);
    expect((await log(key.sign(late))).body["code"]).toBe("passkey_expired");
  });

  // proves: passkeys
  test("a counter that goes back is refused, and told: the passkey exists twice", async () => {
    const me = await server.as("guardian");
    const { key } = await made(me);
    expect((await enter(key, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 3, 0]) {
      const { status, body } = await enter(key, { counter });
      expect([status, body["code"]]).toEqual([422, "passkey_refused"]);
    }
    expect(server.outbox.at(-1)?.subject).toContain("Clé d'accès refusée");
    // Without a valid signature nobody can fake that.
    const sent = server.outbox.length;
    expect((await enter(key, { counter: 2, forged: true })).status).toBe(422);
    expect(server.outbox).toHaveLength(sent);
    expect((await enter(key, { counter: 8 })).status).toBe(200);
  });

  test("a device that does not count comes in again and again", async () => {
    const { key } = await made(await server.as("guardian"));
    for (let time = 0; time < 3; time++)
      expect((await enter(key, { counter: 0 })).status).toBe(200);
  });

  test("beyond sixty challenges a minute from one address the next waits", async () => {
    for (let time = 0; time < limits.challengesPerMinute; time++) await challenge();
    const refused = await server.anonymous.post("/api/login/passkey/challenge");
    expect([refused.status, refused.body["code"]]).toEqual([429, "too_many_requests"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("the sweep forgets challenges that nobody answered", async () => {
    await challenge();
    server.clock.advance(3_600_000);
    await server.deps.db.transaction().execute((tx) => server.deps.enqueue(tx, "sweep", {}));
    await server.runJobs();
    expect(await count("passkeyChallenge")).toBe(0);
  });
});

describe("naming and removing", () => {
  test("POST …/name renames one's own; someone else's is not found", async () => {
    const me = await server.as("guardian");
    const { id } = await made(me);
    const renamed = await me.post(`${all}/${id}/name`, { name: "Bureau" });
    expect([renamed.status, renamed.body["name"]]).toEqual([200, "Bureau"]);
    const other = await server.as("stranger");
    expect((await other.post(`${all}/${id}/name`, { name: "À moi" })).status).toBe(404);
    expect((await me.post(`${all}/${id}/name`, { name: "   " })).status).toBe(400);
    expect((await me.get(all)).body.items[0].name).toBe("Bureau");
  });

  test("POST …/remove asks for a code of its own; someone else's is not found and sends none", async () => {
    const me = await server.as("guardian");
    const { id, key } = await made(me);
    const other = await server.as("stranger");
    const sent = server.outbox.length;
    expect((await other.post(`${all}/${id}/remove`)).status).toBe(404);
    expect(server.outbox).toHaveLength(sent);
    const refusal = await me.post(`${all}/${id}/remove`);
    expect(refusal.body["code"]).toBe("code_required");
    const { challenge: sentChallenge } = refusal.body["details"] as { challenge: string };
    const right = server.lastCode();
    const wrong = right === "000000" ? "000001" : "000000";
    const bad = await me.post(`${all}/${id}/remove`, {
      challenge: sentChallenge,
      code: wrong,
      password: castPassword,
    });
    expect([bad.status, bad.body["code"]]).toEqual([422, "code_wrong"]);
    expect(await count("passkey")).toBe(1);
    // A code for one passkey removes no other.
    const second = await made(me);
    const proof = { challenge: sentChallenge, code: right, password: castPassword };
    expect((await me.post(`${all}/${second.id}/remove`, proof)).body["code"]).toBe("code_expired");
    expect((await me.post(`${all}/${id}/remove`, proof)).status).toBe(200);
    expect((await enter(key)).body["code"]).toBe("passkey_refused");
    expect((await enter(second.key)).status).toBe(200);
  });
});
