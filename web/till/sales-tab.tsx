// The sales of a counter, newest first and by day with each day's total, searched by what the address says; a row
// opens the panel of its sale.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { parisDay } from "#contract/days.ts";
import { formatMoney, formatTime, plural, spokenDay } from "#contract/french.ts";
import { lineWords } from "#contract/till/lines.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { shownStateOf, tillSaleFilterNames } from "#contract/till/sales.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { type Column, RowButton } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { cancelWordsOf, payerOf, saleTones } from "./till-words.ts";
import { SaleFilters } from "./sale-filters.tsx";
import { isSearched, noSearch, type SaleSearch, saleSearchOf } from "./sale-search.ts";
import { useOpenSale } from "./use-open-sale.ts";
import { useUndoSale } from "./use-till.ts";
import styles from "./till.module.css";

const Refund = lazy(async () => ({ default: (await import("./refund-dialog.tsx")).Refund }));
const SalePanel = lazy(async () => ({ default: (await import("./sale-panel.tsx")).SalePanel }));

const useSales = (partner: string, search: SaleSearch) =>
  usePages(api.till.sales, { partner, ...search }, { by: "before", keep: true });

const noSales = (
  <EmptyState icon="wallet" title="Aucune vente">
    Les achats encaissés ici seront listés, avec leur remboursement.
  </EmptyState>
);

export function SalesTab({ counter, seesMoney }: { counter: TillCounter; seesMoney: boolean }) {
  const [parameters, change] = useSearchParameters<"till">();
  const search = saleSearchOf(parameters);
  const list = useSales(counter.id, search);
  const searched = isSearched(search);
  // Whoever clears the last word of a search keeps the field in which they type.
  const [hasSearched, setHasSearched] = useState(searched);
  // Days that were typed go with the filters.
  const [timesCleared, setTimesCleared] = useState(0);
  const clear = () => {
    setTimesCleared(timesCleared + 1);
    change(noSearch);
  };
  if (searched && !hasSearched) setHasSearched(true);
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des ventes…"
        lines={6}
        height="3.5rem"
        failed="Les ventes n’ont pas pu être chargées."
      />
    );
  }
  if (list.items.length === 0 && !hasSearched) return noSales;
  return (
    <Stack>
      <SaleFilters
        partner={counter.id}
        search={search}
        onChange={change}
        onClear={clear}
        timesCleared={timesCleared}
        seesAll={seesMoney}
      />
      <Sales
        list={list}
        mayRefund={seesMoney}
        empty={
          searched ? (
            <EmptyState
              icon="search"
              title="Aucune vente ne correspond"
              action={<Button onClick={clear}>Voir toutes les ventes</Button>}
            >
              Essayez une autre période, ou une référence entière comme 8F3A-21C7.
            </EmptyState>
          ) : (
            noSales
          )
        }
      />
    </Stack>
  );
}

const dayOf = ({ at }: TillSale): string => parisDay(new Date(at));

/** The latest day first, so that a day is one group: a sale asked before midnight may be paid after it. */
const byDay = (sales: readonly TillSale[]): TillSale[] =>
  sales.toSorted((a, b) => dayOf(b).localeCompare(dayOf(a)));

function Sales({
  list,
  mayRefund,
  empty,
}: {
  list: ReturnType<typeof useSales>;
  mayRefund: boolean;
  empty: ReactNode;
}) {
  const sales = byDay(list.items);
  const { id, listed, before, after, open, close, isBeside, place } = useOpenSale(sales);
  const [undone, setUndone] = useState<TillSale | null>(null);
  const [refunded, setRefunded] = useState<TillSale | null>(null);
  const undo = useUndoSale();
  const totals = new Map(list.pages.flatMap(({ days }) => days).map((one) => [one.day, one]));
  const totalOf = (sale: TillSale) => {
    const total = totals.get(dayOf(sale));
    if (!total) return null;
    return (
      <Row gap={8} as="span">
        <Text as="span" tone="soft">
          {plural(total.sales, "vente payée", "ventes payées")}
          {total.refundedCents > 0 && `, ${formatMoney(total.refundedCents)} rendus`}
        </Text>
        <Money cents={total.paidCents - total.refundedCents} />
      </Row>
    );
  };
  const isPanelBeside = isBeside && id !== undefined;
  return (
    <>
      <div ref={place} className={isPanelBeside ? styles.beside : undefined}>
        <Stack>
          <QueryTable
            list={{ ...list, items: sales }}
            empty={empty}
            caption="Ventes"
            columns={columnsOf({ openId: id, onOpen: open, isPanelBeside })}
            keyOf={(sale) => sale.id}
            groupOf={({ at }) => spokenDay(at)}
            groupEnd={totalOf}
            countLabel={(count) => plural(count, "vente affichée", "ventes affichées")}
          />
        </Stack>
        {id !== undefined && (
          <Suspense fallback={isBeside && <Skeleton lines={6} height="3rem" />}>
            <SalePanel
              {...{ id, listed, isBeside, mayRefund }}
              readAt={list.readAt}
              onBefore={before && (() => open(before))}
              onAfter={after && (() => open(after))}
              onClose={close}
              onUndo={setUndone}
              onRefund={setRefunded}
            />
          </Suspense>
        )}
      </div>
      <ConfirmAction
        act={undo}
        input={undone}
        onClose={() => setUndone(null)}
        title={
          undone?.state === "requested"
            ? "Abandonner cette demande\u202f?"
            : "Annuler cet achat\u202f?"
        }
        confirm={undone?.state === "requested" ? "Abandonner" : "Annuler l’achat"}
        cancel="Revenir"
        danger
      >
        {undone?.state === "requested"
          ? "La personne ne pourra plus le confirmer."
          : undone && cancelWordsOf(undone)}
      </ConfirmAction>
      <Dialog
        open={refunded !== null}
        onClose={() => setRefunded(null)}
        title="Rembourser un achat"
      >
        {refunded && (
          <Suspense fallback={<Skeleton lines={3} height="2.5rem" />}>
            <Refund sale={refunded} onDone={() => setRefunded(null)} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}

/** What an open panel says too is left out beside it: the table keeps the width of its other columns. */
const columnsOf = ({
  openId,
  onOpen,
  isPanelBeside,
}: {
  openId: string | undefined;
  onOpen: (sale: TillSale) => void;
  isPanelBeside: boolean;
}): Column<TillSale>[] => [
  {
    key: "who",
    label: "Vente",
    place: "title",
    cell: (sale) => (
      <RowButton
        data-sale={sale.id}
        aria-expanded={sale.id === openId}
        onClick={() => onOpen(sale)}
      >
        <Text as="span" numeric>
          {formatTime(sale.at)}
        </Text>{" "}
        <Text as="span" tone="soft" weight="normal">
          {payerOf(sale)}
        </Text>
      </RowButton>
    ),
  },
  {
    key: "what",
    label: "Objet",
    cell: ({ lines, label }) => [label, lineWords(lines)].filter(Boolean).join(" · ") || null,
  },
  ...(isPanelBeside
    ? []
    : [
        {
          key: "cashier",
          label: "Encaissé par",
          place: "wide" as const,
          cell: ({ cashier }: TillSale) => cashier,
        },
      ]),
  {
    key: "state",
    label: "État",
    cell: (sale) => {
      const state = shownStateOf(sale);
      return (
        <span>
          <Badge tone={saleTones[state]}>{tillSaleFilterNames[state]}</Badge>
          {state === "part" && (
            <Text as="span" tone="soft" size="small">
              {" "}
              {formatMoney(sale.refundedCents)} rendus
            </Text>
          )}
        </span>
      );
    },
  },
  {
    key: "amount",
    label: "Montant",
    align: "end",
    place: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
];
