// The family owns the ties between persons: who may act for whom, who may send money to whom. It refuses
// nothing by itself; rooms put its conditions into the query for what they act on, so that what belongs to
// others is not found at all. Rules read ties as they count on the day (`current_ties()` in SQL): whoever is
// 18 has no guardian, even before the daily job has ended the tie (coming-of-age.ts).
import { type RawBuilder, sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { isProblemCode, Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

export {
  centsLeft,
  type LimitsLeft,
  limitsLeftSql,
  limitWords,
  readLimits,
  requireLimitsAllow,
  writeLimits,
} from "./member-limits.ts";
export { familyToDos } from "./to-dos.ts";

/** A person's id inside a query: a column (`sql.ref("card.person_id")`) or a value. */
type PersonId = RawBuilder<unknown> | number;

/**
 * SQL condition: `actor` may see and act on what `owner` has. True for oneself and for the children
 * one is a guardian of until they are 18; a tie of role `relative` gives no power over an adult's card
 * (spec.md 18).
 * With `offset 0` a tie is looked up by its key for each row; without it the planner may read all ties.
 */
export const mayActFor = (actor: PersonId, owner: PersonId): RawBuilder<boolean> => sql<boolean>`(
  ${owner} = ${actor} or exists (
    select from current_ties() tie
     where tie.guardian_id = ${actor} and tie.member_id = ${owner} and tie.role = 'child' offset 0))`;

/**
 * SQL subquery of one column: the ids of everybody whom `actor` may act for, the same as `mayActFor`. For
 * records that are looked up by their owner: by `mayActFor` each of the table's is tried.
 */
export const actsForSql = (actor: PersonId): RawBuilder<unknown> => sql`
  select ${actor}::bigint union all select member_id from current_ties()
    where guardian_id = ${actor} and role = 'child'`;

/**
 * Refuses `not_found` unless `actor` may act for `owner`; called after locking what is changed, since a
 * statement that waits for a lock does not see a tie that ends meanwhile.
 */
export async function requireMayActFor(
  db: Db,
  { actor, owner }: { actor: number; owner: number },
): Promise<void> {
  const { rows } = await sql`select where ${mayActFor(actor, sql`${owner}::bigint`)}`.execute(db);
  if (rows.length === 0) throw new Problem("not_found");
}

/** A person whom somebody acts for. */
export interface Holder {
  id: number;
  objectID: string;
  name: string;
  type: 1 | 2;
  /** The person's present number, which may differ from the one that was asked for. */
  cardnumber: number;
}

/**
 * The person who has a card that `actor` may act for, oneself or a child, whichever of their cards the
 * number names: a screen opened before a replacement still finds its person. Anybody else's and an
 * unknown number are `not_found`.
 */
export async function holderFor(db: Db, actor: number, cardnumber: number): Promise<Holder> {
  const found = await query(db).maybeOne(sql<Holder>`
    select p.id, p.object_id as "objectID", p.name, p.type, known.number as cardnumber
    from card named join person p on p.id = named.person_id
    cross join lateral current_card(p.id) known
    where named.number = ${cardnumber} and ${mayActFor(actor, sql.ref("p.id"))}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** A child of whom somebody is a guardian, with the card in use or else the latest; none without one. */
export interface ChildOfHolder {
  id: number;
  name: string;
  avatar: string | null;
  /** Whether the account is closed or disabled. */
  disabled: boolean;
  cardnumber: number | null;
  state: CardState | null;
}

/**
 * `holderFor` with the children of that person in the same read, by name: for screens that show them too.
 * None for a child's card: a child acts for nobody.
 */
export async function holderWithChildren(
  db: Db,
  actor: number,
  cardnumber: number,
): Promise<Holder & { children: ChildOfHolder[] }> {
  const found = await query(db).maybeOne(sql<Holder & { children: ChildOfHolder[] }>`
    select p.id, p.object_id as "objectID", p.name, p.type, known.number as cardnumber, c.children
    from card named join person p on p.id = named.person_id
    cross join lateral current_card(p.id) known
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', child.id, 'name', child.name,
          'avatar', child.avatar, 'disabled', child.disabled_at is not null,
          'cardnumber', own.number, 'state', own.state)
        order by child.name collate "fr-x-icu", own.number), '[]') as children
      from ${familyOfSql(sql.ref("p.id"))} f join person child on child.id = f.person_id
      left join lateral current_card(child.id) own on true
      where f.relation = 'child' and p.id = ${actor}) c
    where named.number = ${cardnumber} and ${mayActFor(actor, sql.ref("p.id"))}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** How a member of the family relates to the person who asks. */
export type Relation = "child" | "guardian" | "relative";

/**
 * SQL subquery of columns `person_id` and `relation`: the family of `person`, oneself left out. A tie counts
 * both ways; two guardians of one child are relatives of each other (spec.md 18).
 */
export const familyOfSql = (person: PersonId): RawBuilder<unknown> => sql`(
  select distinct on (person_id) person_id, relation from (
    select member_id as person_id, case role when 'child' then 'child' else 'relative' end as relation
      from current_ties() where guardian_id = ${person}
    union all
    select guardian_id, case role when 'child' then 'guardian' else 'relative' end
      from current_ties() where member_id = ${person}
    union all
    select other.guardian_id, 'relative'
      from current_ties() mine join current_ties() other on other.member_id = mine.member_id
     where mine.guardian_id = ${person} and mine.role = 'child' and other.role = 'child'
       and other.guardian_id <> mine.guardian_id
  ) member order by person_id, relation)`;

/**
 * SQL condition: `other` is in the family of `person`, oneself left out; the same people as `familyOfSql`,
 * for statements that check many pairs at once.
 */
export const isFamilyOf = (person: PersonId, other: PersonId): RawBuilder<boolean> => sql<boolean>`(
  exists (select from current_ties() where guardian_id = ${person} and member_id = ${other} offset 0)
  or exists (select from current_ties() where guardian_id = ${other} and member_id = ${person} offset 0)
  or exists (
    select from current_ties() mine join current_ties() theirs on theirs.member_id = mine.member_id
     where mine.guardian_id = ${person} and mine.role = 'child'
       and theirs.guardian_id = ${other} and theirs.role = 'child' and ${other} <> ${person} offset 0))`;

export interface Member {
  personId: number;
  relation: Relation;
}

/** Names of the children whose only guardian is this person. */
export async function childrenOnlyOf(db: Db, guardian: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select p.name from current_ties() t join person p on p.id = t.member_id and p.disabled_at is null
    where t.guardian_id = ${guardian} and t.role = 'child' and not exists (
      select from current_ties() other where other.member_id = t.member_id and other.role = 'child'
        and other.guardian_id <> t.guardian_id)
    order by p.name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The family of a person, oneself left out: to whom one may send money. */
export async function familyOf(db: Db, personId: number): Promise<Member[]> {
  const { rows } = await sql<{ personId: number; relation: Relation }>`
    select person_id, relation from ${familyOfSql(personId)} family order by person_id`.execute(db);
  return rows.map((row) => ({ personId: row.personId, relation: row.relation }));
}

/** The guardians of a child, who are told what happens to it, in the order in which they were tied. */
export async function guardiansOf(db: Db, personId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select guardian_id as id from current_ties()
    where member_id = ${personId} and role = 'child' order by since, guardian_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The guardians of each of these people, by the person; no entry for whoever has none. */
export async function guardiansOfEach(
  db: Db,
  personIds: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ guardianId: number; memberId: number }>`
    select guardian_id, member_id from current_ties()
    where member_id = any (${[...personIds]}::bigint[]) and role = 'child'
    order by member_id, since, guardian_id`.execute(db);
  const ofMember = Map.groupBy(rows, ({ memberId }) => memberId);
  return new Map([...ofMember].map(([id, some]) => [id, some.map((row) => row.guardianId)]));
}

/**
 * Passes for an adult acting for oneself and a guardian for a child; refuses `family_minor` to the child
 * itself (spec.md 31: a child does not undo a guardian's decision).
 */
export async function requireNotMinor(
  db: Db,
  { actor, owner }: { actor: number; owner: number },
): Promise<void> {
  if (actor === owner && (await guardiansOf(db, owner)).length > 0) {
    throw new Problem("family_minor");
  }
}

/** Refuses `family_minor` to a child: a guardian decides where its messages go. */
export const requireOwnContacts = (db: Db, personId: number): Promise<void> =>
  requireNotMinor(db, { actor: personId, owner: personId });

/** The role in which somebody acts on a person's account, as the audit trail names it. */
export const actorOn = ({ actor, owner }: { actor: number; owner: number }): string =>
  actor === owner ? "person" : `guardian:${actor}`;

/** Those persons and, for the children among them, their guardians; each once. */
export async function withGuardians(db: Db, personIds: readonly number[]): Promise<number[]> {
  if (personIds.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select guardian_id as id from current_ties()
    where member_id = any (${[...personIds]}::bigint[]) and role = 'child'`.execute(db);
  return [...new Set([...personIds, ...rows.map(({ id }) => id)])];
}

/**
 * With whom a child is on a day (YYYY-MM-DD): its only guardian, or by the latest agreement of its two
 * guardians, days before the rule; null without an agreement. Returns a person's id.
 */
export async function custodianOn(db: Db, child: number, day: string): Promise<number | null> {
  const { id } = await query(db).one(sql<{ id: number | null }>`
    select custodian_on(${child}, ${day}::date) as id`);
  return id;
}

/** A guardian with whom a child is. */
export interface Custodian {
  id: number;
  name: string;
}

/**
 * « child day » → with whom children of two guardians are, over days (ISO dates, both included). Days on
 * which nothing is agreed and children of one guardian have no line.
 */
export async function custodiansOver(
  db: Db,
  children: readonly number[],
  { from, to }: { from: string; to: string },
): Promise<Map<string, Custodian>> {
  const { rows } = await sql<Custodian & { child: number; day: string }>`
    select shared.id as child, to_char(d, 'YYYY-MM-DD') as day, p.id, p.name
    from (select member_id as id from current_ties()
      where role = 'child' and member_id = any (${[...children]}::bigint[])
      group by member_id having count(*) > 1) shared
    cross join generate_series(${from}::date, ${to}::date, '1 day') d
    join person p on p.id = custodian_on(shared.id, d::date)`.execute(db);
  return new Map(rows.map(({ child, day, ...who }) => [`${child} ${day}`, who]));
}

/**
 * Refuses spending that a card's limits do not allow: `limit_day`, `limit_week`, `limit_place`. Amount in
 * cents; `groupId` is the place. It locks the limit until the end of the transaction: of two payments at once
 * the second counts the first. Whoever spends or holds money in a person's name calls it first; transfers
 * have their own rules (`limitsLeftSql`), and the database enforces the same.
 */
export async function requireWithinLimits(
  tx: Tx,
  spending: { personId: number; groupId: number; amountCents: number; at: Date },
): Promise<void> {
  const { personId, groupId, amountCents, at } = spending;
  const { refusal } = await query(tx).one(sql<{ refusal: string | null }>`
    select member_refusal(${personId}, ${amountCents}, ${groupId}, ${at}) as refusal`);
  if (refusal && isProblemCode(refusal)) throw new Problem(refusal);
}

/** Who acts, and for whom. */
interface ActorAndOwner {
  actor: number;
  owner: number;
}

/**
 * Locks the tie by which a guardian acts for a child until the end of the transaction: ending it waits
 * (`lockTiesOf`). Refuses `not_found` where it ended since the call came in; for oneself there is none to
 * lock. Ties are the first lock of an action, by guardian and member: persons, cards, wallets and the record
 * itself come after.
 */
export async function lockTieForShare(tx: Tx, parties: ActorAndOwner): Promise<void> {
  const [isHeld] = await lockTiesForShare(tx, [parties]);
  if (!isHeld) throw new Problem("not_found");
}

/** The same for several actions: returns for each whether the actor still acts for the owner. */
export async function lockTiesForShare(
  tx: Tx,
  actions: readonly ActorAndOwner[],
): Promise<boolean[]> {
  const others = actions.filter(({ actor, owner }) => actor !== owner);
  if (others.length === 0) return actions.map(() => true);
  const [guardian, member] = [sql.ref("t.guardian_id"), sql.ref("t.member_id")];
  const { rows } = await sql<ActorAndOwner>`
    select ${guardian} as actor, ${member} as owner from family_tie t
    where (${guardian}, ${member}) in (select * from unnest(
        ${others.map(({ actor }) => actor)}::bigint[], ${others.map(({ owner }) => owner)}::bigint[]))
      and t.role = 'child' and ${mayActFor(guardian, member)}
    order by ${guardian}, ${member} for share of t`.execute(tx);
  const held = new Set(rows.map(({ actor, owner }) => `${actor} ${owner}`));
  return actions.map(({ actor, owner }) => actor === owner || held.has(`${actor} ${owner}`));
}

/**
 * Locks the ties with the persons of a subquery, those that there are, for actions that another right may
 * permit too: the query for their records then decides.
 */
export async function lockAnyTiesForShare(
  tx: Tx,
  actor: number,
  owners: RawBuilder<unknown>,
): Promise<void> {
  await sql`select from family_tie where guardian_id = ${actor} and member_id in (${owners})
    and role = 'child' order by member_id for share`.execute(tx);
}

/**
 * Locks the ties of a person before some end, in the order of `lockTieForShare`: actions that rely on them
 * are over then.
 */
export async function lockTiesOf(
  tx: Tx,
  personId: number,
): Promise<{ guardianId: number; memberId: number; role: "child" | "relative" }[]> {
  const { rows } = await sql<{ guardianId: number; memberId: number; role: "child" | "relative" }>`
    select guardian_id, member_id, role from family_tie
    where guardian_id = ${personId} or member_id = ${personId}
    order by guardian_id, member_id for update`.execute(tx);
  return rows;
}

/** Makes a person the guardian of a child who is new to the scheme. */
export async function tieChild(tx: Tx, guardian: number, child: number): Promise<void> {
  await tx
    .insertInto("familyTie")
    .values({ guardianId: guardian, memberId: child, role: "child" })
    .execute();
}
