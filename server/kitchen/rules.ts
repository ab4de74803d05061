// The rules of a canteen: read, previewed before they are saved, saved. An order keeps the rules that it was
// made under, so nothing here touches one.
import { sql } from "kysely";
import { deadlineOf } from "#contract/kitchen/deadlines.ts";
import type { CanteenRules, RulesPreview } from "#contract/kitchen/rules.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditAct } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CanteenCall } from "./canteens.ts";
import { offeredPrices, pricesByQuotient } from "./prices.ts";
import { type ServiceCalendar, serviceCalendars } from "./service-days.ts";

/** The rules of a canteen, and the prices that it offers. */
export async function readRules({ deps, canteen: { id } }: CanteenCall<unknown>) {
  const prices = await offeredPrices(deps.db, [id], parisDay(deps.now()));
  return {
    rules: await rulesOf(deps.db, id),
    prices: prices.map(({ price }) => price),
  };
}

async function rulesOf(db: Db, canteenId: string): Promise<CanteenRules> {
  return await query(db).one(sql<CanteenRules>`
    select order_deadline, cancel_deadline,
      late_cancel_percent, absence_percent,
      sick_paid_days, sick_certificate,
      max_per_week, seats, needs_validation
    from canteen where id = ${canteenId}`);
}

/** Called in the transaction in which the rules of a canteen are saved, with the seats of its services. */
export const onRulesSaved: ((
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  saved: { canteenId: string; seats: number; at: Date },
) => Promise<void>)[] = [];

/** Saves the rules; services to come that have orders follow with their seats (`onRulesSaved`). */
export function saveRules(
  call: CanteenCall<{ rules: CanteenRules }>,
): Promise<{ message: string }> {
  const {
    deps,
    canteen: { id, name },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    await lockCanteens(tx, [id]);
    const before = await rulesOf(tx, id);
    const after = input.rules;
    const changed = (Object.keys(after) as (keyof CanteenRules)[]).filter(
      (rule) => wordsOf(before[rule]) !== wordsOf(after[rule]),
    );
    if (changed.length === 0) return { message: "Ces règles sont déjà celles de la cantine." };
    await writeRules(tx, id, after);
    for (const step of onRulesSaved) {
      await step(tx, deps, { canteenId: id, seats: after.seats, at });
    }
    const details = { name, ...Object.fromEntries(changed.map((rule) => [rule, after[rule]])) };
    await auditAct(tx, call, "canteen.rules", { details, at });
    return { message: "Les règles sont enregistrées. Les repas déjà commandés gardent les leurs." };
  });
}

// The database returns the members of a rule in an order of its own.
const wordsOf = (rule: CanteenRules[keyof CanteenRules]): string =>
  JSON.stringify(
    rule,
    rule !== null && typeof rule === "object" ? Object.keys(rule).toSorted() : null,
  );

async function writeRules(tx: Tx, id: string, rules: CanteenRules): Promise<void> {
  await sql`update canteen set
      order_deadline = ${JSON.stringify(rules.orderDeadline)}::jsonb,
      cancel_deadline = ${JSON.stringify(rules.cancelDeadline)}::jsonb,
      late_cancel_percent = ${rules.lateCancelPercent}, absence_percent = ${rules.absencePercent},
      sick_paid_days = ${rules.sickPaidDays}, sick_certificate = ${rules.sickCertificate},
      max_per_week = ${rules.maxPerWeek}, seats = ${rules.seats},
      needs_validation = ${rules.needsValidation}
    where id = ${id}`.execute(tx);
}

/** Locks canteens: serializes changes of their rules, prices and closings, and their messages. */
export async function lockCanteens(tx: Tx, canteenIds: readonly string[]): Promise<void> {
  await sql`select from canteen where id = any (${canteenIds}::uuid[])
    order by id for no key update`.execute(tx);
}

/** Previews the effect of unsaved rules on the services of four weeks, and meals by quotient. */
export async function previewRules({
  deps,
  canteen: { id, servesFrom },
  input,
}: CanteenCall<{ rules: CanteenRules }>): Promise<RulesPreview> {
  const now = deps.now();
  const calendars = await serviceCalendars(deps.db, [id], parisDay(now));
  const calendar = calendars.get(id) as ServiceCalendar;
  const { orderDeadline, cancelDeadline } = input.rules;
  const days = previewDays(calendar, parisDay(now)).map((day) => {
    const meal = { day, servesFrom };
    const orderUntil = deadlineOf(orderDeadline, meal, calendar.closures);
    const cancelUntil = deadlineOf(cancelDeadline, meal, calendar.closures);
    return {
      day,
      orderUntil: orderUntil?.toISOString() ?? null,
      cancelUntil: cancelUntil?.toISOString() ?? null,
      canOrder: orderUntil !== null && now <= orderUntil,
      canCancel: cancelUntil !== null && now <= cancelUntil,
    };
  });
  return { days, prices: await pricesByQuotient(deps.db, id, parisDay(now)) };
}

/** Service days of four weeks from the next one on, which in summer is after the holidays. */
function previewDays(calendar: ServiceCalendar, today: string): string[] {
  const ahead = Array.from({ length: 150 }, (_, index) => addDays(today, index));
  const served = ahead.filter((day) => calendar.closedWhy(day) === null);
  const [first = today] = served;
  return served.filter((day) => day < addDays(first, 28));
}
