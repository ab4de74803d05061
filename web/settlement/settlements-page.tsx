// « Règlements »: what a company is owed now, and its settled months. The month that is open is in the
// address, its statement in a file of its own.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { companyCan } from "#contract/companies/roles.ts";
import { formatMonth, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SettlementAmounts } from "#contract/settlement/rows.ts";
import { statementNames } from "#contract/settlement/statement-words.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { type Pages, usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";
import { OwedNow } from "./owed-now.tsx";
import { Terms } from "./terms.tsx";

const Statement = lazy(async () => ({ default: (await import("./statement.tsx")).Statement }));

export function SettlementsPage() {
  const company = useAnswer(api.companies.mine, {});
  const [{ month: monthParam = "" }] = useSearchParameters<"settlements">();
  const mine = company.data?.company ?? null;
  const month = /^20\d\d-(0[1-9]|1[0-2])$/.test(monthParam) ? monthParam : null;
  return (
    <Page>
      <PageHeader
        title="Règlements"
        lead={mine?.name ?? (company.isPending && "\u00a0")}
        {...(month && { back: { href: paths.settlements, label: "Tous les mois" } })}
      />
      {!company.data && (
        <NotLoaded answer={company} {...wait} failed="Vos règlements n’ont pas pu être chargés." />
      )}
      {company.data && (!mine || !companyCan.seeMoney(mine.roles)) && <NotYours />}
      {mine && companyCan.seeMoney(mine.roles) && month && (
        <Suspense fallback={<Skeleton lines={8} height="3.5rem" />}>
          <Statement key={month} month={month} />
        </Suspense>
      )}
      {mine && companyCan.seeMoney(mine.roles) && !month && <Overview />}
    </Page>
  );
}

const wait = { label: "Chargement des règlements…", lines: 5, height: "4rem" };

/** Drawn at once when all is there: how tall each part is is not known before. */
function Overview() {
  const owed = useAnswer(api.settlement.summary, {}, { atOnce: true });
  const months = usePages(api.settlement.list, { limit: 12 }, { by: "before" });
  const terms = useAnswer(api.settlement.terms, {});
  const awaited = [owed, months, terms].find(({ data, error }) => !data && !error);
  if (awaited) return <NotLoaded answer={awaited} {...wait} />;
  return (
    <>
      <OwedNow answer={owed} />
      <Months list={months} />
      <Terms answer={terms} />
    </>
  );
}

const NotYours = () => (
  <EmptyState
    icon="lock"
    title="Les règlements sont réservés au responsable et au comptable"
    action={<ButtonLink href={paths.dashboard}>Retour à l’accueil</ButtonLink>}
  >
    Demandez à la personne responsable de votre entreprise de vous donner ce rôle.
  </EmptyState>
);

const columns: Column<SettlementAmounts>[] = [
  {
    key: "month",
    label: "Mois",
    place: "title",
    cell: ({ month }) => (
      <Link href={linkTo(paths.settlements, {}, { month })}>{formatMonth(`${month}-01`)}</Link>
    ),
  },
  {
    key: "gross",
    label: statementNames.gross,
    align: "end",
    cell: ({ grossCents }) => <Money cents={grossCents} />,
  },
  {
    key: "commission",
    label: statementNames.withVat,
    align: "end",
    cell: ({ commissionCents }) => <Money cents={commissionCents} />,
  },
  {
    key: "net",
    label: statementNames.net,
    align: "end",
    cell: ({ netCents }) => <Money cents={netCents} />,
  },
  {
    key: "paid",
    label: statementNames.paid,
    align: "end",
    place: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
];

const Months = ({ list }: { list: Pages<typeof api.settlement.list> }) => (
  <Section title="Mois clos">
    <QueryTable
      list={list}
      failed="Les mois n’ont pas pu être chargés."
      empty={
        <EmptyState icon="calendar" title="Aucun mois clos">
          Chaque mois est clos au début du suivant. Son relevé explique alors chaque centime, de la
          vente au versement.
        </EmptyState>
      }
      caption="Mois clos"
      columns={columns}
      keyOf={({ month }) => month}
      countLabel={(count) => plural(count, "mois affiché", "mois affichés")}
    />
  </Section>
);
