// What a line of the menu editor says of allergens: nothing but what somebody declared of this very dish.
import { expect, test } from "vitest";
import type { PastDish } from "#contract/kitchen/dish-library.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import {
  dishesOf,
  faultsOf,
  lineOf,
  type MenuLine,
  renamed,
  takenDish,
  typedMenu,
  withAllergens,
  withoutLine,
} from "./menu-lines.ts";

const gratin: Dish = {
  course: "main",
  name: "Gratin de pâtes",
  labels: [],
  allergens: ["milk"],
  diets: [],
  priceCents: null,
};
const typed = (line: MenuLine, ...names: readonly string[]): MenuLine =>
  names.reduce<MenuLine>((now, name) => ({ ...now, ...renamed(now, name) }), line);
const past = (declarations: PastDish["declarations"]): PastDish => ({
  course: "main",
  name: "Gratin de pâtes",
  labels: [],
  priceCents: null,
  times: 3,
  lastDay: "2027-03-01",
  declarations,
});

test("another name forgets what was declared, and the name that it was has it again", () => {
  const line = lineOf(gratin, 0);
  expect(typed(line, "gratin  de PATES").allergens).toEqual(["milk"]);
  expect(typed(line, "Gratin de pâtes au jambon").allergens).toBeNull();
  expect(typed(line, "Gratin", "", "Tarte").allergens).toBeNull();
  expect(typed(line, "Gratin", "Gratin de pâtes").allergens).toEqual(["milk"]);
  expect(typed(line, "", "Gratin de pâtes").allergens).toEqual(["milk"]);
});

test("the apostrophe of a keyboard is that of a text", () => {
  const line = lineOf({ ...gratin, name: "Soupe à l’oseille" }, 0);
  expect(typed(line, "Soupe a l'oseille").allergens).toEqual(["milk"]);
});

test("a line is named anew until somebody says something of its allergens, that they are not declared too", () => {
  const line = lineOf({ ...gratin, allergens: null }, 0);
  expect(line.isRenamed).toBe(false);
  const anew = typed(line, "Gratin");
  expect(anew.isRenamed).toBe(true);
  expect({ ...anew, ...withAllergens(null) }.isRenamed).toBe(false);
  expect({ ...anew, ...takenDish(past([])) }.isRenamed).toBe(false);
});

test("a past dish brings what was declared once, and nothing where it differed or nobody did", () => {
  const lastDay = "2027-03-01";
  expect(takenDish(past([{ allergens: [], lastDay }])).allergens).toEqual([]);
  expect(takenDish(past([])).allergens).toBeNull();
  const differing = [
    { allergens: ["milk" as const], lastDay },
    { allergens: [], lastDay: "2027-02-01" },
  ];
  const taken = takenDish(past(differing));
  expect(taken.allergens).toBeNull();
  expect(taken.declarations).toEqual(differing);
});

test("without a line the keyboard is at the one before it, and there is always one to type in", () => {
  const lines = [lineOf(gratin, 0), lineOf(gratin, 1), lineOf(gratin, 2)];
  const keysWithout = (key: number) => withoutLine(lines, key).lines.map((line) => line.key);
  expect([keysWithout(0), withoutLine(lines, 0).beside]).toEqual([[1, 2], 1]);
  expect([keysWithout(2), withoutLine(lines, 2).beside]).toEqual([[0, 1], 1]);
  expect(keysWithout(9)).toEqual([0, 1, 2]);
  const { lines: left, beside } = withoutLine([lineOf(gratin, 0)], 0);
  expect(left).toMatchObject([{ key: beside, name: "", allergens: null }]);
});

test("a line without a word is no dish", () => {
  const none = { day: "2027-03-01", published: false, note: "", dishes: [], fingerprint: null };
  const menu = typedMenu(none);
  expect(menu.lines).toHaveLength(5);
  expect(dishesOf(menu.lines)).toEqual([]);
  expect(dishesOf([lineOf(gratin, 0)])).toEqual([gratin]);
});

test("a note alone is no menu, and says so; that of a menu whose dishes go, goes", () => {
  const none = { day: "2027-03-01", published: false, note: "", dishes: [], fingerprint: null };
  const first = typedMenu(none);
  expect(faultsOf(first).note).toBe(false);
  expect(faultsOf({ ...first, note: "Semaine du goût" }).note).toContain("écrivez un plat");
  const lines = [lineOf(gratin, 0)];
  expect(faultsOf({ ...first, lines, note: "Semaine du goût" }).note).toBe(false);
  const noted = typedMenu({ ...none, note: "Semaine du goût", dishes: [gratin] });
  expect(faultsOf({ ...noted, lines: [] }).note).toBe(false);
});
