// Reference model of the ledger, in memory and sequential: the random test compares the real ledger
// with it. Written from the rules, not from the SQL.
import type { Transfer } from "./ledger.ts";

/** Amounts only: kinds and memos are the same in the whole run. */
export type Move = Pick<Transfer, "debitAccount" | "creditAccount" | "amountCents">;

export type Operation =
  | { do: "post"; groups: { key: string; moves: Move[] }[] }
  | { do: "hold"; key: string; move: Move }
  | { do: "postHold"; hold: string; key: string; amountCents: number; to: number }
  | { do: "void"; holds: string[] }
  | { do: "reverse"; undone: string; key: string };

interface Account {
  balance: number;
  held: number;
  floor: number;
}
interface Group {
  moves: Move[];
  undoes: string | null;
  /** Balances of both sides after each move. */
  after: [number, number][];
}
interface Hold {
  move: Move;
  state: "pending" | "posted" | "voided";
  postedKey: string | null;
}

export interface Model {
  accounts: Map<number, Account>;
  groups: Map<string, Group>;
  holds: Map<string, Hold>;
}

/** Applies an operation and describes its outcome in one line, which the real ledger must match exactly. */
export function apply(model: Model, operation: Operation): string {
  switch (operation.do) {
    case "post":
      return operation.groups
        .map(({ key, moves }) => postGroup(model, key, moves, null))
        .join(" | ");
    case "hold":
      return hold(model, operation.key, operation.move);
    case "postHold":
      return postHold(model, operation);
    case "void":
      return `void ${operation.holds
        .filter((key) => voided(model, key))
        .sort()
        .join(",")}`;
    case "reverse":
      return reverse(model, operation.undone, operation.key);
  }
}

function postGroup(model: Model, key: string, moves: Move[], undoes: string | null): string {
  const known = model.groups.get(key);
  if (known) {
    const same = JSON.stringify([known.moves, known.undoes]) === JSON.stringify([moves, undoes]);
    return same ? `replayed ${balancesText(known)}` : "idempotency_mismatch";
  }
  const trial = new Map<number, Account>();
  const of = (id: number) => {
    const account = trial.get(id) ?? { ...(model.accounts.get(id) as Account) };
    trial.set(id, account);
    return account;
  };
  const after: [number, number][] = [];
  for (const { debitAccount, creditAccount, amountCents } of moves) {
    const [from, to] = [of(debitAccount), of(creditAccount)];
    from.balance -= amountCents;
    to.balance += amountCents;
    if (from.balance - from.held < from.floor) return "insufficient_funds";
    after.push([from.balance, to.balance]);
  }
  for (const [id, account] of trial) model.accounts.set(id, account);
  const group = { moves, undoes, after };
  model.groups.set(key, group);
  return `posted ${balancesText(group)}`;
}

const balancesText = (group: Group) => group.after.map((pair) => pair.join("/")).join(" ");

function hold(model: Model, key: string, move: Move): string {
  const known = model.holds.get(key);
  if (known) {
    const same = JSON.stringify(known.move) === JSON.stringify(move);
    return same ? "hold replayed" : "idempotency_mismatch";
  }
  const account = model.accounts.get(move.debitAccount) as Account;
  if (account.balance - account.held - move.amountCents < account.floor) {
    return "insufficient_funds";
  }
  account.held += move.amountCents;
  model.holds.set(key, { move, state: "pending", postedKey: null });
  return "hold made";
}

function postHold(model: Model, operation: Extract<Operation, { do: "postHold" }>): string {
  const held = model.holds.get(operation.hold) as Hold;
  const { debitAccount, amountCents } = held.move;
  const moves = [{ debitAccount, creditAccount: operation.to, amountCents: operation.amountCents }];
  if (held.state === "posted" && held.postedKey === operation.key) {
    return postGroup(model, operation.key, moves, null);
  }
  if (held.state !== "pending") return "hold_closed";
  if (model.groups.has(operation.key)) return "idempotency_mismatch";
  (model.accounts.get(debitAccount) as Account).held -= amountCents;
  held.state = "posted";
  held.postedKey = operation.key;
  return postGroup(model, operation.key, moves, null);
}

function voided(model: Model, key: string): boolean {
  const held = model.holds.get(key) as Hold;
  if (held.state !== "pending") return false;
  held.state = "voided";
  (model.accounts.get(held.move.debitAccount) as Account).held -= held.move.amountCents;
  return true;
}

function reverse(model: Model, undone: string, key: string): string {
  const original = model.groups.get(undone) as Group;
  for (const [other, group] of model.groups) {
    if (group.undoes === undone && other !== key) return "already_reversed";
  }
  const opposite = original.moves
    .toReversed()
    .map(({ debitAccount, creditAccount, amountCents }) => ({
      debitAccount: creditAccount,
      creditAccount: debitAccount,
      amountCents,
    }));
  return postGroup(model, key, opposite, undone);
}
