// The meals of the chosen day of a month, each with its acts, and all of them cancelled at once.
import { lazy, Suspense, useState } from "react";
import { addDays } from "#contract/days.ts";
import { capital, firstName, formatDayInWords, ofName } from "#contract/french.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { paths } from "#contract/paths.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { MealLines } from "./meal-lines.tsx";
import type { Eater } from "./meal-marks.tsx";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));

export function DayMeals({
  day,
  today,
  orders,
  eaters,
  only,
  isRead,
}: {
  day: string;
  today: string;
  orders: readonly MealOrder[];
  eaters: readonly Eater[];
  /** Whose meals alone are shown; undefined for everybody's. */
  only: Eater | undefined;
  isRead: boolean;
}) {
  const [confirmed, setConfirmed] = useState<readonly string[] | null>(null);
  const isComing = day >= today;
  const near = day === today ? "Aujourd’hui" : day === addDays(today, 1) ? "Demain" : null;
  const inWords = formatDayInWords(day);
  const cancellable = orders.filter(({ canCancel }) => canCancel);
  const whose = only ? ` ${ofName(firstName(only.name))}` : "";
  if (!isRead) {
    return (
      <Section>
        <Skeleton lines={3} height="2.5rem" />
      </Section>
    );
  }
  return (
    <Section title={near ? `${near}, ${inWords}` : capital(inWords)}>
      {orders.length > 0 ? (
        <MealLines orders={orders} names={eaters.map(({ name }) => name)} areComing={isComing} />
      ) : (
        <>
          <Text tone="soft">
            Aucun repas{whose} {isComing && "commandé "}ce jour.
          </Text>
          {isComing && (
            <div>
              <ButtonLink size="small" href={paths.canteenProviders}>
                Commander des repas
              </ButtonLink>
            </div>
          )}
        </>
      )}
      {cancellable.length > 1 && (
        <div>
          <Button size="small" onClick={() => setConfirmed(cancellable.map(({ id }) => id))}>
            Annuler les {cancellable.length} repas
          </Button>
        </div>
      )}
      {confirmed && (
        <Suspense>
          <CancelMeals orders={confirmed} onClose={() => setConfirmed(null)} />
        </Suspense>
      )}
    </Section>
  );
}
