// Follow-up of a canteen's meals by its provider: lists by day, and actions on one or several meals.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { canteen as limits } from "../limits.ts";
import { diets } from "../kitchen/states.ts";
import { mealOrderStates } from "../meals/states.ts";

const followedMeal = z.object({
  id: c.uuid,
  number: z.int(),
  name: z.string(),
  /** "" where the canteen has no classes. */
  className: z.string(),
  diet: z.enum(diets),
  pai: z.boolean(),
  day: c.day,
  state: z.enum(mealOrderStates),
  priceCents: c.cents,
  chargedCents: z.nullable(c.cents),
  servedAt: z.nullable(c.instant),
  endReason: z.nullable(z.string()),
  /** Until when its serving can be taken back; null where it cannot. */
  undoUntil: z.nullable(c.instant),
});
export type FollowedMeal = z.output<typeof followedMeal>;

const filters = {
  canteen: c.uuid,
  /** First and last day, both included. */
  from: c.day,
  to: c.day,
  state: z.optional(z.enum(mealOrderStates)),
  className: z.optional(c.text(20)),
  /** Part of a name. */
  name: z.optional(c.text(60)),
};
const someMeals = {
  canteen: c.uuid,
  orders: z.array(c.uuid).check(z.minLength(1), z.maxLength(limits.mealsAtOnce)),
};
/** The meals that an action could not be applied to, each with the reason; it was applied to the others. */
const mealsActionResult = z.object({
  message: z.string(),
  stopped: z.array(z.object({ order: c.uuid, name: z.string(), day: c.day, why: z.string() })),
});
export type MealsActionResult = z.output<typeof mealsActionResult>;

const mealsActionRow = {
  method: "POST",
  access: "professional",
  source: "spec §2 Suivi_cantine; server/meals/README.md#states-of-a-meal",
  output: mealsActionResult,
  timeoutMs: 15_000,
} as const;

export const canteenFollowUp = {
  followUp: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/meals",
    access: "professional",
    right: "followMeals",
    of: { canteen: "canteen" },
    reads: ["service", "meals"],
    summary:
      "The meals ordered at one's own canteen over some days, the last ordered first, paged by key",
    source: "spec §2 Suivi_cantine",
    input: z.object({
      ...filters,
      /** The meals ordered before the one of this number; where there are none, the last page. */
      before: c.before,
      /** Those ordered just after it; where they fill no page, the first page. Not with `before`. */
      after: c.before,
      limit: c.limit,
    }),
    output: z.object({
      items: z.array(followedMeal),
      /** How many meals match all the filters, and how many of them come before the page. */
      total: z.int(),
      skipped: z.int(),
      /** How many meals there are in each state under the other filters; states without any are absent. */
      counts: z.array(z.object({ state: z.enum(mealOrderStates), count: z.int() })),
    }),
    problems: ["meal_span"],
  }),
  validateMeals: c.row({
    ...mealsActionRow,
    path: "/api/canteen/own/:canteen/meals/validate",
    right: "followMeals",
    of: { canteen: "canteen", "orders[]": "mealAt" },
    changes: ["service"],
    summary: "Accepts orders; those that cannot be are named with why, and the others accepted",
    input: z.object(someMeals),
    problems: ["meal_state_now"],
  }),
  serveMeals: c.row({
    ...mealsActionRow,
    path: "/api/canteen/own/:canteen/meals/serve",
    right: "followMeals",
    of: { canteen: "canteen", "orders[]": "mealAt" },
    changes: ["service"],
    summary:
      "Marks meals as served, what was held for them is spent; those that cannot be are named",
    input: z.object(someMeals),
    problems: [
      "meal_state_now",
      "meal_not_yet",
      "meal_past",
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
  unserveMeals: c.row({
    ...mealsActionRow,
    path: "/api/canteen/own/:canteen/meals/unserve",
    right: "followMeals",
    of: { canteen: "canteen", "orders[]": "mealAt" },
    changes: ["service"],
    summary: "Takes servings of the last five minutes back; those that cannot be are named",
    input: z.object(someMeals),
    problems: ["meal_state_now", "meal_undo_late", "meal_undo_walk_in"],
  }),
  refuseMeals: c.row({
    ...mealsActionRow,
    path: "/api/canteen/own/:canteen/meals/refuse",
    right: "followMeals",
    of: { canteen: "canteen", "orders[]": "mealAt" },
    changes: ["service"],
    summary: "Refuses orders with a reason that the families read; those that cannot be are named",
    input: z.object({ ...someMeals, reason: c.text(300) }),
    problems: ["meal_state_now", "meal_refusal_reason"],
  }),
  followUpCsv: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/meals.csv",
    access: "professional",
    right: "followMeals",
    of: { canteen: "canteen" },
    summary: "The meals under the same filters as CSV",
    source: "server/meal-service/README.md#follow-up",
    input: z.object(filters),
    output: c.document,
    reply: "csv",
    rate: { max: 20, seconds: 60 },
    problems: ["meal_span"],
  }),
  followUpPdf: c.row({
    method: "GET",
    path: "/api/canteen/own/:canteen/meals.pdf",
    access: "professional",
    right: "followMeals",
    of: { canteen: "canteen" },
    summary: "The meals under the same filters on paper",
    source: "server/meal-service/README.md#follow-up",
    input: z.object(filters),
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: ["meal_span", "meal_list_long"],
  }),
} as const;
