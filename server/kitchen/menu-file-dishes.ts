// The dish of a line of a file of menus: the faults of the line, and the words that no list of the portal
// has, which are kept as text and reported.
import type { MenuFileFault } from "#contract/kitchen/menu-import.ts";
import type { Dish } from "#contract/kitchen/menus.ts";
import type { Course, DishDiet, DishLabel } from "#contract/kitchen/states.ts";
import { parseMoney } from "#contract/french.ts";
import type { FileFaults } from "#server/http/line-files.ts";
import { unprintedIn } from "#server/http/printed-letters.ts";
import { type Column, type Line, sourceOf } from "./menu-file-lines.ts";
import {
  allergensIn,
  courseIn,
  dietsIn,
  folded,
  isNothing,
  isUndeclared,
  labelIn,
  listIn,
  tickedLabel,
} from "./menu-vocabulary.ts";

export interface ReadDish extends Dish {
  /** Diets of the schema's own column, which says both what a dish is and whom it is made for. */
  regimes: DishDiet[];
}

const maxNameLength = 160;
// Accents decoded once in the wrong encoding and written again.
const broken = /\ufffd|Ã[\u0080-\u00bf]|â€|Å“/;

/** Reads dishes line by line, with faults in `faults`. */
export class DishReader {
  readonly unknownCourses = new Set<string>();
  readonly unknownDiets = new Set<string>();
  readonly unknownLabels = new Set<string>();
  readonly #faults: FileFaults<MenuFileFault>;
  readonly #prices: boolean;

  constructor(faults: FileFaults<MenuFileFault>, prices: boolean) {
    this.#faults = faults;
    this.#prices = prices;
  }

  /** Adds a fault of a cell. */
  fault(line: Line, column: Column, what: string): null {
    const source = sourceOf(line);
    this.#faults.add({ source, line: line.line, column: line.title(column), what });
    return null;
  }

  /** Null with a fault where there is none. */
  read(line: Line): ReadDish | null {
    const name = this.#nameOf(line);
    const course = this.#courseOf(line);
    const allergens = this.#allergensOf(line);
    const diets = this.#dietsOf(line);
    const priceCents = this.#priceOf(line);
    if (course === null || name === "") return null;
    const { regimes, asText } = this.#regimesOf(line);
    return {
      course: course.known ?? "other",
      name: withText(name, [...(course.known ? [] : [course.typed]), ...asText]),
      labels: this.#labelsOf(line),
      allergens,
      diets,
      regimes,
      priceCents,
    };
  }

  #nameOf(line: Line): string {
    const name = line.cell("name").replaceAll(/\s+/g, " ").normalize("NFC");
    const signs = unprintedIn(name);
    if (name === "") this.fault(line, "name", "le nom du plat manque : écrivez-le");
    else if (name.length > maxNameLength) {
      this.fault(line, "name", `le nom dépasse ${maxNameLength} caractères : raccourcissez-le`);
    } else if (broken.test(name)) {
      const what = "les accents sont abîmés : enregistrez à nouveau en «\u00a0CSV UTF-8\u00a0»";
      this.fault(line, "name", what);
    } else if (signs !== "") {
      const what = `«\u00a0${abbreviate(signs)}\u00a0» ne s’imprime pas : écrivez le nom du plat sans ces signes`;
      this.fault(line, "name", what);
    }
    return name;
  }

  #courseOf(line: Line): { known: Course | null; typed: string } | null {
    const typed = line.cell("course").replaceAll(/\s+/g, " ");
    const known = courseIn(typed);
    if (known === null && typed === "") {
      const list = "entrée, plat principal, garniture, produit laitier, dessert, pain ou autre";
      return this.fault(line, "course", `le type de plat manque : écrivez ${list}`);
    }
    if (known === null) this.unknownCourses.add(abbreviate(typed));
    return { known, typed };
  }

  /** « Aucun » declares that there is none; nothing written declares nothing: null. */
  #allergensOf(line: Line): Dish["allergens"] {
    const typed = listIn(line.cell("allergens")).filter((item) => !isUndeclared(item));
    const allergens = typed.flatMap((item) => {
      const known = allergensIn(item);
      if (known) return known;
      const what = `l’allergène «\u00a0${abbreviate(item)}\u00a0» n’est aucun des 14 de la réglementation : corrigez-le, ou retirez-le s’il n’en est pas un`;
      this.fault(line, "allergens", what);
      return [];
    });
    return typed.length > 0 ? distinct(allergens) : null;
  }

  #dietsOf(line: Line): DishDiet[] {
    const diets = listIn(line.cell("servedTo")).flatMap((item) => {
      const known = dietsIn(item);
      if (known) return known;
      const what = `le régime «\u00a0${abbreviate(item)}\u00a0» est inconnu : écrivez sans porc, sans viande ou végétarien, ou rien si le plat est pour tous`;
      this.fault(line, "servedTo", what);
      return [];
    });
    return distinct(diets);
  }

  /**
   * The diets of the schema's column where our own does not say whom a dish is made for; other words as text.
   */
  #regimesOf(line: Line): { regimes: DishDiet[]; asText: string[] } {
    const items = listIn(line.cell("diet")).filter((item) => !isNothing(item));
    const regimes = line.has("servedTo") ? [] : items.flatMap((item) => dietsIn(item) ?? []);
    const asText = items.filter((item) => !labelIn(item) && !dietsIn(item));
    for (const item of asText) this.unknownDiets.add(abbreviate(item));
    return { regimes: distinct(regimes), asText };
  }

  #labelsOf(line: Line): DishLabel[] {
    const labels = new Set<DishLabel>();
    const take = (label: DishLabel | null, unknown: string) => {
      if (label) labels.add(label);
      else this.unknownLabels.add(abbreviate(unknown));
    };
    for (const column of ["quality", "labels"] as const) {
      for (const item of listIn(line.cell(column))) {
        if (!isNothing(item)) take(labelIn(item), item);
      }
    }
    for (const { label, title, cell } of line.labelCells()) {
      for (const item of listIn(cell)) {
        if (!isNothing(item)) take(tickedLabel(item, label), `${title} ${item}`);
      }
    }
    for (const item of listIn(line.cell("diet"))) {
      const label = labelIn(item);
      if (label) labels.add(label);
    }
    return [...labels];
  }

  #priceOf(line: Line): number | null {
    const typed = line.cell("price");
    if (!this.#prices || typed === "") return null;
    const cents = parseMoney(typed);
    if (cents !== null && cents <= 10_000) return cents;
    return this.fault(
      line,
      "price",
      `«\u00a0${abbreviate(typed)}\u00a0» n’est pas un prix : écrivez des euros, 100 au plus, comme 1.25`,
    );
  }
}

/** « Baguette (pain qualité supérieure) »: words that it does not say itself, as far as there is room. */
function withText(name: string, words: readonly string[]): string {
  const said = folded(name);
  const more = distinct(words).filter((word) => !said.includes(folded(word)));
  const whole = more.length > 0 ? `${name} (${more.join(", ")})` : name;
  return whole.length > maxNameLength ? name : whole;
}

export const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** A typed text, shortened for a sentence. */
export const abbreviate = (typed: string): string =>
  typed.length > 60 ? `${typed.slice(0, 57)}…` : typed;
