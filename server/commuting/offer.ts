// An offer of the operator for employers, of which a company pays a share.
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { employersOffer, type TransportOffer } from "#server/partners/partners.ts";

/** An offer for employers. Refuses `not_found` for one that is none. */
export async function requireOffer(db: Db, service: string): Promise<TransportOffer> {
  const offer = await employersOffer(db, service);
  if (!offer) throw new Problem("not_found");
  return offer;
}
