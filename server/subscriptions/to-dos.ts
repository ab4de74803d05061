// What of subscriptions waits for a person.
import { type RawBuilder, sql } from "kysely";

/** SQL: files begun and not paid, of those that one fills in (server/portal/home.ts). */
export const subscriptionToDos = (me: number): RawBuilder<unknown> => sql`
  select 'subscription' as kind, s.id::text as id, s.person_id, null as "from", f.name as what,
    null::timestamptz as until
  from subscription s
  join subscription_formula f on f.code = s.formula and f.version = s.formula_version
  where s.buyer_id = ${me} and s.state = 'draft'`;
