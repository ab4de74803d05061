// Closings of a canteen: days on which it does not serve, and whose orders are cancelled.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const closing = z.object({ id: c.uuid, from: c.day, to: c.day, reason: z.string() });
export type CanteenClosing = z.output<typeof closing>;

const own = { access: "professional" } as const;
const canteen = c.uuid;

export const canteenClosings = {
  closings: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/closings",
    right: "seeCanteen",
    of: { canteen: "canteen" },
    ...own,
    reads: ["closings"],
    summary: "The closings of a canteen that are not over, in the order of their days",
    source: "server/meals/README.md#closings",
    input: z.object({ canteen }),
    output: z.object({ items: z.array(closing) }),
    problems: [],
  }),
  previewClosing: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/closings/preview",
    right: "decide",
    of: { canteen: "canteen" },
    ...own,
    reads: ["closings", "service"],
    summary: "How many orders a closing of these days would cancel",
    source: "server/meals/README.md#closings",
    input: z.object({ canteen, from: c.day, to: c.day }),
    output: z.object({ orders: z.int() }),
    problems: ["closing_dates", "closing_past", "closing_overlaps"],
  }),
  addClosing: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/closings",
    right: "decide",
    of: { canteen: "canteen" },
    ...own,
    changes: ["closings", "activity"],
    summary:
      "Closes a canteen for some days: their orders are cancelled for nothing, families told",
    source: "server/meals/README.md#closings",
    input: z.object({
      canteen,
      from: c.day,
      to: c.day,
      reason: c.text(120, 1),
      /** How many orders the preview said that it cancels. */
      orders: z.int().check(z.minimum(0), z.maximum(1_000_000)),
    }),
    output: z.object({ message: z.string(), orders: z.int() }),
    status: 201,
    problems: ["closing_dates", "closing_past", "closing_overlaps", "closing_orders_changed"],
  }),
  removeClosing: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/closings/:closing/remove",
    right: "decide",
    of: { canteen: "canteen", closing: "closing" },
    ...own,
    changes: ["closings", "activity"],
    summary: "Opens again the days of a closing that are still to come",
    source: "server/meals/README.md#closings",
    input: z.object({ canteen, closing: c.uuid }),
    output: c.messageAnswer,
    problems: ["closing_past"],
  }),
} as const;
