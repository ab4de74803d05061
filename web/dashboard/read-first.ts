// The answers that a holder's dashboard is drawn from, kept as they come: it is drawn whole, and once.
import { api } from "#contract/api.ts";
import { answerOptions, queryClient } from "#web/app/transport/answers.ts";
import { storedUser } from "#web/app/transport/session.ts";

/** True until the dashboard has been left once: what was read ahead is for its first opening. */
export const firstOpening = { now: true };

/** Reads them where they were asked for (prefetch.ts). */
export async function readFirst(): Promise<void> {
  const user = await storedUser();
  if (user?.type !== 1 || user.isReset) return;
  const { cardnumber } = user;
  void queryClient.prefetchQuery(answerOptions(api.cards.list, {}));
  void queryClient.prefetchQuery(answerOptions(api.wallet.list, { cardnumber }));
  void queryClient.prefetchQuery(answerOptions(api.home.read, { cardnumber }));
}
