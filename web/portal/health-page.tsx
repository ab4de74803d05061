// « État du service », for people: what works now, asked again by itself.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCount } from "#contract/french.ts";
import { paths } from "#contract/paths.ts";
import { Badge } from "#web/ui/banner.tsx";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { DateText } from "#web/ui/money.tsx";
import { Loading, ResultPage, Skeleton } from "#web/ui/state.tsx";
import styles from "./health.module.css";
import { type Health, readHealth } from "./service-state.ts";

const askEveryMs = 10_000;

export function HealthPage() {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => readHealth(signal),
    refetchInterval: askEveryMs,
    staleTime: 0,
  });
  const again = (
    <Button icon="refresh" loading={isFetching} onClick={() => void refetch()}>
      Vérifier maintenant
    </Button>
  );
  const home = (
    <ButtonLink kind="ghost" href={paths.dashboard}>
      Aller à ma carte
    </ButtonLink>
  );
  const acts = (
    <>
      {again}
      {home}
    </>
  );
  if (isPending) {
    return (
      // Drawn anew once it is known: other words of another width are no move.
      <ResultPage
        key="requested"
        icon="clock"
        title="État du service"
        subtitle={<span className={styles.healthSaid}>Vérification en cours…</span>}
        actions={acts}
      >
        <Loading label="Vérification en cours…">
          <div className={styles.healthDetails}>
            <Skeleton lines={6} height="2.75rem" />
          </div>
        </Loading>
      </ResultPage>
    );
  }
  if (error) {
    return (
      <ResultPage
        icon="warning"
        tone="danger"
        title="Le service ne répond pas"
        subtitle="Rien n’est perdu. Cette page vérifie de nouveau toutes les 10 secondes."
        actions={again}
      />
    );
  }
  const well = data.status === "ok";
  return (
    <ResultPage
      icon={well ? "check" : "warning"}
      tone={well ? "success" : "warning"}
      title={well ? "Tout fonctionne" : "Le service est perturbé"}
      subtitle={
        <span className={styles.healthSaid}>
          {well
            ? "Connexion, cagnottes et paiements sont disponibles."
            : "Certaines opérations peuvent attendre. Ce qui est déjà enregistré l’est pour de bon."}
        </span>
      }
      actions={acts}
    >
      <div className={styles.healthDetails}>
        <Details health={data} />
      </div>
    </ResultPage>
  );
}

const State = ({ ok, children }: { ok: boolean; children: ReactNode }) => (
  <Badge tone={ok ? "success" : "danger"}>{children}</Badge>
);

const waiting = (count: number): string =>
  count === 0 ? "Rien en attente" : `${formatCount(count)} en attente`;

function Details({ health: { details, status, time, version } }: { health: Health }) {
  const well = status === "ok";
  return (
    <DefinitionList
      items={[
        ...(details
          ? operatorItems(details)
          : [
              {
                label: "Service",
                value: <State ok={well}>{well ? "Disponible" : "Perturbé"}</State>,
              },
            ]),
        { label: "Heure du service", value: <DateText at={time} time /> },
        { label: "Version", value: version },
      ]}
    />
  );
}

/** Items that only the operator's own machine is sent. */
function operatorItems({ database, migrations, queue, history }: NonNullable<Health["details"]>) {
  const current = migrations.applied === migrations.expected;
  return [
    {
      label: "Données",
      value: (
        <State ok={database.ok}>
          {database.ok ? `Disponibles (${Math.round(database.latencyMs ?? 0)} ms)` : "Injoignables"}
        </State>
      ),
    },
    {
      label: "Mise à jour des données",
      value: <State ok={current}>{current ? "Terminée" : "En cours"}</State>,
    },
    {
      label: "Messages et tâches",
      value: <State ok={queue.ok}>{queue.ok ? waiting(queue.waiting) : "À l’arrêt"}</State>,
    },
    {
      label: "Sceaux de l’historique",
      value: <State ok={history.ok}>{history.ok ? "À jour" : waiting(history.unsealed)}</State>,
    },
  ];
}
