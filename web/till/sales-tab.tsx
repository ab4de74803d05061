// The sales of a counter, newest first: cancelled within a quarter of an hour, refunded later.
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, formatTime, plural, spokenDay } from "#contract/french.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { tillSaleCan, tillSaleStateNames } from "#contract/till/states.ts";
import { keyOf } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { AmountInput } from "#web/ui/amount.tsx";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog, Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { type Faults, useForm } from "#web/ui/form.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, SeeMore, Table } from "#web/ui/table.tsx";
import {
  cancelWordsOf,
  payerOf,
  pointWordsOf,
  refundPointWordsOf,
  saleTones,
} from "./till-words.ts";
import { keepSale, useUndoSale } from "./use-till.ts";
import styles from "./till.module.css";

export function SalesTab({ counter, mayRefund }: { counter: TillCounter; mayRefund: boolean }) {
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.till.sales, { partner: counter.id }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(api.till.sales, { partner: counter.id, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const [undone, setUndone] = useState<TillSale | null>(null);
  const [refunded, setRefunded] = useState<TillSale | null>(null);
  const undo = useUndoSale(() => setUndone(null));
  const sales = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.isPending) {
    return (
      <Loading label="Chargement des ventes…">
        <Skeleton lines={6} height="3.5rem" />
      </Loading>
    );
  }
  if (list.isError && !list.data) {
    return <ErrorState title="Les ventes n’ont pas pu être chargées." answer={list} />;
  }
  if (sales.length === 0) {
    return (
      <EmptyState icon="wallet" title="Aucune vente">
        Les achats encaissés ici seront listés, avec leur remboursement.
      </EmptyState>
    );
  }
  const now = list.dataUpdatedAt;
  const acts = (sale: TillSale) => (
    <Row>
      {isUndoable(sale, now) && (
        <Button size="small" onClick={() => setUndone(sale)}>
          {sale.state === "asked" ? "Abandonner" : "Annuler"}
          <span className="unseen"> l’achat de {formatTime(sale.at)}</span>
        </Button>
      )}
      {mayRefund && tillSaleCan.refund(sale) && (
        <Button size="small" onClick={() => setRefunded(sale)}>
          Rembourser<span className="unseen"> l’achat de {formatTime(sale.at)}</span>
        </Button>
      )}
    </Row>
  );
  return (
    <Stack>
      <Table
        caption="Ventes"
        columns={columnsOf(acts)}
        rows={sales}
        keyOf={({ id }) => id}
        groupOf={({ at }) => spokenDay(at)}
      />
      <SeeMore
        shown={plural(sales.length, "vente affichée", "ventes affichées")}
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
      <AlertDialog
        open={undone !== null}
        onClose={() => setUndone(null)}
        title={
          undone?.state === "asked" ? "Abandonner cette demande\u202f?" : "Annuler cet achat\u202f?"
        }
        confirm={undone?.state === "asked" ? "Abandonner" : "Annuler l’achat"}
        cancel="Revenir"
        danger
        loading={undo.isPending}
        onConfirm={() => undone && undo.mutate(undone)}
      >
        {undone?.state === "asked"
          ? "La personne ne pourra plus le confirmer."
          : undone && cancelWordsOf(undone)}
        <ProblemBanner problem={undo.error} />
      </AlertDialog>
      <Dialog
        open={refunded !== null}
        onClose={() => setRefunded(null)}
        title="Rembourser un achat"
      >
        {refunded && <RefundForm sale={refunded} onDone={() => setRefunded(null)} />}
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
        <span className={styles.soft}>
          {" "}
          · {formatTime(sale.at)}
          {sale.label && ` · ${sale.label}`}
          {pointWordsOf(sale) && ` · ${pointWordsOf(sale)}`}
        </span>
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
            <span className={styles.soft}> {formatMoney(sale.refundedCents)} rendus</span>
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

interface Typed {
  amountCents: number | null;
}

function RefundForm({ sale, onDone }: { sale: TillSale; onDone: () => void }) {
  const leftCents = sale.paidCents - sale.refundedCents;
  const sending = useMutation<TillSale, ApiProblem, Typed>({
    mutationFn: ({ amountCents }) =>
      call(api.till.refund, {
        sale: sale.id,
        amountCents: amountCents ?? 0,
        refundedCents: sale.refundedCents,
      }),
    onSuccess: async (done) => {
      onDone();
      await keepSale(done);
    },
  });
  const rules = ({ amountCents: cents }: Typed): Faults<Typed> => ({
    amountCents:
      cents === null || cents < 1
        ? "Indiquez le montant à rendre."
        : cents !== null && cents > leftCents && `Il reste ${formatMoney(leftCents)} à rendre.`,
  });
  const { values, set, errorOf, problem, form } = useForm<Typed>(
    { amountCents: leftCents },
    rules,
    sending,
    { problemFields: { till_too_much: "amountCents" } },
  );
  return (
    <form {...form}>
      <p>
        {payerOf(sale)}, achat de <Money cents={sale.paidCents} />. L’argent revient aux cagnottes
        qui ont payé. {refundPointWordsOf(sale)}
      </p>
      <AmountInput
        label="Montant à rendre"
        cents={values.amountCents}
        onCents={(amountCents) => set({ amountCents })}
        error={errorOf("amountCents")}
      />
      <ProblemBanner problem={problem} />
      <FormActions submit="Rembourser" isSending={sending.isPending} onCancel={onDone} />
    </form>
  );
}
