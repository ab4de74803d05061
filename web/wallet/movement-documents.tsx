// The documents of a list of movements: the statement of an account, and a table for a spreadsheet. They
// come after the list, whose screens are the heaviest.
import { api } from "#contract/api.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { ButtonGroup } from "#web/ui/button-group.tsx";
import type { MovementFilters } from "./movement-filters.tsx";
import styles from "./movements.module.css";

/** Statement and export of what the filters show: the same lines in both. */
export function MovementDocuments({
  wallet,
  filters,
}: {
  wallet: string;
  filters: MovementFilters;
}) {
  const statement = useDownload(api.wallet.statement, { objectID: wallet, ...filters });
  const table = useDownload(api.wallet.exportCsv, { objectID: wallet, ...filters });
  const error = statement.problem ?? table.problem;
  return (
    <div className={styles.movementDocuments}>
      <ButtonGroup label="Documents">
        <Button
          size="small"
          icon="document"
          loading={statement.isPending}
          onClick={() => statement.send()}
        >
          Télécharger le relevé (PDF)
        </Button>
        <Button size="small" icon="download" loading={table.isPending} onClick={() => table.send()}>
          Exporter (CSV)
        </Button>
      </ButtonGroup>
      <ProblemBanner problem={error} title="Le document n’a pas pu être préparé." />
    </div>
  );
}
