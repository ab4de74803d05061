// To-dos of subscriptions on a person's home page.
import { type RawBuilder, sql } from "kysely";

/** SQL: unpaid applications that the person may fill in (server/portal/home.ts). */
export const subscriptionToDos = (me: number): RawBuilder<unknown> => sql`
  select 'subscription' as kind, s.id::text as id, s.person_id, null as "from", f.name as what,
    null::timestamptz as until
  from subscription s
  join subscription_formula f on f.code = s.formula and f.version = s.formula_version
  where s.buyer_id = ${me} and s.state = 'draft'`;
