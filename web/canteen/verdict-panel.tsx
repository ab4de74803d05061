// The verdict, huge: colour, words, who stands there, and what may be done where no meal is due.
import { type ReactNode, useEffect, useRef } from "react";
import { allergenNames } from "#contract/allergies/rows.ts";
import type { CounterPerson, Verdict as VerdictCode } from "#contract/canteen/counter.ts";
import { warningWords } from "#contract/canteen/dish-allergens.ts";
import { dishesReplacing } from "#contract/canteen/served-dishes.ts";
import type { DayList } from "#contract/canteen/service.ts";
import { courseNames, dietNames } from "#contract/canteen/states.ts";
import { formatMoney, formatTime, plural, spokenDay } from "#contract/french.ts";
import { PersonAvatar } from "#web/app/shared/person-avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { dayList, hand, seatsLeft, type Shown } from "./counter-state.ts";
import { keptScans } from "./kept-scans.ts";
import { toneOf } from "./verdict-tones.ts";
import { markNames, verdictNames } from "./verdict-words.ts";
import styles from "./counter.module.css";

const weekday = new Intl.DateTimeFormat("fr-FR", { weekday: "long", timeZone: "UTC" });

/** For which day the meal of another day was ordered. */
const otherDayOf = ({ person, orderDay }: Shown): string | null =>
  orderDay ?? person?.otherDay ?? null;

function wordsOf(shown: Shown): string {
  const { verdict, mark, servedAt, scan } = shown;
  if (mark) return markNames[mark];
  if (verdict === "already" && servedAt) return `Déjà servi à ${formatTime(servedAt)}`;
  if (verdict !== "other_day") return verdictNames[verdict];
  return `Commande de ${weekday.format(new Date(otherDayOf(shown) ?? scan.day))}`;
}

const help: Readonly<Partial<Record<VerdictCode, string>>> = {
  opposed:
    "Gardez la carte si vous le pouvez. Le repas est gardé : cherchez la personne dans la liste.",
  suspended: "Cherchez la personne dans la liste, ou appelez la famille.",
  out_of_use: "Cette carte est remplacée ou expirée. Cherchez la personne dans la liste.",
  late_code: "Demandez d’afficher de nouveau le code : il change chaque minute.",
  forged: "Ce code n’est pas de Ma carte. Ne servez pas sans vérifier.",
  unregistered: "Cette personne ne mange pas dans cette cantine.",
};

const helpOf = ({ verdict, mark }: Shown): string | undefined =>
  mark ? "Demandez la carte, ou cherchez la personne dans la liste." : help[verdict];

export function VerdictPanel({ shown }: { shown: Shown | null }) {
  const otherDay = shown && otherDayOf(shown);
  return (
    <Verdict
      news={shown?.scan.id}
      tone={shown ? toneOf(shown.verdict, shown.person) : undefined}
      words={shown ? wordsOf(shown) : "Présentez une carte, tapez un numéro ou choisissez un nom."}
      help={
        shown && (
          <>
            {shown.verdict === "other_day" && otherDay && <span>{spokenDay(otherDay)}</span>}
            {helpOf(shown) && <span>{helpOf(shown)}</span>}
            {shown.person?.warning && (
              <span className={styles.atTable}>
                Au menu&#8239;: {warningWords(shown.person.warning)}
              </span>
            )}
            {shown.asking && <span>Vérification…</span>}
          </>
        )
      }
    >
      {shown?.person && <Who person={shown.person} />}
      {shown && <Acts shown={shown} />}
    </Verdict>
  );
}

/** « Plat : Omelette »: what is handed to somebody of a diet in place of what the others eat. */
function ownDishes({ diet }: CounterPerson, list: DayList | null): string[] {
  return dishesReplacing(list?.dietDishes ?? [], diet).map(
    ({ course, name }) => `${courseNames[course]}\u202f: ${name}`,
  );
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

function Acts({ shown }: { shown: Shown }) {
  const { verdict, person, asking } = shown;
  const list = useObserved(dayList);
  const scans = useObserved(keptScans);
  if (asking) return null;
  if (verdict === "to_validate") {
    return (
      <Choices key={shown.scan.id} shown={shown}>
        <Button kind="primary" wide icon="check" onClick={() => void hand(shown, "validated")}>
          Valider et servir
        </Button>
      </Choices>
    );
  }
  if (!["no_order", "other_day", "unregistered"].includes(verdict)) return null;
  if (list && list.closedWhy !== null) {
    return <p>Fermé aujourd’hui&#8239;: un repas sans commande n’est pas servi.</p>;
  }
  const cents = person?.walkInCents ?? null;
  const isFull = list !== null && seatsLeft(list, scans) <= 0;
  const serve = isFull ? "Servir en plus" : "Servir";
  return (
    <Choices key={shown.scan.id} shown={shown}>
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
        <Button wide icon="wallet" onClick={() => void hand(shown, "hold")}>
          {serve}, {formatMoney(cents)} de sa cagnotte
        </Button>
      )}
      <Button wide onClick={() => void hand(shown, "cash")}>
        {serve}, payé en espèces{cents !== null && ` (${formatMoney(cents)})`}
      </Button>
    </Choices>
  );
}

/** What may be done. For a name pressed in the list, which stands below, it has the keyboard. */
function Choices({ shown: { scan, person }, children }: { shown: Shown; children: ReactNode }) {
  const place = useRef<HTMLElement>(null);
  const byName = person !== null && scan.card === undefined && scan.order === undefined;
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
