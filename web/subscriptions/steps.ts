// The steps of a subscription, and where a file stands among them.
import type { SubscriptionFile } from "#contract/subscriptions.ts";

export const steps = ["Formule", "Titulaire", "Options", "Prix", "Paiement", "Terminé"] as const;
export const stepsLabel = "Étapes de l’abonnement";

/** The steps of an open file, as the address names them. */
const names = ["formule", "titulaire", "options", "prix"] as const;
export type StepName = (typeof names)[number];

const reached = { holder: 1, options: 2, price: 3 } as const;

/** Which step to show: the one of the address, as far as the file has come; else where it stands. */
export function stepOf(file: Pick<SubscriptionFile, "step">, asked: string | undefined): number {
  const most = reached[file.step];
  const place = names.indexOf(asked as StepName);
  return place === -1 ? most : Math.min(place, most);
}

export const nameOf = (step: number): StepName => names[step] ?? "formule";
