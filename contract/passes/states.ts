// Kinds of fares, states of passes and of their purchases, and what each state permits.
import { cardCan, type CardState } from "../cards/rows.ts";

/**
 * What is sold decides how long it is valid: minutes, a day, a calendar month, 12 months, to 31
 * August.
 */
export const fareKinds = ["single", "day", "month", "year", "school"] as const;
export type FareKind = (typeof fareKinds)[number];

export const passStates = ["pending", "active", "suspended", "expired", "replaced"] as const;
export type PassState = (typeof passStates)[number];

export const passStateNames: Readonly<Record<PassState, string>> = {
  pending: "À venir",
  active: "Valable",
  suspended: "Suspendu",
  expired: "Terminé",
  replaced: "Remplacé",
};

/** The one table of transitions; a suspended pass does not expire: its days are given back first. */
export const passTransitions: Readonly<Record<PassState, readonly PassState[]>> = {
  pending: ["active"],
  active: ["suspended", "expired", "replaced"],
  suspended: ["active", "replaced"],
  expired: [],
  replaced: [],
};

const may = (pass: { state: PassState }, next: PassState) =>
  passTransitions[pass.state].includes(next);

/** What may be done with a pass in its state. */
export const passCan = {
  ride: (pass: { state: PassState }) => pass.state === "active",
  show: (pass: { state: PassState }) => pass.state === "active" || pass.state === "pending",
  suspend: (pass: { state: PassState }) => may(pass, "suspended"),
  resume: (pass: { state: PassState }) => pass.state === "suspended",
  duplicate: (pass: { state: PassState }) => may(pass, "replaced"),
};

/** Whether a pass that would be shown waits until the card of its holder, or the next one, is in use. */
export const passWaitsForCard = (pass: { state: PassState; cardState: CardState }): boolean =>
  passCan.show(pass) && !cardCan.spend({ state: pass.cardState });

export const passOrderStates = ["draft", "awaiting_payment", "paid", "cancelled"] as const;
export type PassOrderState = (typeof passOrderStates)[number];

/** A payment declined, or never made, leaves the purchase as it was: a draft. */
export const passOrderTransitions: Readonly<Record<PassOrderState, readonly PassOrderState[]>> = {
  draft: ["awaiting_payment", "paid", "cancelled"],
  awaiting_payment: ["paid", "draft", "cancelled"],
  paid: [],
  cancelled: [],
};

export const exemptionStates = ["none", "requested", "accepted", "refused"] as const;

export const passOrderCan = {
  change: (order: { state: PassOrderState }) => order.state === "draft",
  pay: (order: { state: PassOrderState }) => passOrderTransitions[order.state].includes("paid"),
  cancel: (order: { state: PassOrderState }) =>
    passOrderTransitions[order.state].includes("cancelled"),
};
