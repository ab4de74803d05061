// Quantities that a kitchen cooks on a day, counted from the ordered meals. It counts the allergens that a
// family shares with the canteen; the paper, which lies about in a kitchen, has no names.
import { sql } from "kysely";
import { type Allergen, allergenNames, allergens } from "#contract/allergies/rows.ts";
import { marginServices } from "#contract/meal-service/limits.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import {
  type DishToCook,
  type Quantities,
  type QuantitiesOfService,
  replacedWords,
} from "#contract/meal-service/quantities.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { warningOf } from "#contract/kitchen/dish-allergens.ts";
import { dietsUnsuited, dietWords, dishesServed } from "#contract/kitchen/served-dishes.ts";
import {
  type Audience,
  audienceNames,
  audiences,
  courseNames,
  type Diet,
  dietNames,
  diets,
} from "#contract/kitchen/states.ts";
import { todayInParis } from "#contract/days.ts";
import { formatCount, formatDayInWords } from "#contract/french.ts";
import { allergensOf } from "#server/allergies/allergies.ts";
import type { Db } from "#server/db/db.ts";
import { pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import {
  menusOf,
  nextServiceDay,
  type ProviderCall,
  readOwnCanteens,
  serviceCalendars,
} from "#server/kitchen/kitchen.ts";
import { waitingOn } from "#server/meals/meals.ts";

interface CookedMeal {
  canteen: string;
  personId: number;
  name: string;
  className: string;
  audience: Audience;
  diet: Diet;
  pai: boolean;
  sharesAllergens: boolean;
  isWalkIn: boolean;
}

/** The quantities of the caller's canteens on a day, by default the next that is not served yet. */
export async function readQuantities(
  call: ProviderCall<{ day?: string | undefined }>,
): Promise<Quantities> {
  const { deps, input, provider } = call;
  const { items: canteens } = await readOwnCanteens(call);
  const now = deps.now();
  const ids = canteens.map(({ id }) => id);
  const calendars = await serviceCalendars(deps.db, ids, input.day ?? todayInParis(now));
  const day = input.day ?? nextServiceDay(canteens, calendars, now);
  const cooked = await mealsOn(deps.db, ids, day);
  const margins = await walkInMargins(deps.db, ids, day);
  const waiting = await waitingOn(deps.db, ids, day);
  const ordered = cooked.filter(({ isWalkIn }) => !isWalkIn);
  const services = canteens.map((canteen) =>
    serviceOf(canteen, {
      meals: cooked.filter((meal) => meal.canteen === canteen.id),
      margin: margins.get(canteen.id) ?? 0,
      waiting: waiting.get(canteen.id) ?? 0,
      closedWhy: calendars.get(canteen.id)?.closedWhy(day) ?? null,
    }),
  );
  const known = ordered.filter(({ sharesAllergens }) => sharesAllergens);
  const declared = await allergensOf(
    deps.db,
    known.map(({ personId }) => personId),
  );
  const [menu] = await menusOf(deps.db, provider.id, day, day, { published: false });
  const eaters = ordered.filter(({ diet }) => diet !== "packed");
  const margin = services.reduce((sum, one) => sum + one.walkInMargin, 0);
  const dishes = menu?.dishes ?? [];
  const nameOf = new Map(canteens.map(({ id, name }) => [id, name]));
  return {
    day,
    now: now.toISOString(),
    services,
    dishes: dishes.map((dish) => {
      const served = eaters.filter(({ diet }) => dishesServed(dishes, diet).includes(dish));
      return toDishToCook(dish, { dishes, margin, eaters: served, declared });
    }),
    allergens: allergens
      .map((allergen) => ({
        allergen,
        people: known
          .filter(({ personId }) => declared.get(personId)?.includes(allergen))
          .map(({ name, className, canteen }) => ({
            name,
            className,
            canteen: nameOf.get(canteen) ?? "",
          })),
      }))
      .filter(({ people }) => people.length > 0),
    allergensUnknown: ordered.length - known.length,
  };
}

/** Everybody who eats on a day, walk-ins included; by class and name. */
async function mealsOn(db: Db, canteens: readonly string[], day: string): Promise<CookedMeal[]> {
  const { rows } = await sql<CookedMeal>`
    select o.canteen_id as canteen, p.id as person_id, p.name, r.class as class_name, r.audience,
      r.diet, r.pai, r.allergens_consent_at is not null as shares_allergens,
      exists (select from meal_scan s where s.order_id = o.id and s.walk_in is not null) as is_walk_in
    from meal_order o join canteen_registration r on r.id = o.registration_id
    join person p on p.id = o.person_id
    where o.canteen_id = any (${canteens}::uuid[]) and o.on_day = ${day}::date
      and o.state in ('reserved', 'validated', 'served', 'absent')
    order by r.class, p.name, o.number`.execute(db);
  return rows;
}

/** By canteen, the average number of meals without an order on its last days of service before one. */
async function walkInMargins(
  db: Db,
  canteens: readonly string[],
  day: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ canteen: string; margin: number }>`
    select c.id as canteen, coalesce(ceil(avg(last.walk_ins)), 0)::int as margin
    from canteen c left join lateral (
      select count(*) filter (where s.walk_in is not null) as walk_ins
      from meal_scan s
      where s.canteen_id = c.id and s.undone_at is null
        and s.on_day between ${day}::date - 180 and ${day}::date - 1
      group by s.on_day order by s.on_day desc limit ${marginServices}) last on true
    where c.id = any (${canteens}::uuid[]) group by c.id`.execute(db);
  return new Map(rows.map(({ canteen, margin }) => [canteen, margin]));
}

/** Counts each kind, leaving out those without any. */
function countBy<Kind extends string>(
  kinds: readonly Kind[],
  of: readonly Kind[],
): { kind: Kind; meals: number }[] {
  return kinds
    .map((kind) => ({ kind, meals: of.filter((one) => one === kind).length }))
    .filter(({ meals }) => meals > 0);
}

function serviceOf(
  { id, name, servesFrom, servesUntil, classes }: OwnCanteen,
  day: {
    meals: readonly CookedMeal[];
    margin: number;
    waiting: number;
    closedWhy: string | null;
  },
): QuantitiesOfService {
  const ordered = day.meals.filter(({ isWalkIn }) => !isWalkIn);
  const walkIns = day.meals.length - ordered.length;
  const packed = ordered.filter(({ diet }) => diet === "packed").length;
  const known = [...new Set([...classes, ...ordered.map(({ className }) => className)])];
  const walkInMargin = day.closedWhy === null ? Math.max(day.margin, walkIns) : walkIns;
  return {
    canteen: id,
    name,
    servesFrom,
    servesUntil,
    closedWhy: day.closedWhy,
    meals: ordered.length,
    packed,
    pai: ordered.filter(({ pai }) => pai).length,
    classes: countBy(
      known,
      ordered.map(({ className }) => className),
    ).map(({ kind, meals }) => ({ className: kind, meals })),
    audiences: countBy(
      audiences,
      ordered.map(({ audience }) => audience),
    ).map(({ kind, meals }) => ({ audience: kind, meals })),
    diets: countBy(
      diets,
      ordered.map(({ diet }) => diet),
    ).map(({ kind, meals }) => ({ diet: kind, meals })),
    waiting: day.waiting,
    walkIns,
    walkInMargin,
    portions: ordered.length - packed + walkInMargin,
  };
}

/** `eaters` are those who are served the dish; a walk-in is served no dish of a diet. */
function toDishToCook(
  dish: Dish,
  {
    dishes,
    margin,
    eaters,
    declared,
  }: {
    dishes: readonly Dish[];
    margin: number;
    eaters: readonly CookedMeal[];
    declared: ReadonlyMap<number, readonly Allergen[]>;
  },
): DishToCook {
  const isAllergic = ({ personId }: CookedMeal) =>
    warningOf([dish], declared.get(personId) ?? []) !== null;
  const unsuited = dietsUnsuited(dishes, dish);
  const isUnsuited = ({ diet }: CookedMeal) => unsuited.some((one) => one === diet);
  return {
    ...dish,
    portions: eaters.length + (dish.diets.length === 0 ? margin : 0),
    withoutAllergens: eaters.filter(isAllergic).length,
    unsuited: unsuited
      .map((diet) => ({ diet, meals: eaters.filter((meal) => meal.diet === diet).length }))
      .filter(({ meals }) => meals > 0),
    toReplace: eaters.filter((meal) => isAllergic(meal) || isUnsuited(meal)).length,
  };
}

/** The quantities on paper, a table for each service. */
export async function quantitiesPdf(call: ProviderCall<{ day?: string | undefined }>) {
  const read = await readQuantities(call);
  const { deps, caller } = call;
  const title = `Quantités du ${formatDayInWords(read.day)}`;
  const file = await paper(
    { title, cardnumber: caller.cardnumber, madeAt: deps.now() },
    async (page) => {
      for (const service of read.services) {
        page.heading(`${service.name}, ${service.servesFrom} à ${service.servesUntil}`);
        if (service.closedWhy && service.meals === 0) {
          page.paragraph(`Pas de service\u202f: ${service.closedWhy}.`);
        } else await page.table(factColumns, factsOf(service));
      }
      if (read.dishes.length > 0) {
        page.heading("Portions par plat");
        await page.table(dishColumns, read.dishes.map(dishCells));
      }
      if (read.allergens.length > 0) {
        page.heading("Allergènes déclarés");
        const columns = [
          { title: "Allergène", width: 400 },
          { title: "Repas", width: 83, right: true },
        ];
        await page.table(
          columns,
          read.allergens.map(({ allergen, people }) => [
            allergenNames[allergen],
            formatCount(people.length),
          ]),
        );
      }
    },
  );
  return pdf(file, `cantine-quantites-${read.day}.pdf`);
}

const factColumns = [
  { title: "Repas", width: 400 },
  { title: "Nombre", width: 83, right: true },
];
const dishColumns = [
  { title: "Plat", width: 223 },
  { title: "Portions", width: 55, right: true },
  { title: "À remplacer", width: 75, right: true },
  { title: "Dont", width: 130 },
];
const dishCells = (dish: DishToCook) => {
  const { course, name, diets: madeFor, portions, toReplace } = dish;
  return [
    `${courseNames[course]}\u202f: ${name}${madeFor.length > 0 ? ` (${dietWords(dish)})` : ""}`,
    formatCount(portions),
    toReplace > 0 ? formatCount(toReplace) : "",
    replacedWords(dish),
  ];
};

function factsOf(service: QuantitiesOfService): string[][] {
  const facts: [string, number][] = [
    ...service.classes.map(({ className, meals }): [string, number] => [
      className || "Sans classe",
      meals,
    ]),
    ...service.audiences
      .filter(({ audience }) => audience !== "pupil")
      .map(({ audience, meals }): [string, number] => [
        `dont ${audienceNames[audience].toLowerCase()}`,
        meals,
      ]),
    ["Repas commandés", service.meals],
    ...service.diets
      .filter(({ diet }) => diet !== "standard" && diet !== "packed")
      .map(({ diet, meals }): [string, number] => [`dont ${dietNames[diet].toLowerCase()}`, meals]),
    ...(service.packed > 0
      ? [["Paniers-repas apportés (PAI), à ne pas cuisiner", -service.packed] as [string, number]]
      : []),
    ["Marge pour les passages sans commande", service.walkInMargin],
    ["Portions à cuisiner", service.portions],
  ];
  return facts.map(([what, meals]) => [what, formatCount(meals)]);
}
