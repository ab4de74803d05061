// Reversals by four eyes: nothing is posted before a second operator says so, and then once.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { operator as limits } from "#contract/limits.ts";
import { verify } from "#server/ledger/ledger.ts";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { expireReversals } from "./reversals.ts";
import { reversalCommands } from "./reversals-operator.ts";
import { expireLots } from "./expiry.ts";
import { grant, schemeAccount, spend } from "./wallet.ts";

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

const run = async (name: string, ...given: string[]) => {
  const command = reversalCommands.find((one) => one.name === `reversals ${name}`);
  if (!command) throw new Error(`no command ${name}`);
  const { ok, lines } = await command.run(server.deps, given, "system");
  return { ok, text: lines.join("\n").replaceAll(/[\u202f\u00a0]/g, " ") };
};
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
const numberOf = ({ text }: { text: string }) => /^(\d+)/.exec(text)?.[1] ?? "";
const corrections = () => rows("select id from transfer where key like 'reversal:%'");

test("reversals: asked by one, posted only when another confirms, once; the holder is told", async () => {
  const before = await balance();
  const transfer = await buy(1250);
  const asked = await run("ask", transfer, "Alice Martin", "Payé deux fois");
  expect(asked.ok).toBe(true);
  expect(asked.text).toMatch(
    /achat {2}12,50 € {2}Librairie, reversal test 1 {2}Camille Moreau {2}demandée par Alice Martin .* à confirmer/,
  );
  expect(await balance()).toBe(before - 1250);
  const number = numberOf(asked);
  // The same again is the same request; somebody else's finds it waiting.
  expect(numberOf(await run("ask", transfer, "alice  MARTIN", "Payé deux fois"))).toBe(number);
  expect((await run("ask", transfer, "Bob", "Payé deux fois")).text).toContain("attend déjà");
  expect((await run("list")).text).toContain("Payé deux fois");
  for (const name of ["Alice Martin", "ALICE MARTIN", " Alice\u00a0Mártin ", "alicemartin"]) {
    const own = await run("confirm", number, name);
    expect([own.ok, own.text], name).toEqual([
      false,
      expect.stringContaining("un autre opérateur"),
    ]);
  }
  for (const name of ["", " ", "7"]) expect((await run("confirm", number, name)).ok).toBe(false);
  expect(await balance()).toBe(before - 1250);
  expect(await corrections()).toEqual([]);
  const both = await Promise.all([
    run("confirm", number, "Bob Petit"),
    run("confirm", number, "Chloé Roux"),
  ]);
  expect(both.map(({ ok }) => ok)).toEqual([true, true]);
  expect(both[0]?.text).toBe(both[1]?.text);
  expect(both[0]?.text).toMatch(/confirmée par (Bob Petit|Chloé Roux), écriture n° \d+/);
  expect(await balance()).toBe(before);
  expect(await corrections()).toHaveLength(1);
  expect((await run("list")).text).toBe("Aucune annulation n'attend.");
  expect((await run("list", "toutes")).text).toContain("confirmée par");
  expect((await run("refuse", number, "Bob Petit", "trop tard")).ok).toBe(false);
  expect((await run("ask", transfer, "Alice Martin", "encore")).ok).toBe(false);
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
    { action: "reversal.ask", actor: "operator:Alice Martin", why: "Payé deux fois" },
    {
      action: "reversal.confirm",
      actor: expect.stringMatching(/^operator:(Bob Petit|Chloé Roux)$/),
      why: "Payé deux fois",
    },
  ]);
});

test("reversals: refused or expired, nothing is posted, and it can be asked anew", async () => {
  const before = await balance();
  const transfer = await buy(500);
  const first = numberOf(await run("ask", transfer, "Alice", "Erreur"));
  expect((await run("refuse", first, "Bob", "")).ok).toBe(false);
  expect((await run("refuse", first, "Bob", "Le ticket est bon")).text).toContain(
    "refusée par Bob",
  );
  expect((await run("confirm", first, "Bob")).text).toContain("déjà sa réponse");
  const second = numberOf(await run("ask", transfer, "Alice", "Erreur"));
  expect(second).not.toBe(first);
  server.clock.advance(limits.reversalHours * 3_600_000 + 1000);
  expect((await run("confirm", second, "Bob")).text).toContain("expiré");
  expect((await run("list")).text).toBe("Aucune annulation n'attend.");
  expect(await expireReversals(server.deps)).toBe(1);
  expect(await expireReversals(server.deps)).toBe(0);
  expect((await run("confirm", second, "Bob")).text).toContain("expiré");
  expect(await balance()).toBe(before - 500);
  const third = numberOf(await run("ask", transfer, "Alice", "Erreur"));
  server.clock.advance(limits.reversalHours * 3_600_000 + 1000);
  // Not swept yet: asking again ends it first.
  const fourth = numberOf(await run("ask", transfer, "Bob", "Erreur"));
  expect(fourth).not.toBe(third);
  expect((await run("confirm", fourth, "Alice")).ok).toBe(true);
  expect(await balance()).toBe(before);
});

test("reversals: what the ledger refuses leaves the request waiting; nothing for what is no transfer", async () => {
  const [opening] = await rows(`select t.id from transfer t where t.key = 'opening:child'`);
  // Spent since: the money is not there to go back.
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
  const number = numberOf(await run("ask", String(opening?.id), "Alice", "Recharge annulée"));
  const refused = await run("confirm", number, "Bob");
  expect(refused.ok).toBe(false);
  expect((await wallet(cast.child.cardnumber)).cents).toBe(0);
  expect((await run("list")).text).toContain("Recharge annulée");
  expect((await run("ask", "999999", "Alice", "motif")).ok).toBe(false);
  expect((await run("ask", "x", "Alice", "motif")).ok).toBe(false);
  expect((await run("ask", String(opening?.id), "Alice", " ")).ok).toBe(false);
  expect((await run("confirm", "999999", "Bob")).ok).toBe(false);
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
  const number = numberOf(await run("ask", transfer, "Alice Martin", "Payé deux fois"));
  expect((await run("confirm", number, "Bob Petit")).ok).toBe(true);
  expect(await lot()).toBe(700);
  await expireLots(server.deps);
  expect(await lot()).toBe(0);
});
