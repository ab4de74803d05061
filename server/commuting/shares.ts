// The share of a purchase: which employer pays which part of a pass, and its booking once the pass is bought.
import { sql } from "kysely";
import { employerShareOf, isShared } from "#contract/commuting/law.ts";
import type { EmployerShare } from "#contract/passes/fares.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { FareKind } from "#contract/passes/states.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { post } from "#server/ledger/ledger.ts";
import { lastDayOf, type SharedFare, type SharedPurchase } from "#server/passes/passes.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";

/**
 * The employer's share of a pass: of a subscription that its offer grants, while the enrolment runs, and not
 * of a second one for days that a shared pass, bought or being paid, already covers. Null where none pays.
 */
export async function shareOf(db: Db, fare: SharedFare): Promise<EmployerShare | null> {
  const { holderId, productId, kind, cents, firstDay, lastDay } = fare;
  if (!isShared(kind) || cents === 0) return null;
  const found = await query(db).maybeOne(sql<{ enrolment: string; name: string; percent: number }>`
    select e.id as enrolment, c.name, p.employer_percent as percent
    from commuting_enrolment e join commuting_plan p on p.id = e.plan_id
    join company c on c.id = p.company_id join transport_service t on t.id = p.service_id
    where e.holder_id = ${holderId} and e.state = 'active' and t.hidden_why is null
      and ${productId} = any (t.products)
      and not exists (select from commuting_purchase b
        join commuting_enrolment o on o.id = b.enrolment_id
        where o.holder_id = ${holderId} and b.first_day <= ${lastDay}::date
          and b.last_day >= ${firstDay}::date)`);
  if (!found || (await isPromised(db, fare))) return null;
  const { enrolment, name, percent } = found;
  return { enrolment, name, percent, cents: employerShareOf(cents, percent) };
}

/** Whether a purchase that is being paid has a share for some of these days. */
async function isPromised(
  db: Db,
  { holderId, firstDay, lastDay }: Pick<SharedFare, "holderId" | "firstDay" | "lastDay">,
): Promise<boolean> {
  const { rows } = await sql<{ kind: FareKind; minutes: number | null; startOn: string }>`
    select f.kind, f.minutes, to_char(o.start_on, 'YYYY-MM-DD') as start_on
    from pass_order o join fare_product f on f.id = o.product_id
    where o.holder_id = ${holderId} and o.state = 'awaiting_payment' and o.employer_cents > 0
      and o.start_on <= ${lastDay}::date`.execute(db);
  return rows.some(({ startOn, ...sold }) => lastDayOf(sold, startOn) >= firstDay);
}

/**
 * Books the share of a pass that was just created, under its holder's lock: the employer owes it to the
 * network. Refuses `price_changed` for days that another shared pass covers by now.
 */
export async function bookShare(tx: Tx, purchase: SharedPurchase): Promise<void> {
  const { orderId, enrolmentId, productName, kind, cents, employerCents, at } = purchase;
  const { rows: other } = await sql`select from commuting_purchase b
    join commuting_enrolment o on o.id = b.enrolment_id
    where o.holder_id = ${purchase.holderId} and b.order_id <> ${orderId}
      and b.first_day <= ${purchase.lastDay}::date and b.last_day >= ${purchase.firstDay}::date
    limit 1`.execute(tx);
  if (other.length > 0) throw new Problem("price_changed", { total: formatMoney(cents) });
  await sql`
    insert into commuting_purchase (order_id, enrolment_id, product_name, kind, first_day, last_day,
      price_cents, employer_cents, employer_percent, bought_at)
    values (${orderId}, ${enrolmentId}, ${productName}, ${kind}, ${purchase.firstDay},
      ${purchase.lastDay}, ${cents}, ${employerCents}, ${purchase.employerPercent}, ${at})`.execute(
    tx,
  );
  await post(tx, [
    {
      key: `commuting:${orderId}`,
      debitAccount: await schemeAccount(tx, "employers"),
      creditAccount: await schemeAccount(tx, "transport"),
      amountCents: employerCents,
      kind: "employer_share",
      memo: { label: purchase.label },
      at,
    },
  ]);
}
