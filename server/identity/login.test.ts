// POST /api/login over HTTP: who logs in, who does not, and how long a guesser waits.
import { constants, getPriority } from "node:os";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cast, castPassword } from "#tests/cast.ts";
import { childrenRunning } from "#tests/server-process.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { attempt, networksOf, perAddress } from "./limiter.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
});
afterAll(() => server.close());

const { cardnumber } = cast.guardian;
const logIn = (login: number, password: string) =>
  server.anonymous.post("/api/login", { login, password });
const wrong = (login: number = cardnumber) => logIn(login, "ce n'est pas celui-là");
const failuresOf = async (card: number) => {
  const row = await server.deps.db
    .selectFrom("limiter")
    .select("failures")
    .where("key", "=", `login:card:${card}`)
    .executeTakeFirst();
  return row?.failures ?? 0;
};
const openSessions = async () =>
  (await server.deps.db.selectFrom("session").select("id").execute()).length;
const setCard = (values: { state: "active" | "suspended" | "opposed" | "received" | "replaced" }) =>
  server.deps.db.updateTable("card").set(values).where("number", "=", cardnumber).execute();

describe("the right card and password", () => {
  test("POST /api/login answers the message, the user and the token of the specification", async () => {
    const { status, body } = await logIn(cardnumber, castPassword);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["data", "message", "token"]);
    expect(body.message).toBe("Connexion réussie");
    expect(body.data).toEqual({
      id: expect.any(Number),
      avatar: null,
      cardnumber,
      name: "Camille Moreau",
      dateRenew: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      subExp: expect.any(Number),
      phonenumber: "+33612345601",
      isc: 1,
      actif: 1,
      type: 1,
      isReset: false,
      email: "camille.moreau@exemple.fr",
      objectID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(body.token.expires_in).toBe(3600);
  });

  // proves: token-holds-little
  test("the token holds the session, the subject, the type and an expiry within the hour: no more", async () => {
    const { body } = await logIn(cardnumber, castPassword);
    const [head, claims] = (body.token.jeton as string)
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(head).toEqual({ alg: "EdDSA", typ: "session+jwt", kid: expect.any(String) });
    expect(Object.keys(claims).sort()).toEqual(["aud", "exp", "sid", "sub", "type"]);
    expect(claims.sub).toBe(body.data.objectID);
    expect(claims.exp - server.clock.now().getTime() / 1000).toBeLessThanOrEqual(3600);
  });

  test("a subscription that ended shows isc 0; without one there is no date", async () => {
    const { body } = await logIn(cast.stranger.cardnumber, castPassword);
    expect(body.data).toMatchObject({ isc: 0, subExp: 0, dateRenew: null });
  });

  test("a forced reset shows isReset true", async () => {
    const { body } = await logIn(cast.resetPending.cardnumber, castPassword);
    expect(body.data.isReset).toBe(true);
  });
});

describe("the card's state (spec.md 22)", () => {
  test("a suspended or opposed card still logs in, with actif 0", async () => {
    for (const state of ["suspended", "opposed"] as const) {
      await setCard({ state });
      const { status, body } = await logIn(cardnumber, castPassword);
      expect([state, status, body.data?.actif]).toEqual([state, 200, 0]);
    }
    await setCard({ state: "active" });
  });

  test("a card not yet active or already replaced does not", async () => {
    for (const state of ["received", "replaced"] as const) {
      await setCard({ state });
      const { status, body } = await logIn(cardnumber, castPassword);
      expect([state, status, body.code]).toEqual([state, 401, "wrong_credentials"]);
    }
    await setCard({ state: "active" });
  });
});

describe("refusals", () => {
  // proves: unknown-card
  test("unknown card, wrong password and disabled account answer alike and open nothing", async () => {
    const before = await openSessions();
    const answers = [
      await logIn(1999999999, castPassword),
      await logIn(0, castPassword),
      await logIn(Number.MAX_SAFE_INTEGER, castPassword),
      await wrong(),
      await logIn(cast.disabled.cardnumber, castPassword),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect({ ...body, requestId: "" }).toEqual({
        message: "Erreur d'identifiant et/ou de mot de passe.",
        code: "wrong_credentials",
        requestId: "",
      });
      expect(headers["set-cookie"]).toBeUndefined();
    }
    expect(await openSessions()).toBe(before);
  });

  test("an account whose password was erased answers like a wrong password, with a space too", async () => {
    const { db } = server.deps;
    const card = cast.stranger.cardnumber;
    const { personId } = await db
      .selectFrom("card")
      .select("personId")
      .where("number", "=", card)
      .executeTakeFirstOrThrow();
    const { originalHash } = await db
      .selectFrom("person")
      .select("passwordHash as originalHash")
      .where("id", "=", personId)
      .executeTakeFirstOrThrow();
    const keep = (password_hash: string) =>
      db
        .updateTable("person")
        .set({ passwordHash: password_hash })
        .where("id", "=", personId)
        .execute();
    await keep("");
    for (const typed of [castPassword, " "]) {
      const { status, body } = await logIn(card, typed);
      expect([status, body.code]).toEqual([401, "wrong_credentials"]);
    }
    await keep(originalHash);
  });

  test("a body outside the contract is refused before anything is counted", async () => {
    for (const body of [{}, { login: "1000000016", password: "x" }, { login: -1, password: "x" }]) {
      const answer = await server.anonymous.post("/api/login", body);
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_input"]);
    }
    expect(await server.deps.db.selectFrom("limiter").selectAll().execute()).toEqual([]);
  });
});

describe("the limiter", () => {
  // A second of waiting lasts until the test lets it pass, however busy the machine is.
  beforeAll(() => server.clock.freeze());

  // proves: slow-guessing
  test("5 free failures, then 1, 2, 4… s up to 15 min; the hour of quiet forgets", async () => {
    for (let free = 1; free <= 5; free++) expect((await wrong()).status).toBe(401);
    const waits = [];
    for (let step = 0; step < 12; step++) {
      const locked = await wrong();
      expect([locked.status, locked.body.code]).toEqual([429, "login_locked"]);
      expect(locked.headers["retry-after"]).toBe(String(locked.body.details.seconds));
      waits.push(locked.body.details.seconds);
      server.clock.advance(locked.body.details.seconds * 1000);
      expect((await wrong()).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    const { body } = await wrong();
    expect(body.message).toBe(
      "Trop d'essais de connexion. Réessayez dans 15 min, ou choisissez un nouveau mot de passe.",
    );
    server.clock.advance(3600_000);
    expect((await wrong()).status).toBe(401);
    expect(await failuresOf(cardnumber)).toBe(1);
  });

  // proves: slow-guessing
  test("a 429 neither counts nor hashes, and refuses the right password too", async () => {
    for (let free = 0; free < 5; free++) await wrong();
    server.clock.advance(1000);
    await wrong();
    server.clock.advance(2000);
    await wrong();
    const counted = await failuresOf(cardnumber);
    // Hashes are computed two at a time, in the order in which they came: an answer that overtakes a
    // queue of them was not hashed.
    let hashed = 0;
    const queue = Array.from({ length: 30 }, async (_, index) => {
      const { status } = await wrong(1_550_000_000 + index);
      hashed += 1;
      return status;
    });
    expect((await logIn(cardnumber, castPassword)).status).toBe(429);
    expect(hashed).toBeLessThan(queue.length);
    expect(new Set(await Promise.all(queue))).toEqual(new Set([401]));
    expect(await failuresOf(cardnumber)).toBe(counted);
    server.clock.advance(4000);
    expect((await logIn(cardnumber, castPassword)).status).toBe(200);
    expect(await failuresOf(cardnumber)).toBe(0);
  });

  test("one card's lock leaves the others free", async () => {
    for (let failure = 0; failure < 6; failure++) await wrong();
    expect((await wrong()).status).toBe(429);
    expect((await logIn(cast.stranger.cardnumber, castPassword)).status).toBe(200);
  });

  // proves: slow-guessing
  test("40 guesses at once on one card: only the free five are tried", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => wrong()));
    const tried = answers.filter(({ status }) => status === 401).length;
    expect(tried).toBe(5);
    expect(answers.filter(({ status }) => status === 429).length).toBe(35);
    expect(await failuresOf(cardnumber)).toBe(5);
  });

  // proves: slow-guessing
  test("one address that guesses on many cards waits out its minute; logins that pass fill nothing", async () => {
    for (let login = 0; login < 3; login++) {
      expect((await logIn(cardnumber, castPassword)).status).toBe(200);
    }
    for (let guess = 0; guess < 60; guess++) await wrong(1500000000 + guess);
    const full = await logIn(cardnumber, castPassword);
    expect([full.status, full.body.code]).toEqual([429, "too_many_requests"]);
    expect(await failuresOf(cardnumber)).toBe(0);
    server.clock.advance(60_000);
    expect((await logIn(cardnumber, castPassword)).status).toBe(200);
  });

  // proves: slow-guessing
  test("a full queue of hashes answers 503 with Retry-After at once, and counts nothing for those it sends back", async () => {
    const cards = Array.from({ length: 90 }, (_, index) => 1600000000 + index);
    const answers = await Promise.all(cards.map((card) => wrong(card)));
    const full = answers.filter(({ body }) => body.code === "unavailable");
    expect(full.length).toBeGreaterThanOrEqual(24);
    expect(full.every(({ headers }) => headers["retry-after"] === "2")).toBe(true);
    // Calls of this one address beyond sixty are refused by its own limit.
    expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
    const sentBack = cards.filter((_, index) => answers[index]?.status === 503);
    for (const card of sentBack) expect(await failuresOf(card)).toBe(0);
  });

  // proves: work-processes
  test.runIf(process.platform === "linux")(
    "passwords are compared in a process of lower priority; killed, it is made anew and no login is lost",
    async () => {
      expect((await logIn(cardnumber, castPassword)).status).toBe(200);
      const hashing = childrenRunning("password-worker");
      expect(hashing.length).toBeGreaterThan(0);
      const under = [logIn(cardnumber, castPassword), logIn(cardnumber, castPassword)];
      for (const pid of hashing) {
        expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
        process.kill(pid, "SIGKILL");
      }
      expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200]);
      expect((await logIn(cardnumber, castPassword)).status).toBe(200);
    },
  );

  test("the person reads afterwards how many tries were refused", async () => {
    for (let failure = 0; failure < 3; failure++) await wrong(cast.stranger.cardnumber);
    const stranger = await server.as("stranger", castPassword);
    const { body } = await stranger.get("/api/profile/activity?limit=1");
    expect(body.items[0].label).toBe("Connexion après 3 essais refusés");
  });
});

// proves: no-lockout
test("an IPv6 subscriber counts by the /64 and by the /48 that it may own", async () => {
  expect(networksOf("2001:db8:1:2:3:4:5:6")).toEqual(["2001:db8:1:2::/64", "2001:db8:1::/48"]);
  expect(networksOf("2001:0DB8:1:2::9")).toEqual(["2001:db8:1:2::/64", "2001:db8:1::/48"]);
  expect(networksOf("::1")).toEqual(["0:0:0:0::/64", "0:0:0::/48"]);
  expect(networksOf("fe80::1%eth0")[0]).toBe("fe80:0:0:0::/64");
  expect(networksOf("::ffff:192.0.2.7")).toEqual(["192.0.2.7"]);
  expect(networksOf("192.0.2.7")).toEqual(["192.0.2.7"]);
  const [near, wide] = perAddress("2001:db8:1:2::9");
  const now = server.clock.now();
  // Each guess from another /64 of one /48.
  for (let guess = 0; guess < (wide?.allowed ?? 0); guess++) {
    const { closed } = await attempt(server.deps.db, perAddress(`2001:db8:1:${guess}::1`), now);
    expect(closed).toBeNull();
  }
  const next = await attempt(server.deps.db, perAddress("2001:db8:1:ffff::1"), now);
  expect(next.closed?.key).toBe(wide?.key);
  expect(near?.allowed).toBeLessThan(wide?.allowed ?? 0);
});

// proves: unknown-card
test("unknown and known card take the same time (median gap printed)", async () => {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = 0; round < 9; round++) {
    await server.deps.db.deleteFrom("limiter").execute();
    known.push(await timed(() => wrong()));
    unknown.push(await timed(() => wrong(1700000000 + round)));
  }
  const gap = Math.abs(median(known) - median(unknown));
  process.stdout.write(
    `known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms, gap ${gap.toFixed(2)} ms\n`,
  );
  expect(known).toHaveLength(unknown.length);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
