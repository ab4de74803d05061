// Open sessions: where the account is open now, closed one by one or all but this one.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import type { OpenSession } from "#contract/identity/sign-in.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { Actions } from "#web/ui/actions.tsx";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./profile.module.css";

export function SessionsSection() {
  const list = useAnswer(api.identity.sessions, {});
  const [asking, setAsking] = useState(false);
  const endAll = useAction(() => call(api.identity.endOtherSessions, {}), {
    says: ({ message }) => message,
  });
  const others = list.data?.items.filter(({ current }) => !current).length ?? 0;
  return (
    <Section title="Connexions ouvertes">
      <Text tone="soft" size="fine">
        Les appareils où votre compte est ouvert en ce moment. Si vous n’en reconnaissez pas un,
        déconnectez-le et changez votre mot de passe.
      </Text>
      <Loaded
        answer={list}
        label="Chargement de vos connexions…"
        lines={2}
        height="4.5rem"
        failed="Vos connexions n’ont pas pu être chargées."
      >
        {({ items }) => (
          <ul aria-label="Connexions ouvertes">
            {items.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
      {others > 0 && (
        <Actions gap={4}>
          <Button size="small" icon="logout" onClick={() => setAsking(true)}>
            Déconnecter partout
          </Button>
        </Actions>
      )}
      <ConfirmAction
        act={endAll}
        open={asking}
        onClose={() => setAsking(false)}
        failed="Rien n’a été déconnecté."
        title={"Déconnecter partout\u202f?"}
        confirm="Déconnecter partout"
        danger
      >
        <p>
          {plural(others, "autre connexion se ferme", "autres connexions se ferment")} tout de
          suite. Celle-ci reste ouverte, et vous serez prévenu si un de ces appareils se reconnecte.
        </p>
      </ConfirmAction>
    </Section>
  );
}

function SessionRow({ session }: { session: OpenSession }) {
  const { id, device, address, lastUsedAt, current } = session;
  const end = useAction(() => call(api.identity.endSession, { id }), {
    says: ({ message }) => message,
  });
  return (
    <li className={styles.contact}>
      <div className={styles.contactShown}>
        <IconTile icon="screen" />
        <p className={styles.contactText}>
          <span className={styles.contactValue}>
            {device} {current && <Badge tone="success">Cet appareil</Badge>}
          </span>
          <Text as="span" tone="soft" size="fine">
            {current ? (
              "En ce moment"
            ) : (
              <>
                Dernière activité le <DateText at={lastUsedAt} time />
              </>
            )}
            {address && ` · ${address}`}
          </Text>
        </p>
        {!current && (
          <Button
            size="small"
            aria-label={`Déconnecter ${device}`}
            loading={end.isPending}
            onClick={() => end.send()}
          >
            Déconnecter
          </Button>
        )}
      </div>
      <ProblemBanner problem={end.problem} title="La déconnexion n’a pas été faite." />
    </li>
  );
}
