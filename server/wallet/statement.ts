// The statement of a wallet: what it held, each movement, what it holds.
import { sql } from "kysely";
import { formatDate, formatMoney, formatTime } from "#contract/french.ts";
import { movementKindNames } from "#contract/wallet.ts";
import type { Deps } from "#server/deps.ts";
import { paper } from "../http/paper.ts";
import { addDays, parisDay } from "./days.ts";
import { allMovements } from "./movements.ts";
import { sum, type WalletState, walletsWhere } from "./states.ts";

const usualDays = 90;
const mostLines = 1000;

const columns = [
  { title: "Date", width: 92 },
  { title: "Opération", width: 93 },
  { title: "Libellé", width: 148 },
  { title: "Montant", width: 75, right: true },
  { title: "Solde", width: 75, right: true },
];

/** A statement of the last ninety days for each wallet of a person, under a plain file name. */
export async function statementsOf(
  deps: Deps,
  personId: number,
): Promise<{ name: string; bytes: Buffer }[]> {
  const wallets = await walletsWhere(deps.db, sql`w.person_id = ${personId}`, deps.now());
  const papers = [];
  for (const wallet of wallets) {
    papers.push({ name: `${wallet.slug}.pdf`, bytes: await statementPdf(deps, wallet, {}) });
  }
  return papers;
}

/** The PDF of a span of days, both included; the last ninety when none is told. */
export async function statementPdf(
  deps: Deps,
  wallet: WalletState,
  span: { from?: string | undefined; to?: string | undefined },
): Promise<Buffer> {
  const now = deps.now();
  const to = span.to ?? parisDay(now);
  const from = span.from ?? addDays(to, -usualDays);
  const movements = await allMovements(deps.db, wallet, { from, to }, mostLines);
  const amounts = movements.map((movement) => movement.amountCents);
  const newest = movements[0];
  const oldest = movements.at(-1);
  return await paper(
    { title: "Relevé d'opérations", cardnumber: wallet.cardnumber, madeAt: now },
    async (page) => {
      page.facts([
        ["Cagnotte", wallet.name],
        ["Titulaire", wallet.ownerName],
        ["Période", `du ${formatDate(from)} au ${formatDate(to)}`],
        ...(oldest && newest
          ? ([
              ["Solde au début", formatMoney(oldest.balanceAfterCents - oldest.amountCents)],
              ["Entrées", formatMoney(sum(amounts.filter((amount) => amount > 0)))],
              ["Sorties", formatMoney(sum(amounts.filter((amount) => amount < 0)))],
              ["Solde à la fin", formatMoney(newest.balanceAfterCents)],
            ] as const)
          : []),
      ]);
      page.heading("Opérations");
      if (movements.length === 0) page.paragraph("Aucune opération sur cette période.");
      else
        await page.table(
          columns,
          movements.map((movement) => [
            `${formatDate(movement.at)} ${formatTime(movement.at)}`,
            movementKindNames[movement.kind],
            movement.label,
            formatMoney(movement.amountCents, { signed: true }),
            formatMoney(movement.balanceAfterCents),
          ]),
        );
      if (movements.length === mostLines) {
        page.paragraph(
          "Ce relevé s'arrête à 1\u202f000 opérations. Choisissez une période plus courte pour voir les autres.",
        );
      }
    },
  );
}
