// Closings of a canteen: days on which it does not serve. Orders of those days are cancelled free of charge;
// reopening restores none of them.
import { sql } from "kysely";
import type { CanteenClosing } from "#contract/meals/closings.ts";
import { addDays, daysBetween, instantOfParis, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, plural } from "#contract/french.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAct } from "#server/identity/identity.ts";
import { type CanteenCall, lockCanteens, type RunCanteen } from "#server/kitchen/kitchen.ts";
import { cancelForClosing } from "./closings-orders.ts";

interface ClosedDays {
  from: string;
  to: string;
}

/** The closings that are not over. */
export async function readClosings({ deps, canteen: { id } }: CanteenCall<unknown>) {
  const { rows: items } = await sql<CanteenClosing>`
    select id, from_on as "from", to_on as "to", reason from canteen_closing
    where canteen_id = ${id} and to_on >= ${parisDay(deps.now())}::date
    order by from_on, id`.execute(deps.db);
  return { items };
}

/** How many orders a closing would cancel; refuses what `addClosing` refuses. */
export async function previewClosing({ deps, canteen, input }: CanteenCall<ClosedDays>) {
  await requireClosable(deps.db, canteen, input, deps.now());
  const { orders } = await query(deps.db).one(sql<{ orders: number }>`
    select count(*)::int as orders from meal_order
    where canteen_id = ${canteen.id} and on_day between ${input.from}::date and ${input.to}::date
      and state in ('reserved', 'validated')`);
  return { orders };
}

/**
 * Closes a canteen for some days; `orders` is the number that the preview showed. Refuses `closing_dates`,
 * `closing_past` once the first day's service began, `closing_overlaps`, and `closing_orders_changed` when
 * other orders would be cancelled by now.
 */
export function addClosing(
  call: CanteenCall<ClosedDays & { reason: string; orders: number }>,
): Promise<{ message: string; orders: number }> {
  const { deps, canteen, input } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const { id, name } = canteen;
    await lockCanteens(tx, [id]);
    await requireClosable(tx, canteen, input, at);
    const { from, to } = input;
    const reason = input.reason.trim();
    await sql`insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
      values (${id}, ${from}, ${to}, ${reason}, ${at})`.execute(tx);
    const orders = await cancelForClosing(tx, deps, { canteenId: id, name, from, to, reason, at });
    if (orders !== input.orders) throw new Problem("closing_orders_changed", { orders });
    const details = { name, from, to, reason, orders };
    await auditAct(tx, call, "canteen.close", { details, at });
    const cancelled =
      orders === 0
        ? "Aucune commande n’était passée pour ces jours."
        : `${plural(orders, "commande annulée", "commandes annulées")} sans frais, les familles sont prévenues.`;
    return { message: `La fermeture est enregistrée. ${cancelled}`, orders };
  });
}

async function requireClosable(
  db: Db,
  { id, servesFrom }: RunCanteen,
  { from, to }: ClosedDays,
  at: Date,
): Promise<void> {
  const length = daysBetween(from, to);
  if (length < 0 || length > 365) throw new Problem("closing_dates");
  if (instantOfParis(from, servesFrom) <= at) throw new Problem("closing_past");
  const other = await query(db).maybeOne(sql<{ reason: string; from: string; to: string }>`
    select reason, from_on as "from", to_on as "to" from canteen_closing
    where canteen_id = ${id} and from_on <= ${to}::date and to_on >= ${from}::date
    order by from_on limit 1`);
  if (other) {
    const days = `du ${formatDate(other.from)} au ${formatDate(other.to)}`;
    throw new Problem("closing_overlaps", { reason: `${other.reason}, ${days}` });
  }
}

/** Reopens the days of a closing that are to come; refuses `closing_past` when there are none. */
export function removeClosing(
  call: CanteenCall<{ closing: string }>,
): Promise<{ message: string }> {
  const {
    deps,
    canteen: { id, name },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const closing = await query(tx).maybeOne(sql<CanteenClosing>`
      select id, from_on as "from", to_on as "to", reason from canteen_closing
      where id = ${input.closing} and canteen_id = ${id} for update`);
    if (!closing) throw new Problem("not_found");
    const today = parisDay(at);
    if (closing.to < today) throw new Problem("closing_past");
    if (closing.from >= today) {
      await sql`delete from canteen_closing where id = ${closing.id}`.execute(tx);
    } else {
      await sql`update canteen_closing set to_on = ${addDays(today, -1)}::date
        where id = ${closing.id}`.execute(tx);
    }
    const { from, to, reason } = closing;
    await auditAct(tx, call, "canteen.reopen", { details: { name, from, to, reason }, at });
    return {
      message: "La cantine sert de nouveau ces jours-là. Les repas annulés sont à recommander.",
    };
  });
}
