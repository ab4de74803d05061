// Offers to answer: transfers received, seats offered from a waiting list.
import { useNavigate } from "@tanstack/react-router";
import { api } from "#contract/api.ts";
import { firstName, formatDateTime, formatTime, ofName, plural } from "#contract/french.ts";
import { wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { TicketTransfer, WaitingListEntry } from "#contract/tickets/rows.ts";
import { placed } from "#web/app/shared/place.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { keepCart } from "./use-cart.ts";
import { whenOf } from "./session-dates.ts";

export const ReceivedTransfers = ({ list }: { list: readonly TicketTransfer[] }) =>
  list.map((one) => <ReceivedTransfer key={one.id} transfer={one} />);

function ReceivedTransfer({ transfer }: { transfer: TicketTransfer }) {
  const answer = useAction(
    (what: "accept" | "decline") =>
      what === "accept"
        ? call(api.tickets.accept, { id: transfer.id })
        : call(api.tickets.decline, { id: transfer.id }),
    { says: ({ message }) => message },
  );
  const act = (what: "accept" | "decline") => ({
    loading: answer.isPending && answer.variables === what,
    onClick: () => {
      if (!answer.isPending) answer.send(what);
    },
  });
  return (
    <div {...placed("ticketTransfer", transfer.id, `Billet ${ofName(firstName(transfer.from))}`)}>
      <Banner
        title={`${transfer.from} vous transfère un billet`}
        actions={
          <>
            <Button kind="primary" {...act("accept")}>
              Accepter
            </Button>
            <Button {...act("decline")}>Refuser</Button>
          </>
        }
      >
        {transfer.title}, {whenOf(transfer.startsAt)}, {transfer.category}. Répondez avant le{" "}
        {formatDateTime(transfer.expiresAt)}.
        {answer.problem && <p role="alert">{answer.problem.message}</p>}
      </Banner>
    </div>
  );
}

export const WaitingList = ({ list }: { list: readonly WaitingListEntry[] }) =>
  list.map((one) => <WaitingListLine key={one.id} wait={one} />);

function WaitingListLine({ wait }: { wait: WaitingListEntry }) {
  const navigate = useNavigate();
  const take = useAction(() => call(api.tickets.takeOfferedSeats, { id: wait.id }), {
    onDone: async (answer) => {
      await keepCart(answer);
      await navigate({ to: paths.tickets, search: wireSearch<"tickets">({ cart: "" }) });
    },
  });
  const leave = useAction(() => call(api.tickets.leaveWaitingList, { id: wait.id }), {
    says: ({ message }) => message,
  });
  const error = take.problem ?? leave.problem;
  const offered = wait.state === "offered" && wait.offeredUntil !== null;
  const quit = (
    <Button loading={leave.isPending} onClick={() => leave.send()}>
      {offered ? `Laisser ${wait.held === 1 ? "cette place" : "ces places"}` : "Quitter la liste"}
    </Button>
  );
  return (
    <div {...placed("ticketWait", wait.id, `Liste d’attente\u202f: ${wait.title}`)}>
      <Banner
        tone={wait.held > 0 ? "success" : "info"}
        title={titleOf(wait)}
        actions={
          wait.held > 0 ? (
            <>
              <Button
                {...(offered && { kind: "primary" })}
                loading={take.isPending}
                onClick={() => take.send()}
              >
                Prendre {wait.held === 1 ? "cette place" : "ces places"}
              </Button>
              {quit}
            </>
          ) : (
            quit
          )
        }
      >
        {wait.title}, {whenOf(wait.startsAt)}, {plural(wait.quantity, "place")}, {wait.category}.
        {!offered && wait.before > 0 && ` ${plural(wait.before, "personne")} avant vous.`}
        {!offered && wait.held > 0 && ` ${gatheringWords(wait)}`}
        {error && <p role="alert">{error.message}</p>}
      </Banner>
    </div>
  );
}

function titleOf({ state, held, quantity, offeredUntil }: WaitingListEntry): string {
  if (held === 0) return "Vous êtes sur la liste d’attente";
  const heldSeats = plural(held, "place gardée", "places gardées");
  return state === "offered"
    ? `${heldSeats} pour vous jusqu’à ${formatTime(offeredUntil ?? "")}`
    : `${heldSeats} pour vous, sur ${quantity}`;
}

/** Fewer than were asked for: until when the others are awaited, and what taking these means. */
const gatheringWords = ({ held, gatheredUntil }: WaitingListEntry): string =>
  held === 1
    ? `Elle vous reste gardée en attendant les autres, jusqu’au ${formatDateTime(gatheredUntil)}. La prendre sans attendre vous fait quitter la liste.`
    : `Elles vous restent gardées en attendant les autres, jusqu’au ${formatDateTime(gatheredUntil)}. Les prendre sans attendre vous fait quitter la liste.`;
