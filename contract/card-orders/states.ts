// An order of pro cards: its states and what each permits. The server refuses by them and the buttons
// follow.

export const cardOrderStates = [
  "draft",
  "ordered",
  "in_production",
  "shipped",
  "delivered",
  "cancelled",
] as const;
export type CardOrderState = (typeof cardOrderStates)[number];

/** French names, for the company and the operator alike. */
export const cardOrderStateNames: Readonly<Record<CardOrderState, string>> = {
  draft: "Brouillon",
  ordered: "Commandée",
  in_production: "En fabrication",
  shipped: "Expédiée",
  delivered: "Livrée",
  cancelled: "Annulée",
};

/**
 * The one table of transitions. An order is cancelled until it goes to the printer; one whose parcel was lost
 * begins again.
 */
export const cardOrderTransitions: Readonly<Record<CardOrderState, readonly CardOrderState[]>> = {
  draft: ["ordered"],
  ordered: ["in_production", "cancelled"],
  in_production: ["shipped"],
  shipped: ["delivered", "ordered"],
  delivered: [],
  cancelled: [],
};

const may = ({ state }: { state: CardOrderState }, next: CardOrderState) =>
  cardOrderTransitions[state].includes(next);

/** What may be done with an order in its state. */
export const cardOrderCan = {
  write: (order: { state: CardOrderState }) => order.state === "draft",
  cancel: (order: { state: CardOrderState }) => may(order, "cancelled"),
  produce: (order: { state: CardOrderState }) => may(order, "in_production"),
  ship: (order: { state: CardOrderState }) => may(order, "shipped"),
  receive: (order: { state: CardOrderState }) => may(order, "delivered"),
  lose: (order: { state: CardOrderState }) => order.state === "shipped",
};

/** The steps of a draft, in order; the payment follows the price. */
export const cardOrderSteps = ["persons", "design", "delivery", "price"] as const;
export type CardOrderStep = (typeof cardOrderSteps)[number];
