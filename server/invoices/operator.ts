// Operator commands of invoices: list, show, draft, issue, credit, note a transfer and life-cycle states.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, formatTypedMoney, parseMoney, plural } from "#contract/french.ts";
import {
  documentStateNames,
  invoiceCan,
  invoiceKindNames,
  paymentStateName,
  settlementMeansNames,
} from "#contract/invoices/states.ts";
import { companyOf } from "#server/companies/companies.ts";
import { type Db, inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
  reasonArgument,
} from "#server/process/room.ts";
import { byTwoAccounts } from "#server/process/second-operator.ts";
import { announceReceived } from "./announcements.ts";
import { issueDraft, readLines, writeDraft } from "./drafts.ts";
import { issueInvoice } from "./issue.ts";
import { noteEvent, readEvents } from "./events.ts";
import { type InvoiceRow, invoicesWhere, openCentsOf, toInvoice, toListed } from "./reads.ts";
import { settleInvoice } from "./settle.ts";

const maxListed = 200;

/** Commands `npm run operator -- invoices …`. */
export const invoiceCommands: readonly OperatorCommand[] = [
  {
    name: "invoices list",
    arguments: ["[<carte>]"],
    says: "montre ce qui reste à payer ou à rembourser, ou tous les documents d'une entreprise",
    run: (deps, [card]) => commandResult(() => list(deps, card)),
  },
  {
    name: "invoices show",
    arguments: ["<numéro>"],
    says: "montre une facture ou un avoir, ce qui en est réglé et ses états de transmission",
    run: ({ db }, [number = ""]) => commandResult(() => show(db, number)),
  },
  {
    name: "invoices draft",
    arguments: ["<carte>", "<fichier CSV>"],
    says: "prépare une facture, une ligne «\u00a0libellé;quantité;prix hors TVA;taux\u00a0» par ligne, sans numéro",
    run: (deps, [card = "", path = ""], operator) =>
      commandResult(() => draft(deps, { card, path, operator })),
  },
  {
    name: "invoices issue",
    arguments: ["<brouillon>"],
    says: "émet un brouillon\u202f: il prend son numéro et ne change plus",
    run: (deps, [id = ""]) =>
      commandResult(async () => {
        const { number } = await issueDraft(deps, numberArgument(id));
        return [`Facture ${number} émise.`];
      }),
  },
  {
    name: "invoices credit",
    arguments: ["<numéro>", "<motif>"],
    says: "annule par un avoir de tout son montant une facture préparée ici, par deux opérateurs",
    run: (deps, [number = "", reason = ""], operator) =>
      commandResult(() => credit(deps, { number, reason: reasonArgument(reason), operator })),
  },
  {
    name: "invoices transfer-received",
    arguments: ["<numéro>", "<montant>", "<référence>"],
    says: "note un virement reçu pour une facture, ou envoyé pour un avoir, par deux opérateurs",
    run: (deps, [number = "", amount = "", reference = ""], operator) =>
      commandResult(() => receive(deps, { number, amount, reference, operator })),
  },
  {
    name: "invoices states",
    arguments: ["<numéro>", "[<code>]", "[<motif>]"],
    says: "montre les états de transmission d'une facture électronique, ou en note un (200 à 213)",
    run: (deps, [number = "", code, reason], operator) =>
      commandResult(() => states(deps, { number, code, reason, operator })),
  },
];

/** A document by its number or by its payment reference. */
async function byNumber(db: Db, text: string): Promise<InvoiceRow> {
  const number = text.replaceAll(/\s/g, "").toUpperCase();
  const [row] = await invoicesWhere(db, sql`i.number = ${number} or i.reference = ${number}`);
  if (!row) throw new Problem("not_found");
  return row;
}

async function companyOfCard(db: Db, card: string): Promise<string> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select person_id as id from card where number = ${numberArgument(card)}`);
  const company = found && (await companyOf(db, found.id));
  if (!company) throw new Problem("company_missing");
  return company.companyId;
}

async function list({ db, now }: OperatorDeps, card: string | undefined) {
  const condition =
    card === undefined
      ? sql`b.settled_cents < b.due_cents`
      : sql`i.company_id = ${await companyOfCard(db, card)}`;
  const found = await invoicesWhere(db, condition, sql`order by i.place desc limit ${maxListed}`);
  const today = parisDay(now());
  const lines = found.map((row) => {
    const one = toListed(row);
    const late = invoiceCan.late(one, today) ? ", en retard" : "";
    const amounts = `${formatMoney(row.totalCents)}, reste ${formatMoney(one.openCents)}`;
    return `${row.number}  ${formatDate(row.issuedOn)}  ${row.content.buyer.name}  ${amounts}  ${paymentStateName(one)}${late}`;
  });
  return lines.length > 0 ? lines : ["Aucun document."];
}

async function show(db: Db, text: string): Promise<readonly string[]> {
  const row = await byNumber(db, text);
  const whole = await toInvoice(db, row);
  const events = await readEvents(db, row.id);
  const { buyer, corrects } = row.content;
  return [
    `${invoiceKindNames[row.kind]} ${row.number}, ${documentStateNames[whole.document]}, ${paymentStateName(whole)}`,
    `  client      ${buyer.name}, ${buyer.siren ?? buyer.vatNumber ?? ""}`,
    `  émise le    ${formatDate(row.issuedOn)}, échéance ${formatDate(row.dueOn)}`,
    ...(corrects ? [`  corrige     ${corrects.number}`] : []),
    ...whole.lines.map(
      ({ label, quantity, cents }) =>
        `  ligne       ${label.slice(0, 80)} × ${quantity}\u202f: ${formatMoney(cents)} hors TVA`,
    ),
    `  total       ${formatMoney(row.totalCents)} dont TVA ${formatMoney(row.vatCents)}`,
    ...whole.payments.map(
      ({ means, amountCents, at, reference }) =>
        `  réglé       ${formatMoney(amountCents)} le ${formatDate(at)}, ${settlementMeansNames[means]} ${reference ?? ""}`,
    ),
    `  reste       ${formatMoney(openCentsOf(row))}, à rappeler\u202f: ${row.reference}`,
    ...whole.credits.map(
      ({ number, totalCents }) => `  avoir       ${number}, ${formatMoney(totalCents)}`,
    ),
    ...events.map((line) => `  état        ${line}`),
  ];
}

async function draft(
  deps: OperatorDeps,
  { card, path, operator }: { card: string; path: string; operator: string },
): Promise<readonly string[]> {
  const file = await readFile(path).catch(() => null);
  if (!file) throw new Problem("invalid_input", { what: "fichier" });
  const lines = readLines(file);
  const companyId = await companyOfCard(deps.db, card);
  const { id, amounts } = await inTx(deps.db, (tx) =>
    writeDraft(tx, deps, { companyId, lines, by: operator }),
  );
  return [
    `Brouillon ${id}\u202f: ${plural(lines.length, "ligne")}, ${formatMoney(amounts.totalCents)} dont TVA ${formatMoney(amounts.vatCents)}.`,
    `Pour l'émettre\u202f: operator invoices issue ${id}`,
  ];
}

const creditedBy: Readonly<Record<Exclude<InvoiceRow["subjectKind"], "other">, string>> = {
  card_order: "l'annulation de la commande de cartes par l'entreprise",
  commission: "le règlement du mois suivant, qui rend une commission trop prise",
  commuting: "l'annulation de l'écriture de la part d'employeur («\u00a0reversals undo\u00a0»)",
};

async function credit(
  deps: OperatorDeps,
  { number: text, reason, operator }: { number: string; reason: string; operator: string },
): Promise<readonly string[]> {
  const invoice = await byNumber(deps.db, text);
  if (invoice.kind !== "invoice") throw new Problem("not_found");
  const { content, companyId, id, subjectKind } = invoice;
  // Documents of a room's sales are undone there, by the way on which the money came.
  if (subjectKind !== "other") {
    throw new Problem("invoice_credit_elsewhere", { how: creditedBy[subjectKind] });
  }
  const issuedOn = parisDay(deps.now());
  const call = { command: "invoices credit", arguments: [invoice.number], reason };
  const done = await byTwoAccounts(deps, { ...call, account: operator }, async (tx) => {
    const subject = { kind: "other" as const, id: `credit:${id}` };
    const [before] = await invoicesWhere(tx, sql`i.subject_id = ${subject.id}`);
    const { number } = await issueInvoice(tx, deps, {
      companyId,
      kind: "credit_note",
      correctsId: id,
      subject,
      lines: content.lines,
      allowances: content.allowances,
      issuedOn,
      dueOn: issuedOn,
      deliveredOn: content.deliveredOn,
      ...(content.period && { period: content.period }),
      operation: content.operation,
      reason,
    });
    const lines = [`Avoir ${number} émis pour la facture ${invoice.number}.`];
    return { lines, isReplay: before !== undefined };
  });
  return done.lines;
}

async function receive(
  deps: OperatorDeps,
  {
    number,
    amount,
    reference,
    operator,
  }: { number: string; amount: string; reference: string; operator: string },
): Promise<readonly string[]> {
  const amountCents = parseMoney(amount);
  if (!amountCents) throw new Problem("invalid_input", { what: "montant" });
  const proof = reference.trim().slice(0, 140);
  if (!proof) throw new Problem("invalid_input", { what: "référence du virement" });
  const row = await byNumber(deps.db, number);
  const at = deps.now();
  const repeated = [row.number, formatTypedMoney(amountCents), proof];
  const call = { command: "invoices transfer-received", arguments: repeated, account: operator };
  const noted = await byTwoAccounts(deps, call, async (tx) => {
    const by = { by: "transfer" as const, reference: proof, at };
    const done = await settleInvoice(tx, { invoiceId: row.id, amountCents, ...by });
    if (!done.replayed) await announceReceived(tx, deps, { ...row, ...done, amountCents, at });
    const left = `reste ${formatMoney(done.openCents)}`;
    const line = done.replayed
      ? `Ce virement était déjà noté sur ${row.number}, ${left}.`
      : `${formatMoney(amountCents)} notés sur ${row.number}, ${left}.`;
    return { lines: [line], isReplay: done.replayed };
  });
  return noted.lines;
}

async function states(
  deps: OperatorDeps,
  {
    number,
    code,
    reason,
    operator,
  }: { number: string; code: string | undefined; reason: string | undefined; operator: string },
): Promise<readonly string[]> {
  const { id } = await byNumber(deps.db, number);
  if (code !== undefined) {
    await noteEvent(deps.db, { id, code: Number(code), reason, by: operator, at: deps.now() });
  }
  const lines = await readEvents(deps.db, id);
  return lines.length > 0 ? lines : ["Aucun état reçu."];
}
