// The lines of a statement, by pages: each sale with what was kept of it.
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
import { usePages } from "#web/app/transport/pages.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryTable } from "#web/ui/query-list.tsx";
import type { Column } from "#web/ui/table.tsx";

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
  const list = usePages(api.settlement.lines, { month, limit: 50 }, { by: "after" });
  return (
    <QueryTable
      list={list}
      label="Chargement des lignes…"
      lines={6}
      height="3rem"
      failed="Les lignes n’ont pas pu être chargées."
      empty={null}
      caption="Lignes du relevé"
      columns={columns}
      keyOf={({ source, key }) => `${source} ${key}`}
      groupOf={({ at }) => formatDate(at)}
      countLabel={(shown) => `${formatCount(shown)} sur ${formatCount(count)}`}
    />
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
