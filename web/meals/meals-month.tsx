// A month of the family's meals: a mark per meal, what is still free to cancel, the meals of the chosen day
// beside it, and several of them cancelled at once.
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { addDays, firstOfMonth, parisDay, todayInParis } from "#contract/days.ts";
import { capital, firstName, formatDayInWords, formatMonth, plural } from "#contract/french.ts";
import type { MealOrder } from "#contract/meals/orders.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import { paths } from "#contract/paths.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useTitleRefresh } from "#web/app/shared/use-title-refresh.ts";
import { Button, ButtonLink, IconButton } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/choice.tsx";
import { useNewsInView } from "#web/ui/focus.ts";
import { Section, Sides } from "#web/ui/layout.tsx";
import { MonthGrid } from "#web/ui/month-grid.tsx";
import { Row, Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { DayMeals } from "./day-meals.tsx";
import {
  drawnOrders,
  type Eater,
  eatersOf,
  isFreeToCancel,
  MarksLegend,
  marksInWords,
  MealMarks,
  PersonMark,
} from "./meal-marks.tsx";
import { MonthSpending } from "./month-spending.tsx";
import { dayToShow, monthsBetween, type useMealsMonth } from "./use-meals-month.ts";
import styles from "./meals-month.module.css";

const CancelBar = lazy(async () => ({ default: (await import("./cancel-bar.tsx")).CancelBar }));

export function MealsMonth({
  month,
  day: chosenDay,
  answer,
  beside,
}: {
  /** YYYY-MM */
  month: string;
  day: string | undefined;
  answer: ReturnType<typeof useMealsMonth>["answer"];
  /** Below the meals of the chosen day. */
  beside: ReactNode;
}) {
  const [, change] = useSearchParameters<"meals">();
  const { data } = answer;
  const [person, setPerson] = useState<number | null>(null);
  const [picked, setPicked] = useState<ReadonlyMap<string, MealOrder> | null>(null);
  const [opened, setOpened] = useState("");
  const [pressed, setPressed] = useState(0);
  const panel = useNewsInView(pressed);
  const title = useId();
  const today = data ? parisDay(new Date(data.now)) : todayInParis();
  const [first, last] = monthsBetween(today, data?.span);
  const lastDay = addDays(firstOfMonth(`${last}-01`, 1), -1);
  const within = (on: string) => (on < first ? `${first}-01` : on > lastDay ? lastDay : on);
  const isRead = data !== undefined && !answer.isPlaceholderData;
  useTitleRefresh(isRead && month >= today.slice(0, 7) && data.items);
  // The last month stays as `data` while this one is read: its people do, its meals do not.
  const eaters = eatersOf(data?.items ?? []);
  const eater = eaters.find(({ cardnumber }) => cardnumber === person);
  const items = (data?.items ?? []).filter((order) => order.day.startsWith(month));
  const shown = eater ? items.filter(({ cardnumber }) => cardnumber === person) : items;
  const byDay = Map.groupBy(shown, (order) => order.day);
  // The day that a month opens on stays, also once its meals are cancelled.
  const isOpened = opened.startsWith(month);
  if (isRead && !isOpened && items.some(mealOrderCan.hold))
    setOpened(dayToShow(month, shown, today));
  const day = chosenDay ?? (isOpened ? opened : dayToShow(month, shown, today));
  const cancellableOf = (on: string) => (byDay.get(on) ?? []).filter(({ canCancel }) => canCancel);
  const isPicked = (on: string) => cancellableOf(on).some(({ id }) => picked?.has(id));
  const press = (on: string) => {
    change({ day: on, month: undefined });
    if (picked) {
      const others = [...picked].filter(([, order]) => order.day !== on);
      const added = isPicked(on) ? [] : cancellableOf(on);
      setPicked(new Map([...others, ...added.map((order) => [order.id, order] as const)]));
    } else setPressed((count) => count + 1);
  };
  const canPick = new Set(shown.filter(({ canCancel }) => canCancel).map((order) => order.day));
  return (
    <>
      <Sides
        main={
          <Section>
            <MonthHead
              {...{ month, today }}
              {...(data && { first, last })}
              id={title}
              onGo={(to) => change({ month: to, day: undefined })}
            />
            {answer.error && !data ? (
              <NotLoaded answer={answer} failed="Les repas n’ont pas pu être lus." />
            ) : (
              <Stack aria-busy={!isRead}>
                <Summary orders={shown} today={today} />
                {eaters.length > 1 && (
                  <People {...{ eaters, person }} onPerson={setPerson} disabled={picked !== null} />
                )}
                <MonthGrid
                  day={day}
                  onDay={(to) => change({ day: within(to), month: undefined })}
                  labelledBy={title}
                  multiple={picked !== null}
                  isSelected={(on) => (picked ? isPicked(on) : on === day)}
                >
                  {(on, tabIndex) => (
                    <button
                      type="button"
                      className={styles.day}
                      tabIndex={tabIndex}
                      aria-current={on === today ? "date" : undefined}
                      data-idle={(picked && !canPick.has(on)) || undefined}
                      onClick={() => press(on)}
                    >
                      <DayMarks day={on} orders={byDay.get(on) ?? []} eaters={eaters} />
                    </button>
                  )}
                </MonthGrid>
                <MarksLegend orders={[...byDay.values()].flatMap(drawnOrders)} />
                {canPick.size > 1 && !picked && (
                  <div>
                    <Button size="small" onClick={() => setPicked(new Map())}>
                      Annuler plusieurs jours
                    </Button>
                  </div>
                )}
                {month <= today.slice(0, 7) && <MonthSpending month={month} />}
              </Stack>
            )}
          </Section>
        }
        side={
          <>
            {data && (
              <div ref={panel}>
                <DayMeals
                  {...{ day, today, eaters, isRead }}
                  only={eater}
                  orders={byDay.get(day) ?? []}
                />
              </div>
            )}
            {beside}
          </>
        }
      />
      {picked && (
        <Suspense>
          <CancelBar
            orders={[...picked.values()].filter(
              ({ id, day: on }) =>
                !on.startsWith(month) || cancellableOf(on).some((order) => order.id === id),
            )}
            onClose={() => setPicked(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Whose meals are shown: one person's alone, or everybody's. */
const People = ({
  eaters,
  person,
  onPerson,
  disabled,
}: {
  eaters: readonly Eater[];
  person: number | null;
  onPerson: (person: number | null) => void;
  disabled: boolean;
}) => (
  <fieldset className={styles.people}>
    <legend className="unseen">De qui</legend>
    {eaters.map((eater) => (
      <Chip
        key={eater.cardnumber}
        pressed={eater.cardnumber === person}
        disabled={disabled}
        onPress={() => onPerson(eater.cardnumber === person ? null : eater.cardnumber)}
      >
        <PersonMark eater={eater} />
        {firstName(
          eater.name,
          eaters.map(({ name }) => name),
        )}
      </Chip>
    ))}
  </fieldset>
);

function DayMarks({
  day,
  orders,
  eaters,
}: {
  day: string;
  orders: readonly MealOrder[];
  eaters: readonly Eater[];
}) {
  const drawn = drawnOrders(orders);
  return (
    <>
      <span aria-hidden="true">{Number(day.slice(8))}</span>
      <span className="unseen">
        {formatDayInWords(day)}
        {marksInWords(
          drawn,
          eaters.map(({ name }) => name),
        )}
      </span>
      <MealMarks orders={drawn} eaters={eaters} />
    </>
  );
}

function MonthHead({
  month,
  today,
  first = "2000-01",
  last = "2099-12",
  id,
  onGo,
}: {
  month: string;
  today: string;
  /** The months at either end, once they are known. */
  first?: string;
  last?: string;
  id: string;
  onGo: (month: string) => void;
}) {
  const current = today.slice(0, 7);
  const step = (count: 1 | -1) => onGo(firstOfMonth(`${month}-01`, count).slice(0, 7));
  // At either end the button keeps the focus that it has, and does nothing.
  const [isFirst, isLast] = [month <= first, month >= last];
  return (
    <Row gap={8} wrap={false}>
      <IconButton
        icon="left"
        label="Mois précédent"
        aria-disabled={isFirst || undefined}
        onClick={() => !isFirst && step(-1)}
      />
      <h2 id={id} className={styles.month} aria-live="polite">
        {capital(formatMonth(`${month}-01`))}
      </h2>
      <IconButton
        icon="right"
        label="Mois suivant"
        aria-disabled={isLast || undefined}
        onClick={() => !isLast && step(1)}
      />
      {month !== current && (
        <IconButton icon="calendar" label="Ce mois-ci" onClick={() => onGo(current)} />
      )}
    </Row>
  );
}

/** « 12 repas à venir, dont 9 encore gratuits à annuler. » */
function Summary({ orders, today }: { orders: readonly MealOrder[]; today: string }) {
  const coming = orders.filter((order) => order.day >= today && mealOrderCan.hold(order));
  const free = coming.filter(isFreeToCancel).length;
  const reviewed = coming.filter(({ toReview }) => toReview).length;
  if (coming.length === 0) return null;
  const ofThem =
    free === 0
      ? coming.length === 1
        ? "qui n’est plus gratuit à annuler"
        : "plus aucun n’est gratuit à annuler"
      : free === coming.length
        ? `${free === 1 ? "encore gratuit" : "tous encore gratuits"} à annuler`
        : `dont ${plural(free, "encore gratuit", "encore gratuits")} à annuler`;
  return (
    <div>
      <p>
        <strong>{plural(coming.length, "repas à venir", "repas à venir")}</strong>, {ofThem}.
      </p>
      {reviewed > 0 && (
        <Text size="small">
          {plural(reviewed, "repas est à vérifier", "repas sont à vérifier")}
          {"\u202f"}: le menu contient un allergène déclaré.
        </Text>
      )}
    </div>
  );
}

export const NoMeals = () => (
  <EmptyState
    icon="meal"
    title="Aucun repas pour le moment"
    action={<ButtonLink href={paths.canteenProviders}>Voir les cantines</ButtonLink>}
  >
    Les repas que vous commandez paraissent ici, avec leur état.
  </EmptyState>
);
