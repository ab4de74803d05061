// An offer of the operator for employers, reached by the company that pays a share of it.
import { companyCan, type RolesMay } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { type Membership, requireCompany } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { employersOffer, type TransportOffer } from "#server/partners/partners.ts";

export interface Reached {
  company: Membership;
  offer: TransportOffer;
}

/**
 * The caller's company and an offer for employers. Refuses `company_missing`, `company_role` where the role
 * does not permit what `may` asks, `not_found` for an offer that is none.
 */
export async function requireOffer(
  db: Db,
  { personId, service }: { personId: number; service: string },
  may: RolesMay = companyCan.seeMoney,
): Promise<Reached> {
  const company = await requireCompany(db, personId, may);
  const offer = await employersOffer(db, service);
  if (!offer) throw new Problem("not_found");
  return { company, offer };
}
