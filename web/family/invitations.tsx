// Invitations that wait: those to answer, with a code, and those that one sent.
import { api } from "#contract/api.ts";
import type { InvitedAs, ReceivedInvitation, SentInvitation } from "#contract/family/rows.ts";
import { formatCardnumber, formatDate, ofName } from "#contract/french.ts";
import { placed } from "#web/app/shared/place.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { DividedList } from "#web/ui/divided-list.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Avatar } from "#web/ui/person.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./family.module.css";

/** The whole question to the one who answers. */
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
      <DividedList gap={4}>
        {list.map((one) => (
          <li key={one.id}>
            <Invitation invitation={one} />
          </li>
        ))}
      </DividedList>
    </Section>
  );
}

function Invitation({ invitation }: { invitation: ReceivedInvitation }) {
  const { id, from, fromCardnumber, expiresAt } = invitation;
  const accept = useAction((_: void, proof) => call(api.family.accept, { id, ...proof }), {
    says: ({ message }) => message,
  });
  const decline = useAction(() => call(api.family.decline, { id }), {
    says: ({ message }) => message,
  });
  const problem = accept.problem ?? decline.problem;
  return (
    <div className={styles.invitation} {...placed("invitation", id, `Invitation ${ofName(from)}`)}>
      <Avatar name={from} />
      <div className={styles.memberWords}>
        <p>{question(invitation)}</p>
        <Text tone="soft" size="small" numeric>
          {formatCardnumber(fromCardnumber)} · jusqu’au {formatDate(expiresAt)}
        </Text>
      </div>
      <Actions gap={8}>
        <Button
          kind="primary"
          icon="check"
          loading={accept.isPending}
          disabled={decline.isPending}
          onClick={() => accept.send()}
        >
          Accepter
          <span className="unseen"> l’invitation {ofName(from)}</span>
        </Button>
        <Button
          loading={decline.isPending}
          disabled={accept.isPending}
          onClick={() => decline.send()}
        >
          Refuser
          <span className="unseen"> l’invitation {ofName(from)}</span>
        </Button>
      </Actions>
      <ProblemBanner problem={problem} title="La réponse n’a pas été enregistrée." />
    </div>
  );
}

const invitedWords: Readonly<Record<InvitedAs, (child: string | null) => string>> = {
  child: () => "Invitée comme enfant",
  guardian: (child) => `Invitée comme responsable ${ofName(child ?? "votre enfant")}`,
  relative: () => "Invitée comme proche",
};

export function SentInvitations({ list }: { list: readonly SentInvitation[] }) {
  return (
    <Section title="Invitations envoyées">
      <DividedList gap={4}>
        {list.map((one) => (
          <li key={one.id}>
            <SentLine invitation={one} />
          </li>
        ))}
      </DividedList>
    </Section>
  );
}

function SentLine({ invitation }: { invitation: SentInvitation }) {
  const { id, cardnumber, role, child, expiresAt } = invitation;
  const cancel = useAction(() => call(api.family.cancel, { id }), {
    says: ({ message }) => message,
  });
  const to = cardnumber === null ? "Par un lien" : `Carte ${formatCardnumber(cardnumber)}`;
  return (
    <div className={styles.invitation}>
      <div className={styles.memberWords}>
        <Text weight="strong" breakWord>
          {to}
        </Text>
        <Text tone="soft" size="fine">
          {invitedWords[role](child)}. Sans réponse le {formatDate(expiresAt)}, l’invitation
          s’efface.
        </Text>
      </div>
      <Actions gap={8}>
        <Button size="small" loading={cancel.isPending} onClick={() => cancel.send()}>
          Annuler
          <span className="unseen">
            {" "}
            l’invitation
            {cardnumber === null ? " par un lien" : ` de la carte ${formatCardnumber(cardnumber)}`}
          </span>
        </Button>
      </Actions>
      <ProblemBanner problem={cancel.problem} title="L’invitation n’a pas été annulée." />
    </div>
  );
}
