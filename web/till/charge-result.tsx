// The result of a charge: paid, or the holder is asked to confirm.
import { lazy, Suspense } from "react";
import { api } from "#contract/api.ts";
import { referenceOf } from "#contract/reference.ts";
import { lineWords } from "#contract/till/lines.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Countdown } from "#web/ui/person.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Verdict } from "#web/ui/verdict.tsx";
import {
  discountWordsOf,
  payerOf,
  pointWordsOf,
  verdictToneOf,
  verdictWordsOf,
} from "./till-words.ts";
import { useEnter } from "./use-enter.ts";
import { useUndoSale } from "./use-till.ts";

const SpokenCode = lazy(async () => ({ default: (await import("./spoken-code.tsx")).SpokenCode }));

const followMs = 2000;

/** The holder's answer arrives by itself. */
export function ChargeResult({ id, onNext }: { id: string; onNext: () => void }) {
  const answer = useAnswer(api.till.sale, { sale: id });
  const state = answer.data?.state;
  useAnswer(api.till.sale, { sale: id }, { pollMs: state === "requested" ? followMs : false });
  const undo = useUndoSale();
  const sale = answer.data;
  const isOpen = state === "requested";
  useEnter(onNext, state !== undefined && !isOpen);
  if (!sale) return null;
  return (
    <Section>
      <Verdict
        news={sale.state}
        tone={verdictToneOf(sale)}
        words={verdictWordsOf(sale)}
        help={
          <>
            <span>{payerOf(sale)}</span>
            {sale.lines.length > 0 && <span>{lineWords(sale.lines)}</span>}
            {discountWordsOf(sale) && <span>{discountWordsOf(sale)}</span>}
            {pointWordsOf(sale) && <span>{pointWordsOf(sale)}</span>}
            {sale.state === "paid" && (
              <span>Reçu n° {referenceOf(sale.id)}, dans les opérations de la carte</span>
            )}
            {isOpen && sale.until && (
              <span>
                La personne confirme sur son téléphone&#8239;: <Countdown until={sale.until} />
              </span>
            )}
            {undo.problem && <span role="alert">{undo.problem.message}</span>}
          </>
        }
      >
        <Stack gap={12}>
          {!isOpen && (
            <Button kind="primary" wide icon="plus" onClick={onNext}>
              Vente suivante
            </Button>
          )}
          {isOpen && (
            <Suspense>
              <SpokenCode sale={sale} />
            </Suspense>
          )}
          {(isOpen || sale.state === "paid") && (
            <Button wide loading={undo.isPending} onClick={() => undo.send(sale)}>
              {isOpen ? "Abandonner la demande" : "Annuler cet achat"}
            </Button>
          )}
        </Stack>
      </Verdict>
    </Section>
  );
}
