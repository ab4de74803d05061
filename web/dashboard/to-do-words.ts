// What the dashboard says of a card and its wallet: to the card's own holder, and to a guardian who acts
// for a child, and to a child. Tables of whole sentences, so that each can be read as it is shown.
import { formatDate, formatMoney } from "#contract/french.ts";

export interface ToDoWords {
  suspended: string;
  /** The effect of a suspension, and who ends it. */
  resume: string;
  shipped: string;
  preparing: string;
  replacementShipped: string;
  replacementPreparing: string;
  /** The use of a damaged card until then. */
  meanwhile: string;
  activate: string;
  empty: string;
  almostEmpty: string;
  topUp: string;
  left: (cents: number) => string;
  emptyOn: (day: string) => string;
  projected: string;
}

/** Where no payment is taken online. */
export const topUpElsewhere = "Le service clients peut y ajouter de l’argent.";

export const toHolder: ToDoWords = {
  suspended: "Votre carte est suspendue",
  resume: "Elle ne paie plus rien tant que vous ne la réactivez pas.",
  shipped: "Votre carte est partie",
  preparing: "Votre carte est en préparation",
  replacementShipped: "Votre nouvelle carte est partie",
  replacementPreparing: "Votre nouvelle carte se prépare",
  meanwhile: "En attendant, votre carte abîmée paie encore.",
  activate: "Dès qu’elle est dans vos mains, activez-la pour vous en servir.",
  empty: "Votre cagnotte est vide",
  almostEmpty: "Votre cagnotte est presque vide",
  topUp: "Rechargez-la pour continuer à payer avec votre carte.",
  left: (cents) => `Il vous reste ${formatMoney(cents)} à dépenser.`,
  emptyOn: (day) => `Votre cagnotte sera vide vers le ${formatDate(day)}`,
  projected: "C’est ce que donnent vos réservations et vos dépenses des quatre dernières semaines.",
};

/** To a child with an account of their own: a guardian resumes the card (spec.md 31). */
export const toMinor: ToDoWords = {
  ...toHolder,
  resume: "Elle ne paie plus rien. Un de vos responsables peut la réactiver.",
};

export const toGuardian: ToDoWords = {
  suspended: "Sa carte est suspendue",
  resume: "Elle ne paie plus rien tant que vous ne la réactivez pas.",
  shipped: "Sa carte est partie",
  preparing: "Sa carte est en préparation",
  replacementShipped: "Sa nouvelle carte est partie",
  replacementPreparing: "Sa nouvelle carte se prépare",
  meanwhile: "En attendant, sa carte abîmée paie encore.",
  activate: "Dès qu’elle est dans vos mains, activez-la pour qu’elle serve.",
  empty: "Sa cagnotte est vide",
  almostEmpty: "Sa cagnotte est presque vide",
  topUp: "Rechargez-la pour continuer à payer avec cette carte.",
  left: (cents) => `Il lui reste ${formatMoney(cents)} à dépenser.`,
  emptyOn: (day) => `Sa cagnotte sera vide vers le ${formatDate(day)}`,
  projected: "C’est ce que donnent ses réservations et ses dépenses des quatre dernières semaines.",
};
