// Employer's transport: a company pays a share of the passes that its employees buy for the way to work. It
// owns the share, the enrolments that each holder accepts, and the share paid of each pass. It refuses a
// share below the legal minimum, and never tells a company whether a card number is somebody's, nor any
// journey.
import { sql } from "kysely";
import { employerMinimum, isShared } from "#contract/commuting/law.ts";
import type { CommutingPlan, GrantedPass } from "#contract/commuting/rows.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import type { FareKind } from "#contract/passes/states.ts";
import { inCompanyTx, type Membership } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall, PersonCall } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import type { TransportOffer } from "#server/partners/partners.ts";
import { runsNetwork } from "#server/passes/passes.ts";
import { announceShare } from "./announcements.ts";
import { requireOffer } from "./offer.ts";

interface Plan {
  service: string;
  code: string | null;
  name: string;
  employerPercent: number;
}

/**
 * The offers of which the caller's company pays a share, by name, and whether it runs a network itself;
 * nothing for a person who does not see its money.
 */
export async function readPlans({ deps, caller }: PersonCall<unknown>): Promise<{
  items: Plan[];
  runsNetwork: boolean;
}> {
  const { company } = caller;
  if (!company || !companyCan.seeMoney(company.roles)) {
    return { items: [], runsNetwork: false };
  }
  const { companyId } = company;
  const { rows } = await sql<Plan>`
    select t.id as service, t.name, p.employer_percent, (select code from service where screen = 'transport'
      and audience = t.audience order by place limit 1) as code
    from commuting_plan p join transport_service t on t.id = p.service_id
    where p.company_id = ${companyId} and t.hidden_why is null
    order by t.name collate "fr-x-icu", t.id limit 50`.execute(deps.db);
  return { items: rows, runsNetwork: await runsNetwork(deps.db, companyId) };
}

/** An offer for the caller's company, with the share that it pays. */
export async function readPlan({
  deps,
  company,
  input: { service },
}: CompanyCall<{ service: string }>): Promise<CommutingPlan> {
  const offer = await requireOffer(deps.db, service);
  return await toPlanView(deps.db, service, { company, offer, at: deps.now() });
}

async function toPlanView(
  db: Db,
  service: string,
  { company, offer, at }: { company: Membership; offer: TransportOffer; at: Date },
): Promise<CommutingPlan> {
  const plan = await query(db).maybeOne(sql<{
    employerPercent: number;
    active: number;
    invited: number;
  }>`
    select p.employer_percent,
      (select count(*)::int from commuting_enrolment e
        where e.plan_id = p.id and e.state in ('active', 'suspended')) as active,
      (select count(*)::int from commuting_enrolment e
        where e.plan_id = p.id and e.state = 'invited' and e.expires_at > ${at}) as invited
    from commuting_plan p
    where p.company_id = ${company.companyId} and p.service_id = ${service}`);
  return {
    service,
    name: offer.name,
    company: company.name,
    canDecide: companyCan.decide(company.roles),
    employerPercent: plan?.employerPercent ?? null,
    passes: await grantedPasses(db, offer.products),
    active: plan?.active ?? 0,
    invited: plan?.invited ?? 0,
  };
}

/** Of the fares that an offer names, the subscriptions that are on sale. */
async function grantedPasses(db: Db, products: readonly string[]): Promise<GrantedPass[]> {
  const { rows } = await sql<{ name: string; kind: FareKind; priceCents: number }>`
    select name, kind, price_cents from fare_product
    where id = any (${[...products]}::text[]) and on_sale order by place, id`.execute(db);
  return rows.flatMap(({ kind, ...one }) => (isShared(kind) ? [{ ...one, kind }] : []));
}

/**
 * Sets the share that the company pays of purchases to come; earlier purchases keep theirs. Enrolled
 * employees are told. Refuses `commuting_minimum` below the legal minimum, `commuting_no_pass` where the
 * offer grants nothing that is on sale.
 */
export function setShare(
  call: CompanyCall<{ service: string; employerPercent: number }>,
): Promise<CommutingPlan> {
  const { deps, company } = call;
  const { service, employerPercent } = call.input;
  return inCompanyTx(call, async (tx) => {
    const offer = await requireOffer(tx, service);
    const { percent } = employerMinimum;
    if (employerPercent < percent) throw new Problem("commuting_minimum", { percent });
    const passes = await grantedPasses(tx, offer.products);
    if (passes.length === 0) throw new Problem("commuting_no_pass");
    const at = deps.now();
    const { companyId, name } = company;
    const before = await writeShare(tx, { companyId, service, employerPercent, at });
    if (before !== employerPercent) {
      const details = { name: offer.name, employerPercent, before };
      await auditAct(tx, call, "commuting.share", { details, at });
      if (before !== null) {
        await announceShare(tx, deps, { companyId, service, name, employerPercent, at });
      }
    }
    return await toPlanView(tx, service, { company, offer, at });
  });
}

/** Writes the share of a company; returns the one before, null for the first. */
export async function writeShare(
  tx: Tx,
  input: { companyId: string; service: string; employerPercent: number; at: Date },
): Promise<number | null> {
  const { companyId, service, employerPercent, at } = input;
  await sql`select from company where id = ${companyId} for no key update`.execute(tx);
  const { before } = await query(tx).one(sql<{ before: number | null }>`
    with old as (select employer_percent from commuting_plan
      where company_id = ${companyId} and service_id = ${service}),
    written as (
      insert into commuting_plan (company_id, service_id, employer_percent, opened_at, changed_at)
      values (${companyId}, ${service}, ${employerPercent}, ${at}, ${at})
      on conflict (company_id, service_id) do update set employer_percent = ${employerPercent},
        changed_at = ${at} where commuting_plan.employer_percent <> ${employerPercent})
    select (select employer_percent from old) as before`);
  return before;
}
