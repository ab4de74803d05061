// « Demain »: a line a person, what each eats, which bus, which ticket, and with whom each child is; the meals
// that nobody has ordered yet under one button.
import { Fragment } from "react";
import { parisDay } from "#contract/days.ts";
import { firstName, formatTime, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Boarding, DayMeal, FamilyDay, PersonDay } from "#contract/portal/family-day.ts";
import { warningWords } from "#contract/kitchen/dish-allergens.ts";
import { LineMark } from "#web/transit/line-mark.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import styles from "./day-ahead.module.css";
import { dayDate, dayTitle, mealsToOrder } from "./day-words.ts";

export function DayAhead({ day, now }: { day: FamilyDay; now: Date }) {
  if (day.people.length === 0) return null;
  const date = dayDate(day.on, now);
  const names = day.people.map(({ name }) => name);
  return (
    <section className={styles.day}>
      <header className={styles.dayHead}>
        <h2>{dayTitle(day.on, now)}</h2>
        {date && <p className={styles.daySoft}>{date}</p>}
      </header>
      <ul>
        {day.people.map((person) => (
          <Person key={person.cardnumber} on={day.on} person={person} among={names} />
        ))}
      </ul>
      {mealsToOrder(day, now).map(({ path, label, before }) => (
        <ButtonLink key={path} kind="primary" icon="meal" wide href={path}>
          <span>
            {label}
            {before && <span className={styles.dayBefore}> {before}</span>}
          </span>
        </ButtonLink>
      ))}
    </section>
  );
}

function Person({
  on,
  person,
  among,
}: {
  on: string;
  person: PersonDay;
  among: readonly string[];
}) {
  const { cardnumber, name, own, meal, bus, tickets, custodian } = person;
  const first = firstName(name, among);
  const nothing = !meal && !bus && tickets.length === 0;
  return (
    <li className={styles.person}>
      <p className={styles.personWho}>
        {own ? (
          <strong>Vous</strong>
        ) : (
          <Link href={linkTo(paths.familyMember, { cardnumber })}>{first}</Link>
        )}
        {custodian && (
          <span className={styles.daySoft}>
            avec {custodian.own ? "vous" : firstName(custodian.name)}
          </span>
        )}
      </p>
      <ul className={styles.facts}>
        {meal && <Meal meal={meal} />}
        {bus && <Bus bus={bus} />}
        {tickets.map(({ id, title, place, from, count }) => (
          <li key={id}>
            <Icon name="ticket" size={20} />
            <span>
              {parisDay(new Date(from)) !== on && "Aujourd’hui "}
              <time dateTime={from}>{formatTime(from)}</time> {title}
              {count > 1 && <span className={styles.daySoft}> · {plural(count, "billet")}</span>}
              {place && <span className={styles.dayMore}> · {place}</span>}
            </span>
          </li>
        ))}
        {nothing && <li className={styles.daySoft}>Rien de prévu</li>}
      </ul>
    </li>
  );
}

function Meal({ meal: { state, dishes, warning, canteen } }: { meal: DayMeal }) {
  return (
    <>
      <li>
        <Icon name="meal" size={20} />
        <span>
          {mealWords(state, dishes)}
          {(state === "ordered" || state === "served") && (
            <span className={styles.dayMore}> · {canteen}</span>
          )}
        </span>
      </li>
      {warning && state !== "missed" && (
        <li className={styles.warned}>
          <Icon name="warning" size={20} />
          <span>Au menu&#8239;: {warningWords(warning)}</span>
        </li>
      )}
    </>
  );
}

function mealWords(state: DayMeal["state"], dishes: readonly string[]): string {
  if (state === "open" || state === "missed") return "Pas de repas commandé";
  if (dishes.length > 0) return dishes.join(", ");
  return state === "served" ? "Repas servi" : "Repas commandé";
}

const Bus = ({ bus: { line, to, stop, next } }: { bus: Boarding }) => (
  <li>
    <LineMark line={line} />
    <span>
      {next.map(({ at, onRequest }) => (
        <Fragment key={at}>
          <time dateTime={at}>{formatTime(at)}</time> {onRequest && "sur réservation "}
        </Fragment>
      ))}
      <span className={styles.daySoft}>{stop}</span>
      <span className={styles.dayMore}>
        {" "}
        <span aria-hidden>→</span>
        <span className="unseen">vers</span> {to}
      </span>
    </span>
  </li>
);
