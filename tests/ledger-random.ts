// A random run of the ledger by many clients at once, compared with the model. Each operation takes a
// number while it still holds its locks, so the numbers tell the order in which the ledger served
// them; the model then plays the same order alone and must say the same, operation by operation and
// cent by cent.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import {
  hold,
  lockedBalances,
  openAccount,
  postHold,
  reverseGroup,
  tryPost,
  verify,
  voidHolds,
  type Posted,
} from "#server/ledger/ledger.ts";
import { apply, type Model, type Move, type Operation } from "#server/ledger/model.ts";

export interface RandomRun {
  /** Database operations asked for, transfers of one call counted singly. */
  operations: number;
  clients: number;
  seed: number;
  progress?: (done: number) => void;
}

export interface RandomReport {
  /** Where ledger and model differ; the first differences in full. */
  differences: string[];
  /** How often each kind of outcome was met. */
  outcomes: Map<string, number>;
  /** Kinds of outcome that were never met: then the run proves less than it says. */
  unmet: string[];
}

/** mulberry32: the same numbers for the same seed. */
export function dice(start: number) {
  let state = start;
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (max: number) => 1 + Math.floor(roll() * max);
  const one = <T>(list: readonly T[]) => list[Math.floor(roll() * list.length)] as T;
  return { roll, upTo, one };
}
type Dice = ReturnType<typeof dice>;

/** State that the clients know from acknowledged operations; old operations are requested again. */
interface KnownState {
  groups: { key: string; moves: Move[] }[];
  holds: { id: number; key: string; move: Move }[];
  undone: { undone: string; key: string }[];
  posted: { hold: string; key: string; amountCents: number; to: number }[];
}

function someMove({ one, upTo }: Dice, accounts: number[]): Move {
  const debitAccount = one(accounts);
  const creditAccount = one(accounts.filter((id) => id !== debitAccount));
  return {
    debitAccount,
    creditAccount,
    amountCents: upTo(debitAccount === accounts[0] ? 900 : 400),
  };
}

function someGroup(d: Dice, accounts: number[], seen: KnownState, key: string) {
  const moves = () => Array.from({ length: d.one([1, 1, 1, 2, 3]) }, () => someMove(d, accounts));
  const fate = d.roll();
  if (fate > 0.15 || seen.groups.length === 0) return { key, moves: moves() };
  const old = d.one(seen.groups);
  return fate < 0.1 ? old : { key: old.key, moves: moves() };
}

function someOperation(d: Dice, accounts: number[], seen: KnownState, key: string): Operation {
  const fate = d.roll();
  if (fate < 0.15) {
    const old = seen.holds.length > 0 && d.roll() < 0.1 ? d.one(seen.holds) : null;
    const move = old && d.roll() < 0.7 ? old.move : someMove(d, accounts);
    return { do: "hold", key: old?.key ?? `h${key}`, move };
  }
  if (fate < 0.3 && seen.holds.length > 0) {
    if (seen.posted.length > 0 && d.roll() < 0.1) return { do: "postHold", ...d.one(seen.posted) };
    const { key: held, move } = d.one(seen.holds.slice(-40));
    const to = d.one(accounts.filter((id) => id !== move.debitAccount));
    const amountCents = d.roll() < 0.5 ? move.amountCents : d.upTo(move.amountCents);
    return { do: "postHold", hold: held, key, amountCents, to };
  }
  if (fate < 0.4 && seen.holds.length > 0) {
    const some = Array.from({ length: d.upTo(3) }, () => d.one(seen.holds.slice(-40)).key);
    return { do: "void", holds: [...new Set(some)] };
  }
  if (fate < 0.5 && seen.groups.length > 0) {
    if (seen.undone.length > 0 && d.roll() < 0.2) return { do: "reverse", ...d.one(seen.undone) };
    return { do: "reverse", undone: d.one(seen.groups).key, key };
  }
  const groups = Array.from({ length: d.one([1, 2, 4, 8, 16]) }, (_, index) =>
    someGroup(d, accounts, seen, `${key}.${index}`),
  );
  return { do: "post", groups };
}

const describePosted = (posted: readonly Posted[]) =>
  `${posted[0]?.replayed ? "replayed" : "posted"} ${posted
    .map((one) => `${one.debitBalanceCents}/${one.creditBalanceCents}`)
    .join(" ")}`;

/** Runs the operation on the database and returns its outcome in the model's form. */
async function perform(tx: Tx, operation: Operation, seen: KnownState): Promise<string> {
  const kind = "random";
  const held = (key: string) =>
    seen.holds.find((one) => one.key === key) as KnownState["holds"][number];
  switch (operation.do) {
    case "post": {
      const groups = operation.groups.map(({ key, moves }) =>
        moves.map((move) => ({ key, kind, ...move })),
      );
      const outcomes = await tryPost(tx, groups);
      return outcomes.map((one) => (one.ok ? describePosted(one.posted) : one.code)).join(" | ");
    }
    case "hold": {
      const made = await hold(tx, { key: operation.key, kind, ...operation.move });
      if (!made.replayed)
        seen.holds.push({ id: made.id, key: operation.key, move: operation.move });
      return made.replayed ? "hold replayed" : "hold made";
    }
    case "postHold": {
      const { key, amountCents, to } = operation;
      return describePosted([
        await postHold(tx, held(operation.hold).id, { key, amountCents, to }),
      ]);
    }
    case "void": {
      const ids = await voidHolds(
        tx,
        operation.holds.map((key) => held(key).id),
      );
      return `void ${operation.holds
        .filter((key) => ids.includes(held(key).id))
        .sort()
        .join(",")}`;
    }
    case "reverse":
      return describePosted(
        await reverseGroup(tx, operation.undone, { key: operation.key, kind, reason: "test" }),
      );
  }
}

interface JournalEntry {
  turn: number;
  operation: Operation;
  outcome: string;
}

/** One operation in one transaction; a refusal is taken back to a savepoint, its locks are kept. */
async function runOperation(
  db: Db,
  operation: Operation,
  seen: KnownState,
  accounts: number[],
): Promise<JournalEntry> {
  return await inTx(db, async (tx) => {
    // Groups never raise. What may raise is locked before the savepoint, or the refusal would let
    // go of the locks before it took its turn.
    const mayRaise = operation.do !== "post";
    if (mayRaise) {
      await sql`select ledger_lock(${accounts}::bigint[])`.execute(tx);
      await sql`savepoint before`.execute(tx);
    }
    const outcome = await perform(tx, operation, seen).catch(async (error: unknown) => {
      if (!mayRaise || !(error instanceof Problem)) throw error;
      await sql`rollback to savepoint before`.execute(tx);
      return error.code;
    });
    const { rows } = await sql<{ turn: number }>`select nextval('turn') as turn`.execute(tx);
    return { turn: (rows[0] as { turn: number }).turn, operation, outcome };
  });
}

function remember(seen: KnownState, { operation, outcome }: JournalEntry): void {
  if (operation.do === "post") {
    operation.groups.forEach((group, index) => {
      if (outcome.split(" | ")[index]?.startsWith("posted")) seen.groups.push(group);
    });
  }
  if (!outcome.startsWith("posted")) return;
  if (operation.do === "reverse") seen.undone.push(operation);
  if (operation.do === "postHold") seen.posted.push(operation);
}

function holdAccounts(operation: Operation, seen: KnownState): number[] {
  const held = (key: string) =>
    seen.holds.find((one) => one.key === key)?.move.debitAccount as number;
  switch (operation.do) {
    case "post":
      return [];
    case "hold":
      return [operation.move.debitAccount, operation.move.creditAccount];
    case "postHold":
      return [held(operation.hold), operation.to];
    case "void":
      return operation.holds.map(held);
    case "reverse": {
      const group = seen.groups.find((one) => one.key === operation.undone);
      return group?.moves.flatMap((move) => [move.debitAccount, move.creditAccount]) ?? [];
    }
  }
}

const met = [
  ...["posted", "replayed", "insufficient_funds", "idempotency_mismatch"].map((o) => `post ${o}`),
  ...["hold made", "hold replayed", "insufficient_funds"].map((o) => `hold ${o}`),
  ...["posted", "replayed", "hold_closed"].map((o) => `postHold ${o}`),
  ...["posted", "replayed", "already_reversed"].map((o) => `reverse ${o}`),
];

/** Runs on a migrated database without a ledger of its own use; again on the same one is allowed. */
export async function randomRun(db: Db, run: RandomRun): Promise<RandomReport> {
  await sql`drop sequence if exists turn`.execute(db);
  await sql`create sequence turn`.execute(db);
  const accounts = await openAccounts(db);
  const seen: KnownState = { groups: [], holds: [], undone: [], posted: [] };
  const journal: JournalEntry[] = [];
  let begun = 0;
  const client = async (number: number) => {
    const d = dice(run.seed + number);
    while (begun < run.operations) {
      const operation = someOperation(d, accounts, seen, `${accounts[0]}-${number}-${begun}`);
      begun += operation.do === "post" ? operation.groups.length : 1;
      const line = await runOperation(db, operation, seen, holdAccounts(operation, seen));
      journal.push(line);
      remember(seen, line);
      run.progress?.(begun);
    }
  };
  await Promise.all(Array.from({ length: run.clients }, (_, number) => client(number)));
  journal.sort((one, other) => one.turn - other.turn);
  return await compare(db, accounts, journal);
}

const userAccounts = 11;
const overdrawn = 6;
const floorOf = (n: number) => (n === 0 ? null : n === overdrawn ? -500 : 0);

/**
 * One account of the outside world, which has no floor, and eleven of users, one of which may be
 * overdrawn.
 */
async function openAccounts(db: Db): Promise<number[]> {
  return await inTx(db, async (tx) => {
    const ids: number[] = [];
    for (let n = 0; n <= userAccounts; n++) {
      const kind = n === 0 ? "external" : "user";
      ids.push(await openAccount(tx, { kind, asset: "EUR", floorCents: floorOf(n) }));
    }
    return ids;
  });
}

async function compare(db: Db, accounts: number[], journal: JournalEntry[]): Promise<RandomReport> {
  const start = accounts.map((id, n) => {
    const floor = floorOf(n) ?? Number.NEGATIVE_INFINITY;
    return [id, { balance: 0, held: 0, floor }] as const;
  });
  const model: Model = { accounts: new Map(start), groups: new Map(), holds: new Map() };
  const differences: string[] = [];
  const outcomes = new Map<string, number>();
  for (const { turn, operation, outcome } of journal) {
    const expected = apply(model, operation);
    if (outcome !== expected) {
      const what = `turn ${turn}: ${outcome} instead of ${expected} for ${JSON.stringify(operation)}`;
      differences.push(what);
    }
    for (const part of outcome.split(" | ")) {
      const name = `${operation.do} ${part.split(/ [-\dh]/)[0]}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    }
  }
  const real = await inTx(db, (tx) => lockedBalances(tx, accounts));
  for (const { id, balanceCents, heldCents } of real) {
    const { balance, held } = model.accounts.get(id) as { balance: number; held: number };
    if (balanceCents === balance && heldCents === held) continue;
    const what = `${balanceCents} (${heldCents} held) instead of ${balance} (${held})`;
    differences.push(`account ${id}: ${what}`);
  }
  const { checks } = await verify(db);
  for (const check of checks) if (!check.ok) differences.push(`${check.says}: ${check.example}`);
  const unmet = met.filter((kind) => !outcomes.has(kind));
  return { differences, outcomes, unmet };
}
