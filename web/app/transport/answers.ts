// Answers of the server kept by TanStack Query: one key per row and input, so that a screen reads
// `useAnswer(api.wallet.list, {cardnumber})` and never writes a key.
import {
  keepPreviousData,
  notifyManager,
  type Query,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { Input, Row } from "#contract/endpoint.ts";
import type { Topic } from "#contract/topics.ts";
import { notify } from "#web/ui/toast.tsx";
import { type Answer, type ApiProblem, call } from "./api.ts";
import { onChanges, readChanges } from "./changes.ts";
import { connectivity } from "./connectivity.ts";

const minute = 60_000;

/** Reads whose failure is an error notification wherever they are made (spec §8): card info, public services, billet. */
const notifiedPaths = /^\/api\/(?:card\/info|public\/services)/;
/** Shown answers of which that was said: once, however often they are asked for again. */
const notified = new WeakSet<object>();
const queryCache = new QueryCache({
  onSuccess: (_data, query) => void notified.delete(query),
  onError: (error, query) => {
    if (!notifiedPaths.test(String(query.queryKey[0])) || notified.has(query)) return;
    if (query.state.data !== undefined) notified.add(query);
    notify({ text: error.message, kind: "error" });
  },
});

const askAgainMs = 10_000;

/**
 * A shown answer that could not be read again may be outdated, and no other event may come: it is asked for once
 * more by itself, in 10 to 20 s, so that not all pages ask at once. A refusal is an answer. Offline, the stream
 * has all read again once it is open.
 */
function askAgain({ state: { data, status, error, errorUpdatedAt } }: Query): number | false {
  const failed = status === "error" && data !== undefined;
  if (!failed || (error as Partial<ApiProblem>).definite || !connectivity.get()) return false;
  return askAgainMs + (errorUpdatedAt % askAgainMs);
}

const mutationCache = new MutationCache({
  // An action without an outcome: what the screens show is read again, and tells whether it was done.
  onError: (error) => {
    if ((error as Partial<ApiProblem>).isUnknown) void queryClient.invalidateQueries();
  },
  // After the action's own `onSuccess`: a screen that it leaves is not read again, one that stays waits for
  // what it shows.
  onSettled: readChanges,
});

// A pending action is drawn before the next event of the person: the second press of a double click finds its
// button busy. By default it waits for a timer, and both presses were sent.
notifyManager.setScheduler(queueMicrotask);

/** The client of this tab. `call` already retries what may be retried: nothing is tried twice at once. */
export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: minute,
      gcTime: 10 * minute,
      refetchOnWindowFocus: true,
      refetchInterval: askAgain,
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

export const keyOf = (row: Row, input: unknown): QueryKey => [row.path, input];

/** The topics that a query shows, for `readAgain`. */
export const showing = ({ reads }: Row) => ({ ...(reads && { meta: { reads } }) });

/** Options of the query of a row, for useQuery, prefetching and infinite lists. */
export const answerOptions = <R extends Row>(row: R, input: Input<R>) =>
  queryOptions<Answer<R>, ApiProblem>({
    queryKey: keyOf(row, input),
    queryFn: ({ signal }) => call(row, input, { signal, draft: true }),
    ...showing(row),
  });

/** A read made so shortly before its screen opened was made for it. */
const momentMs = 5000;

/**
 * What a row answers, kept fresh. `pollMs` asks again by itself, in the background; `atOnce` asks again
 * whenever a screen opens, what is known being shown meanwhile; `readAhead`, that this opening was foreseen:
 * what came a moment ago is not asked for again.
 */
export function useAnswer<R extends Row>(
  row: R,
  input: Input<R>,
  options: {
    enabled?: boolean;
    pollMs?: number | false;
    atOnce?: boolean;
    readAhead?: boolean;
    /** The last answer stays, as `isPlaceholderData`, while that to another input is read. */
    keepShown?: boolean;
  } = {},
): UseQueryResult<Answer<R>, ApiProblem> {
  const polled = options.pollMs !== undefined && options.pollMs !== false;
  return useQuery<Answer<R>, ApiProblem>({
    queryKey: keyOf(row, input),
    queryFn: ({ signal }) => call(row, input, { signal, draft: true, quiet: polled }),
    enabled: options.enabled ?? true,
    ...(polled && { refetchInterval: options.pollMs }),
    ...showing(row),
    ...(options.keepShown && { placeholderData: keepPreviousData }),
    ...(options.atOnce && { staleTime: options.readAhead ? momentMs : 0 }),
  });
}

/** An answer that another input would have too: it is not read a second time. */
export function keepAnswer<R extends Row>(row: R, input: Input<R>, answer: Answer<R>): void {
  // Built with its topics: a change that comes before anything shows it leaves it to be read anew.
  queryCache
    .build(queryClient, queryClient.defaultQueryOptions(answerOptions(row, input)))
    .setData(answer);
}

/**
 * Nobody was answered yet, be it by a refusal: what a screen waits for with others. A part drawn after a refusal
 * asks again as it opens; waiting for that too would take it away and draw it again, for ever.
 */
export const isFirstRead = ({
  isLoading,
  isFetched,
}: Pick<UseQueryResult, "isLoading" | "isFetched">): boolean => isLoading && !isFetched;

const maxWaitMs = 1000;

/** Reads again what shows one of these topics: what is on the screen now, the rest when it is. */
export async function readAgain(topics: ReadonlySet<Topic> | "all"): Promise<void> {
  const filters = {
    predicate: ({ meta }: Query) => {
      const reads = (meta?.["reads"] ?? []) as readonly Topic[];
      return topics === "all" ? reads.length > 0 : reads.some((topic) => topics.has(topic));
    },
  };
  // A first read under way may have begun before the change: asked again, it would be waited for.
  await queryClient.cancelQueries(filters);
  const read = queryClient.invalidateQueries(filters);
  // The outcome of an action is shown without waiting any longer for the reads of a slow server.
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}
onChanges(readAgain, () => queryClient.isMutating() > 0);
