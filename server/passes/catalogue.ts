// The fare catalogue of line groups: read for screens and purchases, loaded from a file by the operator.
import { sql } from "kysely";
import { _default as orElse } from "zod/mini";
import * as z from "zod/mini";
import type { FareGroup, FareOffer, Price } from "#contract/passes/fares.ts";
import { parisDay } from "#contract/days.ts";
import * as c from "#contract/endpoint.ts";
import { fareKinds } from "#contract/passes/states.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { stopsOfGroup } from "#server/transit/transit.ts";
import { profileOf } from "#server/entitlements/entitlements.ts";
import {
  ineligibilityOf,
  isProvable,
  priceOf,
  type PricedProduct,
  type Reduction,
  type Rider,
} from "./price.ts";
import { coveredWords } from "./coverage.ts";
import { withEmployerShare } from "./employer-share.ts";
import { isLate, startOf, validityWords } from "./validity.ts";

const cents = z.int().check(z.minimum(0), z.maximum(1_000_000));
const age = z.nullable(z.int().check(z.minimum(0), z.maximum(120)));
const whom = {
  youngest: orElse(age, null),
  oldest: orElse(age, null),
  studentsOnly: orElse(z.boolean(), false),
};
const days = orElse(z.int().check(z.minimum(0), z.maximum(180)), 0);

const productInFile = z.object({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)),
  kind: z.enum(fareKinds),
  name: c.text(80, 1),
  lead: c.text(300, 1),
  priceCents: cents,
  minutes: orElse(z.nullable(z.int().check(z.minimum(10), z.maximum(1440))), null),
  ...whom,
  needsStop: orElse(z.boolean(), false),
  needsPhoto: orElse(z.boolean(), false),
  lateAfter: orElse(z.nullable(z.string().check(z.regex(/^\d\d-\d\d$/))), null),
  lateFeeCents: orElse(cents, 0),
  maxSuspendedDays: days,
  freeDuplicates: orElse(z.int().check(z.minimum(0), z.maximum(10)), 0),
  duplicateFeeCents: orElse(cents, 0),
  reductions: orElse(
    z.array(
      z.object({
        label: c.text(120, 1),
        priceCents: cents,
        ...whom,
        quotientUpTo: orElse(z.nullable(z.int().check(z.minimum(0))), null),
      }),
    ),
    [],
  ),
});

/** A file of fares: each group of lines with what it sells, in the order of the screen. */
export const fareFile = z.array(
  z.object({
    slug: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)),
    name: c.text(80, 1),
    lead: c.text(300, 1),
    products: z.array(productInFile),
  }),
);

/**
 * Puts a file of fares on sale. Groups are identified by their slug, products by their id: existing ones are
 * changed, those that the file leaves out of its groups are no longer sold. Passes already bought are not
 * changed. Gives how many groups and products were written.
 */
export async function loadFares(
  tx: Tx,
  file: z.output<typeof fareFile>,
): Promise<{ groups: number; products: number }> {
  let products = 0;
  for (const { slug, name, lead, products: sold } of file) {
    const { id: groupId } = await query(tx).one(sql<{ id: number }>`
      insert into acceptance_group (name, slug, rule) values (${name}, ${slug}, ${lead})
      on conflict (slug) do update set name = excluded.name returning id`);
    await sql`insert into fare_group (group_id, lead) values (${groupId}, ${lead})
      on conflict (group_id) do update set lead = excluded.lead`.execute(tx);
    await sql`update fare_product set on_sale = false where group_id = ${groupId}`.execute(tx);
    for (const [place, one] of sold.entries()) await loadProduct(tx, groupId, place, one);
    products += sold.length;
  }
  return { groups: file.length, products };
}

async function loadProduct(
  tx: Tx,
  groupId: number,
  place: number,
  one: z.output<typeof productInFile>,
): Promise<void> {
  await sql`
    insert into fare_product (id, group_id, place, kind, name, lead, price_cents, minutes, youngest,
      oldest, students_only, needs_stop, needs_photo, late_after, late_fee_cents,
      max_suspended_days, free_duplicates, duplicate_fee_cents, on_sale)
    values (${one.id}, ${groupId}, ${place}, ${one.kind}, ${one.name}, ${one.lead},
      ${one.priceCents}, ${one.minutes}, ${one.youngest}, ${one.oldest}, ${one.studentsOnly},
      ${one.needsStop}, ${one.needsPhoto}, ${one.lateAfter}, ${one.lateFeeCents},
      ${one.maxSuspendedDays}, ${one.freeDuplicates}, ${one.duplicateFeeCents}, true)
    on conflict (id) do update set (group_id, place, kind, name, lead, price_cents, minutes, youngest,
        oldest, students_only, needs_stop, needs_photo, late_after, late_fee_cents,
        max_suspended_days, free_duplicates, duplicate_fee_cents, on_sale) =
      row (excluded.group_id, excluded.place, excluded.kind, excluded.name, excluded.lead,
        excluded.price_cents, excluded.minutes, excluded.youngest, excluded.oldest,
        excluded.students_only, excluded.needs_stop, excluded.needs_photo, excluded.late_after,
        excluded.late_fee_cents, excluded.max_suspended_days, excluded.free_duplicates,
        excluded.duplicate_fee_cents, true)`.execute(tx);
  await sql`delete from fare_reduction where product_id = ${one.id}`.execute(tx);
  for (const [at, less] of one.reductions.entries()) {
    await sql`
      insert into fare_reduction (product_id, place, label, price_cents, youngest, oldest,
        students_only, quotient_up_to)
      values (${one.id}, ${at}, ${less.label}, ${less.priceCents}, ${less.youngest}, ${less.oldest},
        ${less.studentsOnly}, ${less.quotientUpTo})`.execute(tx);
  }
}

/** A product with the columns on which prices and validity depend. */
export interface Product extends PricedProduct {
  id: string;
  groupId: number;
  kind: FareOffer["kind"];
  lead: string;
  minutes: number | null;
  needsStop: boolean;
  needsPhoto: boolean;
  lateAfter: string | null;
  maxSuspendedDays: number;
  freeDuplicates: number;
  duplicateFeeCents: number;
  onSale: boolean;
}

async function productsWhere(db: Db, condition: ReturnType<typeof sql>): Promise<Product[]> {
  const { rows } = await sql<Omit<Product, "reductions"> & { reductions: Reduction[] | null }>`
    select p.id, p.group_id, p.kind, p.name, p.lead, p.price_cents,
      p.minutes, p.youngest, p.oldest, p.students_only,
      p.needs_stop, p.needs_photo, p.late_after,
      p.late_fee_cents, p.max_suspended_days,
      p.free_duplicates, p.duplicate_fee_cents,
      p.on_sale,
      (select json_agg(json_build_object('label', r.label, 'priceCents', r.price_cents,
          'youngest', r.youngest, 'oldest', r.oldest, 'studentsOnly', r.students_only,
          'quotientUpTo', r.quotient_up_to) order by r.place)
        from fare_reduction r where r.product_id = p.id) as reductions
    from fare_product p where ${condition} order by p.place, p.id`.execute(db);
  // Offered where the network has stops to choose from.
  const withStops = new Set<number>();
  for (const group of new Set(rows.filter(({ needsStop }) => needsStop).map((row) => row.groupId)))
    if ((await stopsOfGroup(db, group)).length > 0) withStops.add(group);
  return rows.map((row) => ({
    ...row,
    reductions: row.reductions ?? [],
    needsStop: row.needsStop && withStops.has(row.groupId),
  }));
}

/** A product by its id, on sale or not; `not_found` without one. */
export async function productOf(db: Db, id: string): Promise<Product> {
  const [found] = await productsWhere(db, sql`p.id = ${id}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** The line groups that sell something. */
export async function fareGroups(db: Db): Promise<FareGroup[]> {
  const { rows } = await sql<FareGroup>`
    select g.id as idgroup, g.name, f.lead from fare_group f
    join acceptance_group g on g.id = f.group_id
    where exists (select from fare_product p where p.group_id = g.id and p.on_sale)
    order by g.name, g.id`.execute(db);
  return rows;
}

/** A line group by its id; `not_found` when it sells nothing. */
export async function fareGroupOf(db: Db, id: number): Promise<FareGroup> {
  const found = await query(db).maybeOne(sql<FareGroup>`
    select g.id as idgroup, g.name, f.lead from fare_group f
    join acceptance_group g on g.id = f.group_id where g.id = ${id}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** A product as the contract shows it, on a day. */
export function toProductView(
  product: Product,
  today: string,
): Omit<FareOffer, "price" | "ineligibility" | "covered" | "provable"> {
  const { id, kind, name, lead, needsStop, needsPhoto, maxSuspendedDays } = product;
  const start = startOf(product, today).from;
  return {
    id,
    kind,
    name,
    lead,
    validity: validityWords(product),
    needsStop,
    needsPhoto,
    maxSuspendedDays,
    late: lateWords(product, start, today),
  };
}

function lateWords(product: Product, startOn: string, today: string): string | null {
  const { lateAfter, lateFeeCents } = product;
  if (lateAfter === null || lateFeeCents === 0) return null;
  const fee = formatMoney(lateFeeCents);
  const day = formatDate(`2000-${lateAfter}`).slice(0, 5);
  return isLate(lateAfter, startOn, today)
    ? `Demandé après le ${day} : ${fee} de frais de retard. Un justificatif peut vous en dispenser.`
    : `Après le ${day}, ${fee} de frais de retard s’ajoutent.`;
}

export interface Quote {
  price: Price;
  ineligibility: string | null;
  provable: boolean;
}

/** The price of a product for a rider from a day on, and, if so, why they may not buy it. */
export function quoteOf(
  product: Product,
  rider: Rider,
  { startOn, today, exempted }: { startOn: string; today: string; exempted: boolean },
): Quote {
  const late = !exempted && isLate(product.lateAfter, startOn, today);
  return {
    price: priceOf(product, rider, late),
    ineligibility: ineligibilityOf(product, rider),
    provable: isProvable(product, rider),
  };
}

/** The products of a group, each with its price for a person today, without a purchase. */
export async function offersOf(
  db: Db,
  groupId: number,
  personId: number,
  at: Date,
): Promise<FareOffer[]> {
  const today = parisDay(at);
  const sold = await productsWhere(db, sql`p.group_id = ${groupId} and p.on_sale`);
  const riders = new Map<string, Promise<Rider>>();
  const offered = async (product: Product): Promise<FareOffer> => {
    const startOn = startOf(product, today).from;
    const rider = riders.get(startOn) ?? profileOf(db, personId, startOn);
    riders.set(startOn, rider);
    const quote = quoteOf(product, await rider, { startOn, today, exempted: false });
    const whose = { product, holderId: personId, startOn };
    const price = await withEmployerShare(db, quote.price, whose);
    const covered = await coveredWords(db, product, { holderId: personId, at });
    return { ...toProductView(product, today), ...quote, price, covered };
  };
  return await Promise.all(sold.map(offered));
}
