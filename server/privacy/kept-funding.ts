// What the register says of what keeps wallets filled.
import { sql } from "kysely";
import type { Kept } from "./kept.ts";

const books = { howLong: "10 ans", after: "Obligation comptable" } as const;
const running = { howLong: "Tant que vous le gardez", after: "Fonctionnement du service" } as const;
/** One's own, and what others set on one's wallet. */
const own = (person: number) =>
  sql<boolean>`(t.person_id = ${person}
    or t.wallet_id in (select id from wallet where person_id = ${person}))`;

export const keptFunding: readonly Kept[] = [
  {
    table: "payment_means",
    holds: "Moyens de paiement gardés chez le prestataire",
    whose: (person) => sql<boolean>`t.person_id = ${person}`,
    hidden: ["customer", "ref"],
    onClose: { set: { forgotten_at: "coalesce(forgotten_at, now())", label: "''" } },
    ...running,
  },
  {
    table: "wallet_alert",
    holds: "Alertes de solde bas",
    whose: own,
    hidden: ["person_id"],
    onClose: "delete",
    ...running,
  },
  {
    table: "top_up_rule",
    holds: "Autorisations de recharge automatique",
    whose: own,
    hidden: ["person_id", "means_id"],
    onClose: { set: { state: "'deleted'", paused_why: "null", next_at: "null" } },
    ...books,
  },
  {
    table: "gift_link",
    holds: "Liens de recharge pour un proche",
    whose: own,
    hidden: ["person_id", "secret_hash"],
    onClose: { set: { revoked_at: "coalesce(revoked_at, now())", shown_name: "''" } },
    ...books,
  },
  {
    table: "gift_payment",
    holds: "Recharges offertes par des proches",
    whose: (person) => sql<boolean>`t.link_id in (select id from gift_link
      where wallet_id in (select id from wallet where person_id = ${person}))`,
    // The payer's own: it leaves with the receipt.
    hidden: ["payer_email"],
    onClose: { set: { payer_email: "null" } },
    ...books,
  },
];
