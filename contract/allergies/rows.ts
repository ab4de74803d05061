// Health data given by choice: the allergens that a canteen must keep off a person's plate.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** The fourteen allergens of annex II of regulation (EU) 1169/2011. */
export const allergens = [
  "gluten",
  "crustaceans",
  "eggs",
  "fish",
  "peanuts",
  "soybeans",
  "milk",
  "nuts",
  "celery",
  "mustard",
  "sesame",
  "sulphites",
  "lupin",
  "molluscs",
] as const;
export type Allergen = (typeof allergens)[number];

export const allergenNames: Readonly<Record<Allergen, string>> = {
  gluten: "Gluten",
  crustaceans: "Crustacés",
  eggs: "Œufs",
  fish: "Poissons",
  peanuts: "Arachides",
  soybeans: "Soja",
  milk: "Lait",
  nuts: "Fruits à coque",
  celery: "Céleri",
  mustard: "Moutarde",
  sesame: "Sésame",
  sulphites: "Sulfites",
  lupin: "Lupin",
  molluscs: "Mollusques",
};

export const healthRecord = z.object({
  allergens: z.array(z.enum(allergens)),
  note: z.string(),
  consentedAt: c.instant,
  updatedAt: c.instant,
});
export type HealthRecord = z.output<typeof healthRecord>;

export const allergies = {
  read: c.row({
    method: "GET",
    path: "/api/health-record",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["allergies"],
    summary: "Allergens given with consent, null when there are none",
    source: "server/allergies/README.md#health-data",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({ record: z.nullable(healthRecord) }),
    problems: [],
  }),
  keep: c.row({
    method: "POST",
    path: "/api/health-record",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["allergies", "meals", "activity"],
    summary: "Gives allergens, with consent to keep them",
    source: "server/allergies/README.md#health-data",
    input: z.object({
      cardnumber: c.cardnumber,
      allergens: z.array(z.enum(allergens)).check(z.maxLength(allergens.length)),
      note: c.text(300),
      consent: z.boolean(),
    }),
    output: z.object({ record: z.nullable(healthRecord) }),
    problems: ["health_consent"],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/health-record/withdraw",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["allergies", "meals", "activity"],
    summary: "Withdraws consent: what was given is deleted at once",
    source: "server/allergies/README.md#health-data",
    input: z.object({ cardnumber: c.cardnumber }),
    output: c.messageAnswer,
    rate: { max: 60, seconds: 3600 },
    problems: [],
  }),
} as const;
