// The rules of a transfer, and the order in which the transfers of a batch are decided: each as if it came
// alone, after those before it.
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { money } from "#contract/limits.ts";
import type { Deps } from "#server/process/deps.ts";
import { type LimitsLeft, requireLimitsAllow } from "#server/family/family.ts";
import { CodeRequired } from "#server/identity/identity.ts";
import { requireUsableCard } from "./spending.ts";
import type { Before, Sent, WalletBalance, Snapshot, TransferRequest } from "./transfer-reads.ts";

export type Verdict =
  /** Allowed; the sending wallet then has `leftCents`. */
  | { do: "send"; request: TransferRequest; leftCents: number }
  /** Its key was used already for the same transfer, earlier or in this batch (`like`, an index). */
  | { do: "repeat"; sent: Sent }
  | { do: "copy"; like: number }
  | { do: "refuse"; why: unknown };

/**
 * Decides requests in their order from their snapshots: money sent by one is no longer there for the next,
 * counts in the next one's outgoing money, and a key used by one is known to the next. A transfer that needs
 * a code first is refused with `CodeRequired`, unless a code has approved it.
 */
export function decide(
  deps: Deps,
  requests: readonly TransferRequest[],
  snapshots: readonly Snapshot[],
  { approved }: { approved: boolean },
): Verdict[] {
  const balances = new Map<number, WalletBalance>();
  const balanceOf = (id: number, read: WalletBalance) => {
    const balance = balances.get(id) ?? { ...read };
    balances.set(id, balance);
    return balance;
  };
  const made = new Set<string>();
  const keys = new Map<string, number>();
  const outgoing = new Map<number, number>();
  const ownSent = new Map<number, number>();
  return requests.map((request, place): Verdict => {
    const { call, parties } = request;
    const { key, caller, input } = call;
    const snapshot = snapshots[place] as Snapshot;
    const from = balanceOf(parties.fromId, snapshot.from);
    const to = balanceOf(parties.toId, snapshot.to);
    const keyed = key === null ? null : `${caller.personId} ${key}`;
    const same = `${caller.personId} ${parties.fromId} ${parties.toId} ${input.amountCents}`;
    try {
      const like = keyed === null ? undefined : keys.get(keyed);
      if (like !== undefined) {
        requireSameRequest(request, requests[like]!.call.input);
        return { do: "copy", like };
      }
      if (snapshot.before) return { do: "repeat", sent: sentBefore(request, snapshot.before) };
      const repeated = snapshot.repeated || made.has(same);
      const limits = limitsAfter(snapshot.limits, ownSent.get(caller.personId) ?? 0);
      requireAllowed(deps, request, { ...snapshot, from, to, repeated, limits });
      const before = snapshot.reachedIds.map((id) => outgoing.get(id) ?? 0);
      const left = before.reduce((sum, cents) => sum + cents, snapshot.outgoingCents);
      if (!approved && left + input.amountCents >= deps.config.codeFromCents) {
        throw new CodeRequired(transferDescription(request), input.amountCents);
      }
    } catch (why) {
      return { do: "refuse", why };
    }
    made.add(same);
    if (keyed !== null) keys.set(keyed, place);
    move(from, -input.amountCents);
    move(to, input.amountCents);
    const { fromPersonId } = parties;
    outgoing.set(fromPersonId, (outgoing.get(fromPersonId) ?? 0) + input.amountCents);
    if (fromPersonId === caller.personId) {
      ownSent.set(fromPersonId, (ownSent.get(fromPersonId) ?? 0) + input.amountCents);
    }
    return { do: "send", request, leftCents: from.balanceCents };
  });
}

/** The rest of the limits after so many cents more were sent. */
function limitsAfter(limits: LimitsLeft | null, sentCents: number): LimitsLeft | null {
  if (limits === null) return null;
  const less = (cents: number | null) => (cents === null ? null : cents - sentCents);
  return { ...limits, dayCents: less(limits.dayCents), weekCents: less(limits.weekCents) };
}

/** The description of a transfer in the message with its code. */
export const transferDescription = ({ call: { input }, parties }: TransferRequest): string =>
  `envoyer ${formatMoney(input.amountCents)} à ${parties.toName}`;

function move(balance: WalletBalance, cents: number): void {
  balance.balanceCents += cents;
  balance.spendableCents += cents;
  balance.sendableCents += cents;
}

/** The earlier outcome of the key; `idempotency_mismatch` when it was used for another transfer. */
export function sentBefore(request: TransferRequest, before: Before): Sent {
  requireSameRequest(request, before);
  const { id, amountCents, toName, toCardnumber, balanceCents, at } = before;
  // In the property order of the first answer: a replay is identical to the letter.
  return { id, amountCents, toName, toCardnumber, balanceCents, at: new Date(at).toISOString() };
}

function requireSameRequest(
  { call: { input } }: TransferRequest,
  before: { fromWallet: string; toCardnumber: number; amountCents: number },
): void {
  const same =
    before.fromWallet === input.fromWallet &&
    before.toCardnumber === input.toCardnumber &&
    before.amountCents === input.amountCents;
  if (!same) throw new Problem("idempotency_mismatch");
}

/** Requires that the transfer may be made in this snapshot; throws the problem otherwise. */
export function requireAllowed(
  { config }: Deps,
  { call, parties }: TransferRequest,
  now: Snapshot,
): void {
  const { amountCents, repeat } = call.input;
  if (parties.fromId === parties.toId) throw new Problem("same_wallet");
  if (amountCents < money.transferMinCents) {
    throw new Problem("amount_too_small", { min: formatMoney(money.transferMinCents) });
  }
  requireUsableCard(now.fromCard);
  // A suspended card still receives; an opposed one waits for its replacement.
  if (now.toCard === "opposed") throw new Problem("card_opposed");
  if (now.fromFrozen) throw new Problem("wallet_frozen");
  if (now.from.sendableCents < amountCents) throw shortOf(now.from);
  const room = Math.max(0, config.walletCapCents - now.to.balanceCents);
  // No refusal discloses another person's wallet, neither an amount nor a state.
  const theirs = !now.reachedIds.includes(parties.toPersonId);
  if (theirs && (now.toFrozen || amountCents > room)) throw new Problem("receiver_refused");
  if (now.toFrozen) throw new Problem("wallet_frozen");
  if (amountCents > room) {
    throw new Problem("wallet_cap", {
      cap: formatMoney(config.walletCapCents),
      room: formatMoney(room),
      roomCents: room,
    });
  }
  if (now.repeated && repeat !== true) throw new Problem("repeat_confirm");
  if (now.limits !== null) requireLimitsAllow(now.limits, amountCents);
}

function shortOf({ sendableCents, spendableCents }: WalletBalance): Problem {
  const grantedCents = spendableCents - sendableCents;
  const max = formatMoney(Math.max(0, sendableCents));
  // Aid stays with its beneficiary: explained when the balance on the screen would have sufficed.
  const why = `Les aides reçues ne peuvent pas être envoyées. Vous pouvez envoyer au plus ${max}.`;
  return new Problem("insufficient_funds", {
    sendableCents,
    ...(grantedCents > 0 ? { grantedCents, why } : {}),
  });
}
