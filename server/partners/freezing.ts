// Freezing of a partner by the operator, with a reason: the partner is left out of the directory, and the
// rooms that sell refuse its sales (company_frozen, the till, the canteen) until it is unfrozen. The company
// is notified of both.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { paths } from "#contract/paths.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { OperatorDeps } from "#server/process/room.ts";

/**
 * Freezes a partner (`why`) or ends that (null); gives its name. Refuses `partner_state` when it is in that
 * state already, `not_found`.
 */
export function freezePartner(
  deps: OperatorDeps,
  { reference, why, operator }: { reference: string; why: string | null; operator: string },
): Promise<string> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const partner = await query(tx).maybeOne(sql<{
      name: string;
      companyId: string | null;
      personId: number | null;
      frozen: boolean;
    }>`
      select name, company_id, (select person_id from company_member m where m.company_id = partner.company_id
          and 'owner' = any (m.roles) order by since, person_id limit 1) as person_id,
        frozen_at is not null as frozen
      from partner where reference = ${reference} for update`);
    if (!partner) throw new Problem("not_found");
    const { name, companyId, personId, frozen } = partner;
    if (frozen === (why !== null)) {
      throw new Problem("partner_state", { state: frozen ? "déjà gelé" : "pas gelé" });
    }
    await sql`update partner set frozen_at = ${why === null ? null : at}, frozen_why = ${why}
      where reference = ${reference}`.execute(tx);
    if (companyId !== null) {
      await announce(tx, deps, {
        about: "contact",
        to: await peopleOf(tx, companyId),
        title: why === null ? `${name} vend à nouveau` : `${name} ne vend plus`,
        body:
          why === null
            ? `${name} est de retour dans l’annuaire, et sa caisse encaisse à nouveau.`
            : `${name} n’est plus dans l’annuaire et ne vend plus\u202f: ${why}. Ce qui est vendu reste\u202f: vous pouvez rembourser et clore la journée. Pour toute question, écrivez-nous depuis Contact.`,
        path: paths.till,
        changed: ["partners", "till"],
        channels: "outside",
        at,
      });
    }
    // The audit trail is that of persons: a sheet without a company has no entry, its row records the freeze.
    if (personId === null) return name;
    const action = why === null ? "partner.unfreeze" : "partner.freeze";
    await auditOperator(tx, operator, action, {
      personId,
      details: why === null ? { name } : { name, why },
      at,
    });
    return name;
  });
}
