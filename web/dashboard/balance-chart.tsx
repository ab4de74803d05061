// The balance over time and its projection. Its data table is the chart's own.
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { LineChart } from "#web/ui/chart.tsx";
import { NotLoaded } from "#web/ui/state.tsx";

/** The last `days` of a wallet; its points are asked for when it is `near` to be seen. */
export function BalanceChart({
  wallet,
  days,
  near,
}: {
  wallet: string;
  days: number;
  near: boolean;
}) {
  const history = useAnswer(api.wallet.history, { objectID: wallet, days }, { enabled: near });
  if (!history.data) {
    return (
      <NotLoaded
        answer={history}
        label="Chargement de la courbe…"
        height="var(--chart-height)"
        failed="La courbe n’a pas pu être chargée."
      />
    );
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
