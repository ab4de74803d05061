// The register of what is kept: each table of the database, whose it is, what an export shows of it,
// what becomes of it when an account closes, and when it goes by itself. A test holds that no table
// is missing, so that whoever adds one decides.
import { type RawBuilder, sql } from "kysely";
import { keptFunding } from "./kept-funding.ts";
import { keptSubscriptions } from "./kept-subscriptions.ts";

/** Rows `t` of a person. */
type Whose = (person: number) => RawBuilder<boolean>;

export interface Kept {
  table: string;
  /** What it is, in the words of the export and of the screen. */
  holds: string;
  whose: Whose;
  /** Columns that no export shows: secrets, keys of ours, and what is other people's. */
  hidden?: readonly string[];
  /** When the account closes; `set` gives columns their new SQL value. */
  onClose: "keep" | "delete" | { set: Readonly<Record<string, string>> };
  /** How long it is kept, for the screen. */
  howLong: string;
  /** What it is kept for, for the screen. */
  after: string;
  /** Rows older than `days` after `column` are deleted by the nightly job. */
  sweep?: { column: string; days: number; only?: string };
}

const by =
  (...columns: string[]): Whose =>
  (person) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`t.${sql.ref(column)} = ${person}`),
      sql` or `,
    )})`;
const inWallet =
  (column: string): Whose =>
  (person) =>
    sql<boolean>`t.${sql.ref(column)} in (select id from wallet where person_id = ${person})`;
const inAccount: Whose = (person) =>
  sql<boolean>`exists (select from wallet w join wallet_lot l on l.wallet_id = w.id
    where w.person_id = ${person} and l.account_id in (t.debit, t.credit))`;

const tenYears = "10 ans";
const accounting = "Obligation comptable";
const security = "Sécurité du compte";
const service = "Fonctionnement du service";

/** Tables that hold something about a person. */
export const register: readonly Kept[] = [
  {
    table: "person",
    holds: "Identité et coordonnées",
    whose: by("id"),
    hidden: ["password_hash"],
    onClose: {
      set: {
        name: "'Compte fermé'",
        avatar: "null",
        email: "null",
        phonenumber: "null",
        born_on: "null",
        password_hash: "''",
      },
    },
    howLong: "Jusqu’à la fermeture du compte",
    after: service,
  },
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
  {
    table: "pass_order",
    holds: "Achats de titres de transport",
    whose: by("person_id", "holder_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "pass",
    holds: "Titres de transport",
    whose: by("holder_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  ...keptSubscriptions,
  ...keptFunding,
  {
    table: "audit",
    holds: "Activité du compte",
    whose: by("person_id"),
    hidden: ["prev", "hash", "seq"],
    onClose: "keep",
    howLong: tenYears,
    after: "Preuve de ce qui a été fait",
  },
  {
    table: "session",
    holds: "Sessions",
    whose: by("person_id"),
    hidden: ["binding"],
    onClose: "delete",
    howLong: "30 jours après la fin",
    after: security,
  },
  {
    table: "known_device",
    holds: "Appareils reconnus",
    whose: by("person_id"),
    hidden: ["hash"],
    onClose: "delete",
    howLong: "13 mois après la dernière visite",
    after: security,
  },
  {
    table: "passkey",
    holds: "Clés d’accès",
    whose: by("person_id"),
    hidden: ["credential_id", "public_key", "counter"],
    onClose: "delete",
    howLong: "Jusqu’à leur retrait",
    after: security,
  },
  {
    table: "recovery_code",
    holds: "Codes de secours",
    whose: by("person_id"),
    hidden: ["hmac"],
    onClose: "delete",
    howLong: "Jusqu’à leur remplacement",
    after: security,
  },
  {
    table: "login_alert",
    holds: "Alertes de connexion",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "30 jours",
    after: security,
  },
  {
    table: "notification",
    holds: "Notifications",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "13 mois",
    after: service,
    sweep: { column: "at", days: 396 },
  },
  {
    table: "outbox",
    holds: "Messages envoyés",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "90 jours",
    after: "Preuve d’envoi",
    sweep: { column: "created_at", days: 90 },
  },
  {
    table: "family_tie",
    holds: "Liens de famille",
    whose: by("guardian_id", "member_id"),
    onClose: "delete",
    howLong: "Jusqu’à la fin du lien",
    after: service,
  },
  {
    table: "family_invitation",
    holds: "Invitations de famille",
    whose: by("inviter_id", "invitee_id", "child_id"),
    onClose: "delete",
    howLong: "13 mois",
    after: service,
    sweep: { column: "expires_at", days: 396 },
  },
  {
    table: "custody",
    holds: "Semaines de garde",
    whose: by("child_id", "first_id", "second_id"),
    onClose: "delete",
    howLong: "Jusqu’à leur remplacement",
    after: service,
  },
  {
    table: "proof",
    holds: "Quotient familial et justificatifs",
    whose: by("person_id", "sent_by"),
    onClose: "delete",
    howLong: "3 ans",
    after: "Tarifs réduits",
    sweep: { column: "sent_at", days: 1096 },
  },
  {
    table: "document",
    holds: "Documents envoyés",
    whose: by("person_id"),
    hidden: ["content", "sha256"],
    onClose: "delete",
    howLong: "3 ans",
    after: "Étude de vos demandes",
    sweep: { column: "at", days: 1096 },
  },
  {
    table: "contact_thread",
    holds: "Demandes au service clients",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "3 ans",
    after: "Répondre à vos demandes",
    sweep: { column: "updated_at", days: 1096 },
  },
  {
    table: "contact_message",
    holds: "Messages échangés avec le service clients",
    whose: (person) => sql<boolean>`t.thread_number in
      (select number from contact_thread where person_id = ${person})`,
    hidden: ["key", "fingerprint", "operator"],
    onClose: "delete",
    howLong: "3 ans",
    after: "Répondre à vos demandes",
  },
  {
    table: "contact_draft",
    holds: "Message en cours d’écriture",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "30 jours",
    after: service,
  },
  {
    table: "member_limit",
    holds: "Limites de dépense",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "Jusqu’à leur retrait",
    after: service,
  },
  {
    table: "first_card_request",
    holds: "Demandes de première carte",
    whose: by("guardian_id", "person_id"),
    onClose: "keep",
    howLong: "3 ans",
    after: service,
    sweep: { column: "asked_at", days: 1096 },
  },
  {
    table: "faq_vote",
    holds: "Votes sur l’aide",
    whose: by("person_id"),
    onClose: "delete",
    howLong: "Jusqu’à la fermeture du compte",
    after: service,
  },
  {
    table: "health_record",
    holds: "Santé (chiffrée, avec votre accord)",
    whose: by("person_id"),
    hidden: ["sealed"],
    onClose: "delete",
    howLong: "Jusqu’au retrait de votre accord",
    after: "Repas sans danger",
  },
  {
    table: "data_export",
    holds: "Exports de données",
    whose: by("person_id"),
    hidden: ["zip"],
    onClose: "delete",
    howLong: "7 jours",
    after: "Vous remettre vos données",
    sweep: { column: "expires_at", days: 0 },
  },
  {
    table: "closure",
    holds: "Fermetures demandées",
    whose: by("person_id"),
    hidden: ["iban_sealed"],
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
];

/** Tables that hold nothing of a person, or what is gone within minutes, with the reason. */
export const nobodys: Readonly<Record<string, string>> = {
  acceptance_group: "the scheme's own",
  scheme_account: "the scheme's own",
  ledger_account: "balances, reached by the wallet's lots",
  secret: "keys of the installation",
  migration: "the shape of the database",
  faq_article: "texts of the scheme",
  partner: "a business, whose sheet is public",
  partner_category: "the directory's own",
  partner_closure: "the directory's own",
  partner_group: "the directory's own",
  partner_hours: "the directory's own",
  partner_offer: "the directory's own",
  service: "the scheme's own",
  transport_service: "the scheme's own",
  transit_feed: "the network's own",
  transit_import: "the network's own",
  transit_group: "the network's own",
  transit_line: "the network's own",
  transit_stop: "the network's own",
  transit_service: "the network's own",
  transit_service_change: "the network's own",
  transit_way: "the network's own",
  transit_way_stop: "the network's own",
  transit_trip: "the network's own",
  transit_departure: "the network's own",
  subscription_formula: "the scheme's own",
  subscription_option: "the scheme's own",
  fare_group: "the network's own",
  fare_product: "the network's own",
  fare_reduction: "the network's own",
  audit_head: "the end of each chain of the audit trail",
  code: "hashed codes, gone within half an hour",
  passkey_challenge: "gone within five minutes",
  limiter: "counters of failures, gone within a day",
  card_join_code: "hashed codes of cards",
  family_join_try: "counters",
  payment_event: "what a provider told of a payment: kept with the books, without a person's data",
  sandbox_charge: "fictitious payments of the demo",
  sandbox_event: "fictitious payments of the demo",
};
