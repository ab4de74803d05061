// Providers of meals as holders see them, and the registrations of a family at their canteens.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { degrees, opening } from "../partners/rows.ts";
import { audiences, diets } from "../kitchen/states.ts";
import { registrationStates } from "./states.ts";
import { purchaseShare } from "../kitchen/purchases.ts";

const groups = [z.int(), z.minimum(1), z.maximum(2_147_483_647)] as const;
/** The acceptance group of a provider, in a path and in a body. */
export const idgroup = z.coerce.number().check(...groups);
export const idgroupInBody = z.number().check(...groups);

const provider = z.object({
  idgroup: z.int(),
  /** Name in the address `/commande/cantine/:name/:idgroup`. */
  slug: z.string(),
  name: z.string(),
  summary: z.string(),
  street: z.string(),
  town: z.string(),
  lat: z.number(),
  lon: z.number(),
  phone: z.nullable(z.string()),
  /** Metres from the given position; null without one. */
  metres: z.nullable(z.int()),
  /** As on its sheet of the directory; null where the sheet has no hours. */
  opening: z.nullable(opening),
  /** How many canteens it serves. */
  canteens: z.int(),
  /** Names of the caller and their children who eat there. */
  people: z.array(z.string()),
  /** Whether the operator has frozen it: it takes no order, what is ordered stays. */
  frozen: z.boolean(),
  /** Until when the next meal that can still be ordered is; null without a registration. */
  orderUntil: z.nullable(c.instant),
});
export type CanteenProvider = z.output<typeof provider>;

const registration = z.object({
  id: c.uuid,
  canteen: z.object({ id: c.uuid, name: z.string() }),
  /** Where its meals are ordered. */
  provider: z.object({ idgroup: z.int(), slug: z.string(), name: z.string() }),
  cardnumber: c.cardnumber,
  name: z.string(),
  audience: z.enum(audiences),
  className: z.string(),
  diet: z.enum(diets),
  /** An individual plan for health at school (PAI). */
  pai: z.boolean(),
  allergensShared: z.boolean(),
  photoShared: z.boolean(),
  state: z.enum(registrationStates),
  reason: z.nullable(z.string()),
  requestedAt: c.instant,
  /** The first and the last day on which it counts, null without. */
  fromOn: z.nullable(c.day),
  untilOn: z.nullable(c.day),
  /** The next school year can be asked for, and was not. */
  canRenew: z.boolean(),
});
export type CanteenRegistration = z.output<typeof registration>;

/** Why a canteen would not register a card: no pupil, registered already, or for a guardian to ask. */
const registrationBar = z.object({
  cardnumber: c.cardnumber,
  why: z.enum(["not_pupil", "registered", "minor"]),
});
export type RegistrationBar = z.output<typeof registrationBar>;

export const canteenRegistrations = {
  providers: c.row({
    method: "GET",
    path: "/api/canteen/providers",
    access: "holder",
    of: "self",
    reads: ["registrations", "family"],
    summary: "Providers of meals, those of the family first; around a position, the nearest first",
    source: "spec §2 List_of_pretataire_of_cantine; server/meals/README.md#choosing-meals",
    /** A position in degrees; both or none. */
    input: z
      .object({ lat: degrees(90), lon: degrees(180) })
      .check(z.refine(({ lat, lon }) => (lat === undefined) === (lon === undefined))),
    output: z.object({ items: z.array(provider), now: c.instant }),
    problems: [],
  }),
  provider: c.row({
    method: "GET",
    path: "/api/canteen/providers/:idgroup",
    access: "holder",
    of: { idgroup: "anyone" },
    reads: ["registrations", "meals", "family"],
    summary: "A provider with its canteens, and the registrations of the family there",
    source: "server/meals/README.md#registrations; spec.md 13",
    input: z.object({ idgroup }),
    output: z.object({
      provider,
      canteens: z.array(
        z.object({
          id: c.uuid,
          name: z.string(),
          kind: z.enum(["school", "staff"]),
          street: z.string(),
          town: z.string(),
          classes: z.array(z.string()),
          /** Those of the family whom it would not register now. */
          barred: z.array(registrationBar),
        }),
      ),
      registrations: z.array(registration),
      /** The provider's latest declaration of purchases, null without one. */
      purchases: z.nullable(purchaseShare),
    }),
    problems: [],
  }),
  registrations: c.row({
    method: "GET",
    path: "/api/canteen/registrations",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["registrations", "family"],
    summary: "Where a card is registered or asked to be, at any provider, the latest first",
    source: "server/meals/README.md#meals-on-other-screens",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({ items: z.array(registration) }),
    problems: [],
  }),
  register: c.row({
    method: "POST",
    path: "/api/canteen/registrations",
    access: "holder",
    of: { cardnumber: "card", canteen: "anyone" },
    changes: ["registrations"],
    summary:
      "Asks a canteen to register a card, after the registration that counts if one does; its provider answers",
    source: "server/meals/README.md#registrations",
    input: z.object({
      canteen: c.uuid,
      cardnumber: c.cardnumber,
      className: c.text(20),
      diet: z.enum(diets),
      pai: z.boolean(),
      /** Consents: the desk sees the allergens, the counter the photo. */
      shareAllergens: z.boolean(),
      sharePhoto: z.boolean(),
    }),
    output: registration,
    status: 201,
    problems: ["meal_registered", "meal_class_unknown", "meal_not_pupil", "family_minor"],
  }),
  endRegistration: c.row({
    method: "POST",
    path: "/api/canteen/registrations/:registration/end",
    access: "holder",
    of: { registration: "registration" },
    changes: ["registrations"],
    summary: "Ends a registration, or takes back its request; refused while meals are ordered",
    source: "server/meals/README.md#registrations",
    input: z.object({ registration: c.uuid }),
    output: c.messageAnswer,
    problems: ["meal_registration_state", "meal_registration_orders", "family_minor"],
  }),
} as const;
