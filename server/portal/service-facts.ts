// Facts of the day on the service tiles of a card: its money, its subscription, the next tickets, the next
// bus of a pass. A guardian's own card includes their children.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import type { home } from "#contract/portal/home.ts";
import { parisDay } from "#contract/days.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { holderWithChildren } from "#server/family/family.ts";
import { countPartners } from "#server/partners/partners.ts";
import { ridingPassOf, type RidingPass } from "#server/passes/passes.ts";
import { ticketsToCome } from "#server/tickets/tickets.ts";
import { mainWalletsOf } from "#server/wallet/wallet.ts";

type Facts = Output<typeof home.services>;

/** Facts for the tiles of `/services`. A card that is not the caller's or their child's: `not_found`. */
export async function serviceFactsOf(
  deps: Deps,
  me: number,
  { cardnumber }: { cardnumber: number },
): Promise<Facts> {
  const { db } = deps;
  const at = deps.now();
  const holder = await holderWithChildren(db, me, cardnumber);
  const people = [
    holder.id,
    ...holder.children.map(({ id }) => id).toSorted((one, other) => one - other),
  ];
  const [wallets, subscribedUntil, tickets, pass, partners] = await Promise.all([
    mainWalletsOf(deps, [holder.id]),
    subscribedUntilOf(db, holder.id, at),
    nextTicketsOf(db, people, at),
    ridingPassOf(db, people, at),
    countPartners(db),
  ]);
  return {
    balanceCents: wallets.get(holder.id)?.balanceCents ?? null,
    subscribedUntil,
    tickets,
    pass: pass && toPassFact(pass, holder.id),
    partners,
  };
}

/** The last day of the current yearly subscription, null without one. */
async function subscribedUntilOf(db: Db, personId: number, at: Date): Promise<string | null> {
  const { expires } = await db
    .selectFrom("person")
    .select("subscriptionExpiresAt as expires")
    .where("id", "=", personId)
    .executeTakeFirstOrThrow();
  return expires !== null && expires > at ? parisDay(expires) : null;
}

/** The tickets of the next session that one of these persons has tickets for. */
async function nextTicketsOf(
  db: Db,
  people: readonly number[],
  at: Date,
): Promise<Facts["tickets"]> {
  const found = await query(db).maybeOne(sql<{ count: number; from: Date }>`
    select count, "from" from (${ticketsToCome(people, at)}) coming
    order by "from", id limit 1`);
  return found ? { count: found.count, from: found.from.toISOString() } : null;
}

function toPassFact(pass: RidingPass, holderId: number): Facts["pass"] {
  const { next, until } = pass;
  return {
    holder: pass.holderId === holderId ? null : pass.holder,
    lastOn: parisDay(new Date(until.getTime() - 1)),
    next: next && { ...next, line: next.line.number, at: next.at.toISOString() },
  };
}
