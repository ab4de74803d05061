// The call that pays an order: asks for the code where one is needed, leaves for the payment page.
import { useEffect, useState } from "react";
import type { Payment, PaymentMethod } from "#contract/checkout/rows.ts";
import type { Proof } from "#web/app/transport/code-request.ts";
import { useAction } from "#web/app/transport/use-action.ts";

export interface Paying extends Proof {
  method: PaymentMethod;
  objectID: string;
  /** What the card pays beside the wallet, with `both`. */
  cardCents?: number;
  /** Each pays what is for its own holder; the rest is paid as `method` says. */
  ownWallets?: string[];
}

interface Options<Answer> {
  /** The row that pays; repeating it is safe, the order itself is paid once (spec.md 15). */
  attempt: (paying: Paying) => Promise<Answer>;
  /** Paid, or about to be at the provider: before the browser leaves. */
  onPaid: (answer: Answer) => Promise<void> | void;
}

export function usePay<Answer extends { payment: Payment }>({ attempt, onPaid }: Options<Answer>) {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // Brought back from the browser's memory by its Back button: nobody is leaving any more.
    const back = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    addEventListener("pageshow", back);
    return () => removeEventListener("pageshow", back);
  }, []);
  const pay = useAction(
    (chosen: Omit<Paying, keyof Proof>, proof) => attempt({ ...chosen, ...proof }),
    {
      onDone: async (answer) => {
        const url = answer.payment?.paymentUrl ?? null;
        setLeaving(url !== null);
        await onPaid(answer);
        if (url !== null) location.assign(url);
      },
    },
  );
  return {
    pay: pay.send,
    busy: pay.isPending || leaving,
    problem: pay.problem,
  };
}
