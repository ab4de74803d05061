// The sales of a counter, newest first, searched by what the address says: cancelled within a quarter of an
// hour, refunded later.
import { lazy, type ReactNode, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, formatTime, plural, spokenDay } from "#contract/french.ts";
import { referenceOf } from "#contract/reference.ts";
import { lineWords } from "#contract/till/lines.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { tillSaleCan, tillSaleStateNames } from "#contract/till/states.ts";
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
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { cancelWordsOf, discountWordsOf, payerOf, pointWordsOf, saleTones } from "./till-words.ts";
import { isSearched, noSearch, type SaleSearch, saleSearchOf } from "./sale-search.ts";
import { useUndoSale } from "./use-till.ts";
import styles from "./till.module.css";

const Refunds = lazy(async () => ({ default: (await import("./refund-dialog.tsx")).Refunds }));
const SaleFilters = lazy(async () => ({
  default: (await import("./sale-filters.tsx")).SaleFilters,
}));

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
      <Suspense fallback={<Skeleton lines={1} height="7rem" />}>
        <SaleFilters partner={counter.id} search={search} onChange={change} seesAll={seesMoney} />
      </Suspense>
      <Sales
        list={list}
        mayRefund={seesMoney}
        empty={
          searched ? (
            <EmptyState
              icon="search"
              title="Aucune vente ne correspond"
              action={<Button onClick={() => change(noSearch)}>Voir toutes les ventes</Button>}
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

function Sales({
  list,
  mayRefund,
  empty,
}: {
  list: ReturnType<typeof useSales>;
  mayRefund: boolean;
  empty: ReactNode;
}) {
  const [undone, setUndone] = useState<TillSale | null>(null);
  const [refunded, setRefunded] = useState<TillSale | null>(null);
  const undo = useUndoSale();
  const now = list.readAt;
  const acts = (sale: TillSale) => (
    <Row>
      {isUndoable(sale, now) && (
        <Button size="small" onClick={() => setUndone(sale)}>
          {sale.state === "requested" ? "Abandonner" : "Annuler"}
          <span className="unseen"> l’achat de {formatTime(sale.at)}</span>
        </Button>
      )}
      {(sale.refundedCents > 0 || (mayRefund && tillSaleCan.refund(sale))) && (
        <Button size="small" onClick={() => setRefunded(sale)}>
          {mayRefund && tillSaleCan.refund(sale) ? "Rembourser" : "Ce qui a été rendu"}
          <span className="unseen">
            {mayRefund && tillSaleCan.refund(sale) ? " l’achat de " : " de l’achat de "}
            {formatTime(sale.at)}
          </span>
        </Button>
      )}
    </Row>
  );
  return (
    <Stack>
      <QueryTable
        list={list}
        empty={empty}
        caption="Ventes"
        columns={columnsOf(acts)}
        keyOf={({ id }) => id}
        groupOf={({ at }) => spokenDay(at)}
        countLabel={(count) => plural(count, "vente affichée", "ventes affichées")}
      />
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
        title={
          refunded && mayRefund && tillSaleCan.refund(refunded)
            ? "Rembourser un achat"
            : "Remboursements d’un achat"
        }
      >
        {refunded && (
          <Suspense fallback={<Skeleton lines={3} height="2.5rem" />}>
            <Refunds sale={refunded} mayRefund={mayRefund} onDone={() => setRefunded(null)} />
          </Suspense>
        )}
      </Dialog>
    </Stack>
  );
}

const isUndoable = (sale: TillSale, now: number): boolean =>
  sale.until !== null &&
  Date.parse(sale.until) > now &&
  (tillSaleCan.withdraw(sale) || tillSaleCan.cancel(sale));

const columnsOf = (acts: (sale: TillSale) => ReactNode): Column<TillSale>[] => [
  {
    key: "who",
    label: "Carte",
    place: "title",
    cell: (sale) => (
      <span>
        {payerOf(sale)}
        <Text as="span" tone="soft">
          {" "}
          · {formatTime(sale.at)}
          {" · "}
          <Text as="span" noWrap>
            {referenceOf(sale.id)}
          </Text>
          {sale.label && ` · ${sale.label}`}
          {sale.lines.length > 0 && ` · ${lineWords(sale.lines)}`}
          {discountWordsOf(sale) && ` · ${discountWordsOf(sale)}`}
          {pointWordsOf(sale) && ` · ${pointWordsOf(sale)}`}
        </Text>
      </span>
    ),
  },
  { key: "cashier", label: "Encaissé par", place: "wide", cell: ({ cashier }) => cashier },
  {
    key: "state",
    label: "État",
    cell: (sale) => (
      <div className={styles.state}>
        <span>
          <Badge tone={saleTones[sale.state]}>{tillSaleStateNames[sale.state]}</Badge>
          {sale.state === "paid" && sale.refundedCents > 0 && (
            <Text as="span" tone="soft">
              {" "}
              {formatMoney(sale.refundedCents)} rendus
            </Text>
          )}
        </span>
        {acts(sale)}
      </div>
    ),
  },
  {
    key: "amount",
    label: "Montant",
    align: "end",
    place: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
];
