// The stop from which a pass is used. Few products ask for one.
import type { ReactNode } from "react";
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Combobox } from "#web/ui/combobox.tsx";
import { ErrorState } from "#web/ui/state.tsx";

/** Stops of the group, found by typing. */
export function StopField({
  idgroup,
  value,
  onValue,
  error,
}: {
  idgroup: number;
  value: number | null;
  onValue: (stop: number | null) => void;
  error: ReactNode;
}) {
  const stops = useAnswer(api.transit.stops, { group: idgroup });
  if (stops.isError && !stops.data) {
    return <ErrorState title="Les arrêts n’ont pas pu être chargés." answer={stops} />;
  }
  return (
    <Combobox
      label="Arrêt de montée"
      hint="Tapez le début de son nom."
      error={error}
      options={(stops.data?.items ?? []).map(({ id, name }) => ({
        value: String(id),
        label: name,
      }))}
      value={value === null ? null : String(value)}
      onValue={(chosen) => onValue(chosen === null ? null : Number(chosen))}
    />
  );
}
