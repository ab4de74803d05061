// What a canteen decides before anybody orders: who serves meals and where, rules, prices, menus and messages; and the
// register of who eats there. A change of rules leaves existing orders as they are.
import { sql } from "kysely";
import type { Deadline } from "#contract/kitchen/deadlines.ts";
import type { SchoolZone } from "#contract/kitchen/school-calendar.ts";
import type { Audience } from "#contract/kitchen/states.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

/** A price as its provider describes it; each condition that is set must be met. */
export interface PriceDescription {
  name: string;
  audience: Audience;
  quotientMax?: number;
  childrenMin?: number;
  town?: string;
  class?: string;
  priceCents: number;
}

/** A canteen with its rules; times are HH:mm in Paris, `weekdays` numbers from 0 (Monday). */
export interface CanteenDescription {
  name: string;
  kind: "school" | "staff";
  street: string;
  postcode: string;
  town: string;
  lat: number;
  lon: number;
  zone: SchoolZone;
  weekdays: readonly number[];
  servesFrom: string;
  servesUntil: string;
  seats: number;
  classes: readonly string[];
  orderDeadline: Deadline;
  cancelDeadline: Deadline;
  lateCancelPercent?: number;
  absencePercent?: number;
  sickPaidDays?: number;
  sickCertificate?: boolean;
  maxPerWeek?: number;
  needsValidation?: boolean;
  prices: readonly PriceDescription[];
}

/**
 * Makes a partner the provider of canteens, under the acceptance group that pays there; the same partner
 * again returns the existing provider.
 */
export async function openProvider(
  tx: Tx,
  { partnerReference, groupId }: { partnerReference: string; groupId: number },
): Promise<number> {
  const found = await query(tx).maybeOne(sql<{ id: number }>`
    insert into canteen_provider (partner_id, group_id)
    select id, ${groupId} from partner where reference = ${partnerReference}
    on conflict (partner_id) do update set group_id = excluded.group_id
    returning id`);
  if (!found) throw new Error(`no partner ${partnerReference}`);
  return found.id;
}

/** Writes a canteen of a provider with its rules and prices; returns its id. */
export async function createCanteen(
  tx: Tx,
  providerId: number,
  canteen: CanteenDescription,
): Promise<string> {
  const { lateCancelPercent = 100, absencePercent = 100, sickPaidDays = 1 } = canteen;
  const bits = canteen.weekdays.reduce((sum, weekday) => sum | (1 << weekday), 0);
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into canteen (provider_id, name, kind, street, postcode, town, lat, lon, zone, weekdays,
      serves_from, serves_until, seats, classes, order_deadline, cancel_deadline, late_cancel_percent,
      absence_percent, sick_paid_days, sick_certificate, max_per_week, needs_validation)
    values (${providerId}, ${canteen.name}, ${canteen.kind}, ${canteen.street}, ${canteen.postcode},
      ${canteen.town}, ${canteen.lat}, ${canteen.lon}, ${canteen.zone}, ${bits}, ${canteen.servesFrom},
      ${canteen.servesUntil}, ${canteen.seats}, ${[...canteen.classes]}::text[],
      ${JSON.stringify(canteen.orderDeadline)}::jsonb,
      ${JSON.stringify(canteen.cancelDeadline)}::jsonb, ${lateCancelPercent}, ${absencePercent},
      ${sickPaidDays}, ${canteen.sickCertificate ?? false}, ${canteen.maxPerWeek ?? null},
      ${canteen.needsValidation ?? false})
    returning id`);
  for (const price of canteen.prices) {
    await sql`insert into canteen_price (canteen_id, name, audience, quotient_max, children_min, town,
        class, price_cents)
      values (${id}, ${price.name}, ${price.audience}, ${price.quotientMax ?? null},
        ${price.childrenMin ?? null}, ${price.town ?? null}, ${price.class ?? null},
        ${price.priceCents})`.execute(tx);
  }
  return id;
}

/** A person accepted at a canteen, as the desk would write it; returns the registration's id. */
export async function registerAt(
  tx: Tx,
  canteenId: string,
  registered: {
    personId: number;
    audience: Audience;
    class?: string;
    town?: string;
    diet?: "standard" | "no_pork" | "no_meat" | "vegetarian" | "packed";
    allergensConsent?: boolean;
    by: number;
    at: Date;
  },
): Promise<string> {
  const { personId, audience, by, at } = registered;
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into canteen_registration (canteen_id, person_id, audience, class, town, diet, state,
      allergens_consent_at, requested_by, requested_at, answered_at)
    values (${canteenId}, ${personId}, ${audience}, ${registered.class ?? ""}, ${registered.town ?? ""},
      ${registered.diet ?? "standard"}, 'accepted',
      ${registered.allergensConsent ? at : null}, ${by}, ${at}, ${at})
    returning id`);
  return id;
}

export {
  byClass,
  type CanteenCall,
  canteenOf,
  isRunBy,
  ofCanteen,
  ofProvider,
  ownCalendars,
  type ProviderCall,
  readOwnCanteen,
  readOwnCanteens,
  type RunCanteen,
} from "./canteens.ts";
export { type AddedAllergens, onAllergensAdded } from "./menu-allergens.ts";
export { dishesAt, menusOf, writeMenuDays } from "./menus.ts";
export { type MealPrice, priceKey, pricesFor, pricesOn, requirePrice } from "./prices.ts";
export { purchaseSharesOf } from "./purchases.ts";
export { countsOn, doesCount, hasItsDay } from "./registration-days.ts";
export { lockCanteens, onRulesSaved } from "./rules.ts";
export {
  nextServiceDay,
  type Service,
  type ServiceCalendar,
  serviceCalendars,
  serviceDaysFrom,
} from "./service-days.ts";
