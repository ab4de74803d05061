// The price list of a company's tills: articles that a cashier taps instead of typing an amount.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { articles as limits, till } from "./limits.ts";

const article = z.object({
  id: c.uuid,
  name: z.string(),
  priceCents: z.int(),
  /** Under which heading the till shows it; null for none. */
  shelf: z.nullable(z.string()),
  /** Whether it is a key of the till. */
  active: z.boolean(),
});
export type TillArticle = z.output<typeof article>;

/** In the order of the keys. */
const list = z.object({ items: z.array(article) });

const fields = {
  name: c.text(limits.nameLength, 1).check(z.regex(/\S/)),
  priceCents: z.int().check(z.minimum(1), z.maximum(till.maxCents)),
  shelf: z.nullable(c.text(limits.shelfLength, 1).check(z.regex(/\S/))),
};

const act = {
  method: "POST",
  access: "professional",
  right: "decide",
  changes: ["till_articles"],
  source: "server/till/README.md#articles",
  output: list,
  rate: { max: 120, seconds: 60 },
} as const;

export const tillArticles = {
  articles: c.row({
    method: "GET",
    path: "/api/till/articles",
    access: "professional",
    right: "charge",
    of: "company",
    reads: ["till_articles"],
    summary: "The price list of the caller's company, in the order of its keys",
    source: "server/till/README.md#articles",
    input: c.emptyObject,
    output: list,
    problems: [],
  }),
  addArticle: c.row({
    ...act,
    path: "/api/till/articles",
    of: "company",
    summary: "Adds an article at the end of the price list",
    input: z.object(fields),
    status: 201,
    problems: ["till_article_taken", "till_articles_full"],
  }),
  changeArticle: c.row({
    ...act,
    path: "/api/till/articles/:article",
    of: { article: "tillArticle" },
    summary: "Changes an article; sales made before keep the name and the price that they had",
    input: z.object({ article: c.uuid, ...fields, active: z.boolean() }),
    problems: ["not_found", "till_article_taken"],
  }),
  removeArticle: c.row({
    ...act,
    path: "/api/till/articles/:article/remove",
    of: { article: "tillArticle" },
    summary: "Takes an article off the price list; sales made before keep it",
    input: z.object({ article: c.uuid }),
    problems: ["not_found"],
  }),
  orderArticles: c.row({
    ...act,
    path: "/api/till/articles-order",
    of: { "articles[]": "tillArticle" },
    summary: "Puts articles first, in this order; those that it does not name follow as they were",
    input: z.object({ articles: z.array(c.uuid).check(z.maxLength(limits.max)) }),
    problems: ["not_found"],
  }),
} as const;
