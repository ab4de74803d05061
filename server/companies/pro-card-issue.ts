// New cards of a company: each a person of type 2, with a bearer or nobody yet, a wallet and a card to be
// made.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { companyCards } from "#contract/companies/limits.ts";
import { Problem } from "#contract/errors.ts";
import { endCards, openProfessional } from "#server/cards/cards.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { endSessions, hashFirstPassword } from "#server/identity/identity.ts";
import type { OperatorDeps } from "#server/process/room.ts";

/** Who carries a new card. */
export interface NewBearer {
  name: string;
  email: string | null;
  /** E.164. */
  phonenumber: string | null;
}

interface NewCards {
  companyId: string;
  count: number;
  at: Date;
  /** Bearers of the first cards; the others have none yet. */
  bearers?: readonly NewBearer[];
  /** The order that they are made for, and printed with; null: the next batch prints them. */
  orderId?: string | null;
}

/**
 * Makes accepted cards in the company's name; returns their numbers, those of the bearers first. Refuses
 * `pro_card_full` beyond what a company may have.
 */
export async function issueProCards(
  tx: Tx,
  { companyId, count, at, bearers = [], orderId = null }: NewCards,
): Promise<number[]> {
  // Locked, so that two orders at once are counted one after the other.
  const company = await query(tx).maybeOne(sql<{ name: string }>`
    select name from company where id = ${companyId} for no key update`);
  if (!company) throw new Problem("not_found");
  await requireCardsLeft(tx, companyId, count, orderId);
  // Nobody knows this password: the batch prints the secret of the first sign-in.
  const passwordHash = await hashFirstPassword(randomUUID());
  const numbers: number[] = [];
  for (let made = 0; made < count; made++) {
    const bearer = bearers[made] ?? null;
    numbers.push(
      await openBearer(tx, { companyId, bearer, name: company.name, passwordHash, orderId, at }),
    );
  }
  return numbers;
}

/** How many more cards a company may have; cards of its open orders count, except those of `orderId`. */
export async function proCardsLeft(
  db: Db,
  companyId: string,
  orderId: string | null = null,
): Promise<number> {
  const { cards } = await query(db).one(sql<{ cards: number }>`
    select (select count(*) from pro_card where company_id = ${companyId} and closed_at is null)::int
      + coalesce((select sum((o.price ->> 'quantity')::int) from card_order o
        where o.company_id = ${companyId} and o.state = 'ordered' and o.id is distinct from ${orderId}
          and not exists (select from pro_card k where k.order_id = o.id)), 0)::int as cards`);
  return Math.max(0, companyCards.max - cards);
}

/** Refuses `pro_card_full` when the company may not have so many more cards. */
export async function requireCardsLeft(
  db: Db,
  companyId: string,
  count: number,
  orderId: string | null = null,
): Promise<void> {
  if (count > (await proCardsLeft(db, companyId, orderId))) {
    throw new Problem("pro_card_full", { max: companyCards.max });
  }
}

interface NewBearerCard {
  companyId: string;
  bearer: NewBearer | null;
  /** Of the company. */
  name: string;
  passwordHash: string;
  orderId: string | null;
  at: Date;
}

async function openBearer(tx: Tx, input: NewBearerCard): Promise<number> {
  const { companyId, bearer, name, passwordHash, orderId, at } = input;
  const who = bearer ?? { name, email: null, phonenumber: null };
  const { personId, cardnumber } = await openProfessional(tx, {
    ...who,
    passwordHash,
    typedByOther: true,
    at,
  });
  await tx
    .insertInto("proCard")
    .values({
      personId,
      companyId,
      orderId,
      issuedAt: at,
      assignedAt: bearer ? at : null,
    })
    .execute();
  return cardnumber;
}

/** Withdraws the cards of an order that is cancelled before they are made: nobody signs in with them. */
export async function withdrawProCards(
  tx: Tx,
  deps: OperatorDeps,
  { orderId, why, at }: { orderId: string; why: string; at: Date },
): Promise<void> {
  const { rows } = await sql<{ personId: number }>`
    delete from pro_card where order_id = ${orderId} returning person_id`.execute(tx);
  const ids = rows.map(({ personId }) => personId);
  await sql`delete from company_member where person_id = any (${ids}::bigint[])`.execute(tx);
  await sql`update person set disabled_at = ${at}, disabled_why = ${why}
    where id = any (${ids}::bigint[])`.execute(tx);
  for (const personId of ids) {
    await endSessions(tx, personId, { why: "disabled", at });
    await endCards(tx, deps, personId, at);
  }
}
