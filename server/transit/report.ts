// Report of an import: the faults of the feed, by file, line and reason, for the feed's author.
import { plural, formatCount } from "#contract/french.ts";
import { transit as limits } from "#contract/limits.ts";

/** A refused feed: the network stays as it was. */
export class FeedRefused extends Error {
  override readonly name = "FeedRefused";
  /** The faults found until then. */
  report?: Report;
}

interface Found {
  count: number;
  /** Line and value of the first occurrences. */
  examples: string[];
}

const examplesShown = 3;

export class Report {
  /** Rows read, by file. */
  readonly rows: Record<string, number> = {};
  readonly #out: Record<string, number> = {};
  readonly #found = new Map<string, Found>();

  /** Counts a row that is wrong and left out. */
  rejectRow(file: string, line: number, what: string, value = ""): void {
    this.#out[file] = (this.#out[file] ?? 0) + 1;
    this.#add(`${file} : ${what}, ligne écartée`, line, value);
  }

  /** Counts a row that is right but not used here. */
  leaveOut(file: string, line: number, what: string): void {
    this.#add(`${file} : ${what}, ligne laissée de côté`, line, "");
  }

  /** Counts a row that is used without its wrong value. */
  dropValue(file: string, line: number, what: string, value = ""): void {
    this.#add(`${file} : ${what}`, line, value);
  }

  /** Notes a fault of a whole file or feed. */
  note(what: string): void {
    this.#found.set(what, { count: 0, examples: [] });
  }

  #add(key: string, line: number, value: string): void {
    const found = this.#found.get(key) ?? { count: 0, examples: [] };
    found.count += 1;
    if (found.examples.length < examplesShown) {
      const excerpt = value
        .slice(0, 40)
        .replaceAll(/\p{Cc}/gu, " ")
        .trim();
      found.examples.push(
        excerpt === "" ? `ligne ${line}` : `ligne ${line} «\u00a0${excerpt}\u00a0»`,
      );
    }
    this.#found.set(key, found);
  }

  /** Refuses the feed when too large a part of the file is left out. */
  requireMostRowsValid(file: string): void {
    const [rows, out] = [this.rows[file] ?? 0, this.#out[file] ?? 0];
    if (out > limits.wrongRows && out > rows * limits.wrongShare) {
      throw new FeedRefused(
        `${file} : ${formatCount(out)} lignes sur ${formatCount(rows)} sont fausses.`,
      );
    }
  }

  /** One sentence for each kind of fault, with its count and its first lines. */
  lines(): string[] {
    return [...this.#found].map(([what, { count, examples }]) =>
      count === 0 ? what : `${what} : ${plural(count, "fois", "fois")} (${examples.join(", ")})`,
    );
  }
}
