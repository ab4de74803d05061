// Expiry of granted money: what was not spent in time leaves the wallet, once, and the person is notified. It
// goes back to its giver, where the lot names one.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { formatMoney } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { eachRow } from "#server/db/each-row.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { sqlLink } from "#server/db/link.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { lockedBalances, post } from "#server/ledger/ledger.ts";
import { announce } from "#server/notifications/notifications.ts";
import { aidReturned } from "./returned-aids.ts";

/** SQL: where the operations of a wallet (alias `w`) are. */
const movementsOf = sqlLink(paths.movements, { objectID: sql.ref("w.object_id") });

interface DueLot {
  /** Of the lot's ledger account. */
  id: number;
  label: string;
  personId: number;
  /** The page of the wallet: a professional has no list of wallets. */
  path: string;
}

/**
 * Empties the lots whose last day is past, `atOnce` read together. Money on hold stays until it is paid or
 * released; released money expires at the next run. Answers how many lots were emptied.
 */
export async function expireLots(deps: Deps, atOnce?: { atOnce: number }): Promise<number> {
  const today = parisDay(deps.now());
  let emptied = 0;
  await eachRow(
    (after: number | null, limit) => dueLots(deps.db, { today, after: after ?? 0, limit }),
    async (lot) => {
      if (await expireLot(deps, lot)) emptied += 1;
    },
    atOnce,
  );
  return emptied;
}

/** Lots whose last day is before `today` and that are not empty, with an account id greater than `after`. */
async function dueLots(
  db: Db,
  { today, after, limit }: { today: string; after: number; limit: number },
): Promise<DueLot[]> {
  const { rows } = await sql<DueLot>`
    select l.account_id as id, l.label, w.person_id,
      case p.type when 1 then ${sql.lit(paths.wallets)} else ${movementsOf} end as path
    from wallet_lot l join wallet w on w.id = l.wallet_id join person p on p.id = w.person_id
    where l.expired_at is null and l.expires_on < ${today}::date and l.account_id > ${after}
    order by l.account_id limit ${limit}`.execute(db);
  return rows;
}

/** Money that came back to expired lots is swept again at the next run. */
export async function sweepAgain(tx: Tx, accountIds: readonly number[], at: Date): Promise<void> {
  await sql`update wallet_lot set expired_at = null
    where account_id = any (${[...accountIds]}::bigint[]) and expired_at is not null
      and expires_on < paris_day(${at}::timestamptz)`.execute(tx);
}

async function expireLot(deps: Deps, lot: DueLot): Promise<boolean> {
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<{ to: number; isAid: boolean }>`
      select coalesce(l.returns_to, s.account_id) as to, l.returns_to is not null as is_aid
      from wallet_lot l, scheme_account s
      where l.account_id = ${lot.id} and l.expired_at is null and s.name = 'expired'
      for no key update of l`);
    if (!found) return false;
    const { to, isAid } = found;
    const [balance] = await lockedBalances(tx, [lot.id]);
    const amountCents = balance?.spendableCents ?? 0;
    if ((balance?.heldCents ?? 0) === 0) {
      await tx
        .updateTable("walletLot")
        .set({ expiredAt: at })
        .where("accountId", "=", lot.id)
        .execute();
    }
    if (amountCents === 0) return false;
    await post(tx, [
      {
        // The instant distinguishes a later sweep, after a hold was released.
        key: `expiry:${lot.id}:${at.toISOString()}`,
        debitAccount: lot.id,
        creditAccount: to,
        amountCents,
        kind: "expiry",
        memo: { label: lot.label },
        at,
      },
    ]);
    if (isAid) {
      await aidReturned(tx, { accountId: lot.id, amountCents, why: "expired", at });
    }
    await announce(tx, deps, {
      to: [lot.personId],
      about: "expiry",
      title: "Une aide a expiré",
      body: `«\u00a0${lot.label}\u00a0»\u202f: ${formatMoney(amountCents)} n'ont pas été utilisés à temps.`,
      path: lot.path,
      at,
      changed: ["wallets"],
    });
    return true;
  });
}
