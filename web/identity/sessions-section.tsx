// Open sessions: where the account is open now, closed one by one or all but this one.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#contract/api.ts";
import { plural } from "#contract/french.ts";
import type { OpenSession } from "#contract/identity/sign-in.ts";
import { useAnswer } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { Badge, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { AlertDialog } from "#web/ui/dialog.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import { Section } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Loaded } from "#web/ui/state.tsx";
import { notify } from "#web/ui/toast.tsx";
import styles from "./profile.module.css";

export function SessionsSection() {
  const list = useAnswer(api.identity.sessions, {});
  const [asking, setAsking] = useState(false);
  const endAll = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.identity.endOtherSessions, {}),
    onSuccess: ({ message }) => notify({ text: message, kind: "success" }),
    onSettled: () => setAsking(false),
  });
  const others = list.data?.items.filter(({ current }) => !current).length ?? 0;
  return (
    <Section title="Connexions ouvertes">
      <p className={styles.profileLead}>
        Les appareils où votre compte est ouvert en ce moment. Si vous n’en reconnaissez pas un,
        déconnectez-le et changez votre mot de passe.
      </p>
      <Loaded
        answer={list}
        label="Chargement de vos connexions…"
        lines={2}
        height="4.5rem"
        failed="Vos connexions n’ont pas pu être chargées."
      >
        {({ items }) => (
          <ul className={styles.contacts} aria-label="Connexions ouvertes">
            {items.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
      <ProblemBanner problem={endAll.error} title="Rien n’a été déconnecté." />
      {others > 0 && (
        <div className={styles.contactActs}>
          <Button size="small" icon="logout" onClick={() => setAsking(true)}>
            Déconnecter partout
          </Button>
        </div>
      )}
      <AlertDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={"Déconnecter partout\u202f?"}
        confirm="Déconnecter partout"
        danger
        loading={endAll.isPending}
        onConfirm={() => endAll.mutate()}
      >
        <p>
          {plural(others, "autre connexion se ferme", "autres connexions se ferment")} tout de
          suite. Celle-ci reste ouverte, et vous serez prévenu si un de ces appareils se reconnecte.
        </p>
      </AlertDialog>
    </Section>
  );
}

function SessionRow({ session }: { session: OpenSession }) {
  const { id, device, address, lastUsedAt, current } = session;
  const end = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.identity.endSession, { id }),
    onSuccess: ({ message }) => void notify({ text: message, kind: "success" }),
  });
  return (
    <li className={styles.contact}>
      <div className={styles.contactShown}>
        <IconTile icon="screen" />
        <p className={styles.contactText}>
          <span className={styles.contactValue}>
            {device} {current && <Badge tone="success">Cet appareil</Badge>}
          </span>
          <span className={styles.contactLabel}>
            {current ? (
              "En ce moment"
            ) : (
              <>
                Dernière activité le <DateText at={lastUsedAt} time />
              </>
            )}
            {address && ` · ${address}`}
          </span>
        </p>
        {!current && (
          <Button
            size="small"
            aria-label={`Déconnecter ${device}`}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            Déconnecter
          </Button>
        )}
      </div>
      <ProblemBanner problem={end.error} title="La déconnexion n’a pas été faite." />
    </li>
  );
}
