// The session: its row decides, whatever the token says.
import { generateKeyPairSync, createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { loadKeys } from "./identity.ts";
import { endSessions } from "./session-end.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const session = "/api/session";
const login = { login: cast.guardian.cardnumber, password: castPassword };
const ended = [401, "session_ended"];
const look = async (token: string, headers = {}) => {
  const { status, body } = await server.withToken(token).get(session, headers);
  return [status, body.code];
};

describe("the token", () => {
  test("GET /api/session without a token is unauthenticated", async () => {
    const { status, body } = await server.anonymous.get(session);
    expect([status, body.code]).toEqual([401, "unauthenticated"]);
  });

  // proves: token-holds-little
  test("garbled, altered or cut tokens are refused", async () => {
    const { token } = await server.as("guardian");
    const [head = "", claims = "", signature = ""] = token.split(".");
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims, "base64url").toString()), type: 2 }),
    ).toString("base64url");
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "session+jwt" })).toString(
      "base64url",
    );
    for (const bad of ["x", "a.b.c", `${head}.${claims}`, `${head}.${claims}.`]) {
      expect([bad, ...(await look(bad))]).toEqual([bad, ...ended]);
    }
    expect(await look(`${head}.${forged}.${signature}`)).toEqual(ended);
    expect(await look(`${none}.${claims}.`)).toEqual(ended);
    expect(await look(token)).toEqual([200, undefined]);
  });

  // proves: token-holds-little
  test("another key, another audience, another type of token: refused", async () => {
    const { token } = await server.as("guardian");
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const keys = await loadKeys(server.deps.db);
    const make = (change: { aud?: string; typ?: string; kid?: string; key?: typeof keys.sign }) =>
      new SignJWT({ ...claims, aud: change.aud ?? claims.aud })
        .setProtectedHeader({
          alg: "EdDSA",
          typ: change.typ ?? "session+jwt",
          kid: change.kid ?? keys.kid,
        })
        .sign(change.key ?? keys.sign);
    const stranger = generateKeyPairSync("ed25519").privateKey;
    expect(await look(await make({}))).toEqual([200, undefined]);
    expect(
      await look(
        await make({ key: createPrivateKey(stranger.export({ format: "pem", type: "pkcs8" })) }),
      ),
    ).toEqual(ended);
    expect(await look(await make({ aud: "ailleurs" }))).toEqual(ended);
    expect(await look(await make({ typ: "JWT" }))).toEqual(ended);
    expect(await look(await make({ kid: "autre" }))).toEqual(ended);
  });

  test("the keys are made once even when many ask at the same time", async () => {
    const fresh = await openTestServer();
    const { db } = fresh.deps;
    await db.deleteFrom("secret").execute();
    // Each of these has a memory of its own, as two servers that start together have.
    const servers = Array.from({ length: 8 }, () => db.withSchema("public"));
    const kids = await Promise.all(servers.map(async (one) => (await loadKeys(one)).kid));
    expect(new Set(kids).size).toBe(1);
    const rows = await db.selectFrom("secret").select("name").execute();
    expect(rows.map((row) => row.name).sort()).toEqual(["root_key", "token_signing_key"]);
    await fresh.close();
  });
});

describe("the browser's binding", () => {
  // proves: stolen-token
  test("a login from a page of the site is bound to that browser: the token alone is refused", async () => {
    const answer = await server.anonymous.post("/api/login", login, {
      "sec-fetch-site": "same-origin",
    });
    const [cookie = "", device = ""] = answer.headers["set-cookie"] as string[];
    expect(device).toMatch(/^__Host-appareil=[\w-]{43}; .*HttpOnly; Secure; SameSite=Strict$/);
    expect(cookie).toMatch(
      /^__Host-lien=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const { jeton } = answer.body.token;
    expect(await look(jeton)).toEqual(ended);
    expect(await look(jeton, { cookie: "__Host-lien=un-autre" })).toEqual(ended);
    expect(await look(jeton, { cookie: cookie.split(";")[0] ?? "" })).toEqual([200, undefined]);
  });

  // proves: stolen-token
  test("the cookie of one login does not serve the token of another", async () => {
    const bind = { "sec-fetch-site": "same-origin" };
    const first = await server.anonymous.post("/api/login", login, bind);
    const second = await server.anonymous.post("/api/login", login, bind);
    const cookie = String(second.headers["set-cookie"]).split(";")[0] ?? "";
    expect(await look(first.body.token.jeton, { cookie })).toEqual(ended);
  });

  test("a login from elsewhere is not bound and gets no cookie", async () => {
    for (const site of ["cross-site", "none"]) {
      const answer = await server.anonymous.post("/api/login", login, { "sec-fetch-site": site });
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(await look(answer.body.token.jeton)).toEqual([200, undefined]);
    }
  });
});

describe("ends at once", () => {
  // proves: session-row
  test("POST /api/logout ends this session, not the other", async () => {
    const [here, there] = [await server.as("guardian"), await server.as("guardian")];
    const { status, headers } = await here.post("/api/logout");
    expect(status).toBe(200);
    expect(String(headers["set-cookie"])).toMatch(/^__Host-lien=; .*Expires=Thu, 01 Jan 1970/);
    expect(await look(here.token)).toEqual(ended);
    expect(await look(there.token)).toEqual([200, undefined]);
  });

  test("endSessions leaves the one that asked, and tells how many it ended", async () => {
    const [here, there] = [await server.as("stranger"), await server.as("stranger")];
    const person = await server.deps.db
      .selectFrom("card")
      .select("personId")
      .where("number", "=", cast.stranger.cardnumber)
      .executeTakeFirstOrThrow();
    const claims = JSON.parse(Buffer.from(here.token.split(".")[1] ?? "", "base64url").toString());
    const count = await inTx(server.deps.db, (tx) =>
      endSessions(tx, person.personId, {
        except: claims.sid,
        why: "opposition",
        at: server.clock.now(),
      }),
    );
    expect(count).toBe(1);
    expect(await look(here.token)).toEqual([200, undefined]);
    expect(await look(there.token)).toEqual([401, "session_opposed"]);
  });

  // proves: session-row
  test("a person disabled by the operator is out at the next call", async () => {
    const client = await server.as("coGuardian");
    const disable = (at: Date | null) =>
      server.deps.db
        .updateTable("person")
        .set({ disabledAt: at })
        .where("name", "=", cast.coGuardian.name)
        .execute();
    await disable(new Date());
    expect(await look(client.token)).toEqual(ended);
    await disable(null);
  });

  // proves: session-row
  test("a reset asked by the operator mid-session bars the next call", async () => {
    const client = await server.as("secondChild");
    expect((await client.get("/api/profile")).status).toBe(200);
    const ask = (mustReset: boolean) =>
      server.deps.db
        .updateTable("person")
        .set({ mustReset })
        .where("name", "=", cast.secondChild.name)
        .execute();
    await ask(true);
    const { status, body } = await client.get("/api/profile");
    expect([status, body.code]).toEqual([403, "reset_required"]);
    expect((await client.get(session)).body.data.isReset).toBe(true);
    await ask(false);
  });
});

describe("renewal (spec.md 7)", () => {
  // proves: session-length
  test("POST /api/session/renew gives a new hour for the same session, at most 12 h after login", async () => {
    const first = await server.as("guardian");
    let { token } = first;
    const endsAt = (await first.get(session)).body.endsAt;
    for (let hour = 1; hour <= 12; hour++) {
      server.clock.advance(55 * 60_000);
      const { status, body } = await server.withToken(token).post("/api/session/renew");
      expect([status, body.endsAt]).toEqual([200, endsAt]);
      expect(body.token.expires_in).toBeLessThanOrEqual(3600);
      expect(body.renewable).toBe(hour < 12);
      token = body.token.jeton;
    }
    expect(await look(first.token)).toEqual(ended);
    server.clock.advance(50 * 60_000);
    expect(await look(token)).toEqual([200, undefined]);
    server.clock.advance(11 * 60_000);
    expect(await look(token)).toEqual(ended);
    const { status, body } = await server.withToken(token).post("/api/session/renew");
    expect([status, body.code]).toEqual(ended);
  });

  // proves: session-length
  test("a token not renewed within its hour is over", async () => {
    server.clock.freeze();
    const { token } = await server.as("guardian");
    server.clock.advance(3_599_000);
    expect(await look(token)).toEqual([200, undefined]);
    server.clock.advance(1000);
    expect(await look(token)).toEqual(ended);
  });
});

describe("the audit trail", () => {
  test("GET /api/profile/activity tells one's own lines, newest first, by pages", async () => {
    const client = await server.as("employer");
    await client.post("/api/logout");
    const again = await server.as("employer");
    const { body } = await again.get("/api/profile/activity?limit=2");
    expect(body.items.map((item: { label: string }) => item.label)).toEqual([
      "Connexion",
      "Déconnexion",
    ]);
    const rest = await again.get(`/api/profile/activity?limit=2&before=${body.next}`);
    expect(rest.body.items.map((item: { label: string }) => item.label)).toEqual(["Connexion"]);
    expect(rest.body.next).toBeNull();
  });

  // proves: journal-not-edited
  test("its rows cannot be altered, removed, or emptied", async () => {
    // The server has no right to; the database's owner is stopped by a trigger.
    for (const [{ db }, refusal] of [
      [server.deps, "permission denied"],
      [server.owner, "append-only"],
    ] as const) {
      await expect(db.updateTable("audit").set({ action: "rien" }).execute()).rejects.toThrow(
        refusal,
      );
      await expect(db.deleteFrom("audit").execute()).rejects.toThrow(refusal);
    }
  });
});
