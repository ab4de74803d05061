// The list of invoices and credit notes with what is owed; the filter and the year are in the address.
import { api } from "#contract/api.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { type InvoiceFilter, invoiceFilters } from "#contract/invoices/rows.ts";
import { paths } from "#contract/paths.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Chips, Select } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { QueryList } from "#web/ui/query-list.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { InvoiceTable } from "./invoice-table.tsx";
import styles from "./invoices.module.css";

const filterNames: Readonly<Record<InvoiceFilter, string>> = {
  open: "À payer",
  late: "En retard",
  paid: "Payées",
  credit_notes: "Avoirs",
};
const everything = "all";

export function InvoiceList() {
  const [search, change] = useSearchParameters<"invoices">();
  const state = invoiceFilters.find((one) => one === search.state);
  const year = /^2\d{3}$/.test(search.year ?? "") ? Number(search.year) : undefined;
  const query = { ...(state && { state }), ...(year !== undefined && { year }) };
  const list = usePages(api.invoices.list, query, { by: "before", keep: true });
  const { first } = list;
  const barred = isBarred(list.error);
  return (
    <Page>
      <PageHeader title="Factures" lead={first ? owedWords(first) : "\u00a0"} />
      {barred && !first && (
        <EmptyState
          icon="lock"
          title="Les factures ne vous sont pas ouvertes"
          action={<ButtonLink href={paths.dashboard}>Revenir à l’accueil</ButtonLink>}
        >
          {list.error?.message}
        </EmptyState>
      )}
      {!first && !barred && (
        <NotLoaded
          answer={list}
          label="Chargement des factures…"
          lines={6}
          height="4rem"
          failed="Les factures n’ont pas pu être chargées."
        />
      )}
      {first?.years.length === 0 && (
        <EmptyState icon="document" title="Aucune facture">
          Vos factures arrivent ici dès qu’elles sont émises, avec leur fichier électronique.
        </EmptyState>
      )}
      {first && first.years.length > 0 && (
        <Section>
          <Stack>
            <search className={styles.search} aria-label="Filtrer les factures">
              <Chips
                label="État"
                options={[
                  { value: everything, label: "Toutes" },
                  ...invoiceFilters.map((value) => ({ value, label: filterNames[value] })),
                ]}
                value={[state ?? everything]}
                onValue={(value) => change({ state: value === everything ? undefined : value })}
              />
              <div className={styles.year}>
                <Select
                  label="Année"
                  value={String(year ?? everything)}
                  options={[
                    { value: everything, label: "Toutes" },
                    ...first.years.map((one) => ({ value: String(one), label: String(one) })),
                  ]}
                  onValue={(value) => change({ year: value === everything ? undefined : value })}
                />
              </div>
              <DownloadButton
                row={api.invoices.file}
                input={query}
                icon="download"
                failed="Le fichier n’a pas pu être préparé."
              >
                Exporter en CSV
              </DownloadButton>
            </search>
            <QueryList
              list={list}
              empty={
                <EmptyState
                  icon="document"
                  title="Aucun document ne correspond"
                  action={
                    <Button onClick={() => change({ state: undefined, year: undefined })}>
                      Voir toutes les factures
                    </Button>
                  }
                >
                  Choisissez un autre état ou une autre année.
                </EmptyState>
              }
              countLabel={(count) => plural(count, "document affiché", "documents affichés")}
            >
              {(items) => <InvoiceTable invoices={items} />}
            </QueryList>
          </Stack>
        </Section>
      )}
    </Page>
  );
}

const isBarred = (error: Error | null): boolean =>
  error !== null &&
  "code" in error &&
  (error.code === "company_role" || error.code === "company_missing");

function owedWords({
  toPay,
  late,
}: {
  toPay: { count: number; cents: number };
  late: { count: number; cents: number };
}): string {
  if (toPay.count === 0) return "Tout est payé.";
  const owed = `${plural(toPay.count, "facture")} à payer, ${formatMoney(toPay.cents)}`;
  return late.count === 0 ? `${owed}.` : `${owed}, dont ${formatMoney(late.cents)} en retard.`;
}
