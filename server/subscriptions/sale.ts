// Applications as a sale of the checkout. Once paid the subscription starts, or waits in review when it
// has proofs to check.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { periodWords, startWords } from "#contract/subscriptions/period-words.ts";
import { subscriptionCan } from "#contract/subscriptions/states.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Quote, Sale, SaleContext } from "#server/checkout/checkout.ts";
import { type Snapshot, readSnapshot, requireProofs, requireEligible } from "./applications.ts";
import {
  childrenOf,
  syncMembershipDates,
  lockSubscription,
  lockSubscriptionOf,
  type SubscriptionRow,
} from "./rows.ts";
import { announceSubscription } from "./announcements.ts";

interface ApplicationQuote extends Quote {
  snapshot: Snapshot;
}

export const subscriptionSale: Sale<SubscriptionRow, ApplicationQuote> = {
  kind: "subscription",
  account: "subscriptions",
  lock: async (tx, id, caller) => {
    const row =
      caller === null
        ? await lockSubscription(tx, id)
        : await lockSubscriptionOf(tx, caller.personId, id);
    if (!row) throw new Problem("not_found");
    return row;
  },
  isPaid: ({ state }) => state === "review" || state === "active",
  quote: async (tx, row, { at }) => {
    if (!subscriptionCan.fill(row)) throw new Problem("subscription_closed");
    const snapshot = await readSnapshot(tx, row, at);
    requireEligible(snapshot, at);
    await requireProofs(tx, row, at);
    return {
      totalCents: snapshot.quote.totalCents,
      label: `Abonnement ${snapshot.now.name}, ${row.holder}`,
      groupId: null,
      snapshot,
    };
  },
  returnPath: ({ id }) => linkTo(paths.subscription, {}, { application: id }),
  fulfil: async (tx, deps, row, { quote, sold, receipt }) =>
    await startSubscription(tx, deps, row, { ...quote.snapshot, payment: sold, receipt }),
};

/** Records the purchase and the cards that it covers, and announces it. */
async function startSubscription(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: SubscriptionRow,
  bought: Snapshot & { payment: SaleContext; receipt: readonly string[] },
): Promise<void> {
  const { quote, now, needed, receipt } = bought;
  const { walletId, buyerId, at } = bought.payment;
  const state = needed.length > 0 ? "review" : "active";
  await sql`update subscription set state = ${state}, formula_version = ${now.version},
      buyer_id = ${buyerId}, wallet_id = ${walletId}, lines = ${JSON.stringify(quote.lines)}::jsonb,
      paid_cents = ${quote.totalCents}, paid_at = ${at}, starts_on = ${quote.startsOn},
      ends_on = ${quote.endsOn}, changed_at = ${at}
    where id = ${row.id}`.execute(tx);
  const covered = [row.personId];
  if (now.coversChildren) {
    covered.push(...(await childrenOf(tx, row.personId)).map(({ personId }) => personId));
  }
  await sql`insert into subscription_cover (subscription_id, person_id)
    select ${row.id}::uuid, unnest(${covered}::bigint[])`.execute(tx);
  if (state === "active") await syncMembershipDates(tx, row.id);
  await announceSubscription(
    tx,
    deps,
    { ...row, buyerId },
    {
      paid: { receipt },
      title: state === "active" ? "Abonnement souscrit" : "Abonnement payé, en vérification",
      body:
        state === "active"
          ? `L’abonnement ${now.name} ${ofName(row.holder)} ${periodWords(quote, at)}.`
          : `Nous vérifions les justificatifs ${ofName(row.holder)}. L’abonnement ${now.name} commencera ${startWords(quote.startsOn, at)}.`,
      at,
    },
  );
}
