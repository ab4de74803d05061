// The draft on the screen and its changes. Every answer of the server is the whole desk, so the screen
// shows what is kept.
import { api } from "#contract/api.ts";
import type { CardOrderDesk } from "#contract/card-orders/rows.ts";
import type { Input, Row } from "#contract/endpoint.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { type Answer, call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";

type DeskRow = Row & { output: typeof api.cardOrders.desk.output };

/** A step: calls its row and keeps the desk that it answers. */
export function useDraft<R extends DeskRow>(row: R, onDone?: (desk: CardOrderDesk) => void) {
  return useAction(
    async (input: Input<R>) => (await call(row, input)) as Answer<R> & CardOrderDesk,
    {
      onDone: (desk) => {
        queryClient.setQueryData(keyOf(api.cardOrders.desk, {}), desk);
        onDone?.(desk);
      },
    },
  );
}
