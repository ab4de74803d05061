// Reversals by four eyes: nothing is posted before a second operator confirms, and then once.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { verify } from "#server/ledger/ledger.ts";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { reversalCommands } from "./reversals-operator.ts";
import { expireLots } from "./expiry.ts";
import { grant, schemeAccount, spend } from "./wallet.ts";
import type { OperatorCommand } from "#server/process/room.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  camille = await server.as("guardian");
});
afterEach(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
});
afterAll(() => server.close());

/** Reverses a transfer, as one operator's account of the operating system. */
const undo = async (account: string, ...args: string[]) => {
  const { ok, lines } = await commandOf("undo").run(server.deps, args, account);
  return { ok, text: lines.join("\n").replaceAll(/[\u202f\u00a0]/g, " ") };
};
const commandOf = (name: string): OperatorCommand => {
  const command = reversalCommands.find((one) => one.name === `reversals ${name}`);
  if (!command) throw new Error(`no command ${name}`);
  return command;
};
const undoByTwo = (...args: string[]) => runByTwo(server.deps, commandOf("undo"), args);
const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const wallet = async (cardnumber: number) =>
  (
    await rows(
      `select w.id, a.balance as cents from wallet w join wallet_lot l on l.wallet_id = w.id
      join ledger_account a on a.id = l.account_id join card c on c.person_id = w.person_id
      where c.number = $1`,
      cardnumber,
    )
  )[0] as { id: number; cents: number };
const me = cast.guardian.cardnumber;
const balance = async () => (await wallet(me)).cents;
let purchases = 0;
/** A purchase of Camille's; gives the number of its transfer. */
const buy = async (amountCents: number): Promise<string> => {
  const key = `reversal test ${(purchases += 1)}`;
  const { id: walletId } = await wallet(me);
  await inTx(server.deps.db, async (tx) => {
    const to = await schemeAccount(tx, "purchases");
    const memo = { label: "Librairie" };
    await spend(tx, {
      walletId,
      amountCents,
      to,
      kind: "purchase",
      key,
      memo,
      at: server.clock.now(),
    });
  });
  return String((await rows("select id from transfer where key = $1", key))[0]?.id);
};
const corrections = () => rows("select id from transfer where key like 'reversal:%'");

// proves: two-operators
test("reversals: asked by one, posted only when another confirms, once; the holder is told", async () => {
  const before = await balance();
  const transfer = await buy(1250);
  const request = await undo("alice", transfer, "Payé deux fois");
  expect(request).toEqual({
    ok: true,
    text: expect.stringMatching(
      /à confirmer : écriture n° \d+ {2}achat {2}12,50 € {2}Librairie, reversal test 1 {2}Camille Moreau {2}Payé/,
    ),
  });
  expect(await undo("alice", transfer, "Payé deux fois")).toEqual(request);
  expect(await balance()).toBe(before - 1250);
  expect(await corrections()).toEqual([]);
  expect((await camille.get("/api/notifications")).text).not.toContain("corrigée");
  const both = await Promise.all([
    undo("bob", transfer, "Payé deux fois"),
    undo("chloé", transfer, "Payé deux fois"),
  ]);
  // The second one finds it reversed.
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await balance()).toBe(before);
  expect(await corrections()).toHaveLength(1);
  expect((await commandOf("list").run(server.deps, [], "alice")).lines[0]).toMatch(
    /demandée par alice, confirmée par (bob|chloé) .*, écriture n° \d+$/,
  );
  expect((await undo("alice", transfer, "encore")).ok).toBe(false);
  expect(await balance()).toBe(before);
  const { body } = await camille.get("/api/notifications");
  expect(body.items[0]).toMatchObject({
    title: "Une opération a été corrigée",
    body: expect.stringContaining("Payé deux fois"),
  });
  const trail = await rows(
    `select a.action, a.actor, a.details->>'why' as why from audit a join card c
      on c.person_id = a.person_id where c.number = $1 and a.action like 'reversal.%' order by a.id`,
    me,
  );
  expect(trail).toEqual([
    {
      action: "reversal.confirm",
      actor: expect.stringMatching(/^operator:(bob|chloé)$/),
      why: "Payé deux fois",
    },
  ]);
});

// proves: two-operators
test("reversals: the database refuses one account twice", async () => {
  const update = rows(
    `update reversal set answered_account = requester_account where state = 'confirmed'`,
  );
  await expect(update).rejects.toThrow("reversal_two_accounts");
});

// proves: two-operators
test("reversals: what the ledger refuses is told at once; nothing for what is no transfer", async () => {
  const [opening] = await rows(`select t.id from transfer t where t.key = 'opening:child'`);
  // Spent since: the money is not there to be returned.
  const { id: walletId, cents } = await wallet(cast.child.cardnumber);
  await inTx(server.deps.db, async (tx) => {
    const to = await schemeAccount(tx, "purchases");
    const memo = { label: "Librairie" };
    const at = server.clock.now();
    await spend(tx, {
      walletId,
      amountCents: cents,
      to,
      kind: "purchase",
      key: "all of it",
      memo,
      at,
    });
  });
  const refused = await undo("alice", String(opening?.id), "Recharge annulée");
  expect(refused.ok).toBe(false);
  expect((await wallet(cast.child.cardnumber)).cents).toBe(0);
  for (const wrong of ["999999", "x"]) expect((await undo("alice", wrong, "motif")).ok).toBe(false);
  expect((await undo("alice", String(opening?.id), " ")).ok).toBe(false);
});

test("reversals: aid that comes back to a lot swept already goes where the rest of it went", async () => {
  const { id: walletId } = await wallet(me);
  const at = server.clock.now();
  const accountId = await inTx(server.deps.db, async (tx) => {
    const aid = { walletId, amountCents: 700, label: "Aide d'hier", expiresOn: parisDay(at) };
    return (await grant(tx, { ...aid, key: "swept", at })).accountId;
  });
  const lot = async () =>
    (await rows("select balance::int as cents from ledger_account where id = $1", accountId))[0]
      ?.cents;
  const transfer = await buy(700);
  expect(await lot()).toBe(0);
  server.clock.advance(2 * 86_400_000);
  await expireLots(server.deps);
  expect((await undoByTwo(transfer, "Payé deux fois")).ok).toBe(true);
  expect(await lot()).toBe(700);
  await expireLots(server.deps);
  expect(await lot()).toBe(0);
});
