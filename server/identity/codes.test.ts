// E-mail and phone changed with a code (spec.md 14): requirements, refusals, effects.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { requireCode } from "./step-up.ts";

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await openTestServer();
  client = await server.as("guardian");
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  server.outbox.length = 0;
});
afterAll(() => server.close());

const password = castPassword;
const changeEmail = (body: object) => client.post("/api/profile/email", { password, ...body });
const emailNow = async () => (await client.get("/api/profile")).body.email;
const email = "camille@nouvelle.exemple.fr";

describe("POST /api/profile/email", () => {
  test("without a code: refused with a challenge, the code goes to the new address, nothing changes", async () => {
    const { status, body } = await changeEmail({ email });
    expect([status, body.code]).toEqual([403, "code_required"]);
    expect(body.details).toEqual({
      challenge: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sentTo: email,
      channel: "email",
      expiresAt: expect.stringMatching(/Z$/),
      password: true,
      what: "changer votre adresse e-mail",
      proof: `le code envoyé à ${email}`,
    });
    expect(server.outbox.map((message) => message.address)).toEqual([email]);
    expect(server.outbox[0]?.body).toContain("pour confirmer cette adresse e-mail");
    expect(await emailNow()).toBe(cast.guardian.email);
  });

  // proves: one-time-codes
  test("a code made for one address does not serve for another, nor for another person", async () => {
    const { challenge } = (await changeEmail({ email })).body.details;
    const code = server.lastCode(email);
    const other = await changeEmail({ email: "autre@exemple.fr", challenge, code });
    expect([other.status, other.body.code]).toEqual([410, "code_expired"]);
    const thief = await server.as("stranger");
    const stolen = await thief.post("/api/profile/email", { email, challenge, code, password });
    expect([stolen.status, stolen.body.code]).toEqual([410, "code_expired"]);
    expect(await emailNow()).toBe(cast.guardian.email);
    expect((await changeEmail({ email, challenge, code })).status).toBe(200);
  });

  test("once changed: shown, the old address told, written down, the code used up", async () => {
    const next = "camille.encore@exemple.fr";
    const { challenge } = (await changeEmail({ email: next })).body.details;
    const code = server.lastCode(next);
    const { status, body } = await changeEmail({ email: next, challenge, code });
    expect([status, body.email]).toEqual([200, next]);
    const messages = server.outbox.filter(({ subject }) =>
      subject.startsWith("Adresse e-mail changée"),
    );
    expect(messages.map(({ address }) => address)).toEqual([
      email,
      cast.guardian.phonenumber,
      cast.guardian.email,
    ]);
    const [line] = (await client.get("/api/profile/activity?limit=1")).body.items;
    expect(line.label).toBe("Adresse e-mail changée");
    const [notice] = (await client.get("/api/notifications")).body.items;
    expect(notice.title).toBe("Adresse e-mail changée");
    await changeEmail({ email });
    const replay = await changeEmail({ email, challenge, code });
    expect([replay.status, replay.body.code]).toEqual([410, "code_expired"]);
    expect(await emailNow()).toBe(next);
  });

  test("the address on file already: nothing to prove, nothing sent", async () => {
    expect((await changeEmail({ email: await emailNow() })).status).toBe(200);
    expect(server.outbox).toEqual([]);
  });

  // proves: one-time-codes
  test("a fourth code within a quarter of an hour is refused, the earlier ones still serve", async () => {
    const { challenge } = (await changeEmail({ email: "a@exemple.fr" })).body.details;
    const code = server.lastCode("a@exemple.fr");
    await changeEmail({ email: "b@exemple.fr" });
    await changeEmail({ email: "c@exemple.fr" });
    const fourth = await changeEmail({ email: "d@exemple.fr" });
    expect([fourth.status, fourth.body.code]).toEqual([403, "code_sends_exhausted"]);
    expect(fourth.headers["retry-after"]).toBe("900");
    expect(server.outbox).toHaveLength(3);
    expect((await changeEmail({ email: "a@exemple.fr", challenge, code })).status).toBe(200);
  });
});

describe("POST /api/profile/phone", () => {
  const changePhone = (body: object) => client.post("/api/profile/phone", { password, ...body });

  test("refuses a number that does not exist", async () => {
    for (const phonenumber of ["01234", "06 12 34 56", "+33 0 00 00 00 00", "bonjour"]) {
      const { status, body } = await changePhone({ phonenumber });
      expect([phonenumber, status, body.code]).toEqual([phonenumber, 422, "phone_invalid"]);
    }
    expect(server.outbox).toEqual([]);
  });

  test("refuses a number that gets no SMS or where one costs much: nothing is sent", async () => {
    for (const phonenumber of [
      "01 23 45 67 89",
      "08 99 12 34 56",
      "08 00 12 34 56",
      "09 12 34 56 78",
      "+32 2 612 34 56",
      "+881 6 1234 5678",
    ]) {
      const { status, body } = await changePhone({ phonenumber });
      expect([phonenumber, status, body.code]).toEqual([phonenumber, 422, "phone_not_mobile"]);
    }
    expect(server.outbox).toEqual([]);
  });

  test("sends to a mobile of overseas that is typed as it is dialled", async () => {
    const refusal = await changePhone({ phonenumber: "0692 12 34 56" });
    expect(refusal.body.details).toMatchObject({ sentTo: "+262692123456", channel: "sms" });
    expect(server.lastCode("+262692123456")).toMatch(/^\d{6}$/);
  });

  test("keeps E.164, proved by SMS to the new number, the old one told", async () => {
    const refusal = await changePhone({ phonenumber: "06 98 76 54 32" });
    expect(refusal.body.details).toMatchObject({ sentTo: "+33698765432", channel: "sms" });
    const { challenge } = refusal.body.details;
    const code = server.lastCode("+33698765432");
    // Written otherwise, it is the same number.
    const done = await changePhone({ phonenumber: "+33 6 98 76 54 32", challenge, code });
    expect([done.status, done.body.phonenumber]).toEqual([200, "+33698765432"]);
    const messages = server.outbox.filter(({ address }) => address === cast.guardian.phonenumber);
    expect(messages.at(-1)).toMatchObject({ channel: "sms" });
    expect((await client.get("/api/session")).body.data.phonenumber).toBe("+33698765432");
  });
});

describe("requireCode", () => {
  // proves: one-time-codes
  test("when the effect is rolled back the code stays good; wrong tries stay counted", async () => {
    const { deps } = server;
    const caller = await callerOf("stranger");
    const step = { purpose: "transfer", binding: ["w", 1, 5000], what: "envoyer 50,00 €" } as const;
    const refusal = await requireCode(deps, caller, step).catch((problem) => problem);
    expect(refusal.code).toBe("code_required");
    expect(refusal.details.sentTo).toBe("h•••@e•••.fr");
    const challenge = String(refusal.details.challenge);
    const code = server.lastCode(cast.stranger.email);
    const wrong = code === "000000" ? "000001" : "000000";
    await expect(requireCode(deps, caller, { ...step, challenge, code: wrong })).rejects.toThrow(
      /restants : 4/,
    );
    const failing = inTx(deps.db, async (tx) => {
      await (
        await requireCode(deps, caller, { ...step, challenge, code })
      )(tx);
      throw new Error("the room gave up");
    });
    await expect(failing).rejects.toThrow("the room gave up");
    const use = await requireCode(deps, caller, { ...step, challenge, code });
    await inTx(deps.db, use);
    await expect(inTx(deps.db, use)).rejects.toMatchObject({ code: "code_expired" });
  });

  test("a person whom nothing reaches is refused no_channel and told whom to call", async () => {
    const caller = await callerOf("child");
    const step = { purpose: "transfer", binding: 1, what: "envoyer 50,00 €" } as const;
    await expect(requireCode(server.deps, caller, step)).rejects.toMatchObject({
      code: "no_channel",
      details: { supportPhone: server.deps.config.supportPhone },
    });
  });
});

async function callerOf(name: "stranger" | "child"): Promise<Caller> {
  const { personId } = await server.deps.db
    .selectFrom("card")
    .select("personId")
    .where("number", "=", cast[name].cardnumber)
    .executeTakeFirstOrThrow();
  const { cardnumber, name: fullName } = cast[name];
  const siteOrigin = server.deps.config.publicUrl;
  const none = { sessionId: "", objectId: "", company: null };
  const rest = { ...none, type: 1, mustReset: false, siteOrigin } as const;
  return { ...rest, address: "127.0.0.1", personId, cardnumber, name: fullName };
}
