// Menus of a provider: dishes by day, weeks copied from another week or from a template.
import * as z from "zod/mini";
import { allergens } from "../allergies/rows.ts";
import * as c from "../endpoint.ts";
import { courses, dishDiets, dishLabels } from "./states.ts";

const distinct = (values: readonly unknown[]) => new Set(values).size === values.length;

export const dish = z.object({
  course: z.enum(courses),
  name: c.text(160).check(z.regex(/\S/)),
  labels: z.array(z.enum(dishLabels)).check(z.maxLength(dishLabels.length), z.refine(distinct)),
  /** Empty: it is declared to have none. Null: not declared, which warns as an allergen does. */
  allergens: z.nullable(
    z.array(z.enum(allergens)).check(z.maxLength(allergens.length), z.refine(distinct)),
  ),
  /**
   * Diets that it is made for: for them it replaces the other dishes of its course. None: for everybody else.
   */
  diets: z.array(z.enum(dishDiets)).check(z.maxLength(dishDiets.length), z.refine(distinct)),
  /** Only where the dish is sold by itself. */
  priceCents: z.nullable(z.int().check(z.minimum(0), z.maximum(10_000))),
});
export type Dish = z.output<typeof dish>;

/** How many dishes a day has at most. */
export const maxDishes = 15;
/** Dishes of one day, in the order of the meal. */
export const dishesOfDay = z.array(dish).check(z.maxLength(maxDishes));

export const menu = z.object({
  day: c.day,
  /** Whether families see it. */
  published: z.boolean(),
  note: z.string(),
  dishes: z.array(dish),
});
export type MenuView = z.output<typeof menu>;

/** SHA-256 in hexadecimal. */
const fingerprint = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The menus of a week, which begins on `monday`, as the kitchen reads them. */
export const menuWeek = z.object({
  monday: c.day,
  items: z.array(
    z.extend(menu, {
      /** Of its note and its dishes: whoever saves the day says which menu is replaced. */
      fingerprint,
    }),
  ),
  /** Its days on which none of the provider's canteens serves, with the reason in French. */
  closed: z.array(z.object({ day: c.day, why: z.string() })),
});
export type MenuWeek = z.output<typeof menuWeek>;

const template = z.object({
  id: c.uuid,
  name: z.string(),
  /** Days that have dishes. */
  days: z.int(),
});
export type MenuTemplate = z.output<typeof template>;
const templates = z.object({ items: z.array(template) });

/** Confirms that families are shown dishes whose allergens are not declared. */
const undeclared = z.optional(z.boolean());
const laidDay = z.object({
  day: c.day,
  /** The dishes that the day would get. */
  dishes: z.array(dish),
  /** The menu that the day has now. */
  there: z.enum(["nothing", "draft", "published"]),
  /** Meals ordered that day. */
  ordered: z.int(),
  /** Note of the present menu, which is replaced with it. */
  note: z.string(),
  /** Names of dishes that only the present menu has, and of those that only the new one would have. */
  leaving: z.array(z.string()),
  coming: z.array(z.string()),
  newAllergens: z.array(z.enum(allergens)),
});
export type LaidDay = z.output<typeof laidDay>;

const laidWeek = z.object({
  /** The days to come that would be written, in their order. */
  days: z.array(laidDay),
  /** Fingerprint of what would be written and replaced; refused once it has changed. */
  fingerprint: z.string(),
});
export type LaidWeek = z.output<typeof laidWeek>;

const laying = {
  /** Days whose menus are replaced; others that have one keep it. */
  replace: z.array(c.day).check(z.maxLength(7)),
  fingerprint,
  undeclared,
};
const layingProblems = ["menu_past", "menu_preview_changed", "menu_undeclared"] as const;

export const canteenMenus = {
  menuWeek: c.row({
    method: "GET",
    path: "/api/canteen/menus",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["menus", "closings", "canteen_rules"],
    summary: "The caller's menus of the week of a day, published or not",
    source: "server/kitchen/README.md#menus",
    input: z.object({ day: c.day }),
    output: menuWeek,
    problems: [],
  }),
  writeMenu: c.row({
    method: "POST",
    path: "/api/canteen/menus",
    access: "professional",
    right: "cook",
    of: "provider",
    changes: ["menus"],
    summary: "Writes the menu of a day; without dishes the day has no menu any more",
    source: "server/kitchen/README.md#menus",
    input: z.object({
      day: c.day,
      note: c.text(300),
      dishes: dishesOfDay,
      /**
       * Of the menu that the caller has read, null where the day had none: refused `menu_changed` once the day has
       * another one. Left out, whatever is there is replaced.
       */
      fingerprint: z.optional(z.nullable(fingerprint)),
      undeclared,
    }),
    output: menuWeek,
    problems: ["menu_changed", "menu_past", "menu_undeclared"],
  }),
  publishMenus: c.row({
    method: "POST",
    path: "/api/canteen/menus/publish",
    access: "professional",
    right: "cook",
    of: "provider",
    changes: ["menus"],
    summary:
      "Shows the menus of a week to families, or takes them back; days whose allergens are not declared are named",
    source: "server/kitchen/README.md#menus",
    input: z.object({ day: c.day, published: z.boolean(), undeclared }),
    /**
     * Dishes without declared allergens, with their day: these days stay unpublished, the others are
     * published.
     */
    output: z.object({ ...menuWeek.shape, left: z.array(z.string()) }),
    problems: ["menu_none", "menu_past", "menu_undeclared"],
  }),
  previewCopy: c.row({
    method: "GET",
    path: "/api/canteen/menus/copy",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["menus"],
    summary: "What copying the menus of a week onto another would write, replace and change",
    source: "server/kitchen/README.md#menus",
    input: z.object({ from: c.day, to: c.day }),
    output: laidWeek,
    problems: ["menu_none", "menu_past"],
  }),
  copyMenus: c.row({
    method: "POST",
    path: "/api/canteen/menus/copy",
    access: "professional",
    right: "cook",
    of: "provider",
    changes: ["menus"],
    summary:
      "Copies the menus of a week onto another as previewed: new days wait to be published, published ones stay so",
    source: "server/kitchen/README.md#menus",
    input: z.object({ from: c.day, to: c.day, ...laying }),
    output: menuWeek,
    problems: ["menu_none", ...layingProblems],
  }),
  menuTemplates: c.row({
    method: "GET",
    path: "/api/canteen/menu-templates",
    access: "professional",
    right: "cook",
    of: "provider",
    reads: ["menu_templates"],
    summary: "Weeks kept without dates, by name",
    source: "server/kitchen/README.md#menus",
    input: c.emptyObject,
    output: templates,
    problems: [],
  }),
  saveMenuTemplate: c.row({
    method: "POST",
    path: "/api/canteen/menu-templates",
    access: "professional",
    right: "cook",
    of: "provider",
    changes: ["menu_templates"],
    summary: "Keeps the menus of a week as a template; the same name replaces it",
    source: "server/kitchen/README.md#menus",
    input: z.object({ name: c.text(60).check(z.regex(/\S/)), day: c.day }),
    output: templates,
    problems: ["menu_none", "menu_templates_full"],
  }),
  previewMenuTemplate: c.row({
    method: "GET",
    path: "/api/canteen/menu-templates/:id/lay",
    access: "professional",
    right: "cook",
    of: { id: "menuTemplate" },
    reads: ["menus", "menu_templates"],
    summary: "What laying a template on a week would write, replace and change",
    source: "server/kitchen/README.md#menus",
    input: z.object({ id: c.uuid, to: c.day }),
    output: laidWeek,
    problems: ["menu_past"],
  }),
  layMenuTemplate: c.row({
    method: "POST",
    path: "/api/canteen/menu-templates/:id/lay",
    access: "professional",
    right: "cook",
    of: { id: "menuTemplate" },
    changes: ["menus"],
    summary:
      "Lays a template on a week as previewed: new days wait to be published, published ones stay so",
    source: "server/kitchen/README.md#menus",
    input: z.object({ id: c.uuid, to: c.day, ...laying }),
    output: menuWeek,
    problems: layingProblems,
  }),
  deleteMenuTemplate: c.row({
    method: "POST",
    path: "/api/canteen/menu-templates/:id/delete",
    access: "professional",
    right: "cook",
    of: { id: "menuTemplate" },
    changes: ["menu_templates"],
    summary: "Deletes a template; the weeks that it was laid on stay",
    source: "server/kitchen/README.md#menus",
    input: z.object({ id: c.uuid }),
    output: templates,
    problems: [],
  }),
} as const;
