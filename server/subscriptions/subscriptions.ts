// Subscriptions own what is sold with a card for a year: the offer, the file of a purchase from formula
// to payment, what runs on whom until when. They refuse what a card may not have, a price or a content
// that is not the one read, and money for a file that no longer stands.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import type { HeldSubscription, subscriptions } from "#contract/subscriptions.ts";
import type { Deps } from "#server/deps.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { cancelUntil } from "./after.ts";
import { type Act, holderOf, renewFrom, startAfter } from "./files.ts";
import { expireSubscriptions, forgetFiles, remindOfEnds } from "./follow.ts";
import { formulasOnSale } from "./offer.ts";
import { conditionsOf, papersFor, quoteOf } from "./price.ts";
import { childrenOf, coversOf, lastDayOf, type Row, rowsWhere } from "./rows.ts";

export { mayReadPaper } from "./papers.ts";
export { orderPaid, orderPaymentEnded } from "./pay.ts";

type OnCard = Act<{ cardnumber: number }>;

/**
 * What runs on a card, the file under way, and those of before, newest first; a card covered by
 * somebody else's family subscription shows it too. A card that is not the caller's or their child's
 * is `not_found`.
 */
export async function subscriptionsOf({
  deps,
  caller,
  input,
}: OnCard): Promise<Output<typeof subscriptions.list>> {
  const { db } = deps;
  const holder = await holderOf(db, caller, input.cardnumber);
  const { personId, cardnumber, name } = holder;
  const rows = await rowsWhere(
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
        }
      : null,
    items: rows
      .filter(({ state }) => state !== "draft")
      .map((row) => ({
        ...heldOf(row, deps.now()),
        ...(names.get(row.id) ?? { formula: row.formula, options: [] }),
        ...(row.personId === personId
          ? {
              own: true,
              covers: covers.get(row.id) ?? [],
              cancelUntil: cancelUntil(row, deps.now()),
            }
          : // What somebody else paid, and for whom else, is theirs (décision 18).
            { own: false, covers: [row.holder, name], paidCents: 0, cancelUntil: null }),
      })),
  };
}

type Held = Omit<HeldSubscription, "formula" | "options" | "covers" | "own" | "cancelUntil">;

function heldOf(row: Row, now: Date): Held {
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

/** Names of formula and options of each subscription. */
async function namesOf(
  { db }: Deps,
  rows: readonly Row[],
): Promise<Map<string, { formula: string; options: string[] }>> {
  const { rows: named } = await sql<{ id: string; formula: string; options: string[] }>`
    select s.id, f.name as formula, coalesce((select array_agg(o.name order by o.place)
      from subscription_option o where o.code = any (s.options)), '{}') as options
    from subscription s
    join subscription_formula f on f.code = s.formula and f.version = s.formula_version
    where s.id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(db);
  return new Map(named.map(({ id, formula, options }) => [id, { formula, options }]));
}

/** The formulas as they are for a card today, those it may have first. */
export async function offerOf({
  deps,
  caller,
  input,
}: OnCard): Promise<Output<typeof subscriptions.offer>> {
  const { db } = deps;
  const { personId, cardnumber, name } = await holderOf(db, caller, input.cardnumber);
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
      papers: papersFor(formula, conditions),
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
    remind_subscriptions: () => remindOfEnds(deps),
    forget_subscription_files: () => forgetFiles(deps),
  };
}

/** When they run by themselves (UTC): the end of a day hourly, reminders in the morning in Paris. */
export const subscriptionRoutines = [
  { task: "expire_subscriptions", cron: "7 * * * *" },
  { task: "remind_subscriptions", cron: "20 7 * * *" },
  { task: "forget_subscription_files", cron: "40 3 * * *" },
] as const;
