// Canteens and who runs them: a professional reaches those of their own partner sheet, others are not
// found.
import { sql } from "kysely";
import type { OwnCanteen } from "#contract/canteen/own.ts";
import { companyCan, type RolesMay } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { requireCompany } from "#server/companies/companies.ts";
import { type Db, prepared } from "#server/db/db.ts";
import type { CompanyCall, PersonCall } from "#server/http/caller.ts";
import { calendarsWhere } from "./service-days.ts";

/** SQL condition: the person is of the company that runs the canteen `c` (spec.md 25). */
const runBy = (personId: number) => sql<boolean>`exists (
  select from canteen_provider provider join partner on partner.id = provider.partner_id
    join company_member m on m.company_id = partner.company_id
   where provider.id = c.provider_id and m.person_id = ${personId})`;

/** SQL order of the people of registrations `r` in lists: by class, in the order of the canteen `c`, then by name. */
export const byClass = sql`array_position(c.classes, r.class), r.class, p.name collate "fr-x-icu"`;

/** The canteens that the caller runs, by name; none without a role there. */
export async function readOwnCanteens({ deps, caller }: PersonCall<unknown>) {
  const roles = caller.company?.roles ?? [];
  const opens = {
    desk: companyCan.openDesk(roles),
    counter: companyCan.serveMeals(roles),
    followUp: companyCan.followMeals(roles),
  };
  if (!companyCan.seeCanteen(roles)) return { items: [], opens };
  const { rows } = await sql<OwnCanteen>`
    select c.id, c.name, c.kind, c.classes, c.seats,
      (select json_agg(n) from generate_series(0, 6) n where c.weekdays >> n & 1 = 1) as weekdays,
      to_char(c.serves_from, 'HH24:MI') as "servesFrom",
      to_char(c.serves_until, 'HH24:MI') as "servesUntil", c.needs_validation as "needsValidation",
      (select count(*) from canteen_registration r
        where r.canteen_id = c.id and r.state = 'requested')::int as waiting,
      s.frozen_why as "frozenWhy"
    from canteen c join canteen_provider v on v.id = c.provider_id
    join partner s on s.id = v.partner_id where ${runBy(caller.personId)}
    order by c.name collate "fr-x-icu"`.execute(deps.db);
  return { items: rows, opens };
}

/** Whether one of these persons is registered at a canteen, or was. */
export async function isAnyRegistered(db: Db, people: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ registered: boolean }>`${prepared("home-canteen")}
    select exists (select from canteen_registration
      where person_id = any(${people}::bigint[])) as registered`.execute(db);
  return rows[0]?.registered ?? false;
}

/** The calendars of the canteens that the caller runs, as `serviceCalendars` from a day on. */
export const ownCalendars = ({ deps, caller }: PersonCall<unknown>, from: string) =>
  calendarsWhere(deps.db, runBy(caller.personId), from);

/** A canteen of the caller's company. */
export interface RunCanteen {
  id: string;
  name: string;
  providerId: number;
  /** HH:mm in Paris. */
  servesFrom: string;
  needsValidation: boolean;
}

/** A call about a canteen that the caller's company runs: any other answers `not_found` before its handler. */
export interface CanteenCall<Input> extends CompanyCall<Input> {
  canteen: RunCanteen;
}

/** Who serves meals: a group of the directory, with the name of its sheet. */
interface MealProvider {
  id: number;
  name: string;
}

/** A call about the canteen service that the caller's company runs; `not_found` for one that serves no meals. */
export interface ProviderCall<Input> extends CompanyCall<Input> {
  provider: MealProvider;
}

/** A canteen that a company runs; `not_found` for any other. */
export async function canteenOf(db: Db, companyId: string, canteenId: string): Promise<RunCanteen> {
  const { rows } = await sql<RunCanteen>`
    select c.id, c.name, c.provider_id as "providerId",
      to_char(c.serves_from, 'HH24:MI') as "servesFrom", c.needs_validation as "needsValidation"
    from canteen c join canteen_provider provider on provider.id = c.provider_id
    join partner on partner.id = provider.partner_id
    where c.id = ${canteenId} and partner.company_id = ${companyId}`.execute(db);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0];
}

/** Gives a handler the canteen that its call names (`canteenOf`). */
export const ofCanteen =
  <Input, Result>(handle: (call: CanteenCall<Input>) => Promise<Result>) =>
  async (call: CompanyCall<Input & { canteen: string }>): Promise<Result> => {
    const { deps, company, input } = call;
    const canteen = await canteenOf(deps.db, company.companyId, input.canteen);
    return await handle({ ...call, canteen });
  };

/** Gives a handler the canteen service of the caller's company. */
export const ofProvider =
  <Input, Result>(handle: (call: ProviderCall<Input>) => Promise<Result>) =>
  async (call: CompanyCall<Input>): Promise<Result> => {
    const { rows } = await sql<MealProvider>`
      select provider.id, partner.name from canteen_provider provider
      join partner on partner.id = provider.partner_id
      where partner.company_id = ${call.company.companyId} order by provider.id limit 1`.execute(
      call.deps.db,
    );
    if (!rows[0]) throw new Problem("not_found");
    return await handle({ ...call, provider: rows[0] });
  };

/**
 * A canteen that the person runs, with its provider; `not_found` for any other, `company_role` where their
 * roles do not permit what `may` asks (`companyCan`).
 */
export async function requireOwnCanteen(
  db: Db,
  personId: number,
  canteenId: string,
  may: RolesMay,
): Promise<RunCanteen> {
  const { rows } = await sql<RunCanteen>`
    select c.id, c.name, c.provider_id as "providerId",
      to_char(c.serves_from, 'HH24:MI') as "servesFrom", c.needs_validation as "needsValidation"
    from canteen c
    where c.id = ${canteenId} and ${runBy(personId)}`.execute(db);
  if (!rows[0]) throw new Problem("not_found");
  await requireCompany(db, personId, may);
  return rows[0];
}

/** The provider that a professional is; `not_found` for one that serves no meals, `company_role` as `may` says. */
export async function requireProvider(
  db: Db,
  personId: number,
  may: RolesMay,
): Promise<{ id: number; name: string }> {
  const { rows } = await sql<{ id: number; name: string }>`
    select provider.id, partner.name from canteen_provider provider
    join partner on partner.id = provider.partner_id
    join company_member m on m.company_id = partner.company_id
    where m.person_id = ${personId} order by provider.id limit 1`.execute(db);
  if (!rows[0]) throw new Problem("not_found");
  await requireCompany(db, personId, may);
  return rows[0];
}
