// « Ce que les repas ont coûté »: a month in figures, person by person, and the year as an attestation.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { MealSpending as Spending } from "#contract/meals/spending.ts";
import { addMonths, firstOfMonth, todayInParis } from "#contract/days.ts";
import { firstName, formatMoney, formatMonth, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./family-meals.module.css";

export function MealSpending() {
  const [search, change] = useSearchParameters<"meals">();
  const current = todayInParis().slice(0, 7);
  const months = Array.from({ length: 13 }, (_, index) =>
    addMonths(firstOfMonth(todayInParis()), -index).slice(0, 7),
  );
  const month = months.find((one) => one === search.month) ?? current;
  const answer = useAnswer(api.canteen.monthSpending, { month });
  return (
    <Section title="Ce que les repas ont coûté">
      <Stack gap={20}>
        <div className={styles.monthFile}>
          <Select
            label="Mois des repas"
            options={months.map((one) => ({ value: one, label: formatMonth(`${one}-01`) }))}
            value={month}
            onValue={(next) => change({ month: next === current ? undefined : next })}
          />
        </div>
        <Loaded answer={answer} height="3rem" failed="Ces dépenses n’ont pas pu être lues.">
          {(spending) => <Figures spending={spending} />}
        </Loaded>
        <Attestation />
      </Stack>
    </Section>
  );
}

/** « 14 repas, 48,30 €, dont 12,40 € d’aide » */
function inWords({ meals, cents, aidCents }: Omit<Spending, "people">): string {
  const aid = aidCents > 0 ? `, dont ${formatMoney(aidCents)} d’aide` : "";
  return `${plural(meals, "repas servi", "repas servis")}, ${formatMoney(cents)}${aid}`;
}

const Figures = ({ spending }: { spending: Spending }) =>
  spending.people.length === 0 ? (
    <Text tone="soft" size="small">
      Aucun repas que vous avez commandé n’a été servi ce mois-ci.
    </Text>
  ) : (
    <div>
      <p>
        <strong>{inWords(spending)}</strong>
      </p>
      {spending.people.length > 1 && (
        <Stack as="ul" gap={8}>
          {spending.people.map((one) => (
            <li key={one.name}>
              {firstName(
                one.name,
                spending.people.map(({ name }) => name),
              )}
              {"\u202f"}: {inWords(one)}
            </li>
          ))}
        </Stack>
      )}
    </div>
  );

/** What was paid in a calendar year, on paper. */
function Attestation() {
  const thisYear = Number(todayInParis().slice(0, 4));
  const [year, setYear] = useState(String(thisYear - 1));
  const download = useDownload(api.canteen.yearAttestation, { year: Number(year) });
  return (
    <>
      <div className={styles.monthFile}>
        <Select
          label="Année"
          options={[0, 1, 2, 3].map((ago) => ({
            value: String(thisYear - ago),
            label: String(thisYear - ago),
          }))}
          value={year}
          onValue={setYear}
        />
        <Button icon="download" loading={download.isPending} onClick={() => download.send()}>
          Attestation de l’année
        </Button>
      </div>
      <Text tone="soft" size="small">
        Elle dit les repas payés. Les repas ne comptent pas dans le crédit d’impôt pour frais de
        garde.
      </Text>
      <ProblemBanner problem={download.problem} />
    </>
  );
}
