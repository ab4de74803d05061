// The closings of a counter, newest first, each with its files, and those of some days in one file.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import { formatCount, formatDateTime, plural } from "#contract/french.ts";
import {
  meansName,
  maxClosingsInFile,
  type TillClosing,
  type TillMeans,
} from "#contract/till/closings.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { usePages } from "#web/app/transport/pages.ts";
import { DayFilter } from "#web/ui/day-filter.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { QueryList } from "#web/ui/query-list.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { Totals } from "./day-totals.tsx";
import styles from "./till.module.css";

/** Nothing where there are none. */
export function Closings({ partner }: { partner: string }) {
  const list = usePages(api.till.closings, { partner, limit: 5 }, { by: "before" });
  if (!list.data) {
    return (
      <NotLoaded
        answer={list}
        label="Chargement des clôtures…"
        lines={3}
        height="4rem"
        failed="Les clôtures n’ont pas pu être chargées."
      />
    );
  }
  if (list.items.length === 0) return null;
  return (
    <Stack>
      <QueryList
        list={list}
        empty={null}
        countLabel={(count) => plural(count, "clôture affichée", "clôtures affichées")}
      >
        {(closings) =>
          closings.map((closing) => (
            <Closing key={closing.number} partner={partner} closing={closing} />
          ))
        }
      </QueryList>
      <Files partner={partner} />
    </Stack>
  );
}

function Closing({ partner, closing }: { partner: string; closing: TillClosing }) {
  const { number, from, until, closedBy, cashiers, means } = closing;
  return (
    <Section title={`Clôture n° ${number}, ${formatDateTime(until)}`}>
      <p>
        Par {closedBy}, {from ? `depuis le ${formatDateTime(from)}` : "depuis la première vente"}
      </p>
      <Totals caption={`Totaux de la clôture n° ${number}`} cashiers={cashiers} />
      {means && (
        <Table
          caption={`Moyens de paiement de la clôture n° ${number}`}
          columns={meansColumns}
          rows={means}
          keyOf={meansName}
        />
      )}
      <Row>
        <DownloadButton
          row={api.till.closingPdf}
          input={{ partner, number }}
          size="small"
          failed="Le PDF n’a pas pu être préparé."
        >
          PDF<span className="unseen"> de la clôture n° {number}</span>
        </DownloadButton>
        <DownloadButton
          row={api.till.closingsFile}
          input={{ partner, number }}
          icon="download"
          size="small"
          failed="Le fichier n’a pas pu être préparé."
        >
          CSV<span className="unseen"> de la clôture n° {number}</span>
        </DownloadButton>
      </Row>
    </Section>
  );
}

const meansColumns: Column<TillMeans>[] = [
  { key: "name", label: "Payé avec", place: "title", cell: meansName },
  {
    key: "paid",
    label: "Encaissé",
    align: "end",
    cell: ({ paidCents }) => <Money cents={paidCents} />,
  },
  {
    key: "returned",
    label: "Rendu",
    align: "end",
    cell: ({ returnedCents }) => <Money cents={returnedCents} />,
  },
  {
    key: "net",
    label: "Net",
    align: "end",
    place: "end",
    cell: ({ paidCents, returnedCents }) => <Money cents={paidCents - returnedCents} />,
  },
];

function Files({ partner }: { partner: string }) {
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  return (
    <Section title="Toutes les clôtures en un fichier">
      <div className={styles.filters}>
        <Text tone="soft">
          Sans date, le fichier contient toutes les clôtures, au plus{" "}
          {formatCount(maxClosingsInFile)}, les plus récentes.
        </Text>
        <DayFilter label="Du" value={from} max={to ?? todayInParis()} onValue={setFrom} />
        <DayFilter
          label="Au"
          value={to}
          {...(from && { min: from })}
          max={todayInParis()}
          onValue={setTo}
        />
      </div>
      <Row>
        <DownloadButton
          row={api.till.closingsFile}
          input={{ partner, ...(from && { from }), ...(to && { to }) }}
          icon="download"
          failed="Le fichier n’a pas pu être préparé."
        >
          Exporter les clôtures (CSV)
        </DownloadButton>
      </Row>
    </Section>
  );
}
