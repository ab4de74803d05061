// The CSV file of cards and amounts: its columns, and what is wrong with a line, in French. With one fault
// nothing is taken over.
import type { Output } from "#contract/endpoint.ts";
import { formatMoney, parseMoney } from "#contract/french.ts";
import { grants as limits } from "#contract/grants/limits.ts";
import type { grants as rows } from "#contract/grants/rows.ts";
import { csvTable } from "#server/http/csv-columns.ts";
import { FileFaults } from "#server/http/line-files.ts";
import type { Bearer } from "./giving.ts";

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
  const { encoding, names, lines } = await csvTable<Column>(bytes, {
    maxBytes: limits.fileBytes,
    mostLines: limits.most,
    columns: known,
    synonyms,
    refusals: {
      type: "grant_file_type",
      unreadable: "grant_file_unreadable",
      columns: "grant_file_columns",
    },
  });
  const reading = new Reading(names, able);
  const { cards, faults } = reading;
  const tooMany = lines[limits.most];
  faults.collect(() => {
    if (lines.length === 0) reading.fault(1, "aucune carte sous la ligne de titres");
    if (tooMany) reading.fault(tooMany.line, `plus de ${limits.most} cartes`);
    else for (const { record, line } of lines) reading.take(record, line);
  });
  const { list, stopped } = faults;
  return { encoding, cards: list.length > 0 ? [] : cards, faults: list, stopped };
}

class Reading {
  readonly cards: { cardnumber: number; name: string; amountCents: number }[] = [];
  readonly faults = new FileFaults<{ line: number; what: string }>();
  readonly #seen = new Map<number, number>();
  readonly #names: readonly Column[];
  readonly #able: ReadonlyMap<number, Bearer>;

  constructor(names: readonly Column[], able: readonly Bearer[]) {
    this.#names = names;
    this.#able = new Map(able.map((one) => [one.cardnumber, one]));
  }

  fault(line: number, what: string): void {
    this.faults.add({ line, what });
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
