// A week of meals: a card for each day with its menu, and a line for each person.
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { type AllergenWarning, warningWords } from "#contract/canteen/dish-allergens.ts";
import type { MealCell } from "#contract/canteen/orders.ts";
import { type Diet, dietNames, mealOrderStateNames } from "#contract/canteen/states.ts";
import type { Dish, MenuView } from "#contract/canteen/menus.ts";
import { dishesReplacing } from "#contract/canteen/served-dishes.ts";
import type { Output } from "#contract/endpoint.ts";
import {
  firstName,
  formatDate,
  formatDayInWords,
  formatMoney,
  formatTime,
  plural,
} from "#contract/french.ts";
import { readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { DayMenu } from "./day-menu.tsx";
import { FullMeal, isFull, KeptUntil, WaitAct } from "./meal-wait.tsx";
import { Warned } from "./warned.tsx";
import styles from "./family-meals.module.css";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));

type Week = Output<typeof api.canteen.week>;
type Person = Week["people"][number];
interface MealChoice {
  registration: string;
  day: string;
  wanted: boolean;
  confirmed: boolean;
}
type Meal = Pick<MealChoice, "registration" | "day">;

interface Risk {
  person: Person;
  cell: MealCell;
  warning: AllergenWarning;
}

/** What the menu holds, said before a meal is chosen all the same. */
function riskWords({ person, cell, warning }: Risk): string {
  const whose = firstName(person.name);
  const on = formatDayInWords(cell.day);
  const untold = "les allergènes d’un plat ne sont pas renseignés";
  if (warning.allergens.length === 0) {
    return `Au menu du ${on}, ${untold}, et vous en avez déclaré pour ${whose}. La cantine peut vous dire ce qu’il contient.`;
  }
  const held = warningWords({ ...warning, undeclared: false });
  const more = warning.undeclared ? ` De plus, ${untold}.` : "";
  return `Le menu du ${on} contient ${held}, que vous avez déclaré pour ${whose}.${more}`;
}

const isOf =
  ({ registration, day }: Meal) =>
  (other: Meal): boolean =>
    other.registration === registration && other.day === day;

export function WeekGrid({ idgroup, week, today }: { idgroup: number; week: Week; today: string }) {
  const [risky, setRisky] = useState<Risk | null>(null);
  const [cancelled, setCancelled] = useState<string | null>(null);
  // What was pressed shows at once, before the server keeps it.
  const [pending, setPending] = useState<readonly MealChoice[]>([]);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const choose = useMutation<unknown, ApiProblem, MealChoice>({
    // One after the other, as they were pressed.
    scope: { id: `meals ${idgroup}` },
    mutationFn: ({ registration, day, wanted, confirmed }) =>
      call(
        api.canteen.choose,
        { idgroup, meals: [{ registration, day }], wanted, allergensConfirmed: confirmed },
        { draft: true },
      ),
    onError: setProblem,
    onSettled: async (_answer, _problem, meal) => {
      await readAgain(api.canteen.week);
      setPending((now) => now.filter((one) => !isOf(meal)(one)));
    },
  });
  const chooseMeal = (meal: MealChoice) => {
    if (pending.length === 0) setProblem(null);
    setPending((now) => [...now, meal]);
    choose.mutate(meal);
  };
  const days = Array.from({ length: 7 }, (_, index) => index).filter(
    (index) => index < 5 || week.people.some(({ cells }) => cells[index]?.closedWhy === null),
  );
  const press = (person: Person, cell: MealCell) => {
    if (cell.order) return setCancelled(cell.order.id);
    if (!cell.chosen && cell.warning) {
      return setRisky({ person, cell, warning: cell.warning });
    }
    chooseMeal({
      registration: person.registration,
      day: cell.day,
      wanted: !cell.chosen,
      confirmed: false,
    });
  };
  const nobody = week.people.length === 0;
  return (
    <>
      <ProblemBanner problem={problem} />
      {nobody && week.menus.length === 0 ? (
        <EmptyState icon="meal" title="Pas de menu cette semaine">
          Le menu paraît quand la cuisine l’a publié.
        </EmptyState>
      ) : (
        <ol className={styles.days}>
          {days.map((index) => (
            <Day
              key={index}
              day={dayAt(week, index)}
              today={today}
              menu={week.menus.find(({ day }) => day === dayAt(week, index))}
              people={week.people.map((person) => ({
                person,
                cell: person.cells[index] as MealCell,
              }))}
              pending={pending}
              now={week.now}
              onPress={press}
            />
          ))}
        </ol>
      )}
      {risky && (
        <AlertDialog
          open
          onClose={() => setRisky(null)}
          title={
            risky.warning.allergens.length > 0
              ? "Un allergène est au menu"
              : "Des allergènes ne sont pas renseignés"
          }
          cautious
          cancel="Ne pas commander"
          confirm="Commander quand même"
          onConfirm={() => {
            const { person, cell } = risky;
            setRisky(null);
            chooseMeal({
              registration: person.registration,
              day: cell.day,
              wanted: true,
              confirmed: true,
            });
          }}
        >
          {riskWords(risky)}
        </AlertDialog>
      )}
      {cancelled && (
        <Suspense>
          <CancelMeals orders={[cancelled]} onClose={() => setCancelled(null)} />
        </Suspense>
      )}
    </>
  );
}

const dayAt = (week: Week, index: number): string =>
  new Date(Date.parse(week.monday) + index * 86_400_000).toISOString().slice(0, 10);

function Day({
  day,
  today,
  menu,
  people,
  pending,
  now,
  onPress,
}: {
  day: string;
  today: string;
  menu: MenuView | undefined;
  people: readonly { person: Person; cell: MealCell }[];
  pending: readonly MealChoice[];
  now: string;
  onPress: (person: Person, cell: MealCell) => void;
}) {
  const closed = people.length > 0 && people.every(({ cell }) => cell.closedWhy !== null);
  const why = closed ? [...new Set(people.map(({ cell }) => cell.closedWhy))].join(", ") : null;
  const words = formatDayInWords(day);
  return (
    <li className={styles.day} data-past={day < today || undefined}>
      <h3>
        {words.charAt(0).toUpperCase() + words.slice(1)}
        {day === today && <Badge tone="info">Aujourd’hui</Badge>}
      </h3>
      {why !== null ? (
        <p className={styles.quiet}>{why}</p>
      ) : (
        <>
          {menu ? <DayMenu menu={menu} /> : <p className={styles.quiet}>Menu à venir</p>}
          <ul className={styles.people}>
            {people
              .filter(({ cell }) => (day >= today && !cell.isElsewhere) || cell.order)
              .map(({ person, cell }) => (
                <li key={person.registration}>
                  <MealButton
                    person={person}
                    cell={cell}
                    instead={menu ? dishesReplacing(menu.dishes, person.diet) : []}
                    pending={pending.find(isOf({ ...person, day }))}
                    now={now}
                    onPress={onPress}
                  />
                  {cell.wait?.state === "offered" && <WaitAct person={person} cell={cell} />}
                </li>
              ))}
          </ul>
        </>
      )}
    </li>
  );
}

/** What can be done with a meal of a person on a day, or why nothing can. */
function MealButton({
  person,
  cell,
  instead,
  pending,
  now,
  onPress,
}: {
  person: Person;
  cell: MealCell;
  /** Dishes of the day made for the person's diet. */
  instead: readonly Dish[];
  /** What was pressed and is not kept by the server yet. */
  pending: MealChoice | undefined;
  now: string;
  onPress: (person: Person, cell: MealCell) => void;
}) {
  const name = firstName(person.name);
  const { order } = cell;
  if (order) {
    const open = order.canCancel;
    return (
      <button
        type="button"
        className={styles.meal}
        data-state="ordered"
        disabled={!open}
        onClick={() => onPress(person, cell)}
      >
        <Icon name="check" size={20} />
        <span className={styles.mealWords}>
          <span className={styles.mealName}>{name}</span>
          <span>
            {mealOrderStateNames[order.state]} · {formatMoney(order.priceCents)}
          </span>
          {order.orderedBy !== null && (
            <span className={styles.quiet}>Commandé par {firstName(order.orderedBy)}</span>
          )}
          <Instead diet={person.diet} dishes={instead} />
          <Warned warning={cell.warning} />
          <With custody={cell.custody} />
          {open && <span className={styles.quiet}>Annuler…</span>}
        </span>
      </button>
    );
  }
  const closedSince = cell.orderUntil !== null && cell.orderUntil < now ? cell.orderUntil : null;
  const why =
    cell.closedWhy ??
    (closedSince
      ? `Commandes closes depuis le ${formatDate(closedSince).slice(0, 5)} à ${formatTime(closedSince)}`
      : cell.problem);
  if (cell.closedWhy === null && !closedSince && !cell.chosen && isFull(cell)) {
    return <FullMeal person={person} cell={cell} />;
  }
  if (why !== null && !cell.chosen) {
    return (
      <p className={styles.meal} data-state="off">
        <span className={styles.mealWords}>
          <span className={styles.mealName}>{name}</span>
          <span className={styles.quiet}>{why}</span>
          {cell.closedWhy === null && <With custody={cell.custody} />}
        </span>
      </p>
    );
  }
  const chosen = pending?.wanted ?? cell.chosen;
  const offered = cell.wait?.state === "offered" ? cell.wait.offeredUntil : null;
  return (
    <button
      type="button"
      className={styles.meal}
      data-state={chosen ? "chosen" : "open"}
      aria-pressed={chosen}
      aria-busy={pending !== undefined || undefined}
      aria-disabled={pending !== undefined || undefined}
      onClick={() => !pending && onPress(person, cell)}
    >
      <Icon name={chosen ? "check" : "plus"} size={20} />
      <span className={styles.mealWords}>
        <span className={styles.mealName}>{name}</span>
        <span>
          {formatMoney(cell.priceCents ?? 0)}
          {cell.priceReason !== "" && ` · ${cell.priceReason}`}
        </span>
        <Instead diet={person.diet} dishes={instead} />
        <With custody={cell.custody} />
        {cell.orderUntil && <Until until={cell.orderUntil} now={now} />}
        <Warned warning={cell.warning} />
        {offered && <KeptUntil until={offered} />}
        {!offered && cell.seatsLeft < 10 && (
          <span className={styles.quiet}>{plural(cell.seatsLeft, "place")}</span>
        )}
      </span>
    </button>
  );
}

/** What somebody with a diet is served that day instead of everybody's dish. */
const Instead = ({ diet, dishes }: { diet: Diet; dishes: readonly Dish[] }) =>
  dishes.length > 0 && (
    <span className={styles.quiet}>
      {dietNames[diet]}
      {"\u202f"}: {dishes.map(({ name }) => name).join(", ")}
    </span>
  );

/** With whom a child of two guardians is that day. */
const With = ({ custody }: Pick<MealCell, "custody">) =>
  custody && (
    <span className={styles.quiet}>
      {custody.own ? "Chez vous" : `Chez ${firstName(custody.name)}`}
    </span>
  );

const hour = 3_600_000;

/** Until when it can be ordered; in the last day, what remains. */
function Until({ until, now }: { until: string; now: string }) {
  const left = Date.parse(until) - Date.parse(now);
  const [skewMs] = useState(() => Date.parse(now) - Date.now());
  return (
    <span className={styles.quiet}>
      {left < 24 * hour ? (
        <>
          Encore <Countdown until={until} skewMs={skewMs} />
        </>
      ) : (
        `Jusqu’au ${formatDate(until).slice(0, 5)} à ${formatTime(until)}`
      )}
    </span>
  );
}
