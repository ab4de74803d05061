// Streams the CSV files of a feed: parses a chunk, takes its rows, writes full batches, then reads the next
// chunk; memory does not grow with the file.
import { finished } from "node:stream/promises";
import { parse } from "csv-parse";
import { formatCount } from "#contract/french.ts";
import { transit as limits } from "#contract/limits.ts";
import type { FeedFiles } from "./feed-files.ts";
import { FeedText } from "./feed-text.ts";
import { FeedRefused, type Report } from "./report.ts";

/** One row: the values of the requested columns, "" where the file has none. */
type Take = (values: readonly string[], line: number) => void;

export interface FeedReader {
  files: FeedFiles;
  report: Report;
  /** Called with the progress of long files, French. */
  progress: (line: string) => void;
}

export interface CsvFile {
  file: string;
  /** Columns without which the file is useless. */
  required: readonly string[];
  /** Columns that may be missing. */
  optional?: readonly string[];
  take: Take;
  /** Writes the rows taken so far, when they fill a batch. */
  flush?: () => Promise<void>;
}

const progressEvery = 500_000;

/**
 * Reads a file that may be missing (then gives false). Values come in the order required, optional.
 * Throws `FeedRefused` when the file cannot be read or lacks a column.
 */
export async function readCsvFile(reading: FeedReader, sheet: CsvFile): Promise<boolean> {
  const { files, report, progress } = reading;
  const { file, flush } = sheet;
  if (!files.has(file)) return false;
  const started = performance.now();
  let progressAt = 0;
  const rows = rowsOf(reading, sheet);
  const text = new FeedText(file);
  const parser = parse({
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: limits.recordBytes,
    on_record: (record: string[], { lines }) => {
      rows(record, lines);
      return null;
    },
  });
  // Listened to from the beginning: a short file may fail before its last chunk is awaited.
  const parsed = finished(parser);
  parsed.catch(() => {});
  parser.resume();
  try {
    for await (const chunk of await files.open(file)) {
      parser.write(text.decode(chunk as Buffer));
      if (parser.errored) throw parser.errored;
      if (flush) await flush();
      const count = report.rows[file] ?? 0;
      if (count >= progressAt + progressEvery) {
        progressAt = count - (count % progressEvery);
        progress(`${file} : ${formatCount(progressAt)} lignes, ${seconds(started)}`);
      }
    }
    parser.end(text.end());
    await parsed;
  } catch (error) {
    throw refusal(file, error, parser.info.lines);
  }
  if (text.encoding !== "utf-8") report.note(`${file} : lu en ${encodingNames.get(text.encoding)}`);
  if (report.rows[file] === undefined) throw new FeedRefused(`${file} est vide.`);
  report.requireMostRowsValid(file);
  return true;
}

const encodingNames: ReadonlyMap<string, string> = new Map([
  ["windows-1252", "Windows-1252, faute d'UTF-8"],
  ["utf-16le", "UTF-16"],
  ["utf-16be", "UTF-16"],
]);

const seconds = (started: number) => `${((performance.now() - started) / 1000).toFixed(0)} s`;

/** Reads the header, then gives each row as the requested values. */
function rowsOf({ report }: FeedReader, { file, required, optional = [], take }: CsvFile): Take {
  let places: number[] | null = null;
  let count = 0;
  return (record, line) => {
    if (places) {
      count += 1;
      report.rows[file] = count;
      if (count > limits.rowsPerFile) throw new FeedRefused(`${file} a trop de lignes.`);
      take(
        places.map((place) => record[place] ?? ""),
        line,
      );
      return;
    }
    const names = record.map((name) => name.toLowerCase());
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      throw new FeedRefused(`${file} : il manque la colonne ${missing.join(", ")}.`);
    }
    places = [...required, ...optional].map((name) => names.indexOf(name));
    report.rows[file] = 0;
  };
}

function refusal(file: string, error: unknown, line: number): unknown {
  if (error instanceof FeedRefused) return error;
  const code = (error as { code?: string }).code ?? "";
  if (code.startsWith("CSV_")) {
    const quote = code === "CSV_MAX_RECORD_SIZE" || code === "CSV_QUOTE_NOT_CLOSED";
    const why = quote ? "un guillemet n'est pas fermé" : "ce n'est pas du CSV";
    return new FeedRefused(`${file} est illisible vers la ligne ${line} : ${why}.`, {
      cause: error,
    });
  }
  // An error of the database is an internal one; one of the archive is the feed's.
  const sqlState = /^[0-9A-Z]{5}$/.test(code);
  if (sqlState || !(error instanceof Error)) return error;
  return new FeedRefused(`${file} est illisible (${error.message}).`, { cause: error });
}
