// The CSV file of cards and amounts: its columns, and the faults of a line, in French. With one fault nothing
// is imported.
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney, parseMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { grants as rows } from "#contract/grants/rows.ts";
import { readRecords, type RecordRules } from "#server/http/record-file.ts";
import { fileTooLarge } from "#server/http/upload.ts";
import { plainPunctuation } from "#server/http/typed-text.ts";
import type { Bearer } from "./fulfilment.ts";

type Column = "carte" | "montant" | "nom";
const rules: RecordRules<Column> = {
  maxBytes: limits.fileBytes,
  maxLines: limits.max,
  needed: ["carte", "montant"],
  byTitle: {
    carte: "carte",
    montant: "montant",
    nom: "nom",
    // Column titles in exports of payroll software.
    numero: "carte",
    numerodecarte: "carte",
    ndecarte: "carte",
    montanteur: "montant",
    somme: "montant",
    porteur: "nom",
  },
  refuse: {
    tooLarge: () => fileTooLarge(limits.fileBytes),
    type: () => new Problem("grant_file_type"),
    unreadable: (why) => new Problem("grant_file_unreadable", { why }),
    columns: (wrong) => new Problem("grant_file_columns", { wrong }),
  },
  words: { none: "aucune carte", many: "cartes" },
};

export interface GrantLinesTask {
  bytes: Uint8Array;
  /** The cards that may be given money. */
  able: readonly Bearer[];
}

/** Reads a file of cards. Refuses what its row lists; faults of lines are in the answer. */
export async function readGrantLines({
  bytes,
  able,
}: GrantLinesTask): Promise<Output<typeof rows.readFile>> {
  const byNumber = new Map(able.map((one) => [one.cardnumber, one]));
  const seen = new Map<number, number>();
  const { items, ...read } = await readRecords(bytes, rules, ({ line, cell, wrong }) => {
    const typed = plainPunctuation(cell("carte")).replaceAll(/[\s-]/g, "");
    const card = byNumber.get(Number(typed));
    if (!card) wrong.push("ce n'est pas une carte active de votre entreprise, confiée à quelqu'un");
    const amountCents = amountIn(cell("montant"), wrong);
    const first = card && seen.get(card.cardnumber);
    if (first !== undefined) wrong.push(`même carte qu'à la ligne ${first}`);
    if (card) seen.set(card.cardnumber, first ?? line);
    return { cardnumber: card?.cardnumber ?? 0, name: card?.name ?? "", amountCents };
  });
  return { ...read, cards: read.faults.length > 0 ? [] : items };
}

/** Cents of a cell; 0 with its fault where it is none. */
function amountIn(cell: string, wrong: string[]): number {
  const cents = parseMoney(cell);
  const { minCents, maxCents } = limits;
  if (cents !== null && cents >= minCents && cents <= maxCents) return cents;
  wrong.push(`montant de ${formatMoney(minCents)} à ${formatMoney(maxCents)} attendu`);
  return 0;
}
