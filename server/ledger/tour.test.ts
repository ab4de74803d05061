// A tour of the ledger, to be read from top to bottom: each stop continues where the last one ended.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx, type Db } from "#server/db/db.ts";
import {
  balancesOf,
  hold,
  lockedBalances,
  movementsOf,
  openAccount,
  post,
  postHold,
  postedUnder,
  reverse,
  reverseGroup,
  tryPost,
  verify,
  voidHold,
} from "./ledger.ts";
import { openRig, spendable, type Rig } from "#tests/ledger-rig.ts";

let rig: Rig;
let db: Db;
let bank: number;
let aid: number;
let purchased: number;
let granted: number;
let canteen: number;

beforeAll(async () => {
  rig = await openRig();
  db = rig.db;
});
afterAll(() => rig.close());

test("1. an account of the outside world may go negative, a person's may not", async () => {
  await inTx(db, async (tx) => {
    bank = await openAccount(tx, { kind: "bank", asset: "EUR", floorCents: null });
    aid = await openAccount(tx, { kind: "aid", asset: "EUR", floorCents: null });
    purchased = await openAccount(tx, { kind: "purchased", asset: "EUR", floorCents: 0 });
    granted = await openAccount(tx, { kind: "granted", asset: "EUR", floorCents: 0 });
    canteen = await openAccount(tx, { kind: "canteen", asset: "EUR", floorCents: 0 });
  });
  expect(await spendable(db, purchased)).toBe(0);
});

test("2. money moves from one account to another, and each row tells both balances", async () => {
  const posted = await inTx(db, (tx) =>
    post(tx, [
      {
        key: "top-up 1",
        debitAccount: bank,
        creditAccount: purchased,
        amountCents: 2000,
        kind: "top_up",
      },
      {
        key: "grant 1",
        debitAccount: aid,
        creditAccount: granted,
        amountCents: 500,
        kind: "grant",
      },
    ]),
  );
  expect(posted).toMatchObject([
    { key: "top-up 1", debitBalanceCents: -2000, creditBalanceCents: 2000, replayed: false },
    { key: "grant 1", debitBalanceCents: -500, creditBalanceCents: 500, replayed: false },
  ]);
});

test("3. the same key again moves nothing and answers the first outcome", async () => {
  const again = { key: "top-up 1", debitAccount: bank, creditAccount: purchased, kind: "top_up" };
  const [first] = await postedUnder(db, "top-up 1");
  const [replay] = await inTx(db, (tx) => post(tx, [{ ...again, amountCents: 2000 }]));
  expect(replay).toMatchObject({ id: first?.id, at: first?.at, replayed: true });
  await expect(inTx(db, (tx) => post(tx, [{ ...again, amountCents: 2001 }]))).rejects.toMatchObject(
    { code: "idempotency_mismatch" },
  );
  expect(await spendable(db, purchased)).toBe(2000);
});

test("4. transfers under one key are linked: a spend takes the granted lot, then the purchased", async () => {
  const [grantedNow] = await inTx(db, async (tx) => {
    const lots = await lockedBalances(tx, [granted, purchased]);
    await post(tx, [
      {
        key: "meal 1",
        debitAccount: granted,
        creditAccount: canteen,
        amountCents: 500,
        kind: "meal",
      },
      {
        key: "meal 1",
        debitAccount: purchased,
        creditAccount: canteen,
        amountCents: 200,
        kind: "meal",
      },
    ]);
    return lots;
  });
  expect(grantedNow?.spendableCents).toBe(500);
  expect(await spendable(db, granted)).toBe(0);
  expect(await spendable(db, purchased)).toBe(1800);
  expect(await spendable(db, canteen)).toBe(700);
});

test("5. when one of a linked group cannot pay, none of it happens", async () => {
  await expect(
    inTx(db, (tx) =>
      post(tx, [
        {
          key: "meal 2",
          debitAccount: purchased,
          creditAccount: canteen,
          amountCents: 300,
          kind: "meal",
        },
        {
          key: "meal 2",
          debitAccount: granted,
          creditAccount: canteen,
          amountCents: 1,
          kind: "meal",
        },
      ]),
    ),
  ).rejects.toMatchObject({ code: "insufficient_funds", status: 409 });
  expect(await spendable(db, purchased)).toBe(1800);
  expect(await postedUnder(db, "meal 2")).toEqual([]);
});

test("6. many groups in one call: each has its own outcome, in order", async () => {
  const spend = (key: string, amountCents: number) => [
    { key, debitAccount: purchased, creditAccount: canteen, amountCents, kind: "meal" },
  ];
  const outcomes = await inTx(db, (tx) =>
    tryPost(tx, [spend("a", 1000), spend("b", 900), spend("c", 800), spend("meal 1", 5)]),
  );
  expect(outcomes).toMatchObject([
    { ok: true, posted: [{ key: "a", debitBalanceCents: 800 }] },
    { ok: false, code: "insufficient_funds" },
    { ok: true, posted: [{ key: "c", debitBalanceCents: 0 }] },
    { ok: false, code: "idempotency_mismatch" },
  ]);
});

test("7. a hold keeps money; posting it spends a part and releases the rest", async () => {
  await inTx(db, (tx) =>
    post(tx, [
      {
        key: "top-up 2",
        debitAccount: bank,
        creditAccount: purchased,
        amountCents: 1000,
        kind: "top_up",
      },
    ]),
  );
  const order = { debitAccount: purchased, creditAccount: canteen, amountCents: 700, kind: "meal" };
  const held = await inTx(db, (tx) => hold(tx, { key: "order 1", ...order }));
  expect(await balancesOf(db, [purchased])).toEqual([
    { id: purchased, balanceCents: 1000, heldCents: 700, spendableCents: 300 },
  ]);
  const served = await inTx(db, (tx) =>
    postHold(tx, held.id, { key: "served 1", amountCents: 600 }),
  );
  expect(served).toMatchObject({ debitBalanceCents: 400, replayed: false });
  expect(await spendable(db, purchased)).toBe(400);
});

test("8. a hold that is voided gives everything back, once", async () => {
  const order = { debitAccount: purchased, creditAccount: canteen, amountCents: 400, kind: "meal" };
  const { id } = await inTx(db, (tx) => hold(tx, { key: "order 2", ...order }));
  expect(await spendable(db, purchased)).toBe(0);
  expect(await inTx(db, (tx) => voidHold(tx, id))).toEqual({ replayed: false });
  expect(await inTx(db, (tx) => voidHold(tx, id))).toEqual({ replayed: true });
  expect(await spendable(db, purchased)).toBe(400);
});

test("9. nothing is edited: a mistake is undone by the opposite transfer, once", async () => {
  const undo = { kind: "correction", reason: "servi deux fois" };
  const [taken] = await postedUnder(db, "served 1");
  const id = taken?.id as number;
  await inTx(db, (tx) => reverse(tx, id, { key: "undo 1", ...undo }));
  expect(await spendable(db, purchased)).toBe(1000);
  await expect(inTx(db, (tx) => reverse(tx, id, { key: "undo 2", ...undo }))).rejects.toMatchObject(
    { code: "already_reversed" },
  );
  const [meal] = await inTx(db, (tx) => reverseGroup(tx, "meal 1", { key: "undo 3", ...undo }));
  expect(meal).toMatchObject({ key: "undo 3", replayed: false });
  expect(await spendable(db, granted)).toBe(500);
  expect(await spendable(db, purchased)).toBe(1200);
  await expect(sql`update transfer set amount = 1 where id = ${id}`.execute(db)).rejects.toThrow(
    "append-only",
  );
});

test("10. a wallet's movements are those of its accounts together, newest first", async () => {
  const { items, next } = await movementsOf(db, [purchased, granted], { limit: 3 });
  expect(items.map((one) => [one.key, one.amountCents, one.balanceAfterCents])).toEqual([
    ["undo 3", 500, 1700],
    ["undo 3", 200, 1200],
    ["undo 1", 600, 1000],
  ]);
  const rest = await movementsOf(db, [purchased, granted], { limit: 3, before: next as number });
  expect(rest.items[0]).toMatchObject({ key: "served 1", amountCents: -600 });
});

// proves: books-balance
test("11. the audit proves all of it from the journal", async () => {
  const report = await verify(db);
  expect(report.checks.filter((check) => !check.ok)).toEqual([]);
  expect(report.ok).toBe(true);
});

// Money outside a transaction does not compile. Never called: the types are the test.
export const outsideOfTransaction = () => [
  // @ts-expect-error `post` demands a Tx
  post(db, []),
  // @ts-expect-error `tryPost` demands a Tx
  tryPost(db, []),
  // @ts-expect-error `hold` demands a Tx
  hold(db, { key: "", debitAccount: 1, amountCents: 1, kind: "" }),
  // @ts-expect-error `reverse` demands a Tx
  reverse(db, 1, { key: "", kind: "", reason: "" }),
];
