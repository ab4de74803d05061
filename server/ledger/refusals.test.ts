// Every refusal of the ledger, and the state after it: nothing has changed.
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { inTx, type Db } from "#server/db/db.ts";
import {
  balancesOf,
  hold,
  lockedBalances,
  openAccount,
  post,
  postHold,
  postedUnder,
  reverse,
  tryPost,
  verify,
  voidExpiredHolds,
  voidHold,
  voidHolds,
  type Transfer,
} from "./ledger.ts";
import {
  newKey,
  openRig,
  userAccount,
  spendable,
  externalAccount,
  type Rig,
} from "#tests/ledger-rig.ts";

let rig: Rig;
let db: Db;
let bank: number;
let shop: number;

beforeAll(async () => {
  rig = await openRig();
  db = rig.db;
  bank = await externalAccount(db);
  shop = await userAccount(db, bank, 0);
});
afterEach(async () => {
  const { checks } = await verify(db);
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});
afterAll(() => rig.close());

const transfers = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from transfer`.execute(db);
  return rows[0]?.n;
};
const spend = (debitAccount: number, amountCents: number, key = newKey()): Transfer => ({
  key,
  debitAccount,
  creditAccount: shop,
  amountCents,
  kind: "purchase",
});
const postAll = (...list: Transfer[]) => inTx(db, (tx) => post(tx, list));

test("one cent more than the balance is refused, the whole balance is not", async () => {
  const mine = await userAccount(db, bank, 1000);
  await expect(postAll(spend(mine, 1001))).rejects.toMatchObject({ code: "insufficient_funds" });
  expect(await spendable(db, mine)).toBe(1000);
  await postAll(spend(mine, 1000));
  expect(await spendable(db, mine)).toBe(0);
});

test("what a hold keeps cannot be spent, nor held twice", async () => {
  const mine = await userAccount(db, bank, 1000);
  const move = { debitAccount: mine, creditAccount: shop, kind: "meal" };
  await inTx(db, (tx) => hold(tx, { key: newKey(), amountCents: 800, ...move }));
  const refused = { code: "insufficient_funds" };
  await expect(postAll(spend(mine, 201))).rejects.toMatchObject(refused);
  await expect(
    inTx(db, (tx) => hold(tx, { key: newKey(), amountCents: 201, ...move })),
  ).rejects.toMatchObject(refused);
  expect(await balancesOf(db, [mine])).toMatchObject([{ balanceCents: 1000, heldCents: 800 }]);
});

test("the order inside one call counts: money must come in before it goes out", async () => {
  const mine = await userAccount(db, bank, 0);
  const fill = { ...spend(bank, 500), creditAccount: mine };
  await expect(postAll(spend(mine, 500), fill)).rejects.toMatchObject({
    code: "insufficient_funds",
  });
  await postAll(fill, spend(mine, 500));
  expect(await spendable(db, mine)).toBe(0);
});

test("a key used for another payload is refused, whatever part of it differs", async () => {
  const mine = await userAccount(db, bank, 1000);
  const first = { ...spend(mine, 100), memo: { label: "pain" } };
  await postAll(first);
  const before = await transfers();
  const others: Transfer[][] = [
    [{ ...first, amountCents: 101 }],
    [{ ...first, debitAccount: bank }],
    [{ ...first, creditAccount: bank }],
    [{ ...first, kind: "meal" }],
    [{ ...first, memo: { label: "lait" } }],
    [{ ...spend(mine, 100, first.key) }],
    [first, first],
  ];
  for (const other of others) {
    await expect(postAll(...other)).rejects.toMatchObject({ code: "idempotency_mismatch" });
  }
  expect(await transfers()).toBe(before);
  expect(await spendable(db, mine)).toBe(900);
});

test("a linked group is replayed whole; a part of it under the same key is refused", async () => {
  const mine = await userAccount(db, bank, 1000);
  const key = newKey();
  const group = [spend(mine, 300, key), spend(mine, 200, key)];
  await postAll(...group);
  expect((await postAll(...group)).map((one) => one.replayed)).toEqual([true, true]);
  await expect(postAll(...group.slice(0, 1))).rejects.toMatchObject({
    code: "idempotency_mismatch",
  });
  expect(await spendable(db, mine)).toBe(500);
});

test("a key known and a key new in one call: the known one replays, the new one posts", async () => {
  const mine = await userAccount(db, bank, 1000);
  const [old, fresh] = [spend(mine, 100), spend(mine, 50)];
  await postAll(old);
  const posted = await postAll(fresh, old);
  expect(posted.map((one) => one.replayed)).toEqual([false, true]);
  expect(await spendable(db, mine)).toBe(850);
});

test("two groups under one key in one call: the second is the first again", async () => {
  const mine = await userAccount(db, bank, 100);
  const twice = spend(mine, 80);
  const outcomes = await inTx(db, (tx) => tryPost(tx, [[twice], [spend(mine, 21)], [twice]]));
  expect(outcomes).toMatchObject([
    { ok: true, posted: [{ replayed: false }] },
    { ok: false, code: "insufficient_funds" },
    { ok: true, posted: [{ replayed: true }] },
  ]);
  expect(await spendable(db, mine)).toBe(20);
});

test("the same key from 20 callers at once has one effect", async () => {
  const mine = await userAccount(db, bank, 1000);
  const one = spend(mine, 10);
  const all = await Promise.all(Array.from({ length: 20 }, () => postAll(one)));
  expect(all.flat().filter((posted) => !posted.replayed)).toHaveLength(1);
  expect(new Set(all.flat().map((posted) => posted.id)).size).toBe(1);
  expect(await spendable(db, mine)).toBe(990);
});

test("one key raced from two accounts: one wins, the other is a mismatch", async () => {
  const userAccounts = await Promise.all(
    Array.from({ length: 8 }, () => userAccount(db, bank, 100)),
  );
  const key = newKey();
  const outcomes = await Promise.allSettled(
    userAccounts.map((mine) => postAll(spend(mine, 100, key))),
  );
  expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const lost of outcomes.filter((one) => one.status === "rejected")) {
    expect(lost.reason).toMatchObject({ code: "idempotency_mismatch" });
  }
  const left = await balancesOf(db, userAccounts);
  expect(left.reduce((sum, one) => sum + one.balanceCents, 0)).toBe(700);
});

test("amounts that are not positive integers, one account twice, unknown accounts, mixed assets", async () => {
  const mine = await userAccount(db, bank, 1000);
  const points = await externalAccount(db, "PTS");
  const before = await transfers();
  for (const amountCents of [0, -1, 0.5, Number.NaN, 2 ** 53]) {
    await expect(postAll(spend(mine, amountCents))).rejects.toThrow(RangeError);
  }
  await expect(postAll({ ...spend(mine, 1), creditAccount: mine })).rejects.toThrow("two_accounts");
  await expect(postAll({ ...spend(mine, 1), creditAccount: 99_999 })).rejects.toThrow(
    "unknown account",
  );
  await expect(postAll({ ...spend(mine, 1), creditAccount: points })).rejects.toThrow(
    "euros and points",
  );
  expect(await transfers()).toBe(before);
});

test("a hold is closed once: posted, it is neither voided nor posted again", async () => {
  const mine = await userAccount(db, bank, 1000);
  const request = {
    key: newKey(),
    debitAccount: mine,
    creditAccount: shop,
    amountCents: 600,
    kind: "meal",
  };
  const { id } = await inTx(db, (tx) => hold(tx, request));
  expect(await inTx(db, (tx) => hold(tx, request))).toEqual({ id, replayed: true });
  await expect(inTx(db, (tx) => hold(tx, { ...request, amountCents: 601 }))).rejects.toMatchObject({
    code: "idempotency_mismatch",
  });
  await expect(
    inTx(db, (tx) => postHold(tx, id, { key: newKey(), amountCents: 601 })),
  ).rejects.toThrow("hold_not_exceeded");
  const key = newKey();
  const first = await inTx(db, (tx) => postHold(tx, id, { key, amountCents: 500 }));
  const again = await inTx(db, (tx) => postHold(tx, id, { key, amountCents: 500 }));
  expect(again).toEqual({ ...first, replayed: true });
  const closed = { code: "hold_closed" };
  await expect(inTx(db, (tx) => postHold(tx, id, { key: newKey() }))).rejects.toMatchObject(closed);
  await expect(inTx(db, (tx) => voidHold(tx, id))).rejects.toMatchObject(closed);
  expect(await balancesOf(db, [mine])).toMatchObject([{ balanceCents: 500, heldCents: 0 }]);
});

test("posting and voiding one hold at once: exactly one of them happens", async () => {
  const mine = await userAccount(db, bank, 1000);
  for (let round = 0; round < 10; round++) {
    const request = {
      key: newKey(),
      debitAccount: mine,
      creditAccount: shop,
      amountCents: 10,
      kind: "meal",
    };
    const { id } = await inTx(db, (tx) => hold(tx, request));
    const before = (await spendable(db, mine)) as number;
    const [posted, voided] = await Promise.allSettled([
      inTx(db, (tx) => postHold(tx, id, { key: newKey() })),
      inTx(db, (tx) => voidHold(tx, id)),
    ]);
    expect([posted.status, voided.status].sort()).toEqual(["fulfilled", "rejected"]);
    const back = voided.status === "fulfilled" ? 10 : 0;
    expect(await spendable(db, mine)).toBe(before + back);
  }
});

test("an expired hold is only voided; those not due stay", async () => {
  const mine = await userAccount(db, bank, 1000);
  const cart = { debitAccount: mine, creditAccount: shop, amountCents: 100, kind: "ticket" };
  const expiresAt = new Date("2026-03-01T10:25:00Z");
  const due = await inTx(db, (tx) => hold(tx, { key: newKey(), ...cart, expiresAt }));
  const later = await inTx(db, (tx) =>
    hold(tx, { key: newKey(), ...cart, expiresAt: new Date("2026-03-01T10:26:00Z") }),
  );
  await expect(
    inTx(db, (tx) => postHold(tx, due.id, { key: newKey(), at: expiresAt })),
  ).rejects.toMatchObject({ code: "hold_closed" });
  expect(await inTx(db, (tx) => voidExpiredHolds(tx, expiresAt))).toEqual([due.id]);
  expect(await inTx(db, (tx) => voidExpiredHolds(tx, expiresAt))).toEqual([]);
  expect(await inTx(db, (tx) => voidHolds(tx, [due.id, later.id]))).toEqual([later.id]);
  expect(await spendable(db, mine)).toBe(1000);
});

test("a reversal needs its money back and an original", async () => {
  const mine = await userAccount(db, bank, 300);
  const other = await userAccount(db, bank, 0);
  const [sent] = await postAll({ ...spend(mine, 300), creditAccount: other });
  await postAll(spend(other, 200));
  const undo = { key: newKey(), kind: "correction", reason: "erreur" };
  await expect(inTx(db, (tx) => reverse(tx, sent?.id as number, undo))).rejects.toMatchObject({
    code: "insufficient_funds",
  });
  await expect(inTx(db, (tx) => reverse(tx, 999_999, undo))).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await spendable(db, mine)).toBe(0);
  expect(await postedUnder(db, undo.key)).toEqual([]);
});

test("five reversals of one transfer at once: one is made", async () => {
  const mine = await userAccount(db, bank, 300);
  const [sent] = await postAll(spend(mine, 100));
  const undoing = Array.from({ length: 5 }, () =>
    inTx(db, (tx) =>
      reverse(tx, sent?.id as number, { key: newKey(), kind: "correction", reason: "erreur" }),
    ),
  );
  const outcomes = await Promise.allSettled(undoing);
  expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  for (const lost of outcomes.filter((one) => one.status === "rejected")) {
    expect(lost.reason).toMatchObject({ code: "already_reversed" });
  }
  expect(await spendable(db, mine)).toBe(300);
});

test("what is rolled back did not happen, and its key is free again", async () => {
  const mine = await userAccount(db, bank, 100);
  const one = spend(mine, 60);
  await expect(
    inTx(db, async (tx) => {
      await post(tx, [one]);
      throw new Error("the order could not be written");
    }),
  ).rejects.toThrow("the order");
  expect(await spendable(db, mine)).toBe(100);
  expect(await postedUnder(db, one.key)).toEqual([]);
  expect((await postAll(one))[0]?.replayed).toBe(false);
});

// proves: wallet-limit
test("200 clients spend one wallet at once: exactly what it can pay, refusals and nothing else", async () => {
  const mine = await userAccount(db, bank, 10_050);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () =>
      inTx(db, async (tx) => {
        const [seen] = await lockedBalances(tx, [mine, shop]);
        expect(seen?.spendableCents).toBeGreaterThanOrEqual(0);
        return await post(tx, [spend(mine, 100)]);
      }),
    ),
  );
  expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(100);
  for (const lost of outcomes.filter((one) => one.status === "rejected")) {
    expect(lost.reason).toMatchObject({ code: "insufficient_funds" });
  }
  expect(await spendable(db, mine)).toBe(50);
});

// proves: journal-not-edited
test("no statement edits what happened", async () => {
  const mine = await userAccount(db, bank, 500);
  const { id } = await inTx(db, (tx) =>
    hold(tx, { key: newKey(), debitAccount: mine, amountCents: 1, kind: "meal" }),
  );
  await inTx(db, (tx) => voidHold(tx, id));
  const refused = [
    `update transfer set memo = '{}'`,
    `delete from transfer`,
    `truncate transfer cascade`,
    `delete from ledger_account`,
    `truncate ledger_account cascade`,
    `delete from hold`,
    `truncate hold`,
    `update hold set state = 'pending' where id = ${id}`,
  ];
  for (const statement of refused) {
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow("append-only");
  }
  const account = { kind: "user", asset: "USD" as "EUR", floorCents: 0 };
  await expect(inTx(db, (tx) => openAccount(tx, account))).rejects.toThrow("asset_known");
});
