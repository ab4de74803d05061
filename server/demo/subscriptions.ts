// Subscriptions of the demo family beyond those that run: a year that is over, and a file for Jade that
// Camille has not finished.
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import type { Tx } from "../db/db.ts";
import type { CastName } from "./cast.ts";

/** Writes them around the ones of the cast. */
export async function subscribed(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
): Promise<void> {
  const before = [
    { holder: people.guardian, formula: "essentiel", name: "Essentiel", cents: 2400 },
    { holder: people.coGuardian, formula: "essentiel", name: "Essentiel", cents: 2400 },
  ];
  for (const { holder, formula, name, cents } of before) {
    const why = "Un an, payé à l’accueil.";
    const lines = [{ kind: "formula", label: `Formule ${name}`, amountCents: cents, why }];
    await sql`with bought as (
        insert into subscription (person_id, buyer_id, state, step, formula, formula_version,
          lines, paid_cents, paid_at, starts_on, ends_on, ended_at, created_at, changed_at)
        select person_id, person_id, 'expired', 'price', ${formula}, 1,
          ${JSON.stringify(lines)}::jsonb, ${cents}::bigint, starts_on - interval '1 year',
          starts_on - interval '1 year', starts_on - 1, starts_on, starts_on - interval '1 year',
          starts_on
        from subscription where person_id = ${holder} and state = 'active' returning id, person_id)
      insert into subscription_cover (subscription_id, person_id)
      select id, person_id from bought`.execute(tx);
  }
  const started = new Date(now.getTime() - 2 * dayMs);
  await sql`insert into subscription (person_id, buyer_id, state, step, formula, formula_version,
      created_at, changed_at)
    values (${people.secondChild}, ${people.guardian}, 'draft', 'options', 'essentiel', 1,
      ${started}, ${started})`.execute(tx);
}
