// The movements of a wallet as its holder reads them: one line for each thing that happened, however
// many lots it touched.
import { sql } from "kysely";
import { addDays, startOfDay } from "#contract/days.ts";
import { lists } from "#contract/limits.ts";
import { movementKindNames, type Movement, type MovementKind } from "#contract/wallet/rows.ts";
import type { Db } from "#server/db/db.ts";
import { movementsOf, type Movement as Entry } from "#server/ledger/ledger.ts";
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
    const page = await entriesOf(db, wallet, search, before, 2 * limit + 2);
    for (const entry of page.items) addEntry(lines, entry, search.kind);
    before = page.next;
  }
  const kept = lines.slice(0, limit);
  const topUps = await topUpsOf(db, wallet, kept);
  return {
    items: kept.map(({ key, oldestId: _oldest, ...line }) => ({
      ...line,
      topUp: topUps.get(key) ?? null,
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
