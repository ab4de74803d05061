// The movements of a wallet as its holder reads them: one line for each thing that happened, however
// many lots it touched.
import { sql } from "kysely";
import { addDays, startOfDay } from "#contract/days.ts";
import { formatMoney } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import { movementKindNames, type Movement, type MovementKind } from "#contract/wallet/rows.ts";
import { wholeCents } from "#contract/wallet/whole.ts";
import type { Db } from "#server/db/db.ts";
import { furtherEntries, movementsOf, type Movement as Entry } from "#server/ledger/ledger.ts";
import type { WalletState } from "./states.ts";

export interface MovementSearch {
  before?: number | undefined;
  limit?: number | undefined;
  kind?: MovementKind | undefined;
  /** Days, both included. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

interface Line extends Movement {
  key: string;
  oldestId: number;
}

/** A page of lines, newest first; `next` goes into the next call's `before`. */
export async function movementPage(
  db: Db,
  wallet: WalletState,
  search: MovementSearch,
): Promise<{ items: Movement[]; next: number | null }> {
  const limit = search.limit ?? lists.defaultLimit;
  const lines: Line[] = [];
  let before: number | null = search.before ?? Number.MAX_SAFE_INTEGER;
  // One line more than asked: it shows that the last one kept is whole, and that there is a next page.
  while (before !== null && lines.length <= limit) {
    // A few more, for what touched several lots: the next turn reads what is still missing.
    const page = await entriesOf(db, wallet, search, before, limit + furtherEntries);
    for (const entry of page.items) addEntry(lines, entry, search.kind);
    before = page.next;
  }
  const kept = lines.slice(0, limit);
  const topUps = await topUpsOf(db, wallet, kept);
  const parts = await partsOf(db, wallet, kept);
  return {
    items: kept.map(({ key, oldestId: _oldest, ...line }) => ({
      ...line,
      topUp: topUps.get(key) ?? null,
      parts: parts.get(key) ?? [],
    })),
    next: lines.length > limit ? (kept.at(-1)?.oldestId ?? null) : null,
  };
}

/** Every line that the search keeps, newest first, at most `most`. */
export async function allMovements(
  db: Db,
  wallet: WalletState,
  search: MovementSearch,
  most = 10_000,
): Promise<Movement[]> {
  const items: Movement[] = [];
  let before: number | null | undefined;
  while (before !== null && items.length < most) {
    const page = await movementPage(db, wallet, {
      ...search,
      limit: 500,
      ...(before === undefined ? {} : { before }),
    });
    items.push(...page.items);
    before = page.next;
  }
  return items.slice(0, most);
}

/** Half-open span of time of a span of days. */
export const spanOf = ({ from, to }: MovementSearch): { from?: Date; to?: Date } => ({
  ...(from ? { from: startOfDay(from) } : {}),
  ...(to ? { to: startOfDay(addDays(to, 1)) } : {}),
});

async function entriesOf(
  db: Db,
  wallet: WalletState,
  search: MovementSearch,
  before: number,
  limit: number,
) {
  return await movementsOf(
    db,
    wallet.lots.map((lot) => lot.accountId),
    {
      before,
      limit,
      ...spanOf(search),
      ...(search.kind ? { kinds: ledgerKinds(search.kind) } : {}),
      ...(search.q ? { words: search.q } : {}),
    },
  );
}

/** Kinds of the ledger behind a kind of the screens: a transfer has two sides. */
function ledgerKinds(kind: MovementKind): string[] {
  if (kind === "transfer_in" || kind === "transfer_out") return ["transfer"];
  return [kind];
}

function addEntry(lines: Line[], entry: Entry, wanted: MovementKind | undefined): void {
  const last = lines.at(-1);
  if (last?.key === entry.key) {
    last.amountCents += entry.amountCents;
    last.oldestId = entry.id;
    return;
  }
  const kind = kindOf(entry);
  if (wanted && kind !== wanted) return;
  lines.push({
    id: entry.id,
    oldestId: entry.id,
    key: entry.key,
    at: entry.at.toISOString(),
    kind,
    label: labelOf(entry, kind),
    amountCents: entry.amountCents,
    balanceAfterCents: entry.balanceAfterCents,
    topUp: null,
    parts: [],
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

/** Key of a line → the top-up that it credited, so that the line leads to its receipt. */
async function topUpsOf(
  db: Db,
  wallet: WalletState,
  lines: readonly Line[],
): Promise<Map<string, string>> {
  const keys = lines.filter((line) => line.kind === "top_up").map((line) => line.key);
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; id: string }>`
    select 'charge:' || provider || ':' || provider_ref as key, id from top_up
    where wallet_id = ${wallet.id}
      and (provider, provider_ref) in (select split_part(k, ':', 2), split_part(k, ':', 3)
        from unnest(${keys}::text[]) k)`.execute(db);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** Kinds that may touch several lots of one person under one key. */
const divisible: readonly MovementKind[] = ["purchase", "meal", "refund"];

/** Key of a line → its parts, in the order of posting, where it touched several lots of the owner. */
async function partsOf(
  db: Db,
  wallet: WalletState,
  lines: readonly Line[],
): Promise<Map<string, Movement["parts"]>> {
  const keys = lines.filter(({ kind }) => divisible.includes(kind)).map(({ key }) => key);
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; wallet: string; label: string; amountCents: number }>`
    select t.key, w.name as wallet, l.label,
      case when l.account_id = t.debit_account then -t.amount else t.amount end as "amountCents"
    from transfer t
    join wallet_lot l on l.account_id in (t.debit_account, t.credit_account)
    join wallet w on w.id = l.wallet_id and w.person_id = ${wallet.personId}
    where t.key = any (${keys}::text[])
    order by t.key, t.part`.execute(db);
  const grouped = Map.groupBy(rows, ({ key }) => key);
  return new Map(
    [...grouped].flatMap(([key, parts]) =>
      parts.length < 2 ? [] : [[key, parts.map(({ key: _key, ...part }) => part)]],
    ),
  );
}

/** The label on the statement and in the table: with the total where other wallets took part. */
export function labelOnPaper(movement: Movement): string {
  const whole = wholeCents(movement);
  return whole === movement.amountCents
    ? movement.label
    : `${movement.label} (${formatMoney(Math.abs(whole))} en tout)`;
}
