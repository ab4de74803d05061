// An event: which session, who comes, at which price. A seat is held as soon as it is taken; when the
// session is sold out, one joins its waiting list.
import styles from "./tickets.module.css";
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { useOwnCards } from "#web/app/shared/own-cards.ts";
import { firstName, formatDateTime, plural } from "#contract/french.ts";
import { eventKindNames } from "#contract/tickets/states.ts";
import type { EventView } from "#contract/tickets/rows.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Chips, RadioGroup } from "#web/ui/choice.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { ticketPath, useCart } from "./use-cart.ts";
import { EventPicture } from "./event-picture.tsx";
import { FamilySeats, useFamilyEvents } from "./family-seats.tsx";
import { NoPrice } from "./lacks.tsx";
import { Prices } from "./prices.tsx";
import { CartBar } from "./cart-page.tsx";
import { whenOf } from "./session-dates.ts";

// Loaded where a session is sold out.
const WaitingListForm = lazy(async () => ({
  default: (await import("./waiting-list-form.tsx")).WaitingListForm,
}));

const back = { href: ticketPath(), label: "E-billets" };

export function EventPage({ id }: { id: string }) {
  const user = useUser();
  const [search] = useSearchParameters<"tickets">();
  const { cards: holders, problem } = useOwnCards({ without: ["replaced"] });
  const cardParam = Number(search.attendee);
  const cardnumber =
    holders?.find((one) => one.cardnumber === cardParam)?.cardnumber ?? user.cardnumber;
  const answer = useAnswer(api.tickets.event, { event: id, cardnumber });
  const cart = useCart();
  const event = answer.data?.event;
  const people = holders ?? (problem ? [] : null);
  if (answer.isError && !event) {
    const unknown = answer.error.code === "not_found" || answer.error.code === "invalid_input";
    return (
      <Page>
        <PageHeader title="Événement" back={back} />
        <Section>
          {unknown ? (
            <EmptyState
              icon="search"
              title="Nous ne trouvons pas cet événement"
              action={<ButtonLink href={back.href}>Voir ce qui est à l’affiche</ButtonLink>}
            />
          ) : (
            <ErrorState answer={answer} />
          )}
        </Section>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader
        title={event?.title ?? "Événement"}
        lead={event?.summary ?? "\u00a0"}
        back={back}
      />
      {event ? (
        <div className={styles.eventSheet}>
          <EventFacts event={event} />
          <Section title={event.state === "cancelled" ? "Annulé" : "Choisir des places"}>
            {event.state !== "open" && event.state !== "sold_out" ? (
              <NotOnSale event={event} />
            ) : people && !isFirstRead(cart) ? (
              <SeatChoice event={event} cardnumber={cardnumber} people={people} />
            ) : (
              <LoadingPlaces />
            )}
          </Section>
          {people && !isFirstRead(cart) && <CartBar />}
        </div>
      ) : (
        <Section>
          <Loading label="Chargement de l’événement…">
            <Skeleton height="9rem" />
            <Skeleton lines={4} height="3.5rem" />
          </Loading>
        </Section>
      )}
    </Page>
  );
}

function EventFacts({ event }: { event: EventView }) {
  return (
    <Section>
      <EventPicture kind={event.kind} />
      <Text tone="soft" size="small" weight="strong">
        {eventKindNames[event.kind]}
      </Text>
      <p className={styles.eventFact}>
        <Icon name="pin" size={20} /> {event.venue}, {event.address}
      </p>
      <p className={styles.eventFact}>
        <Icon name="person" size={20} /> {event.organiser}
      </p>
      {event.state !== "cancelled" && (
        <>
          <p className={styles.eventFact}>
            <Icon name="refresh" size={20} /> <span>{event.policy.text}</span>
          </p>
          <p className={styles.eventFact}>
            <Icon name="ticket" size={20} /> {plural(event.maxPerPerson, "billet")} au plus par
            personne
          </p>
        </>
      )}
    </Section>
  );
}

/** In place of all that is chosen from: a part that came later would move what a finger is about to press. */
function LoadingPlaces() {
  return (
    <Loading label="Chargement des places…">
      <Skeleton lines={4} height="3.5rem" />
    </Loading>
  );
}

function SeatChoice({
  event,
  cardnumber,
  people,
}: {
  event: EventView;
  cardnumber: number;
  people: readonly Card[];
}) {
  const [search, change] = useSearchParameters<"tickets">();
  const cart = useCart();
  const family = useFamilyEvents(event, people);
  const { sessions } = event;
  const person = people.find((one) => one.cardnumber === cardnumber);
  const whom =
    person && person.relation !== "self"
      ? firstName(
          person.name,
          people.map(({ name }) => name),
        )
      : "vous";
  if (!family) return <LoadingPlaces />;
  const only = sessions.length === 1 ? sessions[0] : undefined;
  const inCart = cart.data?.cart?.state === "cart" ? cart.data.cart.lines : [];
  // The one in the address, so that it is still chosen after the cart; else the one that is in the cart.
  const held = inCart.find((line) => line.event === event.id)?.session;
  const session = sessions.find(({ id }) => id === (search.session ?? held)) ?? only;
  const lines = inCart.filter((line) => line.session === session?.id);
  return (
    <div className={styles.choose}>
      {only ? (
        <Text size="large" weight="strong">
          {whenOf(only.startsAt)}
          <span className={styles.chooseLeft}>{leftOf(only.remaining)}</span>
        </Text>
      ) : (
        <RadioGroup
          label="Séance"
          boxed
          options={sessions.map((one) => ({
            value: one.id,
            label: whenOf(one.startsAt),
            hint: leftOf(one.remaining),
          }))}
          value={session?.id ?? null}
          onValue={(chosen) => change({ session: chosen })}
        />
      )}
      {session && (
        <>
          {people.length > 1 && (session.remaining > 0 || lines.length > 0) && (
            <FamilySeats events={family} session={session} people={people} lines={lines} />
          )}
          {people.length > 1 && session.remaining > 0 && (
            <details className={styles.morePrices}>
              <summary>Plusieurs places, autres tarifs</summary>
              <ForWhom people={people} cardnumber={cardnumber} />
              <Prices {...{ event, session, cardnumber, whom, lines }} />
            </details>
          )}
          {people.length < 2 && <Prices {...{ event, session, cardnumber, whom, lines }} />}
          {session.remaining === 0 && (
            <>
              {people.length > 1 && <ForWhom people={people} cardnumber={cardnumber} />}
              <Suspense fallback={<Skeleton height="15rem" />}>
                <WaitingListForm
                  key={`${session.id} ${cardnumber}`}
                  event={event}
                  session={session}
                  cardnumber={cardnumber}
                  noPrice={<NoPrice event={event} />}
                />
              </Suspense>
            </>
          )}
        </>
      )}
      {inCart.some((line) => line.event === event.id) && (
        <ButtonLink kind="primary" wide href={ticketPath({ cart: "" })}>
          Continuer vers le paiement
        </ButtonLink>
      )}
    </div>
  );
}

function ForWhom({ people, cardnumber }: { people: readonly Card[]; cardnumber: number }) {
  const [, change] = useSearchParameters<"tickets">();
  return (
    <Chips
      label={"Pour qui\u202f?"}
      options={people.map((one) => ({
        value: String(one.cardnumber),
        label:
          one.relation === "self"
            ? "Moi"
            : firstName(
                one.name,
                people.map(({ name }) => name),
              ),
      }))}
      value={[String(cardnumber)]}
      onValue={(attendee) => change({ attendee })}
    />
  );
}

const leftOf = (remaining: number): string =>
  remaining === 0 ? "Complet" : plural(remaining, "place libre", "places libres");

function NotOnSale({ event }: { event: EventView }) {
  if (event.state === "soon") {
    return <Banner>La vente ouvre le {formatDateTime(event.saleFrom)}.</Banner>;
  }
  return (
    <Banner tone="warning">
      {event.state === "cancelled"
        ? "Cet événement est annulé. Les billets vendus ont été remboursés."
        : "La vente de cet événement est terminée."}
    </Banner>
  );
}
