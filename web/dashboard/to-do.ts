// A line of « À faire »: what the person is asked, and the button that does it.

/**
 * What happens while nothing is done, the worst first: somebody waits at a till, a child is served what harms
 * them, nothing can be paid, something is lost soon, a right is, other people wait; then what only informs.
 */
export const harms = ["till", "health", "blocked", "expires", "rights", "people", "none"] as const;
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
    | null;
}

/** A line of a holder, who sees the worst first. */
export interface RankedToDo extends ToDo {
  harm: Harm;
}
