// Applications for a subscription while they are filled in. Every step is saved, so that another device can
// continue, and each change makes a new revision, so that the payment is for the revision that was read.
import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { addDays, addMonths, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { subscriptions as limits } from "#contract/limits.ts";
import { type SubscriptionProofKind, subscriptionCan } from "#contract/subscriptions/states.ts";
import type { Condition, Quote, SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { abandonOrder, reviseOrder } from "#server/checkout/checkout.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import { holderFor, lockTieForShare } from "#server/family/family.ts";
import type { Caller, PersonCall } from "#server/http/caller.ts";
import { formulaAt, formulaNow, optionsOf } from "./formulas.ts";
import { deleteProofs, proofsOf, deleteProof, proofDocument } from "./proofs.ts";
import {
  priceChangeOf,
  conditionsOf,
  type Formula,
  type Option,
  proofsFor,
  quoteOf,
} from "./price.ts";
import {
  childrenOf,
  coversOf,
  lastDayOf,
  lockSubscriptionOf,
  type SubscriptionRow,
  readSubscription,
  subscriptionsWhere,
  isPayer,
} from "./rows.ts";
import { attachDocuments, deleteDocuments, documentsOf } from "#server/documents/documents.ts";

/** The day from which a card can be renewed; null where it can at once. */
export function renewFrom(lastDay: string | null, today: string): string | null {
  if (lastDay === null) return null;
  const from = addMonths(lastDay, -limits.aheadMonths);
  return from > today ? from : null;
}

/** The day on which a subscription bought now would begin. */
export function startAfter(lastDay: string | null, today: string): string {
  const next = lastDay === null ? today : addDays(lastDay, 1);
  return next > today ? next : today;
}

/** Everything on which the price and the next step of an application depend, as of now. */
export interface Snapshot {
  chosen: Formula;
  now: Formula;
  /** Whether the formula is still sold. */
  sold: boolean;
  conditions: Condition[];
  needed: SubscriptionProofKind[];
  options: Option[];
  picked: Option[];
  quote: Quote;
  lastDay: string | null;
}

/** Reads the snapshot; inside a transaction, under its locks. */
export async function readSnapshot(db: Db, row: SubscriptionRow, at: Date): Promise<Snapshot> {
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
  const needed = proofsFor(now, conditions);
  return { chosen, now, sold: sale !== null, conditions, needed, options, picked, quote, lastDay };
}

/** Throws unless the card may buy: conditions met, formula on sale, not too early to renew. */
export function requireEligible(facts: Snapshot, at: Date): void {
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

/** An application as the API answers it: at today's price while it is open, as it was paid afterwards. */
export async function toApplicationView(
  deps: Deps,
  row: SubscriptionRow,
  caller: Caller,
): Promise<SubscriptionApplication> {
  const { db } = deps;
  const facts = await readSnapshot(db, row, deps.now());
  const proofs = await proofsOf(db, row.id);
  const open = subscriptionCan.fill(row);
  const kinds = open ? facts.needed : proofs.map(({ kind }) => kind);
  const covered = open
    ? facts.now.coversChildren
      ? (await childrenOf(db, row.personId)).map(({ name }) => name)
      : []
    : ((await coversOf(db, [row.id])).get(row.id) ?? []).slice(1);
  const { name, summary } = open ? facts.now : facts.chosen;
  const payer = isPayer(row, caller.personId);
  const paying = row.topUpId !== null && row.payerId === caller.personId;
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
    proofs: kinds.map((kind) => ({
      kind,
      document: proofs.find((one) => one.kind === kind)?.document ?? null,
    })),
    options: facts.options,
    chosen: facts.picked.map(({ code }) => code),
    covers: covered,
    quote: open ? facts.quote : paidQuote(row, facts.quote, payer),
    priceChange: open ? priceChangeOf(facts.chosen, facts.now) : null,
    payment: open && paying ? { topUp: row.topUpId as string, paymentUrl: null } : null,
    paymentFailed: open ? row.paymentFailed : null,
    paidAt: row.paidAt?.toISOString() ?? null,
    payer,
    reason: row.reason,
  };
}

function paidQuote(
  { lines, paidCents, startsOn, endsOn }: SubscriptionRow,
  today: Quote,
  payer: boolean,
): Quote {
  if (lines === null || paidCents === null || !startsOn || !endsOn) return today;
  if (!payer) return { lines: [], totalCents: 0, startsOn, endsOn };
  return { lines, totalCents: paidCents, startsOn, endsOn };
}

/** An application of the caller or of their child. */
export async function readApplication({ deps, caller, input }: PersonCall<{ id: string }>) {
  return await toApplicationView(
    deps,
    await readSubscription(deps.db, caller.personId, input.id),
    caller,
  );
}

/**
 * Chooses the formula of a card: opens an application, or changes the open one, whoever began it.
 * Refuses `subscription_closed` while a paid one is in review, and as `reviseOrder` and `requireEligible`.
 */
export async function chooseFormula({
  deps,
  caller,
  input,
}: PersonCall<{ cardnumber: number; formula: string }>): Promise<SubscriptionApplication> {
  const at = deps.now();
  const { id: personId } = await holderFor(deps.db, caller.personId, input.cardnumber);
  const id = await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: personId });
    // Of two tabs that begin at once the second finds the application of the first.
    await sql`select from person where id = ${personId} for no key update`.execute(tx);
    const formula = await formulaNow(tx, input.formula);
    const [open] = await subscriptionsWhere(
      tx,
      sql`s.person_id = ${personId} and s.state in ('draft', 'review')`,
    );
    if (open && !subscriptionCan.fill(open)) throw new Problem("subscription_closed");
    const made = open?.id ?? randomUUID();
    if (open) {
      await revise(
        tx,
        made,
        sql`formula = ${formula.code}, formula_version = ${formula.version}, step = 'holder',
          buyer_id = ${caller.personId}, changed_at = ${at}`,
      );
    } else {
      await sql`insert into subscription (id, person_id, buyer_id, state, formula, formula_version,
          created_at, changed_at)
        values (${made}, ${personId}, ${caller.personId}, 'draft', ${formula.code}, ${formula.version},
          ${at}, ${at})`.execute(tx);
    }
    requireEligible(
      await readSnapshot(tx, await readSubscription(tx, caller.personId, made), at),
      at,
    );
    return made;
  });
  return await toApplicationView(
    deps,
    await readSubscription(deps.db, caller.personId, id),
    caller,
  );
}

/** Changes an open application under its lock; refuses `subscription_closed` otherwise. */
export async function changeApplication(
  { deps, caller, input }: PersonCall<{ id: string }>,
  act: (tx: Tx, row: SubscriptionRow, at: Date) => Promise<void>,
): Promise<SubscriptionApplication> {
  await inTx(deps.db, async (tx) => {
    const row = await lockSubscriptionOf(tx, caller.personId, input.id);
    if (!subscriptionCan.fill(row)) throw new Problem("subscription_closed");
    await act(tx, row, deps.now());
  });
  return await readApplication({ deps, caller, input });
}

/** Confirms the holder and the proofs; refuses `subscription_proofs` while one is missing. */
export const confirmHolder = (call: PersonCall<{ id: string }>): Promise<SubscriptionApplication> =>
  changeApplication(call, async (tx, row, at) => {
    await requireProofs(tx, row, at);
    await sql`update subscription set changed_at = ${at},
      step = case step when 'holder' then 'options' else step end
      where id = ${row.id}`.execute(tx);
  });

/**
 * Chooses the options, which may be none; refuses `subscription_unknown`, `subscription_proofs`, and as
 * `reviseOrder`.
 */
export const chooseOptions = (
  call: PersonCall<{ id: string; options: readonly string[] }>,
): Promise<SubscriptionApplication> =>
  changeApplication(call, async (tx, row, at) => {
    const known = await optionsOf(tx);
    const options = [...new Set(call.input.options)];
    if (!options.every((code) => known.some((one) => one.code === code))) {
      throw new Problem("subscription_unknown");
    }
    await requireProofs(tx, row, at);
    const same = options.toSorted().join() === row.options.toSorted().join();
    const set = sql`options = ${options}::text[], step = 'price', changed_at = ${at}`;
    if (same) await sql`update subscription set ${set} where id = ${row.id}`.execute(tx);
    else await revise(tx, row.id, set);
  });

const revise = (tx: Tx, id: string, set: RawBuilder<unknown>): Promise<void> =>
  reviseOrder(tx, { kind: "subscription", table: "subscription", id }, set);

/** Throws `subscription_proofs` while a proof that the formula requires is missing. */
export async function requireProofs(tx: Tx, row: SubscriptionRow, at: Date): Promise<void> {
  const { needed } = await readSnapshot(tx, row, at);
  const proofs = await proofsOf(tx, row.id);
  const missing = needed.some((kind) => !proofs.some((proof) => proof.kind === kind));
  if (missing) throw new Problem("subscription_proofs");
}

/** Abandons an unpaid application and deletes its proofs. */
export async function abandon(call: PersonCall<{ id: string }>): Promise<{ message: string }> {
  await changeApplication(call, (tx, row, at) => abandonLocked(tx, row.id, at));
  return { message: "Le dossier est abandonné. Rien n’a été payé." };
}

/** The same inside a transaction that holds the row's lock. */
export async function abandonLocked(tx: Tx, id: string, at: Date): Promise<void> {
  await deleteProofs(tx, id);
  await abandonOrder(tx, { kind: "subscription", id });
  await sql`update subscription set state = 'abandoned', ended_at = ${at}, changed_at = ${at}
    where id = ${id}`.execute(tx);
}

/**
 * Attaches an unattached document of the caller as one of the proofs of an open application; the one before
 * it is deleted. Refuses `not_found`, `document_attached`, `subscription_closed`.
 */
export const addProof = (
  call: PersonCall<{ id: string; kind: SubscriptionProofKind; document: string }>,
): Promise<SubscriptionApplication> =>
  changeApplication(call, async (tx, row, at) => {
    const { kind, document } = call.input;
    const found = await query(tx).one(sql<{ id: string }>`
      insert into subscription_proof (subscription_id, kind, document_id, sent_at)
      values (${row.id}, ${kind}, ${document}, ${at})
      on conflict (subscription_id, kind) do update
        set document_id = excluded.document_id, sent_at = excluded.sent_at
      returning id`);
    const to = { kind: proofDocument, id: found.id };
    const before = await documentsOf(tx, to);
    // The same file again, after a lost answer, changes nothing.
    if (before.some(({ id }) => id === document)) return;
    await deleteDocuments(tx, to);
    await attachDocuments(tx, { personId: call.caller.personId, ids: [document], to, at });
    await sql`update subscription set changed_at = ${at} where id = ${row.id}`.execute(tx);
  });

/** Removes and deletes a proof; one that is not attached changes nothing. */
export const removeProof = (
  call: PersonCall<{ id: string; kind: SubscriptionProofKind }>,
): Promise<SubscriptionApplication> =>
  changeApplication(call, (tx, row) => deleteProof(tx, row.id, call.input.kind));
