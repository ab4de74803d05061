// The steps of an order, as the address and the stepper name them, and the way between them.
import { useNavigate } from "@tanstack/react-router";
import type { CardOrderDraft } from "#contract/card-orders/rows.ts";
import { type CardOrderStep, cardOrderSteps } from "#contract/card-orders/states.ts";
import { linkTo, wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SearchOf } from "#contract/searches.ts";

const onWire = {
  persons: "personnes",
  design: "modele",
  delivery: "livraison",
  price: "prix",
} as const satisfies Readonly<Record<CardOrderStep, string>>;

export const stepNames: readonly string[] = ["Personnes", "Modèle", "Livraison", "Prix"];

/** Goes to a step, to an order, or to the list of orders; Back comes back. */
export function useGo() {
  const navigate = useNavigate();
  const go = (search: SearchOf<"cardOrders">) =>
    void navigate({ to: ".", search: wireSearch<"cardOrders">(search), resetScroll: false });
  return {
    toStep: (step: CardOrderStep) => go({ step: onWire[step] }),
    toOrder: (id: string) => go({ order: id }),
    /** With what was paid for it, until one leaves. */
    toPaidOrder: (id: string) => go({ order: id, paid: "" }),
    toList: () => go({}),
  };
}

/** The step to show: the one of the address where the draft has reached it, else the first to complete. */
export function stepOf(draft: CardOrderDraft | null, param: string | undefined): CardOrderStep {
  const next = draft?.step ?? "persons";
  const named = cardOrderSteps.find((step) => onWire[step] === param);
  const reached = named && cardOrderSteps.indexOf(named) <= cardOrderSteps.indexOf(next);
  return reached ? named : next;
}

/** Whether the address asks for the steps. */
export const isOrdering = (param: string | undefined): boolean =>
  Object.values<string>(onWire).includes(param ?? "");

export const orderPath = (id: string): string => linkTo(paths.cardOrders, {}, { order: id });
export const beginPath = linkTo(paths.cardOrders, {}, { step: onWire.persons });
