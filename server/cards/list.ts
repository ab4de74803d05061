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
  valid_until: string | null;
  next_number: number | null;
  next_state: CardState | null;
}

/**
 * One's own card, then the family's: children, guardians, relatives, each by name. A card awaited is
 * shown inside the one it replaces, and only to those who may act on it.
 */
export async function cardsOf(db: Db, personId: number, cardnumber?: number): Promise<Card[]> {
  const { rows } = await sql<CardRow>`
    with people as (
      select ${personId}::bigint as person_id, 'self' as relation
      union all select person_id, relation from ${familyOfSql(personId)} family)
    select card.number as cardnumber, person.name, people.relation, card.state, card.atf,
           card.valid_until, next.number as next_number, next.state as next_state
      from people
      join person on person.id = people.person_id
      cross join lateral current_card(people.person_id) card
      left join card next on next.replaces = card.number
                         and people.relation in ('self', 'child')
     where (person.disabled_at is null or people.relation = 'self')
       and (${cardnumber ?? null}::bigint is null or card.number = ${cardnumber ?? null}::bigint)
     order by array_position('{self,child,guardian,relative}', people.relation),
              person.name collate "fr-x-icu", card.number`.execute(db);
  return rows.map((row) => ({
    cardnumber: row.cardnumber,
    name: row.name,
    relation: row.relation,
    state: row.state,
    atf: row.atf,
    validUntil: row.valid_until,
    replacement:
      row.next_number === null || row.next_state === null
        ? null
        : { cardnumber: row.next_number, state: row.next_state },
  }));
}
