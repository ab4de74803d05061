// Notices to the people of a company who see its money: a document is issued, a payment has arrived.
import { companyCan } from "#contract/companies/roles.ts";
import { peopleOf } from "#server/companies/companies.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { type InvoiceKind, invoiceKindNames } from "#contract/invoices/states.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";

type MessageDeps = Pick<Deps, "send" | "config">;
const path = paths.invoices;

interface IssuedDocument {
  companyId: string;
  kind: InvoiceKind;
  subject: { kind: string };
  number: string;
  totalCents: number;
  dueCents: number;
  dueOn: string;
  at: Date;
}

/** Announces a new document, with the amount to pay and the due date. */
export async function announceIssued(
  tx: Tx,
  deps: MessageDeps,
  { companyId, kind, subject, number, totalCents, dueCents, dueOn, at }: IssuedDocument,
): Promise<void> {
  const toPay =
    subject.kind === "commission"
      ? "Elle est retenue sur ce qui vous est versé\u202f: rien n'est à payer."
      : dueCents > 0
        ? `${formatMoney(dueCents)} à payer avant le ${formatDate(dueOn)}.`
        : "Rien n'est à payer.";
  await announce(tx, deps, {
    about: "invoice",
    to: await peopleOf(tx, companyId, companyCan.seeMoney),
    title: `${invoiceKindNames[kind]} ${number}`,
    body:
      kind === "invoice"
        ? `Votre facture de ${formatMoney(totalCents)} est disponible. ${toPay}`
        : `Votre avoir de ${formatMoney(totalCents)} est disponible.`,
    path,
    changed: ["invoices"],
    channels: "outside",
    at,
  });
}

/** Announces that a transfer has arrived, and what is still open. */
export async function announceReceived(
  tx: Tx,
  deps: MessageDeps,
  received: {
    companyId: string;
    kind: InvoiceKind;
    number: string;
    amountCents: number;
    openCents: number;
    at: Date;
  },
): Promise<void> {
  const { companyId, kind, number, amountCents, openCents, at } = received;
  const of = kind === "invoice" ? "la facture" : "l'avoir";
  const did = kind === "invoice" ? "reçu pour" : "envoyé pour";
  const left = openCents > 0 ? ` Reste ouvert\u202f: ${formatMoney(openCents)}.` : "";
  await announce(tx, deps, {
    about: "invoice",
    to: await peopleOf(tx, companyId, companyCan.seeMoney),
    title: `Virement de ${formatMoney(amountCents)}`,
    body: `Votre virement est ${did} ${of} ${number}.${left}`,
    path,
    changed: ["invoices"],
    at,
  });
}

/** Announces a payment on the portal: to the payer with the receipt, and to the others who see the money. */
export async function announcePaid(
  tx: Tx,
  deps: MessageDeps,
  paid: {
    companyId: string;
    number: string;
    amountCents: number;
    payer: { id: number; receipt: readonly string[] };
    at: Date;
  },
): Promise<void> {
  const { companyId, number, amountCents, payer, at } = paid;
  await announce(tx, deps, {
    about: "invoice",
    to: await peopleOf(tx, companyId, companyCan.seeMoney),
    title: `Facture ${number} payée`,
    body: `${formatMoney(amountCents)} ont été payés. Plus rien n'est dû sur cette facture.`,
    path,
    changed: ["invoices"],
    payer,
    at,
  });
}
