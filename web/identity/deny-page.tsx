// « Ce n'était pas moi » : where the link of an alert leads, and « Pas moi » of the bell. Nothing happens
// before it is confirmed: mail programs open links by themselves.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { beginEnd, closeSession } from "#web/app/transport/session.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList, PageHeader } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./identity.module.css";

type Alert = Output<typeof api.identity.readAlert>;

const leads: Readonly<Record<Alert["about"], string>> = {
  login: "Une connexion à votre compte Ma carte vous a été signalée.",
  email: "L’adresse e-mail de votre compte Ma carte vient de changer.",
  sms: "Le téléphone de votre compte Ma carte vient de changer.",
};

export function DenyLoginPage() {
  const [search] = useSearchParameters<"denyLogin">();
  const alertId = search.alert;
  return alertId === undefined ? <ByLink /> : <ByBell id={alertId} />;
}

function ByLink() {
  // The secret stays in the fragment: no server and no log is sent it with the address.
  const token = location.hash.slice(1);
  const alert = useQuery<Alert, ApiProblem>({
    queryKey: ["login alert", token],
    queryFn: ({ signal }) => call(api.identity.readAlert, { token }, { signal }),
    enabled: token !== "",
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Question
      alert={alert.data}
      isWaiting={token !== "" && alert.isPending}
      isMissing={token === ""}
      problem={alert.error}
      onRetry={alert.refetch}
      onDeny={() => call(api.identity.denyLogin, { token })}
    />
  );
}

/** An alert that this session may answer, without the secret of its link. */
function ByBell({ id }: { id: string }) {
  const alerts = useAnswer(api.identity.alerts, {}, { atOnce: true });
  // Answered, it is no more in a list that is read again: what was first shown stays.
  const [first, setFirst] = useState<Alert>();
  const found = alerts.data?.items.find((one) => one.id === id);
  if (found && !first) setFirst({ about: "login", ...found });
  return (
    <Question
      alert={first}
      isWaiting={alerts.isPending}
      isMissing={!first && alerts.isFetched && !alerts.error}
      problem={alerts.error}
      onRetry={alerts.refetch}
      onDeny={() => call(api.identity.answerAlert, { alert: id, mine: false })}
    />
  );
}

interface QuestionProps {
  alert: Alert | undefined;
  isWaiting: boolean;
  /** Nothing to answer: no secret in the address, or an alert of the past. */
  isMissing: boolean;
  problem: ApiProblem | null;
  onRetry: () => Promise<unknown>;
  onDeny: () => Promise<{ message: string }>;
}

function Question({ alert, isWaiting, isMissing, problem, onRetry, onDeny }: QuestionProps) {
  const deny = useMutation<{ message: string }, ApiProblem>({
    mutationFn: onDeny,
    // This browser's own session ends with the others: the way to a new password must be free.
    onMutate: () => beginEnd("stay"),
    onSuccess: () => closeSession(),
    onError: () => beginEnd(null),
  });
  if (deny.isSuccess) return <Denied message={deny.data.message} />;
  const refusal = deny.error ?? problem;
  return (
    <>
      <PageHeader title={"Ce n’était pas vous\u202f?"} lead={leads[alert?.about ?? "login"]} />
      {isWaiting && (
        <Loading label="Chargement de la connexion…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      {alert && <Login alert={alert} />}
      {(isMissing || refusal) && <Refused problem={refusal} onRetry={onRetry} />}
      {alert && deny.error?.code !== "alert_over" && (
        <Stack gap={20}>
          <p>
            Si ce n’était pas vous, tout se ferme&#8239;: chaque appareil est déconnecté, et
            personne n’entre avant qu’un nouveau mot de passe soit choisi avec un code envoyé à vos
            coordonnées. Les coordonnées que cette connexion a changées redeviennent les anciennes.
          </p>
          <Button kind="danger" wide loading={deny.isPending} onClick={() => deny.mutate()}>
            Ce n’était pas moi, tout fermer
          </Button>
          <ButtonLink kind="ghost" wide href={paths.dashboard}>
            C’était moi
          </ButtonLink>
        </Stack>
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
    <Stack gap={20}>
      {over ? (
        <Banner tone="danger" alert title="Ce lien ne sert plus">
          Il a déjà servi, il est trop ancien, ou il est incomplet. En cas de doute, choisissez un
          nouveau mot de passe.
        </Banner>
      ) : (
        <ProblemBanner problem={problem} title="Rien n’a été fermé" />
      )}
      {over ? (
        <ButtonLink kind="primary" wide href={paths.forgotPassword}>
          Choisir un nouveau mot de passe
        </ButtonLink>
      ) : (
        <Button wide onClick={() => void onRetry()}>
          Réessayer
        </Button>
      )}
    </Stack>
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
      <ButtonLink kind="primary" wide href={paths.forgotPassword}>
        Choisir un nouveau mot de passe
      </ButtonLink>
    </div>
  );
}
