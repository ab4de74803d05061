// Shared by the ledger's own tests: a database of their own and a few accounts.
import { inTx, type Db } from "#server/db/db.ts";
import { migrate } from "#server/db/migrate.ts";
import { emptyDatabase, openClone } from "#tests/cluster.ts";
import { balancesOf, openAccount, post, type Asset } from "#server/ledger/ledger.ts";

export interface Rig {
  db: Db;
  close(): Promise<void>;
}

export async function openRig(max = 10): Promise<Rig> {
  // Not the template: the cast has money of its own, and these tests count every row.
  const clone = await emptyDatabase();
  await migrate(clone.url);
  return await openClone(max, clone);
}

let keys = 0;
export const newKey = (): string => `key-${++keys}`;

/** An account of the outside world, where money comes from: no floor. */
export const externalAccount = (db: Db, asset: Asset = "EUR"): Promise<number> =>
  inTx(db, (tx) => openAccount(tx, { kind: "external", asset, floorCents: null }));

/** An account that may not go below zero, holding `cents` from `from`. */
export async function userAccount(db: Db, from: number, cents: number): Promise<number> {
  return await inTx(db, async (tx) => {
    const id = await openAccount(tx, { kind: "user", asset: "EUR", floorCents: 0 });
    const fill = {
      key: newKey(),
      debitAccount: from,
      creditAccount: id,
      amountCents: cents,
      kind: "top_up",
    };
    await post(tx, cents > 0 ? [fill] : []);
    return id;
  });
}

export async function spendable(db: Db, account: number): Promise<number | undefined> {
  return (await balancesOf(db, [account]))[0]?.spendableCents;
}
