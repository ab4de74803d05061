// A line of the day's list: one press serves. Whoever the menu holds an allergen of is told before the press.
import type { CounterPerson } from "#contract/meal-service/counter.ts";
import { warningWords } from "#contract/kitchen/dish-allergens.ts";
import { formatTime } from "#contract/french.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Text } from "#web/ui/text.tsx";
import { read } from "./counter-state.ts";
import styles from "./day-people.module.css";

const idOf = (registration: string): string => `eater-${registration}`;

/** Gives the keyboard back to a line of the list, where it is still drawn. */
export const focusPerson = (registration: string, options?: FocusOptions): void =>
  document.getElementById(idOf(registration))?.focus(options);

/** `withClass`: the line stands under no heading that says the class. */
export function PersonRow({ person, withClass }: { person: CounterPerson; withClass: boolean }) {
  const { registration, name, class: room, order, warning } = person;
  const isWarned = warning !== null && order?.state !== "served";
  return (
    <li>
      <button
        type="button"
        id={idOf(registration)}
        className={styles.person}
        data-warned={isWarned || undefined}
        onClick={() => void read({ registration })}
        // Enter that is still held from a button that gave the keyboard back serves nobody.
        onKeyDown={(event) => event.repeat && event.key === "Enter" && event.preventDefault()}
      >
        <span>
          <strong>{name}</strong>
          {withClass && room && (
            <Text as="span" tone="soft">
              {" "}
              {room}
            </Text>
          )}
        </span>
        <PersonState order={order} />
        {isWarned && (
          <span className={styles.warning}>
            <Icon name="warning" size={20} />
            <span>Au menu&#8239;: {warningWords(warning)}</span>
          </span>
        )}
      </button>
    </li>
  );
}

function PersonState({ order }: Pick<CounterPerson, "order">) {
  if (!order)
    return (
      <Text as="span" tone="soft">
        Sans commande
      </Text>
    );
  if (order.state !== "served") return <Badge>À servir</Badge>;
  return (
    <Badge tone="success">Servi{order.servedAt ? ` à ${formatTime(order.servedAt)}` : ""}</Badge>
  );
}
