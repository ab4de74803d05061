// Reads a file of the French schema « menus-collectifs » as menus by day: its columns under either spelling,
// and the faults of each line, in French. It does not look at existing menus.
import type { MenuFileFault } from "#contract/kitchen/menu-import.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import { courses } from "#contract/kitchen/states.ts";
import { addDays } from "#contract/days.ts";
import { plural } from "#contract/french.ts";
import { FileFaults } from "#server/http/line-files.ts";
import { dayIn } from "#server/http/typed-day.ts";
import { DishReader, distinct, type ReadDish, abbreviate } from "./menu-file-dishes.ts";
import { type Line, menuLines, sourceOf, spellings } from "./menu-file-lines.ts";
import { withSubstitutes } from "./menu-file-substitutes.ts";
import { folded, isLunch } from "./menu-vocabulary.ts";
import type { MenuDay } from "./menus.ts";

/** Content of a file for one of its sources. */
export interface MenuFile {
  sources: string[];
  source: string;
  /** By day, the earliest first. */
  days: MenuDay[];
  /** Faults of every source while none is chosen, else of the chosen one. */
  faults: MenuFileFault[];
  /** There may be more faults than those. */
  stopped: boolean;
  notes: string[];
}

export interface MenuFileTask {
  bytes: Uint8Array;
  /** The chosen source; the first by default. */
  source: string | undefined;
  prices: boolean;
  today: string;
}

/**
 * Reads a file of menus. Refuses `menu_file_type` when it is another format by its content,
 * `menu_file_unreadable` and `menu_file_columns`; what is wrong with a line is among the faults. Days before
 * `today` and more than a year later are left out, the former with a note, the others as faults.
 */
export async function readMenuFile({
  bytes,
  source,
  prices,
  today,
}: MenuFileTask): Promise<MenuFile> {
  const { titles, lines } = await menuLines(bytes);
  const linesBySource = Map.groupBy(lines, sourceOf);
  const sources = [...linesBySource.keys()];
  const isChosen = source !== undefined && linesBySource.has(source);
  const chosen = isChosen ? source : (sources[0] ?? "");
  const found = new FileFaults<MenuFileFault>();
  const reading = new Reading(found, today, prices);
  let days: MenuDay[] = [];
  found.collect(() => {
    days = reading.read(linesBySource.get(chosen) ?? [], titles.length);
    if (isChosen) return;
    for (const other of sources.slice(1)) {
      new Reading(found, today, prices).read(linesBySource.get(other) ?? [], titles.length);
    }
  });
  const faults = found.list.toSorted((one, other) => one.line - other.line);
  return {
    sources,
    source: chosen,
    days: faults.length > 0 ? [] : days,
    faults,
    stopped: found.stopped,
    notes: reading.notes(days),
  };
}

const maxDishes = 15;
const maxNoteLength = 300;
/** Words of one kind that a note names, at most. */
const maxWords = 10;

interface ReadDay {
  /** By course and folded name. */
  dishes: Map<string, ReadDish>;
  occasions: Set<string>;
  line: Line;
}

/** The lines of one source, taken one by one. */
class Reading {
  readonly #faults: FileFaults<MenuFileFault>;
  readonly #dishes: DishReader;
  readonly #days = new Map<string, ReadDay>();
  readonly #left = { past: new Set<string>(), meals: 0, twice: 0 };
  readonly #otherMeals = new Set<string>();
  readonly #substitutes: string[] = [];
  readonly #today: string;

  constructor(faults: FileFaults<MenuFileFault>, today: string, prices: boolean) {
    this.#faults = faults;
    this.#dishes = new DishReader(faults, prices);
    this.#today = today;
  }

  read(lines: readonly Line[], columns: number): MenuDay[] {
    for (const line of lines) this.#take(line, columns);
    return this.#result();
  }

  #take(line: Line, columns: number): void {
    const meal = line.cell("meal");
    if (!isLunch(meal)) {
      this.#left.meals++;
      this.#otherMeals.add(abbreviate(meal));
      return;
    }
    const before = this.#faults.list.length;
    if (line.values > columns) {
      const what = `${line.values} valeurs pour ${columns} titres : mettez entre guillemets la cellule qui contient le séparateur`;
      this.#faults.add({ source: sourceOf(line), line: line.line, column: "", what });
      return;
    }
    const day = this.#dayOf(line);
    const one = this.#dishes.read(line);
    if (this.#faults.list.length > before || day === null || one === null) return;
    if (day < this.#today) this.#left.past.add(day);
    else this.#add(line, day, one);
  }

  #dayOf(line: Line): string | null {
    const typed = line.cell("date");
    const day = dayIn(typed);
    if (day === null) {
      const read =
        typed === "" ? "la date manque" : `«\u00a0${abbreviate(typed)}\u00a0» n’est pas une date`;
      return this.#dishes.fault(line, "date", `${read} : écrivez AAAA-MM-JJ ou JJ/MM/AAAA`);
    }
    if (day > addDays(this.#today, 366)) {
      const what = "ce jour est à plus d’un an : vérifiez l’année";
      return this.#dishes.fault(line, "date", what);
    }
    return day;
  }

  #add(line: Line, day: string, one: ReadDish): void {
    const menu = this.#days.get(day) ?? { dishes: new Map(), occasions: new Set(), line };
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
      same.regimes = sharedRegimes(same.regimes, one.regimes);
      same.priceCents ??= one.priceCents;
      this.#left.twice++;
    } else menu.dishes.set(key, one);
    if (!same && menu.dishes.size === maxDishes + 1) {
      const what = `ce jour a plus de ${maxDishes} plats : retirez-en`;
      this.#dishes.fault(line, "name", what);
    }
  }

  #result(): MenuDay[] {
    const menus = [...this.#days].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return menus.map(([day, { dishes, occasions, line }]) => {
      const note = [...occasions].join(" · ");
      if (note.length > maxNoteLength) {
        const what = `les précisions de ce jour dépassent ${maxNoteLength} caractères : raccourcissez-les`;
        const [column] = spellings.occasion;
        this.#faults.add({ source: sourceOf(line), line: line.line, column, what });
      }
      const read = withSubstitutes([...dishes.values()]);
      this.#substitutes.push(...read.substitutes);
      const ordered = read.dishes.toSorted(
        (one, other) => courses.indexOf(one.course) - courses.indexOf(other.course),
      );
      return { day, note: note.slice(0, maxNoteLength), dishes: ordered };
    });
  }

  /** French: what was left out or put elsewhere, and what to look at. */
  notes(days: readonly MenuDay[]): string[] {
    const { past, meals, twice } = this.#left;
    const { unknownCourses, unknownDiets, unknownLabels } = this.#dishes;
    const substitutes = new Set(this.#substitutes);
    const undeclared = days
      .flatMap(({ dishes }) => dishes)
      .filter(({ allergens }) => allergens === null);
    const said = [
      past.size > 0 &&
        `${plural(past.size, "jour passé est laissé", "jours passés sont laissés")} comme servi.`,
      meals > 0 &&
        `${plural(meals, "ligne n’est pas", "lignes ne sont pas")} du déjeuner (${named(this.#otherMeals)})\u202f: laissée${meals > 1 ? "s" : ""} de côté.`,
      twice > 0 &&
        `${plural(twice, "ligne répète", "lignes répètent")} un plat du même jour\u202f: réunies.`,
      unknownCourses.size > 0 &&
        `Types de plat que le portail ne connaît pas, rangés dans «\u00a0Autre\u00a0» et gardés dans le nom du plat\u202f: ${named(unknownCourses)}.`,
      substitutes.size > 0 &&
        `Plats lus comme remplaçant, pour un régime, ceux de leur type\u202f: ${named(substitutes)}. Écrivez pour qui dans la colonne menuPlatPourRegime si ce n’est pas cela.`,
      unknownDiets.size > 0 &&
        `Régimes que le portail ne connaît pas, gardés dans le nom du plat\u202f: ${named(unknownDiets)}.`,
      unknownLabels.size > 0 &&
        `Mentions que le portail n’affiche pas\u202f: ${named(unknownLabels)}.`,
      undeclared.length > 0 &&
        `Allergènes non renseignés pour ${plural(undeclared.length, "plat")}\u202f: les familles d’enfants allergiques en seront averties. Écrivez «\u00a0aucun\u00a0» dans la colonne s’il n’y en a pas.`,
    ];
    return said.filter((one) => one !== false);
  }
}

function named(words: ReadonlySet<string>): string {
  const more = words.size - maxWords;
  return [...words].slice(0, maxWords).join(", ") + (more > 0 ? ` et ${more} de plus` : "");
}

/** What two lines declare about one dish; a line that declares nothing adds nothing. */
const bothOf = (one: Dish["allergens"], other: Dish["allergens"]): Dish["allergens"] =>
  one && other ? distinct([...one, ...other]) : (one ?? other);

/** A dish that one line names without a diet is for everybody. */
const sharedRegimes = (one: ReadDish["regimes"], other: ReadDish["regimes"]) =>
  one.length > 0 && other.length > 0 ? distinct([...one, ...other]) : [];
