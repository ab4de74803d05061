// Submission of a complete draft to the operator: the code that verifies the phone, the submission, the
// answer to a question; and the deletion of a draft.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { MembershipPage, memberships } from "#contract/memberships/rows.ts";
import { membershipCan } from "#contract/memberships/states.ts";
import { answerDelay } from "#contract/answer-delay.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { attachDocuments } from "#server/documents/documents.ts";
import type { Call } from "#server/http/serve.ts";
import { auditAct, requireCode } from "#server/identity/identity.ts";
import { announceMembership } from "./announcements.ts";
import { changeRequest } from "./change.ts";
import { deleteAllDocuments } from "./jobs.ts";
import { pageOf } from "./memberships.ts";
import { requireNewCompany } from "./parts.ts";
import {
  codeAddress,
  codeChannel,
  exchangeDocument,
  attachedDocuments,
  isProved,
  type JoinedService,
  lastRequest,
  lockOpenRequest,
  type MembershipRow,
  nextStep,
  requireService,
} from "./requests.ts";

/**
 * Verifies the representative's phone, or e-mail where this installation sends no SMS: the first call sends a
 * code there and is refused `code_required`, the same call with the code passes. A verified address needs no
 * code. Refuses `membership_incomplete` without a representative.
 */
export async function proveAddress(call: Call<typeof memberships.prove>): Promise<MembershipPage> {
  const { deps, caller, input } = call;
  const service = await requireService(deps.db, input.service);
  const row = await lastRequest(deps.db, caller.personId, service.code);
  if (!row || !canProve(row)) throw new Problem("membership_closed");
  if (row.version !== input.version) throw new Problem("membership_changed");
  const address = codeAddress(deps.config, row);
  if (address === null) throw new Problem("membership_incomplete", { what: "le représentant" });
  if (isProved(row)) return await pageOf(deps, caller.personId, input.service);
  const used = await requireCode(deps, caller, {
    challenge: input.challenge,
    code: input.code,
    purpose: "membership",
    binding: [row.id, address],
    what: `confirmer l'adhésion de ${row.companyName}`,
    to: { channel: codeChannel(deps.config), address },
  });
  return await changeRequest(call, async (tx, { row: locked }) => {
    if (!canProve(locked)) throw new Problem("membership_closed");
    await used(tx);
    await sql`update membership set proved_address = ${address} where id = ${row.id}`.execute(tx);
  });
}

const canProve = (row: MembershipRow) => membershipCan.submit(row) || membershipCan.answer(row);

/** Refuses `membership_incomplete` with the first incomplete step. */
async function requireWhole(tx: Tx, row: MembershipRow, service: JoinedService): Promise<void> {
  const { step, lacks } = nextStep(row, service, await attachedDocuments(tx, row.id));
  if (step !== "summary") throw new Problem("membership_incomplete", { what: lacks });
}

/**
 * Submits a complete draft to the operator. Refuses `membership_incomplete`, `company_known` and
 * `membership_company_open` for a company that was registered meanwhile, and as `changeRequest` does.
 */
export async function submitMembership(
  call: Call<typeof memberships.submit>,
): Promise<MembershipPage> {
  const { deps } = call;
  return await changeRequest(call, async (tx, { row, service, at }) => {
    if (!membershipCan.submit(row)) throw new Problem("membership_closed");
    await requireWhole(tx, row, service);
    await requireNewCompany(tx, row.siret, row.service, row.id);
    await sql`update membership set state = 'submitted', submitted_at = ${at}
      where id = ${row.id}`.execute(tx);
    await auditAct(tx, call, "membership.submit", { details: { number: row.number }, at });
    await announceMembership(tx, deps, row, {
      title: "Demande d’adhésion envoyée",
      body: `Votre demande n° ${row.number} pour ${row.companyName} est envoyée. Vous recevrez une réponse ${answerDelay("membership")}.`,
      at,
    });
  });
}

/**
 * Answers the operator's question with words and documents; the parts that were asked for are as written
 * meanwhile. Refuses `membership_incomplete` when one of them lacks something.
 */
export async function answerMembership(
  call: Call<typeof memberships.answer>,
): Promise<MembershipPage> {
  const { deps, caller, input } = call;
  const text = input.text.trim();
  if (text === "") throw new Problem("invalid_input", { field: "text", what: "réponse" });
  return await changeRequest(call, async (tx, { row, service, at }) => {
    if (!membershipCan.answer(row)) throw new Problem("membership_closed");
    await requireWhole(tx, row, service);
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into membership_exchange (membership_id, at, from_operator, text)
      values (${row.id}, ${at}, false, ${text}) returning id`);
    const to = exchangeDocument(id);
    await attachDocuments(tx, { personId: caller.personId, ids: input.documents, to, at });
    await sql`update membership set state = 'review', requested_parts = '{}' where id = ${row.id}`.execute(
      tx,
    );
    await auditAct(tx, call, "membership.answer", { details: { number: row.number }, at });
    await announceMembership(tx, deps, row, {
      title: "Réponse envoyée",
      body: `Votre réponse sur la demande n° ${row.number} est envoyée. L’étude de votre dossier reprend.`,
      at,
      outside: false,
    });
  });
}

/** Deletes a draft with its documents. Refuses `membership_closed` once it was sent. */
export async function discardMembership({
  deps,
  caller,
  origin,
  input,
}: Call<typeof memberships.discard>): Promise<MembershipPage> {
  await inTx(deps.db, async (tx) => {
    const service = await requireService(tx, input.service);
    const row = await lockOpenRequest(tx, caller.personId, service.code);
    if (!row || !membershipCan.discard(row)) throw new Problem("membership_closed");
    if (row.version !== input.version) throw new Problem("membership_changed");
    await deleteAllDocuments(tx, row.id);
    await sql`delete from membership where id = ${row.id}`.execute(tx);
    const at = deps.now();
    await auditAct(tx, { caller, origin }, "membership.discard", {
      details: { service: service.name },
      at,
    });
  });
  return await pageOf(deps, caller.personId, input.service);
}
