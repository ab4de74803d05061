// A CSV whose first line names its columns, ignoring case and accents.
import { type CsvRecord, csvRecords, type DecodedText, decodeText } from "./csv-reader.ts";
import { kindOfFile } from "./file-kind.ts";
import { mimeOf } from "./upload.ts";

export interface TableRules<Column extends string> {
  maxBytes: number;
  /** Most lines under the titles: one more is read, to detect that there are too many. */
  maxLines: number;
  needed: readonly Column[];
  /** The column of each title, in small letters and digits. */
  byTitle: Readonly<Record<string, Column>>;
  /** Ignores columns with other titles instead of refusing them. */
  keepsOthers?: boolean;
  /** A column's name in refusals; its own name by default. */
  spelled?: (column: Column) => string;
  /** The refusals, with the fault in French. */
  refuse: {
    tooLarge: () => Error;
    /** Another format (« un PDF »), or bytes in no known text encoding: null. */
    type: (kind: string | null) => Error;
    /** Quotes that do not close: a sentence. */
    unreadable: (why: string) => Error;
    columns: (wrong: string, line: number) => Error;
  };
}

export interface CsvTable<Column extends string> {
  encoding: DecodedText["encoding"];
  /** As the file spells them. */
  titles: string[];
  /** The column of each title; undefined for an ignored one. */
  columns: (Column | undefined)[];
  lines: CsvRecord[];
}

/** The lines under the titles. Empty columns at the end come from the spreadsheet, not from the person. */
export async function csvTable<Column extends string>(
  bytes: Uint8Array,
  rules: TableRules<Column>,
): Promise<CsvTable<Column>> {
  const { refuse } = rules;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = kindOfFile(await mimeOf(buffer), buffer);
  if (kind) throw refuse.type(kind);
  if (bytes.length > rules.maxBytes) throw refuse.tooLarge();
  const file = decodeText(bytes);
  if (!file) throw refuse.type(null);
  const records = csvRecords(file.text, rules.maxLines + 2);
  if (typeof records === "string") throw refuse.unreadable(records);
  const [header, ...rows] = records;
  const titles = withoutEmptyEnd(header?.record ?? [], 0);
  const columns = columnsIn(titles, rules);
  if (typeof columns === "string") throw refuse.columns(columns, header?.line ?? 1);
  const lines = rows.map(({ record, line }) => ({
    record: withoutEmptyEnd(record, titles.length),
    line,
  }));
  return { encoding: file.encoding, titles, columns, lines };
}

/** A record without the empty cells at its end, of at least `least` cells where it had them. */
const withoutEmptyEnd = (record: readonly string[], least: number): string[] =>
  record.slice(0, Math.max(least, record.findLastIndex((value) => value !== "") + 1));

/** A title in small letters and digits: "Prénom" is prenom, "E-mail" is email. */
const plainTitle = (title: string): string =>
  title
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");

/** The columns in the order of the titles; else, in French, which are missing, unknown or duplicated. */
function columnsIn<Column extends string>(
  titles: readonly string[],
  { needed, byTitle, keepsOthers, spelled = String }: TableRules<Column>,
): (Column | undefined)[] | string {
  const known = new Map(Object.entries<Column>(byTitle));
  const names = titles.map((title) => known.get(plainTitle(title)));
  const missing = needed.filter((name) => !names.includes(name));
  const unknown = keepsOthers ? [] : titles.filter((_, place) => names[place] === undefined);
  const first = new Map(names.map((name, place) => [name, place] as const).toReversed());
  const doubled = names.filter((name, place) => name !== undefined && first.get(name) !== place);
  const wrong = [
    missing.length > 0 ? `il manque ${missing.map(spelled).join(", ")}` : null,
    unknown.length > 0
      ? `inconnu : ${unknown.map((title) => `«\u00a0${title.slice(0, 40)}\u00a0»`).join(", ")}`
      : null,
    doubled.length > 0
      ? `deux fois : ${doubled.map((name) => spelled(name as Column)).join(", ")}`
      : null,
  ].filter((one) => one !== null);
  return wrong.length > 0 ? wrong.join(" ; ").slice(0, 300) : names;
}
