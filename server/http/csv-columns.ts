// A CSV whose first line names its columns, whatever their case and accents.
import { Problem, type ProblemCode } from "#contract/errors.ts";
import { type CsvRecord, csvRecords, type DecodedText, decodeText } from "./csv-reader.ts";

interface TableRules<Column extends string> {
  maxBytes: number;
  /** Lines under the titles: one more is read, which tells that there are too many. */
  mostLines: number;
  columns: Titles<Column>;
  /** Other plain titles of a column. */
  synonyms: Readonly<Record<string, Column>>;
  /** Codes for what is no text, for quotes that do not close (`why`), for wrong titles (`wrong`). */
  refusals: Readonly<Record<"type" | "unreadable" | "columns", ProblemCode>>;
}

interface Titles<Column extends string> {
  needed: readonly Column[];
  optional: readonly Column[];
}

/**
 * The lines under the titles, with the column of each place. Refuses `document_too_large`, and what
 * `refusals` names.
 */
export async function csvTable<Column extends string>(
  bytes: Uint8Array,
  { maxBytes, mostLines, columns, synonyms, refusals }: TableRules<Column>,
): Promise<{ encoding: DecodedText["encoding"]; names: Column[]; lines: CsvRecord[] }> {
  if (bytes.length > maxBytes) throw new Problem("document_too_large");
  const { fileTypeFromBuffer } = await import("file-type");
  // What a spreadsheet or an editor saved in its own format has a mark at its beginning; a CSV has none.
  const file = (await fileTypeFromBuffer(bytes)) ? null : decodeText(bytes);
  if (!file) throw new Problem(refusals.type);
  const records = csvRecords(file.text, mostLines + 2);
  if (typeof records === "string") throw new Problem(refusals.unreadable, { why: records });
  const [header, ...lines] = records;
  const names = columnsIn(header?.record ?? [], columns, synonyms);
  if (typeof names === "string") throw new Problem(refusals.columns, { wrong: names });
  return { encoding: file.encoding, names, lines };
}

/** A title in small letters and digits: "Prénom" is prenom, "E-mail" is email. */
const plainTitle = (title: string): string =>
  title
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");

/** The columns in the order of the titles; else, in French, which are missing, unknown or there twice. */
function columnsIn<Column extends string>(
  titles: readonly string[],
  { needed, optional }: Titles<Column>,
  synonyms: Readonly<Record<string, Column>>,
): Column[] | string {
  const columns: ReadonlySet<string> = new Set([...needed, ...optional]);
  const names = titles.map((title) => {
    const plain = plainTitle(title);
    return Object.hasOwn(synonyms, plain) ? (synonyms[plain] as string) : plain;
  });
  const missing = needed.filter((name) => !names.includes(name));
  const unknown = titles.filter((_, place) => !columns.has(names[place] ?? ""));
  const doubled = names.filter((name, place) => names.indexOf(name) !== place);
  const wrong = [
    missing.length > 0 ? `il manque ${missing.join(", ")}` : null,
    unknown.length > 0
      ? `inconnu : ${unknown.map((title) => `«\u00a0${title.slice(0, 40)}\u00a0»`).join(", ")}`
      : null,
    doubled.length > 0 ? `deux fois : ${doubled.join(", ")}` : null,
  ].filter((one) => one !== null);
  return wrong.length > 0 ? wrong.join(" ; ").slice(0, 300) : (names as Column[]);
}
