// What an opened ticket is exported with, and its transfer while it waits: loaded after its code.
import { api } from "#contract/api.ts";
import { formatDateTime } from "#contract/french.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useDownload } from "#web/app/shared/download-button.tsx";
import { save } from "#web/app/shared/save.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { offeredTo } from "./transfer-words.ts";

export function TicketExports({ ticket }: { ticket: Ticket }) {
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

export function PendingTransfer({ transfer }: { transfer: NonNullable<Ticket["transfer"]> }) {
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
