// Answers of the server that come page by page, by the key of the last item read.
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Input, Output, Row } from "#contract/endpoint.ts";
import type { PagedAnswer } from "#web/ui/query-list.tsx";
import { keyOf, showing } from "./answers.ts";
import { type ApiProblem, call } from "./api.ts";

/** A row whose answer is a page: its items, and the key of the next page, null on the last. */
type PagedRow = Row & { reply?: "json" };
type ItemOf<R extends Row> = Output<R> extends { items: readonly (infer Item)[] } ? Item : never;
/** The field of the input that takes the key of the page. */
type KeyOf<R extends Row> = keyof Input<R> & ("before" | "after" | "page");
type PageKey = string | number | undefined;

export interface Pages<R extends Row> extends PagedAnswer<ItemOf<R>> {
  error: ApiProblem | null;
  /** The first page, which carries what is said of the whole list. */
  first: Output<R> | undefined;
  /** The pages read so far, with what each says beside its items. */
  pages: readonly Output<R>[];
  /** When it was read last, in milliseconds since 1970. */
  readAt: number;
}

/**
 * The pages of a row, the first read at once. `by` is the field of its input that takes the key of the next one.
 * `keep` shows what another search found until this one is answered; `first` is the first page, where it is known;
 * `staleMs` asks again whenever the screen opens later than that.
 */
export function usePages<R extends PagedRow>(
  row: R,
  input: Omit<Input<R>, KeyOf<R>>,
  {
    by,
    keep = false,
    first,
    staleMs,
  }: { by: KeyOf<R>; keep?: boolean; first?: Output<R>; staleMs?: number },
): Pages<R> {
  type Page = Output<R> & { items: ItemOf<R>[]; next: PageKey | null };
  const query = useInfiniteQuery<
    Page,
    ApiProblem,
    InfiniteData<Page, PageKey>,
    readonly unknown[],
    PageKey
  >({
    queryKey: [...keyOf(row, input), "pages"],
    queryFn: ({ pageParam, signal }) =>
      call(row, { ...input, [by]: pageParam } as Input<R>, { signal }) as Promise<Page>,
    ...showing(row),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    ...(keep && { placeholderData: keepPreviousData }),
    ...(first && { initialData: { pages: [first as Page], pageParams: [undefined] } }),
    ...(staleMs !== undefined && { staleTime: staleMs }),
  });
  const { data } = query;
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    data,
    items,
    first: data?.pages[0],
    pages: data?.pages ?? [],
    error: query.error,
    isFetching: query.isFetching,
    isPlaceholderData: query.isPlaceholderData,
    readAt: query.dataUpdatedAt,
    refetch: query.refetch,
    next: {
      exists: query.hasNextPage,
      loading: query.isFetchingNextPage,
      error: query.isFetchNextPageError ? query.error : null,
      load: () => void query.fetchNextPage(),
    },
  };
}
