// What the meals of a month cost, in a line that unfolds person by person.
import { api } from "#contract/api.ts";
import type { MealSpending } from "#contract/meals/spending.ts";
import { firstName, formatMoney, plural } from "#contract/french.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Stack } from "#web/ui/stack.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./family-meals.module.css";

/** « 14 repas servis, 48,30 €, dont 12,40 € d’aide » */
function inWords({ meals, cents, aidCents }: Omit<MealSpending, "people">): string {
  const aid = aidCents > 0 ? `, dont ${formatMoney(aidCents)} d’aide` : "";
  return `${plural(meals, "repas servi", "repas servis")}, ${formatMoney(cents)}${aid}`;
}

/** `month` as YYYY-MM; of the meals that the reader ordered. */
export function MonthSpending({ month }: { month: string }) {
  const answer = useAnswer(api.canteen.monthSpending, { month }, { keepShown: true });
  return (
    <Loaded answer={answer} height="2.75rem" failed="Ces dépenses n’ont pas pu être lues.">
      {(spending) => <Figures spending={spending} />}
    </Loaded>
  );
}

function Figures({ spending }: { spending: MealSpending }) {
  const { people } = spending;
  if (people.length === 0) {
    return (
      <Text tone="soft" size="small">
        Aucun repas que vous avez commandé n’a été servi ce mois-là.
      </Text>
    );
  }
  if (people.length === 1) {
    return (
      <p>
        <strong>{inWords(spending)}</strong>
      </p>
    );
  }
  const names = people.map(({ name }) => name);
  return (
    <details className={styles.more}>
      <summary>
        <strong>{inWords(spending)}</strong>
      </summary>
      <Stack as="ul" gap={8}>
        {people.map((one) => (
          <li key={one.name}>
            {firstName(one.name, names)}
            {"\u202f"}: {inWords(one)}
          </li>
        ))}
      </Stack>
    </details>
  );
}
