// Which members of a family may buy a product today, shown before a rider is chosen; `requirePurchasable`
// refuses by the same rules.
import { sql } from "kysely";
import { addDays, daysBetween, parisDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import type { PassOrder } from "#contract/passes/rows.ts";
import type { Db } from "#server/db/db.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { spansHeld } from "./pass-rows.ts";
import { ineligibilityOf, type PricedProduct } from "./price.ts";
import { spanOf, type Start, startOf } from "./validity.ts";

type Dated = Parameters<typeof startOf>[0] & { id: string };

interface Span {
  from: Date;
  until: Date;
}

/** Whether one of the passes of a person overlaps a span. */
export const isCovered = (held: readonly Span[], { from, until }: Span): boolean =>
  held.some((one) => one.from < until && one.until > from);

const daysOf = ({ kind, from, to, choices }: Start): string[] =>
  kind === "choice"
    ? choices.map(({ on }) => on)
    : Array.from({ length: daysBetween(from, to) + 1 }, (_, ahead) => addDays(from, ahead));

/**
 * French sentence: until when a person has the product already, null where a new one may still begin some
 * day.
 */
export async function coveredWords(
  db: Db,
  product: Dated,
  { holderId, at }: { holderId: number; at: Date },
): Promise<string | null> {
  if (product.kind === "single") return null;
  const held = await spansHeld(db, { holderId, productId: product.id, at });
  if (held.length === 0) return null;
  const days = daysOf(startOf(product, parisDay(at)));
  if (days.some((day) => !isCovered(held, spanOf(product, day, at)))) return null;
  const last = Math.max(...held.map(({ until }) => until.getTime()));
  return `Déjà couvert par ce titre jusqu’au ${formatDate(parisDay(new Date(last - 1)))}.`;
}

/**
 * The card in use of a buyer and of each of their children, with the reason why it may not have the product.
 */
export async function ridersOf(
  db: Db,
  product: Dated & PricedProduct,
  { buyerId, at }: { buyerId: number; at: Date },
): Promise<PassOrder["riders"]> {
  const { rows } = await sql<{ id: number; cardnumber: number }>`
    select rider.id, card.number as cardnumber
    from (select ${buyerId}::bigint as id union select member_id from current_ties()
      where guardian_id = ${buyerId} and role = 'child') rider
    cross join lateral current_card(rider.id) card`.execute(db);
  const { from } = startOf(product, parisDay(at));
  return await Promise.all(
    rows.map(async ({ id: holderId, cardnumber }) => ({
      cardnumber,
      reason:
        ineligibilityOf(product, await profileOf(db, holderId, from)) ??
        (await coveredWords(db, product, { holderId, at })),
    })),
  );
}
