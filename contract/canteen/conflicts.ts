// What a counter did and the server found otherwise: it waits until somebody has dealt with it.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { scan, scanConflicts } from "./counter.ts";

/**
 * What may be done: read, which charges nothing; `count`, the meal that is ordered is served after all; `hold` and
 * `cash`, a meal without an order, from the wallet or paid at the counter.
 */
export const conflictActs = ["read", "count", "hold", "cash"] as const;
export type ConflictAct = (typeof conflictActs)[number];

const openConflict = z.object({
  /** Of the scan. */
  id: c.uuid,
  /** Null for a code that nobody has. */
  name: z.nullable(z.string()),
  at: c.instant,
  conflict: z.enum(scanConflicts),
  /** When the other device served, where one did. */
  servedAt: z.nullable(z.string()),
  /** Beside reading it, with what it takes from the wallet or the hand. */
  acts: z.array(z.object({ act: z.enum(conflictActs), cents: z.nullable(c.cents) })),
});
export type OpenConflict = z.output<typeof openConflict>;

const own = {
  access: "professional",
  source: "server/canteen/README.md#conflicts-of-the-counter",
} as const;

export const canteenConflicts = {
  conflicts: c.row({
    method: "GET",
    path: "/api/canteen/:canteen/conflicts",
    right: "serveMeals",
    of: { canteen: "canteen" },
    ...own,
    reads: ["service"],
    summary: "What counters of a canteen did and the server found otherwise, not dealt with yet",
    input: z.object({ canteen: c.uuid }),
    output: z.object({ items: z.array(openConflict) }),
    problems: [],
  }),
  settleConflict: c.row({
    method: "POST",
    path: "/api/canteen/:canteen/conflicts/:scan",
    right: "serveMeals",
    of: { canteen: "canteen", scan: "scanAt" },
    ...own,
    changes: ["service"],
    summary: "Deals with a conflict: read, or the meal counted after all",
    input: z.object({ canteen: c.uuid, scan: c.uuid, act: z.enum(conflictActs) }),
    /** `scan` is the id by which the meal was counted, undone like any other scan; null where none was. */
    output: z.object({ message: z.string(), scan: z.nullable(scan) }),
    problems: [
      "scan_conflict_settled",
      "scan_conflict_stays",
      "meal_price_missing",
      "meal_provider_frozen",
      "insufficient_funds",
      "wallet_frozen",
      "card_suspended",
      "card_opposed",
      "card_state",
      "limit_day",
      "limit_week",
      "limit_place",
    ],
  }),
} as const;
