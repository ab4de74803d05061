// The balance over time and its projection. Its data table is the chart's own.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/answers.ts";
import { Chips } from "#web/ui/choice.tsx";
import { LineChart } from "#web/ui/chart.tsx";
import { Section } from "#web/ui/layout.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import styles from "./dashboard.module.css";

const spans = [
  { value: "30", label: "1 mois" },
  { value: "90", label: "3 mois" },
  { value: "366", label: "1 an" },
] as const;
type Span = (typeof spans)[number]["value"];

/** Its points are asked for when it is `near` to be seen. */
export function BalanceChart({ wallet, near }: { wallet: string; near: boolean }) {
  const [span, setSpan] = useState<Span>("30");
  return (
    <Section
      title="Évolution"
      action={<Chips label="Durée montrée" options={spans} value={[span]} onValue={setSpan} />}
    >
      <div className={styles.dashboardChart}>
        <Curve wallet={wallet} days={Number(span)} near={near} />
      </div>
    </Section>
  );
}

function Curve({ wallet, days, near }: { wallet: string; days: number; near: boolean }) {
  const history = useAnswer(api.wallet.history, { objectID: wallet, days }, { enabled: near });
  if (history.isPending) {
    return (
      <Loading label="Chargement de la courbe…">
        <Skeleton height="var(--chart-height)" />
      </Loading>
    );
  }
  if (history.isError) {
    return <ErrorState title="La courbe n’a pas pu être chargée." answer={history} />;
  }
  const pointOf = ({ on, balanceCents }: { on: string; balanceCents: number }) => ({
    at: on,
    cents: balanceCents,
  });
  return (
    <LineChart
      title="Solde"
      points={history.data.points.map(pointOf)}
      expected={history.data.projection.map(pointOf)}
    />
  );
}
