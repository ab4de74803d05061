// The sums of each card: granted, spent, kept, and taken back, with those of the company.
import { api } from "#contract/api.ts";
import { cardStateNames } from "#contract/cards/rows.ts";
import { formatCardnumber, plural } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { GrantCardSums } from "#contract/grants/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Section } from "#web/ui/layout.tsx";
import { DateText, Money } from "#web/ui/money.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { type Column, Table } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import { amount, left, returned, spent } from "./figures.tsx";
import styles from "./grants.module.css";

export function GrantsByCard() {
  const answer = useAnswer(api.grants.byCard, {});
  const { data } = answer;
  if (!data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement des cartes…"
        lines={6}
        height="3.5rem"
        failed="Les cartes n’ont pas pu être chargées."
      />
    );
  }
  if (data.items.length === 0) {
    return (
      <EmptyState icon="card" title="Aucune carte n’a encore reçu d’argent">
        Une dotation compte ici une fois payée.
      </EmptyState>
    );
  }
  const { totals, items } = data;
  const figures = [
    ["Accordé", totals.grantedCents],
    ["Dépensé", totals.spentCents],
    ["Restant", totals.leftCents],
    [`Dont finit sous ${limits.soonDays} jours`, totals.soonCents],
    ["Rendu", totals.returnedCents],
  ] as const;
  return (
    <Section>
      <dl className={styles.figures}>
        {figures.map(([label, cents]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Money cents={cents} />
            </dd>
          </div>
        ))}
      </dl>
      <Table
        caption={`Dotations de ${plural(items.length, "carte")}`}
        columns={columns}
        rows={items}
        keyOf={({ cardnumber }) => cardnumber}
      />
    </Section>
  );
}

const columns: Column<GrantCardSums>[] = [
  {
    key: "name",
    label: "Carte",
    place: "title",
    cell: ({ name, cardnumber, state }) => (
      <span className={styles.words}>
        <Text as="span" weight="strong">
          {name}
        </Text>
        <Text as="span" tone="soft" size="small" weight="normal" numeric>
          {formatCardnumber(cardnumber)}
          {state !== "active" && ` · ${cardStateNames[state].toLowerCase()}`}
        </Text>
      </span>
    ),
  },
  amount("grantedCents", "Accordé"),
  spent,
  left,
  {
    key: "next",
    label: "Finit le",
    cell: ({ nextExpiresOn }) => (nextExpiresOn ? <DateText at={nextExpiresOn} /> : "—"),
  },
  returned,
];
