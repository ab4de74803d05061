// The call that charges a card.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { noteAnswer } from "#web/app/transport/server-answers.ts";
import { signal } from "#web/signed-codes/verdict-signal.ts";
import type { StoredCharge } from "./offline-charges.ts";
import { verdictToneOf } from "./till-words.ts";
import { keepSale } from "./use-till.ts";

/** `offline`: kept on this device, to be charged once the network is back. */
type ChargeRequest = Input<typeof api.till.charge> & { offline: boolean };
export type Sold = TillSale | StoredCharge;

/** `onSold` also has the code of the card that paid, where one was read. */
export function useCharging(
  counter: TillCounter,
  onSold: (sold: Sold, code: string | undefined) => void,
) {
  return useMutation<Sold, ApiProblem, ChargeRequest>({
    mutationFn: async ({ offline, ...input }) =>
      offline
        ? (await import("./offline-charges.ts")).chargeOffline(counter, input)
        : call(api.till.charge, input),
    onSuccess: (sold, { token }) => {
      signal("charge" in sold ? "success" : verdictToneOf(sold));
      onSold(sold, token);
      if (!("charge" in sold)) keepSale(sold);
    },
    onError: (problem, { offline }) => {
      signal(problem.isUnknown ? "warning" : "danger");
      if (!offline) noteAnswer(problem);
    },
  });
}

export type Charging = ReturnType<typeof useCharging>;
