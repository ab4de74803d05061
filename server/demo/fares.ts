// Fares of the demo's line groups.
import type { FareFile } from "../passes/passes.ts";

export const demoFares: FareFile = [
  {
    slug: "reseau-du-lagon",
    name: "Réseau du Lagon",
    lead: "Bus et navette de l’agglomération, toutes les lignes.",
    products: [
      {
        id: "lagon-ticket",
        kind: "single",
        name: "Ticket à l’unité",
        lead: "Un trajet, correspondances comprises.",
        priceCents: 170,
        minutes: 90,
        reductions: [{ label: "Tarif enfant, moins de 12 ans", priceCents: 80, oldest: 11 }],
      },
      {
        id: "lagon-jour",
        kind: "day",
        name: "Journée",
        lead: "Autant de trajets que vous voulez dans la journée.",
        priceCents: 480,
        reductions: [{ label: "Tarif enfant, moins de 12 ans", priceCents: 240, oldest: 11 }],
      },
      {
        id: "lagon-mois",
        kind: "month",
        name: "Mensuel",
        lead: "Tous les trajets d’un mois.",
        priceCents: 4400,
        duplicateFeeCents: 800,
        reductions: [
          { label: "Quotient familial jusqu’à 700", priceCents: 1100, quotientUpTo: 700 },
          { label: "Quotient familial jusqu’à 1 000", priceCents: 2200, quotientUpTo: 1000 },
          { label: "Tarif jeune, moins de 26 ans", priceCents: 2650, oldest: 25 },
          { label: "Tarif senior, dès 65 ans", priceCents: 2650, youngest: 65 },
        ],
      },
      {
        id: "lagon-an",
        kind: "year",
        name: "Annuel",
        lead: "Douze mois au prix de dix. Il se suspend pendant vos absences.",
        priceCents: 44_000,
        maxSuspendedDays: 60,
        freeDuplicates: 1,
        duplicateFeeCents: 800,
        reductions: [
          { label: "Quotient familial jusqu’à 700", priceCents: 11_000, quotientUpTo: 700 },
          { label: "Quotient familial jusqu’à 1 000", priceCents: 22_000, quotientUpTo: 1000 },
          { label: "Tarif jeune, moins de 26 ans", priceCents: 26_500, oldest: 25 },
          { label: "Tarif senior, dès 65 ans", priceCents: 26_500, youngest: 65 },
        ],
      },
    ],
  },
  {
    slug: "transport-scolaire",
    name: "Transport scolaire",
    lead: "Les circuits des écoles, collèges et lycées, un aller et retour par jour de classe.",
    products: [
      {
        id: "scolaire-an",
        kind: "school",
        name: "Abonnement scolaire",
        lead: "Pour les élèves, de l’arrêt de montée choisi jusqu’à l’établissement.",
        priceCents: 9000,
        youngest: 3,
        oldest: 20,
        needsStop: true,
        lateAfter: "07-31",
        lateFeeCents: 1500,
        freeDuplicates: 1,
        duplicateFeeCents: 1000,
        reductions: [
          { label: "Quotient familial jusqu’à 700", priceCents: 3000, quotientUpTo: 700 },
          { label: "Quotient familial jusqu’à 1 000", priceCents: 6000, quotientUpTo: 1000 },
        ],
      },
    ],
  },
];
