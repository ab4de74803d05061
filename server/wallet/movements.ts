// The movements of a wallet as its holder reads them: one line per operation, however many lots it touched.
import { sql } from "kysely";
import { addDays, startOfDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { movementKindNames, type Movement, type MovementKind } from "#contract/wallet/rows.ts";
import type { ListedCategory } from "#contract/wallet/spending.ts";
import { wholeCents } from "#contract/wallet/whole.ts";
import { createBatcherPerOwner } from "#server/db/batch.ts";
import { type Db, prepared, opaqueParameter } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import { mayActFor } from "#server/family/family.ts";
import {
  furtherEntries,
  isUsual,
  movementRows,
  type Movement as LedgerMovement,
  type MovementFilter,
} from "#server/ledger/ledger.ts";
import { spendingFilter } from "./monthly-spending.ts";

export interface MovementSearch {
  before?: number | undefined;
  limit?: number | undefined;
  kind?: MovementKind | undefined;
  category?: ListedCategory | undefined;
  /** Days, both included. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

/** A wallet by its public id, and its reader: its owner, or a guardian of theirs. */
export interface WalletRead {
  objectID: string;
  personId: number;
}

interface Line extends Movement {
  key: string;
  oldestId: number;
}

/**
 * A page of lines, newest first; `next` goes into the next call's `before`. Pages without a search that are
 * requested at one moment are read together. `not_found` for the wallet of somebody else.
 */
export async function movementPage(
  db: Db,
  wallet: WalletRead,
  search: MovementSearch,
): Promise<{ items: Movement[]; next: number | null }> {
  const limit = search.limit ?? lists.defaultLimit;
  const lines: Line[] = [];
  let before: number | null = search.before ?? Number.MAX_SAFE_INTEGER;
  // One line more than requested: it shows that the last line is complete, and that there is a next page.
  while (before !== null && lines.length <= limit) {
    // A few more rows, for operations that touched several lots: the next iteration reads those still
    // missing. A short page is cut from one of the usual length, whose plan is cached.
    const filter = ledgerFilter(search, Math.max(limit, lists.defaultLimit) + furtherEntries);
    const page = await entriesOf(db, { wallet, before }, filter);
    for (const entry of page.items) addEntry(lines, entry, search.kind);
    before = page.next;
  }
  const { items, next } = pageOf(lines, limit, ({ oldestId }) => oldestId);
  return { items: items.map(({ key: _key, oldestId: _oldest, ...line }) => line), next };
}

const pageLines = 500;

/** Every line that matches the search, newest first, a page at a time; `readPage` reads one. */
export async function* movementPages(
  readPage: (search: MovementSearch) => ReturnType<typeof movementPage>,
  search: MovementSearch,
): AsyncGenerator<Movement[]> {
  let before: number | null | undefined;
  while (before !== null) {
    const page = await readPage({
      ...search,
      limit: pageLines,
      ...(before === undefined ? {} : { before }),
    });
    yield page.items;
    before = page.next;
  }
}

/** The newest lines that match the search, newest first, at most `max`. */
export async function newestMovements(
  db: Db,
  wallet: WalletRead,
  search: MovementSearch,
  max: number,
): Promise<Movement[]> {
  const items: Movement[] = [];
  for await (const page of movementPages((one) => movementPage(db, wallet, one), search)) {
    items.push(...page);
    if (items.length >= max) break;
  }
  return items.slice(0, max);
}

/** The wallet's balance at the end of a day, in cents. */
export async function balanceAfterDay(db: Db, wallet: WalletRead, day: string): Promise<number> {
  const { items } = await movementPage(db, wallet, { to: day, limit: 1 });
  return items[0]?.balanceAfterCents ?? 0;
}

/** The half-open span of instants of a span of days. */
export const spanOf = ({ from, to }: MovementSearch): { from?: Date; to?: Date } => ({
  ...(from ? { from: startOfDay(from) } : {}),
  ...(to ? { to: startOfDay(addDays(to, 1)) } : {}),
});

const ledgerFilter = (search: MovementSearch, limit: number): MovementFilter => ({
  limit,
  ...spanOf(search),
  ...(search.category ? spendingFilter(search.category) : {}),
  ...(search.kind ? { kinds: ledgerKinds(search.kind) } : {}),
  ...(search.q ? { words: search.q } : {}),
});

interface EntriesRequest {
  wallet: WalletRead;
  before: number;
}
interface Entry extends Pick<
  LedgerMovement,
  "id" | "kind" | "key" | "memo" | "amountCents" | "balanceAfterCents"
> {
  /** Milliseconds since the epoch, which the driver reads in less time than a date. */
  atMs: number;
  /** The top-up that it credited, so that the line leads to its receipt. */
  topUp: string | null;
  /**
   * The parts that it took from or gave to each lot of the owner, in the order of posting, where there were
   * several.
   */
  parts: Movement["parts"] | null;
}
interface Entries {
  items: Entry[];
  next: number | null;
}

/** Pages of the usual length without a search: read with those that others request at the same moment. */
const usualEntries = createBatcherPerOwner<
  Db,
  { request: EntriesRequest; filter: MovementFilter },
  Entries
>((db) => ({
  one: async ({ request, filter }) => await entriesOfOne(db, request, filter),
  many: async (all) => {
    const { filter } = all[0] as (typeof all)[number];
    const pages = await readEntries(
      db,
      all.map(({ request }) => request),
      filter,
    );
    return await Promise.allSettled(pages.map(async (page) => found(page)));
  },
  minBatch: 1,
}));

const entriesOf = (db: Db, request: EntriesRequest, filter: MovementFilter): Promise<Entries> =>
  isUsual(filter) ? usualEntries(db, { request, filter }) : entriesOfOne(db, request, filter);

const entriesOfOne = async (
  db: Db,
  request: EntriesRequest,
  filter: MovementFilter,
): Promise<Entries> => found((await readEntries(db, [request], filter))[0]);

function found(page: Entries | undefined): Entries {
  if (!page) throw new Problem("not_found");
  return page;
}

/** Kinds that may touch several lots of one person under one key. */
const divisible: readonly MovementKind[] = ["purchase", "meal", "refund"];

/**
 * The entries of each wallet in their order, undefined where the reader may not see the wallet. With `offset
 * 0` a top-up and a part are looked up by their keys, and parts only where several were posted.
 */
async function readEntries(
  db: Db,
  all: readonly EntriesRequest[],
  filter: MovementFilter,
): Promise<(Entries | undefined)[]> {
  const { rows } = await sql<Row>`
    ${isUsual(filter) ? prepared("movements") : sql``}
    select q.ord::int as ord, m.id, (extract(epoch from m.at) * 1000)::float8 as at_ms, m.kind, m.key,
      m.memo, m.amount_cents, m.balance_after_cents,
      case when m.kind = 'top_up' then (
        select t.id from (select id, wallet_id from top_up
          where provider = split_part(m.key, ':', 2) and provider_ref = split_part(m.key, ':', 3)
          offset 0) t where t.wallet_id = w.id) end as top_up,
      case when m.kind = any (${sql.lit(`{${divisible.join(",")}}`)}::text[])
        and exists (select from transfer second where second.key = m.key and second.part = 2 offset 0) then (
        select json_agg(json_build_object('wallet', p.wallet, 'label', p.label, 'amountCents',
            case when p.account_id = t.debit_account then -t.amount else t.amount end) order by t.part)
        from (select * from transfer where key = m.key offset 0) t
        cross join lateral (
          select l.account_id, l.label, own.name as wallet
          from wallet_lot l join wallet own on own.id = l.wallet_id and own.person_id = w.person_id
          where l.account_id in (t.debit_account, t.credit_account) offset 0) p
        having count(*) > 1) end as parts
    from unnest(
      ${opaqueParameter(
        all.map(({ wallet }) => wallet.personId),
        "bigint[]",
      )},
      ${opaqueParameter(
        all.map(({ wallet }) => wallet.objectID),
        "uuid[]",
      )},
      ${opaqueParameter(
        all.map(({ before }) => before),
        "bigint[]",
      )})
      with ordinality as q (person_id, object_id, before, ord)
    cross join lateral (
      select w.id, w.person_id, array_agg(l.account_id) as accounts
      from wallet w join wallet_lot l on l.wallet_id = w.id
      where w.object_id = q.object_id
        and ${mayActFor(sql.ref("q.person_id"), sql.ref("w.person_id"))}
      group by w.id) w
    left join lateral (
      ${movementRows(sql.ref("w.accounts"), sql.ref("q.before"), filter)}) m on true
    order by q.ord, m.id desc`.execute(db);
  const byPlace = Map.groupBy(rows, ({ ord }) => ord);
  return all.map((_, place) => {
    const read = byPlace.get(place + 1);
    // A wallet without movements is one row without an entry.
    return read && pageOf(read.filter(hasEntry), filter.limit, ({ id }) => id);
  });
}

type Row = { ord: number } & (Entry | { id: null });
const hasEntry = (row: Row): row is { ord: number } & Entry => row.id !== null;

/** Kinds of the ledger for a kind of the screens: a transfer has two sides. */
function ledgerKinds(kind: MovementKind): string[] {
  if (kind === "transfer_in" || kind === "transfer_out") return ["transfer"];
  return [kind];
}

function addEntry(lines: Line[], entry: Entry, onlyKind: MovementKind | undefined): void {
  const last = lines.at(-1);
  if (last?.key === entry.key) {
    last.amountCents += entry.amountCents;
    last.oldestId = entry.id;
    return;
  }
  const kind = kindOf(entry);
  if (onlyKind && kind !== onlyKind) return;
  lines.push({
    id: entry.id,
    oldestId: entry.id,
    key: entry.key,
    at: new Date(entry.atMs).toISOString(),
    kind,
    label: labelOf(entry, kind),
    amountCents: entry.amountCents,
    balanceAfterCents: entry.balanceAfterCents,
    topUp: entry.topUp,
    sale: /^till:([0-9a-f-]{36})(?::refund:\d+)?$/.exec(entry.key)?.[1] ?? null,
    parts: entry.parts ?? [],
  });
}

const known = new Set<string>(Object.keys(movementKindNames));

function kindOf({ kind, amountCents }: Entry): MovementKind {
  if (kind === "transfer") return amountCents < 0 ? "transfer_out" : "transfer_in";
  return known.has(kind) ? (kind as MovementKind) : "correction";
}

function labelOf({ memo }: Entry, kind: MovementKind): string {
  const said = memo?.[kind === "transfer_in" ? "from" : kind === "transfer_out" ? "to" : "label"];
  if (kind === "transfer_in" && said) return `De ${said}`;
  if (kind === "transfer_out" && said) return `À ${said}`;
  return typeof said === "string" ? said : movementKindNames[kind];
}

/** The label on the statement and in the CSV: with the total where other wallets took part. */
export function labelOnPaper(movement: Movement): string {
  const whole = wholeCents(movement);
  return whole === movement.amountCents
    ? movement.label
    : `${movement.label} (${formatMoney(Math.abs(whole))} en tout)`;
}
