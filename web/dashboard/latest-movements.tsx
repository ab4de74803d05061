// The three latest operations; all of them, with filters and documents, come with « Tout voir ».
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Table } from "#web/ui/table.tsx";
import { lineColumns } from "#web/wallet/movement-line.tsx";
import styles from "./dashboard.module.css";

const AllMovements = lazy(async () => ({
  default: (await import("#web/wallet/all-movements.tsx")).AllMovements,
}));

const columns = lineColumns({ day: true });
const visibleCount = 3;

export function LatestMovements({ wallet }: { wallet: string }) {
  const [search, change] = useSearchParameters<"dashboard">();
  const whole = search.tab === "operations";
  return (
    <div className={styles.dashboardTab}>
      <div className={styles.latestHead}>
        <h2 className={styles.latestTitle}>
          {whole ? "Toutes les opérations" : "Dernières opérations"}
        </h2>
        <Button
          kind="ghost"
          size="small"
          aria-expanded={whole}
          onClick={() => change({ tab: whole ? undefined : "operations" })}
        >
          {whole ? "Voir moins" : "Tout voir"}
        </Button>
      </div>
      {whole ? (
        <Suspense fallback={<Skeleton lines={8} height="3.25rem" />}>
          <AllMovements wallet={wallet} />
        </Suspense>
      ) : (
        <Latest wallet={wallet} />
      )}
    </div>
  );
}

/** The latest operations of a wallet; asked for before they are drawn, they are there by then. */
export const useLatest = (wallet: string | null) =>
  useAnswer(
    api.wallet.movements,
    { objectID: wallet ?? "", limit: visibleCount },
    { enabled: wallet !== null },
  );

function Latest({ wallet }: { wallet: string }) {
  const list = useLatest(wallet);
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des opérations…"
        skeleton={
          <div className={styles.latest}>
            <Skeleton lines={visibleCount} height="3.25rem" />
          </div>
        }
        failed="Les opérations n’ont pas pu être chargées."
      />
    );
  }
  if (list.data.items.length === 0) {
    return (
      <EmptyState icon="wallet" title="Aucune opération pour le moment">
        Vos recharges, vos virements et vos achats s’afficheront ici.
      </EmptyState>
    );
  }
  return (
    <div className={styles.latest}>
      <Table
        caption="Dernières opérations"
        columns={columns}
        rows={list.data.items}
        keyOf={(row) => row.id}
        head={false}
      />
    </div>
  );
}
