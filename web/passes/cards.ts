// The cards for which one buys: the current one, one's own and the children's.
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useUser } from "#web/app/use-observed.ts";

export interface Riders {
  /** Null while they load. */
  cards: readonly Card[] | null;
  problem: Error | null;
  fetching: boolean;
  retry: () => void;
}

/** The current card first, then the others that one may act for. */
export function useRiders(): Riders {
  const user = useUser();
  const list = useAnswer(api.cards.list, {});
  const mine = list.data?.items.filter(
    ({ relation, state }) =>
      (relation === "self" || relation === "child") && !["opposed", "replaced"].includes(state),
  );
  const first = (card: Card) => (card.cardnumber === user.cardnumber ? 0 : 1);
  return {
    cards: mine?.toSorted((a, b) => first(a) - first(b)) ?? null,
    problem: list.data ? null : list.error,
    fetching: list.isFetching,
    retry: () => void list.refetch(),
  };
}

/** « Léo » of « Léo Moreau ». */
export const firstName = (name: string): string => name.split(" ")[0] ?? name;
