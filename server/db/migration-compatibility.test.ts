// A server of version N-1 keeps running while N migrates the database: the names in its statements must stay.
// The migrations are applied one by one, and what each removes or requires is compared with this list.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Clone, emptyDatabase } from "#tests/cluster.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { oneQuery } from "./one-query.ts";

/**
 * Migrations that break the version before, and what its users saw meanwhile (docs/running.md). A new line is
 * a decision: think first of a migration that adds, and a later one that removes.
 */
const known: Record<string, string[]> = {
  "0022-damaged-card.sql": [
    "no more unique card (person_id) where (state = ANY (ARRAY['active'::text, 'suspended'::text]))",
  ],
  "0024-help-services.sql": ["demands faq_article.own_words"],
  "0030-favourite-stops.sql": [
    "demands transit_departure.direction",
    "demands transit_departure.line_id",
  ],
  "0033-illness.sql": ["no more column meal_illness.document_id"],
  "0036-companies.sql": ["no more column partner.person_id"],
  "0041-bank-accounts.sql": ["demands partner_terms.commission_basis_points"],
  // The former index is the rule that was given up: one registration of a person at a canteen, whatever
  // its year. Beside it no renewal can be written.
  "0061-canteen-renewals.sql": [
    "no more unique canteen_registration (canteen_id, person_id) where (state = ANY (ARRAY['requested'::text, 'accepted'::text]))",
  ],
  // One role became several: kept beside them, the old column would say less than a person may do, or more.
  "0078-company-roles.sql": ["demands company_member.roles", "no more column company_member.role"],
  // Copies of what top_up knows. Kept, they would be written by the version before and trusted by nobody
  // else.
  "0083-order-payments-read.sql": [
    "no more column card_order.payment_failed",
    "no more column card_order.top_up_id",
    "no more column company_grant.payment_failed",
    "no more column company_grant.top_up_id",
    "no more column meal_request.paying_since",
    "no more column meal_request.top_up_id",
    "no more column pass_order.top_up_id",
    "no more column subscription.payment_by",
    "no more column subscription.payment_failed",
    "no more column subscription.top_up_id",
    "no more column ticket_order.top_up_id",
  ],
};

let database: Clone;
let nothing: string;
beforeAll(async () => {
  [database, nothing] = await Promise.all([emptyDatabase(), scratchFolder("no-migrations")]);
});
afterAll(async () => {
  await database.drop();
  await removeData(nothing);
});

/** Names that a statement may use; for a unique index the columns by which `on conflict` infers it. */
const standsOn = `
  select 'column ' || a.attrelid::regclass || '.' || a.attname as name
    from pg_attribute a join pg_class r on r.oid = a.attrelid
    where r.relkind in ('r', 'v', 'm') and r.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped
  union select 'function ' || oid::regprocedure from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
  union select 'unique ' || i.indrelid::regclass || ' (' || (
      select string_agg(pg_get_indexdef(i.indexrelid, place, true), ', ' order by 1)
        from generate_series(1, i.indnkeyatts) place) || ')'
      || coalesce(' where ' || pg_get_expr(i.indpred, i.indrelid), '')
    from pg_index i join pg_class r on r.oid = i.indrelid
    where i.indisunique and r.relnamespace = 'public'::regnamespace`;

/** Columns that an insert must name. */
const demanded = `
  select a.attrelid::regclass || '.' || a.attname as name, a.attrelid::regclass::text as "table"
    from pg_attribute a join pg_class r on r.oid = a.attrelid
    where r.relkind = 'r' and r.relnamespace = 'public'::regnamespace and a.attnum > 0
      and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''`;

test("a migration leaves what the version before it names, and demands nothing that it does not write", async () => {
  const ask = <Row extends Record<string, string>>(sql: string) => oneQuery<Row>(database.url, sql);
  const breaks: Record<string, string[]> = {};
  await migrate(database.url, { folder: nothing });
  let before = { names: [] as string[], demanded: new Set<string>(), tables: new Set<string>() };
  for (const { name, sql } of await readMigrations()) {
    await ask(sql);
    const names = (await ask<{ name: string }>(standsOn)).map((row) => row.name);
    const columns = await ask<{ name: string; table: string }>(demanded);
    const there = new Set(names);
    const broken = [
      ...before.names.filter((one) => !there.has(one)).map((one) => `no more ${one}`),
      ...columns
        .filter(({ name: one, table }) => before.tables.has(table) && !before.demanded.has(one))
        .map((row) => `demands ${row.name}`),
    ].sort();
    if (broken.length > 0) breaks[name] = broken;
    before = {
      names,
      demanded: new Set(columns.map((row) => row.name)),
      tables: new Set(columns.map((row) => row.table)),
    };
  }
  expect(breaks).toEqual(known);
});
