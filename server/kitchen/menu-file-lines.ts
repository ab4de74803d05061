// The lines of a file of menus: which columns it has, under any of their spellings, and the restaurant of
// each line.
import { menuFile as limits } from "#contract/kitchen/limits.ts";
import type { DishLabel } from "#contract/kitchen/states.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount } from "#contract/french.ts";
import { csvTable, type TableRules } from "#server/http/csv-columns.ts";
import { fileTooLarge } from "#server/http/upload.ts";
import { folded, labelOfTitle } from "./menu-vocabulary.ts";

/** Each column under the name of version 1.2 and those of earlier ones, without case. */
export const spellings = {
  date: ["menuDate"],
  meal: ["menuRepasType", "menuTypeRepas"],
  course: ["menuPlatType", "menuTypePlat"],
  name: ["menuPlatNom", "menuNomPlat"],
  quality: ["menuPlatSiqo", "menuSiqoPlat"],
  labels: ["menuPlatLabel", "menuLabelPlat"],
  diet: ["menuPlatRegime", "menuRegimePlat"],
  allergens: ["menuPlatAllergene", "menuAllergenePlat"],
  // Our own: `diet` says what a dish is, this one to whom it is served in place of the others.
  servedTo: ["menuPlatPourRegime"],
  occasion: ["menuPlatPrecision", "menuPrecisionPlat"],
  price: ["menuPlatPrix", "menuPrixPlat"],
  restaurant: ["menuRestaurantNom", "restaurantNom"],
  guests: ["menuRestaurantConvive", "restaurantConvive"],
} as const;
export type Column = keyof typeof spellings;
const spelled = Object.entries(spellings) as [Column, readonly string[]][];

export interface Line {
  line: number;
  /** A cell, "" where the file has no such column. */
  cell: (column: Column) => string;
  /** The column as the file spells it. */
  title: (column: Column) => string;
  has: (column: Column) => boolean;
  /**
   * Its cells in the columns that are each about one label, as some exports have them, the empty ones left
   * out.
   */
  labelCells: () => LabelCell[];
  values: number;
}

interface LabelCell {
  label: DishLabel;
  title: string;
  cell: string;
}

const rules: TableRules<Column> = {
  maxBytes: limits.bytes,
  // The titles are one of them.
  maxLines: limits.lines - 1,
  needed: ["date", "course", "name"],
  keepsOthers: true,
  byTitle: Object.fromEntries(
    spelled.flatMap(([column, names]) => names.map((name) => [name.toLowerCase(), column])),
  ),
  spelled: (column) => spellings[column].join(" ou "),
  refuse: {
    tooLarge: () => fileTooLarge(limits.bytes),
    type: (kind) =>
      kind
        ? new Problem("menu_file_type", { kind })
        : unreadable("son encodage est inconnu. Enregistrez-le en «\u00a0CSV UTF-8\u00a0»"),
    unreadable: (why) =>
      unreadable(`${why.replace("Le fichier est illisible ", "")} Corrigez cette ligne`),
    columns: (what, line) => new Problem("menu_file_columns", { line, what }),
  },
};
const unreadable = (why: string) => new Problem("menu_file_unreadable", { why });

/** Refuses `menu_file_type`, `menu_file_unreadable` and `menu_file_columns`. */
export async function menuLines(bytes: Uint8Array): Promise<{ titles: string[]; lines: Line[] }> {
  if (bytes.length === 0) throw unreadable("il est vide. Choisissez-en un autre");
  const { titles, columns, lines: rows } = await csvTable(bytes, rules);
  if (rows.length > rules.maxLines) {
    throw unreadable(`il dépasse ${formatCount(limits.lines)} lignes. Partagez-le`);
  }
  if (rows.length === 0) throw unreadable("il n’a aucun plat sous sa ligne de titres");
  const places = new Map(columns.map((column, place) => [column, place]));
  const placeOf = (column: Column) => places.get(column) ?? -1;
  const title = (column: Column) => titles[placeOf(column)] ?? spellings[column][0];
  const has = (column: Column) => places.has(column);
  const labelColumns = titles.flatMap((named, place) => {
    const label = columns[place] ? null : labelOfTitle(named);
    return label ? [{ label, title: named, place }] : [];
  });
  const lines = rows.map(({ record, line }) => ({
    line,
    title,
    has,
    labelCells: () =>
      labelColumns
        .map(({ place, ...column }) => ({ ...column, cell: record[place] ?? "" }))
        .filter(({ cell }) => cell !== ""),
    values: record.length,
    cell: (column: Column) => record[placeOf(column)] ?? "",
  }));
  return { titles, lines };
}

/** « École Jules-Ferry, maternelle »; "" where the file names no restaurant. */
export function sourceOf({ cell }: Line): string {
  const guests = cell("guests");
  const all = guests === "" || folded(guests) === "tous";
  return [cell("restaurant"), all ? "" : guests].filter(Boolean).join(", ").slice(0, 300);
}
