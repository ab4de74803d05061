// Invitations that wait: those to answer, with a code, and those that one sent.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { InvitedAs, ReceivedInvitation, SentInvitation } from "#contract/family/rows.ts";
import { formatCardnumber, formatDate, ofName } from "#contract/french.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { CodeAbandoned } from "#web/app/code-request.ts";
import { withCode } from "#web/app/step-up.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./family.module.css";

type Failure = ApiProblem | CodeAbandoned;

/** What the one who answers is asked, whole. */
function question({ from, role, own, to, child }: ReceivedInvitation): string {
  if (role === "guardian")
    return `${from} vous propose d’être aussi responsable ${ofName(child ?? "votre enfant")}.`;
  if (role === "relative") {
    return own
      ? `${from} vous invite comme proche, pour vous envoyer de l’argent.`
      : `${from} invite ${to} comme proche, pour s’envoyer de l’argent.`;
  }
  return own
    ? `${from} demande à être responsable de votre carte : voir son solde, la suspendre, agir pour elle.`
    : `${from} demande à être responsable de la carte ${ofName(to)}, comme vous.`;
}

export function Received({ list }: { list: readonly ReceivedInvitation[] }) {
  return (
    <Section title="Invitations reçues">
      <ul className={styles.members}>
        {list.map((one) => (
          <li key={one.id}>
            <Invitation invitation={one} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Invitation({ invitation }: { invitation: ReceivedInvitation }) {
  const { id, from, fromCardnumber, expiresAt } = invitation;
  const accept = useMutation<{ message: string }, Failure>({
    mutationFn: () => withCode((proof) => call(api.family.accept, { id, ...proof })),
    onSuccess: ({ message }) => notify({ text: message, kind: "success" }),
  });
  const decline = useMutation<{ message: string }, Failure>({
    mutationFn: () => call(api.family.decline, { id }),
    onSuccess: ({ message }) => notify({ text: message, kind: "success" }),
  });
  const error = accept.error ?? decline.error;
  return (
    <div className={styles.invitation}>
      <Avatar name={from} />
      <div className={styles.memberWords}>
        <p>{question(invitation)}</p>
        <p className={styles.memberNumber}>
          {formatCardnumber(fromCardnumber)} · jusqu’au {formatDate(expiresAt)}
        </p>
      </div>
      <div className={styles.invitationActs}>
        <Button
          kind="primary"
          icon="check"
          loading={accept.isPending}
          disabled={decline.isPending}
          onClick={() => accept.mutate()}
        >
          Accepter
          <span className="unseen"> l’invitation {ofName(from)}</span>
        </Button>
        <Button
          loading={decline.isPending}
          disabled={accept.isPending}
          onClick={() => decline.mutate()}
        >
          Refuser
          <span className="unseen"> l’invitation {ofName(from)}</span>
        </Button>
      </div>
      {error && !(error instanceof CodeAbandoned) && (
        <ProblemBanner problem={error} title="La réponse n’a pas été enregistrée." />
      )}
    </div>
  );
}

const invitedWords: Readonly<Record<InvitedAs, (child: string | null) => string>> = {
  child: () => "Invitée comme enfant",
  guardian: (child) => `Invitée comme responsable ${ofName(child ?? "votre enfant")}`,
  relative: () => "Invitée comme proche",
};

export function Sent({ list }: { list: readonly SentInvitation[] }) {
  return (
    <Section title="Invitations envoyées">
      <ul className={styles.members}>
        {list.map((one) => (
          <li key={one.id}>
            <SentLine invitation={one} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function SentLine({ invitation }: { invitation: SentInvitation }) {
  const { id, cardnumber, role, child, expiresAt } = invitation;
  const cancel = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.family.cancel, { id }),
    onSuccess: ({ message }) => notify({ text: message, kind: "success" }),
  });
  const to = cardnumber === null ? "Par un lien" : `Carte ${formatCardnumber(cardnumber)}`;
  return (
    <div className={styles.invitation}>
      <div className={styles.memberWords}>
        <p className={styles.memberName}>{to}</p>
        <p className={styles.memberAbout}>
          {invitedWords[role](child)}. Sans réponse le {formatDate(expiresAt)}, l’invitation
          s’efface.
        </p>
      </div>
      <div className={styles.invitationActs}>
        <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Annuler
          <span className="unseen">
            {" "}
            l’invitation
            {cardnumber === null ? " par un lien" : ` de la carte ${formatCardnumber(cardnumber)}`}
          </span>
        </Button>
      </div>
      <ProblemBanner problem={cancel.error} title="L’invitation n’a pas été annulée." />
    </div>
  );
}
