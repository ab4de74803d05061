// The file on the screen and what changes it. Every answer of the server is the whole file, so that what
// is shown is what is kept, and another device finds the same.
import { useMutation } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import type { Input, Row } from "#contract/endpoint.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
import { keyOf, queryClient, readAgain } from "#web/app/answers.ts";
import { type Answer, type ApiProblem, call } from "#web/app/api.ts";
import { keepUser } from "#web/app/session.ts";

const keep = (file: SubscriptionFile): void => {
  queryClient.setQueryData(keyOf(api.subscriptions.read, { id: file.id }), file);
};

type FileRow = Row & { output: typeof api.subscriptions.read.output };

/** A step: calls its row, keeps the file that it answers, then goes on. */
export function useStep<R extends FileRow>(row: R, onDone?: (file: SubscriptionFile) => void) {
  return useMutation<SubscriptionFile, ApiProblem, Input<R>>({
    mutationFn: async (input) => (await call(row, input)) as Answer<R> & SubscriptionFile,
    onSuccess: (file) => {
      keep(file);
      void readAgain(api.subscriptions.list);
      onDone?.(file);
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
export async function afterChange(): Promise<void> {
  await readAgain(
    api.subscriptions.list,
    api.subscriptions.offer,
    api.wallet.list,
    api.wallet.publicServices,
    api.wallet.movements,
    api.wallet.history,
  );
  const { data } = await call(api.identity.session, {}, { quiet: true });
  await keepUser(data);
}
