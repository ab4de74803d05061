// Whose card is meant: the person behind a number that the caller may act for.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { mayActFor } from "#server/family/family.ts";

/** SQL: the number by which a person is known now, as a scalar subquery. */
export const numberOf = (person: string) => sql<number>`(
  select c.number from card c where c.person_id = ${sql.ref(person)}
  order by (c.state in ('active', 'suspended')) desc, (c.state = 'opposed') desc,
    c.requested_at desc limit 1)`;

/** The person of a card, of the caller or of their child; anybody else's is `not_found`. */
export async function holderOf(db: Db, callerId: number, cardnumber: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select person_id as id from card
    where number = ${cardnumber} and ${mayActFor(callerId, sql.ref("card.person_id"))}`.execute(db);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0].id;
}

/** Refuses while the person's card is suspended, opposed or not in use: no QR is shown. */
export async function requireCardInUse(db: Db, personId: number): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    select c.state from card c where c.person_id = ${personId}
    order by (c.state in ('active', 'suspended')) desc, (c.state = 'opposed') desc,
      c.requested_at desc limit 1`.execute(db);
  const state = rows[0]?.state;
  if (state === "active") return;
  if (state === "suspended") throw new Problem("card_suspended");
  throw new Problem(state === "opposed" ? "card_opposed" : "card_state");
}
