// The demo's menus: four weeks of the school kitchen in turn, from four weeks ago to the next month.
import { sql } from "kysely";
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import { schoolHolidayOn } from "#contract/kitchen/school-calendar.ts";
import { type Course, courses, type DishLabel } from "#contract/kitchen/states.ts";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { publicHolidays } from "#contract/working-days.ts";
import { writeMenuDays } from "../kitchen/kitchen.ts";
import type { Tx } from "../db/db.ts";

type Served = readonly [
  name: string,
  labels?: readonly DishLabel[],
  allergens?: readonly Allergen[],
];

// Monday, Tuesday, Thursday and Friday, each in the order of the courses; one day a week is vegetarian.
const weeks: readonly (readonly (readonly Served[])[])[] = [
  [
    [
      ["Carottes râpées au citron", ["organic", "local"], ["mustard"]],
      ["Sauté de dinde à la crème", ["label_rouge", "homemade"], ["milk"]],
      ["Riz de Camargue", ["igp"]],
      ["Petit-suisse", ["organic"], ["milk"]],
      ["Pomme de la Rance", ["hve", "local"]],
    ],
    [
      ["Velouté de potiron", ["homemade", "local"], ["milk", "celery"]],
      [
        "Lasagnes aux lentilles et aux légumes",
        ["vegetarian", "homemade"],
        ["gluten", "milk", "celery"],
      ],
      ["Salade verte", ["organic"], ["mustard", "sulphites"]],
      ["Comté", ["aop"], ["milk"]],
      ["Compote pomme-poire", ["organic"]],
    ],
    [
      ["Betteraves en vinaigrette", ["local"], ["mustard", "sulphites"]],
      ["Bœuf aux carottes", ["homemade"], ["gluten", "celery", "sulphites"]],
      ["Pommes vapeur", ["local"]],
      ["Camembert de Normandie", ["aop"], ["milk"]],
      ["Far aux pruneaux", ["homemade"], ["gluten", "eggs", "milk"]],
    ],
    [
      ["Taboulé à la menthe", ["homemade"], ["gluten"]],
      ["Filet de lieu sauce citron", ["msc"], ["fish", "milk"]],
      ["Haricots verts", ["organic"]],
      ["Yaourt fermier nature", ["local", "organic"], ["milk"]],
      ["Clémentines de Corse", ["igp"]],
    ],
  ],
  [
    [
      ["Céleri rémoulade", ["homemade"], ["celery", "eggs", "mustard"]],
      ["Chili aux haricots rouges", ["vegetarian", "homemade"], ["celery"]],
      ["Riz long", ["organic"]],
      ["Fromage blanc de la ferme", ["local"], ["milk"]],
      ["Banane", ["fair_trade", "organic"]],
    ],
    [
      ["Lentilles vertes du Puy en salade", ["aop"], ["mustard", "sulphites"]],
      ["Rôti de porc au jus", ["label_rouge"]],
      ["Purée de pommes de terre", ["homemade", "local"], ["milk"]],
      ["Saint-nectaire", ["aop"], ["milk"]],
      ["Poire", ["hve", "local"]],
    ],
    [
      ["Œuf dur mayonnaise", ["organic"], ["eggs", "mustard"]],
      ["Mafé de poulet", ["homemade"], ["peanuts", "celery"]],
      ["Semoule", ["organic"], ["gluten"]],
      ["Emmental", [], ["milk"]],
      ["Mousse au chocolat", ["homemade", "fair_trade"], ["eggs", "milk", "soybeans"]],
    ],
    [
      ["Soupe de légumes", ["homemade", "organic"], ["celery"]],
      ["Brandade de colin", ["msc", "homemade"], ["fish", "milk"]],
      ["Mâche nantaise", ["igp"], ["mustard", "sulphites"]],
      ["Yaourt aux fruits", [], ["milk"]],
      ["Kiwi", ["organic"]],
    ],
  ],
  [
    [
      ["Chou rouge aux pommes", ["organic", "local"], ["mustard", "sulphites"]],
      ["Boulettes de bœuf à la tomate", [], ["gluten", "eggs", "soybeans"]],
      ["Coquillettes", ["organic"], ["gluten"]],
      ["Edam", [], ["milk"]],
      ["Orange", ["organic"]],
    ],
    [
      ["Tarte au fromage", ["homemade"], ["gluten", "milk", "eggs"]],
      ["Blanquette de veau", ["label_rouge", "homemade"], ["gluten", "milk", "celery"]],
      ["Carottes Vichy", ["organic"], ["milk"]],
      ["Cantal", ["aop"], ["milk"]],
      ["Compote de pommes", ["local"]],
    ],
    [
      ["Endives aux noix", [], ["nuts", "mustard", "sulphites"]],
      ["Dahl de lentilles corail", ["vegetarian", "organic", "homemade"], ["mustard"]],
      ["Riz basmati", ["fair_trade"]],
      ["Yaourt nature", ["organic"], ["milk"]],
      ["Gâteau au yaourt", ["homemade"], ["gluten", "eggs", "milk"]],
    ],
    [
      ["Macédoine de légumes", [], ["eggs", "mustard", "celery"]],
      ["Poisson pané", ["msc"], ["fish", "gluten"]],
      ["Épinards à la crème", ["organic"], ["milk"]],
      ["Pont-l’évêque", ["aop"], ["milk"]],
      ["Pomme", ["hve", "local"]],
    ],
  ],
  [
    [
      ["Potage poireaux et pommes de terre", ["homemade", "local"], ["milk"]],
      ["Jambon braisé", ["label_rouge"]],
      ["Gratin de chou-fleur", ["homemade"], ["gluten", "milk"]],
      ["Petit-suisse aux fruits", [], ["milk"]],
      ["Clémentines de Corse", ["igp"]],
    ],
    [
      ["Pois chiches au cumin", ["organic"], ["mustard", "sulphites"]],
      ["Cuisse de poulet rôtie", ["label_rouge"]],
      ["Poêlée de légumes d’hiver", ["organic"]],
      ["Tomme de Savoie", ["igp"], ["milk"]],
      ["Crêpe au sucre", ["local"], ["gluten", "eggs", "milk"]],
    ],
    [
      ["Radis noir râpé", ["local"], ["mustard", "sulphites"]],
      ["Parmentier de canard du Sud-Ouest", ["igp", "homemade"], ["milk"]],
      ["Salade verte", [], ["mustard", "sulphites"]],
      ["Yaourt à la vanille", ["organic"], ["milk"]],
      ["Poire", ["organic"]],
    ],
    [
      ["Salade de quinoa", ["fair_trade"], ["mustard", "sulphites"]],
      ["Omelette au fromage", ["vegetarian", "organic"], ["eggs", "milk"]],
      ["Haricots beurre persillés", ["local"]],
      ["Brie de Meaux", ["aop"], ["milk"]],
      ["Riz au lait", ["homemade"], ["milk"]],
    ],
  ],
];

const notes = new Map([["Mafé de poulet", "Cuisine du monde\u202f: le Sénégal."]]);

/** Writes a provider's menus of the demo: nine weeks, of which the last one waits to be published. */
export async function writeMenus(tx: Tx, providerId: number, now: Date): Promise<void> {
  const monday = startOfWeek(todayInParis(now));
  const days = weeksAround(monday).flatMap(({ from, served }) =>
    served.map((dishes, index) => ({
      day: addDays(from, index),
      note: notes.get(dishes[1]?.[0] ?? "") ?? "",
      dishes: dishes.map(dishOf).flatMap((dish) => [dish, ...(replacing.get(dish.name) ?? [])]),
    })),
  );
  await writeMenuDays(tx, providerId, days.filter(isSchoolDay));
  await sql`update canteen_menu
    set published_at = least(${now}::timestamptz, (on_day - 21)::timestamp at time zone 'Europe/Paris')
    where provider_id = ${providerId} and on_day < ${addDays(monday, 28)}::date`.execute(tx);
}

const weeksAround = (monday: string) =>
  Array.from({ length: 9 }, (_, index) => ({
    from: addDays(monday, 7 * (index - 4)),
    served: withWednesday(index),
  }));

/** The four days of school; on Wednesday, for the holiday centre, the schools' menu of another week. */
function withWednesday(index: number): readonly (readonly Served[])[] {
  const [own, other] = [weeks[index % weeks.length] ?? [], weeks[(index + 2) % weeks.length] ?? []];
  const isVegetarian = (dishes: readonly Served[]) => dishes[1]?.[1]?.includes("vegetarian");
  return own.toSpliced(2, 0, ...other.filter((dishes) => !isVegetarian(dishes)).slice(0, 1));
}

const main = { course: "main", labels: [], allergens: [], priceCents: null } as const;

/** Substitutes cooked beside a dish for the diets that it does not suit. */
const replacing: ReadonlyMap<string, readonly Dish[]> = new Map(
  ["Rôti de porc au jus", "Jambon braisé"].map((name) => [
    name,
    [
      {
        ...main,
        name: "Rôti de dinde au jus",
        labels: ["label_rouge"],
        allergens: [],
        diets: ["no_pork"],
      },
      {
        ...main,
        name: "Omelette aux herbes",
        labels: ["homemade", "vegetarian"],
        allergens: ["eggs"],
        diets: ["no_meat", "vegetarian"],
      },
    ],
  ]),
);

const dishOf = ([name, labels = [], allergens = []]: Served, place: number): Dish => ({
  course: courses[place] as Course,
  name,
  labels: [...labels],
  allergens: [...allergens],
  diets: [],
  priceCents: null,
});

/** Neither a school holiday of the demo's zone nor a public holiday. */
export const isSchoolDay = ({ day }: { day: string }) =>
  schoolHolidayOn("B", day) === null && !publicHolidays(Number(day.slice(0, 4))).has(day);
