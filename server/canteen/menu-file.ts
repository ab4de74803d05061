// A file of the French schema « menus-collectifs » as menus by day: which columns it has under either
// spelling, and what is wrong with each line, in French. It knows nothing of the menus that are there.
import * as z from "zod/mini";
import { menuFile as limits } from "#contract/canteen/limits.ts";
import type { MenuFileFault } from "#contract/canteen/menu-import.ts";
import type { Dish } from "#contract/canteen/menus.ts";
import { courses, type DishLabel } from "#contract/canteen/states.ts";
import { addDays } from "#contract/days.ts";
import * as c from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount, parseMoney, plural } from "#contract/french.ts";
import { type CsvRecord, csvRecords, decodeText } from "#server/http/csv-reader.ts";
import { mimeOf } from "#server/http/upload.ts";
import { kindOfFile } from "./menu-file-kind.ts";
import {
  allergensIn,
  courseIn,
  dietsIn,
  folded,
  isLunch,
  isUndeclared,
  labelIn,
  listIn,
} from "./menu-vocabulary.ts";
import type { MenuDay } from "./menus.ts";

/** Each column under the name of version 1.2 and those of earlier ones, without case. */
const spellings = {
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
type Column = keyof typeof spellings;
const needed = ["date", "course", "name"] as const satisfies readonly Column[];
const spelled = Object.entries(spellings) as [Column, readonly string[]][];

/** What a file says of one of its sources. */
export interface MenuFile {
  sources: string[];
  source: string;
  /** By day, the earliest first. */
  days: MenuDay[];
  faults: MenuFileFault[];
  notes: string[];
}

interface Line {
  line: number;
  /** A cell, "" where the file has no such column. */
  cell: (column: Column) => string;
  /** The column as the file spells it. */
  title: (column: Column) => string;
  values: number;
}

/**
 * Reads a file of menus. Refuses `menu_file_type` when it is another format by its content,
 * `menu_file_unreadable` and `menu_file_columns`; what is wrong with a line is among the faults. Days
 * before `today` and more than a year later are left out, the first told as a note, the others as faults.
 */
export async function readMenuFile(
  bytes: Buffer,
  { source, prices, today }: { source: string | undefined; prices: boolean; today: string },
): Promise<MenuFile> {
  const { titles, lines } = linesOf(await recordsOf(bytes));
  const sources = [...new Set(lines.map(sourceOf))];
  const chosen = source !== undefined && sources.includes(source) ? source : (sources[0] ?? "");
  const own = lines.filter((line) => sourceOf(line) === chosen);
  const reading = new Reading(today, prices);
  for (const line of own) reading.take(line, titles.length);
  return { sources, source: chosen, ...reading.result() };
}

async function recordsOf(bytes: Buffer): Promise<CsvRecord[]> {
  const unreadable = (why: string) => new Problem("menu_file_unreadable", { why });
  if (bytes.length === 0) throw unreadable("il est vide. Choisissez-en un autre");
  const kind = kindOfFile(await mimeOf(bytes), bytes);
  if (kind) throw new Problem("menu_file_type", { kind });
  if (bytes.length > limits.bytes) {
    throw unreadable("il dépasse 2 Mo. Partagez-le par mois ou par restaurant");
  }
  const file = decodeText(bytes);
  if (!file)
    throw unreadable("son encodage est inconnu. Enregistrez-le en «\u00a0CSV UTF-8\u00a0»");
  const records = csvRecords(file.text);
  if (typeof records === "string") {
    throw unreadable(`${records.replace("Le fichier est illisible ", "")} Corrigez cette ligne`);
  }
  if (records.length > limits.lines) {
    throw unreadable(`il dépasse ${formatCount(limits.lines)} lignes. Partagez-le`);
  }
  if (records.length < 2) throw unreadable("il n’a aucun plat sous sa ligne de titres");
  return records;
}

function linesOf([header, ...rows]: CsvRecord[]): { titles: string[]; lines: Line[] } {
  const titles = header?.record ?? [];
  const columns = titles.map((title) => {
    const bare = title.toLowerCase().replaceAll(/[^a-z]/g, "");
    return spelled.find(([, names]) => names.some((name) => name.toLowerCase() === bare))?.[0];
  });
  const missing = needed.filter((column) => !columns.includes(column));
  const twice = columns.filter((one, place) => one && columns.indexOf(one) !== place);
  const wrong = [
    missing.length > 0 &&
      `il manque ${missing.map((column) => spellings[column].join(" ou ")).join(", ")}`,
    twice.length > 0 && `deux fois ${twice.map((one) => one && spellings[one][0]).join(", ")}`,
  ].filter((one) => one !== false);
  if (wrong.length > 0) {
    throw new Problem("menu_file_columns", { line: header?.line ?? 1, what: wrong.join(" ; ") });
  }
  const title = (column: Column) => titles[columns.indexOf(column)] ?? spellings[column][0];
  const lines = rows.map(({ record, line }) => ({
    line,
    title,
    values: record.findLastIndex((value) => value !== "") + 1,
    cell: (column: Column) => record[columns.indexOf(column)] ?? "",
  }));
  return { titles, lines };
}

/** « École Jules-Ferry, maternelle »; "" where the file names no restaurant. */
function sourceOf({ cell }: Line): string {
  const guests = cell("guests");
  const all = guests === "" || folded(guests) === "tous";
  return [cell("restaurant"), all ? "" : guests].filter(Boolean).join(", ").slice(0, 300);
}

const mostDishes = 15;
const mostNote = 300;
// Accents read once in the wrong encoding and written again.
const broken = /\ufffd|Ã[\u0080-\u00bf]|â€|Å“/;
const isDay = (day: string) => z.safeParse(c.day, day).success;

/** The lines of one source, taken one by one. */
class Reading {
  readonly #faults: MenuFileFault[] = [];
  readonly #days = new Map<string, { dishes: Dish[]; occasions: Set<string>; line: number }>();
  readonly #left = { past: new Set<string>(), meals: 0, twice: 0 };
  readonly #unknownLabels = new Set<string>();
  readonly #today: string;
  readonly #prices: boolean;

  constructor(today: string, prices: boolean) {
    this.#today = today;
    this.#prices = prices;
  }

  take(line: Line, columns: number): void {
    if (!isLunch(line.cell("meal"))) {
      this.#left.meals++;
      return;
    }
    const before = this.#faults.length;
    if (line.values > columns) {
      const what = `${line.values} valeurs pour ${columns} titres : mettez entre guillemets la cellule qui contient le séparateur`;
      this.#faults.push({ line: line.line, column: "", what });
      return;
    }
    const day = this.#dayOf(line);
    const one = this.#dishOf(line);
    if (this.#faults.length > before || day === null || one === null) return;
    if (day < this.#today) this.#left.past.add(day);
    else this.#add(line, day, one);
  }

  #fault(line: Line, column: Column, what: string): null {
    this.#faults.push({ line: line.line, column: line.title(column), what });
    return null;
  }

  #dayOf(line: Line): string | null {
    const typed = line.cell("date");
    const day = typed.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$2-$1");
    if (!isDay(day)) {
      const read =
        typed === "" ? "la date manque" : `«\u00a0${shown(typed)}\u00a0» n’est pas une date`;
      return this.#fault(line, "date", `${read} : écrivez AAAA-MM-JJ ou JJ/MM/AAAA`);
    }
    if (day > addDays(this.#today, 366)) {
      return this.#fault(line, "date", "ce jour est à plus d’un an : vérifiez l’année");
    }
    return day;
  }

  #dishOf(line: Line): Dish | null {
    const name = line.cell("name").replaceAll(/\s+/g, " ").normalize("NFC");
    if (name === "") this.#fault(line, "name", "le nom du plat manque : écrivez-le");
    else if (name.length > 160) {
      this.#fault(line, "name", "le nom dépasse 160 caractères : raccourcissez-le");
    } else if (broken.test(name)) {
      this.#fault(
        line,
        "name",
        "les accents sont abîmés : enregistrez à nouveau en «\u00a0CSV UTF-8\u00a0»",
      );
    }
    const typed = line.cell("course");
    const course = courseIn(typed);
    if (course === null) {
      const read =
        typed === "" ? "le type de plat manque" : `«\u00a0${shown(typed)}\u00a0» est inconnu`;
      const list = "entrée, plat principal, garniture, produit laitier, dessert, pain ou autre";
      this.#fault(line, "course", `${read} : écrivez ${list}`);
    }
    const typedAllergens = listIn(line.cell("allergens")).filter((item) => !isUndeclared(item));
    const allergens = typedAllergens.flatMap((item) => {
      const known = allergensIn(item);
      if (known) return known;
      const what = `l’allergène «\u00a0${shown(item)}\u00a0» n’est aucun des 14 de la réglementation : corrigez-le, ou retirez-le s’il n’en est pas un`;
      this.#fault(line, "allergens", what);
      return [];
    });
    const diets = listIn(line.cell("servedTo")).flatMap((item) => {
      const known = dietsIn(item);
      if (known) return known;
      const what = `le régime «\u00a0${shown(item)}\u00a0» est inconnu : écrivez sans porc, sans viande ou végétarien, ou rien si le plat est pour tous`;
      this.#fault(line, "servedTo", what);
      return [];
    });
    const priceCents = this.#priceOf(line);
    if (course === null || name === "") return null;
    const labels = this.#labelsOf(line);
    return {
      course,
      name,
      labels,
      // « Aucun » declares that there is none; nothing written declares nothing.
      allergens: typedAllergens.length > 0 ? distinct(allergens) : null,
      diets: distinct(diets),
      priceCents,
    };
  }

  #labelsOf(line: Line): DishLabel[] {
    const labels = new Set<DishLabel>();
    for (const column of ["quality", "labels", "diet"] as const) {
      for (const item of listIn(line.cell(column))) {
        const label = labelIn(item);
        if (label) labels.add(label);
        else if (!/^(?:aucune?|neant|sans|non|normal|standard|tous)$/.test(folded(item))) {
          this.#unknownLabels.add(shown(item));
        }
      }
    }
    return [...labels];
  }

  #priceOf(line: Line): number | null {
    const typed = line.cell("price");
    if (!this.#prices || typed === "") return null;
    const cents = parseMoney(typed);
    if (cents !== null && cents <= 10_000) return cents;
    return this.#fault(
      line,
      "price",
      `«\u00a0${shown(typed)}\u00a0» n’est pas un prix : écrivez des euros, 100 au plus, comme 1.25`,
    );
  }

  #add(line: Line, day: string, one: Dish): void {
    const menu = this.#days.get(day) ?? { dishes: [], occasions: new Set(), line: line.line };
    this.#days.set(day, menu);
    const occasion = line.cell("occasion").replaceAll(/\s+/g, " ");
    if (occasion !== "") menu.occasions.add(occasion);
    // A file repeats a dish for each texture: what one of the lines says of it counts.
    const same = menu.dishes.find(
      ({ course, name }) => course === one.course && folded(name) === folded(one.name),
    );
    if (same) {
      same.labels = distinct([...same.labels, ...one.labels]);
      same.allergens = bothOf(same.allergens, one.allergens);
      same.diets = distinct([...same.diets, ...one.diets]);
      same.priceCents ??= one.priceCents;
      this.#left.twice++;
    } else menu.dishes.push(one);
    if (!same && menu.dishes.length === mostDishes + 1) {
      this.#fault(line, "name", `ce jour a plus de ${mostDishes} plats : retirez-en`);
    }
  }

  result(): Pick<MenuFile, "days" | "faults" | "notes"> {
    const menus = [...this.#days].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const days = menus.map(([day, { dishes, occasions, line }]) => {
      const note = [...occasions].join(" · ");
      if (note.length > mostNote) {
        const what = `les précisions de ce jour dépassent ${mostNote} caractères : raccourcissez-les`;
        this.#faults.push({ line, column: spellings.occasion[0], what });
      }
      const ordered = dishes.toSorted(
        (one, other) => courses.indexOf(one.course) - courses.indexOf(other.course),
      );
      return { day, note: note.slice(0, mostNote), dishes: ordered };
    });
    const faults = this.#faults.toSorted((one, other) => one.line - other.line);
    return { days: faults.length > 0 ? [] : days, faults, notes: this.#notes(days) };
  }

  #notes(days: readonly MenuDay[]): string[] {
    const { past, meals, twice } = this.#left;
    const undeclared = days
      .flatMap(({ dishes }) => dishes)
      .filter(({ allergens }) => allergens === null);
    const said = [
      past.size > 0 &&
        `${plural(past.size, "jour passé est laissé", "jours passés sont laissés")} comme servi.`,
      meals > 0 &&
        `${plural(meals, "ligne n’est pas", "lignes ne sont pas")} du déjeuner\u202f: laissée${meals > 1 ? "s" : ""} de côté.`,
      twice > 0 &&
        `${plural(twice, "ligne répète", "lignes répètent")} un plat du même jour\u202f: réunies.`,
      this.#unknownLabels.size > 0 &&
        `Mentions que le portail n’affiche pas\u202f: ${[...this.#unknownLabels].slice(0, 10).join(", ")}.`,
      undeclared.length > 0 &&
        `Allergènes non renseignés pour ${plural(undeclared.length, "plat")}\u202f: les familles d’enfants allergiques en seront averties. Écrivez «\u00a0aucun\u00a0» dans la colonne s’il n’y en a pas.`,
    ];
    return said.filter((one) => one !== false);
  }
}

/** What two lines declare of one dish; a line that declares nothing adds nothing. */
const bothOf = (one: Dish["allergens"], other: Dish["allergens"]): Dish["allergens"] =>
  one && other ? distinct([...one, ...other]) : (one ?? other);

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** What somebody wrote, short enough for a sentence. */
const shown = (typed: string): string => (typed.length > 60 ? `${typed.slice(0, 57)}…` : typed);
