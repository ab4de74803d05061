// The caller's own cards and those of the children they answer for: whom a purchase can be for.
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";

export interface OwnCards {
  /** The current card first; null while they load. */
  cards: readonly Card[] | null;
  problem: Error | null;
  fetching: boolean;
  retry: () => void;
}

/** Cards to choose from, without those in one of the states named. */
export function useOwnCards({ without }: { without: readonly Card["state"][] }): OwnCards {
  const user = useUser();
  const list = useAnswer(api.cards.list, {});
  const mine = list.data?.items.filter(
    ({ relation, state }) =>
      (relation === "self" || relation === "child") && !without.includes(state),
  );
  const first = (card: Card) => (card.cardnumber === user.cardnumber ? 0 : 1);
  return {
    cards: mine?.toSorted((a, b) => first(a) - first(b)) ?? null,
    problem: list.data ? null : list.error,
    fetching: list.isFetching,
    retry: () => void list.refetch(),
  };
}
