// Reads a CSV file made with a spreadsheet: detects its encoding and separator, and splits its lines.
import { CsvError, parse } from "csv-parse/sync";
import { plainText } from "#contract/plain-text.ts";

export type Encoding = "utf-8" | "utf-16" | "windows-1252";

/** The text of a file, and its encoding. */
export interface DecodedText {
  text: string;
  encoding: Encoding;
}

/** A record with the line on which it begins, the first of the file being 1. */
export interface CsvRecord {
  record: string[];
  line: number;
}

/**
 * The text of a file, without its byte order mark; null when its encoding is unknown. UTF-16 is recognised by
 * its mark or by the zeros of its first characters. Text that is not valid UTF-8 is read as Windows-1252, and
 * refused when that gives control characters: it is binary, or another encoding.
 */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const utf16 = utf16Label(bytes);
  if (utf16) return decoded(bytes, utf16, "utf-16");
  return decoded(bytes, "utf-8", "utf-8") ?? decoded(bytes, "windows-1252", "windows-1252");
}

// Controls that no text has; Windows-1252 leaves five bytes of 0x80 to 0x9f without a character.
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\u0008\u000e-\u001f\u007f-\u009f]/;

function decoded(bytes: Uint8Array, label: string, encoding: Encoding): DecodedText | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return binary.test(text) ? null : { text, encoding };
  } catch {
    return null;
  }
}

function utf16Label(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first && second === 0 && third && fourth === 0) return "utf-16le";
  if (first === 0 && second && third === 0 && fourth) return "utf-16be";
  return null;
}

const separators = [";", ",", "\t"] as const;

/** The most frequent separator outside quotes in the first line that is not empty. */
function separatorOf(text: string): (typeof separators)[number] {
  const first = text.split("\n").find((line) => line.trim() !== "") ?? "";
  const bare = first.replaceAll(/"[^"]*"/g, "");
  const counted = separators.map((one) => ({ one, count: bare.split(one).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

/**
 * The first `max` records of a text without the empty ones, cells trimmed, the separator detected; a line
 * `sep=;` of Excel at the top is obeyed. The rest is not read. Returns a French sentence when this is no CSV.
 */
export function csvRecords(text: string, max: number): CsvRecord[] | string {
  // One kind of line end: the parser counts two lines for CRLF inside quotes.
  const lines = plainText(text).replaceAll(/\r\n?/g, "\n");
  const separatorLine = /^sep=([;,\t])\n/i.exec(lines);
  const skipped = separatorLine ? 1 : 0;
  const body = separatorLine ? lines.slice(separatorLine[0].length) : lines;
  try {
    const rows = parse(body, {
      delimiter: separatorLine?.[1] ?? separatorOf(body),
      trim: true,
      info: true,
      relax_column_count: true,
      // A list written as ["a","b"] in a cell without quotes of its own.
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: 10_000,
      to: max,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({
      record,
      line: info.lines - breaksIn(record) + skipped,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines: at = 1 } = error as { lines?: number };
    return `Le fichier est illisible vers la ligne ${at + skipped} : un guillemet n'est pas fermé ou est mal placé.`;
  }
}

const breaksIn = (record: string[]) => record.join("").split("\n").length - 1;
