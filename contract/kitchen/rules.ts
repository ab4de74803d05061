// The rules of a canteen as its provider sets them: deadlines, penalties, seats, prices.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { deadline } from "./deadlines.ts";
import { priceTerms } from "./prices.ts";

const percent = z.int().check(z.minimum(0), z.maximum(100));

const rules = z.object({
  orderDeadline: deadline,
  cancelDeadline: deadline,
  /** Percent of the price that a cancellation after its deadline costs. */
  lateCancelPercent: percent,
  /** Percent of the price that an absence costs. */
  absencePercent: percent,
  /** Days of an illness that are still paid. */
  sickPaidDays: z.int().check(z.minimum(0), z.maximum(5)),
  sickCertificate: z.boolean(),
  /** Meals that one person may order in a week; null for any number. */
  maxPerWeek: z.nullable(z.int().check(z.minimum(1), z.maximum(7))),
  /** Meals that one service can seat. */
  seats: z.int().check(z.minimum(1), z.maximum(5000)),
  needsValidation: z.boolean(),
});
export type CanteenRules = z.output<typeof rules>;

export const canteenPrice = z.object({
  ...priceTerms.shape,
  id: c.uuid,
  name: z.string(),
  priceCents: c.cents,
  /** The first and the last day whose meals have it; null without. */
  fromOn: z.nullable(c.day),
  untilOn: z.nullable(c.day),
});
export type CanteenPrice = z.output<typeof canteenPrice>;

const preview = z.object({
  /** The service days of four weeks, from the next one on. */
  days: z.array(
    z.object({
      day: c.day,
      /** Null where the rule never allows it. */
      orderUntil: z.nullable(c.instant),
      cancelUntil: z.nullable(c.instant),
      canOrder: z.boolean(),
      canCancel: z.boolean(),
    }),
  ),
  /**
   * Prices of a pupil who is the only child of the household, by its quotient: up to each band, then beyond
   * or unknown.
   */
  prices: z.array(
    z.object({
      quotientMax: z.nullable(z.int()),
      /** Null where no price fits. */
      price: z.nullable(z.object({ priceCents: c.cents, reason: z.string() })),
    }),
  ),
});
export type RulesPreview = z.output<typeof preview>;

const own = { access: "professional" } as const;
const canteen = c.uuid;

export const canteenRules = {
  rules: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/rules",
    right: "seeMoney",
    of: { canteen: "canteen" },
    ...own,
    reads: ["canteen_rules"],
    summary: "The rules of a canteen of the caller, and the prices that it offers",
    source: "server/kitchen/README.md#rules-and-seats",
    input: z.object({ canteen }),
    output: z.object({ rules, prices: z.array(canteenPrice) }),
    problems: [],
  }),
  saveRules: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/rules",
    right: "decide",
    of: { canteen: "canteen" },
    ...own,
    changes: ["canteen_rules", "activity"],
    summary:
      "Sets the rules of a canteen; what is ordered keeps the rules that it was ordered under",
    source: "server/kitchen/README.md#rules-and-seats",
    input: z.object({ canteen, rules }),
    output: c.messageAnswer,
    problems: [],
  }),
  previewRules: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/rules/preview",
    right: "seeMoney",
    of: { canteen: "canteen" },
    ...own,
    reads: ["canteen_rules", "closings"],
    summary: "What rules would mean for the services of four weeks; nothing is saved",
    source: "server/kitchen/README.md#rules-and-seats",
    input: z.object({ canteen, rules }),
    output: preview,
    problems: [],
  }),
  addPrice: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/prices",
    right: "decide",
    of: { canteen: "canteen" },
    ...own,
    changes: ["canteen_rules", "activity"],
    summary: "Offers a price at a canteen",
    source: "server/kitchen/README.md#prices",
    input: z.object({
      canteen,
      ...priceTerms.shape,
      name: c.text(60, 1),
      priceCents: z.int().check(z.minimum(0), z.maximum(10_000)),
    }),
    output: c.messageAnswer,
    status: 201,
    problems: ["meal_price_twin"],
  }),
  endPrice: c.row({
    method: "POST",
    path: "/api/canteen/own/:canteen/prices/:price/end",
    right: "decide",
    of: { canteen: "canteen", price: "price" },
    ...own,
    changes: ["canteen_rules", "activity"],
    summary: "Ends a price, or takes a change back that has not begun; orders made at it keep it",
    source: "server/kitchen/README.md#prices",
    input: z.object({ canteen, price: c.uuid }),
    output: c.messageAnswer,
    problems: [],
  }),
} as const;
