// The cards for which one takes tickets: the current one, one's own and the children's.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Card } from "#contract/cards.ts";
import { answerOptions, queryClient, readAgain, useAnswer } from "#web/app/answers.ts";
import type { Answer } from "#web/app/api.ts";
import { useUser } from "#web/app/use-observed.ts";
import { pathTo } from "#web/routes.tsx";

/** The current card first; null while they load. */
export function useHolders(): readonly Card[] | null {
  const user = useUser();
  const list = useAnswer(api.cards.list, {});
  const mine = list.data?.items.filter(
    ({ relation, state }) => (relation === "self" || relation === "child") && state !== "replaced",
  );
  const first = (card: Card) => (card.cardnumber === user.cardnumber ? 0 : 1);
  return mine?.toSorted((a, b) => first(a) - first(b)) ?? null;
}

export type CartAnswer = Answer<typeof api.tickets.cart>;

/** The cart with how far the server's clock is ahead of this device's. */
export function useCart() {
  return useQuery({
    ...answerOptions(api.tickets.cart, {}),
    staleTime: 10_000,
    select: ({ cart, now }: CartAnswer) => ({ cart, skewMs: skewOf(now) }),
  });
}

// Measured once for an answer: reading it again later would count the time since as a difference.
const skews = new Map<string, number>();
function skewOf(now: string): number {
  const known = skews.get(now);
  if (known !== undefined) return known;
  const skewMs = Date.parse(now) - Date.now();
  skews.set(now, skewMs);
  return skewMs;
}

/** A cart just answered is the cart everywhere; what remains of the event is read again. */
export async function keepCart(answer: CartAnswer): Promise<void> {
  const { queryKey } = answerOptions(api.tickets.cart, {});
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, answer);
  await readAgain(api.tickets.offer, api.tickets.billet);
}

/** After a payment, a cancellation, a transfer: everything that shows tickets or money. */
export const readTicketsAgain = (): Promise<void> =>
  readAgain(
    api.tickets.cart,
    api.tickets.list,
    api.tickets.order,
    api.tickets.offer,
    api.tickets.billet,
    api.wallet.list,
    api.wallet.info,
    api.wallet.publicServices,
    api.wallet.movements,
    api.wallet.history,
  );

/** Where a place of the page is: its parts live in the address. */
export function ticketPath(part: Record<string, string> = {}): string {
  const query = new URLSearchParams(part).toString();
  return pathTo("Billet_public") + (query && `?${query}`);
}
