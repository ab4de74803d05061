// Retention of cards, wallets and ledger rows.
import { sql } from "kysely";
import {
  accounting,
  ownedByColumn,
  inAccount,
  inWallet,
  tenYears,
  type RetentionLine,
} from "./retention.ts";

export const moneyRetention: readonly RetentionLine[] = [
  {
    table: "card",
    label: "Cartes",
    ownedBy: ownedByColumn("person_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "wallet",
    label: "Cagnottes",
    ownedBy: ownedByColumn("person_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "wallet_lot",
    label: "Argent et aides des cagnottes",
    ownedBy: inWallet("wallet_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "point_lot",
    label: "Points de fidélité",
    ownedBy: ownedByColumn("person_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "transfer",
    label: "Opérations",
    ownedBy: inAccount,
    // The other side's account and balance are somebody else's.
    hidden: [
      "debit_account",
      "credit_account",
      "debit_balance",
      "credit_balance",
      "debit_version",
      "credit_version",
      "key",
    ],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "reversal",
    label: "Annulations d’opérations et règlements de dettes",
    ownedBy: (person) => sql<boolean>`(t.person_id = ${person} or t.person_id is null and exists (
      select from transfer x
      join wallet_lot l on l.account_id in (x.debit_account, x.credit_account)
      join wallet w on w.id = l.wallet_id where x.id = t.transfer_id and w.person_id = ${person}))`,
    hidden: [
      "debit_account",
      "requested_by",
      "requester_account",
      "answered_by",
      "answered_account",
    ],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "hold",
    label: "Réservations",
    ownedBy: inAccount,
    hidden: ["debit_account", "credit_account", "key", "posted_key"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "wallet_transfer",
    label: "Virements",
    ownedBy: (person) =>
      sql<boolean>`(t.person_id = ${person} or ${inWallet("from_wallet")(person)})`,
    hidden: ["idempotency_key", "to_wallet"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "top_up",
    label: "Recharges",
    ownedBy: (person) =>
      sql<boolean>`(t.person_id = ${person} or ${inWallet("wallet_id")(person)})`,
    hidden: ["idempotency_key", "provider_ref", "payment_url", "payment_method_id", "hold_ids"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
];
