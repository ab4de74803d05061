// Invoices and settlements of the demo's companies, in the order of time: numbers of invoices follow their
// dates.
import { sql } from "kysely";
import { firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import type { Deps } from "#server/process/deps.ts";
import { inTx } from "../db/db.ts";
import { orderCards, orderedCards } from "./card-orders.ts";
import type { CastName } from "./cast.ts";
import { grantedMoney } from "./grants.ts";
import { invoicedMonths, invoiceMonth } from "./invoices.ts";
import { agreeOnCommission, closedMonths, closeDemoMonth } from "./settlement.ts";

/** Invoices, card orders and closed months, each in a transaction of its own, in their order. */
export async function writeAccounting(deps: Deps, people: Record<CastName, number>): Promise<void> {
  const now = deps.now();
  const { employer } = people;
  await agreeOnCommission(deps);
  const steps = [
    ...invoicedMonths(now).map(({ at, monthsAgo }) => ({
      at,
      take: () => inTx(deps.db, (tx) => invoiceMonth(tx, deps, { people, now }, monthsAgo)),
    })),
    ...closedMonths(now).map(({ at, next }) => ({ at, take: () => closeDemoMonth(deps, next) })),
    ...orderedCards(now).map(({ at, order }) => ({
      at,
      take: () => inTx(deps.db, (tx) => orderCards(tx, deps, { order, employer, now })),
    })),
    ...grantedMoney(now).map(({ at, take }) => ({ at, take: () => take(deps, employer) })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const { take } of steps) await take();
  const thisMonth = startOfDay(firstOfMonth(parisDay(now)));
  await sql`update notification set read_at = at where kind = 'invoice' and read_at is null
    and at < ${thisMonth}`.execute(deps.db);
}
