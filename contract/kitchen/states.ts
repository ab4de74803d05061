// What a canteen cooks and for whom: who a price is for, diets, courses and labels of dishes.
export const audiences = ["pupil", "staff", "guest"] as const;
export type Audience = (typeof audiences)[number];
export const audienceNames: Readonly<Record<Audience, string>> = {
  pupil: "Élève",
  staff: "Personnel",
  guest: "Invité",
};

export const diets = ["standard", "no_pork", "no_meat", "vegetarian", "packed"] as const;
export type Diet = (typeof diets)[number];
/**
 * Diets that a dish may be made for, from the mildest to the strictest: each eats nothing that those before
 * leave out.
 */
export const dishDiets = ["no_pork", "no_meat", "vegetarian"] as const satisfies readonly Diet[];
export type DishDiet = (typeof dishDiets)[number];

export const dietNames: Readonly<Record<Diet, string>> = {
  standard: "Sans régime particulier",
  no_pork: "Sans porc",
  no_meat: "Sans viande",
  vegetarian: "Végétarien",
  packed: "Panier-repas (PAI)",
};

export const courses = ["starter", "main", "side", "dairy", "dessert", "other"] as const;
export type Course = (typeof courses)[number];
export const courseNames: Readonly<Record<Course, string>> = {
  starter: "Entrée",
  main: "Plat",
  side: "Accompagnement",
  dairy: "Laitage",
  dessert: "Dessert",
  other: "Autre",
};

/** Labels of a dish; `sustainable` of the law EGalim and `organic` are counted apart in its shares. */
export const dishLabels = [
  "organic",
  "label_rouge",
  "aop",
  "igp",
  "msc",
  "hve",
  "local",
  "homemade",
  "vegetarian",
  "fair_trade",
] as const;
export type DishLabel = (typeof dishLabels)[number];
export const dishLabelNames: Readonly<Record<DishLabel, string>> = {
  organic: "Bio",
  label_rouge: "Label Rouge",
  aop: "AOP",
  igp: "IGP",
  msc: "Pêche durable",
  hve: "Haute valeur environnementale",
  local: "Local",
  homemade: "Fait maison",
  vegetarian: "Végétarien",
  fair_trade: "Commerce équitable",
};
