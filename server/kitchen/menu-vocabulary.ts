// The words of the schema « menus-collectifs » and their common spellings, as the portal's own terms: meals,
// courses, quality signs, labels, diets and the fourteen allergens.
import type { Allergen } from "#contract/allergies/rows.ts";
import type { Course, DishDiet, DishLabel } from "#contract/kitchen/states.ts";

/** Lower case, without accents, « œ » as oe, apostrophes and hyphens as spaces. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("œ", "oe")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[’'‘`´\-‐‑–_.]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const wordsOf = <Value extends string>(table: Readonly<Record<Value, string>>) =>
  new Map(
    Object.entries<string>(table).flatMap(([value, words]) =>
      words.split("|").map((word) => [word.trim(), value as Value] as const),
    ),
  );

/** Looked up as written, then without a plural « s » or « x » at the end of each word. */
function found<Value>(words: ReadonlyMap<string, Value>, text: string): Value | undefined {
  return words.get(text) ?? words.get(text.replaceAll(/[sx]\b/g, ""));
}

const courseWords = wordsOf<Course>({
  starter: "entree|hors d oeuvre|hor d oeuvre|potage|salade|crudite",
  main: "plat principal|plat|plat chaud|plat unique|plat complet|plat protidique|plat principau|plat vegetarien|viande|poisson",
  side: "garniture|accompagnement|legume|feculent|legume feculent|legume et feculent",
  dairy:
    "produit laitier|laitage|fromage|fromage ou laitage|fromage laitage|fromage et produit laitier|fromage ou dessert lacte|dessert lacte",
  dessert: "dessert|fruit",
  other: "pain|autre|boisson|collation|collation matinale|gouter|sauce|condiment",
});

/** Null for a course that the schema does not know. */
export const courseIn = (text: string): Course | null => found(courseWords, folded(text)) ?? null;

const mealNames = new Set([
  "dejeuner",
  "dejeuner du midi",
  "lunch",
  "menu du midi",
  "midi",
  "repas",
  "repas de midi",
  "repas du midi",
  "repas midi",
  "service du midi",
]);
/** A portal's menu is the one at noon; a file without the word says nothing else. */
export const isLunch = (text: string): boolean => text === "" || mealNames.has(folded(text));

const labelWords = wordsOf<DishLabel>({
  organic:
    "agriculture biologique|bio|ab|abio|biologique|produit bio|produit biologique|issu de l agriculture biologique|agriculture biologique (ab)",
  label_rouge: "label rouge|lr",
  aop: "aop|aoc|appellation d origine protegee|appellation d origine controlee|appellation d origine protegee/controlee|appellation d origine",
  igp: "igp|indication geographique protegee",
  msc: "msc|peche durable|label peche durable|ecolabel peche durable|asc",
  hve: "hve|haute valeur environnementale",
  local:
    "local|produit local|locaux|produit locaux|circuit court|circuit de proximite|approvisionnement local|produit regional|regional",
  homemade: "fait maison|maison|fait sur place",
  vegetarian:
    "vegetarien|vegetarienne|vegetalien|vegetalienne|vegan|vege|menu vegetarien|plat vegetarien",
  fair_trade: "commerce equitable|equitable|max havelaar|fairtrade|fairtrade max havelaar",
});

/** Null for a label that the portal does not show. */
export const labelIn = (text: string): DishLabel | null => found(labelWords, folded(text)) ?? null;

const lettersOf = (text: string) => folded(text).replaceAll(/[^a-z]/g, "");
const labelTitles = new Map([...labelWords].map(([word, label]) => [lettersOf(word), label]));

/** The label that a column is about by its title: « Bio », « Label Rouge », « menuPlatLabelAOP ». */
export function labelOfTitle(title: string): DishLabel | null {
  const bare = lettersOf(title).replace(/^menu/, "").replace(/^plat/, "");
  const [, named = ""] = /^(?:label|siqo)(.*)$/.exec(bare) ?? [];
  // « Label Rouge » has the word in its name.
  for (const letters of [bare, named]) {
    const label = labelTitles.get(letters) ?? labelTitles.get(letters.replace(/s$/, ""));
    if (label) return label;
  }
  return null;
}

const nothing = /^(?:|0|f|n|no|false|faux|non|aucune?|neant|sans|normal|standard|tous)$/;
/** « Aucun », « non », « - »: no label and no diet. */
export const isNothing = (text: string): boolean => nothing.test(folded(text));

const ticked = /^(?:1|o|v|x|y|oui|ok|yes|true|vrai|✓|✔)$/;
/** The label that a cell of a column for `label` gives: that one where it is ticked; null for other words. */
export const tickedLabel = (text: string, label: DishLabel): DishLabel | null =>
  ticked.test(folded(text)) ? label : labelIn(text);

const dietWords = wordsOf<DishDiet>({
  no_pork: "sans porc",
  no_meat: "sans viande",
  vegetarian: "vegetarien|vegetarienne|vege|menu vegetarien|sans viande ni poisson",
});
const everybody =
  /^(?:tous|tout le monde|standard|normal|aucun|sans regime|sans regime particulier)$/;
// « plat de substitution sans viande », « remplacement sans porc », « menu sans porc ».
const substitute =
  /^(?:(?:alternative|choix|menu|option|plat|regime|repas|variante) )?(?:(?:de )?(?:remplacement|substitution|substitut) )?/;

/** The diet that a dish is made for, none for everybody; null for one that the portal does not know. */
export function dietsIn(text: string): DishDiet[] | null {
  const bare = folded(text);
  if (everybody.test(bare)) return [];
  const diet = found(dietWords, bare) ?? found(dietWords, bare.replace(substitute, ""));
  return diet ? [diet] : null;
}

const allergenWords = wordsOf<Allergen>({
  gluten:
    "gluten|cereale|cereale contenant du gluten|gluten de ble|ble|froment|farine de ble|seigle|orge|avoine|epeautre|kamut|cereale (gluten)|triticale|boulgour|semoule de ble",
  crustaceans: "crustace|crevette|crabe|langoustine|homard|gamba|ecrevisse|langouste",
  eggs: "oeuf|ovoproduit|oeuf de poule|jaune d oeuf|blanc d oeuf",
  fish: "poisson|colin|saumon|thon|cabillaud|merlu|lieu|anchoi",
  peanuts: "arachide|cacahuete|cacahouete|huile d arachide",
  soybeans: "soja|soya|feve de soja|lecithine de soja",
  milk: "lait|lactose|produit laitier|proteine de lait|lait de vache|beurre|creme|fromage|lait et lactose",
  nuts: "fruit a coque|fruit coque|fruit a coque dure|noix|amande|noisette|noix de cajou|noix de pecan|pistache|noix du bresil|noix de macadamia|cajou|macadamia|pecan",
  celery: "celeri|celeri rave|celeri branche",
  mustard: "moutarde|graine de moutarde",
  sesame: "sesame|graine de sesame",
  sulphites:
    "sulfite|anhydride sulfureu|anhydride sulfureux et sulfite|anhydride sulfureu et sulfite|dioxyde de soufre|so2|dioxyde de soufre et sulfite|sulfites (so2)|e220",
  lupin: "lupin|farine de lupin|graine de lupin",
  // « Coques » alone may be the shells or the nuts: the file must be clearer.
  molluscs:
    "mollusque|moule|huitre|calmar|calamar|poulpe|seiche|encornet|coquille saint jacque|escargot|bulot|palourde",
});
const noAllergen = new Set([
  "aucun",
  "aucune",
  "neant",
  "sans",
  "sans allergene",
  "aucun allergene",
  "rien",
  "/",
  "0",
  "",
]);
/** Words for an undeclared allergen list. */
export const isUndeclared = (item: string): boolean =>
  /^(?:non (?:renseignee?s?|communiquee?s?|declaree?s?)|inconnue?s?|n ?c|\?)$/.test(folded(item));

// « traces de », « peut contenir », and what the regulation adds to the name of an allergen.
const before =
  /^(?:presence (?:de|d) ?|contient (?:du |de la |des |de l |d )?|peut contenir (?:du |de la |des |de l |des traces de |des traces d )?|traces? (?:eventuelles? |possibles? )?(?:de |d )?(?:la |l )?)/;
const after =
  /(?: et (?:produits?|derives?)(?: .*)?| (?:a|et) base d.*| en concentrations? .*| \d+ ?mg.*)$/;

/**
 * The allergens of one item of a list, none for « aucun »; null when one of its words is none of the
 * fourteen. Brackets only add details to the word before them: « gluten (blé, seigle) ».
 */
export function allergensIn(item: string): Allergen[] | null {
  const text = folded(item);
  if (noAllergen.has(text)) return [];
  const whole = allergenOf(text);
  if (whole) return [whole];
  const outside = text
    .replaceAll(/\([^)]*\)?/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const inside = [...text.matchAll(/\(([^)]*)\)?/g)].flatMap((match) => partsOf(match[1] ?? ""));
  const named = partsOf(outside).map(allergenOf);
  if (named.some((one) => !one) || (named.length === 0 && inside.length === 0)) return null;
  const more = inside.map(allergenOf);
  if (named.length === 0 && more.some((one) => !one)) return null;
  return [...new Set([...named, ...more].filter((one) => one !== undefined))];
}

const partsOf = (text: string) =>
  text
    .split(/ et | ou |[&+,/]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

function allergenOf(text: string): Allergen | undefined {
  const bare = text.replace(before, "").replace(after, "").trim();
  return found(allergenWords, text) ?? found(allergenWords, bare);
}

/**
 * The items of a list as the schema writes it (["lait","fruits à coques"]) or as people do: separated by
 * commas, semicolons, bars or line ends. What is in brackets stays together.
 */
export function listIn(cell: string): string[] {
  const bare = cell.trim().replace(/^\[([\s\S]*)\]$/, "$1");
  return (
    splitOutsideBrackets(bare.replaceAll(/["“”«»]/g, ""))
      // From the first of a run alone: else the end is sought from each of them.
      .map((item) => item.replaceAll(/^[\s']+|(?<![\s'])[\s']+$/g, ""))
      .filter((item) => item !== "")
  );
}

const separators = new Set([",", ";", "|", "\r", "\n"]);

/** Split from the end, in one pass: a separator is in brackets when the next one of them closes. */
function splitOutsideBrackets(text: string): string[] {
  const items: string[] = [];
  let isInside = false;
  let end = text.length;
  for (let at = text.length - 1; at >= 0; at--) {
    const one = text.charAt(at);
    if (one === "(" || one === ")") isInside = one === ")";
    else if (!isInside && separators.has(one)) {
      items.push(text.slice(at + 1, end));
      end = at;
    }
  }
  items.push(text.slice(0, end));
  return items.toReversed();
}
