import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { isCardnumber } from "#contract/endpoint.ts";
import { formatDate } from "#contract/french.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Answered, openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { cardTasks, codeOfCard, endOfCard, onOpposed } from "./cards.ts";
import { cardCommands } from "./operator.ts";
import { advanceCard } from "./operator.ts";
import { drawNumber, numberOf } from "./number.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
const own = cast.guardian.cardnumber;
const leo = cast.child.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
});
afterAll(() => server.close());

// Each test finds the cards as the cast has them, and a guardian freshly logged in.
beforeEach(async () => {
  const { db } = server.deps;
  await db.deleteFrom("card").where("replaces", "is not", null).execute();
  await db
    .updateTable("card")
    .set({ state: "active", opposedAt: null, opposedWhy: null })
    .where("state", "<>", "active")
    .execute();
  await db.deleteFrom("notification").execute();
  server.outbox.length = 0;
  camille = await server.as("guardian");
});

const cardRow = (number: number) =>
  server.deps.db
    .selectFrom("card")
    .selectAll()
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
const stateOf = async (number: number) => (await cardRow(number)).state;
const noticesOf = async (name: CastName) => {
  const rows = await server.deps.db
    .selectFrom("notification")
    .innerJoin("card", "card.personId", "notification.personId")
    .select("title")
    .where("card.number", "=", cast[name].cardnumber)
    .orderBy("notification.id")
    .execute();
  return rows.map((row) => row.title);
};
const trailOf = async (number: number) => {
  const { personId } = await cardRow(number);
  return await server.deps.db
    .selectFrom("audit")
    .select(["action", "actor", "details"])
    .where("personId", "=", personId)
    .where("action", "like", "card.%")
    .orderBy("id", "desc")
    .executeTakeFirst();
};

const ordered = async (number: number) =>
  (
    await server.deps.db
      .selectFrom("card")
      .select("number")
      .where("replaces", "=", number)
      .execute()
  ).map((row) => row.number);

describe("GET /api/cards", () => {
  test("a guardian sees the own card, the children, then who shares a child", async () => {
    const { status, body } = await camille.get("/api/cards");
    expect(status).toBe(200);
    const seen = body.items.map((card: any) => [card.cardnumber, card.relation, card.atf]);
    expect(seen).toEqual([
      [own, "self", 1],
      [cast.secondChild.cardnumber, "child", 1],
      [leo, "child", 1],
      [cast.coGuardian.cardnumber, "relative", 1],
    ]);
  });

  test("a child sees its guardians; a stranger and a professional only themselves", async () => {
    const child = await (await server.as("child")).get("/api/cards");
    expect(child.body.items.map((card: any) => card.relation)).toEqual([
      "self",
      "guardian",
      "guardian",
    ]);
    for (const client of [hugo, await server.as("partnerShop")]) {
      const { body } = await client.get("/api/cards");
      expect(body.items.map((card: any) => card.relation)).toEqual(["self"]);
    }
  });

  test("a relative's awaited card is not shown", async () => {
    const thomas = await server.as("coGuardian");
    const answer = await thomas.post(`/api/cards/${cast.coGuardian.cardnumber}/oppose`, {
      reason: "lost",
    });
    expect(answer.body.replacement).not.toBeNull();
    const { body } = await camille.get("/api/cards");
    const relative = body.items.find((card: any) => card.relation === "relative");
    expect(relative).toMatchObject({ state: "opposed", replacement: null });
  });
});

describe("POST /api/cards/:cardnumber/suspend and /resume", () => {
  test("the card stops being usable, then is again; each step is told and kept", async () => {
    const suspended = await camille.post(`/api/cards/${own}/suspend`);
    expect(suspended).toMatchObject({ status: 200, body: { state: "suspended", atf: 0 } });
    expect((await cardRow(own)).atf).toBe(0);
    expect(await trailOf(own)).toMatchObject({ action: "card.suspend", actor: "person" });
    const resumed = await camille.post(`/api/cards/${own}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { state: "active", atf: 1 } });
    expect(await noticesOf("guardian")).toEqual(["Carte suspendue", "Carte réactivée"]);
    expect(server.outbox).toEqual([]);
  });

  test("twice is refused, once each way; nothing is told again", async () => {
    await camille.post(`/api/cards/${own}/suspend`);
    expect(await camille.post(`/api/cards/${own}/suspend`)).toMatchObject({
      status: 409,
      body: { code: "card_state" },
    });
    await camille.post(`/api/cards/${own}/resume`);
    expect(await camille.post(`/api/cards/${own}/resume`)).toMatchObject({
      status: 409,
      body: { code: "card_state" },
    });
    expect(await stateOf(own)).toBe("active");
    expect(await noticesOf("guardian")).toHaveLength(2);
  });

  test("a guardian suspends a child's card, and all who look after the child know it", async () => {
    expect((await camille.post(`/api/cards/${leo}/suspend`)).status).toBe(200);
    expect(await trailOf(leo)).toMatchObject({ actor: expect.stringMatching(/^guardian:\d+$/) });
    for (const name of ["child", "guardian", "coGuardian"] as const) {
      expect(await noticesOf(name)).toEqual(["Carte suspendue"]);
    }
    expect(await noticesOf("secondChild")).toEqual([]);
  });

  test.each([
    ["a stranger's", "stranger"],
    ["a co-guardian's", "coGuardian"],
    ["a professional's", "canteenProvider"],
  ] as const)("%s card is not found, and stays as it is", async (_whose, name) => {
    const answer = await camille.post(`/api/cards/${cast[name].cardnumber}/suspend`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await stateOf(cast[name].cardnumber)).toBe("active");
  });

  // proves: guardian-decisions
  test("a child does not resume the card that a guardian suspended; the guardian does", async () => {
    await camille.post(`/api/cards/${leo}/suspend`);
    const child = await server.as("child");
    expect(await child.post(`/api/cards/${leo}/resume`)).toMatchObject({
      status: 409,
      body: { code: "family_minor" },
    });
    expect(await stateOf(leo)).toBe("suspended");
    expect((await camille.post(`/api/cards/${leo}/resume`)).status).toBe(200);
    expect(await trailOf(leo)).toMatchObject({
      action: "card.resume",
      actor: expect.stringMatching(/^guardian:\d+$/),
    });
  });

  test("a child cannot touch its guardian's card", async () => {
    const child = await server.as("child");
    expect((await child.post(`/api/cards/${own}/suspend`)).status).toBe(404);
    expect(await stateOf(own)).toBe("active");
  });

  test("an opposed card is neither suspended nor resumed", async () => {
    await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    for (const act of ["suspend", "resume"]) {
      const answer = await camille.post(`/api/cards/${own}/${act}`);
      expect(answer).toMatchObject({ status: 409, body: { code: "card_opposed" } });
    }
    expect(await stateOf(own)).toBe("opposed");
  });
});

describe("POST /api/cards/:cardnumber/oppose", () => {
  // proves: session-row
  test("ends the other sessions, asks for a new number, tells the person", async () => {
    const other = await server.as("guardian");
    const { status, body } = await camille.post(`/api/cards/${own}/oppose`, { reason: "stolen" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: "opposed", atf: 0, replacement: { state: "requested" } });
    const next = body.replacement.cardnumber;
    expect(isCardnumber(next)).toBe(true);
    expect(next).not.toBe(own);
    expect(await cardRow(next)).toMatchObject({ replaces: own, state: "requested", atf: 0 });
    expect(await cardRow(own)).toMatchObject({ opposedWhy: "stolen" });
    expect(await other.get("/api/cards")).toMatchObject({
      status: 401,
      body: { code: "session_opposed" },
    });
    expect((await camille.get("/api/cards")).status).toBe(200);
    expect(await noticesOf("guardian")).toEqual(["Carte en opposition"]);
    expect(server.outbox).toHaveLength(1);
    expect(server.outbox[0]).toMatchObject({ channel: "email", address: cast.guardian.email });
    expect(server.outbox[0]?.body).toContain("Si vous n'êtes pas à l'origine de cette demande,");
    expect(server.outbox[0]?.body).not.toContain(String(own));
    expect(await trailOf(own)).toMatchObject({
      action: "card.oppose",
      details: { reason: "stolen", card: "0016" },
    });
  });

  test("is final: a second one is refused and asks for no second card", async () => {
    await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const again = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    expect(again).toMatchObject({ status: 409, body: { code: "card_opposed" } });
    const cards = await server.deps.db
      .selectFrom("card")
      .select("number")
      .where("replaces", "=", own)
      .execute();
    expect(cards).toHaveLength(1);
  });

  test("eight at once: one passes", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => camille.post(`/api/cards/${own}/oppose`, { reason: "lost" })),
    );
    const statuses = answers.map((answer) => answer.status).sort((one, two) => one - two);
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect(server.outbox).toHaveLength(1);
  });

  test("a guardian opposes a child's card: the child's sessions end, the guardians are written to", async () => {
    const child = await server.as("child");
    expect((await camille.post(`/api/cards/${leo}/oppose`, { reason: "lost" })).status).toBe(200);
    expect((await child.get("/api/cards")).status).toBe(401);
    expect((await camille.get("/api/cards")).status).toBe(200);
    expect(server.outbox.map((message) => message.address).sort()).toEqual([
      cast.guardian.email,
      cast.coGuardian.email,
    ]);
    expect(server.outbox[0]?.body).toContain("La carte de Léo Moreau");
  });

  test("the old number still logs in until the new card is active", async () => {
    await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const again = await server.as("guardian");
    expect((await again.get("/api/cards")).body.items[0]).toMatchObject({ state: "opposed" });
  });

  test("a suspended card can be opposed; a stranger's cannot be found; a reason is needed", async () => {
    await camille.post(`/api/cards/${own}/suspend`);
    expect((await camille.post(`/api/cards/${own}/oppose`, { reason: "fraud" })).status).toBe(200);
    const strange = await hugo.post(`/api/cards/${leo}/oppose`, { reason: "lost" });
    expect(strange).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await hugo.post(`/api/cards/${leo}/oppose`)).toMatchObject({
      status: 400,
      body: { code: "invalid_input" },
    });
    expect(await stateOf(leo)).toBe("active");
  });

  test("a later room's step runs in the same transaction: if it fails, nothing happened", async () => {
    const seen: unknown[] = [];
    onOpposed.push(async (_tx, _deps, opposed) => {
      seen.push(opposed.cardnumber);
      throw new Error("the step fails");
    });
    // Other files in this process see the same list: the hooks of the rooms stay.
    onTestFinished(() => void onOpposed.pop());
    const answer = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    expect(answer.status).toBe(500);
    expect(seen).toEqual([own]);
    expect(await stateOf(own)).toBe("active");
    expect(await noticesOf("guardian")).toEqual([]);
    expect(
      await server.deps.db
        .selectFrom("card")
        .select("number")
        .where("replaces", "=", own)
        .execute(),
    ).toEqual([]);
  });
});

describe("POST /api/cards/:cardnumber/damage", () => {
  test("asks for a free new card; the damaged one still pays and shows its QR", async () => {
    const { status, body } = await camille.post(`/api/cards/${own}/damage`, { reason: "broken" });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { state: "damaged", atf: 1, replacement: { state: "requested" } },
    });
    expect(await cardRow(body.replacement.cardnumber)).toMatchObject({ replaces: own, atf: 0 });
    expect((await camille.get(`/api/cards/${own}/qr`)).status).toBe(200);
    const { body: wallets } = await camille.get(`/api/wallets?cardnumber=${own}`);
    const paid = await camille.post("/api/transfers", {
      fromWallet: wallets.items[0].objectID,
      toCardnumber: leo,
      amountCents: 100,
    });
    expect(paid).toMatchObject({ status: 201 });
    expect(await noticesOf("guardian")).toContain("Carte abîmée");
    expect(server.outbox[0]).toMatchObject({ address: cast.guardian.email });
    expect(await trailOf(own)).toMatchObject({
      action: "card.damage",
      actor: "person",
      details: { reason: "broken", card: "0016" },
    });
  });

  test("its sessions stay open, twice is refused, one card is on order", async () => {
    const other = await server.as("guardian");
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        camille.post(`/api/cards/${own}/damage`, { reason: "unreadable" }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((one, two) => one - two);
    expect(statuses).toEqual([200, 409, 409, 409]);
    expect((await other.get("/api/cards")).status).toBe(200);
    expect(await ordered(own)).toHaveLength(1);
    expect(await camille.post(`/api/cards/${own}/damage`, { reason: "broken" })).toMatchObject({
      status: 409,
      body: { code: "card_state" },
    });
    expect((await camille.post(`/api/cards/${own}/damage`, { reason: "lost" })).status).toBe(400);
  });

  test("lost meanwhile it is opposed, and expired it ends: the one card on order remains", async () => {
    await camille.post(`/api/cards/${own}/damage`, { reason: "broken" });
    const before = await ordered(own);
    const opposed = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    expect(opposed).toMatchObject({ status: 200, body: { state: "opposed", atf: 0 } });
    expect(await ordered(own)).toEqual(before);
    await camille.post(`/api/cards/${leo}/damage`, { reason: "broken" });
    const ofLeo = await ordered(leo);
    await server.deps.pool.query(
      "update card set valid_until = paris_day(now()) - 1 where number = $1",
      [leo],
    );
    await cardTasks(server.deps).expire_cards();
    expect(await stateOf(leo)).toBe("expired");
    expect(await ordered(leo)).toEqual(ofLeo);
    await server.deps.pool.query("update card set valid_until = null where number = $1", [leo]);
  });

  test("a child's name is elided where it begins with a vowel", async () => {
    const called = (name: string) =>
      server.deps.pool.query(
        "update person p set name = $1 from card c where c.person_id = p.id and c.number = $2",
        [name, leo],
      );
    await called("Inès Moreau");
    await camille.post(`/api/cards/${leo}/damage`, { reason: "broken" });
    const { body } = await camille.get("/api/notifications");
    expect(body.items[0].body).toMatch(/^La carte d’Inès Moreau se terminant par/);
    await called(cast.child.name);
  });

  test("a suspended or opposed card is refused, a stranger's is not found", async () => {
    await camille.post(`/api/cards/${own}/suspend`);
    const damage = (client: Client, number: number) =>
      client.post(`/api/cards/${number}/damage`, { reason: "broken" });
    expect((await damage(camille, own)).body).toMatchObject({ code: "card_state" });
    await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    expect((await damage(camille, own)).body).toMatchObject({ code: "card_opposed" });
    expect((await damage(hugo, leo)).status).toBe(404);
    expect(await stateOf(leo)).toBe("active");
    expect(await ordered(leo)).toEqual([]);
  });

  test("a child says it too and its guardians know; the new card takes its place", async () => {
    const child = await server.as("child");
    expect((await child.post(`/api/cards/${leo}/damage`, { reason: "broken" })).status).toBe(200);
    for (const name of ["child", "guardian", "coGuardian"] as const) {
      expect(await noticesOf(name)).toEqual(["Carte abîmée"]);
    }
    const [next] = await ordered(leo);
    if (next === undefined) throw new Error("no card on order");
    expect((await camille.post(`/api/cards/${next}/activate`)).status).toBe(409);
    for (const state of ["approved", "in_production", "shipped"] as const) {
      await advanceCard(server.deps, next, state, "test");
    }
    expect((await camille.get(`/api/cards/${leo}/qr`)).status).toBe(200);
    expect((await camille.post(`/api/cards/${next}/activate`)).status).toBe(200);
    expect(await stateOf(leo)).toBe("replaced");
    expect((await camille.get(`/api/cards/${leo}/qr`)).status).toBe(409);
    const lastOf = async (client: Client) =>
      (await client.get("/api/notifications")).body.items[0].body;
    expect(await lastOf(child)).toMatch(
      /^Votre carte .* est active\. Utilisez désormais son numéro pour vous connecter\.$/,
    );
    expect(await lastOf(camille)).toMatch(
      /^La carte de Léo Moreau .* est active\. Son numéro sert désormais à se connecter à ce compte\.$/,
    );
  });
});

describe("POST /api/cards/:cardnumber/activate", () => {
  test("the card lasts three years from the year in Paris, in its first hour too", () => {
    expect(endOfCard(new Date("2026-12-31T22:30:00Z"))).toBe("2029-08-31");
    expect(endOfCard(new Date("2026-12-31T23:30:00Z"))).toBe("2030-08-31");
  });

  async function shipped(): Promise<number> {
    const { body } = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const number = body.replacement.cardnumber as number;
    for (const state of ["approved", "in_production", "shipped"] as const) {
      await advanceCard(server.deps, number, state, "test");
    }
    return number;
  }

  test("the replacement takes over: new number logs in, the old one does not", async () => {
    const number = await shipped();
    const { status, body } = await camille.post(`/api/cards/${number}/activate`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { cardnumber: number, state: "active", atf: 1, replacement: null },
    });
    expect(await stateOf(own)).toBe("replaced");
    const { body: list } = await camille.get("/api/cards");
    expect(list.items.filter((card: any) => card.relation === "self")).toHaveLength(1);
    const password = "demo-ma-carte-2026";
    expect((await server.anonymous.post("/api/login", { login: own, password })).status).toBe(401);
    const logged = await server.anonymous.post("/api/login", { login: number, password });
    expect(logged).toMatchObject({ status: 200, body: { data: { cardnumber: number, actif: 1 } } });
    await restore(number);
  });

  test("twice, too early, or someone else's is refused; the states stay", async () => {
    const number = await shipped();
    const strange = await hugo.post(`/api/cards/${number}/activate`);
    expect(strange).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await stateOf(number)).toBe("shipped");
    expect((await camille.post(`/api/cards/${number}/activate`)).status).toBe(200);
    const again = await camille.post(`/api/cards/${number}/activate`);
    expect(again).toMatchObject({ status: 409, body: { code: "card_state" } });
    await restore(number);
    const opposed = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const next = opposed.body.replacement.cardnumber;
    const early = await camille.post(`/api/cards/${next}/activate`);
    expect(early).toMatchObject({ status: 409, body: { code: "card_state" } });
    expect([await stateOf(own), await stateOf(next)]).toEqual(["opposed", "requested"]);
  });

  describe("of a card that was suspended when it was opposed", () => {
    const replacementOf = async (opposed: Answered<any>): Promise<number> => {
      expect(opposed.status, opposed.text).toBe(200);
      const number = opposed.body.replacement.cardnumber as number;
      for (const state of ["approved", "in_production", "shipped"] as const) {
        await advanceCard(server.deps, number, state, "test");
      }
      return number;
    };
    const oppose = (client: Client) => client.post(`/api/cards/${leo}/oppose`, { reason: "lost" });
    const backToCast = async (number: number) => {
      await server.deps.db.deleteFrom("card").where("number", "=", number).execute();
      await server.deps.db
        .updateTable("card")
        .set({ state: "active" })
        .where("number", "=", leo)
        .execute();
    };

    test("by a guardian: the child opposes it and does not activate the next one; the guardian does", async () => {
      await camille.post(`/api/cards/${leo}/suspend`);
      const number = await replacementOf(await oppose(await server.as("child")));
      const child = await server.as("child");
      expect(await child.post(`/api/cards/${number}/activate`)).toMatchObject({
        status: 409,
        body: { code: "family_minor" },
      });
      expect([await stateOf(leo), await stateOf(number)]).toEqual(["opposed", "shipped"]);
      expect((await camille.post(`/api/cards/${number}/activate`)).status).toBe(200);
      await backToCast(number);
    });

    test("by the child, or by a guardian who resumed it since: the child activates the next one", async () => {
      const child = await server.as("child");
      await camille.post(`/api/cards/${leo}/suspend`);
      await camille.post(`/api/cards/${leo}/resume`);
      await child.post(`/api/cards/${leo}/suspend`);
      const number = await replacementOf(await oppose(child));
      expect((await child.post(`/api/cards/${number}/activate`)).status).toBe(200);
      await backToCast(number);
    });
  });

  // Back to the cast: one card in use for each person.
  const restore = (number: number) =>
    server.deps.db
      .deleteFrom("card")
      .where("number", "=", number)
      .execute()
      .then(() =>
        server.deps.db
          .updateTable("card")
          .set({ state: "active" })
          .where("number", "=", own)
          .execute(),
      );
});

describe("GET /api/cards/:cardnumber/qr", () => {
  test("a token of 60 seconds that names the card without its number", async () => {
    const { status, body } = await camille.get(`/api/cards/${own}/qr`);
    expect(status).toBe(200);
    const lasts = Date.parse(body.expiresAt) - server.clock.now().getTime();
    expect(lasts).toBeGreaterThan(58_000);
    expect(lasts).toBeLessThanOrEqual(60_000);
    const decoded = Buffer.from(body.token.slice(4), "base64url");
    expect(`${body.token}${decoded.toString("latin1")}`).not.toContain(String(own));
    const { objectId } = await cardRow(own);
    expect(await codeOfCard(server.deps, body.token)).toMatchObject({ objectId });
  });

  // proves: card-qr
  test("no altered token passes: each bit turned, cut, lengthened, respelled", async () => {
    const { token } = (await camille.get(`/api/cards/${own}/qr`)).body;
    const bytes = Buffer.from(token.slice(4), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await codeOfCard(server.deps, `MC1.${forged.toString("base64url")}`)).toBeNull();
    }
    for (const other of [
      "",
      "MC1.",
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.slice(4),
    ]) {
      expect(await codeOfCard(server.deps, other)).toBeNull();
    }
  });

  // proves: card-qr
  test("past its minute it is worth nothing", async () => {
    const { token } = (await camille.get(`/api/cards/${leo}/qr`)).body;
    server.clock.advance(61_000);
    expect(await codeOfCard(server.deps, token)).toBeNull();
  });

  test("refused for a suspended, an opposed, someone else's card", async () => {
    await camille.post(`/api/cards/${own}/suspend`);
    const suspended = await camille.get(`/api/cards/${own}/qr`);
    expect(suspended).toMatchObject({ status: 409, body: { code: "card_suspended" } });
    await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const opposed = await camille.get(`/api/cards/${own}/qr`);
    expect(opposed).toMatchObject({ status: 409, body: { code: "card_opposed" } });
    expect((await camille.get(`/api/cards/${cast.stranger.cardnumber}/qr`)).status).toBe(404);
    const { body } = await camille.get("/api/cards");
    const awaited = body.items[0].replacement.cardnumber;
    const early = await camille.get(`/api/cards/${awaited}/qr`);
    expect(early).toMatchObject({ status: 409, body: { code: "card_state" } });
  });
});

describe("a card past its last day", () => {
  // proves: server-clock
  test("expires the day after, in Paris, and asks for the next; opposed ones are left", async () => {
    const { db, now } = { db: server.deps.db, now: server.deps.now };
    const lastDay = (number: number, day: string) =>
      db.updateTable("card").set({ validUntil: day }).where("number", "=", number).execute();
    const paris = (daysAgo: number) => addDays(parisDay(now()), -daysAgo);
    const nadia = cast.resetPending.cardnumber;
    await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    server.outbox.length = 0;
    for (const number of [own, leo]) await lastDay(number, paris(1));
    await lastDay(nadia, paris(0));
    for (let twice = 0; twice < 2; twice++) await cardTasks(server.deps).expire_cards();
    expect(await Promise.all([own, leo, nadia].map(stateOf))).toEqual([
      "opposed",
      "expired",
      "active",
    ]);
    expect(server.outbox.map(({ subject }) => subject)).toEqual(["Carte expirée", "Carte expirée"]);
    for (const { body } of server.outbox)
      expect(body).not.toContain("à l'origine de cette demande");
    expect(await trailOf(leo)).toMatchObject({ action: "card.expire", actor: "system" });
    const { body } = await camille.get("/api/cards");
    const child = body.items.find((card: any) => card.cardnumber === leo);
    expect(child.replacement).toMatchObject({ state: "requested" });
    await db.updateTable("card").set({ validUntil: "2030-08-31" }).execute();
  });
});

describe("card numbers and the operator's steps", () => {
  test("every serial makes a number that passes Luhn's check, of its kind", () => {
    for (const serial of [1, 2, 99, 10_000_000, 87_654_321, 99_999_999]) {
      expect(isCardnumber(numberOf(1, serial))).toBe(true);
      expect(isCardnumber(numberOf(2, serial))).toBe(true);
    }
    expect(numberOf(1, 1)).toBe(cast.guardian.cardnumber);
    expect(numberOf(2, 1)).toBe(cast.canteenProvider.cardnumber);
  });

  test("a new number tells nothing of the next one", () => {
    const numbers = Array.from({ length: 4 }, () => drawNumber(1)).toSorted((a, b) => a - b);
    expect(numbers.every(isCardnumber)).toBe(true);
    const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(20);
  });

  test("steps follow the table: none is skipped, and a shipped card is told", async () => {
    const { body } = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const number = body.replacement.cardnumber;
    await expect(advanceCard(server.deps, number, "shipped", "test")).rejects.toMatchObject({
      code: "card_state",
    });
    expect(await stateOf(number)).toBe("requested");
    for (const state of ["approved", "in_production", "shipped"] as const) {
      await advanceCard(server.deps, number, state, "test");
    }
    expect(await stateOf(number)).toBe("shipped");
    expect(await noticesOf("guardian")).toContain("Nouvelle carte en route");
    await expect(advanceCard(server.deps, 1_999_999_999, "approved", "test")).rejects.toMatchObject(
      {
        code: "not_found",
      },
    );
  });

  test("`cards approve` moves those of a list that can move, and says which stay", async () => {
    const { body } = await camille.post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const number = body.replacement.cardnumber;
    const command = (name: string) => cardCommands.find((one) => one.name === name);
    const listed = await command("cards list")?.run(server.deps, [], "nora");
    expect(listed?.lines.join()).toMatch(
      new RegExp(
        `^${number} .*Demandée +${formatDate(server.clock.now())} .*Camille Moreau.*${own}$`,
      ),
    );
    const approved = await command("cards approve")?.run(
      server.deps,
      [`${number},${leo},12`],
      "nora",
    );
    expect(approved).toEqual({
      ok: false,
      lines: [
        `${number}  Acceptée`,
        expect.stringMatching(`^${leo}  inchangée : L'état`),
        expect.stringMatching(/^12 {2}inchangée : Nous ne trouvons pas/),
      ],
    });
    expect([await stateOf(number), await stateOf(leo)]).toEqual(["approved", "active"]);
    expect(await trailOf(own)).toMatchObject({ action: "card.approved", actor: "operator:nora" });
  });
});
