// What the register says of subscriptions.
import { sql } from "kysely";
import type { Kept } from "./kept.ts";

const kept = { onClose: "keep", howLong: "10 ans", after: "Obligation comptable" } as const;

export const keptSubscriptions: readonly Kept[] = [
  {
    table: "subscription",
    holds: "Abonnements",
    whose: (person) => sql<boolean>`t.person_id = ${person}`,
    // Who paid may be another guardian.
    hidden: ["buyer_id", "wallet_id", "payment_by", "top_up_id", "payment_attempt"],
    ...kept,
  },
  {
    table: "subscription_cover",
    holds: "Abonnements qui couvrent la carte",
    whose: (person) => sql<boolean>`t.person_id = ${person}`,
    ...kept,
  },
  {
    table: "subscription_paper",
    holds: "Justificatifs des abonnements",
    whose: (person) => sql<boolean>`t.subscription_id in
      (select id from subscription where person_id = ${person})`,
    ...kept,
  },
];
