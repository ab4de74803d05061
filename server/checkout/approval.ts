// The code above the threshold: an attempt that spends too much without one is rolled back, and a code is
// required.
import { inTx, type Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import { CodeRequired, type Proof, withCodeOnDemand } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import { lockOutgoing, outgoingCents } from "#server/wallet/wallet.ts";

interface Approval extends Proof {
  caller: Caller;
  purpose: "payment";
  /** The first lock of the attempt: the ties or roles by which the caller may act. */
  admit?: (tx: Tx) => Promise<unknown> | undefined;
  /** Exactly what the code approves: other content needs another code. */
  binding: unknown;
}

/** Amount that an attempt spent, in cents, and its name in the message with the code. */
interface Spending {
  amountCents: number;
  what: string;
  /**
   * Counted besides the spending of the caller's wallets: the sum of a company in 24 h, this operation
   * included.
   */
  companyCents?: number | undefined;
}

/**
 * Runs an attempt that spends in one transaction, rolled back until a code approves it (`withCodeOnDemand`)
 * when it brings the spending of 24 h, or the company's commitments, to `config.codeFromCents` (spec.md 14
 * and 28). The sum is read under the locks of the spending and of whatever else leaves the caller's wallets.
 * An attempt returns null when it spent nothing. Refuses as `requireCode`.
 */
export async function withApproval(
  deps: Deps,
  { caller, admit, ...approval }: Approval,
  attempt: (tx: Tx) => Promise<Spending | null>,
): Promise<void> {
  await withCodeOnDemand(deps, caller, approval, (useCode) =>
    inTx(deps.db, async (tx) => {
      await admit?.(tx);
      await lockOutgoing(tx, { personIds: [caller.personId], walletIds: [] });
      const spent = await attempt(tx);
      if (!spent || spent.amountCents === 0) return;
      if (useCode) return await useCode(tx);
      const left = await outgoingCents(tx, caller.personId, deps.now());
      const sum = Math.max(left, spent.companyCents ?? 0);
      if (sum >= deps.config.codeFromCents) throw new CodeRequired(spent.what, spent.amountCents);
    }),
  );
}
