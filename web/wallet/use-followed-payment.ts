// A payment at the provider, read until its outcome is definite.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "#contract/api.ts";
import { type TopUp, topUpCan } from "#contract/payments/rows.ts";
import { answerOptions } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";

const firstPollMs = 1000;
const maxPollMs = 15_000;

/**
 * The payment, polled less and less often until nothing more is expected of it; live events make it read
 * again too. `onRest` is called once for each state in which that is so.
 */
export function useFollowedPayment(id: string, onRest: (topUp: TopUp) => void) {
  const answer = useQuery({
    ...answerOptions(api.payments.topUp, { id }),
    queryFn: ({ signal }) => call(api.payments.topUp, { id }, { signal, quiet: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data && topUpCan.rest(state.data)) return false;
      if (!state.data && state.error?.definite) return false;
      const tries = state.dataUpdateCount + state.errorUpdateCount;
      return Math.min(firstPollMs * 1.4 ** tries, maxPollMs);
    },
  });
  const { data } = answer;
  const state = data?.state;
  useEffect(() => {
    if (!data || !topUpCan.rest(data)) return;
    onRest(data);
    noteChanges(["wallets", "top_ups"]);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each state that it rests in
  }, [state, id]);
  return answer;
}
