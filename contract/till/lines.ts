// The lines of a sale that is made of articles, with the name and the price that each had then.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { articles, till } from "./limits.ts";

const articlePrice = z.int().check(z.minimum(1), z.maximum(till.maxCents));

export const saleLine = z.object({
  name: c.text(articles.nameLength, 1),
  /** Of one, before any discount. */
  priceCents: articlePrice,
  count: z.int().check(z.minimum(1), z.maximum(articles.count)),
});
export type SaleLine = z.output<typeof saleLine>;

/** Of one sale: at most its amount in all, what is left was typed. */
export const saleLines = z.array(saleLine).check(z.maxLength(articles.lines));

/** Sum of the lines, in cents, before any discount. */
export const linesCents = (lines: readonly SaleLine[]): number =>
  lines.reduce((sum, { priceCents, count }) => sum + priceCents * count, 0);

/** « 2 × Café, 1 × Croissant »; empty without lines. */
export const lineWords = (lines: readonly Pick<SaleLine, "name" | "count">[]): string =>
  lines.map(({ name, count }) => `${count}\u00a0× ${name}`).join(", ");
