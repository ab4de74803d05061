// Permissions of a ticket's state, the people a price is for, the refund of a cancellation: the server
// refuses by them, and the screens show them beforehand.
import * as z from "zod/mini";

export const ticketStates = [
  "held",
  "issued",
  "used",
  "transferred",
  "cancelled",
  "expired",
] as const;
export type TicketState = (typeof ticketStates)[number];

export const ticketStateNames: Readonly<Record<TicketState, string>> = {
  held: "Réservé",
  issued: "Valable",
  used: "Utilisé",
  transferred: "Transféré",
  cancelled: "Annulé",
  expired: "Passé",
};

/**
 * Held in a cart until it is paid; a late payment takes seats again and issues them. People who had entered
 * are refunded when the event is cancelled before their session is over.
 */
export const ticketTransitions: Readonly<Record<TicketState, readonly TicketState[]>> = {
  held: ["issued", "cancelled", "expired"],
  issued: ["used", "transferred", "cancelled", "expired"],
  used: ["cancelled"],
  transferred: [],
  cancelled: [],
  expired: [],
};

const may = (ticket: { state: TicketState }, next: TicketState) =>
  ticketTransitions[ticket.state].includes(next);

export const ticketCan = {
  use: (ticket: { state: TicketState }) => may(ticket, "used"),
  transfer: (ticket: { state: TicketState }) => may(ticket, "transferred"),
  cancel: (ticket: { state: TicketState }) => ticket.state === "issued",
  giveBack: (ticket: { state: TicketState }) =>
    ticket.state === "issued" || ticket.state === "used",
};

/** Kinds of event, each with its drawing. */
export const eventKinds = [
  "concert",
  "theatre",
  "cinema",
  "museum",
  "sport",
  "pool",
  "workshop",
  "festival",
] as const;
export type EventKind = (typeof eventKinds)[number];

export const eventKindNames: Readonly<Record<EventKind, string>> = {
  concert: "Concert",
  theatre: "Théâtre",
  cinema: "Cinéma",
  museum: "Musée",
  sport: "Sport",
  pool: "Piscine",
  workshop: "Atelier",
  festival: "Festival",
};

/** Who a price is for; all that is set must be true. */
export interface Condition {
  ageMin: number | null;
  ageMax: number | null;
  student: boolean;
  quotientMax: number | null;
}

export const isReduced = ({ ageMin, ageMax, student, quotientMax }: Condition): boolean =>
  ageMin !== null || ageMax !== null || student || quotientMax !== null;

/** Why a price is not for somebody: what is not known of them is given by a proof. */
export const lacks = ["age", "birthday", "schooling", "quotient", "quotient_above"] as const;
export type Lack = (typeof lacks)[number];

export const isProvableLack = (lack: Lack): boolean => lack !== "age" && lack !== "quotient_above";

/** « 65 ans et plus, étudiants »; "" when the price is for everyone. */
export const conditionText = (condition: Condition): string => conditionParts(condition).join(", ");

const plain = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The same beside the name of its price, without what that says already: « Moins de 12 ans ». */
export function conditionBeside({ name, ...condition }: Condition & { name: string }): string {
  const said = plain(name);
  const isSaid = (part: string) => said.includes(plain(part).replace(/s$/, ""));
  return conditionParts(condition)
    .filter((part) => !isSaid(part))
    .join(", ");
}

function conditionParts({ ageMin, ageMax, student, quotientMax }: Condition): string[] {
  const age =
    ageMin !== null && ageMax !== null
      ? `de ${ageMin} à ${ageMax} ans`
      : ageMin !== null
        ? `${ageMin} ans et plus`
        : ageMax !== null
          ? `moins de ${ageMax + 1} ans`
          : "";
  const parts = [
    age,
    student ? "étudiants" : "",
    quotientMax === null ? "" : `quotient familial jusqu'à ${quotientMax}`,
  ];
  return parts.filter((part) => part !== "");
}

/** `percent` of the price comes back until `hours` before the session. */
const refundRule = z.object({ hours: z.int(), percent: z.int() });
export const refundPolicy = z.object({ text: z.string(), rules: z.array(refundRule) });
export type RefundPolicy = z.output<typeof refundPolicy>;

/** Percent of the price that a policy refunds at an instant: the best rule still open. */
export function refundPercent(policy: RefundPolicy, startsAt: Date, at: Date): number {
  const hours = (startsAt.getTime() - at.getTime()) / 3_600_000;
  const open = policy.rules.filter((rule) => hours >= rule.hours).map(({ percent }) => percent);
  return Math.max(0, ...open);
}
