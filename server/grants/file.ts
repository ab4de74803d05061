// The CSV file of cards and amounts: its columns, and what is wrong with a line, in French. With one fault
// nothing is taken over.
import { companyCan } from "#contract/companies/rows.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatMoney, parseMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { grants as rows } from "#contract/grants/rows.ts";
import { requireCompany } from "#server/companies/companies.ts";
import { csvTable } from "#server/http/csv-columns.ts";
import type { Call } from "#server/http/serve.ts";
import { type Bearer, grantableCards } from "./giving.ts";

const known = { needed: ["carte", "montant"], optional: ["nom"] } as const;
type Column = "carte" | "montant" | "nom";

/** Other titles that spreadsheets of payroll use. */
const synonyms: Readonly<Record<string, Column>> = {
  numero: "carte",
  numerodecarte: "carte",
  montanteur: "montant",
  somme: "montant",
  porteur: "nom",
};

/** Reads a file for an owner. Refuses what its row lists; faults of lines are in the answer. */
export async function readGrantsFile({
  deps,
  caller,
  file: bytes,
}: Call<typeof rows.readFile>): Promise<Output<typeof rows.readFile>> {
  const { companyId } = await requireCompany(deps.db, caller.personId, companyCan.decide);
  const { encoding, names, lines } = await csvTable<Column>(bytes, {
    maxBytes: limits.fileBytes,
    columns: known,
    synonyms,
    refusals: {
      type: "grant_file_type",
      unreadable: "grant_file_unreadable",
      columns: "grant_file_columns",
    },
  });
  const reading = new Reading(names, await grantableCards(deps.db, companyId));
  for (const { record, line } of lines) reading.take(record, line);
  if (lines.length === 0) reading.fault(1, "aucune carte sous la ligne de titres");
  if (lines.length > limits.most) {
    reading.fault(lines[limits.most]?.line ?? 1, `plus de ${limits.most} cartes`);
  }
  const { cards, faults } = reading;
  return {
    encoding,
    cards: faults.length > 0 ? [] : cards,
    faults: faults.slice(0, limits.faults),
    faultCount: faults.length,
  };
}

class Reading {
  readonly cards: { cardnumber: number; name: string; amountCents: number }[] = [];
  readonly faults: { line: number; what: string }[] = [];
  readonly #seen = new Map<number, number>();
  readonly #names: readonly Column[];
  readonly #able: ReadonlyMap<number, Bearer>;

  constructor(names: readonly Column[], able: readonly Bearer[]) {
    this.#names = names;
    this.#able = new Map(able.map((one) => [one.cardnumber, one]));
  }

  fault(line: number, what: string): void {
    this.faults.push({ line, what });
  }

  take(record: readonly string[], line: number): void {
    if (record.length !== this.#names.length) {
      this.fault(line, `${record.length} valeurs au lieu de ${this.#names.length}`);
      return;
    }
    const cell = (name: Column) => record[this.#names.indexOf(name)] ?? "";
    const wrong: string[] = [];
    const card = this.#able.get(Number(cell("carte").replaceAll(/[\s\u00a0\u202f]/g, "")));
    if (!card) wrong.push("ce n'est pas une carte active de votre entreprise, confiée à quelqu'un");
    const amountCents = amountIn(cell("montant"), wrong);
    const first = card && this.#seen.get(card.cardnumber);
    if (first !== undefined) wrong.push(`même carte qu'à la ligne ${first}`);
    if (card) this.#seen.set(card.cardnumber, first ?? line);
    if (!card || wrong.length > 0) this.fault(line, wrong.join(" ; "));
    else this.cards.push({ cardnumber: card.cardnumber, name: card.name, amountCents });
  }
}

/** Cents of a cell; 0 with its fault where it is none. */
function amountIn(cell: string, wrong: string[]): number {
  const cents = parseMoney(cell);
  const { minCents, maxCents } = limits;
  if (cents !== null && cents >= minCents && cents <= maxCents) return cents;
  wrong.push(`montant de ${formatMoney(minCents)} à ${formatMoney(maxCents)} attendu`);
  return 0;
}
