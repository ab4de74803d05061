// Funding of the demo: the guardian's alerts, a monthly top-up of a child's wallet from a saved payment
// method, a gift link for the grandparents, a request for money that a child has just made.
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { paths } from "#contract/paths.ts";
import type { Tx } from "../db/db.ts";
import type { CastName } from "./cast.ts";

type People = Readonly<Record<Extract<CastName, "guardian" | "child" | "secondChild">, number>>;

const main = (person: number) =>
  sql`(select id from wallet where person_id = ${person} and group_id = 1)`;

/** Moves no money before its next date: balances stay as the demo's events left them. */
export async function keepFilled(tx: Tx, people: People, now: Date): Promise<void> {
  const { guardian, child, secondChild } = people;
  for (const [owner, cents] of [
    [guardian, 1500],
    [child, 1000],
  ] as const) {
    await sql`insert into wallet_alert (wallet_id, person_id, threshold_cents, by_email, by_sms, below)
      select ${main(owner)}, ${guardian}, ${cents}, true, false, coalesce(sum(a.balance - a.held), 0)
        < ${cents} from wallet_lot l join ledger_account a on a.id = l.account_id
      where l.wallet_id = ${main(owner)}`.execute(tx);
  }
  const charge = randomUUID();
  await sql`insert into sandbox_charge (id, reference, amount_cents, return_url, state, outcome, keep,
      created_at, updated_at)
    values (${charge}, ${randomUUID()}, 2000, ${paths.dashboard}, 'succeeded', 'success', 'accepted',
      ${now}::timestamptz - interval '70 days', ${now}::timestamptz - interval '70 days')`.execute(
    tx,
  );
  await sql`with saved as (
      insert into payment_method (person_id, provider, ref, label, saved_at)
      values (${guardian}, 'sandbox', ${charge}, 'Carte fictive •••• 4242',
        ${now}::timestamptz - interval '70 days') returning id)
    insert into top_up_rule (wallet_id, person_id, trigger, day_of_month, mode, amount_cents,
      monthly_cents, payment_method_id, state, next_on, consent_at, created_at)
    select ${main(child)}, ${guardian}, 'day', 5, 'target', 4000, 6000, saved.id, 'active',
      (date_trunc('month', paris_day(${now}::timestamptz) - 4) + interval '1 month 4 days')::date,
      ${now}::timestamptz - interval '70 days', ${now}::timestamptz - interval '70 days'
    from saved`.execute(tx);
  await sql`insert into money_request (person_id, amount_cents, words, created_at, expires_at)
    values (${child}, 1000, 'Pour le cinéma avec Tom samedi', ${now}::timestamptz - interval '3 hours',
      ${now}::timestamptz + interval '6 days 21 hours')`.execute(tx);
  await sql`insert into gift_link (wallet_id, person_id, secret_hash, display_name, word, thanks,
      max_each_cents, max_total_cents, max_count, expires_at, created_at)
    values (${main(secondChild)}, ${guardian}, ${randomBytes(32)}, 'Jade',
      'Pour mes livres et mes sorties au théâtre. Bisous\u202f!',
      'Merci beaucoup, je vous raconterai\u202f!', 5000, 10000, 5,
      ${now}::timestamptz + interval '21 days', ${now}::timestamptz - interval '9 days')`.execute(
    tx,
  );
}
