// What the screens of the till read again after each act.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { keyOf, queryClient, readAgain } from "#web/app/answers.ts";
import { type ApiProblem, call } from "#web/app/api.ts";

/** Keeps an answered sale, and reads the lists that it changes again. */
export async function keepSale(sale: TillSale): Promise<void> {
  queryClient.setQueryData(keyOf(api.till.sale, { sale: sale.id }), sale);
  await readAgain(api.till.sales, api.till.returns, api.till.running);
}

/** Cancels a paid sale, or gives up one that waits. */
export const useUndoSale = (onDone: () => void = () => {}) =>
  useMutation<TillSale, ApiProblem, TillSale>({
    mutationFn: ({ id, state }) =>
      call(state === "asked" ? api.till.withdraw : api.till.cancel, { sale: id }),
    onSuccess: async (sale) => {
      onDone();
      await keepSale(sale);
    },
    // Whatever refused it, the sale is no longer as it was shown.
    onError: () => readAgain(api.till.sales, api.till.sale),
  });
