// Cancelling a ticket, for what its policy gives back.
import { api } from "#contract/api.ts";
import { formatCredited, formatMoney, thin } from "#contract/french.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";

export function CancelTicket({
  ticket,
  onBack,
  onDone,
}: {
  ticket: Ticket;
  onBack: () => void;
  onDone: () => void;
}) {
  const preview = useAnswer(api.tickets.refund, { ticket: ticket.id });
  const cancel = useAction(
    (refundCents: number) => call(api.tickets.cancel, { ticket: ticket.id, refundCents }),
    { says: ({ message }) => message, onDone },
  );
  if (!preview.data) {
    return <NotLoaded answer={preview} label="Calcul du remboursement…" lines={3} height="2rem" />;
  }
  const { refundCents, lostCents, to, policy } = preview.data;
  return (
    <Stack>
      <Text size="large">
        <strong>{formatCredited(refundCents)}</strong>
        {to.length === 1 && ` sur ${to[0]?.wallet}`}
        {to.length > 1 &&
          `${thin}: ${to.map((one) => `${formatMoney(one.amountCents)} sur ${one.wallet}`).join(", ")}`}
      </Text>
      {lostCents > 0 && (
        <Banner tone="warning">
          {formatMoney(lostCents)} venaient d’une aide qui a expiré depuis{thin}: ils ne reviennent
          pas.
        </Banner>
      )}
      <p>{policy.text}</p>
      <p>La place sera proposée à d’autres, et le code de ce billet ne vaudra plus rien.</p>
      <ProblemBanner problem={cancel.problem} />
      <Actions>
        <Button kind="danger" loading={cancel.isPending} onClick={() => cancel.send(refundCents)}>
          Annuler ce billet
        </Button>
        <Button onClick={onBack}>Garder le billet</Button>
      </Actions>
    </Stack>
  );
}
