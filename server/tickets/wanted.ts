// What somebody wants a seat of: the session, the price, whether it is on sale and for whom.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import {
  type Condition,
  conditionText,
  isReduced,
  type RefundPolicy,
} from "#contract/ticket-states.ts";
import type { Db } from "#server/db/db.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { mayActFor } from "#server/family/family.ts";

export interface Wanted extends Condition {
  offerId: string;
  sessionId: string;
  categoryId: string;
  title: string;
  startsAt: Date;
  priceCents: number;
  mostEach: number;
  policy: RefundPolicy;
  onSale: boolean;
}

/** A price of a session; `not_found` when they do not go together. */
export async function wantedOf(
  db: Db,
  { session, category }: { session: string; category: string },
  at: Date,
): Promise<Wanted> {
  const { rows } = await sql<Wanted>`
    select o.id as "offerId", s.id as "sessionId", c.id as "categoryId", o.title,
      s.starts_at as "startsAt", c.price_cents as "priceCents", o.most_each as "mostEach", o.policy,
      c.age_min as "ageMin", c.age_max as "ageMax", c.student, c.quotient_max as "quotientMax",
      (o.cancelled_at is null and ${at} >= o.sale_from and ${at} < o.sale_until
        and ${at} < s.starts_at) as "onSale"
    from ticket_session s join ticket_offer o on o.id = s.offer_id
    join ticket_category c on c.offer_id = o.id
    where s.id = ${session} and c.id = ${category}`.execute(db);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0];
}

const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Paris" });

/** Whether a price is for a person on the day of the session. */
export async function isEligible(
  db: Db,
  condition: Condition,
  personId: number,
  startsAt: Date,
): Promise<boolean> {
  if (!isReduced(condition)) return true;
  const profile = await profileOf(db, personId, calendar.format(startsAt));
  return fits(condition, profile);
}

export function fits(
  { ageMin, ageMax, student, quotientMax }: Condition,
  profile: { age: number | null; student: boolean; quotient: number | null },
): boolean {
  const { age, quotient } = profile;
  return (
    (ageMin === null || (age !== null && age >= ageMin)) &&
    (ageMax === null || (age !== null && age <= ageMax)) &&
    (!student || profile.student) &&
    (quotientMax === null || (quotient !== null && quotient <= quotientMax))
  );
}

/** Refuses with `tickets_profile` {condition}. */
export async function refuseProfile(
  db: Db,
  condition: Condition,
  personId: number,
  startsAt: Date,
): Promise<void> {
  if (await isEligible(db, condition, personId, startsAt)) return;
  throw new Problem("tickets_profile", { condition: conditionText(condition) });
}

/** The person of a card of one's own or of a child one answers for; else `not_found`. */
export async function reachedPerson(db: Db, me: number, cardnumber: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select p.id from card c join person p on p.id = c.person_id
    where c.number = ${cardnumber} and p.type = 1
      and ${mayActFor(me, sql.ref("p.id"))}`.execute(db);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0].id;
}
