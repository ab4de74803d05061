// The partners room: the directory with the partners, their opening hours, what they accept and offer. Any
// logged-in person may read it; partners hidden by the operator are left out.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { partners as limits } from "#contract/limits.ts";
import type {
  Opening,
  Offer,
  PartnerCategory,
  PartnerLine,
  PartnerPlace,
  PartnerSheet,
} from "#contract/partners/rows.ts";
import { type Db, prepared } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { localAt } from "./local-time.ts";
import { type Local, openingOf, type OpeningRow } from "./opening.ts";

export type { OpeningRow } from "./opening.ts";
export {
  commissionInForce,
  pointsInForce,
  termsAt,
  termsInForce,
  termsOfCompany,
  writeTerms,
} from "./terms.ts";
export { employersOffer, type TransportOffer } from "./services.ts";
export { writePartner, writeTransport } from "./write.ts";
export { openSheet } from "./new-sheet.ts";
export { otherSideOf } from "./partnerships.ts";

/** Maximum number of typed words that are searched. */
const maxWords = 10;
/** A typed word matches another from this similarity of their letters (pg_trgm, 0 to 1). */
const minSimilarity = 0.5;
/** Results with at least this fraction of the best score are shown. */
const minScoreRatio = 0.6;
/** A typed town matches one of the directory from this similarity. */
const minTownSimilarity = 0.45;

interface PartnerSearch {
  q?: string | undefined;
  category?: string | undefined;
  idgroup?: number | undefined;
  open?: "true" | "false" | undefined;
  lat?: number | undefined;
  lon?: number | undefined;
  around?: string | undefined;
  page?: number | undefined;
}

interface SearchOrigin {
  label: string | null;
  lat: number;
  lon: number;
}

interface PartnerRow extends OpeningRow {
  id: string;
  name: string;
  categoryId: string;
  categoryName: string;
  top: string;
  summary: string;
  street: string;
  postcode: string;
  town: string;
  lat: number;
  lon: number;
  metres: number | null;
  groups: PartnerLine["groups"];
  offers: Offer[];
}

/**
 * One page of the directory. With `q` the best matches first, then the nearest; around a place the nearest
 * first; else by name. A position needs both its degrees (`invalid_input`). `around` is answered as it was
 * understood, null when it names no place of the directory.
 */
export async function searchPartners(
  db: Db,
  search: PartnerSearch,
  now: Date,
): Promise<{ items: PartnerLine[]; total: number; next: number | null; around: string | null }> {
  const local = localAt(now);
  const spot = await searchOriginOf(db, search);
  const page = search.page ?? 1;
  const order = spot ? sql`metres, name, id` : sql`name, id`;
  // The whole directory, with which its screen opens, is always the same statement text: planned once.
  const { page: _page, ...filters } = search;
  const isWhole = Object.values(filters).every((filter) => filter === undefined);
  const { rows } = await sql<
    PartnerRow & { total: number }
  >`${isWhole ? prepared("partners") : sql``}
    select *, count(*) over ()::int as total from (${rankedPartners(search, local, columns(spot))}) found
    order by round(score::numeric, 1) desc, ${order}
    limit ${limits.pageLines} offset ${(page - 1) * limits.pageLines}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return {
    items: rows.map((row) => toPartnerLine(row, local)),
    total,
    next: page * limits.pageLines < total ? page + 1 : null,
    around: spot?.label ?? null,
  };
}

/** Positions of all results, the best matches first: the map shows them together, at most `planPlaces`. */
export async function placesOf(
  db: Db,
  search: PartnerSearch,
  now: Date,
): Promise<{ items: PartnerPlace[] }> {
  const local = localAt(now);
  const where = sql`p.id, p.name, p.town, json_build_object('lat', p.lat, 'lon', p.lon) as position,
    ${isOpen(local)} as open`;
  const { rows } = await sql<PartnerPlace>`
    select id, name, town, position, open from (${rankedPartners(search, local, where)}) found
    order by round(score::numeric, 1) desc, name, id limit ${limits.planPlaces}`.execute(db);
  return { items: rows };
}

/** The listed partners that match the search, each with its `score`. */
function rankedPartners(
  search: PartnerSearch,
  local: Local,
  chosen: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const q = search.q?.trim();
  return sql`select * from (
      select *, max(score) over () as best from (
        select ${chosen}, ${q ? scoreOf(q) : sql`1::float8`} as score
        from partner p join partner_category c on c.id = p.category_id
        where ${listed(search, local)}) scored
      where score > 0) ranked
    where score >= best * ${minScoreRatio}`;
}

/** The sheet of one listed partner, as it is now. Else `not_found`. */
export async function partnerOf(
  db: Db,
  input: { id: string; lat?: number | undefined; lon?: number | undefined },
  now: Date,
): Promise<PartnerSheet> {
  const local = localAt(now);
  const row = await query(db).maybeOne(sql<
    PartnerRow & Pick<PartnerSheet, "description" | "phone" | "email" | "website">
  >`
    select ${columns(await searchOriginOf(db, input))}, p.description, p.phone, p.email, p.website
    from partner p join partner_category c on c.id = p.category_id
    where p.id = ${input.id} and p.listed`);
  if (!row) throw new Problem("not_found");
  const { description, phone, email, website, hours, closures, offers } = row;
  return {
    ...toPartnerLine(row, local),
    description,
    phone,
    email,
    website,
    hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      spans: hours
        .filter((one) => one.weekday === weekday)
        .map(({ opens, closes }) => ({ opens, closes })),
    })),
    today: local.weekday,
    closures: closures.filter(({ toOn }) => toOn >= local.day),
    offers: offers.filter((one) => one.toOn === null || one.toOn >= local.day),
  };
}

/** The fact on the tile of the directory: the number of listed partners. */
export async function directoryFacts(db: Db): Promise<{ partners: number }> {
  return await query(db).one(sql<{ partners: number }>`
    select count(*)::int as partners from partner where listed`);
}

/**
 * The categories in order, those without partners only when `all` are requested, and the towns that have
 * partners.
 */
export async function categoriesOf(
  db: Db,
  { all = false }: { all?: boolean } = {},
): Promise<{ items: PartnerCategory[]; towns: { town: string; postcode: string }[] }> {
  const { rows } = await sql<{ id: string; parent: string | null; name: string; count: number }>`
    select c.id, c.parent_id as parent, c.name, count(p.id)::int as count from partner_category c
      left join partner p on p.category_id = c.id and p.listed
    group by c.id order by c.place`.execute(db);
  const towns = await sql<{ town: string; postcode: string }>`
    select distinct town, postcode from partner where listed order by town limit 500`.execute(db);
  const items = rows
    .filter(({ parent }) => parent === null)
    .map(({ id, name, count }) => {
      const children = rows
        .filter((one) => one.parent === id && (all || one.count > 0))
        .map((one) => ({ id: one.id, name: one.name, count: one.count }));
      const below = children.reduce((sum, one) => sum + one.count, 0);
      return { id, name, count: count + below, children };
    });
  return { items: items.filter(({ count }) => all || count > 0), towns: towns.rows };
}

async function searchOriginOf(
  db: Db,
  { lat, lon, around }: Pick<PartnerSearch, "lat" | "lon" | "around">,
): Promise<SearchOrigin | null> {
  if (lat !== undefined && lon !== undefined) return { label: null, lat, lon };
  if (lat !== undefined || lon !== undefined) {
    throw new Problem("invalid_input", { field: "lat", what: "position incomplète" });
  }
  const typed = around?.trim();
  return typed ? townNamed(db, typed) : null;
}

/** The mean position of the partners of the town or postcode that was typed, typing errors tolerated. */
async function townNamed(db: Db, typed: string): Promise<SearchOrigin | null> {
  return await query(db).maybeOne(sql<SearchOrigin>`
    select town as label, avg(lat) as lat, avg(lon) as lon from partner,
      lateral (select case when postcode = ${typed} then 2
        else similarity(lower(unaccent(town)), lower(unaccent(${typed}))) end as score) s
    where listed and (score >= ${minTownSimilarity}
      or lower(unaccent(town)) like replace(replace(replace(lower(unaccent(${typed})),
        '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%')
    group by town order by max(score) desc, count(*) desc, town limit 1`);
}

/** SQL columns `hours` and `closures` of a partner, given by its id: an `OpeningRow`. */
export const openingColumns = (partner: RawBuilder<unknown>) => sql`
  (select coalesce(json_agg(json_build_object('weekday', weekday,
      'opens', to_char(opens, 'HH24:MI'), 'closes', left(closes::text, 5))
      order by weekday, opens), '[]')
    from partner_hours where partner_id = ${partner}) as hours,
  (select coalesce(json_agg(json_build_object('fromOn', from_on, 'toOn', to_on, 'reason', reason)
      order by from_on), '[]')
    from partner_closure where partner_id = ${partner}) as closures`;

/** Whether a partner is open at an instant; null where its sheet has no hours. */
export const openingAt = ({ hours, closures }: OpeningRow, now: Date): Opening | null =>
  hours.length === 0 ? null : openingOf(hours, closures, localAt(now));

/** Columns of a line of the directory; lists of a partner come as JSON, in order. */
function columns(spot: SearchOrigin | null): RawBuilder<unknown> {
  const metres = spot
    ? sql`round(metres_between(p.lat, p.lon, ${spot.lat}, ${spot.lon}))::int`
    : sql`null::int`;
  return sql`p.id, p.name, c.id as category_id, c.name as category_name,
    coalesce(c.parent_id, c.id) as top, p.summary, p.street, p.postcode, p.town, p.lat, p.lon,
    ${metres} as metres,
    ${openingColumns(sql.ref("p.id"))},
    (select coalesce(json_agg(json_build_object('idgroup', g.id, 'name', g.name, 'main', g.id = 1)
        order by g.id), '[]')
      from partner_group join acceptance_group g on g.id = group_id
      where partner_id = p.id) as groups,
    (select coalesce(json_agg(json_build_object('kind', kind, 'title', title, 'detail', detail,
        'fromOn', from_on, 'toOn', to_on) order by place), '[]')
      from partner_offer where partner_id = p.id) as offers`;
}

const isOpen = ({ day, time, weekday }: Local): RawBuilder<boolean> => sql`(exists (
    select from partner_hours where partner_id = p.id
      and weekday = ${weekday} and opens <= ${time}::time and ${time}::time < closes)
  and not exists (select from partner_closure where partner_id = p.id
    and ${day}::date between from_on and to_on))`;

function listed({ category, idgroup, open }: PartnerSearch, local: Local) {
  const conditions = [sql`p.listed`];
  if (category) conditions.push(sql`${category} in (c.id, c.parent_id)`);
  if (idgroup !== undefined) {
    conditions.push(sql`exists (select from partner_group
      where partner_id = p.id and group_id = ${idgroup})`);
  }
  if (open === "true") conditions.push(isOpen(local));
  return sql.join(conditions, sql` and `);
}

/**
 * The score of a match: a word found by its stem or its beginning counts more in the name than in the text;
 * else the similarity of its letters to a word of the name, the town or the category, the name a little more.
 */
function scoreOf(q: string): RawBuilder<number> {
  return sql`(select coalesce(sum(case
      when p.search @@ word.q then 1 + ts_rank('{0.02, 0.1, 0.4, 1}', p.search, word.q)
      when length(word.w) >= 4 and word_similarity(word.w, p.letters) >= ${minSimilarity}
        then 0.7 * word_similarity(word.w, p.letters)
          + 0.3 * word_similarity(word.w, lower(unaccent(p.name)))
      else 0 end), 0)::float8
    from (select w, to_tsquery('simple', quote_literal(stem) || ':*') as q
      from unnest(regexp_split_to_array(lower(unaccent(${q})), '[^a-z0-9]+')) w,
        unnest(tsvector_to_array(to_tsvector('directory', w))) stem
      limit ${maxWords}) word)`;
}

function toPartnerLine(row: PartnerRow, local: Local): PartnerLine {
  const { id, name, summary, street, postcode, town, lat, lon, metres, groups } = row;
  const running = row.offers.filter(
    ({ fromOn, toOn }) =>
      (fromOn === null || fromOn <= local.day) && (toOn === null || toOn >= local.day),
  );
  return {
    id,
    name,
    category: { id: row.categoryId, name: row.categoryName, top: row.top },
    summary,
    street,
    postcode,
    town,
    position: { lat, lon },
    metres,
    opening: openingOf(row.hours, row.closures, local),
    groups,
    gives: running.slice(0, 2).map(({ title }) => title),
  };
}
