// Operator commands of reversals: ask, list, confirm by another operator, refuse.
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { transferKindName } from "#server/ledger/ledger.ts";
import {
  commandResult,
  nameArgument,
  numberArgument,
  type OperatorCommand,
  reasonArgument,
} from "#server/process/room.ts";
import {
  askReversal,
  confirmReversal,
  refuseReversal,
  type Reversal,
  type ReversalState,
  reversals,
} from "./reversals.ts";

/** Commands `npm run operator -- reversals …`. */
export const reversalCommands: readonly OperatorCommand[] = [
  {
    name: "reversals list",
    arguments: ["[toutes]"],
    says: "montre les annulations et les règlements de dettes qui attendent un deuxième opérateur",
    run: async ({ db, now }, [all]) => {
      const lines = (await reversals(db, now(), all === "toutes")).map(wordsOf);
      return { ok: true, lines: lines.length > 0 ? lines : ["Aucune annulation n'attend."] };
    },
  },
  {
    name: "reversals ask",
    arguments: ["<écriture>", "<votre nom>", "<motif>"],
    says: "demande l'annulation d'une écriture ; un autre opérateur la confirme",
    run: (deps, [transfer = "", name = "", reason = ""]) =>
      commandResult(async () => {
        const signed = { by: nameArgument(name), reason: reasonArgument(reason) };
        const asked = await askReversal(deps, numberArgument(transfer), signed);
        return [
          wordsOf(asked),
          `À confirmer par un autre opérateur avant le ${formatDateTime(asked.expiresAt)}.`,
        ];
      }),
  },
  {
    name: "reversals confirm",
    arguments: ["<demande>", "<votre nom>"],
    says: "confirme ce qu'un autre a demandé : l'écriture inverse, ou le règlement, est passée",
    run: (deps, [number = "", name = ""]) =>
      commandResult(async () => [
        wordsOf(await confirmReversal(deps, numberArgument(number), nameArgument(name))),
      ]),
  },
  {
    name: "reversals refuse",
    arguments: ["<demande>", "<votre nom>", "<motif>"],
    says: "refuse ce qui est demandé, ou retire sa propre demande ; rien n'est passé",
    run: (deps, [number = "", name = "", reason = ""]) =>
      commandResult(async () => {
        const signed = { by: nameArgument(name), reason: reasonArgument(reason) };
        return [wordsOf(await refuseReversal(deps, numberArgument(number), signed))];
      }),
  },
];

const stateNames: Readonly<Record<ReversalState, string>> = {
  asked: "à confirmer",
  confirmed: "confirmée",
  refused: "refusée",
  expired: "expirée",
};

function wordsOf(one: Reversal): string {
  const { number, transferId, amountCents, kind, state, askedBy, askedAt, answeredBy, postedId } =
    one;
  const what = one.debitAccount === null ? transferKindName(kind) : "règlement d’une dette";
  const answer = answeredBy === null ? "" : ` par ${answeredBy}`;
  return [
    String(number),
    `écriture n° ${transferId}`,
    what,
    formatMoney(amountCents),
    [one.label, one.key].filter((word) => word !== null).join(", "),
    ...(one.refundedCents > 0
      ? [`ATTENTION\u202f: ${formatMoney(one.refundedCents)} en sont déjà remboursés`]
      : []),
    one.owners.join(", ") || "sans porteur",
    `demandée par ${askedBy} le ${formatDateTime(askedAt)}`,
    `${stateNames[state]}${answer}${postedId === null ? "" : `, écriture n° ${postedId}`}`,
    one.reason,
  ].join("  ");
}
