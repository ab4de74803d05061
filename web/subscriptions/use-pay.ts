// Paying the file. It is its own intention: however often the button is pressed, in whatever tab, the
// server pays it once, so no key is minted here (décision 15).
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
import { keyOf, queryClient } from "#web/app/answers.ts";
import { call } from "#web/app/api.ts";
import { CodeAbandoned, withCode } from "#web/app/step-up.ts";

export function usePay(file: SubscriptionFile) {
  const navigate = useNavigate();
  const going = useRef(false);
  const [pending, setPending] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  useEffect(() => {
    // Brought back from the browser's memory by its Back button: nobody is leaving any more.
    const back = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    addEventListener("pageshow", back);
    return () => removeEventListener("pageshow", back);
  }, []);
  const key = keyOf(api.subscriptions.read, { id: file.id });
  const start = async (means: "wallet" | "provider", objectID: string): Promise<void> => {
    if (going.current) return;
    going.current = true;
    setPending(true);
    setProblem(null);
    const { id, revision } = file;
    const wanted = { id, revision, means, objectID, totalCents: file.quote.totalCents };
    try {
      const paid = await withCode((proof) => call(api.subscriptions.pay, { ...wanted, ...proof }));
      const url = paid.payment?.paymentUrl ?? null;
      setLeaving(url !== null);
      const search = { dossier: id, etape: "paiement" };
      await navigate({ to: ".", search, replace: true, resetScroll: false });
      queryClient.setQueryData(key, paid);
      if (url !== null) location.assign(url);
    } catch (error) {
      if (!(error instanceof CodeAbandoned)) {
        setProblem(error as Error);
        // The price or the file may be others by now: they are read again beside what was refused.
        void queryClient.invalidateQueries({ queryKey: key });
      }
    } finally {
      going.current = false;
      setPending(false);
    }
  };
  return {
    start: (means: "wallet" | "provider", objectID: string) => void start(means, objectID),
    pending,
    leaving,
    problem,
  };
}
