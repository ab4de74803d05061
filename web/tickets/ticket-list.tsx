// The tickets of a card: offers to answer, valid tickets, past ones. Used by the page of e-tickets, the
// dashboard and the family.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { ticketStateNames } from "#contract/tickets/states.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useQueries } from "@tanstack/react-query";
import { firstName, plural } from "#contract/french.ts";
import { answerOptions, useAnswer } from "#web/app/transport/answers.ts";
import { useTitleRefresh } from "#web/app/shared/use-title-refresh.ts";
import { Badge } from "#web/ui/banner.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { ticketPath } from "./use-cart.ts";
import { EventPicture } from "./event-picture.tsx";
import styles from "./tickets.module.css";
import { ReceivedTransfers, WaitingList } from "./pending-offers.tsx";
import { sessionOf, whenOf } from "./session-dates.ts";
import { offeredTo } from "./transfer-words.ts";

// Loaded when a ticket is first opened: it draws the code and holds the actions.
const TicketDialog = lazy(async () => ({
  default: (await import("./ticket-dialog.tsx")).TicketDialog,
}));

/**
 * The tickets of some cards, those of one session together. `quiet` says that there is none in a line,
 * without leading anywhere.
 */
export function TicketList({
  cards,
  quiet = false,
}: {
  cards: readonly number[];
  quiet?: boolean;
}) {
  const answers = useQueries({
    queries: cards.map((cardnumber) => answerOptions(api.tickets.list, { cardnumber })),
  });
  const missing = answers.find(({ isPending }) => isPending) ?? answers.find(({ data }) => !data);
  const [first] = answers;
  useTitleRefresh(first?.data?.items);
  if (missing) {
    return (
      <NotLoaded
        answer={missing}
        label="Chargement des billets…"
        lines={2}
        height="6rem"
        failed="Les billets n’ont pas pu être chargés."
      />
    );
  }
  const lists = answers.flatMap(({ data }) => (data ? [data] : []));
  const received = lists.flatMap((list) => list.received);
  // A place on a waiting list is of the person who joined it, and stands in the list of each card.
  const waitingList = uniqueById(lists.flatMap((list) => list.waitingList));
  const items = uniqueById(lists.flatMap((list) => list.items)).toSorted((a, b) =>
    sessionOf(a).localeCompare(sessionOf(b)),
  );
  const good = items.filter(({ token }) => token !== null);
  const past = items.filter(({ token }) => token === null).toReversed();
  const nothing = good.length + received.length + waitingList.length === 0;
  return (
    <Stack>
      {received.length > 0 && <ReceivedTransfers list={received} />}
      {waitingList.length > 0 && <WaitingList list={waitingList} />}
      {nothing && quiet && <Text tone="soft">Aucun billet à venir.</Text>}
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
    </Stack>
  );
}

const uniqueById = <T extends { id: string }>(list: readonly T[]): T[] => [
  ...new Map(list.map((one) => [one.id, one])).values(),
];

/** Sessions one below the other; pressing one opens its first ticket, and the others are one swipe away. */
export function Tickets({ items }: { items: readonly Ticket[] }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [needsDialog, setNeedsDialog] = useState(false);
  const sessions = Map.groupBy(items, sessionOf);
  const ticket = items.find(({ id }) => id === openId) ?? null;
  return (
    <>
      <Stack as="ul" gap={12}>
        {[...sessions].map(([session, tickets]) => (
          <li key={session}>
            <TicketStub
              tickets={tickets}
              onOpen={() => {
                setNeedsDialog(true);
                setOpenId(tickets[0]?.id ?? null);
              }}
            />
          </li>
        ))}
      </Stack>
      {needsDialog && (
        <Suspense>
          <TicketDialog
            ticket={ticket}
            among={items}
            onShow={setOpenId}
            onClose={() => setOpenId(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** « Plein tarif, Camille Moreau, réf. 7K2M » of one ticket; of several, who comes. */
function aboutTickets(tickets: readonly Ticket[]): string {
  const [first] = tickets;
  if (first && tickets.length === 1) {
    return `${first.venue}, ${first.category}, ${first.holder}, réf. ${first.reference}`;
  }
  const holders = [...new Set(tickets.map(({ holder }) => firstName(holder)))];
  return `${first?.venue}, ${plural(tickets.length, "billet")} : ${holders.join(", ")}`;
}

function TicketStub({ tickets, onOpen }: { tickets: readonly Ticket[]; onOpen: () => void }) {
  const [ticket] = tickets;
  const offered = tickets.find(({ transfer }) => transfer !== null)?.transfer ?? null;
  const cards = useAnswer(api.cards.list, {}, { enabled: offered !== null });
  if (!ticket) return null;
  const { title, state } = ticket;
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
        <Text as="span" size="fine">
          {whenOf(ticket.startsAt)}
        </Text>
        <Text as="span" tone="soft" size="small">
          {aboutTickets(tickets)}
        </Text>
        {offered && <Badge icon="send">{offeredTo(offered, cards.data?.items)}</Badge>}
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
