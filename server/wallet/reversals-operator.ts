// Operator commands of reversals: list them, and reverse a transfer with two operators.
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { transferKindName } from "#server/ledger/ledger.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import { byTwoAccounts } from "#server/process/second-operator.ts";
import { type Reversal, reversals, undoTransfer } from "./reversals.ts";

/** Commands `npm run operator -- reversals …`. */
export const reversalCommands: readonly OperatorCommand[] = [
  {
    name: "reversals list",
    arguments: [],
    says: "montre les dernières annulations et les derniers règlements de dettes",
    run: async ({ db }) => {
      const lines = (await reversals(db)).map(
        (one) =>
          `${one.number}  ${wordsOf(one)}  demandée par ${one.requestedBy}, confirmée par ` +
          `${one.answeredBy} le ${formatDateTime(one.requestedAt)}, écriture n° ${one.postedId}`,
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune annulation."] };
    },
  },
  {
    name: "reversals undo",
    arguments: ["<écriture>", "<motif>"],
    says: "annule une écriture, par deux opérateurs : l'écriture inverse est passée",
    run: (deps, [transfer = "", reasonText = ""], operator) =>
      commandResult(async () => {
        const [transferId, reason] = [numberArgument(transfer), reasonArgument(reasonText)];
        const call = { command: "reversals undo", arguments: [String(transferId)], reason };
        const done = await byTwoAccounts(
          deps,
          { ...call, account: operator },
          async (tx, requestedBy) => {
            const signed = { requestedBy, by: operator, reason };
            return { lines: [wordsOf(await undoTransfer(tx, deps, transferId, signed))] };
          },
        );
        return done.lines;
      }),
  },
];

/** The reversal, or the repayment, in one line. */
function wordsOf(one: Reversal): string {
  const { transferId, amountCents, kind, refundedCents } = one;
  const what = one.debitAccount === null ? transferKindName(kind) : "règlement d’une dette";
  return [
    `écriture n° ${transferId}`,
    what,
    formatMoney(amountCents),
    [one.label, one.key].filter((word) => word !== null).join(", "),
    ...(refundedCents > 0
      ? [`ATTENTION\u202f: ${formatMoney(refundedCents)} en sont déjà remboursés`]
      : []),
    one.owners.join(", ") || "sans porteur",
    one.reason,
  ].join("  ");
}
