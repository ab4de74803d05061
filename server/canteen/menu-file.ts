// A file of the French schema « menus-collectifs » as menus by day: which columns it has under either
// spelling, and what is wrong with each line, in French. It knows nothing of the menus that are there.
import * as z from "zod/mini";
import type { MenuFileFault } from "#contract/canteen/menu-import.ts";
import type { Dish } from "#contract/canteen/menus.ts";
import { courses, type DishLabel } from "#contract/canteen/states.ts";
import { addDays } from "#contract/days.ts";
import * as c from "#contract/endpoint.ts";
import { parseMoney, plural } from "#contract/french.ts";
import { FileFaults } from "#server/http/line-files.ts";
import { type Column, type Line, menuLines, sourceOf, spellings } from "./menu-file-lines.ts";
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

/** What a file says of one of its sources. */
export interface MenuFile {
  sources: string[];
  source: string;
  /** By day, the earliest first. */
  days: MenuDay[];
  faults: MenuFileFault[];
  /** There may be more faults than those. */
  stopped: boolean;
  notes: string[];
}

export interface MenuFileTask {
  bytes: Uint8Array;
  /** The one that is wanted; the first where it is not told. */
  source: string | undefined;
  prices: boolean;
  today: string;
}

/**
 * Reads a file of menus. Refuses `menu_file_type` when it is another format by its content,
 * `menu_file_unreadable` and `menu_file_columns`; what is wrong with a line is among the faults. Days
 * before `today` and more than a year later are left out, the first told as a note, the others as faults.
 */
export async function readMenuFile({
  bytes,
  source,
  prices,
  today,
}: MenuFileTask): Promise<MenuFile> {
  const { titles, lines } = await menuLines(Buffer.from(bytes));
  const sources = [...new Set(lines.map(sourceOf))];
  const chosen = source !== undefined && sources.includes(source) ? source : (sources[0] ?? "");
  const own = lines.filter((line) => sourceOf(line) === chosen);
  const reading = new Reading(today, prices);
  return { sources, source: chosen, ...reading.read(own, titles.length) };
}

const mostDishes = 15;
const mostNote = 300;
// Accents read once in the wrong encoding and written again.
const broken = /\ufffd|Ã[\u0080-\u00bf]|â€|Å“/;
const isDay = (day: string) => z.safeParse(c.day, day).success;

interface ReadDay {
  /** By course and folded name. */
  dishes: Map<string, Dish>;
  occasions: Set<string>;
  line: number;
}

/** The lines of one source, taken one by one. */
class Reading {
  readonly #faults = new FileFaults<MenuFileFault>();
  readonly #days = new Map<string, ReadDay>();
  readonly #left = { past: new Set<string>(), meals: 0, twice: 0 };
  readonly #unknownLabels = new Set<string>();
  readonly #today: string;
  readonly #prices: boolean;

  constructor(today: string, prices: boolean) {
    this.#today = today;
    this.#prices = prices;
  }

  read(
    lines: readonly Line[],
    columns: number,
  ): Pick<MenuFile, "days" | "faults" | "stopped" | "notes"> {
    let days: MenuDay[] = [];
    this.#faults.collect(() => {
      for (const line of lines) this.#take(line, columns);
      days = this.#result();
    });
    const { list, stopped } = this.#faults;
    const faults = list.toSorted((one, other) => one.line - other.line);
    return {
      days: faults.length > 0 ? [] : days,
      faults,
      stopped,
      notes: this.#notes(days),
    };
  }

  #take(line: Line, columns: number): void {
    if (!isLunch(line.cell("meal"))) {
      this.#left.meals++;
      return;
    }
    const before = this.#faults.list.length;
    if (line.values > columns) {
      const what = `${line.values} valeurs pour ${columns} titres : mettez entre guillemets la cellule qui contient le séparateur`;
      this.#faults.add({ line: line.line, column: "", what });
      return;
    }
    const day = this.#dayOf(line);
    const one = this.#dishOf(line);
    if (this.#faults.list.length > before || day === null || one === null) return;
    if (day < this.#today) this.#left.past.add(day);
    else this.#add(line, day, one);
  }

  #fault(line: Line, column: Column, what: string): null {
    this.#faults.add({ line: line.line, column: line.title(column), what });
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
    const menu = this.#days.get(day) ?? {
      dishes: new Map(),
      occasions: new Set(),
      line: line.line,
    };
    this.#days.set(day, menu);
    const occasion = line.cell("occasion").replaceAll(/\s+/g, " ");
    if (occasion !== "") menu.occasions.add(occasion);
    // A file repeats a dish for each texture: what one of the lines says of it counts.
    const key = `${one.course} ${folded(one.name)}`;
    const same = menu.dishes.get(key);
    if (same) {
      same.labels = distinct([...same.labels, ...one.labels]);
      same.allergens = bothOf(same.allergens, one.allergens);
      same.diets = distinct([...same.diets, ...one.diets]);
      same.priceCents ??= one.priceCents;
      this.#left.twice++;
    } else menu.dishes.set(key, one);
    if (!same && menu.dishes.size === mostDishes + 1) {
      this.#fault(line, "name", `ce jour a plus de ${mostDishes} plats : retirez-en`);
    }
  }

  #result(): MenuDay[] {
    const menus = [...this.#days].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return menus.map(([day, { dishes, occasions, line }]) => {
      const note = [...occasions].join(" · ");
      if (note.length > mostNote) {
        const what = `les précisions de ce jour dépassent ${mostNote} caractères : raccourcissez-les`;
        this.#faults.add({ line, column: spellings.occasion[0], what });
      }
      const ordered = [...dishes.values()].toSorted(
        (one, other) => courses.indexOf(one.course) - courses.indexOf(other.course),
      );
      return { day, note: note.slice(0, mostNote), dishes: ordered };
    });
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
