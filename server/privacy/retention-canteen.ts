// Retention of registrations at canteens and of meals.
import { sql } from "kysely";
import {
  accounting,
  type OwnedBy,
  ownedByColumn,
  service,
  tenYears,
  type RetentionLine,
} from "./retention.ts";

/** Rows of a registration of the person. */
const inRegistration: OwnedBy = (person) => sql<boolean>`t.registration_id in
  (select id from canteen_registration where person_id = ${person})`;

export const canteenRetention: readonly RetentionLine[] = [
  {
    table: "canteen_registration",
    label: "Inscriptions à la cantine",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["requested_by"],
    onClose: {
      set: {
        diet: "'standard'",
        pai: "false",
        allergens_consent_at: "null",
        photo_consent_at: "null",
      },
    },
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "meal_request",
    label: "Paniers de repas",
    ownedBy: ownedByColumn("person_id"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "meal_request_line",
    label: "Repas choisis",
    ownedBy: inRegistration,
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "meal_order",
    label: "Repas commandés",
    ownedBy: ownedByColumn("person_id"),
    // The payer may be another guardian.
    hidden: ["ordered_by", "wallet_id", "hold_ids", "allergens_confirmed_by"],
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "meal_scan",
    label: "Passages à la cantine",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["scanned_by", "settled_by"],
    onClose: "keep",
    howLong: "13 mois",
    purpose: service,
    sweep: { column: "scanned_at", days: 396 },
  },
  {
    table: "meal_wait",
    label: "Attente d’un repas",
    ownedBy: inRegistration,
    hidden: ["requested_by"],
    onClose: "delete",
    howLong: "13 mois",
    purpose: service,
    sweep: { column: "requested_at", days: 396 },
  },
  {
    table: "meal_illness",
    label: "Maladies déclarées à la cantine",
    ownedBy: inRegistration,
    hidden: ["declared_by"],
    onClose: "delete",
    howLong: "13 mois",
    purpose: service,
    sweep: { column: "declared_at", days: 396 },
  },
  {
    table: "meal_illness_meal",
    label: "Repas d’une absence pour maladie",
    ownedBy: (person) => sql<boolean>`t.illness_id in (select i.id from meal_illness i
      join canteen_registration r on r.id = i.registration_id where r.person_id = ${person})`,
    // Deleted with their illness.
    onClose: "delete",
    howLong: "13 mois",
    purpose: service,
  },
  {
    table: "canteen_message",
    label: "Messages d’une cantine aux familles",
    ownedBy: ownedByColumn("sent_by"),
    onClose: "keep",
    howLong: tenYears,
    purpose: accounting,
  },
  {
    table: "meal_notice",
    label: "Rappels de la cantine",
    ownedBy: ownedByColumn("person_id"),
    onClose: "delete",
    howLong: "13 mois",
    purpose: service,
    sweep: { column: "notified_at", days: 396 },
  },
  {
    table: "meal_calendar",
    label: "Adresse du calendrier des repas",
    ownedBy: ownedByColumn("person_id"),
    hidden: ["secret_hash"],
    onClose: "delete",
    howLong: "Jusqu’à la fermeture du compte",
    purpose: service,
  },
];
