// New amounts of prices from a day on, at one or several canteens: previewed for the registered people, then
// booked for all canteens or none. A price ends on the day before the next begins, so that no day is without
// one; existing orders keep their price.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { ChangedCanteen, PriceChangePreview } from "#contract/kitchen/price-changes.ts";
import { priceChanges as limits } from "#contract/kitchen/limits.ts";
import { type PriceTerms, termsKey } from "#contract/kitchen/prices.ts";
import type { CanteenPrice } from "#contract/kitchen/rules.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatDayInWords, formatMoney, plural } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { withGuardians } from "#server/family/family.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { auditAll } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { canteensOf, type ProviderCall, readOwnCanteens } from "./canteens.ts";
import { type MealPrice, offeredPrices, priceKey, pricesOn } from "./prices.ts";
import { countsOn } from "./registration-days.ts";
import { lockCanteens } from "./rules.ts";

interface PriceChange {
  canteens: readonly string[];
  from: string;
  amounts: readonly (PriceTerms & { priceCents: number })[];
}

/** A price that a change ends, and the one that follows it. */
interface ChangedPrice {
  canteen: string;
  price: CanteenPrice;
  afterCents: number;
}

/** The prices of the caller's canteens, by canteen. */
export async function readOwnPrices(call: ProviderCall<unknown>) {
  const { db, now } = call.deps;
  const { items } = await readOwnCanteens(call);
  const ids = items.map(({ id }) => id);
  const prices = Map.groupBy(
    await offeredPrices(db, ids, parisDay(now())),
    ({ canteen }) => canteen,
  );
  return {
    items: items.map(({ id, name }) => ({
      canteen: id,
      name,
      prices: (prices.get(id) ?? []).map(({ price }) => price),
    })),
  };
}

/** Previews the effect of a change on the registered people. Writes nothing. */
export async function previewPriceChange(
  call: CompanyCall<PriceChange>,
): Promise<PriceChangePreview> {
  const { db } = call.deps;
  const canteens = await namesOf(db, call);
  const changed = await plan(db, call, canteens);
  const { from } = call.input;
  const people = await registeredOn(db, canteens, from);
  const ids = people.map(({ id }) => id);
  const amended = changed.map(({ price: { id }, afterCents }) => ({ id, priceCents: afterCents }));
  const before = await pricesOn(db, ids, [from]);
  const after = await pricesOn(db, ids, [from], amended);
  const ordered = await mealsOrderedFrom(db, canteens, from);
  return {
    canteens: [...canteens].map(([canteen, name]) => ({
      canteen,
      name,
      lines: changed
        .filter((one) => one.canteen === canteen)
        .map(({ price, afterCents }) => ({
          name: price.name,
          beforeCents: price.priceCents,
          afterCents,
        })),
      ...effectOn(
        people.filter((one) => one.canteen === canteen),
        { from, before, after },
      ),
      ordered: ordered.get(canteen) ?? 0,
    })),
    fingerprint: fingerprintOf(changed, from),
  };
}

/**
 * Books a change as it was previewed, for all its canteens or none, and tells the people whose price changes.
 */
export function changePrices(
  call: CompanyCall<PriceChange & { fingerprint: string }>,
): Promise<{ message: string }> {
  const { deps, caller, input, origin } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const { from } = input;
    const canteens = await namesOf(tx, call);
    await lockCanteens(tx, [...canteens.keys()]);
    const changed = await plan(tx, call, canteens);
    if (fingerprintOf(changed, from) !== input.fingerprint) {
      throw new Problem("meal_prices_changed");
    }
    const notifiedCount = await notifyPriceChanges(
      tx,
      deps,
      { canteens: [...canteens.keys()], from, at },
      () => book(tx, changed, from),
    );
    const line = { personId: caller.personId, actor: "person", address: origin.address, at };
    await auditAll(
      tx,
      changed.map(({ canteen, price: { name }, afterCents: priceCents }) => ({
        ...line,
        action: "canteen.price_change",
        details: { name, priceCents, from, canteen: canteens.get(canteen) ?? "" },
      })),
    );
    const who =
      notifiedCount > 0
        ? ` ${plural(notifiedCount, "personne est prévenue", "personnes sont prévenues")}.`
        : "";
    return {
      message: `Les nouveaux prix valent pour les repas à partir du ${formatDate(from)}.${who}`,
    };
  });
}

/** The canteens of a change with their names; `not_found` unless the caller runs each. */
async function namesOf(
  db: Db,
  { company, input }: CompanyCall<PriceChange>,
): Promise<Map<string, string>> {
  const canteens = await canteensOf(db, company.companyId, input.canteens);
  return new Map(canteens.map(({ id, name }) => [id, name]));
}

/** The prices that a change ends; refuses as its row lists. */
async function plan(
  db: Db,
  { deps, input }: CompanyCall<PriceChange>,
  canteens: ReadonlyMap<string, string>,
): Promise<ChangedPrice[]> {
  const { from, amounts } = input;
  const today = parisDay(deps.now());
  if (from < today || from > addDays(today, limits.days)) throw new Problem("meal_prices_date");
  const afterOf = new Map(amounts.map((one) => [termsKey(one), one.priceCents]));
  const offered = await offeredPrices(db, [...canteens.keys()], from);
  const concerned = offered.filter(({ price }) => afterOf.has(termsKey(price)));
  for (const { canteen, price } of concerned) {
    const { fromOn, name } = price;
    if (fromOn === null || fromOn < from) continue;
    const day = formatDate(fromOn);
    throw new Problem("meal_prices_planned", {
      canteen: canteens.get(canteen) ?? "",
      name,
      from: day,
    });
  }
  const changed = concerned.flatMap(({ canteen, price }) => {
    const afterCents = afterOf.get(termsKey(price));
    if (afterCents === undefined || afterCents === price.priceCents) return [];
    return [{ canteen, price, afterCents }];
  });
  if (changed.length === 0) throw new Problem("meal_prices_same");
  return changed;
}

const fingerprintOf = (changed: readonly ChangedPrice[], from: string): string =>
  createHash("sha256")
    .update(JSON.stringify([from, changed.map(({ price, afterCents }) => [price, afterCents])]))
    .digest("hex");

/** Each price goes on from the day under its new amount. */
async function book(tx: Tx, changed: readonly ChangedPrice[], from: string): Promise<void> {
  const amounts = changed.map(({ price: { id }, afterCents }) => ({ id, cents: afterCents }));
  const next = sql`jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as next(id uuid, cents int)`;
  await sql`insert into canteen_price (canteen_id, name, audience, quotient_max, children_min, town,
      class, price_cents, from_on, until_on)
    select p.canteen_id, p.name, p.audience, p.quotient_max, p.children_min, p.town, p.class,
      next.cents, ${from}::date, p.until_on
    from canteen_price p join ${next} on next.id = p.id`.execute(tx);
  await sql`update canteen_price p set until_on = ${from}::date - 1
    from ${next} where next.id = p.id`.execute(tx);
}

interface RegisteredEater {
  id: string;
  canteen: string;
  personId: number;
}

/** Who may order meals of a day at canteens. */
async function registeredOn(
  db: Db,
  canteens: ReadonlyMap<string, string>,
  day: string,
): Promise<RegisteredEater[]> {
  const { rows } = await sql<RegisteredEater>`
    select r.id, r.canteen_id as canteen, r.person_id from canteen_registration r
    where r.canteen_id = any (${[...canteens.keys()]}::uuid[])
      and ${countsOn("r", sql`${day}::date`)}`.execute(db);
  return rows;
}

async function mealsOrderedFrom(
  db: Db,
  canteens: ReadonlyMap<string, string>,
  day: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ canteen: string; count: number }>`
    select canteen_id as canteen, count(*)::int as count from meal_order
    where canteen_id = any (${[...canteens.keys()]}::uuid[]) and on_day >= ${day}::date
      and state in ('reserved', 'validated') group by canteen_id`.execute(db);
  return new Map(rows.map(({ canteen, count }) => [canteen, count]));
}

type Prices = ReadonlyMap<string, MealPrice>;

/** How many people pay which amount before and after. */
function effectOn(
  people: readonly RegisteredEater[],
  { from, before, after }: { from: string; before: Prices; after: Prices },
): Pick<ChangedCanteen, "people" | "unchanged" | "without"> {
  const groups = new Map<string, ChangedCanteen["people"][number]>();
  let [unchanged, without] = [0, 0];
  for (const { id } of people) {
    const [was, becomes] = [before.get(priceKey(id, from)), after.get(priceKey(id, from))];
    if (!was || !becomes) without += 1;
    else if (was.priceCents === becomes.priceCents) unchanged += 1;
    else {
      const [beforeCents, afterCents] = [was.priceCents, becomes.priceCents];
      const key = `${beforeCents} ${afterCents} ${becomes.reason}`;
      const count = (groups.get(key)?.count ?? 0) + 1;
      groups.set(key, { count, beforeCents, afterCents, reason: becomes.reason });
    }
  }
  return {
    people: [...groups.values()].toSorted((a, b) => b.afterCents - a.afterCents),
    unchanged,
    without,
  };
}

/**
 * Changes prices, then tells the people whose price of a day differs, with the guardians of children; returns
 * how many were told. The message gives amounts only: a family's quotient stays unsaid.
 */
export async function notifyPriceChanges(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { canteens, from, at }: { canteens: readonly string[]; from: string; at: Date },
  change: () => Promise<void>,
): Promise<number> {
  const { rows: named } = await sql<{ id: string; name: string }>`
    select id, name from canteen where id = any (${canteens}::uuid[])`.execute(tx);
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  const people = await registeredOn(tx, nameOf, from);
  const ids = people.map(({ id }) => id);
  const before = await pricesOn(tx, ids, [from]);
  await change();
  const after = await pricesOn(tx, ids, [from]);
  const groups = Map.groupBy(people, ({ id, canteen }) => {
    const [was, becomes] = [before.get(priceKey(id, from)), after.get(priceKey(id, from))];
    if (!was || !becomes || was.priceCents === becomes.priceCents) return "";
    const amounts = `${formatMoney(was.priceCents)} à ${formatMoney(becomes.priceCents)}`;
    return `${nameOf.get(canteen) ?? ""}\u202f: le repas passe de ${amounts}`;
  });
  const recipients = new Set<number>();
  for (const [words, concerned] of groups) {
    if (words === "") continue;
    const to = await withGuardians(
      tx,
      concerned.map(({ personId }) => personId),
    );
    for (const person of to) recipients.add(person);
    await announce(tx, deps, {
      about: "meal",
      to,
      title: "Le prix des repas change",
      body: `${words} à partir du ${formatDayInWords(from)}, d’après votre situation d’aujourd’hui. Les repas déjà commandés gardent leur prix.`,
      path: paths.canteenProviders,
      at,
      channels: ["email"],
    });
  }
  return recipients.size;
}
