// The tickets of a card: what waits for an answer, what is to come, what is past. For the page of
// e-tickets, the dashboard and the family.
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { formatCardnumber } from "#contract/french.ts";
import { ticketStateNames } from "#contract/ticket-states.ts";
import type { Ticket } from "#contract/tickets.ts";
import { useAnswer } from "#web/app/answers.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { ticketPath } from "./cards.ts";
import { EventPicture } from "./event-picture.tsx";
import { keepTitles } from "./kept-titles.ts";
import "./tickets.css";
import { Received, Waits } from "./waiting.tsx";
import { whenOf } from "./words.ts";

// What draws the code and acts on a ticket comes with the first opening.
const TicketDialog = lazy(async () => ({
  default: (await import("./ticket-dialog.tsx")).TicketDialog,
}));

/** `quiet` says that there is none in a line, without leading anywhere. */
export function TicketList({ cardnumber, quiet = false }: { cardnumber: number; quiet?: boolean }) {
  const answer = useAnswer(api.tickets.list, { cardnumber });
  const items = answer.data?.items;
  useEffect(() => {
    if (items) void keepTitles(cardnumber, items);
  }, [cardnumber, items]);
  if (answer.isPending) {
    return (
      <Loading label="Chargement des billets…">
        <Skeleton lines={2} height="6rem" />
      </Loading>
    );
  }
  if (!answer.data) {
    return (
      <ErrorState
        title="Les billets n’ont pas pu être chargés."
        message={answer.error?.message}
        retrying={answer.isFetching}
        onRetry={() => void answer.refetch()}
      />
    );
  }
  const { received, waits } = answer.data;
  const good = answer.data.items.filter(({ token }) => token !== null);
  const past = answer.data.items.filter(({ token }) => token === null);
  const nothing = good.length + received.length + waits.length === 0;
  return (
    <div className="ticket-list">
      {received.length > 0 && <Received list={received} />}
      {waits.length > 0 && <Waits list={waits} />}
      {nothing && quiet && <p className="tickets-none">Aucun billet à venir.</p>}
      {nothing && !quiet && (
        <EmptyState
          icon="ticket"
          title="Aucun billet à venir"
          action={<ButtonLink href={ticketPath()}>Voir ce qui est à l’affiche</ButtonLink>}
        >
          Vos billets seront ici avec leur code, lisibles aussi sans réseau.
        </EmptyState>
      )}
      {good.length > 0 && <Tickets items={good} />}
      {past.length > 0 && (
        <details className="tickets-past">
          <summary>Billets passés, transférés ou annulés</summary>
          <Tickets items={past} />
        </details>
      )}
    </div>
  );
}

/** Tickets one below the other; pressing one opens it. */
export function Tickets({ items }: { items: readonly Ticket[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const [wanted, want] = useState(false);
  const ticket = items.find(({ id }) => id === opened) ?? null;
  return (
    <>
      <ul className="tickets">
        {items.map((one) => (
          <li key={one.id}>
            <TicketStub
              ticket={one}
              onOpen={() => {
                want(true);
                setOpened(one.id);
              }}
            />
          </li>
        ))}
      </ul>
      {wanted && (
        <Suspense>
          <TicketDialog ticket={ticket} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  );
}

function TicketStub({ ticket, onOpen }: { ticket: Ticket; onOpen: () => void }) {
  const { title, venue, category, holder, state, transfer } = ticket;
  return (
    <button
      type="button"
      className="ticket"
      data-state={state}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <span className="ticket-side">
        <EventPicture kind={ticket.kind} />
      </span>
      <span className="ticket-words">
        <span className="ticket-title">{title}</span>
        <span className="ticket-when">{whenOf(ticket.startsAt)}</span>
        <span className="ticket-about">
          {venue}, {category}, {holder}, réf. {ticket.reference}
        </span>
        {transfer && (
          <Badge icon="send">Proposé à la carte {formatCardnumber(transfer.toCardnumber)}</Badge>
        )}
        {state !== "issued" && (
          <Badge tone={state === "cancelled" ? "danger" : "neutral"}>
            {ticketStateNames[state]}
          </Badge>
        )}
      </span>
      <span className="ticket-end">
        <Icon name={ticket.token ? "qr" : "right"} />
      </span>
    </button>
  );
}
