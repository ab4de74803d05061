// What is done with a ticket: offered to another card, or cancelled for what its policy gives back.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { formatMoney, thin } from "#contract/french.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { CardNumberInput } from "#web/ui/input.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import { readTicketsAgain } from "./use-cart.ts";
import styles from "./tickets.module.css";

export function TransferTicket({ ticket, onDone }: { ticket: Ticket; onDone: () => void }) {
  const send = useMutation<unknown, ApiProblem, { number: string }>({
    mutationFn: ({ number }) =>
      call(api.tickets.transfer, { ticket: ticket.id, toCardnumber: Number(number) }),
    onSuccess: async () => {
      notify({ text: "Le billet est proposé à cette carte.", kind: "success" });
      await readTicketsAgain();
      onDone();
    },
  });
  const { field, problem, form } = useForm(
    { number: "" },
    ({ number }) => ({
      number: !/^[12]\d{9}$/.test(number) && "Saisissez les 10 chiffres de la carte.",
    }),
    send,
  );
  return (
    <form {...form}>
      <p>
        Le titulaire de la carte a 48 heures pour accepter. D’ici là, le billet reste valable pour{" "}
        {ticket.holder}. Une fois accepté, son code actuel ne vaut plus rien.
      </p>
      <CardNumberInput
        label="Numéro de la carte qui reçoit le billet"
        data-focus-first
        {...field("number")}
      />
      <ProblemBanner problem={problem} />
      <FormActions
        submit="Proposer le billet"
        icon="send"
        isSending={send.isPending}
        cancel="Retour"
        onCancel={onDone}
      />
    </form>
  );
}

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
  const cancel = useMutation<{ message: string }, ApiProblem, number>({
    mutationFn: (refundCents) => call(api.tickets.cancel, { ticket: ticket.id, refundCents }),
    onSuccess: async ({ message }) => {
      notify({ text: message, kind: "success" });
      onDone();
      await readTicketsAgain();
    },
    onError: () => void preview.refetch(),
  });
  if (preview.isPending) {
    return (
      <Loading label="Calcul du remboursement…">
        <Skeleton lines={3} height="2rem" />
      </Loading>
    );
  }
  if (!preview.data) {
    return <ErrorState answer={preview} />;
  }
  const { refundCents, lostCents, to, policy } = preview.data;
  return (
    <div className={styles.ticketForm}>
      <p className={styles.refund}>
        <strong>{formatMoney(refundCents)} recrédités</strong>
        {to.length === 1 && ` sur ${to[0]?.wallet}`}
        {to.length > 1 &&
          `${thin}: ${to.map((one) => `${formatMoney(one.amountCents)} sur ${one.wallet}`).join(", ")}`}
      </p>
      {lostCents > 0 && (
        <Banner tone="warning">
          {formatMoney(lostCents)} venaient d’une aide qui a expiré depuis{thin}: ils ne reviennent
          pas.
        </Banner>
      )}
      <p>{policy.text}</p>
      <p>La place sera proposée à d’autres, et le code de ce billet ne vaudra plus rien.</p>
      <ProblemBanner problem={cancel.error} />
      <div className={styles.ticketActs}>
        <Button kind="danger" loading={cancel.isPending} onClick={() => cancel.mutate(refundCents)}>
          Annuler ce billet
        </Button>
        <Button onClick={onBack}>Garder le billet</Button>
      </div>
    </div>
  );
}
