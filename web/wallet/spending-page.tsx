// « Dépenses » : what the family spent by month and category. The month and the card are in the address.
import { api } from "#contract/api.ts";
import { capital, formatMonth, formatShortMonth, monthName } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { spendingCategories } from "#contract/wallet/spending.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Money } from "#web/ui/money.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, Loaded, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { SpendingCategories } from "./spending-categories.tsx";
import {
  comparisonOf,
  dayOf,
  personsOf,
  seriesOf,
  type Spending,
  spendingIn,
  sumOf,
} from "./spending-months.ts";
import { SpendingTable } from "./spending-table.tsx";
import styles from "./spending.module.css";

export function SpendingPage() {
  const answer = useAnswer(api.wallet.spending, {});
  return (
    <Page>
      <PageHeader
        title="Dépenses"
        lead="Ce que les cartes ont payé, remboursements déduits. Recharges, virements et aides n’en sont pas."
        back={{ href: paths.wallets, label: "Cagnottes" }}
      />
      <Loaded
        answer={answer}
        skeleton={<Waiting />}
        label="Chargement des dépenses…"
        failed="Les dépenses n’ont pas pu être chargées."
      >
        {(spending) => <FamilySpending spending={spending} />}
      </Loaded>
    </Page>
  );
}

const family = "famille";

function FamilySpending({ spending }: { spending: Spending }) {
  const [search, change] = useSearchParameters<"spending">();
  const persons = personsOf(spending.wallets);
  const cardnumber =
    persons.length > 1
      ? persons.find((person) => String(person.cardnumber) === search.card)?.cardnumber
      : undefined;
  const shown = spendingIn(spending, cardnumber);
  const current = spending.months.at(-1) ?? "";
  const month = spending.months.find((one) => one === search.month) ?? current;
  return (
    <>
      {persons.length > 1 && (
        <Chips
          label="Personne"
          options={[
            { value: family, label: "Toute la famille" },
            ...persons.map((person) => ({
              value: String(person.cardnumber),
              label: person.label,
            })),
          ]}
          value={[cardnumber === undefined ? family : String(cardnumber)]}
          onValue={(value) => change({ card: value === family ? undefined : value })}
        />
      )}
      {shown.parts.length === 0 ? (
        <EmptyState
          icon="chart"
          title="Aucune dépense en douze mois"
          action={<ButtonLink href={paths.wallets}>Voir les cagnottes</ButtonLink>}
        >
          Repas, titres de bus, billets et achats s’afficheront ici, mois par mois.
        </EmptyState>
      ) : (
        <Months
          spending={shown}
          month={month}
          onMonth={(one) => change({ month: one === current ? undefined : one })}
        />
      )}
    </>
  );
}

function Months({
  spending,
  month,
  onMonth,
}: {
  spending: Spending;
  month: string;
  onMonth: (month: string) => void;
}) {
  const cents = sumOf(spending.parts.filter((part) => part.month === month));
  const comparison = comparisonOf(spending, month);
  return (
    <Stack gap={24}>
      <Sides
        main={
          <Section>
            <Stack gap={4}>
              <h2>{capital(formatMonth(dayOf(month)))}</h2>
              <Money cents={cents} size="hero" />
              <Text tone="soft" size="fine" numeric>
                {comparison ?? "\u00a0"}
              </Text>
              {cents < 0 && (
                <Text size="fine">
                  Les remboursements de ce mois dépassent ce qui y a été payé.
                </Text>
              )}
            </Stack>
            <BarChart
              title="Dépenses des douze derniers mois"
              periods={periodsOf(spending)}
              chosen={month}
              onChoose={onMonth}
            />
          </Section>
        }
        side={<SpendingCategories spending={spending} month={month} />}
      />
      <SpendingTable spending={spending} />
    </Stack>
  );
}

const periodsOf = ({ months, parts }: Spending) =>
  months.map((key) => {
    const inMonth = parts.filter(({ month }) => month === key);
    return {
      key,
      name: formatMonth(dayOf(key)),
      shortName: formatShortMonth(dayOf(key)),
      initial: monthName(dayOf(key)).charAt(0).toUpperCase(),
      parts: spendingCategories.flatMap((category) => {
        const cents = sumOf(inMonth.filter((part) => part.category === category));
        return cents === 0 ? [] : [{ series: seriesOf(category), cents }];
      }),
    };
  });

const Waiting = () => (
  <Loading label="Chargement des dépenses…">
    <div className={styles.waiting}>
      <Skeleton height="2.75rem" width="18rem" />
      <Sides main={<Skeleton height="28rem" />} side={<Skeleton height="22rem" />} />
    </div>
  </Loading>
);
