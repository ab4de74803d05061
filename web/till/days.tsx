// The days of a counter, a month at a time: each with its totals, beside the same weekday a week before, and leading to
// its sales. Month and cashier are in the address.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { firstOfMonth, startOfWeek, todayInParis } from "#contract/days.ts";
import {
  capital,
  formatCount,
  formatMoney,
  formatMonth,
  formatShortDay,
  plural,
} from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { sumOfTotals } from "#contract/till/closings.ts";
import { netOf, type TillDay, weekDifference } from "#contract/till/days.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { IconButton } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded } from "#web/ui/state.tsx";
import { type Column, RowLink, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { CashierFilter } from "./cashier-filter.tsx";
import { saleSearchOf } from "./sale-search.ts";
import styles from "./till.module.css";

/** `children` stand below it, once it is known how many days there are. */
export function Days({ partner, children }: { partner: string; children: ReactNode }) {
  const [parameters, change] = useSearchParameters<"till">();
  const { month = "" } = parameters;
  const { cashier } = saleSearchOf(parameters);
  const current = firstOfMonth(todayInParis());
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(month);
  const first = isMonth && `${month}-01` < current ? `${month}-01` : current;
  const search = { partner, month: first.slice(0, 7), ...(cashier !== undefined && { cashier }) };
  const answer = useAnswer(api.till.days, search, { atOnce: true, keepShown: true });
  const go = (ahead: number) => {
    const to = firstOfMonth(first, ahead);
    change({ month: to === current ? undefined : to.slice(0, 7) });
  };
  const failed = "Le fichier n’a pas pu être préparé.";
  return (
    <>
      <Section>
        <Row spread>
          <Row gap={8} wrap={false}>
            <IconButton icon="left" label="Mois précédent" onClick={() => go(-1)} />
            <h2 className={styles.month} aria-live="polite">
              {capital(formatMonth(first))}
            </h2>
            {first < current && (
              <IconButton icon="right" label="Mois suivant" onClick={() => go(1)} />
            )}
          </Row>
          <CashierFilter
            partner={partner}
            cashier={cashier}
            onCashier={(chosen) => change({ cashier: chosen })}
          />
          <Row gap={8}>
            <DownloadButton row={api.till.daysPdf} input={search} size="small" failed={failed}>
              PDF<span className="unseen"> des jours du mois</span>
            </DownloadButton>
            <DownloadButton
              row={api.till.daysFile}
              input={search}
              icon="download"
              size="small"
              failed={failed}
            >
              CSV<span className="unseen"> des jours du mois</span>
            </DownloadButton>
          </Row>
        </Row>
        <Loaded
          answer={answer}
          label="Chargement des jours…"
          lines={6}
          height="3.25rem"
          failed="Les jours n’ont pas pu être chargés."
        >
          {({ items }) => <Month days={items} />}
        </Loaded>
      </Section>
      {!isFirstRead(answer) && children}
    </>
  );
}

function Month({ days }: { days: readonly TillDay[] }) {
  const [{ counter, mode, cashier }] = useSearchParameters<"till">();
  if (days.length === 0) {
    return (
      <EmptyState icon="calendar" title="Rien ce mois-ci">
        Chaque jour avec une vente ou un remboursement s’inscrira ici.
      </EmptyState>
    );
  }
  const month = sumOfTotals(days.flatMap(({ cashiers }) => cashiers));
  const salesOf = (day: string) =>
    linkTo(
      paths.till,
      {},
      {
        tab: "ventes",
        from: day,
        to: day,
        cashier,
        counter,
        mode: mode === "caisse" ? mode : undefined,
      },
    );
  return (
    <Stack>
      <Row spread>
        <Money cents={netOf(month)} size="large" />
        <Text tone="soft">
          {plural(month.sales, "vente payée", "ventes payées")}
          {month.returnedCents > 0 && `, ${formatMoney(month.returnedCents)} rendus déduits`}
        </Text>
      </Row>
      <Table
        caption="Jours du mois"
        columns={columnsOf(salesOf)}
        rows={days}
        keyOf={({ day }) => day}
        groupOf={({ day }) => `semaine du ${formatShortDay(startOfWeek(day))}`}
      />
      <Text tone="soft" size="fine">
        L’écart se compte avec le même jour, une semaine plus tôt. Une vente faite sans réseau
        compte le jour où elle a été faite, même envoyée plus tard.
      </Text>
    </Stack>
  );
}

const columnsOf = (salesOf: (day: string) => string): Column<TillDay>[] => [
  {
    key: "day",
    label: "Jour",
    place: "title",
    cell: ({ day, cashiers }) => (
      <>
        <RowLink href={salesOf(day)}>
          {capital(formatShortDay(day))}
          <span className="unseen">, voir ses ventes</span>
        </RowLink>
        {cashiers.length > 1 && (
          <Text tone="soft" size="small" weight="normal">
            {cashiers.map((one) => `${one.cashier}\u00a0${formatMoney(netOf(one))}`).join(" · ")}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "sales",
    label: "Ventes",
    align: "end",
    cell: ({ cashiers }) => formatCount(sumOfTotals(cashiers).sales),
  },
  {
    key: "paid",
    label: "Encaissé",
    align: "end",
    place: "wide",
    cell: ({ cashiers }) => <Money cents={sumOfTotals(cashiers).paidCents} />,
  },
  {
    key: "returned",
    label: "Rendu",
    align: "end",
    place: "wide",
    cell: ({ cashiers }) => <Money cents={-sumOfTotals(cashiers).returnedCents} />,
  },
  {
    key: "difference",
    label: "Écart sur 7 jours",
    align: "end",
    cell: (one) => {
      const difference = weekDifference(one);
      return difference === null ? null : formatMoney(difference, { signed: true });
    },
  },
  {
    key: "net",
    label: "Net",
    align: "end",
    place: "end",
    cell: ({ cashiers }) => <Money cents={netOf(sumOfTotals(cashiers))} />,
  },
];
