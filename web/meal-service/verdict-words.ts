// The verdict of the counter on whoever stands before it, in a word or two.
import type { Verdict } from "#contract/meal-service/counter.ts";

export const verdictNames: Readonly<Record<Verdict, string>> = {
  served: "Servi",
  already: "Déjà servi",
  to_validate: "Commande à valider",
  other_day: "Commande d’un autre jour",
  no_order: "Pas de commande aujourd’hui",
  opposed: "Carte opposée",
  suspended: "Carte suspendue",
  out_of_use: "Carte hors d’usage",
  unregistered: "Sans inscription ici",
  late_code: "Code périmé",
  forged: "Code inconnu",
};

/** Codes of Ma carte that are no card's: the counter takes cards. */
export const markNames = { ticket: "Code d’un billet", pass: "Code d’un titre de bus" } as const;
