// The application on the screen and its changes. Every answer of the server is the whole application, so
// the screen shows what is saved.
import { api } from "#contract/api.ts";
import type { Input, Row } from "#contract/endpoint.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { type Answer, call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { keepUser } from "#web/app/transport/session.ts";
import { useAction } from "#web/app/transport/use-action.ts";

const keepApplication = (application: SubscriptionApplication): void => {
  queryClient.setQueryData(keyOf(api.subscriptions.read, { id: application.id }), application);
};

type FileRow = Row & { output: typeof api.subscriptions.read.output };

/** A step: calls its row, caches the application that it answers, then calls `onDone`. */
export function useStep<R extends FileRow>(
  row: R,
  onDone?: (application: SubscriptionApplication) => void,
) {
  return useAction(
    async (input: Input<R>) => (await call(row, input)) as Answer<R> & SubscriptionApplication,
    {
      onDone: (application) => {
        keepApplication(application);
        onDone?.(application);
      },
      // Any refusal may come of a change made elsewhere: an option is no longer sold, a proof was taken away.
      onRefused: () => noteChanges(["subscriptions"]),
    },
  );
}

/** Reads again what a subscription that began or ended, here or elsewhere, changes: balances, and the user. */
export function refreshAfterChange(): Promise<void> {
  noteChanges(["subscriptions", "wallets"]);
  return refreshUser();
}

/** Keeps the user anew, whose dates every screen shows. */
export async function refreshUser(): Promise<void> {
  const { data } = await call(api.identity.session, {}, { quiet: true });
  await keepUser(data);
}
