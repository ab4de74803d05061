// « Ce n'était pas moi » : where the link of an alert leads. Nothing happens before it is confirmed:
// mail programs open links by themselves.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { type ApiProblem, call } from "#web/app/api.ts";
import { closeSession } from "#web/app/session.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList, PageHeader } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./identity.module.css";

type Alert = Output<typeof api.identity.readAlert>;

const leads: Readonly<Record<Alert["about"], string>> = {
  login: "Une connexion à votre compte Ma carte vous a été signalée.",
  email: "L’adresse e-mail de votre compte Ma carte vient de changer.",
  sms: "Le téléphone de votre compte Ma carte vient de changer.",
};

export function DenyLoginPage() {
  // The secret stays in the fragment: no server and no log is sent it with the address.
  const token = location.hash.slice(1);
  const alert = useQuery<Alert, ApiProblem>({
    queryKey: ["login alert", token],
    queryFn: ({ signal }) => call(api.identity.readAlert, { token }, { signal }),
    enabled: token !== "",
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const deny = useMutation<{ message: string }, ApiProblem>({
    mutationFn: () => call(api.identity.denyLogin, { token }),
    // This browser's own session ended with the others: the way to a new password must be free.
    onSuccess: () => closeSession(),
  });
  if (deny.isSuccess) return <Denied message={deny.data.message} />;
  const refusal = deny.error ?? alert.error;
  return (
    <>
      <PageHeader title="Ce n’était pas vous ?" lead={leads[alert.data?.about ?? "login"]} />
      {token !== "" && alert.isPending && (
        <Loading label="Chargement de la connexion…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      {alert.data && <Login alert={alert.data} />}
      {(token === "" || refusal) && <Refused problem={refusal} onRetry={alert.refetch} />}
      {alert.data && deny.error?.code !== "alert_over" && (
        <div className={styles.identityForm}>
          <p>
            Si ce n’était pas vous, tout se ferme&#8239;: chaque appareil est déconnecté, et
            personne n’entre avant qu’un nouveau mot de passe soit choisi avec un code envoyé à vos
            coordonnées. Les coordonnées que cette connexion a changées redeviennent les anciennes.
          </p>
          <Button kind="danger" wide loading={deny.isPending} onClick={() => deny.mutate()}>
            Ce n’était pas moi, tout fermer
          </Button>
          <ButtonLink kind="ghost" wide href="/dashboard">
            C’était moi
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function Login({ alert }: { alert: Alert }) {
  return (
    <DefinitionList
      items={[
        { label: "Appareil", value: alert.device },
        { label: "Date", value: <DateText at={alert.at} time /> },
        { label: "Adresse réseau", value: alert.address ?? "—" },
      ]}
    />
  );
}

function Refused({
  problem,
  onRetry,
}: {
  problem: ApiProblem | null;
  onRetry: () => Promise<unknown>;
}) {
  const over = !problem || problem.code === "alert_over" || problem.code === "invalid_input";
  return (
    <div className={styles.identityForm}>
      <Banner tone="danger" alert title={over ? "Ce lien ne sert plus" : "Rien n’a été fermé"}>
        {over
          ? "Il a déjà servi, il est trop ancien, ou il est incomplet. En cas de doute, choisissez un nouveau mot de passe."
          : problem.message}
      </Banner>
      {over ? (
        <ButtonLink kind="primary" wide href="/identify">
          Choisir un nouveau mot de passe
        </ButtonLink>
      ) : (
        <Button wide onClick={() => void onRetry()}>
          Réessayer
        </Button>
      )}
    </div>
  );
}

function Denied({ message }: { message: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.identityDone}>
      <Picture icon="shield" tone="success" />
      <h1 ref={heading} tabIndex={-1}>
        Votre compte est fermé à tous
      </h1>
      <p>{message} Un code vous sera envoyé.</p>
      <ButtonLink kind="primary" wide href="/identify">
        Choisir un nouveau mot de passe
      </ButtonLink>
    </div>
  );
}
