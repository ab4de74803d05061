// A deadline's rule in French, as the end of a sentence: « Commande possible » + the words.
import type { Deadline } from "./deadlines.ts";

/** From Monday, 0. */
export const weekdayNames = [
  "lundi",
  "mardi",
  "mercredi",
  "jeudi",
  "vendredi",
  "samedi",
  "dimanche",
];

/** « jusqu’à la veille ouvrée à 10:00 »; « jamais » for a rule that allows nothing. */
export function deadlineWords(rule: Deadline): string {
  if (rule.kind === "none") return "jusqu’au début du service";
  if (rule.kind === "never") return "jamais";
  return `jusqu’${deadlineDayWords(rule)} à ${rule.at}`;
}

function deadlineDayWords(rule: Exclude<Deadline, { kind: "none" | "never" }>): string {
  if (rule.kind === "weekday_before") {
    const day = `au ${weekdayNames[rule.weekday]}`;
    return rule.weeks === 1
      ? `${day} de la semaine d’avant`
      : `${day} ${rule.weeks} semaines avant,`;
  }
  if (rule.kind === "month_day_before") {
    return `au ${rule.day === 1 ? "1er" : rule.day} du mois d’avant`;
  }
  if (rule.days === 0) return "au jour même";
  if (rule.days === 1) return rule.workingDays ? "à la veille ouvrée" : "à la veille";
  return rule.workingDays ? `à ${rule.days} jours ouvrés avant,` : `à ${rule.days} jours avant,`;
}
