// One document: its lines and VAT, its files, how to pay it, what was paid and credited.
import { lazy, type ReactNode, Suspense } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { formatCount, formatDate, formatMoney } from "#contract/french.ts";
import type { Invoice } from "#contract/invoices/rows.ts";
import { invoiceCan, invoiceKindNames, settlementMeansNames } from "#contract/invoices/states.ts";
import { vatRates } from "#contract/invoices/vat.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { DefinitionList, Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row } from "#web/ui/stack.tsx";
import { NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { InvoiceState } from "./invoice-state.tsx";
import { invoicePath } from "./invoice-path.ts";

const PayInvoice = lazy(async () => ({ default: (await import("./pay-invoice.tsx")).PayInvoice }));

export function OneInvoice({ id }: { id: string }) {
  const answer = useAnswer(api.invoices.one, { invoice: id });
  const invoice = answer.data;
  const [search] = useSearchParameters<"invoices">();
  // Back from the payment page, what became of it is the first thing to read.
  const isBack = (search.payment ?? search.paid) !== undefined;
  const payment = invoice && (
    <Suspense fallback={<Skeleton lines={2} height="4.5rem" />}>
      <PayInvoice invoice={invoice} />
    </Suspense>
  );
  return (
    <Page>
      <PageHeader
        title={invoice ? `${invoiceKindNames[invoice.kind]} ${invoice.number}` : "Facture"}
        lead={invoice?.label ?? "\u00a0"}
        back={{ href: paths.invoices, label: "Factures" }}
      />
      {!invoice && (
        <NotLoaded
          answer={answer}
          label="Chargement de la facture…"
          lines={6}
          height="4rem"
          failed="Ce document n’a pas pu être chargé."
        />
      )}
      {isBack && payment}
      {invoice && (
        <Sides
          main={<Said invoice={invoice} />}
          side={<Owed invoice={invoice}>{!isBack && payment}</Owed>}
        />
      )}
    </Page>
  );
}

function Said({ invoice }: { invoice: Invoice }) {
  const { id, kind, issuedOn, dueOn, corrects, netCents, vatCents, totalCents } = invoice;
  const { prepaidCents } = invoice;
  return (
    <>
      <Section>
        <DefinitionList
          items={[
            { label: "État", value: <InvoiceState invoice={invoice} today={todayInParis()} /> },
            { label: "Date d’émission", value: formatDate(issuedOn) },
            kind === "invoice" ? { label: "Échéance", value: formatDate(dueOn) } : null,
            corrects && {
              label: "Corrige",
              value: <Link href={invoicePath(corrects.id)}>Facture {corrects.number}</Link>,
            },
            { label: "Total hors TVA", value: <Money cents={netCents} /> },
            { label: "TVA", value: <Money cents={vatCents} /> },
            { label: "Total TVA comprise", value: <Money cents={totalCents} /> },
            prepaidCents > 0 ? { label: "Déjà payé", value: <Money cents={prepaidCents} /> } : null,
          ]}
        />
        <Row>
          <DownloadButton
            row={api.invoices.pdf}
            input={{ invoice: id }}
            failed="Le PDF n’a pas pu être préparé."
          >
            Télécharger le PDF
          </DownloadButton>
          <DownloadButton
            row={api.invoices.ubl}
            input={{ invoice: id }}
            kind="ghost"
            icon="download"
            failed="Le fichier UBL n’a pas pu être préparé."
          >
            Fichier UBL
          </DownloadButton>
        </Row>
      </Section>
      <Section title="Détail">
        <Table
          caption="Lignes du document"
          columns={lineColumns}
          rows={[...invoice.lines, ...invoice.allowances.map(toLine)].map((one, place) => ({
            ...one,
            place,
          }))}
          keyOf={({ place }) => place}
        />
      </Section>
      <Section title="TVA par taux">
        <Table
          caption="TVA par taux"
          columns={vatColumns}
          rows={invoice.vat}
          keyOf={({ vat }) => vat}
        />
      </Section>
    </>
  );
}

type ShownLine = Pick<Invoice["lines"][number], "label" | "vat" | "cents"> & {
  quantity?: number;
  unitCents?: number;
};

const toLine = ({ label, vat, cents }: Invoice["allowances"][number]): ShownLine => ({
  label,
  vat,
  cents: -cents,
});

const lineColumns: Column<ShownLine>[] = [
  { key: "label", label: "Désignation", place: "title", cell: ({ label }) => label },
  {
    key: "quantity",
    label: "Quantité",
    align: "end",
    cell: ({ quantity }) => (quantity === undefined ? "—" : formatCount(quantity)),
  },
  {
    key: "unit",
    label: "Prix hors TVA",
    align: "end",
    cell: ({ unitCents }) => (unitCents === undefined ? "—" : formatMoney(unitCents)),
  },
  { key: "vat", label: "TVA", align: "end", cell: ({ vat }) => vatRates[vat].name },
  {
    key: "cents",
    label: "Hors TVA",
    align: "end",
    place: "end",
    cell: ({ cents }) => <Money cents={cents} />,
  },
];

const vatColumns: Column<Invoice["vat"][number]>[] = [
  {
    key: "rate",
    label: "Taux",
    place: "title",
    cell: ({ vat, exemption }) =>
      exemption ? `${vatRates[vat].name}. ${exemption}` : vatRates[vat].name,
  },
  {
    key: "basis",
    label: "Base hors TVA",
    align: "end",
    cell: ({ basisCents }) => <Money cents={basisCents} />,
  },
  {
    key: "vat",
    label: "TVA",
    align: "end",
    place: "end",
    cell: ({ vatCents }) => <Money cents={vatCents} />,
  },
];

/** `children` pay it here. */
function Owed({ invoice, children }: { invoice: Invoice; children: ReactNode }) {
  const { transfer, payments, credits } = invoice;
  return (
    <>
      {invoiceCan.pay(invoice) && (
        <Section title="À payer">
          <p>
            <Money cents={invoice.openCents} size="large" />
          </p>
        </Section>
      )}
      {children}
      {transfer && (
        <Section title="Par virement">
          <DefinitionList
            items={[
              { label: "Bénéficiaire", value: transfer.holder },
              { label: "IBAN", value: transfer.iban.replaceAll(/(.{4})(?=.)/g, "$1\u00a0") },
              { label: "BIC", value: transfer.bic },
              { label: "Référence à rappeler", value: transfer.reference },
            ]}
          />
        </Section>
      )}
      {payments.length > 0 && (
        <Section title={invoice.kind === "invoice" ? "Paiements" : "Remboursements"}>
          <DefinitionList
            items={payments.map(({ means, amountCents, at, reference }) => ({
              label: `${settlementMeansNames[means]}, ${formatDate(at)}${reference ? ` (${reference})` : ""}`,
              value: <Money cents={amountCents} />,
            }))}
          />
        </Section>
      )}
      {credits.length > 0 && (
        <Section title="Avoirs">
          <DefinitionList
            items={credits.map(({ id, number, totalCents }) => ({
              label: `Avoir ${number}`,
              value: <Money cents={-totalCents} />,
              action: <Link href={invoicePath(id)}>Voir l’avoir {number}</Link>,
            }))}
          />
        </Section>
      )}
    </>
  );
}
