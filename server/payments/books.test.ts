// The books: a day's summary proved from the journal, and suspense as lines with their age and origin.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { openAccount, reverse } from "#server/ledger/ledger.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { bookCommands } from "./books-operator.ts";
import { type CreditedTopUp, park, takeBack } from "./postings.ts";

let server: TestServer;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  // The day on which the template credited the opening balances: a run can have passed midnight since.
  const { rows } = await server.deps.pool.query<{ at: Date }>("select min(at) as at from transfer");
  server.clock.freeze();
  server.clock.advance((rows[0]?.at.getTime() ?? Number.NaN) - server.clock.now().getTime());
  camille = await server.as("guardian");
});
afterAll(() => server.close());

const run = async (name: string, ...args: string[]) => {
  const command = bookCommands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  const { ok, lines } = await command.run(server.deps, args, "alice");
  return { ok, lines: lines.map((line) => line.replaceAll(/[\u202f\u00a0]/g, " ")) };
};
const walletOf = async (cardnumber: number) => {
  const { rows } = await server.deps.pool.query<{ id: number; account: number; objectID: string }>(
    `select w.id, l.account_id as account, w.object_id as "objectID" from wallet w
      join wallet_lot l on l.wallet_id = w.id join card c on c.person_id = w.person_id
      where c.number = $1`,
    [cardnumber],
  );
  return rows[0] as (typeof rows)[number];
};

// proves: books-of-a-day
test("summary: what came in and went out by account and kind; a balance touched by hand is told", async () => {
  const today = parisDay(server.clock.now());
  const { id: walletId } = await walletOf(cast.guardian.cardnumber);
  await inTx(server.deps.db, async (tx) => {
    await openAccount(tx, { kind: "payable", asset: "EUR", floorCents: null });
    const to = await schemeAccount(tx, "purchases");
    const common = { walletId, to, memo: { label: "Librairie" }, at: server.clock.now() };
    await spend(tx, { ...common, amountCents: 1250, kind: "purchase", key: "books 1" });
    await spend(tx, { ...common, amountCents: 350, kind: "meal", key: "books 2" });
  });
  const { ok, lines } = await run("summary", today);
  expect(ok).toBe(true);
  const text = lines.join("\n");
  // The five opening balances of the cast, and the two spends.
  expect(text).toMatch(/^Entré sur les cagnottes : 228,70 €$/m);
  expect(text).toMatch(/^ {2}paiements fictifs +recharge +5 écritures +228,70 €$/m);
  expect(text).toMatch(/^Sorti des cagnottes : 16,00 €$/m);
  expect(text).toMatch(/^ {2}achats +achat +1 écriture +12,50 €$/m);
  expect(text).toMatch(/^ {2}achats +repas +1 écriture +3,50 €$/m);
  expect(text).toMatch(/^ {2}cagnottes +0,00 € +212,70 € +212,70 €$/m);
  expect(text).toMatch(/^ {2}paiements fictifs +0,00 € +− 228,70 € +− 228,70 €$/m);
  expect(lines.at(-1)).toMatch(/^✓/);
  // Every account has a French name, and the columns stay under their heads.
  expect(text).toMatch(/^ {2}dû aux partenaires +0,00 €/m);
  const table = lines.slice(
    lines.findIndex((line) => line.startsWith("Comptes")),
    -1,
  );
  expect(new Set(table.map((line) => line.length)).size).toBe(1);
  const yesterday = (await run("summary", addDays(today, -1))).lines.join("\n");
  expect(yesterday).toMatch(/^Entré sur les cagnottes : 0,00 €$/m);
  const tomorrow = (await run("summary", addDays(today, 1))).lines.join("\n");
  expect(tomorrow).toMatch(/^ {2}cagnottes +212,70 € +0,00 € +212,70 €$/m);
  for (const wrong of ["hier", "2026-02-31", "21/11/2026"]) {
    expect((await run("summary", wrong)).ok, wrong).toBe(false);
  }
  const touch = (cents: number) =>
    server.deps.pool.query(
      `update ledger_account set balance = balance + $1
        where id = (select account_id from wallet_lot where wallet_id = $2)`,
      [cents, walletId],
    );
  await touch(1);
  const wrong = await run("summary");
  await touch(-1);
  expect(wrong.ok).toBe(false);
  expect(wrong.lines.join("\n")).toMatch(/cagnottes .*✗ solde 212,71 €, journal 212,70 €/);
  expect(wrong.lines.at(-1)).toContain("NE S'ÉQUILIBRENT PAS");
  expect((await run("summary")).ok).toBe(true);
});

// proves: books-of-a-day
test("suspense list: each line with its age and origin, until it left again, whichever way", async () => {
  expect(await run("suspense list")).toEqual({ ok: true, lines: ["Rien n'est en attente."] });
  const { id: walletId, account, objectID } = await walletOf(cast.guardian.cardnumber);
  const { body } = await camille.post(`/api/wallets/${objectID}/top-ups`, { amountCents: 2000 });
  const charge = { ref: "charge-books", amountCents: 999 };
  await sql`update top_up set provider_ref = ${charge.ref} where id = ${body.id}`.execute(
    server.deps.db,
  );
  const topUp = {
    id: body.id,
    walletId,
    purchasedAccount: account,
    providerAccount: await schemeAccount(server.deps.db, "payments:sandbox"),
    amountCents: 2000,
    state: "review",
    provider: "sandbox",
    refundedCents: 0,
    returnCents: 0,
  } as CreditedTopUp;
  const longAgo = new Date(server.clock.now().getTime() - 3 * 86_400_000);
  await inTx(server.deps.db, async (tx) => {
    await park(tx, topUp, charge as never, longAgo);
    await park(tx, topUp, { ref: "nobody-knows", amountCents: 500 } as never, server.clock.now());
  });
  const waiting = await run("suspense list");
  expect(waiting.ok).toBe(false);
  expect(waiting.lines).toEqual([
    expect.stringMatching(
      new RegExp(
        `^n° \\d+  \\S+  3 jours +9,99 €  attendu 20,00 €  recharge ${body.id}  payée par Camille Moreau  ` +
          "pour .*, Camille Moreau  charge:sandbox:charge-books$",
      ),
    ),
    expect.stringMatching(/ {2}0 jour +5,00 € {2}attendu 20,00 € {2}charge:sandbox:nobody-knows$/),
    "2 lignes, 14,99 € en attente.",
  ]);
  // Refunded by the provider: posted under a key of its own.
  await inTx(server.deps.db, (tx) =>
    takeBack(tx, topUp, charge as never, {
      to: "refunded",
      amountCents: 999,
      at: server.clock.now(),
    }),
  );
  const left = await run("suspense list");
  expect(left.lines).toHaveLength(2);
  const transfer = Number(/^n° (\d+)/.exec(left.lines[0] ?? "")?.[1]);
  await inTx(server.deps.db, (tx) =>
    reverse(tx, transfer, { key: "undo", kind: "correction", reason: "essai" }),
  );
  expect((await run("suspense list")).ok).toBe(true);
});
