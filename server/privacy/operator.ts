// Operator commands of closed accounts: list the refunds to pay, record that one was paid.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { unsealFor } from "#server/identity/identity.ts";
import { post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import type { OperatorCommand, OperatorDeps } from "#server/process/room.ts";

interface RefundRow {
  number: number;
  person_id: number;
  beneficiary: string | null;
  /** Null where it was forgotten before this money came back. */
  iban_sealed: Buffer | null;
  refund_cents: number;
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
        refunds.map(async ({ number, person_id, beneficiary, iban_sealed, refund_cents }) => {
          const iban = iban_sealed && (await unsealFor(db, "iban", person_id, iban_sealed));
          return `${number}  ${formatMoney(refund_cents)}  ${iban ?? "IBAN à demander"}  ${beneficiary ?? ""}`;
        }),
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Rien à rendre."] };
    },
  },
  {
    name: "privacy paid",
    arguments: ["<numéro>", "<référence du virement>"],
    says: "note qu'un remboursement est parti de la banque ; l'IBAN est alors oublié",
    run: async (deps, [given = "", reference = ""]) => {
      if (reference.trim() === "") {
        return { ok: false, lines: ["Donnez la référence du virement de la banque."] };
      }
      const cents = await recordRefundPaid(deps, Number(given), reference.trim());
      return cents === null
        ? { ok: false, lines: [new Problem("not_found").message] }
        : { ok: true, lines: [`${formatMoney(cents)} rendus, référence ${reference.trim()}.`] };
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

/** Posts the payment and forgets the IBAN; null when nothing is owed under that number. */
async function recordRefundPaid(
  deps: OperatorDeps,
  number: number,
  reference: string,
): Promise<number | null> {
  if (!Number.isSafeInteger(number)) return null;
  const at = deps.now();
  return await inTx(deps.db, async (tx) => {
    const { rows } = await sql<{ id: string; refund_cents: number }>`
      update closure set paid_at = ${at}, paid_reference = ${reference}, iban_sealed = null
      where number = ${number} and state = 'closed' and refund_cents > 0 and paid_at is null
      returning id, refund_cents`.execute(tx);
    const row = rows[0];
    if (!row) return null;
    await post(tx, [
      {
        key: `closure-paid:${row.id}`,
        debitAccount: await schemeAccount(tx, "closures"),
        creditAccount: await schemeAccount(tx, "bank"),
        amountCents: row.refund_cents,
        kind: "payout",
        memo: { reference },
        at,
      },
    ]);
    return row.refund_cents;
  });
}
