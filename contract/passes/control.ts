// The control of a pass aboard: its QR is read by the company that runs the network.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { fareKinds } from "./states.ts";

/** Verdicts of a control on a pass of the company's network. */
export const passVerdicts = [
  "valid",
  "early",
  "expired",
  "suspended",
  "replaced",
  /** A QR made before a suspension or an opposition. */
  "code_old",
  /** The holder's card is suspended, opposed or over. */
  "card",
] as const;
export type PassVerdict = (typeof passVerdicts)[number];

/** For how long a control that found a pass valid is shown to the next one of the same company. */
export const controlMinutes = 10;

export const passControl = {
  control: c.row({
    method: "POST",
    path: "/api/passes/control",
    access: "professional",
    right: "charge",
    of: { token: "secret" },
    summary: "Controls a pass by its QR; for the company that runs its network",
    source: "server/passes/README.md#control; spec.md 24 and 25",
    input: z.object({ token: c.text(300, 1) }),
    output: z.object({
      /** Name of the product, as it was sold. */
      name: z.string(),
      kind: z.enum(fareKinds),
      groupName: z.string(),
      /** « Camille M. » */
      holder: z.string(),
      stop: z.nullable(z.string()),
      /** The first instant at which it is no longer valid. */
      validUntil: c.instant,
      /** Last day of validity in Paris. */
      lastDay: c.day,
      /** When this company found it valid within the last `controlMinutes`, null if it did not. */
      controlledAt: z.nullable(c.instant),
    }),
    problems: [
      "pass_forged",
      "pass_elsewhere",
      "pass_early",
      "pass_expired",
      "pass_suspended",
      "pass_replaced",
      "pass_code_old",
      "pass_card",
    ],
  }),
} as const;
