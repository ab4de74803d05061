// Scans on which a counter's device and the server disagree: each waits until somebody settles it.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { scan, scanConflicts } from "./counter.ts";

/**
 * How a conflict may be settled: `read` charges nothing; `count` counts the ordered meal as served after all;
 * `hold` and `cash` count a meal without an order, paid from the wallet or in cash at the counter.
 */
export const conflictActs = ["read", "count", "hold", "cash"] as const;
export type ConflictAct = (typeof conflictActs)[number];

const openConflict = z.object({
  /** Id of the scan. */
  id: c.uuid,
  /** Null for a code that nobody has. */
  name: z.nullable(z.string()),
  at: c.instant,
  conflict: z.enum(scanConflicts),
  /** When another device served the meal, if one did. */
  servedAt: z.nullable(z.string()),
  /** Ways to settle it besides `read`, each with the amount that the wallet pays or that is paid in cash. */
  acts: z.array(z.object({ act: z.enum(conflictActs), cents: z.nullable(c.cents) })),
});
export type OpenConflict = z.output<typeof openConflict>;

const own = {
  access: "professional",
  source: "server/meal-service/README.md#conflicts-of-the-counter",
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
