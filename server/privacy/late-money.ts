// Money that reaches an account after it was closed: the refund of a cancelled event, a late payment.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import { query } from "#server/db/query.ts";
import { audit } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import { emptyWallets, schemeAccount } from "#server/wallet/wallet.ts";

/**
 * The daily job: money that came back to closed accounts since, as a refunded ticket or a late payment,
 * leaves them again as a refund of its own. It goes to the stored IBAN, else the operator asks for one. Money
 * on hold or in a frozen wallet waits for another night, and delays no other account. `atOnce` accounts are
 * read together.
 */
export async function returnLateMoney(deps: Deps, atOnce?: { atOnce: number }): Promise<number> {
  const due = async (after: number | null, limit: number) => {
    const { rows } = await sql<{ id: number; closure: string }>`
      select distinct on (c.person_id) c.person_id as id, c.id as closure from closure c
      where c.state = 'closed' and c.person_id > ${after ?? 0} and exists (
        select from wallet w join wallet_lot l on l.wallet_id = w.id
        join ledger_account a on a.id = l.account_id
        where w.person_id = c.person_id and a.balance > 0)
      order by c.person_id, c.number desc limit ${limit}`.execute(deps.db);
    return rows;
  };
  let returned = 0;
  const giveBack = async ({ closure }: { closure: string }) => {
    try {
      await inTx(deps.db, (tx) => returnLate(tx, deps, closure));
      returned += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      deps.log.warn({ closure, code: error.code }, "money of a closed account waits");
    }
  };
  await eachRow(due, giveBack, atOnce);
  return returned;
}

async function returnLate(tx: Tx, deps: Deps, closed: string): Promise<void> {
  const at = deps.now();
  await sql`select from closure where id = ${closed} for update`.execute(tx);
  const late = await query(tx).maybeOne(sql<{ id: string; personId: number }>`
    insert into closure (person_id, requested_by, requested_at, closes_on, state, answered_at, beneficiary,
      iban_sealed, iban_end)
    select person_id, requested_by, ${at}::timestamptz, paris_day(${at}::timestamptz), 'closed', ${at}, beneficiary,
      iban_sealed, case when iban_sealed is not null then iban_end end
    from closure where id = ${closed} returning id, person_id`);
  if (!late) throw new Error(`closure ${closed} is gone`);
  const { id, personId } = late;
  const { refundCents } = await emptyWallets(tx, {
    personId,
    to: await schemeAccount(tx, "closures"),
    grants: await schemeAccount(tx, "grants"),
    key: `closure:${id}`,
    at,
  });
  await sql`update closure set refund_cents = ${refundCents} where id = ${id}`.execute(tx);
  await audit(tx, { personId, action: "privacy.returned", actor: "system", address: null, at });
}
