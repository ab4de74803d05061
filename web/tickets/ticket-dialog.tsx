// A ticket opened: its code, what it says in clear, its exports, its transfer and its cancellation.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { ticketCan, ticketStateNames } from "#contract/tickets/states.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { useFocusAtStep } from "#web/ui/focus.ts";
import { DefinitionList } from "#web/ui/layout.tsx";
import { QrCode } from "#web/ui/qr.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Skeleton } from "#web/ui/state.tsx";
import { OneByOne } from "./one-by-one.tsx";
import { offeredTo } from "./transfer-words.ts";
import { whenOf } from "./session-dates.ts";
import styles from "./tickets.module.css";

const TransferTicket = lazy(async () => ({
  default: (await import("./transfer-ticket.tsx")).TransferTicket,
}));
const CancelTicket = lazy(async () => ({
  default: (await import("./cancel-ticket.tsx")).CancelTicket,
}));

type View = "ticket" | "transfer" | "cancel";

/** A ticket opened, and the way to the others of its session; null is closed. */
export function TicketDialog({
  ticket,
  among,
  onShow,
  onClose,
}: {
  ticket: Ticket | null;
  /** The tickets of its session, itself included. */
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
            count={among.length}
            index={among.indexOf(ticket)}
            holder={ticket.holder}
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

function TicketDetails({ ticket, onView }: { ticket: Ticket; onView: (view: View) => void }) {
  const { token, reference, transfer } = ticket;
  const open = ticketCan.transfer(ticket) && token !== null;
  return (
    <Stack>
      {token ? (
        <div className={styles.ticketCode}>
          <QrCode text={token} label={`Code du billet ${reference}`} />
        </div>
      ) : (
        <Banner>
          Ce billet est {ticketStateNames[ticket.state].toLowerCase()}
          {ticket.usedAt && ` depuis le ${formatDateTime(ticket.usedAt)}`}.
        </Banner>
      )}
      <DefinitionList
        items={[
          { label: "Séance", value: whenOf(ticket.startsAt) },
          { label: "Lieu", value: `${ticket.venue}, ${ticket.address}` },
          { label: "Titulaire", value: ticket.holder },
          {
            label: "Tarif",
            value: `${ticket.category}, ${ticket.priceCents === 0 ? "gratuit" : formatMoney(ticket.priceCents)}`,
          },
          ticket.from === null ? null : { label: "Reçu de", value: ticket.from },
          { label: "Référence", value: reference },
        ]}
      />
      {token && <Exports ticket={ticket} />}
      {transfer && <PendingTransfer transfer={transfer} />}
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

function Exports({ ticket }: { ticket: Ticket }) {
  const print = useDownload(api.tickets.print, { ticket: ticket.id });
  const draw = useAction(async () => {
    const { ticketImage } = await import("./ticket-image.ts");
    save(await ticketImage(ticket));
  });
  return (
    <>
      <Actions>
        <Button icon="document" loading={print.isPending} onClick={() => print.send()}>
          Télécharger en PDF
        </Button>
        <Button icon="download" loading={draw.isPending} onClick={() => draw.send()}>
          Enregistrer l’image
        </Button>
      </Actions>
      {(print.problem ?? draw.problem) && (
        <Banner tone="danger" alert title="Le billet n’a pas pu être préparé.">
          {print.problem?.message ?? "Réessayez, ou prenez le PDF."}
        </Banner>
      )}
    </>
  );
}

function PendingTransfer({ transfer }: { transfer: NonNullable<Ticket["transfer"]> }) {
  const cards = useAnswer(api.cards.list, {});
  const withdraw = useAction(() => call(api.tickets.withdraw, { id: transfer.id }), {
    says: ({ message }) => message,
  });
  return (
    <Banner
      title={offeredTo(transfer, cards.data?.items)}
      actions={
        <Button loading={withdraw.isPending} onClick={() => withdraw.send()}>
          Retirer le transfert
        </Button>
      }
    >
      Sans réponse avant le {formatDateTime(transfer.expiresAt)}, le billet reste à son titulaire.
      {withdraw.problem && <p role="alert">{withdraw.problem.message}</p>}
    </Banner>
  );
}
