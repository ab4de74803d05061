// The steps of an order, as the address and the stepper name them, and the way between them.
import { useNavigate } from "@tanstack/react-router";
import type { CardOrderDraft } from "#contract/card-orders/rows.ts";
import { type CardOrderStep, cardOrderSteps } from "#contract/card-orders/states.ts";

const addresses: Readonly<Record<CardOrderStep, string>> = {
  persons: "personnes",
  design: "modele",
  delivery: "livraison",
  price: "prix",
};

export const stepNames: readonly string[] = ["Personnes", "Modèle", "Livraison", "Prix"];

/** Goes to a step, to an order, or to the list of orders; Back comes back. */
export function useGo() {
  const navigate = useNavigate();
  const go = (search: Record<string, string>) =>
    void navigate({ to: ".", search, resetScroll: false });
  return {
    toStep: (step: CardOrderStep) => go({ etape: addresses[step] }),
    toOrder: (id: string) => go({ commande: id }),
    /** With what was paid for it, until one leaves. */
    toPaidOrder: (id: string) => go({ commande: id, paye: "" }),
    toList: () => go({}),
  };
}

/** The step to show: the one of the address where the draft has reached it, else the first to complete. */
export function stepOf(draft: CardOrderDraft | null, param: string | undefined): CardOrderStep {
  const next = draft?.step ?? "persons";
  const named = cardOrderSteps.find((step) => addresses[step] === param);
  const reached = named && cardOrderSteps.indexOf(named) <= cardOrderSteps.indexOf(next);
  return reached ? named : next;
}

/** Whether the address asks for the steps. */
export const isOrdering = (param: string | undefined): boolean =>
  Object.values(addresses).includes(param ?? "");

export const orderPath = (id: string): string => `/card?commande=${id}`;
export const beginPath = `/card?etape=${addresses.persons}`;
