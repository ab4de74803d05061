// The balance of « Ma carte »: the `credit` of `card/info`, in euros (spec §3, spec.md 11).
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import type { ApiProblem } from "#web/app/transport/api.ts";

export interface Credit {
  /** Null while the answer is on its way, and where there is none. */
  cents: number | null;
  problem: ApiProblem | null;
  isFetching: boolean;
  refetch: () => void;
}

export function useCredit(cardnumber: number): Credit {
  const { data, error, isFetching, refetch } = useAnswer(api.wallet.info, { cardnumber });
  return {
    cents: data ? Math.round(data.credit * 100) : null,
    problem: data ? null : error,
    isFetching,
    refetch: () => void refetch(),
  };
}
