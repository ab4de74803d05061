// Commands that create or undo money: requested by one account of the operating system, executed by another.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Problem } from "#contract/errors.ts";
import { operator as limits } from "#contract/limits.ts";
import { requestCommands } from "#server/operator/requests.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { byTwoAccounts } from "./second-operator.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const give = (account: string, cents: number) =>
  byTwoAccounts(
    server.deps,
    { command: "test give", arguments: [String(cents), "l'aide"], account },
    async (tx) => {
      if (cents < 0) throw new Problem("invalid_input", { what: "montant" });
      // Any write that the server may make: its content does not matter here.
      const { numAffectedRows } = await sql`
        insert into acceptance_group (name, slug, rule) values ('Don', ${`given-${cents}`}, 'Don.')
        on conflict (slug) do nothing`.execute(tx);
      if (numAffectedRows === 0n) return { lines: ["déjà donné"], isReplay: true };
      return { lines: [`${cents} donnés`] };
    },
  );
const slugs = async () =>
  (
    await server.deps.pool.query("select slug from acceptance_group where slug like 'given-%'")
  ).rows.map(({ slug }) => slug);
const requests = async (name: string, ...words: string[]) => {
  const command = requestCommands.find((one) => one.name === `requests ${name}`);
  if (!command) throw new Error(name);
  const { ok, lines } = await command.run(server.deps, words, "chloé");
  return { ok, text: lines.join("\n") };
};

// proves: two-operators
test("asked by one account, done by another, once; the same account again changes nothing", async () => {
  const request = await give("alice", 10);
  expect(request.isDone).toBe(false);
  expect(request.lines.join()).toMatch(/à confirmer.*10 donnés.*Rien n'est fait.*de alice/);
  expect((await give("alice", 10)).isDone).toBe(false);
  expect(await slugs()).toEqual([]);
  expect((await requests("list")).text).toMatch(
    /^\d+ {2}test give 10 'l'\\''aide' {2}demandée par alice/,
  );
  const both = await Promise.all([give("bob", 10), give("chloé", 10)]);
  expect(both.map(({ isDone }) => isDone)).toEqual([true, true]);
  expect(await slugs()).toEqual(["given-10"]);
  expect((await give("alice", 10)).lines).toEqual(["déjà donné"]);
  expect((await requests("list")).text).toBe("Aucune demande n'attend.");
});

test("another amount is another request; what is refused is not kept", async () => {
  await give("alice", 20);
  expect((await give("bob", 21)).isDone).toBe(false);
  await expect(give("alice", -1)).rejects.toThrow();
  expect(await slugs()).toEqual(["given-10"]);
  expect((await requests("list")).text.split("\n")).toHaveLength(2);
});

test("a request that expired or was withdrawn is confirmed by nobody", async () => {
  const [number = ""] = /^\d+/.exec((await requests("list")).text) ?? [];
  expect((await requests("withdraw", number)).ok).toBe(true);
  expect((await requests("withdraw", number)).ok).toBe(false);
  expect((await give("bob", 20)).isDone).toBe(false);
  server.clock.advance(limits.requestHours * 3_600_000 + 1000);
  expect((await requests("list")).text).toBe("Aucune demande n'attend.");
  expect((await give("alice", 20)).isDone).toBe(false);
  expect(await slugs()).toEqual(["given-10"]);
});

// proves: two-operators
test("the database refuses one account twice", async () => {
  const confirm = server.deps.pool.query(
    `update operator_request set state = 'confirmed', answered_account = requester_account,
      answered_at = requested_at where state = 'requested'`,
  );
  await expect(confirm).rejects.toThrow("operator_request_two_accounts");
});
