// A week of meals: a row of cells for each person, one for each day, chosen one by one, by day, by person or all at
// once; under it the menu of a day, of every day where there is room.
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "@tanstack/react-router";
import { addDays } from "#contract/days.ts";
import { firstName, formatDayInWords, shortWeekday } from "#contract/french.ts";
import { placeId } from "#contract/places.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Checkbox } from "#web/ui/choice.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { MealCellButton } from "./meal-cell.tsx";
import type { useMealChoice } from "./use-meal-choice.ts";
import { detailsIdOf, WeekDay } from "./week-day.tsx";
import {
  commonPrice,
  isChoice,
  mealOf,
  peopleOf,
  type Person,
  type Slot,
  tickState,
  toTick,
  type Week,
} from "./week-slots.ts";
import styles from "./week-grid.module.css";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));

const AllergenQuestion = lazy(async () => ({
  default: (await import("./meal-questions.tsx")).AllergenQuestion,
}));
const SameTime = lazy(async () => ({
  default: (await import("./meal-questions.tsx")).SameTime,
}));

export function WeekGrid({
  week,
  slots,
  today,
  choice,
  children,
}: {
  week: Week;
  /** Of the week, as `slotsOf` answers them. */
  slots: readonly Slot[];
  today: string;
  choice: ReturnType<typeof useMealChoice>;
  /** Other ways to choose, between the cells and the menus. */
  children: ReactNode;
}) {
  const id = useId();
  const [risky, setRisky] = useState<readonly Slot[]>([]);
  const [cancelled, setCancelled] = useState<string | null>(null);
  const place = useLocation({ select: ({ hash }) => hash });
  const [pressed, setPressed] = useState<{ day: string; place: string } | null>(null);
  const setPressedDay = (day: string) => setPressed({ day, place });
  const people = peopleOf(week);
  const ofPerson = Map.groupBy(slots, ({ person }) => person.registration);
  const days = daysOf(week, slots);
  const onDay = (day: string) => slots.filter(({ cell }) => cell.day === day);
  // The day that was pressed since; else, where a link leads to a seat that is offered, its day.
  const linked = slots.find(({ cell }) => cell.wait && placeId("mealWait", cell.wait.id) === place);
  const preferredDay = pressed?.place === place ? pressed.day : linked?.cell.day;
  const selectedDay =
    preferredDay !== undefined && days.includes(preferredDay)
      ? preferredDay
      : firstDay(days, slots, today);
  /** Chooses slots, those with a warning once it was confirmed. */
  const chooseAll = (some: readonly Slot[]) => {
    const safe = some.filter(({ cell }) => cell.warning === null);
    choice.choose({ meals: safe.map(mealOf), chosen: true, confirmed: false });
    setRisky(some.filter(({ cell }) => cell.warning !== null));
  };
  const press = (slot: Slot) => {
    const { cell, state } = slot;
    // The day is unfolded before the keyboard goes there.
    flushSync(() => setPressedDay(cell.day));
    if (cell.order) return setCancelled(cell.order.id);
    if (state === "full") return focusActsOf(slot);
    if (state === "open") return chooseAll([slot]);
    choice.choose({ meals: [mealOf(slot)], chosen: false, confirmed: false });
  };
  const tick = (some: readonly Slot[]) => {
    const more = toTick(some, slots);
    if (more.length > 0) return chooseAll(more);
    const chosen = some.filter(({ state }) => state === "chosen");
    choice.choose({ meals: chosen.map(mealOf), chosen: false, confirmed: false });
  };
  const away = [
    ...new Set(
      slots
        .filter((slot) => isChoice(slot) && slot.cell.custody?.own === false)
        .map(({ cell }) => firstName(cell.custody?.name ?? "")),
    ),
  ];
  if (people.length === 0 && week.menus.length === 0) {
    return (
      <>
        <EmptyState icon="meal" title="Pas de menu cette semaine">
          Le menu paraît quand la cuisine l’a publié.
        </EmptyState>
        {children}
      </>
    );
  }
  return (
    <>
      <ProblemBanner problem={choice.problem} />
      <div className={styles.week} data-columns={days.length}>
        {days.length > 0 && (
          <div className={styles.row}>
            <span />
            {days.map((day) => (
              <span key={day} className={styles.dayHead} data-today={day === today || undefined}>
                <button
                  type="button"
                  aria-expanded={day === selectedDay}
                  aria-controls={`${id}-${day}`}
                  onClick={() => setPressedDay(day)}
                >
                  <DayHead day={day} />
                  <span className="unseen">&#8239;: menu du {formatDayInWords(day)}</span>
                </button>
                <span aria-hidden="true">
                  <DayHead day={day} />
                </span>
              </span>
            ))}
          </div>
        )}
        {people.length > 1 && tickState(slots, slots) !== "none" && (
          <fieldset className={styles.row} aria-label="Toute la famille">
            <Tick some={slots} week={slots} onTick={tick} label="Tout cocher" />
            {days.map((day) => (
              <span key={day} className={styles.dayTick}>
                <Tick
                  some={onDay(day)}
                  week={slots}
                  onTick={tick}
                  label={<span className="unseen">{`Tous, ${formatDayInWords(day)}`}</span>}
                />
              </span>
            ))}
          </fieldset>
        )}
        {days.length > 0 &&
          people.map((person) => {
            const own = ofPerson.get(person.registration) ?? [];
            return (
              <fieldset key={person.registration} className={styles.row} aria-label={person.label}>
                <Who person={person} slots={own} week={slots} onTick={tick} />
                {days.map((day) => {
                  const slot = own.find(({ cell }) => cell.day === day);
                  return slot && <MealCellButton key={day} slot={slot} onPress={press} />;
                })}
              </fieldset>
            );
          })}
        <Closed week={week} slots={slots} />
        {away.length > 0 && (
          <Text tone="soft" size="small">
            En pointillé, les jours chez {away.join(", ")}&#8239;: à choisir un à un.
          </Text>
        )}
        {children}
        {days.length > 0 && (
          <ol className={styles.days}>
            {days.map((day) => (
              <WeekDay
                key={day}
                id={`${id}-${day}`}
                day={day}
                today={today}
                now={week.now}
                menu={week.menus.find((menu) => menu.day === day)}
                slots={onDay(day)}
                hasPrice={(slot) =>
                  commonPrice(ofPerson.get(slot.person.registration) ?? []) === null
                }
                isSelected={day === selectedDay}
                tick={
                  people.length > 1 && (
                    <Tick
                      some={onDay(day)}
                      week={slots}
                      onTick={tick}
                      label={
                        <>
                          Tous<span className="unseen">, {formatDayInWords(day)}</span>
                        </>
                      }
                    />
                  )
                }
                onPress={press}
              />
            ))}
          </ol>
        )}
      </div>
      <Suspense>
        {risky.length > 0 && (
          <AllergenQuestion
            slots={risky}
            onClose={() => setRisky([])}
            onConfirm={() => {
              setRisky([]);
              choice.choose({ meals: risky.map(mealOf), chosen: true, confirmed: true });
            }}
          />
        )}
        {choice.sameTime && (
          <SameTime
            question={choice.sameTime}
            choose={choice.choose}
            onClose={choice.forgetSameTime}
          />
        )}
        {cancelled && <CancelMeals orders={[cancelled]} onClose={() => setCancelled(null)} />}
      </Suspense>
    </>
  );
}

/** The days that have a column: those of a service, of an order or of a menu; ISO dates. */
function daysOf({ monday, menus }: Week, slots: readonly Slot[]): string[] {
  const days = Array.from({ length: 7 }, (_, index) => addDays(monday, index));
  if (slots.length === 0) {
    return days.filter((day, index) => index < 5 || menus.some((menu) => menu.day === day));
  }
  return days.filter((day) =>
    slots.some(
      ({ cell, state }) => cell.day === day && state !== "closed" && state !== "elsewhere",
    ),
  );
}

/** The day whose menu is unfolded at first: that of a free seat, the first that can be ordered, the next one. */
const firstDay = (days: readonly string[], slots: readonly Slot[], today: string) =>
  slots.find(({ cell }) => cell.wait?.state === "offered")?.cell.day ??
  days.find((day) => slots.some((slot) => slot.cell.day === day && isChoice(slot))) ??
  days.find((day) => day >= today) ??
  days[0];

/** Leads to what can be done about a full service, which is more than a press. */
const focusActsOf = (slot: Slot): void =>
  document
    .getElementById(detailsIdOf(slot))
    ?.parentElement?.querySelector<HTMLButtonElement>("button")
    ?.focus();

const DayHead = ({ day }: { day: string }) => (
  <>
    <span>{shortWeekday(day)}</span> <strong>{Number(day.slice(8))}</strong>
  </>
);

/** The working days without a service, with the reason. */
function Closed({ week, slots }: { week: Week; slots: readonly Slot[] }) {
  const closed = Array.from({ length: 5 }, (_, index) => addDays(week.monday, index)).flatMap(
    (day) => {
      const ofDay = slots.filter(({ cell, state }) => cell.day === day && state !== "elsewhere");
      if (ofDay.length === 0 || ofDay.some(({ state }) => state !== "closed")) return [];
      return [{ day, why: [...new Set(ofDay.map(({ cell }) => cell.closedWhy))].join(", ") }];
    },
  );
  const byReason = [...Map.groupBy(closed, ({ why }) => why)];
  return byReason.map(([why, some]) => (
    <Text key={why} tone="soft" size="small">
      <span className={styles.dayName}>
        {some.length === 5
          ? "toute la semaine"
          : some.map(({ day }) => formatDayInWords(day)).join(", ")}
      </span>
      &#8239;: {why}
    </Text>
  ));
}

function Who({
  person,
  slots,
  week,
  onTick,
}: {
  person: Person;
  slots: readonly Slot[];
  week: readonly Slot[];
  onTick: (some: readonly Slot[]) => void;
}) {
  const hint = commonPrice(slots) ?? person.className;
  if (tickState(slots, week) !== "none") {
    return <Tick some={slots} week={week} onTick={onTick} label={person.label} hint={hint} />;
  }
  return (
    <span className={styles.who}>
      <strong>{person.label}</strong>
      <Text as="span" tone="soft" size="small">
        {hint}
      </Text>
    </span>
  );
}

/** A box that chooses every meal of some slots that one press may choose; nothing where there is none. */
function Tick({
  some,
  week,
  label,
  hint,
  onTick,
}: {
  some: readonly Slot[];
  week: readonly Slot[];
  label: ReactNode;
  hint?: string;
  onTick: (some: readonly Slot[]) => void;
}) {
  const state = tickState(some, week);
  if (state === "none") return <span />;
  return (
    <span className={styles.tick}>
      <Checkbox
        label={label}
        hint={hint}
        checked={state === "all"}
        mixed={state === "some"}
        onChecked={() => onTick(some)}
      />
    </span>
  );
}
