// The CSV file of persons who get a card: its columns, and the faults of a line, in French. With one fault
// nobody is imported.
import { cardOrders as limits } from "#contract/card-orders/limits.ts";
import type { cardOrders, OrderedPerson } from "#contract/card-orders/rows.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { contactTitles, emailIn, holderName, phoneIn, tidyName } from "#server/cards/cards.ts";
import { readRecords, type RecordRules } from "#server/http/record-file.ts";
import { fileTooLarge } from "#server/http/upload.ts";

type Column = "prenom" | "nom" | "email" | "telephone";
const rules: RecordRules<Column> = {
  maxBytes: limits.fileBytes,
  maxLines: limits.max,
  needed: ["prenom", "nom"],
  byTitle: contactTitles,
  refuse: {
    tooLarge: () => fileTooLarge(limits.fileBytes),
    type: () => new Problem("card_order_file_type"),
    unreadable: (why) => new Problem("card_order_file_unreadable", { why }),
    columns: (wrong) => new Problem("card_order_file_columns", { wrong }),
  },
  words: { none: "aucune personne", many: "personnes" },
};

/** Reads a file of persons. Refuses what its row lists; faults of lines are in the answer. */
export async function readPersonsFile(
  bytes: Uint8Array,
): Promise<Output<typeof cardOrders.readFile>> {
  const seen = new Map<string, number>();
  const { items, ...read } = await readRecords(bytes, rules, ({ line, cell, wrong }) => {
    const [firstName, lastName] = [tidyName(cell("prenom")), tidyName(cell("nom"))];
    const name = holderName(firstName, lastName, wrong);
    const email = emailIn(cell("email"), wrong);
    const phonenumber = phoneIn(cell("telephone"), wrong);
    const who = `${name.toLowerCase()} ${email?.toLowerCase() ?? ""}`;
    const first = seen.get(who);
    if (wrong.length === 0 && first !== undefined) {
      wrong.push(`même personne qu'à la ligne ${first}`);
    }
    seen.set(who, first ?? line);
    return { firstName, lastName, email, phonenumber } satisfies OrderedPerson;
  });
  return { ...read, persons: read.faults.length > 0 ? [] : items };
}
