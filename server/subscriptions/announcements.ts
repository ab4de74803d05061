// Notices about subscriptions, to the holder, the guardians of a child, and the buyer.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce, type Payer } from "#server/notifications/notifications.ts";
import type { SubscriptionRow } from "./rows.ts";

interface SubscriptionNews {
  title: string;
  body: string;
  at: Date;
  /** Sentences for the payer alone. */
  paid?: Omit<Payer, "id">;
  /** By SMS beside the e-mail: the option of the subscription. */
  sms?: boolean;
}

/** Announces, by e-mail, else by SMS, in the transaction of the change. */
export async function announceSubscription(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, buyerId, cardnumber }: Pick<SubscriptionRow, "personId" | "buyerId" | "cardnumber">,
  { sms = false, paid, ...news }: SubscriptionNews,
): Promise<void> {
  await announce(tx, deps, {
    ...news,
    about: "subscription",
    to: await withGuardians(tx, [personId]),
    payer: { id: buyerId, ...paid },
    path: linkTo(paths.subscription, {}, { card: cardnumber }),
    changed: ["subscriptions", "wallets"],
    channels: sms ? ["email", "sms"] : "outside",
  });
}
