// Operator commands of closed accounts: list the refunds to pay, record that one was paid.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { unsealFor } from "#server/identity/identity.ts";
import { post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { byTwoAccounts } from "#server/process/second-operator.ts";

interface RefundRow {
  number: number;
  personId: number;
  beneficiary: string | null;
  /** Null where it was deleted before this money came back. */
  ibanSealed: Buffer | null;
  refundCents: number;
}

/** Commands `npm run operator -- privacy …`. */
export const privacyCommands: readonly OperatorCommand[] = [
  {
    name: "privacy refunds",
    arguments: [],
    says: "montre l'argent à rendre pour les comptes fermés, avec les IBAN",
    run: async ({ db }) => {
      const refunds = await pendingRefunds(db);
      const lines = await Promise.all(
        refunds.map(async ({ number, personId, beneficiary, ibanSealed, refundCents }) => {
          const iban = ibanSealed && (await unsealFor(db, "iban", personId, ibanSealed));
          return `${number}  ${formatMoney(refundCents)}  ${iban ?? "IBAN à demander"}  ${beneficiary ?? ""}`;
        }),
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Rien à rendre."] };
    },
  },
  {
    name: "privacy paid",
    arguments: ["<numéro>", "<référence du virement>"],
    says: "note, par deux opérateurs, qu'un remboursement est parti de la banque ; l'IBAN est alors oublié",
    run: async (deps, [refund = "", typed = ""], operator) => {
      const reference = typed.trim();
      if (reference === "") {
        return { ok: false, lines: ["Donnez la référence du virement de la banque."] };
      }
      return await commandResult(async () => {
        const number = numberArgument(refund);
        const repeated = [String(number), reference];
        const call = { command: "privacy paid", arguments: repeated, account: operator };
        const done = await byTwoAccounts(deps, call, async (tx) => {
          const cents = await recordRefundPaid(tx, { number, reference, at: deps.now() });
          return { lines: [`${formatMoney(cents)} rendus, référence ${reference}.`] };
        });
        return done.lines;
      });
    },
  },
];

async function pendingRefunds(db: OperatorDeps["db"]): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select number, person_id, beneficiary, iban_sealed, refund_cents from closure
    where state = 'closed' and refund_cents > 0 and paid_at is null
    order by number limit 200`.execute(db);
  return rows;
}

/**
 * Posts the payment and deletes the IBAN; gives its cents. `not_found` when nothing is owed under that
 * number.
 */
async function recordRefundPaid(
  tx: Tx,
  { number, reference, at }: { number: number; reference: string; at: Date },
): Promise<number> {
  const row = await query(tx).maybeOne(sql<{ id: string; refundCents: number }>`
      update closure set paid_at = ${at}, paid_reference = ${reference}, iban_sealed = null
      where number = ${number} and state = 'closed' and refund_cents > 0 and paid_at is null
      returning id, refund_cents`);
  if (!row) throw new Problem("not_found");
  await post(tx, [
    {
      key: `closure-paid:${row.id}`,
      debitAccount: await schemeAccount(tx, "closures"),
      creditAccount: await schemeAccount(tx, "bank"),
      amountCents: row.refundCents,
      kind: "payout",
      memo: { reference },
      at,
    },
  ]);
  return row.refundCents;
}
