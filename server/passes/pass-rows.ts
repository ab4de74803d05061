// Rows of passes: read by their holder's card, by their id, locked for changes.
import { sql } from "kysely";
import { addDays, dayMs, daysBetween, parisDay } from "#contract/days.ts";
import { passCan, type PassState, passWaitsForCard } from "#contract/passes/states.ts";
import type { Pass } from "#contract/passes/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate } from "#contract/french.ts";
import { passes as limits } from "#contract/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import { cardCan, type CardState, cardStates } from "#contract/cards/rows.ts";

/**
 * SQL: the state of a pass (alias `p`) at an instant. The job that stores it runs hourly; reads in between
 * are correct all the same.
 */
export const stateAt = (at: Date) => sql<PassState>`case
  when p.state in ('pending', 'active') and p.valid_until <= ${at} then 'expired'
  when p.state = 'pending' and p.valid_from <= ${at} then 'active' else p.state end`;

const spendingStates = cardStates.filter((state) => cardCan.spend({ state }));

export interface PassRow {
  id: string;
  holderId: number;
  orderId: string;
  productId: string;
  groupId: number;
  groupName: string;
  kind: Pass["kind"];
  name: string;
  cardnumber: number;
  holder: string;
  state: PassState;
  cardState: CardState;
  validFrom: Date;
  validUntil: Date;
  stopId: string | null;
  stopName: string | null;
  revision: number;
  suspendedOn: string | null;
  suspendedDays: number;
  maxDays: number;
  duplicates: number;
  freeDuplicates: number;
  duplicateFeeCents: number;
  lateFeeCents: number;
  priceCents: number;
  employerCents: number;
  employerName: string | null;
  exemption: "none" | "requested" | "accepted" | "refused";
  exemptionRequestedAt: Date | null;
  exemptionAnswer: string | null;
}

const passesWhere = async (db: Db, at: Date, condition: ReturnType<typeof sql>, end = sql``) =>
  (
    await sql<PassRow>`
      select p.id, p.holder_id, p.order_id, p.product_id,
        f.group_id, g.name as group_name, f.kind, p.name,
        held.number as cardnumber, held.state as card_state, h.name as holder,
        ${stateAt(at)} as state,
        p.valid_from, p.valid_until, p.stop_id,
        p.stop_name, p.qr_revision as revision, p.suspended_on,
        p.suspended_days, f.max_suspended_days as max_days, p.duplicates,
        f.free_duplicates, f.duplicate_fee_cents,
        o.late_fee_cents, coalesce(o.price_cents, 0) as price_cents,
        o.employer_cents, o.employer_name, o.exemption, o.exemption_requested_at,
        o.exemption_answer
      from pass p join fare_product f on f.id = p.product_id
      join acceptance_group g on g.id = f.group_id join person h on h.id = p.holder_id
      join pass_order o on o.id = p.order_id
      cross join lateral current_card(p.holder_id) held
      where ${condition} ${end}`.execute(db)
  ).rows;

/** The passes of a person: valid and future ones first, then those over for less than a year. */
export async function readPassesOf(db: Db, personId: number, at: Date): Promise<Pass[]> {
  const since = new Date(at.getTime() - limits.historyDays * dayMs);
  const found = await passesWhere(
    db,
    at,
    sql`p.holder_id = ${personId} and p.state <> 'replaced' and p.valid_until > ${since}`,
    sql`order by p.valid_until <= ${at}, p.valid_from desc, p.id limit 100`,
  );
  return found.map((row) => toPassView(row, at));
}

/**
 * Passes of the caller and their children that are valid at `at` or later and whose card is in use, the
 * caller's own first, then person by person.
 */
export async function readPassesToShow(db: Db, callerId: number, at: Date): Promise<PassRow[]> {
  const mine = mayActFor(callerId, sql.ref("p.holder_id"));
  const found = await passesWhere(
    db,
    at,
    sql`${mine} and p.state in ('pending', 'active') and p.valid_until > ${at}
      and held.state = any (${spendingStates}::text[])`,
    sql`order by p.holder_id <> ${callerId}, h.name, p.holder_id, p.valid_from, p.id limit 60`,
  );
  return found.filter((row) => passCan.show(row));
}

/** A pass of the caller or of their child; anybody else's is `not_found`. */
export async function readPassOf(db: Db, callerId: number, id: string, at: Date): Promise<PassRow> {
  const mine = mayActFor(callerId, sql.ref("p.holder_id"));
  const [found] = await passesWhere(db, at, sql`p.id = ${id} and ${mine}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** The same, locked: of two concurrent changes the second sees the effect of the first. */
export async function lockPassOf(tx: Tx, callerId: number, id: string, at: Date): Promise<PassRow> {
  const mine = mayActFor(callerId, sql.ref("p.holder_id"));
  await sql`select from pass p where id = ${id} and ${mine} for update`.execute(tx);
  return await readPassOf(tx, callerId, id, at);
}

/** A pass by its id, without a check of the reader: for rooms and jobs. */
export async function readPass(db: Db, id: string, at: Date): Promise<PassRow | undefined> {
  return (await passesWhere(db, at, sql`p.id = ${id}`))[0];
}

/** Remaining days of suspension, with those of a current suspension counted. */
export function suspensionLeft(row: PassRow, today: string): number {
  const running = row.suspendedOn === null ? 0 : daysBetween(row.suspendedOn, today);
  return Math.max(0, row.maxDays - row.suspendedDays - running);
}

/** Price of the next duplicate, in cents. */
export const duplicateCents = (row: PassRow): number =>
  row.duplicates < row.freeDuplicates ? 0 : row.duplicateFeeCents;

/** A pass as the contract shows it. */
export function toPassView(row: PassRow, at: Date): Pass {
  const { id, kind, name, cardnumber, holder, state, cardState } = row;
  const today = parisDay(at);
  return {
    id,
    idgroup: row.groupId,
    groupName: row.groupName,
    kind,
    name,
    cardnumber,
    holder,
    state,
    cardState,
    validFrom: row.validFrom.toISOString(),
    validUntil: row.validUntil.toISOString(),
    lastDay: parisDay(new Date(row.validUntil.getTime() - 1)),
    stop: row.stopName,
    suspension:
      row.maxDays === 0
        ? null
        : {
            since: row.suspendedOn,
            maxDays: row.maxDays,
            leftDays: suspensionLeft(row, today),
          },
    employer:
      row.employerName === null
        ? null
        : {
            name: row.employerName,
            cents: row.employerCents,
            ownCents: row.priceCents - row.employerCents,
          },
    duplicateCents: duplicateCents(row),
    late:
      row.lateFeeCents > 0 || row.exemption !== "none"
        ? {
            order: row.orderId,
            feeCents: row.lateFeeCents,
            exemption: row.exemption,
            requestedAt: row.exemptionRequestedAt?.toISOString() ?? null,
            answer: row.exemptionAnswer,
          }
        : null,
  };
}

/**
 * Refuses a second pass of the same product for the same person while one is valid: `pass_overlap` with its
 * end and the first free day. Single tickets do not exclude each other. Called under the lock of the holder,
 * so that two concurrent purchases do not both pass.
 */
export async function requireNoOverlap(
  db: Db,
  validity: { holderId: number; productId: string; from: Date; until: Date; at: Date },
): Promise<void> {
  const { holderId, productId, from, until, at } = validity;
  const { clash, last } = await query(db).one(sql<{ clash: boolean; last: Date | null }>`
    select coalesce(bool_or(p.valid_from < ${until} and p.valid_until > ${from}), false) as clash,
      max(p.valid_until) as last
    from pass p join fare_product f on f.id = p.product_id
    where p.holder_id = ${holderId} and p.product_id = ${productId} and f.kind <> 'single'
      and (${stateAt(at)}) in ('pending', 'active', 'suspended')`);
  if (!clash || !last) return;
  const lastDay = parisDay(new Date(last.getTime() - 1));
  const next = addDays(lastDay, 1);
  throw new Problem("pass_overlap", {
    until: formatDate(lastDay),
    next: formatDate(next),
    nextOn: next,
  });
}

/** Spans of the current and future passes of a product that a person has: none may begin within them. */
export async function spansHeld(
  db: Db,
  { holderId, productId, at }: { holderId: number; productId: string; at: Date },
): Promise<{ from: Date; until: Date }[]> {
  const { rows } = await sql<{ from: Date; until: Date }>`
    select p.valid_from as from, p.valid_until as until
    from pass p join fare_product f on f.id = p.product_id
    where p.holder_id = ${holderId} and p.product_id = ${productId} and f.kind <> 'single'
      and (${stateAt(at)}) in ('pending', 'active', 'suspended')`.execute(db);
  return rows;
}

/** Refuses while the card of the pass is suspended, opposed or not in use: no QR is shown. */
export function requireCardInUse(row: PassRow): void {
  if (!passWaitsForCard(row)) return;
  if (row.cardState === "suspended") throw new Problem("pass_card_suspended");
  throw new Problem(row.cardState === "opposed" ? "pass_card_opposed" : "card_state");
}
