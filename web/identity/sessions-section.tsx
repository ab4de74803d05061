// Open sessions: where the account is open now, closed one by one or all but this one.
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { formatMoney, formatTime, plural } from "#contract/french.ts";
import type { OpenSession } from "#contract/identity/sign-in.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
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

/** How often a session looks whether its proof is over by this clock; the server decides. */
const checkEveryMs = 10_000;

export function SessionsSection() {
  const list = useAnswer(api.identity.sessions, {});
  const [asking, setAsking] = useState(false);
  const endAll = useAction(() => call(api.identity.endOtherSessions, {}), {
    says: ({ message }) => message,
  });
  const others = list.data?.items.filter(({ current }) => !current).length ?? 0;
  const rows = useRef<HTMLUListElement>(null);
  // Before what was pressed goes away with what it ended.
  const focusRows = () => rows.current?.focus();
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
          <ul ref={rows} tabIndex={-1} aria-label="Connexions ouvertes">
            {items.map((session) => (
              <SessionRow key={session.id} session={session} onEnded={focusRows} />
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

function SessionRow({ session, onEnded }: { session: OpenSession; onEnded: () => void }) {
  const { id, device, address, lastUsedAt, current, moneyProof } = session;
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
            onClick={() => end.send(undefined, onEnded)}
          >
            Déconnecter
          </Button>
        )}
      </div>
      <ProblemBanner problem={end.problem} title="La déconnexion n’a pas été faite." />
      {moneyProof && (
        <MoneyProof session={id} device={device} proof={moneyProof} onEnded={onEnded} />
      )}
    </li>
  );
}

/** What a proof opened in a session: payments without another one, until it runs out or is ended. */
function MoneyProof({
  session,
  device,
  proof: { until, leftCents },
  onEnded,
}: {
  session: string;
  device: string;
  proof: NonNullable<OpenSession["moneyProof"]>;
  onEnded: () => void;
}) {
  const end = useAction(() => call(api.identity.endMoneyProof, { id: session }), {
    says: ({ message }) => message,
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (Date.now() > Date.parse(until)) noteChanges(["money_proof"]);
    }, checkEveryMs);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <>
      <div className={styles.moneyProof}>
        <p>
          Paiements sans nouvelle confirmation jusqu’à {formatTime(until)}, encore{" "}
          {formatMoney(leftCents)} au plus.
        </p>
        <Button
          size="small"
          icon="lock"
          aria-label={`Arrêter les paiements sans confirmation sur ${device}`}
          loading={end.isPending}
          onClick={() => end.send(undefined, onEnded)}
        >
          Arrêter
        </Button>
      </div>
      <ProblemBanner problem={end.problem} title="Rien n’a été arrêté." />
    </>
  );
}
