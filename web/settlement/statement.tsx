// The statement of a month: from the sales to what is left, each cent on a line, with the control.
import { api } from "#contract/api.ts";
import { formatCount, formatDate, formatMoney, formatMonth, ofName } from "#contract/french.ts";
import type {
  SettlementPayout,
  SettlementSourceSum,
  SettlementStatement,
} from "#contract/settlement/rows.ts";
import { statementNames as names, statementSteps } from "#contract/settlement/statement-words.ts";
import {
  type PayoutState,
  payoutStateNames,
  settlementSourceNames,
} from "#contract/settlement/states.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { DownloadButton } from "#web/app/shared/download-button.tsx";
import { Badge, Banner, type Tone } from "#web/ui/banner.tsx";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { StatementLines } from "./statement-lines.tsx";

export function Statement({ month }: { month: string }) {
  const answer = useAnswer(api.settlement.one, { month });
  if (answer.error?.code === "not_found") {
    return (
      <EmptyState icon="calendar" title={`Aucun relevé pour ${formatMonth(`${month}-01`)}`}>
        Ce mois n’est pas clos, ou rien n’y a été vendu.
      </EmptyState>
    );
  }
  if (!answer.data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement du relevé…"
        lines={8}
        height="3.5rem"
        failed="Le relevé n’a pas pu être chargé."
      />
    );
  }
  const statement = answer.data;
  return (
    <Stack gap={24}>
      <Section title={`Relevé ${ofName(formatMonth(`${month}-01`))}`}>
        <p>
          {names.net} <Money cents={statement.netCents} size="large" />
        </p>
        <Control cents={statement.controlCents} />
        <Steps statement={statement} />
        <Row>
          <DownloadButton
            row={api.settlement.pdf}
            input={{ month }}
            failed="Le PDF n’a pas pu être téléchargé."
          >
            Relevé en PDF
          </DownloadButton>
          <DownloadButton
            row={api.settlement.csv}
            input={{ month }}
            icon="download"
            failed="Le CSV n’a pas pu être téléchargé."
          >
            Lignes en CSV
          </DownloadButton>
        </Row>
      </Section>
      <Section title="Par source">
        <Table
          caption="Ce que chaque source rapporte"
          columns={sourceColumns}
          rows={statement.sources}
          keyOf={({ source }) => source}
        />
      </Section>
      <Payouts statement={statement} />
      <StatementLines month={month} count={statement.lines} />
    </Stack>
  );
}

/** The sums that are added and taken off, in their order; a total begins with its sign. */
const Steps = ({ statement }: { statement: SettlementStatement }) => (
  <DefinitionList
    items={statementSteps(statement).map(({ label, cents, isTotal }) => ({
      label: isTotal ? `= ${label}` : label,
      value: <Money cents={cents} />,
    }))}
  />
);

function Control({ cents }: { cents: number }) {
  if (cents !== 0) {
    return (
      <Banner tone="danger" title={`${names.control}\u00a0: ${formatMoney(cents)}`}>
        Le relevé et le grand livre ne disent pas la même somme. Écrivez-nous depuis Contact : nous
        cherchons la ligne en cause avant tout versement.
      </Banner>
    );
  }
  return (
    <p>
      <Badge tone="success">
        {names.control}
        {"\u00a0"}: {formatMoney(0)}
      </Badge>{" "}
      Les ventes, le grand livre et les versements disent la même somme.
    </p>
  );
}

const sourceColumns: Column<SettlementSourceSum>[] = [
  {
    key: "source",
    label: names.source,
    place: "title",
    cell: ({ source }) => settlementSourceNames[source],
  },
  {
    key: "sales",
    label: names.count,
    align: "end",
    cell: ({ sales }) => formatCount(sales),
  },
  {
    key: "sold",
    label: names.sales,
    align: "end",
    cell: ({ salesCents }) => <Money cents={salesCents} />,
  },
  {
    key: "returns",
    label: names.returns,
    align: "end",
    cell: ({ returnsCents }) => <Money cents={returnsCents} />,
  },
  {
    key: "corrections",
    label: names.corrections,
    align: "end",
    cell: ({ correctionsCents }) => <Money cents={correctionsCents} />,
  },
  {
    key: "gross",
    label: names.gross,
    align: "end",
    place: "end",
    cell: ({ grossCents }) => <Money cents={grossCents} />,
  },
  {
    key: "commission",
    label: names.commission,
    align: "end",
    cell: ({ commissionCents }) => <Money cents={commissionCents} />,
  },
];

const payoutTones: Readonly<Record<PayoutState, Tone>> = {
  sent: "info",
  accepted: "success",
  rejected: "danger",
};

function Payouts({ statement: { payouts, returned } }: { statement: SettlementStatement }) {
  const list = [...payouts, ...returned];
  return (
    <Section title="Versements">
      {list.length === 0 ? (
        <EmptyState icon="clock" title="Pas encore versé">
          Ce relevé partira avec le prochain lot de virements.
        </EmptyState>
      ) : (
        <>
          <Table
            caption="Versements du relevé"
            columns={payoutColumns}
            rows={list}
            keyOf={({ reference }) => reference}
          />
          <p>Vous retrouvez cette référence sur votre relevé bancaire.</p>
        </>
      )}
    </Section>
  );
}

const payoutColumns: Column<SettlementPayout>[] = [
  {
    key: "reference",
    label: names.bankReference,
    place: "title",
    cell: ({ reference }) => reference,
  },
  { key: "on", label: names.executeOn, cell: ({ executeOn }) => formatDate(executeOn) },
  { key: "to", label: names.account, cell: ({ iban }) => iban },
  {
    key: "state",
    label: names.state,
    cell: ({ state, reason }) => (
      <span>
        <Badge tone={payoutTones[state]}>{payoutStateNames[state]}</Badge>
        {reason && ` ${reason}`}
      </span>
    ),
  },
  {
    key: "amount",
    label: names.payout,
    align: "end",
    place: "end",
    cell: ({ amountCents }) => <Money cents={amountCents} />,
  },
];
