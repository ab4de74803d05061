// The people of the family as boxes to tick, each with the cheapest price that is for them: a tick holds
// their seat at once, as any line of the cart does.
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { firstName, formatMoney, ofName, plural } from "#contract/french.ts";
import type { CartLine } from "#contract/tickets/cart.ts";
import type { EventView } from "#contract/tickets/rows.ts";
import { conditionBeside, isReduced } from "#contract/tickets/states.ts";
import { answerOptions } from "#web/app/transport/answers.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Checkbox, Select } from "#web/ui/choice.tsx";
import { Money } from "#web/ui/money.tsx";
import { Text } from "#web/ui/text.tsx";
import { usePutLine } from "./prices.tsx";
import styles from "./tickets.module.css";

type Session = EventView["sessions"][number];
type Category = EventView["categories"][number];

const priceText = ({ priceCents }: Category): string =>
  priceCents === 0 ? "gratuit" : formatMoney(priceCents);

/** Prices that a person may take for a session now, the cheapest first. */
function pricesFor(event: EventView, session: Session): readonly Category[] {
  return event.categories
    .filter(({ id, lacks }) => lacks.length === 0 && (session.left[id] ?? session.remaining) > 0)
    .toSorted((a, b) => a.priceCents - b.priceCents);
}

/**
 * The event with the prices and rights of each of these people, in their order; null until all are known. What
 * could not be read is `event` as it is for the current card.
 */
export function useFamilyEvents(
  event: EventView,
  people: readonly Card[],
): readonly EventView[] | null {
  const answers = useQueries({
    queries: people.map(({ cardnumber }) =>
      answerOptions(api.tickets.event, { event: event.id, cardnumber }),
    ),
  });
  if (answers.some(({ isPending }) => isPending)) return null;
  return answers.map(({ data }) => data?.event ?? event);
}

export function FamilySeats({
  events,
  session,
  people,
  lines,
}: {
  /** Of each of `people`, by `useFamilyEvents`. */
  events: readonly EventView[];
  session: Session;
  people: readonly Card[];
  /** Lines of the cart for this session. */
  lines: readonly CartLine[];
}) {
  const seats = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const totalCents = lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0);
  return (
    <fieldset className={styles.people}>
      <legend className={styles.peopleLegend}>Qui vient&#8239;?</legend>
      {people.map((person, index) => {
        const event = events[index];
        return (
          event && (
            <PersonSeat
              key={`${person.cardnumber} ${session.id}`}
              person={person}
              names={people.map(({ name }) => name)}
              event={event}
              session={session}
              lines={lines.filter(({ cardnumber }) => cardnumber === person.cardnumber)}
            />
          )
        );
      })}
      <output className={styles.peopleTotal}>
        {seats > 0 && (
          <>
            {plural(seats, "place")}, <Money cents={totalCents} />
          </>
        )}
      </output>
    </fieldset>
  );
}

function PersonSeat({
  person,
  names,
  event,
  session,
  lines,
}: {
  person: Card;
  /** Of the whole family. */
  names: readonly string[];
  event: EventView;
  session: Session;
  lines: readonly CartLine[];
}) {
  const { cardnumber } = person;
  const put = usePutLine();
  const [chosen, setChosen] = useState<string | null>(null);
  // What was ticked, until the server has answered.
  const [ticked, setTicked] = useState<boolean | null>(null);
  const held = lines[0];
  const open = pricesFor(event, session);
  const own = event.categories.find(({ id }) => id === (held?.category ?? chosen));
  const category = own ?? open[0];
  const name = person.relation === "self" ? "Moi" : firstName(person.name, names);
  // A reduced price is the same place for less: only prices open to all are worth choosing among.
  const hasPlaces = open.filter((one) => !isReduced(one)).length > 1;
  const full = !held && event.ticketsHeld >= event.maxPerPerson;
  const setQuantity = (id: string, quantity: number) =>
    put.mutate(
      { session: session.id, category: id, cardnumber, quantity },
      { onSettled: () => setTicked(null) },
    );
  const toggle = (checked: boolean) => {
    setTicked(checked);
    if (checked && category) setQuantity(category.id, 1);
    if (!checked) for (const line of lines) setQuantity(line.category, 0);
  };
  const takePrice = (id: string) => {
    setChosen(id);
    if (!held) return;
    setQuantity(held.category, 0);
    setQuantity(id, 1);
  };
  const condition = category ? conditionBeside(category) : "";
  const about = !category
    ? "Aucun tarif ne convient à cette carte."
    : full
      ? `Déjà ${plural(event.maxPerPerson, "billet")}, le plus par personne.`
      : [category.name, condition].filter((part) => part !== "").join(", ");
  return (
    <div className={styles.person}>
      <Checkbox
        label={
          <span className={styles.personLine}>
            <span>{name}</span>
            {category && (
              <Text as="span" weight="strong">
                {category.priceCents === 0 ? "Gratuit" : <Money cents={category.priceCents} />}
              </Text>
            )}
          </span>
        }
        hint={about}
        checked={ticked ?? held !== undefined}
        disabled={!category || full}
        aria-busy={put.isPending || undefined}
        onChecked={toggle}
      />
      {category && hasPlaces && (
        <div className={styles.personOther}>
          <Select
            label={`Tarif ${name === "Moi" ? "de ma place" : ofName(name)}`}
            options={open.map((one) => ({
              value: one.id,
              label: `${one.name}, ${priceText(one)}`,
            }))}
            value={category.id}
            onValue={takePrice}
          />
        </div>
      )}
      {put.error && (
        <Banner tone="danger" alert>
          {put.error.message}
        </Banner>
      )}
    </div>
  );
}
