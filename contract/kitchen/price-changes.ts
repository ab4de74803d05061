// New amounts of the prices of one or several canteens from a day on: previewed, then booked for all of them
// or none.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { priceChanges as limits } from "./limits.ts";
import { priceTerms } from "./prices.ts";
import { canteenPrice } from "./rules.ts";

const change = {
  canteens: z.array(c.uuid).check(z.minLength(1), z.maxLength(limits.canteens)),
  /** The first day whose meals have the new prices. */
  from: c.day,
  /** New amounts by the conditions of a price; lines that are not named keep theirs. */
  amounts: z
    .array(
      z.object({
        ...priceTerms.shape,
        priceCents: z.int().check(z.minimum(0), z.maximum(10_000)),
      }),
    )
    .check(z.minLength(1), z.maxLength(limits.lines)),
};

const changedCanteen = z.object({
  canteen: c.uuid,
  name: z.string(),
  /** Lines whose price changes. */
  lines: z.array(z.object({ name: z.string(), beforeCents: c.cents, afterCents: c.cents })),
  /** How many who are registered pay what before and after, as things stand. */
  people: z.array(
    z.object({ count: z.int(), beforeCents: c.cents, afterCents: c.cents, reason: z.string() }),
  ),
  /** How many registered people keep their price, and how many have none. */
  unchanged: z.int(),
  without: z.int(),
  /** Meals ordered for that day or later, which keep their price. */
  ordered: z.int(),
});
export type ChangedCanteen = z.output<typeof changedCanteen>;

const preview = z.object({
  canteens: z.array(changedCanteen),
  /** Fingerprint of the prices that would change; refused once it has changed. */
  fingerprint: z.string(),
});
export type PriceChangePreview = z.output<typeof preview>;

const own = {
  access: "professional",
  source: "server/kitchen/README.md#price-changes",
} as const;
const changeProblems = ["meal_prices_date", "meal_prices_planned", "meal_prices_same"] as const;

export const canteenPriceChanges = {
  ownPrices: c.row({
    method: "GET",
    path: "/api/canteen/prices",
    right: "seeMoney",
    of: "provider",
    ...own,
    reads: ["canteen_rules"],
    summary: "The prices that the caller's canteens offer, by canteen, those announced too",
    input: c.emptyObject,
    output: z.object({
      items: z.array(
        z.object({ canteen: c.uuid, name: z.string(), prices: z.array(canteenPrice) }),
      ),
    }),
    problems: ["not_found"],
  }),
  previewPriceChange: c.row({
    method: "POST",
    path: "/api/canteen/prices/preview",
    right: "decide",
    of: { "canteens[]": "canteen" },
    ...own,
    reads: ["canteen_rules", "registrations", "service", "meals"],
    summary: "What new prices from a day on would mean, and for how many; nothing is saved",
    input: z.object(change),
    output: preview,
    problems: changeProblems,
  }),
  changePrices: c.row({
    method: "POST",
    path: "/api/canteen/prices/change",
    right: "decide",
    of: { "canteens[]": "canteen" },
    ...own,
    changes: ["canteen_rules", "activity"],
    summary:
      "Gives prices of several canteens new amounts from a day on, all or none, and tells who is concerned",
    input: z.object({
      ...change,
      fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    }),
    output: c.messageAnswer,
    rate: { max: 20, seconds: 3600 },
    timeoutMs: 15_000,
    problems: [...changeProblems, "meal_prices_changed"],
  }),
} as const;
