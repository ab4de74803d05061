// The menu of a day as it is typed, line by line.
import type { Allergen } from "#contract/allergies/rows.ts";
import { dishSpelling, type PastDish } from "#contract/kitchen/dish-library.ts";
import { type Dish, maxDishes, type MenuView } from "#contract/kitchen/menus.ts";
import { type Course, courses, type DishDiet, type DishLabel } from "#contract/kitchen/states.ts";
import { parseMoney } from "#contract/french.ts";
import type { Faults } from "#web/ui/form.ts";
import type { MenuOfDay } from "./menu-week.ts";

/** One dish. Its allergens are not declared (null), none, or those of the list: nothing else means « none ». */
export interface MenuLine {
  key: number;
  course: Course;
  name: string;
  price: string;
  labels: readonly DishLabel[];
  allergens: readonly Allergen[] | null;
  diets: readonly DishDiet[];
  /** What was declared of the dish on other days, where it differed: which holds is asked. */
  declarations: PastDish["declarations"];
  /** What was declared of the dish that the line named before. */
  before: { spelling: string; allergens: readonly Allergen[] } | null;
  /** Whether it was named anew and nobody has said anything of its allergens since. */
  isRenamed: boolean;
}

export interface TypedMenu {
  note: string;
  lines: readonly MenuLine[];
  /** The menu that was there when the writing began (`menuText`): another one may be there since. */
  base: string;
  /** The same menu as the server knows it; null for none. */
  fingerprint: string | null;
}

/** The draft of a day. */
export const menuDraft = (day: string) =>
  ({ name: `menu-${day}`, fields: ["note", "lines", "base", "fingerprint"] }) as const;

const usualCourses: readonly Course[] = ["starter", "main", "side", "dairy", "dessert"];
const maxCents = 10_000;

const emptyLine = (course: Course, key: number): MenuLine => ({
  key,
  course,
  name: "",
  price: "",
  labels: [],
  allergens: null,
  diets: [],
  declarations: [],
  before: null,
  isRenamed: false,
});

export const lineOf = (dish: Dish, key: number): MenuLine => ({
  key,
  course: dish.course,
  name: dish.name,
  price: typedPrice(dish.priceCents),
  labels: dish.labels,
  allergens: dish.allergens,
  diets: dish.diets,
  declarations: [],
  before: null,
  isRenamed: false,
});

/** What somebody says of the allergens of a line: also that they are not declared. */
export const withAllergens = (
  allergens: readonly Allergen[] | null,
): Pick<MenuLine, "allergens" | "declarations" | "isRenamed"> => ({
  allergens,
  declarations: [],
  isRenamed: false,
});

const typedPrice = (cents: number | null): string =>
  cents === null ? "" : (cents / 100).toFixed(2).replace(".", ",");

const dishOf = ({ name, course, price, labels, allergens, diets }: MenuLine): Dish => ({
  course,
  name: name.trim(),
  labels: [...labels],
  allergens: allergens && [...allergens],
  diets: [...diets],
  priceCents: price.trim() === "" ? null : parseMoney(price),
});

/** The lines of a day that nobody has written yet: one for each usual course. */
const firstLines = (): MenuLine[] => usualCourses.map(emptyLine);

/** What a menu says, to compare it; its note as it is stored, without the spaces around it. */
export const menuText = ({ note, dishes }: Pick<MenuView, "note" | "dishes">): string =>
  JSON.stringify([
    note.trim(),
    ...dishes.map(({ course, name, labels, allergens, diets, priceCents }) => [
      course,
      name,
      labels,
      allergens,
      diets,
      priceCents,
    ]),
  ]);

/** The menu of such a text. */
export function menuOfText(text: string): Pick<MenuView, "note" | "dishes"> {
  const [note, ...dishes] = JSON.parse(text) as [string, ...DishText[]];
  return {
    note,
    dishes: dishes.map(([course, name, labels, allergens, diets, priceCents]) => ({
      course,
      name,
      labels,
      allergens,
      diets,
      priceCents,
    })),
  };
}
type DishText = [
  course: Course,
  name: string,
  labels: DishLabel[],
  allergens: Allergen[] | null,
  diets: DishDiet[],
  priceCents: number | null,
];

/** Which menu was read: what a save replaces, and what the typing is compared with. */
export const readMenu = (menu: MenuOfDay): Pick<TypedMenu, "base" | "fingerprint"> => ({
  base: menuText(menu),
  fingerprint: menu.fingerprint,
});

export const typedMenu = (menu: MenuOfDay): TypedMenu => ({
  note: menu.note,
  lines: menu.dishes.length > 0 ? menu.dishes.map(lineOf) : firstLines(),
  ...readMenu(menu),
});

/** Whether a line says nothing: it is left out of the menu. */
const isEmptyLine = ({ name, price, labels, allergens, diets }: MenuLine): boolean =>
  name.trim() === "" &&
  price.trim() === "" &&
  labels.length === 0 &&
  allergens === null &&
  diets.length === 0;

/** The dishes that are written, in the order of the lines. */
export const dishesOf = (lines: readonly MenuLine[]): Dish[] =>
  lines.filter((line) => !isEmptyLine(line)).map(dishOf);

/** What the dishes of some lines say, to compare them. */
export const dishesText = (lines: readonly MenuLine[]): string =>
  menuText({ note: "", dishes: dishesOf(lines) });

/** What a dish of the library brings to a line, whose course and diets stay. */
export const takenDish = (dish: PastDish): Partial<MenuLine> => {
  const [last] = dish.declarations;
  const isOneDeclaration = dish.declarations.length === 1;
  return {
    ...withAllergens(isOneDeclaration && last ? last.allergens : null),
    name: dish.name,
    labels: dish.labels,
    price: typedPrice(dish.priceCents),
    declarations: isOneDeclaration ? [] : dish.declarations,
    before: null,
  };
};

/**
 * Another name is another dish: nothing is declared of its allergens, until it is declared anew or the name is what
 * it was.
 */
export function renamed(line: MenuLine, name: string): Partial<MenuLine> {
  const [from, to] = [line.name, name].map(dishSpelling) as [string, string];
  if (from === to) return { name };
  const anew = { name, declarations: [], isRenamed: true };
  if (line.allergens !== null) {
    return { ...anew, allergens: null, before: { spelling: from, allergens: line.allergens } };
  }
  const isBack = line.before?.spelling === to;
  return { ...anew, ...(isBack && { allergens: line.before?.allergens ?? null }) };
}

const nextKey = (lines: readonly MenuLine[]): number =>
  Math.max(-1, ...lines.map(({ key }) => key)) + 1;

/** Adds an empty line of the next course after a line, or at the end; null where there are enough. */
export function withLineAfter(
  lines: readonly MenuLine[],
  after?: MenuLine,
): { lines: MenuLine[]; added: number } | null {
  if (lines.length >= maxDishes) return null;
  const at = after ? lines.findIndex(({ key }) => key === after.key) + 1 : lines.length;
  const before = lines[at - 1];
  const course = before
    ? (courses[courses.indexOf(before.course) + 1] ?? "other")
    : ("starter" as const);
  const added = nextKey(lines);
  return { lines: lines.toSpliced(at, 0, emptyLine(course, added)), added };
}

/**
 * The lines without one, and the line beside it, which the keyboard goes to. There is always one to type in: an empty
 * one is left in place of the last.
 */
export function withoutLine(
  lines: readonly MenuLine[],
  key: number,
): { lines: MenuLine[]; beside: number | undefined } {
  const at = lines.findIndex((line) => line.key === key);
  const others = lines.filter((line) => line.key !== key);
  const left = others.length > 0 ? others : [emptyLine("starter", nextKey(lines))];
  return { lines: left, beside: (left[at - 1] ?? left[at] ?? left[0])?.key };
}

/** The lines with one of them a place further up or down, where there is one. */
export function withLineMoved(
  lines: readonly MenuLine[],
  key: number,
  by: 1 | -1,
): readonly MenuLine[] {
  const at = lines.findIndex((line) => line.key === key);
  const moved = lines[at];
  if (!moved || at + by < 0 || at + by >= lines.length) return lines;
  return lines.toSpliced(at, 1).toSpliced(at + by, 0, moved);
}

export const nameFault = (line: MenuLine) =>
  line.name.trim() === "" && !isEmptyLine(line) && "Donnez un nom à ce plat, ou retirez-le.";

export const priceFault = ({ price }: MenuLine) => {
  const cents = price.trim() === "" ? 0 : parseMoney(price);
  return (
    (cents === null || cents > maxCents) &&
    "Indiquez un prix en euros, au plus 100 €, ou laissez vide."
  );
};

/** A note that nothing is served with is not kept; that of a menu which is taken away goes with it. */
const noteFault = ({ note, lines, base }: TypedMenu) =>
  dishesOf(lines).length === 0 &&
  note.trim() !== "" &&
  note.trim() !== menuOfText(base).note &&
  "Une note accompagne un menu\u202f: écrivez un plat, ou effacez la note.";

export const faultsOf = (typed: TypedMenu): Faults<TypedMenu> => ({
  lines:
    typed.lines.some((line) => nameFault(line) || priceFault(line)) && "Des plats sont à revoir.",
  note: noteFault(typed),
});
