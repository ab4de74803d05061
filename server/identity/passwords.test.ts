// Choosing a password over HTTP: the forced first one, a change, the reset of a forgotten one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

const good = "pluie-tiède-sur-zinc";
const better = "trois hérons boitent";
const logIn = async (name: CastName, password: string) =>
  (await server.anonymous.post("/api/login", { login: cast[name].cardnumber, password })).status;
const refused = async (
  client: Client,
  path: string,
  body: object,
): Promise<[number, string | undefined]> => {
  const answer = await client.post(path, body);
  return [answer.status, answer.body.code];
};

describe("POST /api/password/reset", () => {
  // proves: password-reset-first
  test("a reset-pending session may only see itself, renew, reset and log out", async () => {
    const client = await server.as("resetPending");
    for (const path of ["/api/profile", "/api/profile/activity", "/api/notifications"]) {
      const { status, body } = await client.get(path);
      expect([path, status, body.code]).toEqual([path, 403, "reset_required"]);
    }
    const change = { current: castPassword, password: good };
    expect(await refused(client, "/api/password/change", change)).toEqual([403, "reset_required"]);
    expect((await client.get("/api/session")).body.data.isReset).toBe(true);
    expect((await client.post("/api/session/renew")).status).toBe(200);
    expect((await client.post("/api/logout")).status).toBe(200);
  });

  // proves: new-password
  test("refuses a short, a common, a personal and the same password; all stays as it was", async () => {
    const client = await server.as("resetPending");
    const path = "/api/password/reset";
    const choose = (password: string) => refused(client, path, { password });
    expect(await choose("court")).toEqual([422, "password_too_short"]);
    expect(await choose("motdepasse2026!")).toEqual([422, "password_too_common"]);
    expect(await choose("nadia-benali-40")).toEqual([422, "password_too_common"]);
    expect(await choose("Carte1000000040")).toEqual([422, "password_too_common"]);
    // The printed secret of the demo is made of common words, so it is refused as such.
    expect(await choose(castPassword)).toEqual([422, "password_too_common"]);
    expect((await client.get("/api/session")).body.data.isReset).toBe(true);
    expect(await logIn("resetPending", castPassword)).toBe(200);
  });

  test("ends isReset, opens the portal, ends the other sessions, tells the person", async () => {
    const [client, other] = [await server.as("resetPending"), await server.as("resetPending")];
    const { status, body } = await client.post("/api/password/reset", { password: good });
    expect([status, body.data.isReset]).toEqual([200, false]);
    expect((await client.get("/api/profile")).status).toBe(200);
    expect((await other.get("/api/session")).body.code).toBe("session_ended");
    expect(await logIn("resetPending", castPassword)).toBe(401);
    expect(await logIn("resetPending", good)).toBe(200);
    expect(server.outbox.map((message) => message.address)).toEqual([cast.resetPending.email]);
    const again = await refused(client, "/api/password/reset", { password: better });
    expect(again).toEqual([409, "reset_not_pending"]);
  });
});

describe("POST /api/password/change", () => {
  const path = "/api/password/change";

  test("needs the current password; six wrong ones make the seventh wait", async () => {
    const client = await server.as("stranger");
    const change = { current: "ce n'est pas lui", password: good };
    for (let guess = 0; guess < 5; guess++) {
      expect(await refused(client, path, change)).toEqual([422, "wrong_password"]);
    }
    expect(await refused(client, path, change)).toEqual([429, "login_locked"]);
    const right = { current: castPassword, password: good };
    expect(await refused(client, path, right)).toEqual([429, "login_locked"]);
    server.clock.advance(1000);
    expect(await refused(client, path, right)).toEqual([200, undefined]);
    expect(await logIn("stranger", good)).toBe(200);
  });

  test("refuses the same, the short and the common; the old one still logs in", async () => {
    const client = await server.as("stranger", good);
    const choose = (password: string) => refused(client, path, { current: good, password });
    expect(await choose(good)).toEqual([422, "password_unchanged"]);
    expect(await choose("onze signes")).toEqual([422, "password_too_short"]);
    expect(await choose("Azertyuiop123")).toEqual([422, "password_too_common"]);
    expect(await logIn("stranger", good)).toBe(200);
  });

  // proves: session-row
  test("ends the other sessions at once, keeps this one, is told and written down", async () => {
    const [here, there] = [await server.as("stranger", good), await server.as("stranger", good)];
    const { body } = await here.post(path, { current: good, password: better });
    expect(body.message).toBe("Votre mot de passe est changé. Vos autres sessions sont fermées.");
    expect((await there.get("/api/session")).body.code).toBe("session_ended");
    expect((await here.get("/api/session")).status).toBe(200);
    expect((await here.get("/api/profile")).body.passwordChangedAt).not.toBeNull();
    const [line] = (await here.get("/api/profile/activity?limit=1")).body.items;
    expect(line).toMatchObject({ action: "password.change", label: "Mot de passe changé" });
    const [notice] = (await here.get("/api/notifications")).body.items;
    expect(notice).toMatchObject({ kind: "security", title: "Votre mot de passe a été changé" });
    expect(server.outbox.at(-1)?.body).not.toContain(better);
  });

  // proves: slow-guessing
  test("one person's hundred calls at once from twenty sessions leave the places of others free", async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => server.as("employer")));
    const same = { current: castPassword, password: castPassword };
    const calls = sessions.flatMap((client) =>
      Array.from({ length: 5 }, () => refused(client, path, same)),
    );
    // Once the first is sent back, the others hold what they can.
    await Promise.race(calls);
    const { challenge } = (
      await server.anonymous.post("/api/password/forgot", { login: cast.child.cardnumber })
    ).body;
    const recovery = { login: cast.guardian.cardnumber, code: "AAAAA-AAAAA", password: better };
    const forgotten = { challenge, code: "123456", password: better };
    expect(
      await Promise.all([
        logIn("canteenProvider", castPassword),
        refused(server.anonymous, "/api/password/forgot/recovery", recovery),
        refused(server.anonymous, "/api/password/forgot/reset", forgotten),
      ]),
    ).toEqual([200, [422, "recovery_refused"], [422, "code_wrong"]]);
    const codes = (await Promise.all(calls)).map(([, code]) => code);
    expect(new Set(codes)).toEqual(new Set(["password_too_common", "too_many_requests"]));
    expect(await refused(sessions[0] as Client, path, same)).toEqual([422, "password_too_common"]);
  });

  test("twenty times in an hour from one session, then it waits; another session does not", async () => {
    const [client, other] = [await server.as("employer"), await server.as("employer")];
    const weak = { current: castPassword, password: "court" };
    for (let time = 0; time < 20; time++) {
      expect(await refused(client, path, weak)).toEqual([422, "password_too_short"]);
    }
    const right = { current: castPassword, password: good };
    expect(await refused(client, path, right)).toEqual([429, "too_many_requests"]);
    expect(await logIn("employer", castPassword)).toBe(200);
    expect(await refused(other, path, weak)).toEqual([422, "password_too_short"]);
    server.clock.advance(3_600_000);
    const later = await server.as("employer");
    expect(await refused(later, path, weak)).toEqual([422, "password_too_short"]);
  });

  // proves: new-password
  test("an accent typed in two ways is one password", async () => {
    const client = await server.as("stranger", better);
    await client.post(path, { current: better, password: good.normalize("NFD") });
    expect(await logIn("stranger", good.normalize("NFC"))).toBe(200);
  });

  test("a sign that nobody sees counts in a password, where other texts lose it", async () => {
    const client = await server.as("stranger", good);
    const withZeroWidth = `${better}\u200b`;
    expect((await client.post(path, { current: good, password: withZeroWidth })).status).toBe(200);
    expect(await logIn("stranger", better)).toBe(401);
    expect(await logIn("stranger", withZeroWidth)).toBe(200);
  });
});

describe("POST /api/password/forgot", () => {
  const ask = (login: number) => server.anonymous.post("/api/password/forgot", { login });
  const reset = async (body: { challenge: string; code: string; password?: string }) => {
    const answer = await server.anonymous.post("/api/password/forgot/reset", {
      password: good,
      ...body,
    });
    return [answer.status, answer.body.code, answer.body.details?.left];
  };
  const { cardnumber, email } = cast.guardian;

  test("POST /api/password/forgot sends a code to the e-mail on file and says nothing of it", async () => {
    const { status, body } = await ask(cardnumber);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["challenge", "expiresAt"]);
    expect(server.outbox).toHaveLength(1);
    expect(server.outbox[0]).toMatchObject({ channel: "email", address: email, secret: true });
  });

  // proves: unknown-card
  test("an unknown, a disabled and an unreachable card look the same and send nothing", async () => {
    for (const login of [1999999999, cast.disabled.cardnumber, cast.secondChild.cardnumber]) {
      const { status, body } = await ask(login);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(["challenge", "expiresAt"]);
      expect(await reset({ challenge: body.challenge, code: "123456" })).toEqual([
        422,
        "code_wrong",
        4,
      ]);
    }
    expect(server.outbox).toEqual([]);
  });

  // proves: unknown-card
  test("known and unknown card take the same time (median gap printed)", async () => {
    const times: Record<string, number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 7; round++) {
      for (const [name, login] of [
        ["known", cardnumber],
        ["unknown", 1800000000 + round],
      ] as const) {
        await server.deps.db.deleteFrom("limiter").execute();
        const start = performance.now();
        await ask(login);
        times[name]?.push(performance.now() - start);
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map(
      (list) => list.sort((a, b) => a - b)[3],
    );
    process.stdout.write(
      `forgot: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms\n`,
    );
    expect(Math.min(known, unknown)).toBeGreaterThan(100);
  });

  test("3 sends in 15 minutes, known or not; then the wait is told", async () => {
    for (const login of [cardnumber, 1999999999]) {
      for (let send = 0; send < 3; send++) expect((await ask(login)).status).toBe(200);
      const { status, body } = await ask(login);
      expect([status, body.code, body.details.wait]).toEqual([
        403,
        "code_sends_exhausted",
        "15 min",
      ]);
    }
    expect(server.outbox).toHaveLength(3);
    server.clock.advance(900_000);
    expect((await ask(cardnumber)).status).toBe(200);
  });

  test("a wrong code leaves four tries, the fifth ends it, the right one then comes too late", async () => {
    const { challenge } = (await ask(cardnumber)).body;
    const code = server.lastCode(email);
    const other = code === "000000" ? "000001" : "000000";
    for (const left of [4, 3, 2, 1]) {
      expect(await reset({ challenge, code: other })).toEqual([422, "code_wrong", left]);
    }
    expect(await reset({ challenge, code: other })).toEqual([410, "code_expired", undefined]);
    expect(await reset({ challenge, code })).toEqual([410, "code_expired", undefined]);
    expect(await logIn("guardian", castPassword)).toBe(200);
  });

  test("50 wrong codes in a day: no more are sent until the next, known card or not", async () => {
    for (const login of [cardnumber, 1999999998]) {
      let wrong = 0;
      while (wrong < 50) {
        const { challenge } = (await ask(login)).body;
        const code = server.lastCode(email) === "000000" ? "000001" : "000000";
        for (let guess = 0; guess < 5; guess++, wrong++) await reset({ challenge, code });
        server.clock.advance(300_000);
      }
      server.clock.advance(900_000);
      const { status, body } = await ask(login);
      expect([status, body.code]).toEqual([403, "code_sends_exhausted"]);
      expect(body.details.wait).toMatch(/^2[23] h$/);
      server.clock.advance(86_400_000);
      expect((await ask(login)).status).toBe(200);
    }
  });

  // proves: one-time-codes
  test("20 tries at once count as five", async () => {
    const { challenge } = (await ask(cardnumber)).body;
    const code = server.lastCode(email);
    const other = code === "000000" ? "000001" : "000000";
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => reset({ challenge, code: other })),
    );
    expect(answers.filter(([, name]) => name === "code_wrong")).toHaveLength(4);
    expect(await reset({ challenge, code })).toEqual([410, "code_expired", undefined]);
  });

  // proves: one-time-codes
  test("a code is over after ten minutes; another challenge's code does not serve", async () => {
    const first = (await ask(cardnumber)).body;
    const firstCode = server.lastCode(email);
    const second = (await ask(cardnumber)).body;
    const cross = await reset({ challenge: second.challenge, code: firstCode });
    // One chance in a million makes both codes the same.
    if (firstCode !== server.lastCode(email)) expect(cross[1]).toBe("code_wrong");
    server.clock.advance(600_000);
    expect(await reset({ challenge: first.challenge, code: firstCode })).toEqual([
      410,
      "code_expired",
      undefined,
    ]);
  });

  test("a weak choice costs no try and leaves the code good", async () => {
    const { challenge } = (await ask(cardnumber)).body;
    const code = server.lastCode(email);
    expect((await reset({ challenge, code, password: "court" }))[1]).toBe("password_too_short");
    expect((await reset({ challenge, code, password: "camille-moreau" }))[1]).toBe(
      "password_too_common",
    );
    expect((await reset({ challenge, code }))[0]).toBe(200);
  });

  test("the right code: new password, every session ended, the lock lifted, used once", async () => {
    const open = await server.as("guardian", good);
    for (let failure = 0; failure < 5; failure++) await logIn("guardian", "non, pas celui-là");
    expect(await logIn("guardian", good)).toBe(429);
    const { challenge } = (await ask(cardnumber)).body;
    const code = server.lastCode(email);
    const twice = await Promise.all([
      reset({ challenge, code, password: better }),
      reset({ challenge, code, password: better }),
    ]);
    expect(twice.map(([status]) => Number(status)).sort((a, b) => a - b)).toEqual([200, 410]);
    expect((await open.get("/api/session")).body.code).toBe("session_ended");
    expect(await logIn("guardian", good)).toBe(401);
    expect(await logIn("guardian", better)).toBe(200);
  });

  // proves: one-time-codes
  test("no secret is stored in the clear", async () => {
    const { challenge } = (await ask(cardnumber)).body;
    const code = server.lastCode(email);
    const row = await server.deps.db
      .selectFrom("code")
      .selectAll()
      .where("id", "=", challenge)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify({ ...row, hmac: row.hmac.toString("latin1") })).not.toContain(code);
  });
});

test("where no channel is configured, forgot says so to everyone alike", async () => {
  const mute = await openTestServer({
    demo: false,
    smtpUrl: null,
    smsUrl: null,
    supportPhone: "3900",
  });
  for (const login of [cast.guardian.cardnumber, 1999999999]) {
    const { status, body } = await mute.anonymous.post("/api/password/forgot", { login });
    expect([status, body.code, body.details]).toEqual([
      409,
      "no_channel",
      { supportPhone: "3900" },
    ]);
  }
  await mute.close();
});
