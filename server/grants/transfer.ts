// Grants paid by a transfer. Without credit the money is on the cards once it has come; within the operator's
// credit limit of a company (`grant_credit_cents`) it is there at once and the transfer settles a debt. No
// invoice is issued, since nothing is sold: the document is a call for funds (a deposit).
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDate, formatMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { grants as rows, GrantView } from "#contract/grants/rows.ts";
import { withApproval, withdrawOrder } from "#server/checkout/checkout.ts";
import { companyOutgoingCents, holdRoles, inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { type Document, pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, auditAct, proofOf } from "#server/identity/identity.ts";
import { referenceOf, sellerOf } from "#server/invoices/invoices.ts";
import { post } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { openWallet, schemeAccount } from "#server/wallet/wallet.ts";
import { announceToCompany } from "./announcements.ts";
import { giveGrant, requireDraft, requireOpen } from "./fulfilment.ts";
import { grantColumns, type GrantRow, lockGrant, lockGrantOf, owedCents } from "./grant-rows.ts";
import { requireCards, requireStillGrantable } from "./sale.ts";
import { creditLeft, grantOf } from "./views.ts";

/**
 * Has a draft paid by a transfer: on the cards at once where the company's credit covers the whole, and then
 * with a code once its commitments of 24 h reach the threshold; otherwise once the transfer has come. A
 * repeated call changes nothing. Refuses what a payment of it refuses, and `invoice_issuer` while the scheme
 * has no bank account.
 */
export async function payByTransfer({
  deps,
  caller,
  company,
  origin,
  input,
}: Call<typeof rows.payByTransfer>): Promise<GrantView> {
  const { grant: id } = input;
  const { companyId } = company;
  const me = caller.personId;
  const seen = await grantOf(deps, company, id);
  const wantsCredit = seen.byTransfer === "credit";
  const binding = ["grant-credit", id, seen.totalCents];
  const admit = (tx: Tx) => holdRoles(tx, { caller, right: company.right });
  const approval = { caller, purpose: "payment" as const, binding, admit, ...proofOf(input) };
  await withApproval(deps, approval, async (tx) => {
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    const row = await lockGrantOf(tx, companyId, id);
    if (row.reference !== null) return null;
    requireDraft(row);
    sellerOf(deps.config.issuer);
    await withdrawOrder(tx, { kind: "grants", id });
    const at = deps.now();
    await requireOpen(tx, row, at);
    await requireCards(tx, row);
    // Another grant may have used the credit since: this one then waits for its transfer.
    const onCredit = wantsCredit && (await creditLeft(tx, companyId)) >= row.totalCents;
    const reference = referenceOf(`D${String(row.number).padStart(6, "0")}`);
    await sql`update company_grant set reference = ${reference}, transfer_requested_at = ${at},
      person_id = ${me},
      state = case when ${onCredit} then state else 'awaiting' end where id = ${id}`.execute(tx);
    const details = { number: row.number, amountCents: row.totalCents, credit: onCredit };
    await auditAct(tx, { caller, origin }, "grant.transfer", { details, at });
    const grant = { ...row, personId: me, reference };
    if (!onCredit) {
      await announceTransferRequest(tx, deps, grant, at);
      return null;
    }
    await giveOnCredit(tx, deps, grant, at);
    return {
      amountCents: row.totalCents,
      what: `accorder ${formatMoney(row.totalCents)} à régler par virement`,
      companyCents: await companyOutgoingCents(tx, companyId, at),
    };
  });
  return await grantOf(deps, company, id);
}

async function announceTransferRequest(tx: Tx, deps: Deps, row: GrantRow, at: Date): Promise<void> {
  await announceToCompany(tx, deps, row, {
    title: "Dotation à régler par virement",
    what: `virez ${formatMoney(row.totalCents)} avec la référence ${row.reference}. L'argent est sur les cartes dès que le virement est reçu.`,
    at,
  });
}

/** Lends the amount of the transfer: the company owes it to the scheme. */
async function giveOnCredit(tx: Tx, deps: Deps, row: GrantRow, at: Date): Promise<void> {
  await post(tx, [
    {
      key: `grants:${row.id}:credit`,
      debitAccount: await schemeAccount(tx, "grant_credits"),
      creditAccount: await schemeAccount(tx, "company_grants"),
      amountCents: row.totalCents,
      kind: "grant_paid",
      memo: { label: `Dotation n° ${row.number} à crédit`, reference: row.reference },
      at,
    },
  ]);
  const until = formatDate(addDays(parisDay(at), limits.transferDays));
  await give(tx, deps, row, {
    receipt: [
      `Dotation n° ${row.number}, ${row.label}`,
      `À régler avant le ${until}\u00a0: ${formatMoney(row.totalCents)}`,
      `Référence du virement\u00a0: ${row.reference}`,
    ],
    at,
  });
}

async function give(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: GrantRow,
  more: { receipt: readonly string[]; actor?: string; at: Date },
): Promise<void> {
  // Unspent money returns there: the main wallet of the person who asked, while an owner.
  const { id: walletId } = await openWallet(tx, { personId: row.personId, at: more.at });
  await giveGrant(tx, deps, row, { buyerId: row.personId, walletId, ...more });
}

/** Cancels the expected transfer: a draft again. Refuses `grant_no_transfer`, `grant_closed` once granted. */
export async function cancelTransfer(call: Call<typeof rows.cancelTransfer>): Promise<GrantView> {
  const { deps, company, input } = call;
  await inCompanyTx(call, async (tx) => {
    const row = await lockGrantOf(tx, company.companyId, input.grant);
    if (row.state === "granted") throw new Problem("grant_closed");
    if (row.state === "draft") throw new Problem("grant_no_transfer");
    const at = deps.now();
    await sql`update company_grant set state = 'draft', reference = null, transfer_requested_at = null,
      created_at = ${at} where id = ${row.id}`.execute(tx);
    await auditAct(tx, call, "grant.transfer_cancel", { details: { number: row.number }, at });
  });
  return await grantOf(deps, company, input.grant);
}

interface Received {
  /** Reference quoted by the transfer. */
  reference: string;
  amountCents: number;
  /** Identifies the transfer at the bank. */
  proof: string;
  operator: string;
}

/**
 * Notes the transfer of a grant: waiting money is put on the cards, or the debt is settled. The same proof
 * again changes nothing. Refuses `not_found`, `grant_transfer_amount` unless it is the whole debt,
 * `grant_no_transfer` for another transfer and where nothing is owed any more, and `grant_day`, `grant_card`
 * for money that nobody could spend.
 */
export async function receiveTransfer(
  tx: Tx,
  deps: OperatorDeps,
  { reference, amountCents, proof, operator }: Received,
): Promise<{ row: GrantRow; isReplay: boolean }> {
  const found = await query(tx).maybeOne(sql<{ id: string; proof: string | null }>`
      select id, transfer_proof as proof from company_grant
      where reference = ${reference}`);
  if (!found) throw new Problem("not_found");
  const row = await lockGrant(tx, found.id);
  if (row.transferReceivedAt) {
    if (found.proof !== proof) throw new Problem("grant_no_transfer");
    return { row, isReplay: true };
  }
  if (row.owedCents === 0) throw new Problem("grant_no_transfer");
  const total = formatMoney(row.owedCents);
  if (row.owedCents !== amountCents) throw new Problem("grant_transfer_amount", { total });
  const at = deps.now();
  const waited = row.state === "awaiting";
  if (waited) await requireStillGrantable(tx, row, at);
  await post(tx, [
    {
      key: `grants:${row.id}:transfer`,
      debitAccount: await schemeAccount(tx, "bank"),
      creditAccount: await schemeAccount(tx, waited ? "company_grants" : "grant_credits"),
      amountCents,
      kind: "grant_paid",
      memo: { label: `Virement de la dotation n° ${row.number}`, reference: proof },
      at,
    },
  ]);
  const actor = `operator:${operator}`;
  const receipt = [
    `Dotation n° ${row.number}, ${row.label}`,
    `Virement reçu\u00a0: ${total}`,
    `Référence\u00a0: ${reference}`,
  ];
  if (waited) await give(tx, deps, row, { receipt, actor, at });
  else {
    await announceToCompany(tx, deps, row, {
      title: "Virement reçu",
      what: `vos ${total} sont arrivés. Plus rien n'est dû.`,
      at,
    });
  }
  await sql`update company_grant set transfer_received_at = ${at}, transfer_proof = ${proof}
      where id = ${row.id}`.execute(tx);
  const line = { personId: row.personId, actor, address: null, at };
  const details = { number: row.number, amountCents, proof };
  await audit(tx, { ...line, action: "grant.transfer_received", details });
  return { row, isReplay: false };
}

/** Grants whose transfer is expected, the oldest first, with the first day on which it is late. */
export async function expectedTransfers(db: Db): Promise<GrantRow[]> {
  const { rows: found } = await sql<GrantRow>`
    select ${grantColumns} from company_grant t join company c on c.id = t.company_id
    join acceptance_group g on g.id = t.group_id
    where t.reference is not null and t.transfer_received_at is null and ${owedCents} > 0
    order by t.transfer_requested_at, t.number`.execute(db);
  return found;
}

/** The call for funds on paper. Refuses `not_found`. */
export async function requestPdf({
  deps,
  caller,
  company,
  input,
}: Call<typeof rows.request>): Promise<Document> {
  const view = await grantOf(deps, company, input.grant);
  const { transfer } = view;
  if (!transfer) throw new Problem("not_found");
  const { name } = company;
  const title = `Appel de fonds, dotation n° ${view.number}`;
  const at = deps.now();
  const body = await paper(
    { title, subtitle: name, cardnumber: caller.cardnumber, madeAt: at },
    async (page) => {
      page.facts([
        ["Entreprise", name],
        ["Objet", view.label],
        ["Cagnotte", view.groupName],
        ["À utiliser jusqu’au", formatDate(view.expiresOn)],
        ["Montant à virer", formatMoney(view.owedCents)],
        ["À virer avant le", formatDate(transfer.until)],
      ]);
      page.heading("Virement");
      page.facts([
        ["Bénéficiaire", transfer.holder],
        ["IBAN", transfer.iban.replaceAll(/(.{4})(?=.)/g, "$1\u00a0")],
        ["BIC", transfer.bic],
        ["Référence à rappeler", transfer.reference],
      ]);
      page.paragraph(
        "Ce document n'est pas une facture. L'argent déposé est mis en entier sur les cartes et rien n'est vendu : aucune TVA n'est due.",
      );
      page.heading("Cartes");
      await page.table(
        [
          { title: "Carte", width: 130 },
          { title: "Porteur", width: 253 },
          { title: "Montant", width: 100, right: true },
        ],
        view.lines.map((line) => [
          formatCardnumber(line.cardnumber),
          line.name,
          formatMoney(line.amountCents),
        ]),
      );
    },
  );
  return pdf(body, `appel-de-fonds-${view.number}.pdf`);
}
