// Whose cards a person manages: their own, a child's, and those of the people of a company that they are
// responsible for. A company manages the card only: its bearer's money stays theirs.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { actorOn, lockAnyTiesForShare, mayActFor, requireNotMinor } from "#server/family/family.ts";

/** SQL condition: `actor` may suspend, resume, oppose or replace the card of `owner`, a column. */
export const mayManageCardOf = (actor: number, owner: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${mayActFor(actor, owner)} or exists (
    select from card_company(${owner}) where ${actor} = any (managers)))`;

/** The first lock of an action on a card: the tie with its bearer, if there is one (`lockAnyTiesForShare`). */
export const holdTieOfCard = (tx: Tx, actor: number, cardnumber: number): Promise<void> =>
  lockAnyTiesForShare(tx, actor, sql`select person_id from card where number = ${cardnumber}`);

/** The company whose card a person carries. */
export interface CardCompany {
  name: string;
  /** Persons who are responsible for it. */
  managers: number[];
}

/** Null for a person who carries no company's card. */
export async function companyOfCard(db: Db, personId: number): Promise<CardCompany | null> {
  return await query(db).maybeOne(sql<CardCompany>`
    select name, to_jsonb(managers) as managers from card_company(${personId})`);
}

/**
 * Refuses to let the bearer of a card resume it where somebody else decides: `family_minor` to a child,
 * `pro_card_resume` to the bearer of a company's card.
 */
export async function requireMayResume(
  db: Db,
  { actor, owner }: { actor: number; owner: number },
): Promise<void> {
  await requireNotMinor(db, { actor, owner });
  const company = await companyOfCard(db, owner);
  if (actor === owner && company && !company.managers.includes(actor)) {
    throw new Problem("pro_card_resume");
  }
}

/**
 * SQL condition: somebody else than its bearer had suspended the card `number` of `owner` when it ended. Its
 * replacement does not lift the suspension: only whoever may resume activates it.
 */
export const endedSuspended = (
  owner: RawBuilder<unknown>,
  number: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`coalesce((
    select action = 'card.suspend' and actor <> 'person' from audit
    where person_id = ${owner} and action in ('card.suspend', 'card.resume')
      and details->>'card' = right(${number}::text, 4)
    order by id desc limit 1), false)`;

/** Actor of an action on a card, as the audit trail names them. */
export async function cardActor(
  db: Db,
  { actor, owner }: { actor: number; owner: number },
): Promise<string> {
  if (actor === owner) return "person";
  const company = await companyOfCard(db, owner);
  return company?.managers.includes(actor) ? `company:${actor}` : actorOn({ actor, owner });
}
