// The list of invoices and credit notes with what is owed; the filter and the year are in the address.
import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { formatMoney, plural } from "#contract/french.ts";
import { type InvoiceFilter, invoiceFilters } from "#contract/invoices/rows.ts";
import { keyOf } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { DownloadButton } from "#web/app/download-button.tsx";
import { useSearchParameters } from "#web/app/search.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Chips, Select } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section, Stack } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { SeeMore } from "#web/ui/table.tsx";
import { InvoiceTable } from "./invoice-table.tsx";
import styles from "./invoices.module.css";

const filterNames: Readonly<Record<InvoiceFilter, string>> = {
  open: "À payer",
  late: "En retard",
  paid: "Payées",
  credit_notes: "Avoirs",
};
const everything = "all";

const waiting = (
  <Loading label="Chargement des factures…">
    <Skeleton lines={6} height="4rem" />
  </Loading>
);

export function InvoiceList() {
  const [search, change] = useSearchParameters();
  const state = invoiceFilters.find((one) => one === search["etat"]);
  const year = /^2\d{3}$/.test(search["annee"] ?? "") ? Number(search["annee"]) : undefined;
  const asked = { ...(state && { state }), ...(year !== undefined && { year }) };
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.invoices.list, asked), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.invoices.list, { ...asked, before: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: (before) => before,
  });
  const first = list.data?.pages[0];
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const barred = isBarred(list.error);
  return (
    <Page>
      <PageHeader title="Factures" lead={first ? owedWords(first) : "\u00a0"} />
      {list.isPending && waiting}
      {barred && !first && (
        <EmptyState
          icon="lock"
          title="Les factures ne vous sont pas ouvertes"
          action={<ButtonLink href="/dashboard">Revenir à l’accueil</ButtonLink>}
        >
          {list.error?.message}
        </EmptyState>
      )}
      {list.isError && !first && !barred && (
        <ErrorState title="Les factures n’ont pas pu être chargées." answer={list} />
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
                onValue={(value) => change({ etat: value === everything ? undefined : value })}
              />
              <div className={styles.year}>
                <Select
                  label="Année"
                  value={String(year ?? everything)}
                  options={[
                    { value: everything, label: "Toutes" },
                    ...first.years.map((one) => ({ value: String(one), label: String(one) })),
                  ]}
                  onValue={(value) => change({ annee: value === everything ? undefined : value })}
                />
              </div>
              <DownloadButton
                row={api.invoices.file}
                input={asked}
                icon="download"
                failed="Le fichier n’a pas pu être préparé."
              >
                Exporter en CSV
              </DownloadButton>
            </search>
            {items.length === 0 ? (
              <EmptyState
                icon="document"
                title="Aucun document ne correspond"
                action={
                  <Button onClick={() => change({ etat: undefined, annee: undefined })}>
                    Voir toutes les factures
                  </Button>
                }
              >
                Choisissez un autre état ou une autre année.
              </EmptyState>
            ) : (
              <>
                <InvoiceTable invoices={items} />
                <SeeMore
                  shown={plural(items.length, "document affiché", "documents affichés")}
                  more={list.hasNextPage}
                  loading={list.isFetchingNextPage}
                  onMore={() => void list.fetchNextPage()}
                />
              </>
            )}
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
