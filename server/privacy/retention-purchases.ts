// Retention of subscriptions, transport passes and tickets.
import { sql } from "kysely";
import { accounting, ownedByColumn, service, tenYears, type RetentionLine } from "./retention.ts";

export const purchasesRetention: readonly RetentionLine[] = [
  {
    table: "purchase",
    label: "Reçus d’achat",
    ownedBy: ownedByColumn("buyer_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "subscription",
    label: "Abonnements",
    ownedBy: (person) => sql<boolean>`t.person_id = ${person}`,
    // The payer may be another guardian.
    hidden: ["buyer_id", "wallet_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "subscription_cover",
    label: "Abonnements qui couvrent la carte",
    ownedBy: (person) => sql<boolean>`t.person_id = ${person}`,
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "subscription_proof",
    label: "Justificatifs des abonnements",
    ownedBy: (person) => sql<boolean>`t.subscription_id in
      (select id from subscription where person_id = ${person})`,
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "pass_order",
    label: "Achats de titres de transport",
    ownedBy: ownedByColumn("person_id", "holder_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "pass",
    label: "Titres de transport",
    ownedBy: ownedByColumn("holder_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "pass_control",
    label: "Contrôles des titres de transport",
    ownedBy: (person) =>
      sql<boolean>`t.pass_id in (select id from pass where holder_id = ${person})`,
    // Which person controlled concerns the network alone.
    hidden: ["by_id", "company_id"],
    onClose: "delete",
    howLong: "2 jours",
    purpose: service,
    sweep: { column: "at", days: 2 },
  },
  {
    table: "commuting_enrolment",
    label: "Inscriptions au transport par un employeur",
    // An invitation names a card until its holder accepts it; those that they read and declined stay theirs.
    ownedBy: (
      person,
    ) => sql<boolean>`(t.holder_id = ${person} or (t.state in ('invited', 'declined')
      and t.cardnumber in (select number from card where person_id = ${person})))`,
    hidden: ["plan_id", "invited_by", "staff_number"],
    onClose: {
      set: {
        ended_by: "case when state in ('ended', 'declined') then ended_by else 'holder' end",
        ended_at: "coalesce(ended_at, now())",
        state: "case when holder_id is null then 'declined' else 'ended' end",
      },
    },
    howLong: "10 ans, 13 mois sans accord",
    purpose: accounting,
    sweep: { column: "invited_at", days: 396, only: "t.holder_id is null" },
  },
  {
    table: "commuting_purchase",
    label: "Titres payés en partie par un employeur",
    ownedBy: (person) => sql<boolean>`t.enrolment_id in
      (select id from commuting_enrolment where holder_id = ${person})`,
    hidden: ["enrolment_id", "statement_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "till_sale",
    label: "Achats en caisse",
    ownedBy: ownedByColumn("holder_id"),
    // Which cashier served concerns the partner alone.
    hidden: ["cashier_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "till_offline",
    label: "Achats en caisse sans réseau",
    ownedBy: ownedByColumn("holder_id"),
    // Which cashier served, and for whom, concerns the partner alone.
    hidden: ["cashier_id", "company_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "card_order",
    label: "Commandes de cartes pro",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["wallet_id"],
    onClose: "keep",
    howLong: `60 jours pour un brouillon, sinon ${tenYears}`,
    purpose: accounting,
  },
  {
    table: "company_grant",
    label: "Dotations accordées pour une entreprise",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["wallet_id"],
    onClose: "keep",
    howLong: `30 jours pour un brouillon, sinon ${tenYears}`,
    purpose: accounting,
  },
  {
    table: "company_grant_card",
    label: "Dotations reçues de votre entreprise",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["account_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "company_grant_return",
    label: "Dotations reçues, revenues à votre entreprise",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["wallet_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "card_order_person",
    label: "Personnes d’un brouillon de commande de cartes",
    // The cards of an order are still made, whoever ordered it.
    ownedBy: (person) => sql<boolean>`t.order_id in
      (select id from card_order where person_id = ${person} and state = 'draft')`,
    // Data of other people.
    hidden: ["email", "phonenumber"],
    onClose: "delete",
    howLong: "60 jours, ou jusqu’à la fabrication des cartes commandées",
    purpose: service,
  },
  {
    table: "till_return",
    label: "Remboursements en caisse",
    ownedBy: (person) => sql<boolean>`t.sale_id in
      (select id from till_sale where holder_id = ${person})`,
    hidden: ["by_id"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "till_closing",
    label: "Clôtures de caisse",
    ownedBy: ownedByColumn("closed_by"),
    hidden: ["totals", "means"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "ticket_order",
    label: "Achats de billets",
    ownedBy: ownedByColumn("person_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "ticket",
    label: "Billets",
    ownedBy: ownedByColumn("owner_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "ticket_transfer",
    label: "Billets donnés ou reçus",
    ownedBy: ownedByColumn("from_id", "to_id"),
    hidden: ["to_id", "to_cardnumber", "secret_hash"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "ticket_wait",
    label: "Listes d’attente",
    ownedBy: ownedByColumn("person_id", "owner_id"),
    onClose: "delete",
    howLong: "13 mois",
    purpose: service,
    sweep: { column: "requested_at", days: 396 },
  },
];
