// The pages of movements: every transfer once, newest first, with the balance that it left.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx, type Db } from "#server/db/db.ts";
import { movementsOf, post, type Movement, type MovementFilter } from "./ledger.ts";
import { newKey, openRig, userAccount, externalAccount, type Rig } from "#tests/ledger-rig.ts";

let rig: Rig;
let db: Db;
let purchased: number;
let granted: number;
let other: number;
let emptied: number;
const day = (n: number) => new Date(Date.UTC(2026, 0, n));

beforeAll(async () => {
  rig = await openRig();
  db = rig.db;
  const bank = await externalAccount(db);
  [purchased, granted, other, emptied] = [
    await userAccount(db, bank, 0),
    await userAccount(db, bank, 0),
    await userAccount(db, bank, 0),
    await userAccount(db, bank, 0),
  ] as [number, number, number, number];
  const move = (
    debitAccount: number,
    creditAccount: number,
    amountCents: number,
    kind: string,
    on: number,
  ) =>
    inTx(db, (tx) =>
      post(tx, [
        {
          key: newKey(),
          debitAccount,
          creditAccount,
          amountCents,
          kind,
          at: day(on),
          memo: { label: `${kind} 100%` },
        },
      ]),
    );
  await move(bank, purchased, 5000, "top_up", 1);
  await move(bank, granted, 2000, "grant", 2);
  for (let n = 0; n < 12; n++) {
    await move(granted, other, 100, "meal", 3 + n);
    await move(purchased, other, 10, "purchase", 3 + n);
  }
  await move(purchased, granted, 40, "correction", 20);
  // Posted late: its time is before others, its place in the journal is last.
  await move(other, purchased, 7, "refund", 2);
});
afterAll(() => rig.close());

async function walk(filter: Omit<MovementFilter, "limit">, limit: number): Promise<Movement[]> {
  const all: Movement[] = [];
  let before: number | null | undefined;
  do {
    const page = await movementsOf(db, [purchased, granted], {
      ...filter,
      limit,
      ...(before ? { before } : {}),
    });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    all.push(...page.items);
    before = page.next;
  } while (before !== null);
  return all;
}

test("pages of any size give every movement once, newest first", async () => {
  const whole = await walk({}, 100);
  expect(whole).toHaveLength(28);
  expect(whole.map((one) => one.id)).toEqual(
    whole.map((one) => one.id).toSorted((one, next) => next - one),
  );
  for (const limit of [1, 3, 7, 28]) expect(await walk({}, limit)).toEqual(whole);
});

test("balances after each movement follow from the amounts, whatever the filter", async () => {
  const whole = await walk({}, 10);
  let balance = 0;
  for (const one of whole.toReversed()) {
    balance += one.amountCents;
    expect(one.balanceAfterCents).toBe(balance);
  }
  expect(balance).toBe(5000 + 2000 - 1200 - 120 + 7);
  const meals = await walk({ kinds: ["meal"] }, 5);
  expect(meals).toEqual(whole.filter((one) => one.kind === "meal"));
});

test("a transfer between two accounts of the set appears once and changes nothing", async () => {
  const moved = await walk({ kinds: ["correction"] }, 10);
  expect(moved).toMatchObject([
    { amountCents: 0, debitAccount: purchased, creditAccount: granted },
  ]);
});

test("filters: kinds, half-open span of days, words of the memo without wildcards", async () => {
  const span = await walk({ from: day(3), to: day(5) }, 3);
  expect(span.map((one) => one.kind)).toEqual(["purchase", "meal", "purchase", "meal"]);
  const both = await walk({ kinds: ["top_up", "refund"], to: day(3) }, 3);
  expect(both.map((one) => one.kind)).toEqual(["refund", "top_up"]);
  expect(await walk({ words: "GRANT 100%" }, 10)).toHaveLength(1);
  expect(await walk({ words: "g%t" }, 10)).toEqual([]);
  expect(await walk({ words: "p_u" }, 10)).toHaveLength(1);
  expect(await walk({ words: "m_a" }, 10)).toEqual([]);
});

test("no account, an account without movement, and a page before the first", async () => {
  const none = { items: [], next: null };
  expect(await movementsOf(db, [], { limit: 5 })).toEqual(none);
  expect(await movementsOf(db, [emptied], { limit: 5 })).toEqual(none);
  expect(await movementsOf(db, [purchased], { limit: 5, before: 1 })).toEqual(none);
});
