// Terms on which a seat is sold: session, price, policy, whether it is on sale and to whom.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import {
  type Condition,
  type Lack,
  conditionText,
  isReduced,
  type RefundPolicy,
} from "#contract/tickets/states.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";

export interface SaleTerms extends Condition {
  eventId: string;
  sessionId: string;
  categoryId: string;
  title: string;
  startsAt: Date;
  priceCents: number;
  maxPerPerson: number;
  policy: RefundPolicy;
  onSale: boolean;
}

/** The terms of a price in a session; `not_found` when they belong to different events. */
export async function readSaleTerms(
  db: Db,
  { session, category }: { session: string; category: string },
  at: Date,
): Promise<SaleTerms> {
  const found = await query(db).maybeOne(sql<SaleTerms>`
    select o.id as event_id, s.id as session_id, c.id as category_id, o.title,
      s.starts_at, c.price_cents, o.max_per_person, o.policy,
      c.age_min, c.age_max, c.student, c.quotient_max,
      (o.cancelled_at is null and not company_frozen(o.company_id) and ${at} >= o.sale_from and ${at} < o.sale_until
        and ${at} < s.starts_at) as on_sale
    from ticket_session s join ticket_event o on o.id = s.event_id
    join ticket_category c on c.event_id = o.id
    where s.id = ${session} and c.id = ${category}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Whether a person meets the condition of a price on the day of the session. */
export async function isEligible(
  db: Db,
  condition: Condition,
  personId: number,
  startsAt: Date,
): Promise<boolean> {
  if (!isReduced(condition)) return true;
  const profile = await profileOf(db, personId, parisDay(startsAt));
  return lacksOf(condition, profile).length === 0;
}

/** The proofs that a person lacks for a price; none where they meet its condition. */
export function lacksOf(
  { ageMin, ageMax, student, quotientMax }: Condition,
  profile: { age: number | null; student: boolean; quotient: number | null },
): Lack[] {
  const { age, quotient } = profile;
  const found: Lack[] = [];
  if (ageMin !== null || ageMax !== null) {
    if (age === null) found.push("birthday");
    else if (age < (ageMin ?? age) || age > (ageMax ?? age)) found.push("age");
  }
  if (student && !profile.student) found.push("schooling");
  if (quotientMax !== null) {
    if (quotient === null) found.push("quotient");
    else if (quotient > quotientMax) found.push("quotient_above");
  }
  return found;
}

/** Throws `tickets_profile` {condition} unless the person meets the condition. */
export async function requireEligible(
  db: Db,
  condition: Condition,
  personId: number,
  startsAt: Date,
): Promise<void> {
  if (await isEligible(db, condition, personId, startsAt)) return;
  throw new Problem("tickets_profile", { condition: conditionText(condition) });
}
