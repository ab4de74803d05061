// The states of an ordered meal, of an illness and of a registration, and what each permits.
export const mealOrderStates = [
  "reserved",
  "validated",
  "served",
  "refused",
  "cancelled",
  "absent",
  "expired",
] as const;
export type MealOrderState = (typeof mealOrderStates)[number];

export const mealOrderStateNames: Readonly<Record<MealOrderState, string>> = {
  reserved: "Réservée",
  validated: "Validée",
  served: "Servie",
  refused: "Refusée",
  cancelled: "Annulée",
  absent: "Absent",
  expired: "Expirée",
};

/**
 * From reserved straight to served where the canteen does not validate orders
 * (server/meals/README.md#states-of-a-meal).
 */
export const mealOrderTransitions: Readonly<Record<MealOrderState, readonly MealOrderState[]>> = {
  reserved: ["validated", "served", "refused", "cancelled", "absent", "expired"],
  validated: ["served", "refused", "cancelled", "absent", "expired"],
  // The counter undoes a scan for five minutes.
  served: ["reserved", "validated"],
  refused: [],
  cancelled: [],
  // A meal that the desk marks as served after the day has been closed.
  absent: ["served"],
  expired: [],
};

interface StatefulOrder {
  state: MealOrderState;
}
const may = ({ state }: StatefulOrder, next: MealOrderState) =>
  mealOrderTransitions[state].includes(next);

export const mealOrderCan = {
  // Undoing a serving leads there too, with its money.
  validate: (order: StatefulOrder) => order.state !== "served" && may(order, "validated"),
  serve: (order: StatefulOrder) => may(order, "served"),
  refuse: (order: StatefulOrder) => may(order, "refused"),
  cancel: (order: StatefulOrder) => may(order, "cancelled"),
  /** Whether its price is held in a wallet. */
  hold: ({ state }: StatefulOrder) => state === "reserved" || state === "validated",
};

export const illnessStates = [
  "announced",
  "awaited",
  "sent",
  "refused",
  "accepted",
  "unproven",
  "withdrawn",
] as const;
export type IllnessState = (typeof illnessStates)[number];

export const illnessStateNames: Readonly<Record<IllnessState, string>> = {
  announced: "Signalée",
  awaited: "Certificat attendu",
  sent: "Certificat envoyé",
  refused: "Certificat refusé",
  accepted: "Certificat accepté",
  unproven: "Sans certificat",
  withdrawn: "Annulée",
};

/** An announced illness waits for a certificate where the canteen requires one for a refund. */
export const illnessTransitions: Readonly<Record<IllnessState, readonly IllnessState[]>> = {
  announced: ["awaited", "withdrawn"],
  awaited: ["sent", "unproven", "withdrawn"],
  sent: ["accepted", "refused"],
  // Another certificate may be sent while there is time.
  refused: ["sent", "unproven"],
  accepted: [],
  unproven: [],
  withdrawn: [],
};

interface StatefulIllness {
  state: IllnessState;
}
const illnessMay = ({ state }: StatefulIllness, next: IllnessState) =>
  illnessTransitions[state].includes(next);

export const illnessCan = {
  prove: (illness: StatefulIllness) => illnessMay(illness, "sent"),
  answer: (illness: StatefulIllness) => illnessMay(illness, "accepted"),
  withdraw: (illness: StatefulIllness) => illnessMay(illness, "withdrawn"),
};

/** Effect of an illness on a meal: refunded at once, due, or refunded with a certificate. */
export const illnessTerms = ["free", "due", "proof"] as const;
export type IllnessTerms = (typeof illnessTerms)[number];

export const registrationStates = ["requested", "accepted", "refused", "ended"] as const;
export type RegistrationState = (typeof registrationStates)[number];
export const registrationStateNames: Readonly<Record<RegistrationState, string>> = {
  requested: "Demandée",
  accepted: "Acceptée",
  refused: "Refusée",
  ended: "Terminée",
};
