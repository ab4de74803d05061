// Weeks of menus kept without dates, to be copied onto other weeks.
import { sql } from "kysely";
import type { Dish, LaidWeek, MenuTemplate, MenuWeek } from "#contract/kitchen/menus.ts";
import { weekDays } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { canteen as limits } from "#contract/limits.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { ProviderCall } from "./canteens.ts";
import { type ConfirmedWeekCopy, copyWeek, previewLaying } from "./copied-weeks.ts";
import { menuWeekOf } from "./menus.ts";

interface Templates {
  items: MenuTemplate[];
}

/** The caller's templates, by name. */
export async function readMenuTemplates({
  deps,
  provider,
}: ProviderCall<unknown>): Promise<Templates> {
  return await templatesOf(deps.db, provider.id);
}

async function templatesOf(db: Db, providerId: number): Promise<Templates> {
  const { rows } = await sql<MenuTemplate>`
    select id, name, (select count(*) from jsonb_array_elements(days) as one(dishes)
      where jsonb_array_length(one.dishes) > 0)::int as days
    from canteen_menu_template where provider_id = ${providerId} order by name`.execute(db);
  return { items: rows };
}

/** Keeps a week's menus under a name; a template of the same name is replaced. */
export function saveMenuTemplate(
  call: ProviderCall<{ name: string; day: string }>,
): Promise<Templates> {
  const {
    provider: { id },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    const { items } = await menuWeekOf(tx, id, input.day);
    if (items.length === 0) throw new Problem("menu_none");
    const days = weekDays(input.day).map(
      (day) => items.find((item) => item.day === day)?.dishes ?? [],
    );
    await sql`insert into canteen_menu_template (provider_id, name, days)
      values (${id}, ${input.name.trim()}, ${JSON.stringify(days)}::jsonb)
      on conflict (provider_id, name) do update set days = excluded.days`.execute(tx);
    const templates = await templatesOf(tx, id);
    if (templates.items.length > limits.menuTemplates) {
      throw new Problem("menu_templates_full", { max: limits.menuTemplates });
    }
    return templates;
  });
}

/** Previews what copying a template onto a week would write and replace. Writes nothing. */
export async function previewMenuTemplate({
  deps,
  provider,
  input,
}: ProviderCall<{ id: string; to: string }>): Promise<LaidWeek> {
  const days = await daysOfTemplate(deps.db, provider.id, input.id);
  return await previewLaying(deps.db, provider.id, { days, to: input.to, now: deps.now() });
}

/** Copies a template onto the days to come of a week, as it was previewed. */
export function layMenuTemplate(
  call: ProviderCall<{ id: string; to: string } & ConfirmedWeekCopy>,
): Promise<MenuWeek> {
  const { deps, provider, input } = call;
  return inCompanyTx(call, async (tx) => {
    const days = await daysOfTemplate(tx, provider.id, input.id);
    return await copyWeek(tx, deps, provider.id, { ...input, days });
  });
}

/** The dishes of a template by weekday; `not_found` for one of another provider. */
async function daysOfTemplate(db: Db, providerId: number, id: string): Promise<Dish[][]> {
  const found = await query(db).maybeOne(sql<{ days: Dish[][] }>`
    select days from canteen_menu_template
    where id = ${id} and provider_id = ${providerId}`);
  if (!found) throw new Problem("not_found");
  return found.days;
}

/** Deletes a template of the caller; `not_found` for one of another provider. */
export function deleteMenuTemplate(call: ProviderCall<{ id: string }>): Promise<Templates> {
  const { provider, input } = call;
  return inCompanyTx(call, async (tx) => {
    const { rows } = await sql`delete from canteen_menu_template
      where id = ${input.id} and provider_id = ${provider.id} returning id`.execute(tx);
    if (rows.length === 0) throw new Problem("not_found");
    return await templatesOf(tx, provider.id);
  });
}
