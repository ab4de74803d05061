// Open sessions, known browsers and the alert on a new one, over HTTP.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { approve } from "#tests/approve.ts";
import { newPasskey } from "#tests/authenticator.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { type Answered, openTestServer, type TestServer } from "#tests/test-server.ts";

const list = "/api/profile/sessions";
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";
const android =
  "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36";
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  await server.deps.db.deleteFrom("knownDevice").execute();
});
afterAll(() => server.close());

/** A browser: keeps its cookies, says what it is. */
function browser(agent = chrome) {
  const jar = new Map<string, string>();
  const headers = () => ({
    "user-agent": agent,
    "sec-fetch-site": "same-origin",
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
  });
  return {
    jar,
    headers,
    async logIn(name: CastName, password = castPassword) {
      const login = { login: cast[name].cardnumber, password };
      const answer = await server.anonymous.post("/api/login", login, headers());
      for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(String(line)) ?? [];
        jar.set(key, value);
      }
      const client = server.withToken(answer.body["token"]?.jeton ?? "");
      return {
        status: answer.status,
        code: answer.body["code"],
        get: (path: string) => client.get(path, headers()),
        post: (path: string, body = {}) => client.post(path, body, headers()),
        client,
      };
    },
  };
}

const link = () =>
  /\/securite\/pas-moi#([\w-]{64})/.exec(server.outbox.at(-1)?.body ?? "")?.[1] ?? "";
const alertsSent = () =>
  server.outbox.filter(({ subject }) => subject.startsWith("Connexion depuis un nouvel appareil"))
    .length;
/** Lets the time pass in which further alerts are shown in the portal alone. */
const messageAgain = () => server.clock.advance(600_000);
const deny = (token: string) => server.anonymous.post("/api/login/alert/deny", { token });

describe("the list", () => {
  test("GET tells each open session in words, this one first; other people's are not there", async () => {
    const here = await browser().logIn("guardian");
    server.clock.advance(60_000);
    await browser(iphone).logIn("guardian");
    await browser().logIn("stranger");
    const { body } = await here.get(list);
    expect(body.items).toMatchObject([
      { device: "Chrome sur Windows", current: true, address: "127.0.0.1" },
      { device: "Safari sur iPhone", current: false },
    ]);
  });

  test("the last use is written down, at most every five minutes", async () => {
    const here = await browser().logIn("coGuardian");
    const used = async () => (await here.get(list)).body.items[0].lastUsedAt as string;
    const first = await used();
    server.clock.advance(120_000);
    expect(await used()).toBe(first);
    server.clock.advance(200_000);
    await here.get("/api/profile");
    expect(new Date(await used()).getTime() - new Date(first).getTime()).toBeGreaterThan(300_000);
  });

  test("a session whose token is over, or that ended, is not listed", async () => {
    await browser().logIn("employer");
    const gone = await browser().logIn("employer");
    await gone.post("/api/logout");
    server.clock.advance(3_601_000);
    const here = await browser().logIn("employer");
    expect((await here.get(list)).body.items).toHaveLength(1);
  });
});

describe("ending them", () => {
  // proves: recovery
  test("POST …/end closes one at once; someone else's, or one that ended, is not found", async () => {
    const here = await browser().logIn("guardian");
    const there = await browser(iphone).logIn("guardian");
    const stranger = await browser().logIn("stranger");
    const [theirs] = (await there.get(list)).body.items;
    expect((await stranger.post(`${list}/${theirs.id}/end`)).status).toBe(404);
    expect((await there.get("/api/profile")).status).toBe(200);
    const ended = await here.post(`${list}/${theirs.id}/end`);
    expect([ended.status, ended.body.message]).toEqual([200, "Safari sur iPhone : déconnecté."]);
    expect((await there.get("/api/profile")).body.code).toBe("session_ended");
    expect((await here.post(`${list}/${theirs.id}/end`)).status).toBe(404);
    expect((await here.get("/api/profile")).status).toBe(200);
  });

  test("POST …/end-others closes all but this one, and makes other browsers unknown again", async () => {
    const mine = browser();
    const other = browser(iphone);
    const here = await mine.logIn("canteenProvider");
    const there = await other.logIn("canteenProvider");
    const { status, body } = await here.post(`${list}/end-others`);
    expect([status, body.ended]).toEqual([200, 1]);
    expect((await there.get("/api/profile")).body.code).toBe("session_ended");
    expect((await here.get("/api/profile")).status).toBe(200);
    expect((await here.post(`${list}/end-others`)).body.ended).toBe(0);
    const before = alertsSent();
    await mine.logIn("canteenProvider");
    expect(alertsSent()).toBe(before);
    messageAgain();
    await other.logIn("canteenProvider");
    expect(alertsSent()).toBe(before + 1);
  });
});

describe("a new browser", () => {
  // proves: recovery
  test("the first of all is silent, the second is told with a link, a known one is silent", async () => {
    const mine = browser();
    const before = alertsSent();
    await mine.logIn("guardian");
    await mine.logIn("guardian");
    expect(alertsSent()).toBe(before);
    const unknown = await browser(iphone).logIn("guardian");
    expect(alertsSent()).toBe(before + 1);
    expect(server.outbox.at(-1)).toMatchObject({ address: "camille.moreau@exemple.fr" });
    expect(server.outbox.at(-1)?.body).toContain("Safari sur iPhone");
    expect(link()).not.toBe("");
    const { body } = await unknown.get("/api/notifications");
    expect(body.items[0]).toMatchObject({ kind: "security", path: "/profil/appareils" });
    expect(JSON.stringify(body)).not.toContain(link());
  });

  test("a browser that two people share is known for each apart, and keeps one cookie", async () => {
    const shared = browser();
    await browser(iphone).logIn("coGuardian");
    await shared.logIn("guardian");
    const cookie = shared.jar.get("__Host-appareil");
    const before = alertsSent();
    await shared.logIn("coGuardian");
    expect(alertsSent()).toBe(before + 1);
    expect(shared.jar.get("__Host-appareil")).toBe(cookie);
    await shared.logIn("guardian");
    await shared.logIn("coGuardian");
    expect(alertsSent()).toBe(before + 1);
  });

  test("an invented cookie is not taken over; the base keeps only hashes", async () => {
    const liar = browser();
    await browser().logIn("guardian");
    liar.jar.set("__Host-appareil", "A".repeat(43));
    const before = alertsSent();
    await liar.logIn("guardian");
    expect(alertsSent()).toBe(before + 1);
    const cookie = liar.jar.get("__Host-appareil") ?? "";
    expect(cookie).not.toBe("A".repeat(43));
    const rows = await server.deps.db.selectFrom("knownDevice").selectAll().execute();
    expect(rows.map(({ hash }) => hash.toString("base64url"))).not.toContain(cookie);
  });

  test("a program that is no browser page is told once browsers are known, and gets no cookie", async () => {
    const before = alertsSent();
    await server.as("guardian");
    expect(alertsSent()).toBe(before);
    await browser().logIn("guardian");
    await server.as("guardian");
    expect(alertsSent()).toBe(before + 1);
    const rows = await server.deps.db.selectFrom("knownDevice").selectAll().execute();
    expect(rows).toHaveLength(1);
  });

  test("several within ten minutes send one message; each is told in the portal, and may be answered there", async () => {
    const mine = await browser().logIn("stranger");
    const before = alertsSent();
    server.clock.advance(1000);
    for (let time = 0; time < 4; time++) await browser(iphone).logIn("stranger");
    expect(alertsSent()).toBe(before + 1);
    expect((await mine.get("/api/profile/alerts")).body.items).toHaveLength(4);
    const notices = (await mine.get("/api/notifications?limit=4")).body.items;
    expect(notices.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 4 }, () => "Connexion depuis un nouvel appareil"),
    );
    messageAgain();
    await browser(iphone).logIn("stranger");
    expect(alertsSent()).toBe(before + 2);
  });

  test("a hundred right logins an hour from browsers that are not known; one that is comes in all the same", async () => {
    const mine = browser();
    await mine.logIn("stranger");
    const { deps } = server;
    const { personId: id } = await deps.db
      .selectFrom("card")
      .select("personId")
      .where("number", "=", cast.stranger.cardnumber)
      .executeTakeFirstOrThrow();
    await deps.pool.query(
      "insert into limiter (key, failures, since, updated_at) values ($1, 99, $2, $2) on conflict (key) do update set failures = 99",
      [`login:right:person:${id}`, server.clock.now()],
    );
    expect((await browser(iphone).logIn("stranger")).status).toBe(200);
    const sent = server.outbox.length;
    const late = await browser(iphone).logIn("stranger");
    expect([late.status, late.code]).toEqual([429, "too_many_requests"]);
    expect(server.outbox).toHaveLength(sent);
    expect((await mine.logIn("stranger")).status).toBe(200);
    server.clock.advance(3_600_000);
    expect((await browser(iphone).logIn("stranger")).status).toBe(200);
  });

  test("at most twenty browsers are known of a person", async () => {
    for (let time = 0; time < 22; time++) await browser().logIn("partnerShop");
    const rows = await server.deps.db.selectFrom("knownDevice").selectAll().execute();
    expect(rows).toHaveLength(20);
  });

  test("those that forget their cookie push out no browser that came back on another day", async () => {
    const mine = browser();
    await mine.logIn("partnerShop");
    server.clock.advance(86_400_000);
    await mine.logIn("partnerShop");
    for (let time = 0; time < 22; time++) {
      server.clock.advance(1000);
      await browser(iphone).logIn("partnerShop");
    }
    const rows = await server.deps.db.selectFrom("knownDevice").selectAll().execute();
    expect(rows).toHaveLength(20);
    messageAgain();
    const before = alertsSent();
    await mine.logIn("partnerShop");
    expect(alertsSent()).toBe(before);
  });
});

describe("a browser that came in with the former password", () => {
  const words = "une phrase longue et rare 7";
  const passes = () => server.clock.advance(1000);
  // The other tests log in with the password of the cast, and count the recovery codes.
  let originals: { id: number; passwordHash: string }[] = [];
  beforeAll(async () => {
    originals = await server.deps.db.selectFrom("person").select(["id", "passwordHash"]).execute();
  });
  afterEach(async () => {
    await server.deps.db.deleteFrom("recoveryCode").execute();
    for (const { id, passwordHash } of originals) {
      await server.deps.db
        .updateTable("person")
        .set({ passwordHash })
        .where("id", "=", id)
        .execute();
    }
  });

  /** Whether the next login of a browser is told as one of an unknown browser. */
  async function isUnknown(from: ReturnType<typeof browser>, name: CastName, password: string) {
    const before = alertsSent();
    expect((await from.logIn(name, password)).status).toBe(200);
    return alertsSent() > before;
  }

  test("is unknown again once the password was chosen with a code; the browser that chose stays known", async () => {
    const [mine, thief] = [browser(), browser(iphone)];
    await mine.logIn("stranger");
    await thief.logIn("stranger");
    const login = cast.stranger.cardnumber;
    const { body } = await server.anonymous.post("/api/password/forgot", { login });
    const reset = { challenge: body["challenge"], code: server.lastCode(), password: words };
    const path = "/api/password/forgot/reset";
    expect((await server.anonymous.post(path, reset, mine.headers())).status).toBe(200);
    expect(await isUnknown(mine, "stranger", words)).toBe(false);
    expect(await isUnknown(thief, "stranger", words)).toBe(true);
  });

  test("is unknown again once the password was chosen with a recovery code", async () => {
    const [mine, thief] = [browser(), browser(iphone)];
    const { client } = await mine.logIn("partnerShop");
    const made = "/api/profile/recovery-codes";
    const { body } = await approve(server, client, made, {}, mine.headers());
    await thief.logIn("partnerShop");
    const choice = { login: cast.partnerShop.cardnumber, code: body.codes[0], password: words };
    const path = "/api/password/forgot/recovery";
    expect((await server.anonymous.post(path, choice, mine.headers())).status).toBe(200);
    expect(await isUnknown(mine, "partnerShop", words)).toBe(false);
    expect(await isUnknown(thief, "partnerShop", words)).toBe(true);
  });

  test("is unknown again once a browser known before it changed the password, not the other way round", async () => {
    const [first, second, third] = [browser(), browser(iphone), browser(android)];
    await first.logIn("coGuardian");
    passes();
    const client = await second.logIn("coGuardian");
    passes();
    await third.logIn("coGuardian");
    const change = { current: castPassword, password: words };
    expect((await client.post("/api/password/change", change)).status).toBe(200);
    expect(await isUnknown(first, "coGuardian", words)).toBe(false);
    expect(await isUnknown(second, "coGuardian", words)).toBe(false);
    messageAgain();
    expect(await isUnknown(third, "coGuardian", words)).toBe(true);
  });
});

describe("a known browser", () => {
  test("POST /api/login and forgot go on there while strangers' guesses lock the card elsewhere", async () => {
    const mine = browser();
    expect((await mine.logIn("guardian")).status).toBe(200);
    for (let time = 0; time < 6; time++) await browser(iphone).logIn("guardian", "deviné");
    expect((await browser(iphone).logIn("guardian")).code).toBe("login_locked");
    expect((await mine.logIn("guardian")).status).toBe(200);
    const forgot = (headers = {}) =>
      server.anonymous.post("/api/password/forgot", { login: cast.guardian.cardnumber }, headers);
    for (let time = 0; time < 3; time++) await forgot();
    expect((await forgot()).body["code"]).toBe("code_sends_exhausted");
    expect((await forgot(mine.headers())).status).toBe(200);
  });

  test("climbs a ladder of its own, and is none of another person's", async () => {
    const mine = browser();
    await mine.logIn("guardian");
    for (let time = 0; time < 6; time++) await mine.logIn("guardian", "deviné");
    expect((await mine.logIn("guardian")).code).toBe("login_locked");
    for (let time = 0; time < 6; time++) await mine.logIn("stranger", "deviné");
    expect((await browser().logIn("stranger")).code).toBe("login_locked");
  });
});

describe("lock-out of others", () => {
  const words = "une phrase longue et rare 7";
  const guess = (name: CastName, headers = {}) =>
    server.anonymous.post(
      "/api/password/forgot/recovery",
      { login: cast[name].cardnumber, code: "AAAAA-AAAAA", password: words },
      headers,
    );

  // proves: no-lockout
  test("recovery: strangers' wrong codes close nothing to a browser that is known", async () => {
    const mine = browser();
    await mine.logIn("guardian");
    for (let time = 0; time < 6; time++) await guess("guardian");
    expect((await guess("guardian")).body["code"]).toBe("login_locked");
    expect((await guess("guardian", mine.headers())).body["code"]).toBe("recovery_refused");
    for (let time = 0; time < 6; time++) await guess("guardian", mine.headers());
    expect((await guess("guardian", mine.headers())).body["code"]).toBe("login_locked");
  });

  // proves: no-lockout
  test("the brake of everybody slows strangers, not a browser that is known", async () => {
    const mine = browser();
    await mine.logIn("guardian");
    await server.deps.pool.query(
      "insert into limiter (key, failures, since, updated_at) values ('login:everyone', 100000, $1, $1) on conflict (key) do update set failures = 100000",
      [server.clock.now()],
    );
    expect((await guess("guardian")).status).toBe(429);
    expect((await guess("guardian", mine.headers())).body["code"]).toBe("recovery_refused");
    expect((await browser().logIn("stranger")).status).toBe(429);
    expect((await mine.logIn("guardian")).status).toBe(200);
  });

  // proves: no-lockout
  test("current password: who guesses in one session closes nothing to the other sessions", async () => {
    const [mine, thief] = [await browser().logIn("guardian"), await browser().logIn("guardian")];
    const change = { current: "deviné", password: words };
    for (let time = 0; time < 6; time++) await thief.post("/api/password/change", change);
    expect((await thief.post("/api/password/change", change)).body.code).toBe("login_locked");
    expect((await mine.post("/api/password/change", change)).body.code).toBe("wrong_password");
  });
});

describe("« Ce n'était pas moi »", () => {
  async function intruded(name: CastName) {
    const mine = await browser().logIn(name);
    const intruder = await browser(iphone).logIn(name);
    return { mine, intruder, token: link() };
  }

  test("the link shows the login, changes nothing until confirmed", async () => {
    const { intruder, token } = await intruded("guardian");
    const { status, body } = await server.anonymous.post("/api/login/alert", { token });
    expect(status).toBe(200);
    expect(body).toEqual({
      about: "login",
      device: "Safari sur iPhone",
      address: "127.0.0.1",
      at: expect.any(String),
    });
    expect((await intruder.get("/api/profile")).status).toBe(200);
  });

  // proves: recovery
  test("confirmed, it ends all sessions and lets nobody in before a new password is chosen", async () => {
    const { mine, intruder, token } = await intruded("stranger");
    expect((await deny(token)).status).toBe(200);
    expect((await mine.get("/api/profile")).body.code).toBe("session_ended");
    expect((await intruder.get("/api/profile")).body.code).toBe("session_ended");
    const again = await browser(iphone).logIn("stranger");
    expect([again.status, again.code]).toEqual([403, "renewal_required"]);
    const wrong = await browser(iphone).logIn("stranger", "ce n'est pas celui-là");
    expect([wrong.status, wrong.code]).toEqual([401, "wrong_credentials"]);
    const login = cast.stranger.cardnumber;
    const { body } = await server.anonymous.post("/api/password/forgot", { login });
    const password = "une phrase longue et rare 7";
    const reset = { challenge: body["challenge"], code: server.lastCode(), password };
    expect((await server.anonymous.post("/api/password/forgot/reset", reset)).status).toBe(200);
    expect((await browser().logIn("stranger", password)).status).toBe(200);
  });

  // proves: old-links
  test("a password changed where the person came in before makes older links worthless, not the intruder's own", async () => {
    const change = (
      from: { post(path: string, body: object): Promise<{ status: number }> },
      password: string,
      current: string,
    ) => from.post("/api/password/change", { current, password });
    const first = "une phrase longue et rare 8";
    const { mine, token } = await intruded("partnerShop");
    server.clock.advance(1000);
    expect((await change(mine, first, castPassword)).status).toBe(200);
    const old = await deny(token);
    expect([old.status, old.body["code"]]).toEqual([410, "alert_over"]);
    // An intruder who knows the password does not void the link of the alert.
    messageAgain();
    const intruder = await browser(iphone).logIn("partnerShop", first);
    const own = link();
    server.clock.advance(1000);
    expect((await change(intruder, "une phrase longue et rare 9", first)).status).toBe(200);
    expect((await deny(own)).status).toBe(200);
  });

  // proves: recovery
  test("it serves once, thirty days, and only as it was sealed", async () => {
    const { token } = await intruded("coGuardian");
    const turned = (token.startsWith("A") ? "B" : "A") + token.slice(1);
    for (const forged of [turned, token.slice(0, -1) + (token.endsWith("A") ? "B" : "A")]) {
      expect((await deny(forged)).body["code"]).toBe("alert_over");
    }
    const both = await Promise.all([deny(token), deny(token)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
    const read = await server.anonymous.post("/api/login/alert", { token });
    expect([read.status, read.body["code"]]).toEqual([410, "alert_over"]);
    const later = await intruded("guardian");
    server.clock.advance(30 * 86_400_000);
    expect((await deny(later.token)).body["code"]).toBe("alert_over");
  });

  // proves: recovery
  test("what the intruder left behind goes: passkey, recovery codes, another e-mail", async () => {
    const before = newPasskey();
    const mine = await browser().logIn("employer");
    const keys = "/api/profile/passkeys";
    const call = async (path: string, body = {}) =>
      await approve(server, who.client, path, body, where.headers());
    let where = browser();
    let who = await where.logIn("employer");
    const creationOptions = (await call(`${keys}/options`)).body.options;
    expect((await who.post(keys, { response: before.register(creationOptions) })).status).toBe(201);
    where = browser(iphone);
    messageAgain();
    who = await where.logIn("employer");
    const token = link();
    const mail = "intrus@exemple.com";
    await server.deps.db.deleteFrom("limiter").execute();
    const bad = newPasskey();
    const options = (await call(`${keys}/options`)).body.options;
    expect((await who.post(keys, { response: bad.register(options) })).status).toBe(201);
    expect((await call("/api/profile/recovery-codes")).status).toBe(200);
    expect((await call("/api/profile/email", { email: mail })).body.email).toBe(mail);
    expect((await deny(token)).status).toBe(200);
    expect((await mine.get("/api/profile")).body.code).toBe("session_ended");
    const { db } = server.deps;
    const people = await db.selectFrom("person").select("id").where("email", "=", mail).execute();
    expect(people).toEqual([]);
    const ids = await db.selectFrom("passkey").select("credentialId").execute();
    expect(ids.map((row) => row.credentialId.toString("base64url"))).toEqual([before.id]);
    expect(await db.selectFrom("recoveryCode").selectAll().execute()).toEqual([]);
    // Not even with a passkey that was there before.
    const { body } = await server.anonymous.post("/api/login/passkey/challenge");
    const response = before.sign(body["options"]);
    const refused = await server.anonymous.post("/api/login/passkey", { response });
    expect([refused.status, refused.body["code"]]).toEqual([403, "renewal_required"]);
  });
});

describe("an alert answered within the portal", () => {
  const alerts = "/api/profile/alerts";
  beforeEach(async () => {
    await server.deps.db.updateTable("person").set({ lockedAt: null }).execute();
  });
  const noticeOf = async (client: { get(path: string): Promise<Answered<any>> }) =>
    (await client.get("/api/notifications")).body.items[0];

  async function alerted(name: CastName) {
    const mine = browser();
    const before = await mine.logIn(name);
    server.clock.advance(1000);
    const intruder = browser(iphone);
    const intruded = await intruder.logIn(name);
    const { alert } = await noticeOf(before);
    return { mine, before, intruded, answer: `${alerts}/${alert}/answer`, alert };
  }

  test("« C'était moi » from a browser known before: asked no more, the link of the message serves on", async () => {
    const { before, answer, alert } = await alerted("guardian");
    expect((await before.get(alerts)).body.items).toMatchObject([
      { id: alert, device: "Safari sur iPhone" },
    ]);
    const token = link();
    expect((await before.post(answer, { mine: true })).status).toBe(200);
    expect((await before.get(alerts)).body.items).toEqual([]);
    expect((await before.post(answer, { mine: false })).body.code).toBe("alert_over");
    expect((await before.get("/api/profile")).status).toBe(200);
    expect((await server.anonymous.post("/api/login/alert", { token })).status).toBe(200);
  });

  test("« Pas moi » does what the link does, once, from a later session of that browser too", async () => {
    const { mine, before, intruded, answer } = await alerted("canteenProvider");
    const token = link();
    const later = await mine.logIn("canteenProvider");
    expect((await later.post(answer, { mine: false })).status).toBe(200);
    for (const session of [before, intruded, later]) {
      expect((await session.get("/api/profile")).body.code).toBe("session_ended");
    }
    const again = await browser(iphone).logIn("canteenProvider");
    expect([again.status, again.code]).toEqual([403, "renewal_required"]);
    expect((await deny(token)).status).toBe(410);
  });

  test("the session it is about, a browser that came later, someone else: nothing to answer", async () => {
    const { before, intruded, answer } = await alerted("coGuardian");
    const later = await browser(android).logIn("coGuardian");
    const stranger = await browser().logIn("child");
    for (const client of [intruded, later, stranger]) {
      for (const mine of [true, false]) {
        expect(await client.post(answer, { mine })).toMatchObject({ status: 410 });
      }
      const { items } = (await client.get(alerts)).body;
      expect(items.map(({ id }: { id: string }) => answer.includes(id))).not.toContain(true);
    }
    expect((await before.get("/api/profile")).status).toBe(200);
    expect((await before.get(alerts)).body.items).toHaveLength(2);
  });
});
