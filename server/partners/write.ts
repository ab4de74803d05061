// Writes partners and transport services from the operator's file: the same reference again replaces
// the whole sheet.
import { sql } from "kysely";
import * as z from "zod/mini";
import * as c from "#contract/endpoint.ts";
import { offerKinds } from "#contract/partners/rows.ts";
import { printedText } from "#server/http/printed-letters.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { plainEmail, plainPunctuation } from "#server/http/typed-text.ts";

const reference = z.string().check(z.overwrite(plainPunctuation), z.regex(/^[a-z0-9-]{1,60}$/));
const hour = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/));
const email = z.pipe(z.pipe(z.string(), z.transform(plainEmail)), c.email);
const orNull = <T extends z.ZodMiniType>(type: T) => z.prefault(z.nullable(type), null);

const span = z
  .object({ weekday: z.int().check(z.minimum(1), z.maximum(7)), opens: hour, closes: hour })
  .check(z.refine(({ opens, closes }) => opens < closes, "fermeture avant l'ouverture"));

/** A partner as the operator's file writes it. */
export const partnerInput = z.object({
  reference,
  /** A professional number of the company that owns the sheet; absent, the sheet keeps its company. */
  cardnumber: z.optional(z.nullable(c.cardnumber)),
  name: printedText(80),
  category: reference,
  summary: c.text(160, 1),
  description: c.text(2000, 1),
  keywords: z.prefault(c.text(300), ""),
  street: printedText(120),
  postcode: z.string().check(z.regex(/^\d{5}$/)),
  town: printedText(80),
  lat: z.number().check(z.minimum(-90), z.maximum(90)),
  lon: z.number().check(z.minimum(-180), z.maximum(180)),
  phone: orNull(z.string().check(z.regex(/^\+\d{6,15}$/))),
  email: orNull(email),
  website: orNull(z.url().check(z.regex(/^https:\/\/[^\s]{3,200}$/))),
  hours: z.array(span).check(z.maxLength(28)),
  closures: z.prefault(
    z
      .array(
        z
          .object({ fromOn: c.day, toOn: c.day, reason: c.text(120, 1) })
          .check(z.refine(({ fromOn, toOn }) => fromOn <= toOn, "fin avant le début")),
      )
      .check(z.maxLength(50)),
    [],
  ),
  /** Slugs of acceptance groups. */
  accepts: z.array(reference).check(z.minLength(1), z.maxLength(20)),
  offers: z.prefault(
    z
      .array(
        z.object({
          kind: z.enum(offerKinds),
          title: c.text(80, 1),
          detail: orNull(c.text(300)),
          fromOn: orNull(c.day),
          toOn: orNull(c.day),
        }),
      )
      .check(z.maxLength(20)),
    [],
  ),
});
export type PartnerInput = z.output<typeof partnerInput>;

/** A transport service as the operator's file writes it. */
export const transportInput = z
  .object({
    reference,
    audience: z.union([z.literal(1), z.literal(2)]),
    name: c.text(80, 1),
    network: c.text(80, 1),
    summary: c.text(300, 1),
    conditions: z.array(c.text(300, 1)).check(z.maxLength(20)),
    monthlyCents: z.int().check(z.minimum(0), z.maximum(100_000)),
    employerPercent: orNull(z.int().check(z.minimum(0), z.maximum(100))),
    /** Ids of the fares that employers may grant with it. */
    products: z.prefault(
      z.array(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))).check(z.maxLength(20)),
      [],
    ),
    subscribedOnly: z.prefault(z.boolean(), false),
    phone: orNull(z.string().check(z.regex(/^\+\d{6,15}$/))),
    email: orNull(email),
  })
  .check(
    z.refine(
      ({ audience, employerPercent }) => (audience === 2) === (employerPercent !== null),
      "employerPercent va avec audience 2, et elle seule",
    ),
    z.refine(
      ({ audience, products }) => audience === 2 || products.length === 0,
      "products va avec audience 2, et elle seule",
    ),
  );
export type TransportInput = z.input<typeof transportInput>;

/**
 * Writes a partner, shown at once. Gives a French sentence when its category, an acceptance group or its
 * professional account does not exist, or when two spans of a day overlap; the caller must then roll back the
 * transaction. Null when it is written.
 */
export async function writePartner(tx: Tx, partner: PartnerInput): Promise<string | null> {
  const wrong = overlap(partner) ?? (await unknownReference(tx, partner));
  if (wrong) return wrong;
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into partner (reference, company_id, name, category_id, summary, description, keywords,
      street, postcode, town, lat, lon, phone, email, website)
    values (${partner.reference},
      (select m.company_id from card join company_member m on m.person_id = card.person_id
        where card.number = ${partner.cardnumber ?? null}),
      ${partner.name}, ${partner.category}, ${partner.summary}, ${partner.description}, ${partner.keywords},
      ${partner.street}, ${partner.postcode}, ${partner.town}, ${partner.lat}, ${partner.lon},
      ${partner.phone}, ${partner.email}, ${partner.website})
    on conflict (reference) do update set
      company_id = case when ${partner.cardnumber === undefined} then partner.company_id
        else excluded.company_id end, name = excluded.name,
      category_id = excluded.category_id, summary = excluded.summary,
      description = excluded.description, keywords = excluded.keywords, street = excluded.street,
      postcode = excluded.postcode, town = excluded.town, lat = excluded.lat, lon = excluded.lon,
      phone = excluded.phone, email = excluded.email, website = excluded.website
    returning id`);
  await replaceLists(tx, id, partner);
  return null;
}

async function replaceLists(tx: Tx, id: string, partner: PartnerInput): Promise<void> {
  await sql`delete from partner_group where partner_id = ${id}`.execute(tx);
  await sql`insert into partner_group select ${id}, id from acceptance_group
    where slug = any(${[...partner.accepts]}::text[])`.execute(tx);
  await replaceWritten(tx, id, partner);
}

/** Replaces the hours, closures and offers of a sheet, and its search words. */
export async function replaceWritten(
  tx: Tx,
  id: string,
  partner: Pick<PartnerInput, "hours" | "closures" | "offers">,
): Promise<void> {
  for (const table of ["partner_hours", "partner_closure", "partner_offer"]) {
    await sql`delete from ${sql.table(table)} where partner_id = ${id}`.execute(tx);
  }
  await sql`insert into partner_hours select ${id}, weekday, opens, closes
    from jsonb_to_recordset(${JSON.stringify(partner.hours)}::jsonb)
      as h(weekday smallint, opens time, closes time)`.execute(tx);
  await sql`insert into partner_closure select ${id}, "fromOn", "toOn", reason
    from jsonb_to_recordset(${JSON.stringify(partner.closures)}::jsonb)
      as h("fromOn" date, "toOn" date, reason text)`.execute(tx);
  await sql`insert into partner_offer
    select ${id}, row_number() over (), kind, title, detail, "fromOn", "toOn"
    from jsonb_to_recordset(${JSON.stringify(partner.offers)}::jsonb)
      as h(kind text, title text, detail text, "fromOn" date, "toOn" date)`.execute(tx);
  await sql`select partner_words(${id})`.execute(tx);
}

function overlap({ hours, closures }: PartnerInput): string | null {
  const twice = hours.some((one) =>
    hours.some(
      (other) =>
        one !== other &&
        one.weekday === other.weekday &&
        one.opens < other.closes &&
        other.opens < one.closes,
    ),
  );
  if (twice) return "deux plages d'ouverture se chevauchent";
  const starts = closures.map(({ fromOn }) => fromOn);
  return new Set(starts).size < starts.length ? "deux fermetures commencent le même jour" : null;
}

async function unknownReference(tx: Tx, partner: PartnerInput): Promise<string | null> {
  const found = await query(tx).one(sql<{
    category: boolean;
    group: string | null;
    account: boolean;
  }>`
    select exists (select from partner_category where id = ${partner.category}) as category,
      (select min(one) from unnest(${[...partner.accepts]}::text[]) one
        where not exists (select from acceptance_group where slug = one)) as "group",
      ${partner.cardnumber ?? null}::bigint is null or exists (select from card
        join company_member m on m.person_id = card.person_id
        where card.number = ${partner.cardnumber ?? null}) as account`);
  if (!found.category) return `la catégorie ${partner.category} n'existe pas`;
  if (found.group) return `le groupe d'acceptation ${found.group} n'existe pas`;
  return found.account
    ? null
    : `la carte ${partner.cardnumber} n'est celle d'aucune entreprise (companies write)`;
}

/** Writes a transport service, shown at once to the kind of account that it is for. */
export async function writeTransport(tx: Tx, transport: TransportInput): Promise<void> {
  await sql`
    insert into transport_service (reference, audience, name, network, summary, conditions,
      monthly_cents, employer_percent, subscribed_only, phone, email, products)
    values (${transport.reference}, ${transport.audience}, ${transport.name}, ${transport.network},
      ${transport.summary}, ${[...transport.conditions]}::text[], ${transport.monthlyCents},
      ${transport.employerPercent}, ${transport.subscribedOnly ?? false}, ${transport.phone}, ${transport.email},
      ${[...(transport.products ?? [])]}::text[])
    on conflict (reference) do update set audience = excluded.audience, name = excluded.name,
      network = excluded.network, summary = excluded.summary, conditions = excluded.conditions,
      monthly_cents = excluded.monthly_cents, employer_percent = excluded.employer_percent,
      subscribed_only = excluded.subscribed_only, phone = excluded.phone, email = excluded.email,
      products = excluded.products`.execute(tx);
}
