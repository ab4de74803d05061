// What is on: one card an event, the nearest first.
import { api } from "#contract/api.ts";
import { formatDate, plural } from "#contract/french.ts";
import { eventKindNames } from "#contract/ticket-states.ts";
import type { OfferLine } from "#contract/tickets.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useUser } from "#web/app/use-observed.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Link } from "#web/ui/link.tsx";
import { Money } from "#web/ui/money.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { CartBar } from "./cart-bar.tsx";
import { ticketPath, useCart } from "./cards.ts";
import { EventPicture } from "./event-picture.tsx";
import { datesOf } from "./words.ts";

export function EventList() {
  const user = useUser();
  const offers = useAnswer(api.tickets.billet, { cardnumber: user.cardnumber });
  const cart = useCart();
  // Together: the line of the cart above would push down what came before it.
  if (offers.isPending || cart.isPending) {
    return (
      <Loading label="Chargement des événements…">
        <div className="events">
          <Skeleton height="17rem" />
          <Skeleton height="17rem" />
          <Skeleton height="17rem" />
        </div>
      </Loading>
    );
  }
  if (offers.isError) {
    return (
      <ErrorState
        title="Les événements n’ont pas pu être chargés."
        message={offers.error.message}
        retrying={offers.isFetching}
        onRetry={() => void offers.refetch()}
      />
    );
  }
  if (offers.data.items.length === 0) {
    return (
      <EmptyState icon="ticket" title="Rien à l’affiche pour l’instant">
        Les prochains événements seront ici dès l’ouverture de leur vente.
      </EmptyState>
    );
  }
  return (
    <>
      <CartBar />
      <ul className="events">
        {offers.data.items.map((offer) => (
          <li key={offer.id}>
            <EventCard offer={offer} />
          </li>
        ))}
      </ul>
    </>
  );
}

function EventCard({ offer }: { offer: OfferLine }) {
  return (
    <Link className="event" href={ticketPath({ offre: offer.id })} data-state={offer.state}>
      <EventPicture kind={offer.kind} />
      <span className="event-words">
        <span className="event-kind">{eventKindNames[offer.kind]}</span>
        <span className="event-title">{offer.title}</span>
        <span className="event-fact">
          <Icon name="calendar" size={20} /> {datesOf(offer)}
        </span>
        <span className="event-fact">
          <Icon name="pin" size={20} /> {offer.venue}
        </span>
        <span className="event-foot">
          <span className="event-price">
            {offer.fromCents === 0 ? (
              "Dès 0 €"
            ) : (
              <>
                Dès <Money cents={offer.fromCents} />
              </>
            )}
          </span>
          <SaleBadge offer={offer} />
        </span>
      </span>
    </Link>
  );
}

function SaleBadge({ offer }: { offer: OfferLine }) {
  const { state, remaining, seats, saleFrom } = offer;
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
