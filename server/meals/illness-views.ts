// Illnesses as the family and the desk read them.
import { type RawBuilder, sql } from "kysely";
import type { DeskIllness, IllnessView } from "#contract/meals/illness.ts";
import { illnessCan, type IllnessTerms } from "#contract/meals/states.ts";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { canteen as limits } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import { documentsOf, type AttachmentTarget } from "#server/documents/documents.ts";
import type { CanteenCall } from "#server/kitchen/kitchen.ts";
import { sumsOf } from "./illness-plan.ts";
import { readTerms, type TermsBook } from "./meal-terms.ts";
import { hasOffer } from "./seat-offers.ts";

/** The attachment target of an illness's certificate. */
export const certificateOf = (illnessId: string): AttachmentTarget => ({
  kind: "illness",
  id: illnessId,
});

interface Row {
  id: string;
  registrationId: string;
  name: string;
  cardnumber: number;
  className: string;
  canteen: string;
  from: string;
  to: string;
  state: IllnessView["state"];
  announcedAt: Date;
  certificateUntil: Date | null;
  sentAt: Date | null;
  reason: string | null;
  meals: {
    order: string;
    canteen: string;
    day: string;
    priceCents: number;
    terms: IllnessTerms;
    costCents: number;
  }[];
}

async function rowsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select i.id, i.registration_id, p.name, known.number as cardnumber,
      r.class as class_name, c.name as canteen, to_char(i.from_on, 'YYYY-MM-DD') as "from",
      to_char(i.to_on, 'YYYY-MM-DD') as "to", i.state, i.declared_at as announced_at,
      i.certificate_until, i.sent_at, i.reason,
      coalesce((select json_agg(json_build_object('order', o.id, 'canteen', c.name, 'day', o.on_day,
          'priceCents', o.price_cents, 'terms', m.terms, 'costCents', m.cost_cents) order by o.on_day)
        from meal_illness_meal m join meal_order o on o.id = m.order_id
        where m.illness_id = i.id), '[]') as meals
    from meal_illness i join canteen_registration r on r.id = i.registration_id
    join canteen c on c.id = r.canteen_id join person p on p.id = r.person_id
    cross join lateral current_card(p.id) known
    where ${condition} order by ${order} limit 200`.execute(db);
  return rows;
}

async function toDeskView(db: Db, rows: readonly Row[], at: Date): Promise<DeskIllness[]> {
  const files = await documentsOf(
    db,
    rows.map(({ id }) => certificateOf(id)),
  );
  const open = rows.filter((row) => illnessCan.withdraw(row) && row.to >= parisDay(at));
  const book = await mealTermsOf(db, open);
  const withdrawable = new Set(open.filter((row) => withdrawProblemIn(book, row, at) === null));
  return rows.map((illness) => {
    const { registrationId: _registrationId, meals, ...row } = illness;
    return {
      ...row,
      meals: meals.length,
      ...sumsOf(meals),
      announcedAt: row.announcedAt.toISOString(),
      certificateUntil: row.certificateUntil?.toISOString() ?? null,
      sentAt: row.sentAt?.toISOString() ?? null,
      documents: files
        .filter(({ of }) => of === row.id)
        .map(({ id, name, kind, bytes }) => ({ id, name, kind, bytes })),
      canWithdraw: withdrawable.has(illness),
    };
  });
}

/** Illnesses `i` of registrations `r` under a condition, the last days first. */
export async function illnessesWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  at: Date,
): Promise<IllnessView[]> {
  const rows = await rowsWhere(db, condition, sql`i.from_on desc, p.name, i.id`);
  const views = await toDeskView(db, rows, at);
  return views.map(({ className: _className, sentAt: _sentAt, ...view }) => view);
}

/** Illnesses at a canteen of the caller: certificates to answer, then the last days first. */
export async function readDeskIllnesses({ deps, canteen: { id } }: CanteenCall<unknown>) {
  const at = deps.now();
  const rows = await rowsWhere(
    deps.db,
    sql`c.id = ${id} and i.state <> 'withdrawn'
      and (i.state in ('awaited', 'sent', 'refused') or i.to_on >= ${addDays(parisDay(at), -31)}::date)`,
    sql`i.state = 'sent' desc, case when i.state = 'sent' then i.sent_at end, i.from_on desc, p.name, i.id`,
  );
  return { items: await toDeskView(deps.db, rows, at) };
}

/** The fields of an illness that decide whether it can be withdrawn. */
interface AnnouncedIllness {
  registrationId: string;
  meals: readonly { day: string }[];
  announcedAt: Date;
}

/** Reads the terms of the meals of illnesses in one batch; null if there is no meal. */
async function mealTermsOf(
  db: Db,
  illnesses: readonly AnnouncedIllness[],
): Promise<TermsBook | null> {
  const days = illnesses.flatMap(({ meals }) => meals.map(({ day }) => day)).toSorted();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return null;
  const registrations = [...new Set(illnesses.map(({ registrationId }) => registrationId))];
  return await readTerms(db, registrations, { from, to, priced: [] });
}

/**
 * The problem that keeps an illness from being withdrawn at an instant; null when it can be: each meal can be
 * ordered again, or the illness was announced a moment ago.
 */
export const withdrawProblem = async (
  db: Db,
  illness: AnnouncedIllness,
  at: Date,
): Promise<Problem | null> => withdrawProblemIn(await mealTermsOf(db, [illness]), illness, at);

/** The same, from terms already read for several illnesses. */
function withdrawProblemIn(
  book: TermsBook | null,
  { registrationId, meals, announcedAt }: AnnouncedIllness,
  at: Date,
): Problem | null {
  if (book === null || meals.length === 0) return new Problem("illness_state");
  const row = book.registrations.get(registrationId);
  if (!row?.accepted) return new Problem("meal_not_registered");
  const isFresh = at.getTime() - announcedAt.getTime() <= limits.undoSeconds * 1000;
  for (const day of meals.map((meal) => meal.day).toSorted()) {
    const terms = book.on(registrationId, day);
    const isOpen =
      at < instantOfParis(day, row.servesFrom) &&
      terms.orderUntil !== null &&
      at <= terms.orderUntil;
    if (!isFresh && !isOpen) return new Problem("illness_withdraw_late", { day: formatDate(day) });
    if (terms.closedWhy !== null) {
      return new Problem("meal_closed", { day: formatDate(day), why: terms.closedWhy });
    }
    if (terms.order) return new Problem("meal_already_ordered", { day: formatDate(day) });
    if (terms.seatsLeft < 1 && !hasOffer(terms.wait, { at }))
      return new Problem("illness_seat_gone", { day: formatDate(day) });
  }
  return null;
}
