// Lists that the server answers page by page: their wait, their refusal, what is said when nothing is there,
// and the way to the next page with its own refusal.
import type { ReactNode } from "react";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { type AwaitedAnswer, NotLoaded, type Wait } from "./state.tsx";
import { type Column, Table } from "./table.tsx";
import "./query-list.css";

/** The result of `usePages` (web/app/transport/pages.ts). */
export interface PagedAnswer<Item> extends AwaitedAnswer<unknown> {
  /** Those of all pages read so far. */
  items: readonly Item[];
  /** Whether the items are those of the search before. */
  isPlaceholderData: boolean;
  next: NextPage;
}

/** The page after those that were read. */
export interface NextPage {
  exists: boolean;
  loading: boolean;
  /** Why it did not come. */
  error: Error | null;
  load: () => void;
}

/** A list drawn by its screen: `children` is called with at least one item. */
export function QueryList<Item>({
  list,
  empty,
  countLabel,
  children,
  ...wait
}: Wait & {
  list: PagedAnswer<Item>;
  /** Shown where there is nothing. */
  empty: ReactNode;
  /** How many are shown: « 20 opérations affichées ». */
  countLabel: (count: number) => string;
  children: (items: readonly Item[]) => ReactNode;
}) {
  if (list.data === undefined) return <NotLoaded answer={list} {...wait} />;
  if (list.items.length === 0) return empty;
  return (
    <div className="query-list" aria-busy={list.isPlaceholderData || undefined}>
      {children(list.items)}
      <SeeMore countLabel={countLabel(list.items.length)} next={list.next} />
    </div>
  );
}

/** The same as a table. */
export function QueryTable<Item>({
  list,
  empty,
  countLabel,
  label,
  lines,
  height,
  skeleton,
  failed,
  ...table
}: Wait & {
  list: PagedAnswer<Item>;
  empty: ReactNode;
  countLabel: (count: number) => string;
  caption: string;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string | number;
  groupOf?: (item: Item) => string;
  groupEnd?: (item: Item) => ReactNode;
}) {
  return (
    <QueryList
      list={list}
      empty={empty}
      countLabel={countLabel}
      label={label}
      lines={lines}
      height={height}
      skeleton={skeleton}
      failed={failed}
    >
      {(items) => <Table {...table} rows={items} />}
    </QueryList>
  );
}

/** The way to the next page of a list; says how many are shown so that nobody wonders, and what was refused. */
export function SeeMore({ countLabel, next }: { countLabel: string; next: NextPage }) {
  // With the last lines the button goes: the keyboard stays behind them (web/app/shared/arrival.ts).
  return (
    <div className="see-more" tabIndex={-1}>
      <p aria-live="polite">{countLabel}</p>
      {next.error && (
        <Banner tone="danger" alert title="La suite n’a pas pu être chargée.">
          {next.error.message}
        </Banner>
      )}
      {next.exists && (
        <Button {...(next.error && { icon: "refresh" })} loading={next.loading} onClick={next.load}>
          {next.error ? "Réessayer" : "Voir plus"}
        </Button>
      )}
    </div>
  );
}
