// To-dos of subscriptions on a person's home page, and the fact on the service tile.
import { type RawBuilder, sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { paths } from "#contract/paths.ts";
import type { Db } from "#server/db/db.ts";
import { sqlLink } from "#server/db/link.ts";
import type { HolderHome, TileFacts } from "#server/portal/portal.ts";

const subscriptionPath = sqlLink(
  paths.subscription,
  {},
  { card: sql`(select number from current_card(s.person_id))` },
);

/** SQL: unpaid applications that the person may fill in. */
export const subscriptionToDos = ({ me }: HolderHome): RawBuilder<unknown> => sql`
  select 'subscription' as kind, s.id::text as id, s.person_id, null as "from", f.name as what,
    null::timestamptz as until,
    ${subscriptionPath} as path
  from subscription s
  join subscription_formula f on f.code = s.formula and f.version = s.formula_version
  where s.buyer_id = ${me} and s.state = 'draft'`;

/** The last day of the current yearly subscription of a card's holder, null without one. */
export async function subscriptionFacts(
  db: Db,
  { holder, at }: HolderHome,
): Promise<Pick<TileFacts, "subscribedUntil">> {
  const { expires } = await db
    .selectFrom("person")
    .select("subscriptionExpiresAt as expires")
    .where("id", "=", holder)
    .executeTakeFirstOrThrow();
  return { subscribedUntil: expires !== null && expires > at ? parisDay(expires) : null };
}
