// Accounts that the operator disables: logged out at once, told when they sign in, restored as they were.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, castPassword } from "#tests/cast.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { accountCommands } from "./operator.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const run = async (name: string, ...args: string[]) => {
  const command = accountCommands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "alice");
};
const login = (cardnumber: number, password: string = castPassword) =>
  server.anonymous.post("/api/login", { login: cardnumber, password });
const { cardnumber } = cast.stranger;
const card = String(cardnumber);

// proves: disabled-account
test("accounts disable: sessions end, the right password is told why, a wrong one nothing; enable undoes it", async () => {
  const [here, there] = await Promise.all([server.as("stranger"), server.as("stranger")]);
  expect((await run("accounts list")).lines).toEqual(["Aucun compte désactivé."]);
  const done = await run("accounts disable", card, "Carte signalée par la banque");
  expect(done).toEqual({
    ok: true,
    lines: [`${cast.stranger.name}  désactivé, 2 connexions fermées`],
  });
  for (const client of [here, there]) {
    expect((await client.get("/api/profile")).body.code).toBe("session_ended");
  }
  const right = await login(cardnumber);
  expect(right).toMatchObject({ status: 403, body: { code: "account_disabled" } });
  expect(right.body.message).toBe(
    "Ce compte est désactivé. Appelez ou écrivez au service clients pour savoir pourquoi.",
  );
  expect((await login(cardnumber, "quelque chose d'autre")).body.code).toBe("wrong_credentials");
  expect((await login(1999999999)).body.code).toBe("wrong_credentials");
  expect((await run("accounts list")).lines).toEqual([
    expect.stringMatching(new RegExp(`^${card} .* : Carte signalée par la banque$`)),
  ]);
  const { rows: sessions } = await server.deps.pool.query(
    `select count(*)::int as open from session s join card c on c.person_id = s.person_id
      where c.number = $1 and s.ended_at is null`,
    [cardnumber],
  );
  expect(sessions).toEqual([{ open: 0 }]);
  const again = await run("accounts disable", card, "encore");
  expect(again).toMatchObject({ ok: false, lines: [expect.stringContaining("déjà désactivé")] });
  expect((await run("accounts enable", card, "Erreur de la banque")).ok).toBe(true);
  expect((await here.get("/api/profile")).body.code).toBe("session_ended");
  expect((await login(cardnumber)).status).toBe(200);
  expect((await run("accounts enable", card, "encore")).ok).toBe(false);
  const { rows: trail } = await server.deps.pool.query(
    `select a.action, a.actor, a.details from audit a join card c on c.person_id = a.person_id
      where c.number = $1 and a.action like 'account.%' order by a.id`,
    [cardnumber],
  );
  expect(trail).toEqual([
    {
      action: "account.disable",
      actor: "operator:alice",
      details: { why: "Carte signalée par la banque" },
    },
    { action: "account.enable", actor: "operator:alice", details: { why: "Erreur de la banque" } },
  ]);
});

// proves: disabled-account
test("accounts: no reason, no card, an account that ended otherwise: refused, nothing changes", async () => {
  expect((await run("accounts disable", card, "  ")).ok).toBe(false);
  expect((await run("accounts disable", "1999999999", "motif")).ok).toBe(false);
  expect((await run("accounts disable", "x", "motif")).ok).toBe(false);
  // Closed by its person or with the demo: nobody brings it back from here, and it is not told apart.
  const ended = await run("accounts enable", String(cast.disabled.cardnumber), "motif");
  expect(ended.lines[0]).toContain("fermé pour de bon");
  expect((await login(cast.disabled.cardnumber)).body.code).toBe("wrong_credentials");
  expect((await login(cardnumber)).status).toBe(200);
});
