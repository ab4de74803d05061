// The lines of a statement, by pages: each sale with what was kept of it.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { formatCount, formatDate, formatTime } from "#contract/french.ts";
import type { SettlementLine } from "#contract/settlement/rows.ts";
import { lineReference, statementNames } from "#contract/settlement/statement-words.ts";
import {
  settlementLineKindNames,
  settlementSourceNames,
  rateOf,
} from "#contract/settlement/states.ts";
import { keyOf } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, SeeMore, Table } from "#web/ui/table.tsx";

/** Read once they are asked for: the sums above are what most people come for. */
export function StatementLines({ month, count }: { month: string; count: number }) {
  const [open, setOpen] = useState(false);
  return (
    <Section title={`Lignes (${formatCount(count)})`}>
      {open ? (
        <Lines month={month} count={count} />
      ) : (
        <Button icon="document" onClick={() => setOpen(true)}>
          Voir les lignes
        </Button>
      )}
    </Section>
  );
}

function Lines({ month, count }: { month: string; count: number }) {
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.settlement.lines, { month }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.settlement.lines, { month, after: pageParam, limit: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const lines = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.isPending) {
    return (
      <Loading label="Chargement des lignes…">
        <Skeleton lines={6} height="3rem" />
      </Loading>
    );
  }
  if (list.isError && !list.data) {
    return <ErrorState title="Les lignes n’ont pas pu être chargées." answer={list} />;
  }
  return (
    <>
      <Table
        caption="Lignes du relevé"
        columns={columns}
        rows={lines}
        keyOf={({ source, key }) => `${source} ${key}`}
        groupOf={({ at }) => formatDate(at)}
      />
      <SeeMore
        shown={`${formatCount(lines.length)} sur ${formatCount(count)}`}
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}

const columns: Column<SettlementLine>[] = [
  { key: "label", label: "Vente", place: "title", cell: ({ label }) => label },
  { key: "reference", label: statementNames.reference, cell: lineReference },
  { key: "at", label: "Heure", cell: ({ at }) => formatTime(at) },
  {
    key: "kind",
    label: "Nature",
    cell: ({ source, kind }) =>
      kind === "sale" ? settlementSourceNames[source] : settlementLineKindNames[kind],
  },
  {
    key: "commission",
    label: statementNames.commission,
    align: "end",
    cell: ({ commissionCents, commissionBasisPoints }) => (
      <span>
        <Money cents={commissionCents} /> ({rateOf(commissionBasisPoints)})
      </span>
    ),
  },
  {
    key: "amount",
    label: "Montant",
    align: "end",
    place: "end",
    cell: ({ grossCents }) => <Money cents={grossCents} />,
  },
];
