// POST /api/login told through HTTP: who comes in, who does not, and how long a guesser waits.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cast, castPassword } from "#tests/cast.ts";
import { openHouse, type House } from "#tests/house.ts";
import { networkOf } from "./limiter.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  await house.deps.db.deleteFrom("limiter").execute();
});
afterAll(() => house.close());

const { cardnumber } = cast.guardian;
const logIn = (login: number, password: string) =>
  house.anonymous.post("/api/login", { login, password });
const wrong = (login: number = cardnumber) => logIn(login, "ce n'est pas celui-là");
const failuresOf = async (card: number) => {
  const row = await house.deps.db
    .selectFrom("limiter")
    .select("failures")
    .where("key", "=", `login:card:${card}`)
    .executeTakeFirst();
  return row?.failures ?? 0;
};
const openSessions = async () =>
  (await house.deps.db.selectFrom("session").select("id").execute()).length;
const setCard = (values: { state: "active" | "suspended" | "opposed" | "received" | "replaced" }) =>
  house.deps.db.updateTable("card").set(values).where("number", "=", cardnumber).execute();

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

  test("the token holds the session, the subject, the type and an expiry within the hour: no more", async () => {
    const { body } = await logIn(cardnumber, castPassword);
    const [head, claims] = (body.token.jeton as string)
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(head).toEqual({ alg: "EdDSA", typ: "session+jwt", kid: expect.any(String) });
    expect(Object.keys(claims).sort()).toEqual(["aud", "exp", "sid", "sub", "type"]);
    expect(claims.sub).toBe(body.data.objectID);
    expect(claims.exp - house.clock.now().getTime() / 1000).toBeLessThanOrEqual(3600);
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

describe("the card's state (décision 22)", () => {
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

  test("a body outside the contract is refused before anything is counted", async () => {
    for (const body of [{}, { login: "1000000016", password: "x" }, { login: -1, password: "x" }]) {
      const answer = await house.anonymous.post("/api/login", body);
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_input"]);
    }
    expect(await house.deps.db.selectFrom("limiter").selectAll().execute()).toEqual([]);
  });
});

describe("the limiter", () => {
  test("5 free failures, then 1, 2, 4… s up to 15 min; the hour of quiet forgets", async () => {
    for (let free = 1; free <= 5; free++) expect((await wrong()).status).toBe(401);
    const waits = [];
    for (let step = 0; step < 12; step++) {
      const locked = await wrong();
      expect([locked.status, locked.body.code]).toEqual([429, "login_locked"]);
      expect(locked.headers["retry-after"]).toBe(String(locked.body.details.seconds));
      waits.push(locked.body.details.seconds);
      house.clock.advance(locked.body.details.seconds * 1000);
      expect((await wrong()).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    const { body } = await wrong();
    expect(body.message).toBe(
      "Trop d'essais de connexion. Réessayez dans 15 min, ou choisissez un nouveau mot de passe.",
    );
    house.clock.advance(3600_000);
    expect((await wrong()).status).toBe(401);
    expect(await failuresOf(cardnumber)).toBe(1);
  });

  test("a 429 neither counts nor hashes, and refuses the right password too", async () => {
    const hashed: number[] = [];
    for (let free = 0; free < 5; free++) hashed.push(await timed(() => wrong()));
    house.clock.advance(1000);
    await wrong();
    house.clock.advance(2000);
    await wrong();
    const counted = await failuresOf(cardnumber);
    const refused: number[] = [];
    for (let again = 0; again < 9; again++) {
      refused.push(await timed(() => logIn(cardnumber, castPassword)));
    }
    expect((await logIn(cardnumber, castPassword)).status).toBe(429);
    expect(await failuresOf(cardnumber)).toBe(counted);
    process.stdout.write(
      `hashed ${median(hashed).toFixed(1)} ms, refused ${median(refused).toFixed(1)} ms\n`,
    );
    expect(median(refused)).toBeLessThan(median(hashed));
    house.clock.advance(4000);
    expect((await logIn(cardnumber, castPassword)).status).toBe(200);
    expect(await failuresOf(cardnumber)).toBe(0);
  });

  test("one card's lock leaves the others free", async () => {
    for (let failure = 0; failure < 6; failure++) await wrong();
    expect((await wrong()).status).toBe(429);
    expect((await logIn(cast.stranger.cardnumber, castPassword)).status).toBe(200);
  });

  test("40 guesses at once on one card: only the free five are tried", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => wrong()));
    const tried = answers.filter(({ status }) => status === 401).length;
    // On a slow machine the first second of waiting may be over before the last has asked.
    expect([5, 6]).toContain(tried);
    expect(answers.filter(({ status }) => status === 429).length).toBe(40 - tried);
    expect(await failuresOf(cardnumber)).toBe(tried);
  });

  test("one address that guesses on many cards waits out its minute; logins that pass fill nothing", async () => {
    for (let login = 0; login < 3; login++) {
      expect((await logIn(cardnumber, castPassword)).status).toBe(200);
    }
    for (let guess = 0; guess < 60; guess++) await wrong(1500000000 + guess);
    const full = await logIn(cardnumber, castPassword);
    expect([full.status, full.body.code]).toEqual([429, "too_many_requests"]);
    expect(await failuresOf(cardnumber)).toBe(0);
    house.clock.advance(60_000);
    expect((await logIn(cardnumber, castPassword)).status).toBe(200);
  });

  test("a full queue of hashes answers 429 at once and counts nothing for those it sends back", async () => {
    const cards = Array.from({ length: 90 }, (_, index) => 1600000000 + index);
    const answers = await Promise.all(cards.map((card) => wrong(card)));
    const sentBack = cards.filter((_, index) => answers[index]?.body.code === "too_many_requests");
    expect(sentBack.length).toBeGreaterThanOrEqual(24);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
    for (const card of sentBack) expect(await failuresOf(card)).toBe(0);
  });

  test("the person reads afterwards how many tries were refused", async () => {
    for (let failure = 0; failure < 3; failure++) await wrong(cast.stranger.cardnumber);
    const stranger = await house.as("stranger");
    const { body } = await stranger.get("/api/profile/activity?limit=1");
    expect(body.items[0].label).toBe("Connexion après 3 essais refusés");
  });
});

test("an IPv6 subscriber counts as one address, whatever the second half", () => {
  expect(networkOf("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:0DB8:1:2::9")).toBe("2001:db8:1:2::/64");
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
  expect(networkOf("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(networkOf("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(networkOf("192.0.2.7")).toBe("192.0.2.7");
});

test("unknown and known card take the same time (median gap printed)", async () => {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = 0; round < 25; round++) {
    await house.deps.db.deleteFrom("limiter").execute();
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
