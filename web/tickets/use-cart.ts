// The cart as a query, and how an answered cart is kept there.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SearchOf } from "#contract/searches.ts";
import { answerOptions, queryClient } from "#web/app/transport/answers.ts";
import type { Answer } from "#web/app/transport/api.ts";

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

/** Writes an answered cart to the query cache. */
export async function keepCart(answer: CartAnswer): Promise<void> {
  const { queryKey } = answerOptions(api.tickets.cart, {});
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, answer);
}

/** Address of a part of the page, which is named by its query. */
export function ticketPath(part: SearchOf<"tickets"> = {}): string {
  return linkTo(paths.tickets, {}, part);
}
