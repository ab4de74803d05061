// Starting a top-up: one key for one intention, whatever is clicked, in whatever tab, until the
// payment has its outcome (spec.md 15).
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { payments } from "#contract/limits.ts";
import { wireSearch } from "#contract/link-to.ts";
import { topUpCan } from "#contract/payments/rows.ts";
import { ApiProblem, call } from "#web/app/transport/api.ts";
import { intentKey, settleIntent } from "#web/app/transport/intent.ts";
import { useProblemNotice } from "#web/app/transport/problem-notice.ts";
import { withCode } from "#web/app/transport/step-up.ts";
import { useAction } from "#web/app/transport/use-action.ts";

type Started = Output<typeof api.payments.startTopUp>;

/** How a top-up is paid: with a kept payment method, or on the provider's page, which may keep one. */
export interface Paying {
  paymentMethod?: string;
  keep?: boolean;
}

interface TopUpInput extends Paying {
  objectID: string;
  amountCents: number;
}

/** Each wallet and amount is an intention of its own: another tab may hold another one. */
const actOf = ({ objectID, amountCents }: Pick<TopUpInput, "objectID" | "amountCents">): string =>
  `top-up.${objectID}.${amountCents}`;

/** The payment has its outcome: the next top-up of this amount is new. */
export const settleTopUp = (input: Pick<TopUpInput, "objectID" | "amountCents">): void =>
  settleIntent(actOf(input));

/**
 * Starts under the kept key. What the key leads to gives way to a new top-up when it is of the past:
 * left unpaid and refused since, or over for longer than a payment page lives.
 */
async function begin(input: TopUpInput): Promise<Started> {
  const attempt = async () => {
    const key = await intentKey(actOf(input), input);
    return await withCode((proof) =>
      call(api.payments.startTopUp, { ...input, ...proof }, { key }),
    );
  };
  try {
    const started = await attempt();
    if (!(await isPast(started))) return started;
    settleTopUp(input);
    return await attempt();
  } catch (error) {
    // A code asked for is no outcome: the same top-up follows.
    const over = error instanceof ApiProblem && error.definite && error.code !== "code_required";
    if (over) settleTopUp(input);
    throw error;
  }
}

async function isPast(started: Started): Promise<boolean> {
  if (started.state === "declined") return true;
  if (!topUpCan.rest(started)) return false;
  const { createdAt } = await call(api.payments.topUp, { id: started.id });
  return Date.now() - Date.parse(createdAt) > payments.pageLifeSeconds * 1000;
}

/**
 * For the form of the amount: sent, it leaves for the payment page; before that the address names the
 * top-up, to come back to: `page`, else the present one. `leaving` while the browser is on its way there.
 */
export function useStartTopUp(objectID: string, page?: string) {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // Brought back from the browser's memory by its Back button: nobody is leaving any more.
    const back = (event: PageTransitionEvent) => event.persisted && setLeaving(false);
    addEventListener("pageshow", back);
    return () => removeEventListener("pageshow", back);
  }, []);
  const start = useAction(
    async ({ amountCents, ...paying }: { amountCents: number | null } & Paying) => {
      const input = { objectID, amountCents: amountCents ?? 0, ...paying };
      const { id, paymentUrl } = await begin(input);
      setLeaving(paymentUrl !== null);
      await navigate({
        to: page ?? ".",
        search: wireSearch<"topUp">({ topUp: id }),
        replace: page === undefined,
      });
      if (paymentUrl !== null) location.assign(paymentUrl);
    },
  );
  const error = start.problem;
  useProblemNotice(error);
  return { ...start, error, isPending: start.isPending || leaving, leaving };
}
