// A ticket opened: its paper with the code, and the ways to export, transfer and cancel it.
import { lazy, Suspense, useState } from "react";
import { firstName, formatDateTime, formatMoney, ofName } from "#contract/french.ts";
import { ticketCan, ticketStateNames } from "#contract/tickets/states.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { CodeWait } from "#web/ui/code-wait.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { DefinitionList } from "#web/ui/layout.tsx";
import { OneByOne } from "#web/ui/one-by-one.tsx";
import { PaperTicket } from "#web/ui/paper-ticket.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { sessionOf, whenOf } from "./session-dates.ts";

// Begun at once: what draws a code is as large as all the rest.
const loadCode = () => import("#web/ui/presented-code.tsx");
loadCode().catch(() => {});
const PresentedCode = lazy(async () => ({ default: (await loadCode()).PresentedCode }));
const loadActs = () => import("./ticket-acts.tsx");
const TicketExports = lazy(async () => ({ default: (await loadActs()).TicketExports }));
const PendingTransfer = lazy(async () => ({ default: (await loadActs()).PendingTransfer }));
const TransferTicket = lazy(async () => ({
  default: (await import("./transfer-ticket.tsx")).TransferTicket,
}));
const CancelTicket = lazy(async () => ({
  default: (await import("./cancel-ticket.tsx")).CancelTicket,
}));

type View = "ticket" | "transfer" | "cancel";

/** A ticket opened, and the way to the others of its list; null is closed. */
export function TicketDialog({
  ticket,
  among,
  onShow,
  onClose,
}: {
  ticket: Ticket | null;
  /** All of the list, the next to be used first. */
  among: readonly Ticket[];
  onShow: (id: string) => void;
  onClose: () => void;
}) {
  const [view, setView] = useState<View>("ticket");
  const close = () => {
    setView("ticket");
    onClose();
  };
  const titles = {
    ticket: ticket?.title ?? "",
    transfer: "Transférer ce billet",
    cancel: "Annuler ce billet",
  };
  const place = useFocusAtStep(view);
  return (
    <Dialog open={ticket !== null} onClose={close} title={titles[view]}>
      <div ref={place}>
        {ticket && view === "ticket" && (
          <OneByOne
            name="Billet"
            where={placeInSession(ticket, among)}
            about={`${ticket.title}, ${ticket.holder}`}
            count={among.length}
            index={among.indexOf(ticket)}
            onIndex={(index) => onShow(among[index]?.id ?? ticket.id)}
          >
            <TicketDetails key={ticket.id} ticket={ticket} onView={setView} />
          </OneByOne>
        )}
        {ticket && view === "transfer" && (
          <Suspense fallback={<Skeleton lines={3} height="3rem" />}>
            <TransferTicket ticket={ticket} onDone={() => setView("ticket")} />
          </Suspense>
        )}
        {ticket && view === "cancel" && (
          <Suspense fallback={<Skeleton lines={3} height="3rem" />}>
            <CancelTicket ticket={ticket} onBack={() => setView("ticket")} onDone={close} />
          </Suspense>
        )}
      </div>
    </Dialog>
  );
}

/** « Billet 1 sur 2 » of those of its session: so many come in together. */
function placeInSession(ticket: Ticket, among: readonly Ticket[]): string {
  const ofSession = among.filter((one) => sessionOf(one) === sessionOf(ticket));
  if (ofSession.length === 1) return `Billet ${ofName(firstName(ticket.holder))}`;
  return `Billet ${ofSession.indexOf(ticket) + 1} sur ${ofSession.length}`;
}

function TicketDetails({ ticket, onView }: { ticket: Ticket; onView: (view: View) => void }) {
  const { token, reference, transfer } = ticket;
  const open = ticketCan.transfer(ticket) && token !== null;
  const when = whenOf(ticket.startsAt);
  const price = ticket.priceCents === 0 ? "gratuit" : formatMoney(ticket.priceCents);
  const facts = [
    { label: "Lieu", value: `${ticket.venue}, ${ticket.address}` },
    { label: "Tarif", value: `${ticket.category}, ${price}` },
    ticket.from === null ? null : { label: "Reçu de", value: ticket.from },
    { label: "Référence", value: reference },
  ];
  return (
    <Stack>
      {token ? (
        <PaperTicket
          cardnumber={ticket.cardnumber}
          kind="Billet"
          holder={ticket.holder}
          code={
            <Suspense fallback={<CodeWait />}>
              <PresentedCode
                text={token}
                label={`Code du billet ${reference}`}
                holder={ticket.holder}
                when={when}
              />
            </Suspense>
          }
          when={when}
        >
          <DefinitionList items={facts} />
        </PaperTicket>
      ) : (
        <>
          <Banner>
            Ce billet est {ticketStateNames[ticket.state].toLowerCase()}
            {ticket.usedAt && ` depuis le ${formatDateTime(ticket.usedAt)}`}.
          </Banner>
          <DefinitionList
            items={[
              { label: "Séance", value: when },
              { label: "Titulaire", value: ticket.holder },
              ...facts,
            ]}
          />
        </>
      )}
      <Suspense fallback={<Skeleton height="2.75rem" />}>
        {token && <TicketExports ticket={ticket} />}
        {transfer && <PendingTransfer transfer={transfer} />}
      </Suspense>
      {open && !transfer && (
        <Actions>
          <Button icon="send" onClick={() => onView("transfer")}>
            Transférer
          </Button>
          {ticket.from === null && (
            <Button kind="ghost" icon="close" onClick={() => onView("cancel")}>
              Annuler ce billet
            </Button>
          )}
        </Actions>
      )}
    </Stack>
  );
}
