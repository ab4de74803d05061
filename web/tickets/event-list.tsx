// The events on sale: one card an event, the nearest first.
import styles from "./tickets.module.css";
import { api } from "#contract/api.ts";
import { formatDate, plural } from "#contract/french.ts";
import { eventKindNames } from "#contract/tickets/states.ts";
import type { EventSummary } from "#contract/tickets/rows.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { CartBar } from "./cart-page.tsx";
import { ticketPath, useCart } from "./use-cart.ts";
import { EventPicture } from "./event-picture.tsx";
import { datesOf } from "./session-dates.ts";

export function EventList() {
  const user = useUser();
  const events = useAnswer(api.tickets.billet, { cardnumber: user.cardnumber });
  const cart = useCart();
  // Together: the line of the cart above would push down what came before it.
  if (events.isPending || isFirstRead(cart)) {
    return (
      <Loading label="Chargement des événements…">
        <div className={styles.events}>
          <Skeleton height="17rem" />
          <Skeleton height="17rem" />
          <Skeleton height="17rem" />
        </div>
      </Loading>
    );
  }
  if (!events.data) {
    return <ErrorState title="Les événements n’ont pas pu être chargés." answer={events} />;
  }
  if (events.data.items.length === 0) {
    return (
      <EmptyState icon="ticket" title="Rien à l’affiche pour l’instant">
        Les prochains événements seront ici dès l’ouverture de leur vente.
      </EmptyState>
    );
  }
  return (
    <>
      <CartBar />
      <ul className={styles.events}>
        {events.data.items.map((event) => (
          <li key={event.id}>
            <EventCard event={event} />
          </li>
        ))}
      </ul>
    </>
  );
}

function EventCard({ event }: { event: EventSummary }) {
  return (
    <Link className={styles.event} href={ticketPath({ event: event.id })} data-state={event.state}>
      <EventPicture kind={event.kind} />
      <span className={styles.eventWords}>
        <Text as="span" tone="soft" size="small" weight="strong">
          {eventKindNames[event.kind]}
        </Text>
        <span className={styles.eventTitle}>{event.title}</span>
        <span className={styles.eventFact}>
          <Icon name="calendar" size={20} /> {datesOf(event)}
        </span>
        <span className={styles.eventFact}>
          <Icon name="pin" size={20} /> {event.venue}
        </span>
        <span className={styles.eventFoot}>
          <Text as="span" weight="strong">
            <PriceRange from={event.fromCents} to={event.toCents} />
          </Text>
          <SaleBadge event={event} />
        </span>
      </span>
    </Link>
  );
}

function PriceRange({ from, to }: { from: number; to: number }) {
  if (to === 0) return "Gratuit";
  return from === 0 ? (
    <>
      Gratuit, jusqu’à <Money cents={to} />
    </>
  ) : (
    <>
      Dès <Money cents={from} />
    </>
  );
}

function SaleBadge({ event }: { event: EventSummary }) {
  const { state, remaining, seats, saleFrom } = event;
  if (state === "sold_out") return <Badge tone="warning">Complet, liste d’attente</Badge>;
  if (state === "soon") return <Badge icon="clock">En vente le {formatDate(saleFrom)}</Badge>;
  if (state === "closed") return <Badge>Vente terminée</Badge>;
  if (remaining <= Math.max(5, seats / 20)) {
    return (
      <Badge tone="warning">
        {remaining > 1 ? "Plus que " : "Plus qu’"}
        {plural(remaining, "place")}
      </Badge>
    );
  }
  return <Badge tone="success">Places disponibles</Badge>;
}
