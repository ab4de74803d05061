// The tickets of a card: offers to answer, valid tickets, past ones. Used by the page of e-tickets, the
// dashboard and the family.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { ticketStateNames } from "#contract/tickets/states.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useKeptTitles } from "#web/app/use-kept-titles.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { ticketPath } from "./use-cart.ts";
import { EventPicture } from "./event-picture.tsx";
import styles from "./tickets.module.css";
import { ReceivedTransfers, WaitingList } from "./pending-offers.tsx";
import { whenOf } from "./session-dates.ts";
import { offeredTo } from "./transfer-words.ts";

// Loaded when a ticket is first opened: it draws the code and holds the actions.
const TicketDialog = lazy(async () => ({
  default: (await import("./ticket-dialog.tsx")).TicketDialog,
}));

/** `quiet` says that there is none in a line, without leading anywhere. */
export function TicketList({ cardnumber, quiet = false }: { cardnumber: number; quiet?: boolean }) {
  const answer = useAnswer(api.tickets.list, { cardnumber });
  useKeptTitles(answer.data?.items);
  if (answer.isPending) {
    return (
      <Loading label="Chargement des billets…">
        <Skeleton lines={2} height="6rem" />
      </Loading>
    );
  }
  if (!answer.data) {
    return <ErrorState title="Les billets n’ont pas pu être chargés." answer={answer} />;
  }
  const { received, waitingList } = answer.data;
  const good = answer.data.items.filter(({ token }) => token !== null);
  const past = answer.data.items.filter(({ token }) => token === null);
  const nothing = good.length + received.length + waitingList.length === 0;
  return (
    <div className={styles.ticketList}>
      {received.length > 0 && <ReceivedTransfers list={received} />}
      {waitingList.length > 0 && <WaitingList list={waitingList} />}
      {nothing && quiet && <p className={styles.ticketsNone}>Aucun billet à venir.</p>}
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
        <details className={styles.ticketsPast}>
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
      <ul className={styles.tickets}>
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
  const cards = useAnswer(api.cards.list, {}, { enabled: transfer !== null });
  return (
    <button
      type="button"
      className={styles.ticket}
      data-state={state}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <span className={styles.ticketSide}>
        <EventPicture kind={ticket.kind} />
      </span>
      <span className={styles.ticketWords}>
        <span className={styles.ticketTitle}>{title}</span>
        <span className={styles.ticketWhen}>{whenOf(ticket.startsAt)}</span>
        <span className={styles.ticketAbout}>
          {venue}, {category}, {holder}, réf. {ticket.reference}
        </span>
        {transfer && <Badge icon="send">{offeredTo(transfer, cards.data?.items)}</Badge>}
        {state !== "issued" && (
          <Badge tone={state === "cancelled" ? "danger" : "neutral"}>
            {ticketStateNames[state]}
          </Badge>
        )}
      </span>
      <span className={styles.ticketEnd}>
        <Icon name={ticket.token ? "qr" : "right"} />
      </span>
    </button>
  );
}
