// The verdict of the counter, computed by the same function on the device and on the server.
import * as z from "zod/mini";
import { allergens } from "../allergies/rows.ts";
import { type CardState, cardCan, cardStates } from "../cards/rows.ts";
import * as c from "../endpoint.ts";
import { allergenWarning } from "../kitchen/dish-allergens.ts";
import { diets } from "../kitchen/states.ts";
import { mealOrderCan, mealOrderStates } from "../meals/states.ts";

const counterCard = z.object({
  /** The id in its signed code. */
  id: c.uuid,
  number: z.int(),
  state: z.enum(cardStates),
});

const counterOrder = z.object({
  id: c.uuid,
  number: z.int(),
  state: z.enum(mealOrderStates),
  servedAt: z.nullable(z.string()),
});

/** Somebody who eats at a canteen, as the counter knows them on a day. */
export const counterPerson = z.object({
  registration: c.uuid,
  name: z.string(),
  class: z.string(),
  diet: z.enum(diets),
  pai: z.boolean(),
  /** Empty without consent. */
  allergens: z.array(z.enum(allergens)),
  /** Which of them the day's menu contains, null for no warning. */
  warning: z.nullable(allergenWarning),
  /** Address of the photo; null without consent or without one. */
  photo: z.nullable(z.string()),
  cards: z.array(counterCard),
  order: z.nullable(counterOrder),
  /** The nearest other day (ISO) with an order. */
  otherDay: z.nullable(z.string()),
  /**
   * What a meal without an order costs; null where no price fits, and while the provider is frozen: no wallet
   * pays.
   */
  walkInCents: z.nullable(z.int()),
});
export type CounterPerson = z.output<typeof counterPerson>;

export const verdicts = [
  "served",
  "already",
  "to_validate",
  "other_day",
  "no_order",
  "opposed",
  "suspended",
  "out_of_use",
  "unregistered",
  "late_code",
  "forged",
] as const;
export type Verdict = (typeof verdicts)[number];

/** How the counter found a person: by name, by their card, or by the code of one of their orders. */
export type CounterMatch =
  | { how: "list" }
  | { how: "card"; cardId: string }
  | { how: "order"; orderId: string };

const cardVerdict = (state: CardState): Verdict | null => {
  if (state === "opposed" || state === "suspended") return state;
  return cardCan.spend({ state }) ? null : "out_of_use";
};

/**
 * The verdict on a person: a card that is out of use first, then the order of the day. `needsValidation`: the
 * canteen accepts an order before it serves it.
 */
export function verdictOf(
  person: CounterPerson,
  found: CounterMatch,
  { needsValidation }: { needsValidation: boolean },
): Verdict {
  const card = found.how === "card" && person.cards.find(({ id }) => id === found.cardId);
  const refused = card ? cardVerdict(card.state) : null;
  if (refused) return refused;
  const { order } = person;
  if (found.how === "order") {
    const inUse = person.cards.some((one) => cardCan.spend(one));
    const barred = (["opposed", "suspended"] as const).find((state) =>
      person.cards.some((one) => one.state === state),
    );
    if (barred && !inUse) return barred;
    // The code is for one order, never for the next one of the same person.
    if (order?.id !== found.orderId) return person.otherDay ? "other_day" : "no_order";
  }
  if (order?.state === "served") return "already";
  if (order && mealOrderCan.serve(order)) {
    return needsValidation && mealOrderCan.validate(order) ? "to_validate" : "served";
  }
  return person.otherDay ? "other_day" : "no_order";
}

/** Ways in which a device and the server may disagree about one scan. */
export const scanConflicts = [
  "served_elsewhere",
  "opposed_since",
  "cancelled_since",
  "unpaid",
  "closed_day",
  "undo_late",
] as const;
export type ScanConflict = (typeof scanConflicts)[number];

export const walkIns = ["hold", "cash"] as const;

/** One action at the counter; the device makes its id, so that it may be sent again. */
export const scan = z.object({
  id: c.uuid,
  day: c.day,
  at: c.instant,
  /** The device's verdict; it handed out a meal for `served` and for a walk-in. */
  verdict: z.enum(verdicts),
  registration: z.optional(c.uuid),
  /** The card that was read, where one was. */
  card: z.optional(c.uuid),
  /** The order whose code was read, where one was. */
  order: z.optional(c.uuid),
  walkIn: z.optional(z.enum(walkIns)),
  /** The desk accepted an order that nobody had validated. */
  validated: z.optional(z.boolean()),
  undoneAt: z.optional(c.instant),
});
export type Scan = z.output<typeof scan>;

export const scanView = z.object({
  id: c.uuid,
  /** The server's verdict. */
  verdict: z.enum(verdicts),
  conflict: z.nullable(z.enum(scanConflicts)),
  /** When another device served the meal, if one did. */
  servedAt: z.nullable(z.string()),
  undone: z.boolean(),
  /** The person as they are now; null for a code that nobody has. */
  person: z.nullable(counterPerson),
});
export type ScanView = z.output<typeof scanView>;
