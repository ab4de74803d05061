// The file of canteens that an operator imports: its schema, and the checks that span several fields.
import * as z from "zod/mini";
import { deadline } from "#contract/kitchen/deadlines.ts";
import { schoolZones } from "#contract/kitchen/school-calendar.ts";
import { audiences } from "#contract/kitchen/states.ts";
import * as c from "#contract/endpoint.ts";
import { printedText } from "#server/http/printed-letters.ts";
import { FileRefused, itemsIn } from "#server/process/operator-file.ts";
import type { CanteenDescription } from "./kitchen.ts";

const hour = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
const percent = z.optional(z.int().check(z.minimum(0), z.maximum(100)));

const price = z.object({
  name: printedText(60),
  audience: z.enum(audiences),
  quotientMax: z.optional(z.int().check(z.minimum(0), z.maximum(99_999))),
  childrenMin: z.optional(z.int().check(z.minimum(2), z.maximum(20))),
  town: z.optional(c.text(80, 1)),
  class: z.optional(c.text(20, 1)),
  priceCents: z.int().check(z.minimum(0), z.maximum(10_000)),
});

const canteen = z
  .object({
    name: printedText(80),
    kind: z.enum(["school", "staff"]),
    street: printedText(120),
    postcode: z.string().check(z.regex(/^\d{5}$/)),
    town: printedText(80),
    lat: z.number().check(z.minimum(-90), z.maximum(90)),
    lon: z.number().check(z.minimum(-180), z.maximum(180)),
    zone: z.enum(schoolZones),
    weekdays: z
      .array(z.int().check(z.minimum(0), z.maximum(6)))
      .check(z.minLength(1), z.maxLength(7)),
    servesFrom: hour,
    servesUntil: hour,
    seats: z.int().check(z.minimum(1), z.maximum(5000)),
    classes: z.prefault(z.array(printedText(20)).check(z.maxLength(100)), []),
    orderDeadline: deadline,
    cancelDeadline: deadline,
    lateCancelPercent: percent,
    absencePercent: percent,
    sickPaidDays: z.optional(z.int().check(z.minimum(0), z.maximum(5))),
    sickCertificate: z.optional(z.boolean()),
    maxPerWeek: z.optional(z.int().check(z.minimum(1), z.maximum(7))),
    needsValidation: z.optional(z.boolean()),
    prices: z.array(price).check(z.minLength(1), z.maxLength(60)),
  })
  .check(
    z.refine(
      ({ servesFrom, servesUntil }) => servesFrom < servesUntil,
      "le service finit avant de commencer",
    ),
    z.refine(
      ({ classes, prices }) => prices.every((one) => !one.class || classes.includes(one.class)),
      "un tarif est d'une classe que la cantine n'a pas",
    ),
    z.refine(
      ({ prices }) => new Set(prices.map(conditionsOf)).size === prices.length,
      "deux tarifs ont les mêmes conditions",
    ),
  );

const conditionsOf = ({
  audience,
  quotientMax,
  childrenMin,
  town,
  ...one
}: z.output<typeof price>) =>
  JSON.stringify([audience, quotientMax, childrenMin, town?.trim().toLowerCase(), one.class]);

const file = z.object({
  provider: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)),
  canteens: z.array(z.unknown()).check(z.minLength(1), z.maxLength(500)),
});

/** The provider (reference of its sheet) and the canteens that a file describes; throws `FileRefused`. */
export function canteensIn(json: unknown): { provider: string; canteens: CanteenDescription[] } {
  const whole = z.safeParse(file, json);
  if (!whole.success) {
    throw new FileRefused([
      "Le fichier tient en {provider: référence de la fiche, canteens: […]}, 500 cantines au plus.",
    ]);
  }
  const faults: string[] = [];
  const canteens = itemsIn(
    { name: "cantine", type: canteen },
    whole.data.canteens,
    faults,
  ) as CanteenDescription[];
  const names = canteens.map(({ name }) => name.trim().toLowerCase());
  const twin = names.find((name, index) => names.indexOf(name) < index);
  if (twin !== undefined) faults.push(`deux cantines s'appellent ${twin}`);
  if (faults.length > 0) throw new FileRefused(faults);
  return { provider: whole.data.provider, canteens };
}
