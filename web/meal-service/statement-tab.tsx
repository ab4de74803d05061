// The tab « Relevé » of the canteen's desk: what the meals of a month bring, by day and kind, with the
// control against the ledger. Month and restaurant are in the address.
import { api } from "#contract/api.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import {
  type MealDue,
  type MealDueDay,
  type MealDueKind,
  mealDueKindNames,
  type MealStatement,
} from "#contract/meal-service/statement.ts";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import { formatCount, formatDate, formatMoney, formatMonth, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { isDay } from "#web/ui/days.ts";
import { DefinitionList, Section } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./statement.module.css";

export function StatementTab({ canteens }: { canteens: readonly OwnCanteen[] }) {
  const [{ month = "", canteen: chosen = "" }, change] = useSearchParameters<"canteenDesk">();
  const current = firstOfMonth(todayInParis());
  const first = isDay(`${month}-01`) ? `${month}-01` : current;
  const canteen = canteens.find(({ id }) => id === chosen)?.id;
  const query = { month: first.slice(0, 7), ...(canteen && { canteen }) };
  const answer = useAnswer(api.canteen.statement, query);
  const go = (ahead: number) => {
    const to = firstOfMonth(first, ahead);
    change({ month: to === current ? undefined : to.slice(0, 7) });
  };
  const file = useDownload(api.canteen.statementCsv, query);
  return (
    <Stack gap={24}>
      <div className={styles.head}>
        <div className={styles.month}>
          <IconButton icon="left" label="Mois précédent" onClick={() => go(-1)} />
          <h2 aria-live="polite">{formatMonth(first)}</h2>
          <IconButton icon="right" label="Mois suivant" onClick={() => go(1)} />
        </div>
        {canteens.length > 1 && (
          <div className={styles.which}>
            <Select
              label="Restaurant"
              value={canteen ?? "all"}
              options={[
                { value: "all", label: "Tous les restaurants" },
                ...canteens.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onValue={(id) => change({ canteen: id === "all" ? undefined : id })}
            />
          </div>
        )}
        <Button icon="download" loading={file.isPending} onClick={() => file.send()}>
          Exporter en CSV
        </Button>
      </div>
      <ProblemBanner problem={file.problem} />
      <Loaded
        answer={answer}
        label="Chargement du relevé…"
        lines={8}
        height="3.25rem"
        failed="Le relevé n’a pas pu être chargé."
      >
        {(statement) => <Statement statement={statement} />}
      </Loaded>
    </Stack>
  );
}

function Statement({ statement }: { statement: MealStatement }) {
  const { days, totals } = statement;
  return (
    <Stack gap={24}>
      <Section title="À vous revenir">
        <p>
          <Money cents={statement.cents} size="large" />
        </p>
        <Control differenceCents={statement.differenceCents} />
        <DefinitionList items={[...totals.map(toItem), ...notesOf(statement)]} />
      </Section>
      <Section title="Par jour de service">
        {days.length === 0 ? (
          <EmptyState icon="meal" title="Rien à vous revenir ce mois-ci">
            Chaque repas servi, absent ou annulé trop tard s’inscrit ici.
          </EmptyState>
        ) : (
          <Table
            caption="Ce que rapportent les repas de chaque jour"
            columns={columnsOf(totals)}
            rows={days}
            keyOf={({ day }) => day}
          />
        )}
      </Section>
    </Stack>
  );
}

const toItem = ({ kind, meals, cents }: MealDue) => ({
  label: `${mealDueKindNames[kind]} (${formatCount(meals)})`,
  value: <Money cents={cents} />,
});

/** Notes on what is not in the total, or is a part of it. */
const notesOf = ({ aidCents, open, cash }: MealStatement) => [
  aidCents === 0 ? null : { label: "Dont payé par des aides", value: <Money cents={aidCents} /> },
  open.meals === 0
    ? null
    : {
        label: "Encore réservés",
        value: `${plural(open.meals, "repas", "repas")}, ${formatMoney(open.cents)}`,
      },
  cash.meals === 0
    ? null
    : {
        label: "Encaissés en espèces",
        value: `${plural(cash.meals, "repas", "repas")}, ${formatMoney(cash.cents)}`,
      },
];

function Control({ differenceCents }: { differenceCents: number }) {
  if (differenceCents === 0) {
    return (
      <Text tone="soft" size="small">
        <Badge tone="success">
          Écart{"\u00a0"}: 0,00{"\u00a0"}€
        </Badge>{" "}
        Les commandes et le grand livre disent la même somme.
      </Text>
    );
  }
  return (
    <Banner tone="danger" title={`Écart\u00a0: ${formatMoney(differenceCents, { signed: true })}`}>
      Les commandes et le grand livre ne disent pas la même somme. Écrivez-nous depuis Contact :
      nous cherchons la commande en cause avant tout règlement.
    </Banner>
  );
}

/** A column for each kind that the month has. */
const columnsOf = (totals: readonly MealDue[]): Column<MealDueDay>[] => [
  { key: "day", label: "Jour", place: "title", cell: ({ day }) => formatDate(day) },
  ...totals.map(({ kind }) => ({
    key: kind,
    label: mealDueKindNames[kind],
    align: "end" as const,
    cell: (day: MealDueDay) => <Cell due={dueOf(day, kind)} />,
  })),
  {
    key: "total",
    label: "Total",
    align: "end",
    place: "end",
    cell: ({ cents }) => <Money cents={cents} />,
  },
];

const dueOf = ({ dues }: MealDueDay, kind: MealDueKind) => dues.find((one) => one.kind === kind);

const Cell = ({ due }: { due: MealDue | undefined }) =>
  due ? (
    <span>
      <Money cents={due.cents} />{" "}
      <Text as="span" tone="soft" size="small">
        ({formatCount(due.meals)})
      </Text>
    </span>
  ) : (
    "–"
  );
