// The columns of the contract's rows that say who may call: each as a site that can vanish.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join, relative } from "node:path";
import { everyRow } from "#contract/api.ts";
import type { Access, Row, RowRight } from "#contract/endpoint.ts";
import type { Site } from "./instrument.ts";

/** A column of one row. */
export interface ColumnSite extends Site {
  rowName: string;
  /** The same row with the column as it would be without the check. */
  without: Partial<Pick<Row, "access" | "right">>;
  row: Row;
}

const weaker: Partial<Record<Access, Access>> = {
  holder: "person",
  professional: "person",
  person: "session",
};

/** Every `access` and `right` that keeps somebody out. */
export async function columnSites(root: string): Promise<ColumnSite[]> {
  const places = await placesOfRows(root);
  return everyRow().flatMap(({ name, row }): ColumnSite[] => {
    const place = places.get(row.path);
    if (!place) throw new Error(`no file of the contract holds ${row.path}`);
    const made: ColumnSite[] = [];
    const add = (column: "access" | "right", value: Access | RowRight) => {
      const was = `${column}: "${row[column]}"`;
      const becomes = `${column}: "${value}"`;
      const lineText = `${name} ${was}`;
      made.push({
        ...place,
        lineText,
        was,
        becomes,
        rowName: name,
        without: { [column]: value },
        row,
      });
    };
    const access = weaker[row.access];
    if (access) add("access", access);
    if (row.right && row.right !== "anyone")
      add("right", row.right === "anyRole" ? "anyone" : "anyRole");
    return made;
  });
}

/** Where each path of the contract stands. */
async function placesOfRows(root: string): Promise<Map<string, { file: string; line: number }>> {
  const places = new Map<string, { file: string; line: number }>();
  for await (const path of glob(join(root, "contract/**/*.ts"))) {
    if (path.endsWith(".test.ts")) continue;
    for (const [index, text] of readFileSync(path, "utf8").split("\n").entries()) {
      const found = /\bpath: [`"]([^`"]+)[`"]/.exec(text)?.[1];
      if (found) places.set(found, { file: relative(root, path), line: index + 1 });
    }
  }
  return places;
}
