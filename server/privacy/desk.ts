// The operator's side of closed accounts: what is still to be paid back, to whom, and that it was.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { openFor } from "#server/identity/identity.ts";
import { post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";

type Desk = Pick<Deps, "db" | "now">;

/** A command of `npm run operator -- privacy …`. */
export interface PrivacyCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(desk: Desk, given: readonly string[]): Promise<{ ok: boolean; lines: string[] }>;
}

interface Owed {
  number: number;
  person_id: number;
  beneficiary: string;
  iban_sealed: Buffer;
  refund_cents: number;
}

export const privacyCommands: readonly PrivacyCommand[] = [
  {
    name: "privacy refunds",
    arguments: [],
    says: "montre l'argent à rendre pour les comptes fermés, avec les IBAN",
    run: async ({ db }) => {
      const owed = await owedNow(db);
      const lines = await Promise.all(
        owed.map(async ({ number, person_id, beneficiary, iban_sealed, refund_cents }) => {
          const iban = await openFor(db, "iban", person_id, iban_sealed);
          return `${number}  ${formatMoney(refund_cents)}  ${iban}  ${beneficiary}`;
        }),
      );
      return { ok: true, lines: lines.length > 0 ? lines : ["Rien à rendre."] };
    },
  },
  {
    name: "privacy paid",
    arguments: ["<numéro>", "<référence du virement>"],
    says: "note qu'un remboursement est parti de la banque ; l'IBAN est alors oublié",
    run: async (desk, [given = "", reference = ""]) => {
      if (reference.trim() === "") {
        return { ok: false, lines: ["Donnez la référence du virement de la banque."] };
      }
      const cents = await paid(desk, Number(given), reference.trim());
      return cents === null
        ? { ok: false, lines: [new Problem("not_found").message] }
        : { ok: true, lines: [`${formatMoney(cents)} rendus, référence ${reference.trim()}.`] };
    },
  },
];

async function owedNow(db: Desk["db"]): Promise<Owed[]> {
  const { rows } = await sql<Owed>`
    select number, person_id, beneficiary, iban_sealed, refund_cents from closure
    where state = 'closed' and refund_cents > 0 and paid_at is null
    order by number limit 200`.execute(db);
  return rows;
}

/** Posts the payment and forgets the IBAN; null when nothing is owed under that number. */
async function paid(desk: Desk, number: number, reference: string): Promise<number | null> {
  if (!Number.isSafeInteger(number)) return null;
  const at = desk.now();
  return await inTx(desk.db, async (tx) => {
    const { rows } = await sql<{ id: string; refund_cents: number }>`
      update closure set paid_at = ${at}, paid_reference = ${reference}, iban_sealed = null
      where number = ${number} and state = 'closed' and refund_cents > 0 and paid_at is null
      returning id, refund_cents`.execute(tx);
    const row = rows[0];
    if (!row) return null;
    await post(tx, [
      {
        key: `closure-paid:${row.id}`,
        debit: await schemeAccount(tx, "closures"),
        credit: await schemeAccount(tx, "bank"),
        amountCents: row.refund_cents,
        kind: "payout",
        memo: { reference },
        at,
      },
    ]);
    return row.refund_cents;
  });
}
