// The application on the screen and its changes. Every answer of the server is the whole application, so
// the screen shows what is saved.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Input, Row } from "#contract/endpoint.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { keyOf, queryClient, readAgain } from "#web/app/answers.ts";
import { type Answer, type ApiProblem, call } from "#web/app/api.ts";
import { keepUser } from "#web/app/session.ts";

const keepApplication = (application: SubscriptionApplication): void => {
  queryClient.setQueryData(keyOf(api.subscriptions.read, { id: application.id }), application);
};

type FileRow = Row & { output: typeof api.subscriptions.read.output };

/** A step: calls its row, caches the application that it answers, then calls `onDone`. */
export function useStep<R extends FileRow>(
  row: R,
  onDone?: (application: SubscriptionApplication) => void,
) {
  return useMutation<SubscriptionApplication, ApiProblem, Input<R>>({
    mutationFn: async (input) => (await call(row, input)) as Answer<R> & SubscriptionApplication,
    onSuccess: (application) => {
      keepApplication(application);
      void readAgain(api.subscriptions.list);
      onDone?.(application);
    },
    onError: (_problem, input) => {
      // Closed or changed elsewhere: the screen shows what it has become.
      const { id } = input as { id?: string };
      if (id)
        void queryClient.invalidateQueries({ queryKey: keyOf(api.subscriptions.read, { id }) });
    },
  });
}

/** Reads again what a subscription changes: balances, and the user whose dates every screen shows. */
export async function refreshAfterChange(): Promise<void> {
  await readAgain(
    api.subscriptions.list,
    api.subscriptions.offer,
    api.wallet.list,
    api.wallet.info,
    api.wallet.publicServices,
    api.wallet.movements,
    api.wallet.history,
  );
  const { data } = await call(api.identity.session, {}, { quiet: true });
  await keepUser(data);
}
