// The columns of the follow-up; under 640 px each meal is a card.
import type { FollowedMeal } from "#contract/meal-service/follow-up.ts";
import { dietNames } from "#contract/kitchen/states.ts";
import { mealOrderStateNames, type MealOrderState } from "#contract/meals/states.ts";
import { formatDate, formatTime } from "#contract/french.ts";
import { Badge, type Tone } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { Money } from "#web/ui/money.tsx";
import type { Column } from "#web/ui/table.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./follow-up.module.css";

const tones: Readonly<Record<MealOrderState, Tone | "neutral">> = {
  reserved: "neutral",
  validated: "info",
  served: "success",
  refused: "danger",
  cancelled: "neutral",
  absent: "warning",
  expired: "neutral",
};

export function columnsOf({
  isChosen,
  onChosen,
  severalDays,
  hasClasses,
}: {
  isChosen: (id: string) => boolean;
  onChosen: (id: string, isChosen: boolean) => void;
  severalDays: boolean;
  hasClasses: boolean;
}): Column<FollowedMeal>[] {
  const columns: (Column<FollowedMeal> | false)[] = [
    {
      key: "name",
      label: "Nom",
      place: "title",
      cell: ({ id, name, number }) => (
        <Checkbox
          label={
            <>
              <span className="unseen">Sélectionner </span>
              {name}
            </>
          }
          hint={`Commande ${number}`}
          checked={isChosen(id)}
          onChecked={(checked) => onChosen(id, checked)}
        />
      ),
    },
    severalDays && { key: "day", label: "Jour", cell: ({ day }) => formatDate(day) },
    hasClasses && { key: "class", label: "Classe", cell: ({ className }) => className || "–" },
    {
      key: "diet",
      label: "Régime",
      cell: ({ diet, pai }) => (
        <span>
          {dietNames[diet]}
          {pai && " · PAI"}
        </span>
      ),
    },
    {
      key: "state",
      label: "État",
      cell: (meal) => (
        <span className={styles.state}>
          <Badge tone={tones[meal.state]}>{mealOrderStateNames[meal.state]}</Badge>
          <Since meal={meal} />
        </span>
      ),
    },
    {
      key: "price",
      label: "Prix",
      align: "end",
      place: "end",
      cell: ({ priceCents, chargedCents }) => <Money cents={chargedCents ?? priceCents} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

const Since = ({ meal: { state, servedAt, endReason } }: { meal: FollowedMeal }) => {
  const words =
    state === "served" && servedAt ? `à ${formatTime(servedAt)}` : endReason ? endReason : null;
  return (
    words && (
      <Text as="span" tone="soft" size="small">
        {words}
      </Text>
    )
  );
};
