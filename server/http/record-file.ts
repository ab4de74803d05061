// A CSV with one record a line: each line under the titles becomes an item, or a fault in French.
import type { DecodedText } from "./csv-reader.ts";
import { csvTable, type TableRules } from "./csv-columns.ts";
import { FileFaults } from "./line-files.ts";

interface LineFault {
  /** Of the file, the first being 1. */
  line: number;
  what: string;
}

export interface RecordFile<Item> {
  encoding: DecodedText["encoding"];
  /** The lines that are right. */
  items: Item[];
  faults: LineFault[];
  /** The reading stopped at the last fault: there may be more. */
  stopped: boolean;
}

export interface RecordRules<Column extends string> extends TableRules<Column> {
  /** « aucune carte », « cartes »: for a file without any, and one with too many. */
  words: { none: string; many: string };
  maxFaults?: number;
}

/** A line by its cells, "" where it has no such column; faults are added to `wrong`. */
export interface RecordLine<Column extends string> {
  line: number;
  cell: (column: Column) => string;
  wrong: string[];
}

/** Reads a file with `read`, whose item counts if it found no fault. Refuses as `csvTable` does. */
export async function readRecords<Column extends string, Item>(
  bytes: Uint8Array,
  { words, maxFaults, ...rules }: RecordRules<Column>,
  read: (line: RecordLine<Column>) => Item,
): Promise<RecordFile<Item>> {
  const { encoding, columns, lines } = await csvTable(bytes, rules);
  const faults = new FileFaults<LineFault>(maxFaults);
  const items: Item[] = [];
  const tooMany = lines[rules.maxLines];
  const places = new Map(columns.map((column, place) => [column, place]));
  faults.collect(() => {
    if (lines.length === 0) {
      faults.add({ line: 1, what: `${words.none} sous la ligne de titres` });
    }
    if (tooMany) {
      faults.add({ line: tooMany.line, what: `plus de ${rules.maxLines} ${words.many}` });
      return;
    }
    for (const { record, line } of lines) {
      if (record.length !== columns.length) {
        const what = `${record.length} valeurs au lieu de ${columns.length}`;
        faults.add({ line, what });
        continue;
      }
      const wrong: string[] = [];
      const item = read({ line, wrong, cell: (column) => record[places.get(column) ?? -1] ?? "" });
      if (wrong.length > 0) faults.add({ line, what: wrong.join(" ; ") });
      else items.push(item);
    }
  });
  return { encoding, items, faults: faults.list, stopped: faults.stopped };
}
