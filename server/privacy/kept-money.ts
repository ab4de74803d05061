// What the register says of cards and money.
import { sql } from "kysely";
import { accounting, by, inAccount, inWallet, tenYears, type Kept } from "./kept.ts";

export const keptMoney: readonly Kept[] = [
  {
    table: "card",
    holds: "Cartes",
    whose: by("person_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "wallet",
    holds: "Cagnottes",
    whose: by("person_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "wallet_lot",
    holds: "Argent et aides des cagnottes",
    whose: inWallet("wallet_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "transfer",
    holds: "Opérations",
    whose: inAccount,
    // The other side's account and balance are somebody else's.
    hidden: [
      "debit",
      "credit",
      "debit_balance",
      "credit_balance",
      "debit_version",
      "credit_version",
      "key",
    ],
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "hold",
    holds: "Réservations",
    whose: inAccount,
    hidden: ["debit", "credit", "key", "posted_key"],
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "wallet_transfer",
    holds: "Virements",
    whose: (person) =>
      sql<boolean>`(t.person_id = ${person} or ${inWallet("from_wallet")(person)})`,
    hidden: ["idempotency_key", "to_wallet"],
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "top_up",
    holds: "Recharges",
    whose: (person) => sql<boolean>`(t.person_id = ${person} or ${inWallet("wallet_id")(person)})`,
    hidden: ["idempotency_key", "provider_ref", "payment_url", "means_id"],
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
];
