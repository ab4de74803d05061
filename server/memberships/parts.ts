// The parts that a person writes: company, representative, documents. Each call saves one of them.
import { sql } from "kysely";
import { isSiret } from "#contract/companies/siren.ts";
import { Problem } from "#contract/errors.ts";
import type { MembershipCompany, MembershipPage, memberships } from "#contract/memberships/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { attachDocuments, deleteDocuments } from "#server/documents/documents.ts";
import { requirePrinted } from "#server/http/printed-letters.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, mobileOf } from "#server/identity/identity.ts";
import { changeRequest, requireMayAsk, requirePart } from "./change.ts";
import { pageOf } from "./memberships.ts";
import { documentOf, attachedDocuments, lockOpenRequest, requireService } from "./requests.ts";

/**
 * Writes the company; begins the request where none is open (`version` 0). Refuses `siret_invalid`,
 * `company_known` for a company that has an account, `membership_company_open` for one with a request under
 * way, and as `changeRequest` does.
 */
export async function writeCompany(
  call: Call<typeof memberships.company>,
): Promise<MembershipPage> {
  const { deps, caller, input } = call;
  const company = { ...input, ...cleaned(input) };
  if (!isSiret(company.siret)) throw new Problem("siret_invalid");
  if (input.version === 0) {
    await inTx(deps.db, async (tx) => {
      const service = await requireService(tx, input.service);
      await sql`select from person where id = ${caller.personId} for no key update`.execute(tx);
      if (await lockOpenRequest(tx, caller.personId, service.code)) {
        throw new Problem("membership_changed");
      }
      await requireMayAsk(tx, caller.personId, service);
      await requireNewCompany(tx, company.siret, input.service, null);
      await requireCategory(tx, company.category);
      const at = deps.now();
      await sql`insert into membership (service, person_id, state, siret, company_name, legal_form,
          street, postcode, town, owes_vat, category_id, created_at, changed_at)
        values (${service.code}, ${caller.personId}, 'draft', ${company.siret}, ${company.name},
          ${company.legalForm}, ${company.street}, ${company.postcode}, ${company.town},
          ${company.owesVat}, ${company.category}, ${at}, ${at})`.execute(tx);
      await auditAct(tx, call, "membership.begin", { details: { service: service.name }, at });
    });
    return await pageOf(deps, caller.personId, input.service);
  }
  return await changeRequest(call, async (tx, { row }) => {
    requirePart(row, "company");
    await requireNewCompany(tx, company.siret, row.service, row.id);
    await requireCategory(tx, company.category);
    await sql`update membership set siret = ${company.siret}, company_name = ${company.name},
      legal_form = ${company.legalForm}, street = ${company.street}, postcode = ${company.postcode},
      town = ${company.town}, owes_vat = ${company.owesVat}, category_id = ${company.category}
      where id = ${row.id}`.execute(tx);
  });
}

const oneLine = (typed: string) => typed.replaceAll(/\s+/g, " ").trim();

/** Texts on one line; blank ones are refused `invalid_input`. */
function cleaned({ name, street, town }: Pick<MembershipCompany, "name" | "street" | "town">) {
  const lines = { name: oneLine(name), street: oneLine(street), town: oneLine(town) };
  for (const [field, text] of Object.entries(lines)) {
    if (text === "") throw new Problem("invalid_input", { field, what: "nom, rue ou ville" });
    requirePrinted(text, "le nom, la rue et la ville", field);
  }
  return lines;
}

/** Refuses `company_known`, and `membership_company_open` for the request of somebody else. */
export async function requireNewCompany(
  tx: Tx,
  siret: string,
  service: string,
  except: string | null,
): Promise<void> {
  const siren = siret.slice(0, 9);
  const { known, open } = await query(tx).one(sql<{ known: boolean; open: boolean }>`
    select exists (select from company where siren = ${siren}) as known,
      exists (select from membership where left(siret, 9) = ${siren} and service = ${service}
        and state in ('submitted', 'review', 'clarification')
        and id is distinct from ${except}::uuid) as open`);
  if (known) throw new Problem("company_known");
  if (open) throw new Problem("membership_company_open");
}

async function requireCategory(tx: Tx, id: string): Promise<void> {
  const found = await query(tx).maybeOne(sql`select from partner_category c where id = ${id}
    and not exists (select from partner_category b where b.parent_id = c.id)`);
  if (!found) throw new Problem("invalid_input", { field: "category", what: "activité" });
}

/** Writes the representative. Refuses `phone_invalid`, `phone_not_mobile` and as `changeRequest` does. */
export async function writeRepresentative(
  call: Call<typeof memberships.representative>,
): Promise<MembershipPage> {
  const { input } = call;
  const phonenumber = mobileOf(input.phonenumber);
  const [name, role] = [oneLine(input.name), oneLine(input.function)];
  if (!/\p{L}/u.test(name)) throw new Problem("invalid_input", { field: "name", what: "nom" });
  requirePrinted(name, "le nom", "name");
  if (role === "") throw new Problem("invalid_input", { field: "function", what: "fonction" });
  return await changeRequest(call, async (tx, { row }) => {
    requirePart(row, "representative");
    await sql`update membership set representative = ${name}, representative_function = ${role},
      email = ${input.email}, phonenumber = ${phonenumber} where id = ${row.id}`.execute(tx);
  });
}

/**
 * Attaches an uploaded document. Refuses `membership_same_documents` where the same one is attached already,
 * and as `attachDocuments` and `changeRequest` do.
 */
export function addDocument(call: Call<typeof memberships.addDocument>): Promise<MembershipPage> {
  const { caller, input } = call;
  return changeRequest(call, async (tx, { row, service, at }) => {
    requirePart(row, "documents");
    const { kind, document } = input;
    if (!service.documents.includes(kind)) throw new Problem("not_found");
    const documents = await attachedDocuments(tx, row.id);
    if (documents.some((one) => one.kind === kind)) throw new Problem("membership_same_documents");
    const to = documentOf(row.id, kind);
    await attachDocuments(tx, { personId: caller.personId, ids: [document], to, at });
  });
}

/** Removes and deletes a document; one that is not attached changes nothing. */
export function removeDocument(
  call: Call<typeof memberships.removeDocument>,
): Promise<MembershipPage> {
  return changeRequest(call, async (tx, { row }) => {
    requirePart(row, "documents");
    await deleteDocuments(tx, documentOf(row.id, call.input.kind));
  });
}
