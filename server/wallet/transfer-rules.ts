// What a transfer refuses, and in which order transfers of one moment are decided: each as if it came
// alone, after those before it.
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { money } from "#contract/limits.ts";
import type { Deps } from "#server/deps.ts";
import type { Before, Purse, Situation, Wish } from "./transfer-reads.ts";
import type { Sent } from "./transfers.ts";
import { refuseCardState } from "./wallet.ts";

export type Verdict =
  /** It may go; the sending wallet then holds `leftCents`. */
  | { do: "send"; wish: Wish; leftCents: number }
  /** Its key has already done it, before or earlier in this very batch (`like`, a place). */
  | { do: "repeat"; sent: Sent }
  | { do: "copy"; like: number }
  | { do: "refuse"; why: unknown };

/**
 * Decides wishes in their order from how they stand: money sent by one is no longer there for the next,
 * a key used by one is known to the next.
 */
export function judge(
  deps: Deps,
  wishes: readonly Wish[],
  situations: readonly Situation[],
): Verdict[] {
  const purses = new Map<number, Purse>();
  const purseOf = (id: number, read: Purse) => {
    const purse = purses.get(id) ?? { ...read };
    purses.set(id, purse);
    return purse;
  };
  const made = new Set<string>();
  const keys = new Map<string, number>();
  return wishes.map((wish, place): Verdict => {
    const { asked, ends } = wish;
    const { key, caller, wanted } = asked;
    const situation = situations[place] as Situation;
    const from = purseOf(ends.fromId, situation.from);
    const to = purseOf(ends.toId, situation.to);
    const keyed = key === null ? null : `${caller.personId} ${key}`;
    const same = `${caller.personId} ${ends.fromId} ${ends.toId} ${wanted.amountCents}`;
    try {
      const like = keyed === null ? undefined : keys.get(keyed);
      if (like !== undefined) {
        refuseOther(wish, wishes[like]!.asked.wanted);
        return { do: "copy", like };
      }
      if (situation.before) return { do: "repeat", sent: sentBefore(wish, situation.before) };
      const repeated = situation.repeated || made.has(same);
      refuse(deps, wish, { ...situation, from, to, repeated });
    } catch (why) {
      return { do: "refuse", why };
    }
    made.add(same);
    if (keyed !== null) keys.set(keyed, place);
    move(from, -wanted.amountCents);
    move(to, wanted.amountCents);
    return { do: "send", wish, leftCents: from.balanceCents };
  });
}

function move(purse: Purse, cents: number): void {
  purse.balanceCents += cents;
  purse.spendableCents += cents;
  purse.sendableCents += cents;
}

/** What the key already did; `idempotency_mismatch` when that was something else. */
export function sentBefore(wish: Wish, before: Before): Sent {
  refuseOther(wish, before);
  const { id, amountCents, toName, toCardnumber, balanceCents, at } = before;
  // In the order of the first answer: a replay is the same to the letter.
  return { id, amountCents, toName, toCardnumber, balanceCents, at: new Date(at).toISOString() };
}

function refuseOther(
  { asked: { wanted } }: Wish,
  before: { fromWallet: string; toCardnumber: number; amountCents: number },
): void {
  const same =
    before.fromWallet === wanted.fromWallet &&
    before.toCardnumber === wanted.toCardnumber &&
    before.amountCents === wanted.amountCents;
  if (!same) throw new Problem("idempotency_mismatch");
}

/** Refuses what may not be sent as things stand. */
export function refuse({ config }: Deps, { asked, ends }: Wish, now: Situation): void {
  const { amountCents, repeat } = asked.wanted;
  if (ends.fromId === ends.toId) throw new Problem("same_wallet");
  if (amountCents < money.transferMinCents) {
    throw new Problem("amount_too_small", { min: formatMoney(money.transferMinCents) });
  }
  refuseCardState(now.fromCard);
  // A suspended card still receives; an opposed one waits for its replacement.
  if (now.toCard === "opposed") throw new Problem("card_opposed");
  if (now.fromFrozen || now.toFrozen) throw new Problem("wallet_frozen");
  if (now.from.sendableCents < amountCents) throw shortOf(now.from);
  const room = Math.max(0, config.walletCapCents - now.to.balanceCents);
  if (amountCents > room) {
    throw new Problem("wallet_cap", {
      cap: formatMoney(config.walletCapCents),
      room: formatMoney(room),
      roomCents: room,
    });
  }
  if (now.repeated && repeat !== true) throw new Problem("repeat_confirm");
}

function shortOf({ sendableCents, spendableCents }: Purse): Problem {
  const grantedCents = spendableCents - sendableCents;
  const most = formatMoney(Math.max(0, sendableCents));
  // Aid stays with its beneficiary: said when the balance seen on screen would have sufficed.
  const why = `Les aides reçues ne peuvent pas être envoyées. Vous pouvez envoyer au plus ${most}.`;
  return new Problem("insufficient_funds", {
    sendableCents,
    ...(grantedCents > 0 ? { grantedCents, why } : {}),
  });
}
