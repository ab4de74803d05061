// The caller's canteens, in a file of its own: the shell of a professional reads them on every screen.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const ownCanteen = z.object({
  id: c.uuid,
  name: z.string(),
  kind: z.enum(["school", "staff"]),
  classes: z.array(z.string()),
  seats: z.int(),
  /** Days of the week on which it serves, 0 for Monday. */
  weekdays: z.array(z.int()),
  /** HH:mm in Paris. */
  servesFrom: z.string(),
  servesUntil: z.string(),
  needsValidation: z.boolean(),
  /** Requests of registration without an answer. */
  waiting: z.int(),
  /** Why the operator froze its provider; null while it is not frozen. */
  frozenWhy: z.nullable(z.string()),
});
export type OwnCanteen = z.output<typeof ownCanteen>;

export const canteenOwn = {
  ownCanteens: c.row({
    method: "GET",
    path: "/api/canteen/own",
    access: "professional",
    right: "anyone",
    of: "self",
    reads: ["canteen_rules", "registrations"],
    summary: "The canteens that the caller runs, by name; none for another professional",
    source: "server/kitchen/README.md#canteens-of-a-provider",
    input: c.emptyObject,
    output: z.object({
      items: z.array(ownCanteen),
      /** Which of their screens the caller's roles open. */
      opens: z.object({ desk: z.boolean(), counter: z.boolean(), followUp: z.boolean() }),
    }),
    problems: [],
  }),
} as const;
