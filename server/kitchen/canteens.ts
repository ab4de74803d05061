// Canteens and who runs them: a professional reaches those of their company, others are not found.
import { type RawBuilder, sql } from "kysely";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { type Db, prepared } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall, PersonCall } from "#server/http/caller.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import { calendarsWhere } from "./service-days.ts";

/** SQL condition: the company runs the canteen `c` (spec.md 25). */
export const isRunBy = (companyId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from canteen_provider provider join partner on partner.id = provider.partner_id
  where provider.id = c.provider_id and partner.company_id = ${companyId})`;

/**
 * SQL order of registrations `r` in lists: by class, in the order of the canteen `c`, then by the person's
 * name.
 */
export const byClass = sql`array_position(c.classes, r.class), r.class, p.name collate "fr-x-icu"`;

/** The canteens that the caller runs, by name; none without a role there. */
export async function readOwnCanteens({ deps, caller }: PersonCall<unknown>) {
  const roles = caller.company?.roles ?? [];
  const opens = {
    desk: companyCan.openDesk(roles),
    counter: companyCan.serveMeals(roles),
    followUp: companyCan.followMeals(roles),
  };
  if (!caller.company || !companyCan.seeCanteen(roles)) return { items: [], opens };
  const { companyId } = caller.company;
  return { items: await canteensWhere(deps.db, sql`s.company_id = ${companyId}`), opens };
}

/** A canteen that the caller's company runs, as `readOwnCanteens` shows it. */
export async function readOwnCanteen({ deps, canteen }: CanteenCall<unknown>): Promise<OwnCanteen> {
  const [found] = await canteensWhere(deps.db, sql`c.id = ${canteen.id}`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Canteens `c` of partners `s` under a condition, by name. */
async function canteensWhere(db: Db, condition: RawBuilder<unknown>): Promise<OwnCanteen[]> {
  const { rows } = await sql<OwnCanteen>`
    select c.id, c.name, c.kind, c.classes, c.seats,
      (select json_agg(n) from generate_series(0, 6) n where c.weekdays >> n & 1 = 1) as weekdays,
      to_char(c.serves_from, 'HH24:MI') as serves_from,
      to_char(c.serves_until, 'HH24:MI') as serves_until, c.needs_validation,
      (select count(*) from canteen_registration r
        where r.canteen_id = c.id and r.state = 'requested')::int as waiting,
      s.frozen_why
    from canteen c join canteen_provider v on v.id = c.provider_id
    join partner s on s.id = v.partner_id where ${condition}
    order by c.name collate "fr-x-icu"`.execute(db);
  return rows;
}

/** Whether one of the people of a home page is registered at a canteen, or was. */
export async function isAnyRegistered(db: Db, { people }: HolderHome): Promise<boolean> {
  const { registered } = await query(db).one(sql<{ registered: boolean }>`
    ${prepared("home-canteen")}
    select exists (select from canteen_registration
      where person_id = any(${people}::bigint[])) as registered`);
  return registered;
}

/** The calendars of the canteens that a company runs, as `serviceCalendars` from a day on. */
export const ownCalendars = (db: Db, companyId: string, from: string) =>
  calendarsWhere(db, isRunBy(companyId), from);

/** A canteen of the caller's company. */
export interface RunCanteen {
  id: string;
  name: string;
  providerId: number;
  /** HH:mm in Paris. */
  servesFrom: string;
  needsValidation: boolean;
}

/**
 * A call about a canteen that the caller's company runs; for any other, `not_found` before its handler runs.
 */
export interface CanteenCall<Input> extends CompanyCall<Input> {
  canteen: RunCanteen;
}

/** Who serves meals: a group of the directory, with the name of its sheet. */
interface MealProvider {
  id: number;
  name: string;
}

/**
 * A call about the canteen service that the caller's company runs; `not_found` for one that serves no meals.
 */
export interface ProviderCall<Input> extends CompanyCall<Input> {
  provider: MealProvider;
}

/**
 * Canteens that a company runs, each once, in the given order; `not_found` where it does not run one of them.
 */
export async function canteensOf(
  db: Db,
  companyId: string,
  canteenIds: readonly string[],
): Promise<RunCanteen[]> {
  const ids = [...new Set(canteenIds)];
  const { rows } = await sql<RunCanteen>`
    select c.id, c.name, c.provider_id,
      to_char(c.serves_from, 'HH24:MI') as serves_from, c.needs_validation
    from canteen c join canteen_provider provider on provider.id = c.provider_id
    join partner on partner.id = provider.partner_id
    where c.id = any (${ids}::uuid[]) and partner.company_id = ${companyId}
    order by array_position(${ids}::uuid[], c.id)`.execute(db);
  if (rows.length !== ids.length) throw new Problem("not_found");
  return rows;
}

/** The same for one canteen. */
export async function canteenOf(db: Db, companyId: string, canteenId: string): Promise<RunCanteen> {
  const [canteen] = await canteensOf(db, companyId, [canteenId]);
  return canteen as RunCanteen;
}

/** The canteen service that a company runs; `not_found` for one that serves no meals. */
export async function providerOf(db: Db, companyId: string): Promise<MealProvider> {
  const found = await query(db).maybeOne(sql<MealProvider>`
    select provider.id, partner.name from canteen_provider provider
    join partner on partner.id = provider.partner_id
    where partner.company_id = ${companyId} order by provider.id limit 1`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Gives a handler the canteen that its call names (`canteenOf`). */
export const ofCanteen =
  <Input, Result>(handle: (call: CanteenCall<Input>) => Promise<Result>) =>
  async (call: CompanyCall<Input & { canteen: string }>): Promise<Result> => {
    const { deps, company, input } = call;
    const canteen = await canteenOf(deps.db, company.companyId, input.canteen);
    return await handle({ ...call, canteen });
  };

/** Gives a handler the canteen service of the caller's company (`providerOf`). */
export const ofProvider =
  <Input, Result>(handle: (call: ProviderCall<Input>) => Promise<Result>) =>
  async (call: CompanyCall<Input>): Promise<Result> => {
    const provider = await providerOf(call.deps.db, call.company.companyId);
    return await handle({ ...call, provider });
  };
