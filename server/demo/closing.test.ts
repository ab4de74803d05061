// A portal that is no demo must not keep accounts whose password is public.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { demoCommands, requireNoDemoAccounts } from "./demo.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

// proves: demo-closed
test("while the public password opens an account the start is refused, and says the command", async () => {
  await expect(requireNoDemoAccounts(server.deps.db)).rejects.toMatchObject({
    name: "StartProblem",
    exitCode: 78,
    message: expect.stringContaining("operator -- demo close"),
  });
});

// proves: demo-closed
test("demo close: sessions end, nobody logs in any more, and the start passes", async () => {
  const guardian = await server.as("guardian");
  const [command] = demoCommands;
  const { lines } = (await command?.run(server.deps, [], "paul")) ?? { lines: [] };
  expect(lines[0]).toContain("1000000016");
  expect((await guardian.get("/api/session")).status).toBe(401);
  await expect(server.as("guardian")).rejects.toThrow("cannot log in");
  await requireNoDemoAccounts(server.deps.db);
  const { rows } = await server.deps.pool.query(
    "select distinct actor from audit where action = 'demo.close'",
  );
  expect(rows).toEqual([{ actor: "operator:paul" }]);
  expect(await command?.run(server.deps, [], "paul")).toMatchObject({
    lines: ["Aucun compte de démonstration n'est ouvert."],
  });
});
