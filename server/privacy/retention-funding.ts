// Retention of alerts, automatic top-ups, gift links and payment methods.
import { sql } from "kysely";
import type { RetentionLine } from "./retention.ts";

const books = { howLong: "10 ans", purpose: "Obligation comptable" } as const;
const running = {
  howLong: "Tant que vous le gardez",
  purpose: "Fonctionnement du service",
} as const;
/** Rows of the person, and those that others created on the person's wallet. */
const own = (person: number) =>
  sql<boolean>`(t.person_id = ${person}
    or t.wallet_id in (select id from wallet where person_id = ${person}))`;

export const fundingRetention: readonly RetentionLine[] = [
  {
    table: "payment_method",
    label: "Moyens de paiement gardés chez le prestataire",
    ownedBy: (person) => sql<boolean>`t.person_id = ${person}`,
    hidden: ["customer", "ref"],
    onClose: { set: { forgotten_at: "coalesce(forgotten_at, now())", label: "''" } },
    ...running,
  },
  {
    table: "wallet_alert",
    label: "Alertes de solde bas",
    ownedBy: own,
    hidden: ["person_id"],
    onClose: "delete",
    ...running,
  },
  {
    table: "top_up_rule",
    label: "Autorisations de recharge automatique",
    ownedBy: own,
    hidden: ["person_id", "payment_method_id"],
    onClose: { set: { state: "'deleted'", paused_why: "null", next_at: "null" } },
    ...books,
  },
  {
    table: "gift_link",
    label: "Liens de recharge pour un proche",
    ownedBy: own,
    hidden: ["person_id", "secret_hash"],
    onClose: {
      set: {
        revoked_at: "coalesce(revoked_at, now())",
        display_name: "''",
        word: "null",
        thanks: "null",
      },
    },
    ...books,
  },
  {
    table: "money_request",
    label: "Demandes d’argent d’un enfant à ses responsables",
    ownedBy: (person) => sql<boolean>`t.person_id = ${person}`,
    hidden: ["person_id", "answered_by"],
    onClose: {
      set: {
        state: "case when state = 'open' then 'ended' else state end",
        ended_at: "coalesce(ended_at, now())",
        words: "null",
        answer_words: "null",
      },
    },
    howLong: "Un an après la demande",
    purpose: "Fonctionnement du service",
    sweep: { column: "created_at", days: 365 },
  },
  {
    table: "gift_payment",
    label: "Recharges offertes par des proches",
    ownedBy: (person) => sql<boolean>`t.link_id in (select id from gift_link
      where wallet_id in (select id from wallet where person_id = ${person}))`,
    // The payer's own data: it is sent with the receipt.
    hidden: ["payer_email"],
    onClose: { set: { payer_email: "null" } },
    ...books,
  },
];
