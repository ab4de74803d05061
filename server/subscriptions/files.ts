// The file of a subscription while it is filled in: every step is kept, on whatever device, and each
// change makes a new revision, so that what is paid is what was read.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { subscriptions as limits } from "#contract/limits.ts";
import { type PaperKind, subscriptionCan } from "#contract/subscription-states.ts";
import type { Condition, Quote, SubscriptionFile } from "#contract/subscriptions.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { personByCard } from "#server/identity/identity.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { addDays, addMonths, laterOf } from "./calendar.ts";
import { formulaAt, formulaNow, optionsOf } from "./offer.ts";
import { dropPapers, papersOf } from "./papers.ts";
import { changeOf, conditionsOf, type Formula, type Option, papersFor, quoteOf } from "./price.ts";
import {
  childrenOf,
  coversOf,
  lastDayOf,
  lockedRowOf,
  type Row,
  rowOf,
  rowsWhere,
} from "./rows.ts";

/** A call of the room: what serve hands over, as far as it is needed. */
export interface Act<Input> {
  deps: Deps;
  caller: Caller;
  input: Input;
}

/** The holder of a card that the caller may act for; anyone else's is `not_found`. */
export async function holderOf(db: Db, caller: Caller, cardnumber: number) {
  const holder = await personByCard(db, cardnumber);
  const mine = mayActFor(caller.personId, holder?.personId ?? 0);
  const { rows } = await sql<{ mine: boolean }>`select ${mine} as mine`.execute(db);
  if (!holder || holder.type !== 1 || !rows[0]?.mine) throw new Problem("not_found");
  return { personId: holder.personId, cardnumber: holder.cardnumber, name: holder.name };
}

/** From which day on a card can be prolonged; null at once. */
export function renewFrom(lastDay: string | null, today: string): string | null {
  if (lastDay === null) return null;
  const from = addMonths(lastDay, -limits.aheadMonths);
  return from > today ? from : null;
}

/** The day on which a subscription bought now would begin. */
export const startAfter = (lastDay: string | null, today: string): string =>
  laterOf(today, lastDay && addDays(lastDay, 1));

/** Everything that a file's price and next step depend on, as of now. */
export interface Facts {
  chosen: Formula;
  now: Formula;
  /** Whether the formula is still sold. */
  sold: boolean;
  conditions: Condition[];
  needed: PaperKind[];
  options: Option[];
  picked: Option[];
  quote: Quote;
  lastDay: string | null;
}

/** Reads them; inside a transaction, under its locks. */
export async function factsOf(db: Db, row: Row, at: Date): Promise<Facts> {
  const today = parisDay(at);
  const chosen = await formulaAt(db, row.formula, row.formulaVersion);
  const sale = await formulaNow(db, row.formula).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  const now = sale ?? chosen;
  const lastDay = await lastDayOf(db, row.personId);
  const startsOn = startAfter(lastDay, today);
  const profile = await profileOf(db, row.personId, startsOn);
  const conditions = conditionsOf(now, profile);
  const options = await optionsOf(db);
  const picked = options.filter(({ code }) => row.options.includes(code));
  const quote = quoteOf(now, picked, profile, startsOn);
  const needed = papersFor(now, conditions);
  return { chosen, now, sold: sale !== null, conditions, needed, options, picked, quote, lastDay };
}

/** Refuses what this card may not buy as things stand: conditions, a formula gone, too far ahead. */
export function refuseUnfit(facts: Facts, at: Date): void {
  if (!facts.sold) throw new Problem("subscription_unknown");
  const from = renewFrom(facts.lastDay, parisDay(at));
  if (from !== null) {
    const end = formatDate(facts.lastDay ?? from);
    throw new Problem("subscription_too_early", { end, from: formatDate(from) });
  }
  if (facts.conditions.some(({ met }) => met === "no")) {
    throw new Problem("subscription_conditions");
  }
}

/** A file as its screen shows it: of today while it is open, as it was paid afterwards. */
export async function fileSeen(deps: Deps, row: Row, caller: Caller): Promise<SubscriptionFile> {
  const { db } = deps;
  const facts = await factsOf(db, row, deps.now());
  const given = await papersOf(db, row.id);
  const open = subscriptionCan.fill(row);
  const kinds = open ? facts.needed : given.map(({ kind }) => kind);
  const covered = open
    ? facts.now.coversChildren
      ? (await childrenOf(db, row.personId)).map(({ name }) => name)
      : []
    : ((await coversOf(db, [row.id])).get(row.id) ?? []).slice(1);
  const { name, summary } = open ? facts.now : facts.chosen;
  const paying = row.topUpId !== null && row.paymentBy === caller.personId;
  return {
    id: row.id,
    state: row.state,
    step: row.step,
    revision: row.revision,
    holder: {
      cardnumber: row.cardnumber,
      name: row.holder,
      own: row.personId === caller.personId,
    },
    formula: { code: row.formula, name, summary },
    conditions: facts.conditions,
    papers: kinds.map((kind) => ({
      kind,
      document: given.find((one) => one.kind === kind)?.document ?? null,
    })),
    options: facts.options,
    chosen: facts.picked.map(({ code }) => code),
    covers: covered,
    quote: open ? facts.quote : paidQuote(row, facts.quote),
    priceChange: open ? changeOf(facts.chosen, facts.now) : null,
    payment: open && paying ? { topUp: row.topUpId as string, paymentUrl: null } : null,
    paymentFailed: open ? row.paymentFailed : null,
    paidAt: row.paidAt?.toISOString() ?? null,
    reason: row.reason,
  };
}

function paidQuote({ lines, paidCents, startsOn, endsOn }: Row, today: Quote): Quote {
  if (lines === null || paidCents === null || !startsOn || !endsOn) return today;
  return { lines, totalCents: paidCents, startsOn, endsOn };
}

/** A file of the caller or of their child. */
export async function readFile({ deps, caller, input }: Act<{ id: string }>) {
  return await fileSeen(deps, await rowOf(deps.db, caller.personId, input.id), caller);
}

/**
 * Chooses the formula of a card: opens its file, or changes the one that is open, whoever began it.
 * Refuses `subscription_closed` while a paid one is being checked, and as `refuseUnfit`.
 */
export async function chooseFormula({
  deps,
  caller,
  input,
}: Act<{ cardnumber: number; formula: string }>): Promise<SubscriptionFile> {
  const at = deps.now();
  const { personId } = await holderOf(deps.db, caller, input.cardnumber);
  const id = await inTx(deps.db, async (tx) => {
    // Of two tabs that begin at once the second finds the file of the first.
    await sql`select from person where id = ${personId} for no key update`.execute(tx);
    const formula = await formulaNow(tx, input.formula);
    const [open] = await rowsWhere(
      tx,
      sql`s.person_id = ${personId} and s.state in ('draft', 'review')`,
    );
    if (open && !subscriptionCan.fill(open)) throw new Problem("subscription_closed");
    const { rows } = open
      ? await sql<{ id: string }>`update subscription set formula = ${formula.code},
          formula_version = ${formula.version}, step = 'holder', buyer_id = ${caller.personId},
          revision = revision + 1, payment_failed = null, top_up_id = null, changed_at = ${at}
          where id = ${open.id} returning id`.execute(tx)
      : await sql<{ id: string }>`insert into subscription (person_id, buyer_id, state, formula,
          formula_version, created_at, changed_at)
          values (${personId}, ${caller.personId}, 'draft', ${formula.code}, ${formula.version},
            ${at}, ${at}) returning id`.execute(tx);
    const made = rows[0]?.id as string;
    refuseUnfit(await factsOf(tx, await rowOf(tx, caller.personId, made), at), at);
    return made;
  });
  return await fileSeen(deps, await rowOf(deps.db, caller.personId, id), caller);
}

/** Changes an open file under its lock; refuses `subscription_closed` otherwise. */
export async function change(
  { deps, caller, input }: Act<{ id: string }>,
  act: (tx: Tx, row: Row, at: Date) => Promise<void>,
): Promise<SubscriptionFile> {
  await inTx(deps.db, async (tx) => {
    const row = await lockedRowOf(tx, caller.personId, input.id);
    if (!subscriptionCan.fill(row)) throw new Problem("subscription_closed");
    await act(tx, row, deps.now());
  });
  return await readFile({ deps, caller, input });
}

/** The holder and the papers are right; refuses `subscription_papers` while one is missing. */
export const confirmHolder = (call: Act<{ id: string }>): Promise<SubscriptionFile> =>
  change(call, async (tx, row, at) => {
    await refuseMissing(tx, row, at);
    await sql`update subscription set changed_at = ${at},
      step = case step when 'holder' then 'options' else step end
      where id = ${row.id}`.execute(tx);
  });

/** Chooses the options, which may be none; refuses `subscription_unknown`, `subscription_papers`. */
export const chooseOptions = (
  call: Act<{ id: string; options: readonly string[] }>,
): Promise<SubscriptionFile> =>
  change(call, async (tx, row, at) => {
    const known = await optionsOf(tx);
    const wanted = [...new Set(call.input.options)];
    if (!wanted.every((code) => known.some((one) => one.code === code))) {
      throw new Problem("subscription_unknown");
    }
    await refuseMissing(tx, row, at);
    const same = wanted.toSorted().join() === row.options.toSorted().join();
    await sql`update subscription set options = ${wanted}::text[], step = 'price',
      revision = revision + ${same ? 0 : 1}::int, changed_at = ${at},
      top_up_id = case when ${same} then top_up_id end
      where id = ${row.id}`.execute(tx);
  });

/** Throws `subscription_papers` while a paper that the formula asks for is missing. */
export async function refuseMissing(tx: Tx, row: Row, at: Date): Promise<void> {
  const { needed } = await factsOf(tx, row, at);
  const given = await papersOf(tx, row.id);
  const missing = needed.some((kind) => !given.some((paper) => paper.kind === kind));
  if (missing) throw new Problem("subscription_papers");
}

/** Gives up a file that was not paid, with its papers. */
export async function abandon(call: Act<{ id: string }>): Promise<{ message: string }> {
  await change(call, (tx, row, at) => giveUp(tx, row.id, at));
  return { message: "Le dossier est abandonné. Rien n’a été payé." };
}

/** The same from a transaction that holds the row. */
export async function giveUp(tx: Tx, id: string, at: Date): Promise<void> {
  await dropPapers(tx, id);
  await sql`update subscription set state = 'abandoned', ended_at = ${at}, changed_at = ${at}
    where id = ${id}`.execute(tx);
}
