// Yearly subscriptions sold with a card: the formulas, the application from formula to payment, which
// subscription covers which card until when. Refuses a formula for which a card is not eligible, a price or
// content other than the one read, and payment for a closed application.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import type { HeldSubscription, subscriptions } from "#contract/subscriptions/rows.ts";
import type { Deps } from "#server/process/deps.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { holderFor } from "#server/family/family.ts";
import { cancelUntil } from "./cancellation.ts";
import { renewFrom, startAfter } from "./applications.ts";
import { expireSubscriptions, deleteStaleApplications, remindBeforeEnd } from "./jobs.ts";
import { formulasOnSale } from "./formulas.ts";
import { conditionsOf, proofsFor, quoteOf } from "./price.ts";
import {
  childrenOf,
  coversOf,
  lastDayOf,
  type SubscriptionRow,
  subscriptionsWhere,
  isPayer,
} from "./rows.ts";

type CardCall = PersonCall<{ cardnumber: number }>;

/**
 * Running subscriptions of a card, its open application, and past ones, newest first; a card covered by
 * somebody else's family subscription shows it too. A card that is not the caller's or their child's
 * is `not_found`.
 */
export async function readSubscriptionsOf({
  deps,
  caller,
  input,
}: CardCall): Promise<Output<typeof subscriptions.list>> {
  const { db } = deps;
  const holder = await holderFor(db, caller.personId, input.cardnumber);
  const { id: personId, cardnumber, name } = holder;
  const rows = await subscriptionsWhere(
    db,
    sql`s.state <> 'abandoned' and (s.person_id = ${personId} or (s.state in ('active', 'expired')
      and exists (select from subscription_cover v
        where v.subscription_id = s.id and v.person_id = ${personId})))`,
  );
  const open = rows.find(({ state }) => state === "draft" || state === "review");
  const lastDay = await lastDayOf(db, personId);
  const ids = rows.map(({ id }) => id);
  const [covers, names] = [await coversOf(db, ids), await namesOf(deps, rows)];
  const today = parisDay(deps.now());
  return {
    holder: { cardnumber, name, own: personId === caller.personId },
    endsOn: lastDay,
    renewFrom: renewFrom(lastDay, today),
    open: open
      ? {
          id: open.id,
          state: open.state,
          formula: names.get(open.id)?.formula ?? open.formula,
          changedAt: open.changedAt.toISOString(),
          paidAt: open.paidAt?.toISOString() ?? null,
        }
      : null,
    items: rows
      .filter(({ state }) => state !== "draft")
      .map((row) => ({
        ...toHeldView(row, deps.now()),
        ...(names.get(row.id) ?? { formula: row.formula, options: [] }),
        // The other people covered by somebody else's subscription are private, and so is another guardian's
        // payment (spec.md 18).
        ...(row.personId === personId
          ? { own: true, covers: covers.get(row.id) ?? [] }
          : { own: false, covers: [row.holder, name] }),
        ...(row.personId === personId && isPayer(row, caller.personId)
          ? { payer: true, cancelUntil: cancelUntil(row, deps.now()) }
          : { payer: false, paidCents: 0, cancelUntil: null }),
      })),
  };
}

type HeldView = Omit<
  HeldSubscription,
  "formula" | "options" | "covers" | "own" | "payer" | "cancelUntil"
>;

function toHeldView(row: SubscriptionRow, now: Date): HeldView {
  const { id, state, reason, paidCents, paidAt, startsOn, endsOn } = row;
  const today = parisDay(now);
  return {
    id,
    state,
    startsOn: startsOn ?? today,
    endsOn: endsOn ?? today,
    upcoming: state === "active" && (startsOn ?? today) > today,
    paidCents: paidCents ?? 0,
    paidAt: (paidAt ?? row.changedAt).toISOString(),
    reason,
  };
}

/** Names of the formula and options of each subscription. */
async function namesOf(
  { db }: Deps,
  rows: readonly SubscriptionRow[],
): Promise<Map<string, { formula: string; options: string[] }>> {
  const { rows: named } = await sql<{ id: string; formula: string; options: string[] }>`
    select s.id, f.name as formula, coalesce((select array_agg(o.name order by o.place)
      from subscription_option o where o.code = any (s.options)), '{}') as options
    from subscription s
    join subscription_formula f on f.code = s.formula and f.version = s.formula_version
    where s.id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(db);
  return new Map(named.map(({ id, formula, options }) => [id, { formula, options }]));
}

/** The formulas for a card as of today, those for which it is eligible first. */
export async function readFormulasFor({
  deps,
  caller,
  input,
}: CardCall): Promise<Output<typeof subscriptions.offer>> {
  const { db } = deps;
  const { id: personId, cardnumber, name } = await holderFor(db, caller.personId, input.cardnumber);
  const startsOn = startAfter(await lastDayOf(db, personId), parisDay(deps.now()));
  const profile = await profileOf(db, personId, startsOn);
  const children = (await childrenOf(db, personId)).map((child) => child.name);
  const formulas = (await formulasOnSale(db)).map((formula) => {
    const conditions = conditionsOf(formula, profile);
    const { code, name: label, summary, opens, coversChildren } = formula;
    return {
      code,
      name: label,
      summary,
      opens,
      open: conditions.every(({ met }) => met !== "no"),
      conditions,
      proofs: proofsFor(formula, conditions),
      covers: coversChildren ? children : [],
      quote: quoteOf(formula, [], profile, startsOn),
    };
  });
  return {
    holder: { cardnumber, name, own: personId === caller.personId },
    formulas: formulas.toSorted((a, b) => Number(b.open) - Number(a.open)),
  };
}

/** The jobs of this room. */
export function subscriptionTasks(deps: Deps) {
  return {
    expire_subscriptions: () => expireSubscriptions(deps),
    remind_subscriptions: () => remindBeforeEnd(deps),
    delete_stale_applications: () => deleteStaleApplications(deps),
  };
}

/** Schedule of the jobs (UTC): expiry hourly, reminders in the morning in Paris. */
export const subscriptionRoutines = [
  { task: "expire_subscriptions", cron: "7 * * * *" },
  { task: "remind_subscriptions", cron: "20 7 * * *" },
  { task: "delete_stale_applications", cron: "40 3 * * *" },
] as const;
