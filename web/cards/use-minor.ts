// Whether the person is a child with a guardian: some acts are then for the guardian (spec.md 31).
import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useUser } from "#web/app/transport/use-observed.ts";

/**
 * True for a person who has a guardian and acts for themself: what they suspend, a guardian resumes.
 * Null until it is known; where it cannot be read the server decides alone, and this is false.
 */
export function useMinor(): boolean | null {
  const { previousCardnumber } = useUser();
  const cards = useAnswer(api.cards.list, {});
  if (previousCardnumber > 0) return false;
  if (cards.data) return cards.data.items.some(({ relation }) => relation === "guardian");
  return cards.isError ? false : null;
}
