// Offering a ticket: to somebody of the family in one press, by a link to share, or to a card number.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { firstName } from "#contract/french.ts";
import type { Ticket } from "#contract/tickets/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { CardNumberInput } from "#web/ui/input.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { Avatar } from "#web/ui/person.tsx";
import { SharedLink } from "#web/ui/shared-link.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./tickets.module.css";

export function TransferTicket({ ticket, onDone }: { ticket: Ticket; onDone: () => void }) {
  const cards = useAnswer(api.cards.list, {});
  const [typing, setTyping] = useState(false);
  const offer = useAction(
    (toCardnumber: number) => call(api.tickets.transfer, { ticket: ticket.id, toCardnumber }),
    { onDone },
  );
  const share = useAction(() => call(api.tickets.transferByLink, { ticket: ticket.id }));
  if (share.data) {
    return (
      <Stack>
        <p>
          Envoyez ce lien à la personne de votre choix. La première qui l’ouvre peut accepter le
          billet, pendant 48 heures. Il ne sera plus montré.
        </p>
        <SharedLink
          title={`Un billet pour «\u00a0${ticket.title}\u00a0»`}
          address={share.data.address}
          onDone={onDone}
        />
      </Stack>
    );
  }
  const family = (cards.data?.items ?? []).filter(
    ({ cardnumber, state }) => cardnumber !== ticket.cardnumber && state !== "replaced",
  );
  const busy = offer.isPending || share.isPending;
  const problem = offer.problem ?? share.problem;
  return (
    <Stack>
      <p>
        Qui reçoit le billet a 48 heures pour accepter. D’ici là, il reste valable pour{" "}
        {ticket.holder}. Une fois accepté, son code actuel ne vaut plus rien.
      </p>
      {cards.isPending && (
        <Loading label="Chargement de la famille…">
          <Skeleton lines={2} height="3rem" />
        </Loading>
      )}
      {family.length > 0 && (
        <ul className={styles.recipients} aria-label="Votre famille">
          {family.map(({ cardnumber, name, relation }) => (
            <li key={cardnumber}>
              <Avatar name={name} size="small" />
              <span className={styles.recipientName}>{relation === "self" ? "Moi" : name}</span>
              <Button
                icon="send"
                size="small"
                loading={offer.isPending && offer.variables === cardnumber}
                disabled={busy && offer.variables !== cardnumber}
                onClick={() => offer.send(cardnumber)}
              >
                Proposer
                <span className="unseen"> à {relation === "self" ? "moi" : firstName(name)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Actions>
        <Button icon="copy" loading={share.isPending} onClick={() => busy || share.send()}>
          Créer un lien à partager
        </Button>
        {!typing && (
          <Button kind="ghost" icon="card" onClick={() => setTyping(true)}>
            Saisir un numéro de carte
          </Button>
        )}
      </Actions>
      {typing && <CardForm loading={offer.isPending} onOffer={offer.send} />}
      <ProblemBanner problem={problem} title="Le billet n’a pas été proposé." />
      <Button kind="ghost" onClick={onDone}>
        Retour
      </Button>
    </Stack>
  );
}

function CardForm({
  loading,
  onOffer,
}: {
  loading: boolean;
  onOffer: (cardnumber: number) => void;
}) {
  const send = useAction(
    // The offer itself, and its refusal, are the caller's.
    async ({ number }: { number: string }) => onOffer(Number(number)),
  );
  const { field, form } = useForm(
    { number: "" },
    ({ number }) => ({
      number: !/^[12]\d{9}$/.test(number) && "Saisissez les 10 chiffres de la carte.",
    }),
    send,
  );
  return (
    <form {...form}>
      <CardNumberInput
        label="Numéro de la carte qui reçoit le billet"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the press before asked for the field
        autoFocus
        {...field("number")}
      />
      <FormActions submit="Proposer le billet" icon="send" isSending={loading} />
    </form>
  );
}
