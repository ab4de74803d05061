// The day of a counter: totals by cashier since the last closing and the closing; then the days of a month, and the
// closings before.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDateTime, formatMoney, plural } from "#contract/french.ts";
import type { TillCounter } from "#contract/till/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { ConfirmAction } from "#web/app/shared/confirm-action.tsx";
import { useAction } from "#web/app/transport/use-action.ts";
import { useObserved } from "#web/app/transport/use-observed.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { EmptyState, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { Totals } from "./day-totals.tsx";
import { offlineCharges, sendCharges, waitingAt } from "./offline-charges.ts";

const Closings = lazy(async () => ({ default: (await import("./closings.tsx")).Closings }));
const Days = lazy(async () => ({ default: (await import("./days.tsx")).Days }));
const Losses = lazy(async () => ({ default: (await import("./losses.tsx")).Losses }));

export function DayTab({ counter, mayClose }: { counter: TillCounter; mayClose: boolean }) {
  const answer = useAnswer(api.till.running, { partner: counter.id }, { atOnce: true });
  const [asking, setAsking] = useState(false);
  const waiting = waitingAt(useObserved(offlineCharges), counter.id);
  const closing = useAction(async () => {
    // What this device sold without network belongs to this day, as far as it can be sent.
    await sendCharges();
    return call(api.till.close, { partner: counter.id });
  });
  if (!answer.data) {
    return (
      <NotLoaded
        answer={answer}
        label="Chargement des totaux…"
        lines={4}
        height="4rem"
        failed="Les totaux n’ont pas pu être chargés."
      />
    );
  }
  const { since, cashiers } = answer.data;
  return (
    <Stack gap={24}>
      <Section title={since ? `Depuis la clôture du ${formatDateTime(since)}` : "En cours"}>
        {cashiers.length === 0 ? (
          <EmptyState icon="clock" title="Rien à clôturer">
            Les ventes et les remboursements à venir seront comptés ici.
          </EmptyState>
        ) : (
          <>
            <Totals caption="Totaux en cours" cashiers={cashiers} />
            {mayClose && (
              <Button kind="primary" icon="lock" onClick={() => setAsking(true)}>
                Clôturer la journée
              </Button>
            )}
          </>
        )}
      </Section>
      {mayClose ? (
        <Suspense fallback={<Skeleton lines={6} height="3.25rem" />}>
          <Days partner={counter.id}>
            <Suspense>
              <Losses />
            </Suspense>
            <Suspense>
              <Closings partner={counter.id} />
            </Suspense>
          </Days>
        </Suspense>
      ) : (
        <Suspense>
          <Losses />
        </Suspense>
      )}
      <ConfirmAction
        act={closing}
        open={asking}
        onClose={() => setAsking(false)}
        title={"Clôturer la journée\u202f?"}
        confirm="Clôturer"
      >
        Les totaux sont gardés sous le numéro suivant et ne changent plus. Un remboursement fait
        plus tard compte dans la journée suivante, comme un achat hors connexion débité plus tard.
        {waiting.count > 0 && (
          <Banner tone="warning">
            {plural(
              waiting.count,
              "achat hors connexion attend",
              "achats hors connexion attendent",
            )}{" "}
            sur cet appareil ({formatMoney(waiting.paidCents)})&#8239;: envoi d’abord.
          </Banner>
        )}
      </ConfirmAction>
    </Stack>
  );
}
