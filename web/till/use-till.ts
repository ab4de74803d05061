// The actions of the till on a sale, and what they answer.
import { api } from "#contract/api.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { useAction } from "#web/app/transport/use-action.ts";

/** Keeps an answered sale where it is read. */
export const keepSale = (sale: TillSale): void =>
  void queryClient.setQueryData(keyOf(api.till.sale, { sale: sale.id }), sale);

/** Cancels a paid sale, or gives up one that waits. */
export const useUndoSale = () =>
  useAction(
    ({ id, state }: TillSale) =>
      call(state === "requested" ? api.till.withdraw : api.till.cancel, { sale: id }),
    // Whatever refused it, the sale is no longer as it was shown.
    { onDone: keepSale, onRefused: () => noteChanges(["till"]) },
  );
