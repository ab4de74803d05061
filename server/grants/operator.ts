// Operator commands of grants: expected transfers, noting one, and the credit of a company.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, formatTypedMoney, parseMoney } from "#contract/french.ts";
import { companyOf } from "#server/companies/companies.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditOperator } from "#server/identity/identity.ts";
import {
  commandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { byTwoAccounts } from "#server/process/second-operator.ts";
import { expectedTransfers, receiveTransfer } from "./transfer.ts";
import { creditLeft } from "./views.ts";

/** Commands `npm run operator -- grants …`. */
export const grantCommands: readonly OperatorCommand[] = [
  {
    name: "grants transfers",
    arguments: [],
    says: "montre les dotations dont le virement est attendu, la plus ancienne d'abord",
    run: ({ db }) =>
      commandResult(async () => {
        const lines = (await expectedTransfers(db)).map(
          ({ number, company, owedCents, reference, grantedAt }) =>
            `${number}  ${reference}  ${formatMoney(owedCents)}  ${company}  ${grantedAt ? `sur les cartes depuis le ${formatDate(grantedAt)}` : "en attente"}`,
        );
        return lines.length > 0 ? lines : ["Aucun virement attendu."];
      }),
  },
  {
    name: "grants transfer-received",
    arguments: ["<référence>", "<montant>", "<référence du virement>"],
    says: "note le virement d'une dotation, par deux opérateurs\u202f: l'argent va sur les cartes s'il n'y est pas déjà",
    run: (deps, [reference = "", amount = "", proof = ""], operator) =>
      commandResult(() => receive(deps, { reference, amount, proof, operator })),
  },
  {
    name: "grants credit",
    arguments: ["<carte>", "[<montant>]"],
    says: "montre, ou fixe par deux opérateurs, ce qu'une entreprise peut accorder avant d'avoir payé (0 pour rien)",
    run: (deps, [card = "", amount], operator) =>
      commandResult(() => credit(deps, { card, amount, operator })),
  },
];

async function receive(
  deps: OperatorDeps,
  input: { reference: string; amount: string; proof: string; operator: string },
): Promise<readonly string[]> {
  const amountCents = parseMoney(input.amount);
  if (!amountCents) throw new Problem("invalid_input", { what: "montant" });
  const proof = input.proof.trim().slice(0, 140);
  if (!proof) throw new Problem("invalid_input", { what: "référence du virement" });
  const reference = input.reference.replaceAll(/\s/g, "").toUpperCase();
  const { operator } = input;
  const repeated = [reference, formatTypedMoney(amountCents), proof];
  const call = { command: "grants transfer-received", arguments: repeated, account: operator };
  const done = await byTwoAccounts(deps, call, async (tx) => {
    const received = { reference, amountCents, proof, operator };
    const { row, isReplay } = await receiveTransfer(tx, deps, received);
    const line = isReplay
      ? `Ce virement était déjà noté sur la dotation ${row.number}.`
      : `${formatMoney(amountCents)} notés sur la dotation ${row.number}, ${row.company}.`;
    return { lines: [line], isReplay };
  });
  return done.lines;
}

async function credit(
  deps: OperatorDeps,
  { card, amount, operator }: { card: string; amount: string | undefined; operator: string },
): Promise<readonly string[]> {
  const { db } = deps;
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select person_id as id from card where number = ${numberArgument(card)}`);
  const personId = found?.id;
  const company = personId === undefined ? null : await companyOf(db, personId);
  if (!company || personId === undefined) throw new Problem("company_missing");
  const { companyId, name } = company;
  const lines = async (from: Db) => {
    const row = await query(from).one(sql<{ cents: number }>`
      select grant_credit_cents as cents from company where id = ${companyId}`);
    const left = formatMoney(await creditLeft(from, companyId));
    return [`${name}\u202f: ${formatMoney(row.cents)} à crédit, reste ${left}.`];
  };
  if (amount === undefined) return await lines(db);
  const cents = parseMoney(amount);
  if (cents === null || cents > 100_000_000)
    throw new Problem("invalid_input", { what: "montant" });
  const repeated = [card, formatTypedMoney(cents)];
  const call = { command: "grants credit", arguments: repeated, account: operator };
  const done = await byTwoAccounts(deps, call, async (tx) => {
    await sql`update company set grant_credit_cents = ${cents} where id = ${companyId}`.execute(tx);
    await auditOperator(tx, operator, "grant.credit", {
      personId,
      details: { cents },
      at: deps.now(),
    });
    return { lines: await lines(tx) };
  });
  return done.lines;
}
