// That a charge takes long, and why it was refused.
import { useEffect, useState } from "react";
import { offlineTill } from "#contract/till/limits.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import type { Charging } from "./charging.ts";
import { noSearch } from "./sale-search.ts";

/** A charge that takes longer says that it is under way. */
const slowAfterMs = 1000;

/** That the last charge was refused, or that it takes long; the form stays below. */
export function ChargeVerdict({ charging }: { charging: Charging }) {
  const { isPending, submittedAt, error } = charging;
  const [slow, setSlow] = useState(0);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setSlow(submittedAt), slowAfterMs);
    return () => clearTimeout(timer);
  }, [isPending, submittedAt]);
  if (error) return <Refused charging={charging} error={error} />;
  return isPending && slow === submittedAt ? (
    <Verdict news={submittedAt} words="Encaissement en cours…" />
  ) : null;
}

/** Why nothing is charged; without an answer nobody knows: the same sale is sent again, or kept for later. */
function Refused({ charging, error }: { charging: Charging; error: ApiProblem }) {
  const { variables, submittedAt } = charging;
  const [, change] = useSearchParameters<"till">();
  const retried = error.definite ? undefined : variables;
  const keepable = retried?.token && retried.amountCents <= offlineTill.chargeCents;
  return (
    <Verdict
      news={submittedAt}
      tone={error.isUnknown ? "warning" : "danger"}
      words={error.isUnknown ? "Pas de réponse" : "Rien n’est encaissé"}
      help={
        <span>
          {error.isUnknown
            ? "L’achat est peut-être encaissé. Renvoyez la demande\u202f: il ne l’est qu’une fois."
            : error.message}
        </span>
      }
    >
      {error.code === "till_waiting" && (
        <Button wide onClick={() => change({ ...noSearch, tab: "ventes" })}>
          Voir la demande
        </Button>
      )}
      {retried && (
        <Stack gap={12}>
          <Button
            wide
            icon="refresh"
            onClick={() => charging.mutate({ ...retried, offline: false })}
          >
            Renvoyer la même demande
          </Button>
          {keepable && (
            <Button
              wide
              icon="wifiOff"
              onClick={() => charging.mutate({ ...retried, offline: true })}
            >
              Encaisser hors connexion
            </Button>
          )}
        </Stack>
      )}
    </Verdict>
  );
}
