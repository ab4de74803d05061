// The dishes that a provider has served, each with the allergens that were declared of it: what the menu editor
// suggests.
import * as z from "zod/mini";
import { allergens } from "../allergies/rows.ts";
import * as c from "../endpoint.ts";
import { dishLibrary as bounds } from "./limits.ts";
import { courses, dishLabels } from "./states.ts";

const declaration = z.object({
  allergens: z.array(z.enum(allergens)),
  /** The last day of a menu that declares these. */
  lastDay: c.day,
});

const pastDish = z.object({
  /** As it was last written. */
  name: z.string(),
  /** Of the last time, as are the labels and the price. */
  course: z.enum(courses),
  labels: z.array(z.enum(dishLabels)),
  priceCents: z.nullable(z.int()),
  /** How many menus have it. */
  times: z.int(),
  lastDay: c.day,
  /**
   * What was declared of its allergens, the latest first, each once. Empty: nobody has declared any. Several: it
   * differed, and whoever writes the dish again says which holds.
   */
  declarations: z.array(declaration).check(z.maxLength(bounds.declarations)),
});
export type PastDish = z.output<typeof pastDish>;

/** Dishes of one name however it is spelled: capitals, accents, apostrophes and spaces do not matter. */
export const dishSpelling = (name: string): string =>
  name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .trim()
    .replaceAll(/\s+/g, " ");

export const canteenDishes = {
  dishLibrary: c.row({
    method: "GET",
    path: "/api/canteen/dishes",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["menus"],
    summary:
      "Dishes of the caller's latest menus whose name holds each word of `q`, the most served first, then the latest",
    source: "server/kitchen/README.md#library-of-dishes",
    input: z.object({ q: z.optional(c.text(160)) }),
    output: z.object({
      items: z.array(pastDish).check(z.maxLength(bounds.items)),
      /** Whether other dishes have these words too. */
      more: z.boolean(),
    }),
    problems: [],
  }),
} as const;
