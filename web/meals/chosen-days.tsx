// The chosen meals of a day in a line, and of a week: who eats and the price; each meal unfolds under it.
import { type ReactNode, useState } from "react";
import {
  firstName,
  formatDate,
  formatDayInWords,
  formatMoney,
  formatShortDay,
  plural,
} from "#contract/french.ts";
import { freeUntil } from "#contract/meals/cancel-words.ts";
import type { MealLine } from "#contract/meals/orders.ts";
import { IconButton } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Row } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { AllergenWarningLine } from "./allergen-warning.tsx";
import styles from "./chosen-days.module.css";

interface Shown {
  /** Names of all who are chosen for. */
  names: readonly string[];
  /** All meals are of one canteen, which only the unfolded ones name. */
  isOneCanteen: boolean;
  onRemove: (line: MealLine) => void;
}

/** The sum of meals, in cents. */
export const sumOf = (lines: readonly MealLine[]): number =>
  lines.reduce((sum, { priceCents }) => sum + priceCents, 0);

/** « lun. 7 déc. · Jade, Léo · 2,90 € ». What is wrong with a meal is said without unfolding it. */
export function ChosenDay({
  day,
  lines,
  ...shown
}: { day: string; lines: readonly MealLine[] } & Shown) {
  const people = [...Map.groupBy(lines, ({ name }) => firstName(name, shown.names))];
  const eaters = people.map(([name, { length }]) => (length > 1 ? `${name} (${length})` : name));
  const canteens = [...new Set(lines.map(({ canteen }) => canteen))];
  return (
    <li>
      <details>
        <Summary name={formatShortDay(day)} who={eaters.join(", ")} lines={lines}>
          {!shown.isOneCanteen && (
            <Text as="span" tone="soft" size="small">
              {canteens.join(", ")}
            </Text>
          )}
        </Summary>
        <ul className={styles.meals}>
          {lines.map((line) => (
            <Meal
              key={line.registration}
              line={line}
              names={shown.names}
              onRemove={shown.onRemove}
            />
          ))}
        </ul>
      </details>
      {lines.map(
        (line) =>
          (line.warning ?? line.problem) !== null && (
            <p key={line.registration} className={styles.notice}>
              <strong>
                {firstName(line.name, shown.names)}
                {!shown.isOneCanteen && `, ${line.canteen}`}
              </strong>
              <AllergenWarningLine warning={line.warning} />
              {line.problem && <span className={styles.problem}>{line.problem}</span>}
            </p>
          ),
      )}
    </li>
  );
}

/** The days of a week behind its sum; unfolded where something is to be read first. */
export function ChosenWeek({
  monday,
  lines,
  ...shown
}: { monday: string; lines: readonly MealLine[] } & Shown) {
  const days = [...Map.groupBy(lines, ({ day }) => day)].toSorted(byDay);
  // As it was at first: it does not fold over whoever takes out the meal that is noted.
  const [isOpen] = useState(() =>
    lines.some(({ warning, problem }) => (warning ?? problem) !== null),
  );
  return (
    <li>
      <details open={isOpen}>
        <Summary
          name={`Semaine du ${formatDate(monday)}`}
          who={plural(lines.length, "repas", "repas")}
          lines={lines}
        />
        <ul className={styles.days} data-inner>
          {days.map(([day, some]) => (
            <ChosenDay key={day} day={day} lines={some} {...shown} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** Orders groups of meals by the ISO date that they are grouped by. */
export const byDay = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

const Summary = ({
  name,
  who,
  lines,
  children,
}: {
  name: string;
  who: string;
  lines: readonly MealLine[];
  children?: ReactNode;
}) => (
  <summary className={styles.summary}>
    <span className={styles.words}>
      <strong>{name}</strong>
      <span className={styles.who}>{who}</span>
      {children}
    </span>
    <Text as="span" numeric noWrap>
      {formatMoney(sumOf(lines))}
    </Text>
    <Icon name="down" size={20} />
  </summary>
);

function Meal({ line, names, onRemove }: { line: MealLine } & Omit<Shown, "isOneCanteen">) {
  const name = firstName(line.name, names);
  return (
    <Row as="li" gap={8} wrap={false}>
      <span className={styles.mealWords}>
        <span>
          {name}, {line.canteen}
        </span>
        <Text as="span" tone="soft" size="small">
          {line.cancelUntil ? freeUntil(line.cancelUntil) : "Annulation payante"}
        </Text>
      </span>
      <Text as="span" numeric noWrap>
        {formatMoney(line.priceCents)}
      </Text>
      <IconButton
        icon="trash"
        label={`Retirer ${formatDayInWords(line.day)}, ${name}, ${line.canteen}`}
        onClick={() => onRemove(line)}
      />
    </Row>
  );
}
