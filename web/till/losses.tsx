// Charges made without network that no wallet paid: the list that stays, and its file.
import { api } from "#contract/api.ts";
import { formatDateTime, plural } from "#contract/french.ts";
import { lineWords } from "#contract/till/lines.ts";
import { offlineConflictWords, offlineLossWords } from "#contract/till/offline-words.ts";
import type { OfflineLoss } from "#contract/till/offline.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import { ErrorState } from "#web/ui/state.tsx";
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";

/** Nothing where there are none. */
export function Losses() {
  const list = usePages(api.till.offlineLosses, { limit: 10 }, { by: "before" });
  if (list.error && !list.data) {
    return <ErrorState title="Les écarts n’ont pas pu être chargés." answer={list} />;
  }
  if (list.items.length === 0) return null;
  return (
    <Section title="Écarts hors connexion">
      <p>Achats faits sans réseau qu’aucune cagnotte n’a payés. {offlineLossWords}</p>
      <QueryTable
        list={list}
        empty={null}
        caption="Écarts hors connexion"
        columns={columns}
        keyOf={({ id }) => id}
        countLabel={(count) => plural(count, "écart affiché", "écarts affichés")}
      />
      <DownloadButton
        row={api.till.offlineLossesFile}
        input={{}}
        icon="download"
        failed="Le fichier n’a pas pu être préparé."
      >
        Télécharger les écarts (CSV)
      </DownloadButton>
    </Section>
  );
}

const columns: Column<OfflineLoss>[] = [
  {
    key: "sold",
    label: "Vente",
    place: "title",
    cell: ({ soldAt, last4, label, lines, counter }) => (
      <span>
        {formatDateTime(soldAt)}
        <Text as="span" tone="soft">
          {" "}
          · {last4 ? `carte …${last4}` : "carte inconnue"}
          {label && ` · ${label}`}
          {lines.length > 0 && ` · ${lineWords(lines)}`} · {counter}
        </Text>
      </span>
    ),
  },
  {
    key: "why",
    label: "Motif et suite",
    cell: ({ conflict, withdrawnWhy }) => (
      <span>
        <strong>{offlineConflictWords[conflict].why}</strong>{" "}
        {withdrawnWhy && `«\u00a0${withdrawnWhy}\u00a0». `}
        {offlineConflictWords[conflict].next}
      </span>
    ),
  },
  { key: "cashier", label: "Encaissé par", place: "wide", cell: ({ cashier }) => cashier },
  {
    key: "amount",
    label: "Avant remise",
    align: "end",
    place: "end",
    cell: ({ amountCents }) => <Money cents={amountCents} />,
  },
];
