// What the register says of the bus and of events.
import { accounting, by, service, tenYears, type Kept } from "./kept.ts";

export const keptTravel: readonly Kept[] = [
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
  {
    table: "ticket_order",
    holds: "Achats de billets",
    whose: by("person_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "ticket",
    holds: "Billets",
    whose: by("owner_id"),
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "ticket_transfer",
    holds: "Billets donnés ou reçus",
    whose: by("from_id", "to_id"),
    hidden: ["to_id", "to_cardnumber"],
    onClose: "keep",
    howLong: tenYears,
    after: accounting,
  },
  {
    table: "ticket_wait",
    holds: "Listes d’attente",
    whose: by("person_id", "owner_id"),
    onClose: "delete",
    howLong: "13 mois",
    after: service,
    sweep: { column: "asked_at", days: 396 },
  },
];
