// The result of a charge made without network, and its outcome once the network is back.
import { formatMoney, formatTime } from "#contract/french.ts";
import { lineWords } from "#contract/till/lines.ts";
import { offlineConflictWords } from "#contract/till/offline-words.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import { type StoredCharge, offlineCharges } from "./offline-charges.ts";
import { useEnter } from "./use-enter.ts";

export function OfflineChargeResult({ sold, onNext }: { sold: StoredCharge; onNext: () => void }) {
  const { charge, paidCents } = sold;
  useEnter(onNext, true);
  const stored = useObserved(offlineCharges).find((item) => item.charge.id === charge.id);
  // What is settled is forgotten.
  const result = stored ? stored.result : { conflict: null };
  const lost = result?.conflict ? offlineConflictWords[result.conflict].why : null;
  return (
    <Section>
      <Verdict
        news={charge.id}
        tone={lost ? "danger" : "success"}
        words={lost ? "Non débité" : `${result ? "Payé" : "Accepté"}, ${formatMoney(paidCents)}`}
        help={
          <>
            <span>
              {lost ?? (result ? "Débité." : "Hors connexion\u202f: débité au retour du réseau.")}
            </span>
            {charge.lines && <span>{lineWords(charge.lines)}</span>}
            <span>Carte lue à {formatTime(charge.soldAt)}</span>
          </>
        }
      >
        <Button kind="primary" wide icon="plus" onClick={onNext}>
          Vente suivante
        </Button>
      </Verdict>
    </Section>
  );
}
