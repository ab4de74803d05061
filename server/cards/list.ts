// The cards that a person sees.
import { sql } from "kysely";
import type { Card, CardState } from "#contract/cards/rows.ts";
import type { Db } from "#server/db/db.ts";
import { familyOfSql } from "#server/family/family.ts";

interface CardRow {
  cardnumber: number;
  name: string;
  relation: Card["relation"];
  state: CardState;
  atf: number;
  validUntil: string | null;
  nextNumber: number | null;
  nextState: CardState | null;
  canResume: boolean;
}

/**
 * One's own card, then the family's: children, guardians, relatives, each by name. A card on order is shown
 * inside the one it replaces, and only to those who may act on it. Given its number, the card of a company's
 * bearer is shown to whoever manages it there.
 */
export async function cardsOf(db: Db, personId: number, cardnumber?: number): Promise<Card[]> {
  const { rows } = await sql<CardRow>`
    with people as (
      select ${personId}::bigint as person_id, 'self' as relation
      union all select person_id, relation from ${familyOfSql(personId)} family
      union all select card.person_id, 'employee' from card cross join card_company(card.person_id)
       where card.number = ${cardnumber ?? null}::bigint and card.person_id <> ${personId}
         and ${personId} = any (managers))
    select card.number as cardnumber, person.name, people.relation, card.state, card.atf,
           card.valid_until, next.number as next_number, next.state as next_state,
           case people.relation when 'self' then not exists (
               select from current_ties() where member_id = ${personId} and role = 'child')
             and not exists (select from card_company(${personId}) where ${personId} <> all (managers))
             else people.relation in ('child', 'employee') end as can_resume
      from people
      join person on person.id = people.person_id
      cross join lateral current_card(people.person_id) card
      left join card next on next.replaces = card.number
                         and people.relation in ('self', 'child', 'employee')
     where (person.disabled_at is null or people.relation = 'self')
       and (${cardnumber ?? null}::bigint is null or card.number = ${cardnumber ?? null}::bigint)
     order by array_position('{self,child,guardian,relative,employee}', people.relation),
              person.name collate "fr-x-icu", card.number`.execute(db);
  return rows.map((row) => ({
    cardnumber: row.cardnumber,
    name: row.name,
    relation: row.relation,
    state: row.state,
    atf: row.atf,
    validUntil: row.validUntil,
    canResume: row.canResume,
    replacement:
      row.nextNumber === null || row.nextState === null
        ? null
        : { cardnumber: row.nextNumber, state: row.nextState },
  }));
}
