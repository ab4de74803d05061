// New cards of a company: each a person of type 2 whom nobody is yet, a wallet and a card to be made.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { companyCards } from "#contract/companies/limits.ts";
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import { openProfessional } from "#server/enrolment/enrolment.ts";
import { hashFirstPassword } from "#server/identity/identity.ts";

/**
 * Makes accepted cards that nobody carries yet, in the company's name; gives their numbers. They are made
 * with the next batch. Refuses `pro_card_full` beyond what a company may have.
 */
export async function issueProCards(
  tx: Tx,
  { companyId, count, at }: { companyId: string; count: number; at: Date },
): Promise<number[]> {
  // Locked, so that two orders at once are counted one after the other.
  const { rows: found } = await sql<{ name: string; cards: number }>`
    with held as (select id, name from company where id = ${companyId} for no key update)
    select name, (select count(*)::int from pro_card where company_id = held.id) as cards
    from held`.execute(tx);
  const company = found[0];
  if (!company) throw new Problem("not_found");
  const { most } = companyCards;
  if (company.cards + count > most) throw new Problem("pro_card_full", { most });
  // Nobody knows this password: the batch prints the secret of the first sign-in.
  const passwordHash = await hashFirstPassword(randomUUID());
  const numbers: number[] = [];
  for (let made = 0; made < count; made++) {
    numbers.push(await openBearer(tx, { companyId, name: company.name, passwordHash, at }));
  }
  return numbers;
}

async function openBearer(
  tx: Tx,
  given: { companyId: string; name: string; passwordHash: string; at: Date },
): Promise<number> {
  const { companyId, ...bearer } = given;
  const nobody = { ...bearer, email: null, phonenumber: null };
  const { personId, cardnumber } = await openProfessional(tx, nobody);
  await tx
    .insertInto("pro_card")
    .values({
      person_id: personId,
      company_id: companyId,
      issued_at: bearer.at,
      assigned_at: null,
    })
    .execute();
  return cardnumber;
}
