// A week of meals: a card for each day with its menu, and a line for each person.
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { type AllergenWarning, warningWords } from "#contract/kitchen/dish-allergens.ts";
import type { MealCell } from "#contract/meals/orders.ts";
import type { MenuView } from "#contract/kitchen/menus.ts";
import { dishesReplacing } from "#contract/kitchen/served-dishes.ts";
import { dayMs } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { firstName, formatDayInWords } from "#contract/french.ts";
import { placeId } from "#contract/places.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { EmptyState } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { DayMenu } from "./day-menu.tsx";
import { MealButton, type Person } from "./meal-button.tsx";
import { WaitAct } from "./meal-waiting-list.tsx";
import styles from "./family-meals.module.css";

const CancelMeals = lazy(async () => ({
  default: (await import("./cancel-meals.tsx")).CancelMeals,
}));

type Week = Output<typeof api.canteen.week>;
interface MealChoice {
  registration: string;
  day: string;
  chosen: boolean;
  /** The person confirms what the menu holds. */
  confirmed: boolean;
  /** And that it is a second meal at one time. */
  sameTime?: boolean;
}
type Meal = Pick<MealChoice, "registration" | "day">;

interface Risk {
  person: Person;
  cell: MealCell;
  warning: AllergenWarning;
}

/** The allergens of the menu, said before a meal is chosen all the same. */
function riskWords({ person, cell, warning }: Risk): string {
  const whose = firstName(person.name);
  const on = formatDayInWords(cell.day);
  const undeclaredText = "les allergènes d’un plat ne sont pas renseignés";
  if (warning.allergens.length === 0) {
    return `Au menu du ${on}, ${undeclaredText}, et vous en avez déclaré pour ${whose}. La cantine peut vous dire ce qu’il contient.`;
  }
  const held = warningWords({ ...warning, undeclared: false });
  const more = warning.undeclared ? ` De plus, ${undeclaredText}.` : "";
  return `Le menu du ${on} contient ${held}, que vous avez déclaré pour ${whose}.${more}`;
}

const isOf =
  ({ registration, day }: Meal) =>
  (other: Meal): boolean =>
    other.registration === registration && other.day === day;

export function WeekGrid({ idgroup, week, today }: { idgroup: number; week: Week; today: string }) {
  const [risky, setRisky] = useState<Risk | null>(null);
  const [twice, setTwice] = useState<{ meal: MealChoice; words: string } | null>(null);
  const [cancelled, setCancelled] = useState<string | null>(null);
  // What was pressed shows at once, before the server keeps it.
  const [pending, setPending] = useState<readonly MealChoice[]>([]);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const choose = useMutation<unknown, ApiProblem, MealChoice>({
    // One after the other, as they were pressed.
    scope: { id: `meals ${idgroup}` },
    mutationFn: ({ registration, day, chosen, confirmed, sameTime = false }) =>
      call(
        api.canteen.choose,
        {
          idgroup,
          meals: [{ registration, day }],
          chosen,
          allergensConfirmed: confirmed,
          sameTimeConfirmed: sameTime,
        },
        { draft: true },
      ),
    onError: (error, meal) => {
      // Without an answer too: the week tells what the server keeps.
      noteChanges(["meals"]);
      if (error.code === "meal_same_time") setTwice({ meal, words: error.message });
      else setProblem(error);
    },
    // Once the week shows what is kept.
    onSettled: (_answer, _problem, meal) =>
      setPending((now) => now.filter((one) => !isOf(meal)(one))),
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
      chosen: !cell.chosen,
      confirmed: false,
    });
  };
  const nobody = week.people.length === 0;
  const canteens = new Set(week.people.map(({ canteen }) => canteen));
  const names = week.people.map(({ name }) => name);
  const people = week.people.map((person) => {
    const label = firstName(person.name, names);
    return { ...person, label: canteens.size > 1 ? `${label} · ${person.canteen}` : label };
  });
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
              people={people.map((person) => ({
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
              chosen: true,
              confirmed: true,
            });
          }}
        >
          {riskWords(risky)}
        </AlertDialog>
      )}
      {twice && (
        <AlertDialog
          open
          onClose={() => setTwice(null)}
          title="Deux repas à la même heure"
          cautious
          cancel="Ne pas commander"
          confirm="Commander aussi"
          onConfirm={() => {
            setTwice(null);
            chooseMeal({ ...twice.meal, sameTime: true });
          }}
        >
          {twice.words}
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
  new Date(Date.parse(week.monday) + index * dayMs).toISOString().slice(0, 10);

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
        <Text tone="soft" size="small">
          {why}
        </Text>
      ) : (
        <>
          {menu ? (
            <DayMenu menu={menu} />
          ) : (
            <Text tone="soft" size="small">
              Menu à venir
            </Text>
          )}
          <ul className={styles.people}>
            {people
              .filter(({ cell }) => (day >= today && !cell.isElsewhere) || cell.order)
              .map(({ person, cell }) => (
                <li
                  key={person.registration}
                  id={cell.wait ? placeId("mealWait", cell.wait.id) : undefined}
                >
                  <MealButton
                    person={person}
                    cell={cell}
                    instead={menu ? dishesReplacing(menu.dishes, person.diet) : []}
                    pendingChoice={pending.find(isOf({ ...person, day }))?.chosen}
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
