// A sale under way: what is typed, the articles that were tapped with the price that each had then, and what is
// said of it. It outlives a reload of its tab.
import type { TillArticle } from "#contract/till/articles.ts";
import { articles as limits } from "#contract/till/limits.ts";
import { linesCents, type SaleLine } from "#contract/till/lines.ts";
import { type AmountEntry, centsOfEntry } from "./amount-entry.ts";

/** A line of the sale, and the article that it came from. */
export interface BasketLine extends SaleLine {
  article: string;
}

/** The typed values of the next sale. */
export interface TypedSale {
  entry: AmountEntry;
  lines: readonly BasketLine[];
  label: string;
  usePoints: boolean;
}
export const emptySale: TypedSale = { entry: "", lines: [], label: "", usePoints: false };
export const saleDraft = {
  name: "till-sale",
  fields: ["entry", "lines", "label", "usePoints"],
} as const;

/** What the sale costs before the discount, in cents; null while nothing is chosen. */
export function saleCents({ entry, lines }: Pick<TypedSale, "entry" | "lines">): number | null {
  const typed = centsOfEntry(entry);
  return typed === null && lines.length === 0 ? null : (typed ?? 0) + linesCents(lines);
}

export const countOf = (lines: readonly BasketLine[], article: string): number =>
  lines.reduce((sum, line) => sum + (line.article === article ? line.count : 0), 0);

/** One more of an article: a line at its price of now, beside one at the price of before. */
export function addOne(lines: readonly BasketLine[], article: TillArticle): readonly BasketLine[] {
  const { id, name, priceCents } = article;
  const same = lines.findIndex((line) => line.article === id && line.priceCents === priceCents);
  if (same === -1) {
    return lines.length < limits.lines
      ? [...lines, { article: id, name, priceCents, count: 1 }]
      : lines;
  }
  return changeCount(lines, same, 1);
}

/** Why a press adds nothing more; null while each does. */
export function limitReached(lines: readonly BasketLine[]): string | null {
  const full = lines.find(({ count }) => count >= limits.count);
  if (full) return `Un achat compte ${limits.count} «\u00a0${full.name}\u00a0» au plus.`;
  return lines.length >= limits.lines
    ? `Un achat a ${limits.lines} articles différents au plus.`
    : null;
}

/** One more, or less, of a line; one of none goes. */
export const changeCount = (
  lines: readonly BasketLine[],
  place: number,
  by: 1 | -1,
): readonly BasketLine[] =>
  lines
    .map((line, at) =>
      at === place ? { ...line, count: Math.min(limits.count, line.count + by) } : line,
    )
    .filter(({ count }) => count > 0);

/** Lines whose article costs something else by now, with that price. */
export const changedPrices = (
  lines: readonly BasketLine[],
  list: readonly TillArticle[],
): { line: BasketLine; nowCents: number }[] =>
  lines.flatMap((line) => {
    const article = list.find(({ id }) => id === line.article);
    return article && article.priceCents !== line.priceCents
      ? [{ line, nowCents: article.priceCents }]
      : [];
  });

/** The same lines at the prices of now; two of one article, whose prices differed, become one. */
export const atPricesOfNow = (
  lines: readonly BasketLine[],
  list: readonly TillArticle[],
): readonly BasketLine[] =>
  lines
    .map((line) => {
      const article = list.find(({ id }) => id === line.article);
      return article ? { ...line, name: article.name, priceCents: article.priceCents } : line;
    })
    .reduce<readonly BasketLine[]>(withLine, []);

function withLine(lines: readonly BasketLine[], added: BasketLine): readonly BasketLine[] {
  const { article, priceCents } = added;
  const same = lines.find((line) => line.article === article && line.priceCents === priceCents);
  // More of one article than a line may count stay in two.
  if (!same || same.count + added.count > limits.count) return [...lines, added];
  return lines.map((line) => (line === same ? { ...line, count: line.count + added.count } : line));
}
