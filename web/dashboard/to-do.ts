// A line of « À faire »: what the person is asked, and the button that does it.
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
