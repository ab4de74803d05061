// The verdict, huge: colour, words, who stands there, and what may be done where no meal is due.
import { type ReactNode, useEffect, useRef } from "react";
import { allergenNames } from "#contract/allergies/rows.ts";
import type { CounterPerson, Verdict as VerdictCode } from "#contract/meal-service/counter.ts";
import { warningWords } from "#contract/kitchen/dish-allergens.ts";
import { dishesServed } from "#contract/kitchen/served-dishes.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { courseNames, dietNames } from "#contract/kitchen/states.ts";
import { formatMoney, formatTime, plural, spokenDay } from "#contract/french.ts";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import { useObserved } from "#web/app/transport/use-observed.ts";
import {
  canWalkIn,
  type CounterReading,
  dayList,
  dismiss,
  read,
  seatsLeft,
  serveMeal,
} from "./counter-state.ts";
import { focusPerson } from "./person-row.tsx";
import { storedScans } from "./scan-queue.ts";
import { toneOf } from "./verdict-tones.ts";
import { markNames, verdictNames } from "./verdict-words.ts";
import styles from "./counter.module.css";

const weekday = new Intl.DateTimeFormat("fr-FR", { weekday: "long", timeZone: "UTC" });

/** For which day the meal of another day was ordered. */
const otherDayOf = ({ person, orderDay }: CounterReading): string | null =>
  orderDay ?? person?.otherDay ?? null;

function wordsOf(reading: CounterReading): string {
  const { verdict, mark, servedAt, scan, isUnconfirmed } = reading;
  if (mark) return markNames[mark];
  if (isUnconfirmed) return "Allergène au menu";
  if (verdict === "already" && servedAt) return `Déjà servi à ${formatTime(servedAt)}`;
  if (verdict !== "other_day") return verdictNames[verdict];
  return `Commande de ${weekday.format(new Date(otherDayOf(reading) ?? scan.day))}`;
}

const help: Readonly<Partial<Record<VerdictCode, string>>> = {
  opposed:
    "Gardez la carte si vous le pouvez. Le repas est gardé\u202f: cherchez la personne dans la liste.",
  suspended: "Cherchez la personne dans la liste, ou appelez la famille.",
  out_of_use: "Cette carte est remplacée ou expirée. Cherchez la personne dans la liste.",
  late_code: "Demandez d’afficher de nouveau le code\u202f: il change chaque minute.",
  forged: "Ce code n’est pas de Ma carte. Ne servez pas sans vérifier.",
  unregistered: "Cette personne ne mange pas dans cette cantine.",
};

const helpOf = ({ verdict, mark }: CounterReading): string | undefined =>
  mark ? "Demandez la carte, ou cherchez la personne dans la liste." : help[verdict];

/** The verdict of a reading; while there is none, what the counter waits for: `words`, `help` and `action`. */
export function VerdictPanel({
  reading,
  words,
  help: idleHelp,
  action,
  onLeft,
}: {
  reading: CounterReading | null;
  words: ReactNode;
  help?: ReactNode;
  action?: ReactNode;
  /** Called once nothing is served to whoever was not pressed in the list: what was pressed goes. */
  onLeft: () => void;
}) {
  const otherDay = reading && otherDayOf(reading);
  return (
    <Verdict
      news={reading?.scan.id}
      tone={reading ? toneOf(reading.verdict, reading.person) : undefined}
      words={reading ? wordsOf(reading) : words}
      help={
        reading ? (
          <>
            {reading.verdict === "other_day" && otherDay && <span>{spokenDay(otherDay)}</span>}
            {helpOf(reading) && <span>{helpOf(reading)}</span>}
            {reading.person?.warning && (
              <span className={styles.atTable}>
                Au menu&#8239;: {warningWords(reading.person.warning)}
              </span>
            )}
            {reading.asking && <span>Vérification…</span>}
          </>
        ) : (
          idleHelp
        )
      }
    >
      {reading?.person && <Who person={reading.person} />}
      {reading ? <Actions reading={reading} onLeft={onLeft} /> : action}
    </Verdict>
  );
}

/** « Plat : Omelette »: a person's main dish, and what their diet has in place of another course. */
function ownDishes({ diet }: CounterPerson, list: DayList | null): string[] {
  // Who brings a packed meal is handed no dish.
  if (!list || diet === "packed") return [];
  const words = dishesServed(list.dishes, diet)
    .filter(({ course, diets }) => course === "main" || diets.length > 0)
    .map(({ course, name }) => `${courseNames[course]}\u202f: ${name}`);
  // A menu may name a dish twice.
  return [...new Set(words)];
}

function Who({ person }: { person: CounterPerson }) {
  const dishes = ownDishes(person, useObserved(dayList));
  const { name, class: room, diet, pai, allergens, photo } = person;
  return (
    <div className={styles.who}>
      <PersonAvatar name={name} avatar={photo} size="large" />
      <div>
        <p className={styles.name}>{name}</p>
        <p>
          {[room, diet !== "standard" && dietNames[diet], pai && "PAI"].filter(Boolean).join(" · ")}
        </p>
        {dishes.map((one) => (
          <Text key={one} weight="strong">
            {one}
          </Text>
        ))}
        {allergens.length > 0 && (
          <p className={styles.allergens}>
            <Icon name="warning" size={20} />
            <span>Allergènes&#8239;: {allergens.map((one) => allergenNames[one]).join(", ")}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** Whether a line of the list was pressed, which then has the keyboard back. */
const isByName = ({ scan }: CounterReading): boolean =>
  scan.registration !== undefined && scan.card === undefined && scan.order === undefined;

function Actions({ reading, onLeft }: { reading: CounterReading; onLeft: () => void }) {
  const { verdict, person, asking, isUnconfirmed } = reading;
  const list = useObserved(dayList);
  const scans = useObserved(storedScans);
  if (asking) return null;
  const leave = () => {
    dismiss(reading);
    if (person && isByName(reading)) focusPerson(person.registration);
    else onLeft();
  };
  const leaving = (
    <Button wide kind="ghost" onClick={leave}>
      Ne pas servir
    </Button>
  );
  if (isUnconfirmed && person) {
    const { registration } = person;
    return (
      <Choices key={reading.scan.id} reading={reading}>
        <Button kind="primary" wide onClick={leave}>
          Ne pas servir
        </Button>
        <Button wide onClick={() => void read({ registration }, { isConfirmed: true })}>
          Servir quand même
        </Button>
      </Choices>
    );
  }
  if (verdict === "to_validate") {
    return (
      <Choices key={reading.scan.id} reading={reading}>
        <Button
          kind="primary"
          wide
          icon="check"
          onClick={() => void serveMeal(reading, "validated")}
        >
          Valider et servir
        </Button>
        {leaving}
      </Choices>
    );
  }
  if (!canWalkIn(reading)) return null;
  if (list && list.closedWhy !== null) {
    return (
      <Choices key={reading.scan.id} reading={reading}>
        <p>Fermé aujourd’hui&#8239;: un repas sans commande n’est pas servi.</p>
        {leaving}
      </Choices>
    );
  }
  const cents = person?.walkInCents ?? null;
  const isFull = list !== null && seatsLeft(list, scans) <= 0;
  const serve = isFull ? "Servir en plus" : "Servir";
  return (
    <Choices key={reading.scan.id} reading={reading}>
      {isFull && (
        <p className={styles.full}>
          <Icon name="warning" size={20} />
          <span>
            Service complet&#8239;:{" "}
            {plural(list.canteen.seats, "place prise sur", "places prises sur")}{" "}
            {list.canteen.seats}. Ce repas serait servi en plus.
          </span>
        </p>
      )}
      {cents !== null && (
        <Button wide icon="wallet" onClick={() => void serveMeal(reading, "hold")}>
          {serve}, {formatMoney(cents)} de sa cagnotte
        </Button>
      )}
      <Button wide onClick={() => void serveMeal(reading, "cash")}>
        {serve}, payé en espèces{cents !== null && ` (${formatMoney(cents)})`}
      </Button>
      {leaving}
    </Choices>
  );
}

/** What may be done. For a name pressed in the list, which stands below, it has the keyboard. */
function Choices({ reading, children }: { reading: CounterReading; children: ReactNode }) {
  const { person } = reading;
  const place = useRef<HTMLElement>(null);
  const byName = isByName(reading);
  useEffect(() => {
    if (byName) place.current?.focus({ preventScroll: true });
  }, [byName]);
  return (
    <Stack
      as="section"
      ref={place}
      aria-label={person ? `Pour ${person.name}` : "Que faire"}
      tabIndex={-1}
      gap={12}
    >
      {children}
    </Stack>
  );
}
