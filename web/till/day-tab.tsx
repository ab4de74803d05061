// The day of a counter: totals by cashier since the last closing, the closing, and the closings before.
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDateTime, formatMoney, plural } from "#contract/french.ts";
import type { TillClosing, TillTotals } from "#contract/till/closings.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import { keyOf, readAgain, useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { useObserved } from "#web/app/use-observed.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { Section, Stack } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, SeeMore, Table } from "#web/ui/table.tsx";
import { offlineCharges, sendCharges, waitingAt } from "./offline-charges.ts";

const Losses = lazy(async () => ({ default: (await import("./losses.tsx")).Losses }));

export function DayTab({ counter, mayClose }: { counter: TillCounter; mayClose: boolean }) {
  const answer = useAnswer(api.till.running, { partner: counter.id }, { atOnce: true });
  const [asking, setAsking] = useState(false);
  const waiting = waitingAt(useObserved(offlineCharges), counter.id);
  const closing = useMutation<TillClosing, ApiProblem>({
    mutationFn: async () => {
      // What this device sold without network belongs to this day, as far as it can be sent.
      await sendCharges();
      return call(api.till.close, { partner: counter.id });
    },
    onSuccess: () => setAsking(false),
    onSettled: () => readAgain(api.till.running, api.till.closings),
  });
  if (answer.isPending) {
    return (
      <Loading label="Chargement des totaux…">
        <Skeleton lines={4} height="4rem" />
      </Loading>
    );
  }
  if (answer.isError && !answer.data) {
    return <ErrorState title="Les totaux n’ont pas pu être chargés." answer={answer} />;
  }
  const { since, cashiers } = answer.data;
  return (
    <Stack gap="loose">
      <Section title={since ? `Depuis la clôture du ${formatDateTime(since)}` : "En cours"}>
        {cashiers.length === 0 ? (
          <EmptyState icon="clock" title="Rien à clôturer">
            Les ventes et les remboursements à venir seront comptés ici.
          </EmptyState>
        ) : (
          <>
            <Totals caption="Totaux en cours" cashiers={cashiers} />
            {mayClose && (
              <Button kind="primary" icon="lock" onClick={() => setAsking(true)}>
                Clôturer la journée
              </Button>
            )}
          </>
        )}
      </Section>
      <Suspense>
        <Losses />
      </Suspense>
      {mayClose && <Closings partner={counter.id} />}
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={"Clôturer la journée\u202f?"}
        confirm="Clôturer"
        loading={closing.isPending}
        onConfirm={() => closing.mutate()}
      >
        Les totaux sont gardés sous le numéro suivant et ne changent plus. Un remboursement fait
        plus tard compte dans la journée suivante, comme un achat hors connexion débité plus tard.
        {waiting.count > 0 && (
          <Banner tone="warning">
            {plural(
              waiting.count,
              "achat hors connexion attend",
              "achats hors connexion attendent",
            )}{" "}
            sur cet appareil ({formatMoney(waiting.paidCents)})&#8239;: envoi d’abord.
          </Banner>
        )}
        <ProblemBanner problem={closing.error} />
      </AlertDialog>
    </Stack>
  );
}

const columns: Column<TillTotals>[] = [
  { key: "cashier", label: "Encaissé par", place: "title", cell: ({ cashier }) => cashier },
  { key: "sales", label: "Ventes", align: "end", cell: ({ sales }) => sales },
  {
    key: "paid",
    label: "Encaissé",
    align: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
  {
    key: "discount",
    label: "Remises",
    align: "end",
    cell: ({ discountCents }) => <Money cents={discountCents} />,
  },
  {
    key: "returned",
    label: "Rendu",
    align: "end",
    cell: ({ returnedCents }) => <Money cents={returnedCents} />,
  },
  {
    key: "net",
    label: "Net",
    align: "end",
    place: "end",
    cell: ({ paidCents, returnedCents }) => <Money cents={paidCents - returnedCents} />,
  },
];

const sumOf = (cashiers: readonly TillTotals[], read: (one: TillTotals) => number): number =>
  cashiers.reduce((sum, one) => sum + read(one), 0);

/** One line for each cashier, and their sum where they are several. */
function Totals({ caption, cashiers }: { caption: string; cashiers: readonly TillTotals[] }) {
  const total: TillTotals = {
    cashier: "Total",
    sales: sumOf(cashiers, ({ sales }) => sales),
    paidCents: sumOf(cashiers, ({ paidCents }) => paidCents),
    discountCents: sumOf(cashiers, ({ discountCents }) => discountCents),
    returnedCents: sumOf(cashiers, ({ returnedCents }) => returnedCents),
  };
  const lines = cashiers.length > 1 ? [...cashiers, total] : cashiers;
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={lines}
      keyOf={(line) => `${lines.indexOf(line)}`}
    />
  );
}

function Closings({ partner }: { partner: string }) {
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.till.closings, { partner }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.till.closings, { partner, before: pageParam, limit: 5 }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const closings = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.isPending) {
    return (
      <Loading label="Chargement des clôtures…">
        <Skeleton lines={3} height="4rem" />
      </Loading>
    );
  }
  if (list.isError && !list.data) {
    return <ErrorState title="Les clôtures n’ont pas pu être chargées." answer={list} />;
  }
  if (closings.length === 0) return null;
  return (
    <Stack>
      {closings.map(({ number, until, closedBy, cashiers }) => (
        <Section key={number} title={`Clôture n° ${number}, ${formatDateTime(until)}`}>
          <p>Par {closedBy}</p>
          <Totals caption={`Totaux de la clôture n° ${number}`} cashiers={cashiers} />
        </Section>
      ))}
      <SeeMore
        shown={plural(closings.length, "clôture affichée", "clôtures affichées")}
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </Stack>
  );
}
