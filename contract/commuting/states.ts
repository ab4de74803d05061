// The enrolment of an employee on their employer's transport: its states and what each permits. The server
// refuses by them and the buttons follow.

export const enrolmentStates = [
  "invited",
  "active",
  "suspended",
  "declined",
  "withdrawn",
  "expired",
  "ended",
] as const;
export type EnrolmentState = (typeof enrolmentStates)[number];

/** French names, for the employer and the employee alike. */
export const enrolmentStateNames: Readonly<Record<EnrolmentState, string>> = {
  invited: "Attend la réponse",
  active: "En cours",
  suspended: "Suspendue",
  declined: "Refusée",
  withdrawn: "Retirée",
  expired: "Sans réponse",
  ended: "Terminée",
};

/** The one table of transitions. */
export const enrolmentTransitions: Readonly<Record<EnrolmentState, readonly EnrolmentState[]>> = {
  invited: ["active", "declined", "withdrawn", "expired"],
  active: ["suspended", "ended"],
  suspended: ["active", "ended"],
  declined: [],
  withdrawn: [],
  expired: [],
  ended: [],
};

const may = ({ state }: { state: EnrolmentState }, next: EnrolmentState) =>
  enrolmentTransitions[state].includes(next);

/** What may be done with an enrolment in its state. */
export const enrolmentCan = {
  answer: (one: { state: EnrolmentState }) => may(one, "declined"),
  withdraw: (one: { state: EnrolmentState }) => may(one, "withdrawn"),
  suspend: (one: { state: EnrolmentState }) => may(one, "suspended"),
  resume: (one: { state: EnrolmentState }) => one.state === "suspended",
  end: (one: { state: EnrolmentState }) => may(one, "ended"),
};
