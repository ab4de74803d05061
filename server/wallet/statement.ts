// The statement of a wallet: the balance before, each movement, the balance after.
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { formatDate, formatMoney, formatTime } from "#contract/french.ts";
import { movementKindNames } from "#contract/wallet/rows.ts";
import { spendingCategoryNames } from "#contract/wallet/spending.ts";
import type { Deps } from "#server/process/deps.ts";
import { paper } from "../http/paper.ts";
import {
  balanceAfterDay,
  labelOnPaper,
  newestMovements,
  type MovementSearch,
} from "./movements.ts";
import { sum, type WalletState, walletsWhere } from "./states.ts";

const maxLines = 1000;

const columns = [
  { title: "Date", width: 92 },
  { title: "Opération", width: 93 },
  { title: "Libellé", width: 148 },
  { title: "Montant", width: 75, right: true },
  { title: "Solde", width: 75, right: true },
];

/** A complete statement for each wallet of a person, under a plain file name. */
export async function statementsOf(
  deps: Deps,
  personId: number,
): Promise<{ name: string; draw: () => Promise<Buffer> }[]> {
  const wallets = await walletsWhere(deps.db, sql`w.person_id = ${personId}`, deps.now());
  return wallets.map((wallet) => ({
    name: `${wallet.slug}.pdf`,
    draw: () => statementPdf(deps, wallet, {}),
  }));
}

/** The filter of the search, in words; null when it keeps all movements. */
function filterText({ kind, category, q }: MovementSearch): string | null {
  const words = [
    kind && movementKindNames[kind],
    category && spendingCategoryNames[category],
    q && `«\u00a0${q}\u00a0»`,
  ].filter(Boolean);
  return words.length > 0 ? words.join(", ") : null;
}

/**
 * The PDF of the lines that match a search, as the list and the CSV show them: a span of days, both included,
 * by default all. Its period begins with the oldest line where the search has no beginning or there are more
 * lines than it takes.
 */
export async function statementPdf(
  deps: Deps,
  wallet: WalletState,
  search: MovementSearch,
): Promise<Buffer> {
  const now = deps.now();
  const found = await newestMovements(deps.db, wallet, search, maxLines + 1);
  const movements = found.slice(0, maxLines);
  const cut = found.length > movements.length;
  const filter = filterText(search);
  const to = search.to ?? parisDay(now);
  const first = movements.at(-1);
  const begins = first ? parisDay(new Date(first.at)) : to;
  const from = cut ? begins : (search.from ?? begins);
  const amounts = movements.map((movement) => movement.amountCents);
  const newest = movements[0];
  const oldest = movements.at(-1);
  // The lines show the period themselves, unless there is none or a filter leaves some out.
  const isWhole = filter === null && newest && oldest;
  const openingCents = isWhole
    ? oldest.balanceAfterCents - oldest.amountCents
    : await balanceAfterDay(deps.db, wallet, addDays(from, -1));
  const closingCents = isWhole
    ? newest.balanceAfterCents
    : await balanceAfterDay(deps.db, wallet, to);
  return await paper(
    { title: "Relevé d’opérations", cardnumber: wallet.cardnumber, madeAt: now },
    async (page) => {
      page.facts([
        ["Cagnotte", wallet.name],
        ["Titulaire", wallet.ownerName],
        ["Période", `du ${formatDate(from)} au ${formatDate(to)}`],
        ...(filter === null ? [] : [["Filtre", filter] as const]),
        ["Solde au début", formatMoney(openingCents)],
        ...(filter === null
          ? ([
              ["Entrées", formatMoney(sum(amounts.filter((amount) => amount > 0)))],
              ["Sorties", formatMoney(sum(amounts.filter((amount) => amount < 0)))],
            ] as const)
          : []),
        ["Solde à la fin", formatMoney(closingCents)],
      ]);
      page.heading("Opérations");
      if (movements.length === 0) page.paragraph("Aucune opération sur cette période.");
      else
        await page.table(
          columns,
          movements.map((movement) => [
            `${formatDate(movement.at)} ${formatTime(movement.at)}`,
            movementKindNames[movement.kind],
            labelOnPaper(movement),
            formatMoney(movement.amountCents, { signed: true }),
            formatMoney(movement.balanceAfterCents),
          ]),
        );
      if (cut) {
        page.paragraph(
          "Ce relevé s'arrête à 1\u202f000 opérations. Choisissez une période plus courte pour voir les autres.",
        );
      }
    },
  );
}
