// A line of « À faire »: what the person is asked, and the button that does it.
import type { ReceivedRequest } from "#web/funding/answer-request.tsx";

/**
 * What happens while nothing is done, the worst first: somebody waits at a till, a child is served what harms
 * them, a child waits for money, nothing can be paid, something is lost soon, a right is, other people wait;
 * then what only informs.
 */
export const harms = [
  "till",
  "health",
  "child",
  "blocked",
  "expires",
  "rights",
  "people",
  "none",
] as const;
export type Harm = (typeof harms)[number];

export interface ToDo {
  key: string;
  tone: "info" | "warning" | "danger";
  title: string;
  text: string;
  /** What the button does, null where there is nothing to do but know. */
  act:
    | { kind: "resume" }
    | { kind: "activate"; cardnumber: number }
    | { kind: "subscription" }
    | { kind: "topUp" }
    | { kind: "profile" }
    | { kind: "go"; label: string; href: string }
    /** Answered in its line. */
    | { kind: "moneyRequest"; request: ReceivedRequest }
    | null;
}

/** A line of a holder, who sees the worst first. */
export interface RankedToDo extends ToDo {
  harm: Harm;
}
