// Recovery codes over HTTP: made once, used once, never guessed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { approve } from "#tests/approve.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { normalised } from "./recovery.ts";

const path = "/api/profile/recovery-codes";
const password = "une phrase longue et rare 7";
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
});
afterAll(() => server.close());

const make = async (client: Client): Promise<string[]> =>
  (await approve(server, client, path)).body.codes;
const recover = (name: CastName | number, code: string, chosen = password) =>
  server.anonymous.post("/api/password/forgot/recovery", {
    login: typeof name === "number" ? name : cast[name].cardnumber,
    code,
    password: chosen,
  });
const logIn = async (name: CastName, secret: string) =>
  (await server.anonymous.post("/api/login", { login: cast[name].cardnumber, password: secret }))
    .status;

describe("making them", () => {
  test("POST asks for a code, then shows ten; GET only counts them; the base keeps none in clear", async () => {
    const me = await server.as("guardian");
    expect((await me.get(path)).body).toEqual({ left: 0, madeAt: null });
    const codes = await make(me);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const { body, text } = await me.get(path);
    expect(body).toEqual({ left: 10, madeAt: expect.any(String) });
    for (const code of codes) expect(text).not.toContain(code);
    const rows = await server.deps.db.selectFrom("recoveryCode").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(codes[0]);
    expect(server.outbox.at(-1)?.subject).toContain("Codes de secours créés");
    expect(server.outbox.at(-1)?.body).not.toContain(codes[0]);
  });

  test("a new set makes the former one worthless", async () => {
    const me = await server.as("coGuardian");
    const [old = ""] = await make(me);
    await make(me);
    const { status, body } = await recover("coGuardian", old);
    expect([status, body["code"]]).toEqual([422, "recovery_refused"]);
    expect((await me.get(path)).body.left).toBe(10);
  });

  test("case, dashes, spaces and look-alike letters do not count", () => {
    expect(normalised(" o1il0-abcde ")).toBe("01110ABCDE");
  });
});

test("a person without any contact is told whom to call, and nothing is made", async () => {
  const me = await server.as("child");
  const { status, body } = await me.post(path);
  expect([status, body["code"]]).toEqual([409, "no_channel"]);
  expect((await me.get(path)).body.left).toBe(0);
});

describe("using one", () => {
  // proves: recovery
  test("it chooses a new password, ends every session, is told, and serves once", async () => {
    const me = await server.as("stranger");
    const [code = "", second = ""] = await make(me);
    const { status, body, text } = await recover("stranger", code.toLowerCase().replace("-", " "));
    expect(status, text).toBe(200);
    expect(body["message"]).toContain("Votre mot de passe est changé");
    expect((await me.get("/api/profile")).body["code"]).toBe("session_ended");
    expect(await logIn("stranger", castPassword)).toBe(401);
    expect(await logIn("stranger", password)).toBe(200);
    expect(server.outbox.at(-1)?.body).toContain("Il en reste 9 codes");
    const again = await recover("stranger", code, "une autre phrase rare 8");
    expect([again.status, again.body["code"]]).toEqual([422, "recovery_refused"]);
    expect(await logIn("stranger", password)).toBe(200);
    expect((await recover("stranger", second, "une autre phrase rare 8")).status).toBe(200);
  });

  // proves: recovery
  test("of four calls at once with one code, one changes the password", async () => {
    const me = await server.as("canteenProvider");
    const [code = ""] = await make(me);
    const tries = Array.from({ length: 4 }, (_, n) =>
      recover("canteenProvider", code, `${password} ${n}`),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422)).toHaveLength(3);
  });

  test("a weak password is told and uses nothing up", async () => {
    const me = await server.as("partnerShop");
    const [code = ""] = await make(me);
    expect((await recover("partnerShop", code, "court")).body["code"]).toBe("password_too_short");
    const common = await recover("partnerShop", code, cast.partnerShop.name);
    expect(common.body["code"]).toBe("password_too_common");
    expect((await me.get(path)).body.left).toBe(10);
    expect((await recover("partnerShop", code)).status).toBe(200);
  });

  // proves: recovery
  test("an unknown card, a wrong code, someone else's and a disabled person get the same words", async () => {
    const [code = ""] = await make(await server.as("guardian"));
    const answers = [
      await recover(1999999999, code),
      await recover("guardian", "AAAAA-AAAAA"),
      await recover("coGuardian", code),
      await recover("disabled", code),
    ];
    for (const { status, body } of answers) {
      expect([status, body["code"], body["message"]]).toEqual([
        422,
        "recovery_refused",
        answers[0]?.body["message"],
      ]);
    }
    expect(await logIn("guardian", castPassword)).toBe(200);
  });

  test("guesses climb a ladder of their own; the login stays open", async () => {
    for (let time = 0; time < 5; time++) await recover("guardian", "AAAAA-AAAAA");
    const { status, body, headers } = await recover("guardian", "AAAAA-AAAAA");
    expect([status, body["code"]]).toEqual([429, "login_locked"]);
    expect(headers["retry-after"]).toBeDefined();
    expect(await logIn("guardian", castPassword)).toBe(200);
  });
});
