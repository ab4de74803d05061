// The movements of a wallet: filters, server pages by key, statement and export. The dashboard and
// the wallet's own history show the same list.
import { keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { type Movement, type MovementKind, movementKindNames } from "#contract/wallet.ts";
import { keyOf } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { save } from "#web/app/save.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { type Column, SeeMore, Table } from "#web/ui/table.tsx";
import { isFiltered, MovementFilterBar, type MovementFilters } from "./movement-filters.tsx";
import "./movements.css";

const icons: Record<MovementKind, IconName> = {
  top_up: "plus",
  transfer_in: "incoming",
  transfer_out: "outgoing",
  purchase: "card",
  meal: "meal",
  grant: "gift",
  refund: "refresh",
  expiry: "clock",
  dispute: "warning",
  correction: "edit",
};

/**
 * `wallet` is the public id of the wallet; `filters` are the caller's, who keeps them in the address.
 * `topUps` is the path of its recharge, under which a top-up is followed and its receipt is had.
 */
export function Movements({
  wallet,
  filters,
  onFilters,
  topUps,
}: {
  wallet: string;
  filters: MovementFilters;
  onFilters: (filters: MovementFilters) => void;
  topUps?: string;
}) {
  const columns = useMemo(() => columnsOf(topUps), [topUps]);
  const list = useInfiniteQuery({
    queryKey: [...keyOf(api.wallet.movements, { objectID: wallet, ...filters }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.wallet.movements,
        { objectID: wallet, limit: lists.defaultLimit, before: pageParam, ...filters },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="movements">
      <MovementFilterBar filters={filters} onFilters={onFilters} />
      {list.isPending && (
        <Loading label="Chargement des opérations…">
          <Skeleton lines={8} height="3.25rem" />
        </Loading>
      )}
      {list.isError && rows.length === 0 && (
        <ErrorState
          title="Les opérations n’ont pas pu être chargées."
          message={list.error.message}
          retrying={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && rows.length === 0 && (
        <Nothing filtered={isFiltered(filters)} onClear={() => onFilters({})} />
      )}
      {rows.length > 0 && (
        <div className="movement-list" aria-busy={list.isPlaceholderData || undefined}>
          <Table caption="Opérations" columns={columns} rows={rows} keyOf={(row) => row.id} />
          {list.isError && (
            <Banner tone="danger" alert title="La suite n’a pas pu être chargée.">
              {list.error.message}
            </Banner>
          )}
          <SeeMore
            shown={plural(rows.length, "opération affichée", "opérations affichées")}
            more={list.hasNextPage}
            loading={list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        </div>
      )}
      <Documents wallet={wallet} filters={filters} />
    </div>
  );
}

const columnsOf = (topUps: string | undefined): Column<Movement>[] => [
  {
    key: "label",
    label: "Opération",
    place: "title",
    cell: (row) => (
      <span className="movement">
        <span className="movement-icon" data-incoming={row.amountCents > 0 || undefined}>
          <Icon name={icons[row.kind]} size={20} />
        </span>
        <span className="movement-words">
          <span className="movement-label">
            {topUps && row.topUp ? (
              <Link href={`${topUps}?recharge=${row.topUp}`}>{row.label}</Link>
            ) : (
              row.label
            )}
          </span>
          <span className="movement-about">
            <span className="movement-kind">{movementKindNames[row.kind]} · </span>
            <DateText at={row.at} time />
          </span>
        </span>
      </span>
    ),
  },
  {
    key: "amount",
    label: "Montant",
    align: "end",
    place: "end",
    cell: (row) => <Money cents={row.amountCents} signed />,
  },
  {
    key: "after",
    label: "Solde après",
    align: "end",
    cell: (row) => <Money cents={row.balanceAfterCents} />,
  },
];

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState icon="wallet" title="Aucune opération pour le moment">
        Vos recharges, vos virements et vos achats s’afficheront ici.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="search"
      title="Aucune opération ne correspond"
      action={<Button onClick={onClear}>Effacer les filtres</Button>}
    >
      Essayez une autre période ou un autre mot.
    </EmptyState>
  );
}

/** Statement and export of what the filters show. The statement takes the period alone. */
function Documents({ wallet, filters }: { wallet: string; filters: MovementFilters }) {
  const { from, to } = filters;
  const statement = useMutation({
    mutationFn: async () => save(await call(api.wallet.statement, { objectID: wallet, from, to })),
  });
  const table = useMutation({
    mutationFn: async () =>
      save(await call(api.wallet.exportCsv, { objectID: wallet, ...filters })),
  });
  const error = statement.error ?? table.error;
  return (
    <div className="movement-documents">
      <Button
        size="small"
        icon="document"
        loading={statement.isPending}
        onClick={() => statement.mutate()}
      >
        Télécharger le relevé (PDF)
      </Button>
      <Button size="small" icon="download" loading={table.isPending} onClick={() => table.mutate()}>
        Exporter (CSV)
      </Button>
      {error && (
        <Banner tone="danger" alert title="Le document n’a pas pu être préparé.">
          {error.message}
        </Banner>
      )}
    </div>
  );
}
