// The movements of a wallet: filters, server pages by key, statement and export. The dashboard and
// the wallet's own history show the same list.
import { lazy, Suspense, useMemo } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, plural, spokenDay } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import type { Movement } from "#contract/wallet/rows.ts";
import type { TopUpTarget } from "#contract/wallet/top-up-path.ts";
import { wholeCents } from "#contract/wallet/whole.ts";
import { usePages } from "#web/app/transport/pages.ts";
import { Button } from "#web/ui/button.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";
import { isFiltered, MovementFilterBar, type MovementFilters } from "./movement-filters.tsx";
import { lineColumns } from "./movement-line.tsx";
import styles from "./movements.module.css";

const MovementDocuments = lazy(async () => ({
  default: (await import("./movement-documents.tsx")).MovementDocuments,
}));

/**
 * `wallet` is the public id of the wallet; `filters` are the caller's, who keeps them in the address.
 * With `topUps`, the wallet, each top-up links to its status and receipt.
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
  topUps?: TopUpTarget;
}) {
  const columns = useMemo(() => columnsOf(topUps), [topUps]);
  const list = usePages(
    api.wallet.movements,
    { objectID: wallet, limit: lists.defaultLimit, ...filters },
    { by: "before", keep: true },
  );
  return (
    <div className={styles.movements}>
      <MovementFilterBar filters={filters} onFilters={onFilters} />
      <div className={styles.movementList} aria-busy={list.isPlaceholderData || undefined}>
        <QueryTable
          list={list}
          label="Chargement des opérations…"
          lines={8}
          height="3.25rem"
          failed="Les opérations n’ont pas pu être chargées."
          empty={<Nothing filtered={isFiltered(filters)} onClear={() => onFilters({})} />}
          caption="Opérations"
          columns={columns}
          keyOf={(row) => row.id}
          groupOf={(row) => spokenDay(row.at)}
          countLabel={(count) => plural(count, "opération affichée", "opérations affichées")}
        />
      </div>
      <Suspense fallback={<div className={styles.movementDocuments} />}>
        <MovementDocuments wallet={wallet} filters={filters} />
      </Suspense>
    </div>
  );
}

const columnsOf = (topUps: TopUpTarget | undefined): Column<Movement>[] => [
  ...lineColumns({ day: false, topUps }).map((column) =>
    column.place === "title"
      ? {
          ...column,
          cell: (row: Movement) => (
            <>
              {column.cell(row)}
              <Parts movement={row} />
            </>
          ),
        }
      : column,
  ),
  {
    key: "after",
    label: "Solde après",
    align: "end",
    place: "wide",
    cell: (row) => <Money cents={row.balanceAfterCents} />,
  },
];

/** The parts of an operation, where several lots or wallets took part. */
function Parts({ movement }: { movement: Movement }) {
  const { parts, label, amountCents } = movement;
  if (parts.length === 0) return null;
  const whole = wholeCents(movement);
  const count = `en ${parts.length} parts`;
  return (
    <details className={styles.movementParts}>
      <summary>
        {whole === amountCents
          ? `${amountCents < 0 ? "Payé" : "Rendu"} ${count}`
          : `${formatMoney(Math.abs(whole))} en tout, ${count}`}
        <span className="unseen"> : {label}</span>
      </summary>
      <ul>
        {parts.map((part, index) => (
          <li key={index}>
            <span>{whole === amountCents ? part.label : `${part.wallet} · ${part.label}`}</span>
            <Money cents={part.amountCents} signed />
          </li>
        ))}
      </ul>
    </details>
  );
}

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
