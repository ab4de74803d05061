// The CSV file of persons who get a card: its columns, and what is wrong with a line, in French. With one
// fault nobody is taken over.
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import type { cardOrders, OrderedPerson } from "#contract/card-orders/rows.ts";
import type { Output } from "#contract/endpoint.ts";
import { emailIn, personName, phoneIn } from "#server/enrolment/enrolment.ts";
import { csvTable } from "#server/http/csv-columns.ts";
import { FileFaults } from "#server/http/line-files.ts";

type Column = "prenom" | "nom" | "email" | "telephone";
const known = { needed: ["prenom", "nom"], optional: ["email", "telephone"] } as const;
const synonyms: Readonly<Record<string, Column>> = {
  courriel: "email",
  mail: "email",
  tel: "telephone",
  mobile: "telephone",
  portable: "telephone",
};

/** Reads a file of persons. Refuses what its row lists; faults of lines are in the answer. */
export async function readPersonsFile(
  bytes: Uint8Array,
): Promise<Output<typeof cardOrders.readFile>> {
  const { encoding, names, lines } = await csvTable<Column>(bytes, {
    maxBytes: limits.fileBytes,
    mostLines: limits.most,
    columns: known,
    synonyms,
    refusals: {
      type: "card_order_file_type",
      unreadable: "card_order_file_unreadable",
      columns: "card_order_file_columns",
    },
  });
  const reading = new Reading(names);
  const { persons, faults } = reading;
  const tooMany = lines[limits.most];
  faults.collect(() => {
    if (lines.length === 0) reading.fault(1, "aucune personne sous la ligne de titres");
    if (tooMany) reading.fault(tooMany.line, `plus de ${limits.most} personnes`);
    else for (const { record, line } of lines) reading.take(record, line);
  });
  const { list, stopped } = faults;
  return { encoding, persons: list.length > 0 ? [] : persons, faults: list, stopped };
}

class Reading {
  readonly persons: OrderedPerson[] = [];
  readonly faults = new FileFaults<{ line: number; what: string }>();
  readonly #seen = new Map<string, number>();
  readonly #names: readonly Column[];

  constructor(names: readonly Column[]) {
    this.#names = names;
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
    const [firstName, lastName] = [cell("prenom"), cell("nom")];
    const name = personName(firstName, lastName, wrong);
    const email = emailIn(cell("email"), wrong);
    const phonenumber = phoneIn(cell("telephone"), wrong);
    const who = `${name.toLowerCase()} ${email?.toLowerCase() ?? ""}`;
    const first = this.#seen.get(who);
    if (wrong.length === 0 && first !== undefined) {
      wrong.push(`même personne qu'à la ligne ${first}`);
    }
    this.#seen.set(who, first ?? line);
    if (wrong.length > 0) this.fault(line, wrong.join(" ; "));
    else this.persons.push({ firstName, lastName, email, phonenumber });
  }
}
