// A guardian replaces the e-mail or the phone of a child (spec.md 29 and 31): who may, who is told, and how
// it is undone.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approve } from "#tests/approve.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  camille = await server.as("guardian");
  const leo = await server.as("child");
  await approve(server, leo, "/api/profile/email", { email: former });
  // An address past its delay: it proves something, and may undo.
  server.clock.advance(72 * 3_600_000);
  camille = await server.as("guardian");
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  server.outbox.length = 0;
});
afterAll(() => server.close());

const former = "leo@exemple.fr";
const at = (name: CastName, what: string) => `/api/family/members/${cast[name].cardnumber}/${what}`;
const emailOf = async () => (await camille.get(at("child", "contacts"))).body.email;
const mailsTo = (address: string | null) =>
  server.outbox.filter((message) => message.address === address).map(({ body }) => body);
const noticesOf = async (name: CastName) =>
  (await (await server.as(name)).get("/api/notifications")).body.items.map(
    ({ body }: { body: string }) => body,
  );

// proves: guardian-decisions, code-addresses
test("with a code to the new address; the former one, the child and the other guardian are told", async () => {
  const email = "leo.moreau@exemple.fr";
  const refusal = await camille.post(at("child", "email"), { email });
  expect([refusal.status, refusal.body.code]).toEqual([403, "code_required"]);
  expect(refusal.body.details).toMatchObject({ sentTo: email, password: true });
  expect(refusal.body.details.what).toBe("changer l'adresse e-mail de Léo Moreau");
  // Whoever reads it there may be anybody.
  expect(mailsTo(email).join()).toContain("votre code pour confirmer cette adresse e-mail");
  expect(mailsTo(email).join()).not.toContain("Moreau");
  expect(await emailOf()).toBe(former);
  const { challenge } = refusal.body.details;
  const proof = { email, challenge, code: server.lastCode(email) };
  const without = await camille.post(at("child", "email"), proof);
  expect([without.status, without.body.code]).toEqual([422, "password_required"]);
  // The proof of one child's address serves neither oneself nor another child.
  for (const path of ["/api/profile/email", at("secondChild", "email")]) {
    const other = await camille.post(path, { ...proof, password: castPassword });
    expect(other.status, path).toBeGreaterThanOrEqual(400);
  }
  const done = await approve(server, camille, at("child", "email"), { email });
  expect(done.body).toEqual({ email, phonenumber: cast.child.phonenumber });
  expect((await (await server.as("child")).get("/api/profile")).body.email).toBe(email);
  expect((await camille.get("/api/profile")).body.email).toBe(cast.guardian.email);
  expect(mailsTo(former).join()).toContain("vient d'être remplacée par Camille Moreau");
  const sentence = "Camille Moreau a changé l'adresse e-mail de Léo Moreau.";
  expect((await noticesOf("child")).join()).toContain(sentence);
  expect((await noticesOf("coGuardian")).join()).toContain(sentence);
  const { rows } = await server.deps.pool.query(
    `select actor from audit where action = 'profile.email' and actor like 'guardian:%'
      and person_id = (select person_id from card where number = $1)`,
    [cast.child.cardnumber],
  );
  expect(rows).toHaveLength(1);
});

test("the former address puts itself back within 72 hours, and the guardian's stays theirs", async () => {
  await approve(server, camille, at("child", "email"), { email: "autre@exemple.fr" });
  const token = /\/securite\/pas-moi#([\w-]{64})/.exec(mailsTo(former).join())?.[1] ?? "";
  expect(token).not.toBe("");
  expect((await server.anonymous.post("/api/login/alert/deny", { token })).status).toBe(200);
  // Both changes were made in one session of the guardian's: the address before them is restored.
  expect(await emailOf()).toBe(former);
  expect((await camille.get("/api/profile")).body.email).toBe(cast.guardian.email);
  expect((await server.anonymous.post("/api/login/alert/deny", { token })).body["code"]).toBe(
    "alert_over",
  );
});

test("the phone too; one that is none is refused", async () => {
  const wrong = await camille.post(at("secondChild", "phone"), { phonenumber: "12345" });
  expect(wrong.body.code).toBe("phone_invalid");
  const phonenumber = "06 12 34 56 78";
  const done = await approve(server, camille, at("secondChild", "phone"), { phonenumber });
  expect(done.body.phonenumber).toBe("+33612345678");
});

// proves: guardian-decisions
test("neither the child, nor oneself, nor anyone else", async () => {
  const email = "voleur@exemple.com";
  const leo = await server.as("secondChild");
  const hugo = await server.as("stranger");
  const refused = async (client: Client, name: CastName) => [
    (await client.post(at(name, "email"), { email })).body.code,
    (await client.post(at(name, "phone"), { phonenumber: "06 12 34 56 79" })).body.code,
    (await client.get(at(name, "contacts"))).body.code,
  ];
  expect(await refused(leo, "secondChild")).toEqual(Array(3).fill("family_minor"));
  expect(await refused(camille, "guardian")).toEqual(Array(3).fill("family_minor"));
  expect(await refused(hugo, "secondChild")).toEqual(Array(3).fill("not_found"));
  expect(await refused(camille, "coGuardian")).toEqual(Array(3).fill("not_found"));
  expect(server.outbox).toEqual([]);
});
