// Effect of an illness on each meal of some days: refunded at once, due, or refunded with a certificate. An
// illness never costs more than an ordinary cancellation.
import { sql } from "kysely";
import type { IllnessMeal } from "#contract/meals/illness.ts";
import { addDays, daysBetween, instantOfParis, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { illness as limits } from "#contract/meals/limits.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { cancelCost } from "./orders.ts";
import { type ServiceCalendar, serviceCalendars } from "#server/kitchen/kitchen.ts";

/** Effect of an illness on the meals of one registration. */
export interface IllnessPlan {
  registrationId: string;
  canteenId: string;
  canteen: string;
  providerId: number;
  meals: IllnessMeal[];
  /** Days that are still due of those that the canteen asks, for an illness that continues this one. */
  paidDaysLeft: number;
  certificateUntil: Date | null;
}

/** Days of an illness, ISO dates, both included. */
export interface IllnessDays {
  from: string;
  to: string;
}

/** Refuses `illness_dates` for days that are past, too many, or in the wrong order. */
export function requireIllnessDays({ from, to }: IllnessDays, at: Date): void {
  const length = daysBetween(from, to);
  if (from < parisDay(at) || length < 0 || length >= limits.max) {
    throw new Problem("illness_dates", { max: limits.max });
  }
}

interface OpenMeal {
  order: string;
  registrationId: string;
  canteenId: string;
  canteen: string;
  providerId: number;
  day: string;
  priceCents: number;
  cancelUntil: Date | null;
  lateCancelPercent: number;
  absencePercent: number;
  servesFrom: string;
  sickPaidDays: number;
  sickCertificate: boolean;
}

/** Effect of a person's illness at an instant, by registration; none without an open meal. */
export async function planIllness(
  db: Db,
  personId: number,
  days: IllnessDays,
  at: Date,
): Promise<IllnessPlan[]> {
  const { rows } = await sql<OpenMeal>`
    select o.id as "order", o.registration_id, o.canteen_id,
      c.name as canteen, c.provider_id, to_char(o.on_day, 'YYYY-MM-DD') as day,
      o.price_cents, o.cancel_until,
      o.late_cancel_percent, o.absence_percent,
      to_char(c.serves_from, 'HH24:MI') as serves_from, c.sick_paid_days,
      c.sick_certificate
    from meal_order o join canteen c on c.id = o.canteen_id
    where o.person_id = ${personId} and o.state in ('reserved', 'validated')
      and o.on_day between ${days.from}::date and ${days.to}::date
    order by o.on_day, o.number`.execute(db);
  const calendars = await serviceCalendars(
    db,
    [...new Set(rows.map(({ canteenId }) => canteenId))],
    addDays(days.from, -maxGapDays),
  );
  const plans: IllnessPlan[] = [];
  for (const [registrationId, meals] of Map.groupBy(rows, (row) => row.registrationId)) {
    const [{ canteenId, canteen, providerId, sickPaidDays }] = meals as [OpenMeal];
    const calendar = calendars.get(canteenId) as ServiceCalendar;
    const before = await continuedIllness(db, registrationId, days.from, calendar);
    const paidDays = before ?? sickPaidDays;
    const plannedMeals = meals.map((meal, index) => toPlannedMeal(meal, index < paidDays, at));
    const asks = plannedMeals.some(({ terms }) => terms === "proof");
    plans.push({
      registrationId,
      canteenId,
      canteen,
      providerId,
      meals: plannedMeals,
      paidDaysLeft: Math.max(0, paidDays - meals.length),
      certificateUntil: asks ? certificateEnd(days.to) : null,
    });
  }
  return plans;
}

/** Until the end of the last day in Paris. */
const certificateEnd = (to: string): Date =>
  instantOfParis(addDays(to, limits.toProve + 1), "00:00");

function toPlannedMeal(meal: OpenMeal, isPaidDay: boolean, at: Date): IllnessMeal {
  const { order, canteen, day, priceCents } = meal;
  // Once its service has begun a meal can no longer be cancelled: it would be an absence.
  const costCents =
    at < instantOfParis(day, meal.servesFrom)
      ? cancelCost(meal, at)
      : Math.round((priceCents * meal.absencePercent) / 100);
  const terms =
    costCents === 0 ? "free" : isPaidDay ? "due" : meal.sickCertificate ? "proof" : "free";
  return { order, canteen, day, priceCents, terms, costCents: terms === "free" ? 0 : costCents };
}

/** Longest gap without service over which an illness continues, in days. */
const maxGapDays = 5;

/** The days still due of an illness that continues without a day of service between; null for a new one. */
async function continuedIllness(
  db: Db,
  registrationId: string,
  from: string,
  calendar: ServiceCalendar,
): Promise<number | null> {
  const last = await query(db).maybeOne(sql<{ to: string; left: number }>`
    select to_char(to_on, 'YYYY-MM-DD') as "to", paid_days_left as left from meal_illness
    where registration_id = ${registrationId} and state <> 'withdrawn' and from_on <= ${from}::date
      and to_on >= ${from}::date - ${maxGapDays}::int
    order by to_on desc, declared_at desc limit 1`);
  if (!last) return null;
  for (let day = addDays(last.to, 1); day < from; day = addDays(day, 1)) {
    if (calendar.closedWhy(day) === null) return null;
  }
  return last.left;
}

/** The sums of meals, in cents: refunded at once, due, and refunded with a certificate. */
export function sumsOf(meals: readonly IllnessMeal[]) {
  const costOf = (terms: IllnessMeal["terms"]) =>
    meals.reduce((sum, meal) => sum + (meal.terms === terms ? meal.costCents : 0), 0);
  const [dueCents, proofCents] = [costOf("due"), costOf("proof")];
  const totalCents = meals.reduce((sum, { priceCents }) => sum + priceCents, 0);
  return { freeCents: totalCents - dueCents - proofCents, dueCents, proofCents };
}
