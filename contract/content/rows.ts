// Help: the answers that people look for, and whether they served.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { conformities, legalPages } from "./legal.ts";

/** Categories in the order of the screen. */
export const faqCategories = [
  "money",
  "card",
  "canteen",
  "services",
  "sign_in",
  "family",
  "professional",
  "portal",
] as const;
export type FaqCategory = (typeof faqCategories)[number];

export const faqCategoryNames: Record<FaqCategory, string> = {
  money: "Argent et recharges",
  card: "Ma carte",
  canteen: "Cantine",
  services: "Bus, billets et abonnement",
  sign_in: "Connexion et sécurité",
  family: "Famille",
  professional: "Espace professionnel",
  portal: "Le portail",
};

/** An answer's address: its last segment in `/faq/:id`. */
const slug = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/));

export const faqEntry = z.object({
  id: slug,
  category: z.enum(faqCategories),
  question: z.string(),
  /** Its first sentences, for a list, without links. */
  summary: z.string(),
});
export type FaqEntry = z.output<typeof faqEntry>;

export const faqAnswer = z.object({
  id: slug,
  category: z.enum(faqCategories),
  question: z.string(),
  /** Paragraphs, separated by an empty line, with links (`partsOf`). */
  body: z.string(),
  /** The caller's vote; null before they vote. */
  useful: z.nullable(z.boolean()),
  related: z.array(faqEntry),
});
export type FaqAnswer = z.output<typeof faqAnswer>;

export const legalText = z.object({
  /** Paragraphs, `## ` headings and `- ` lists, separated by empty lines. */
  body: z.string(),
  /** Whether the operator has written it; else it is the portal's own, to be completed. */
  isCompleted: z.boolean(),
  /** The day it was published; null for the portal's own text. */
  publishedOn: z.nullable(c.day),
  conformity: z.enum(conformities),
});
export type LegalText = z.output<typeof legalText>;

export const content = {
  legal: c.row({
    method: "GET",
    path: "/api/legal/:page",
    access: "public",
    of: { page: "anyone" },
    summary: "A legal page: the operator's text, or the portal's own to be completed",
    source: "spec.md 35; RGAA 4.1.2",
    input: z.object({ page: z.enum(legalPages) }),
    output: legalText,
    problems: [],
  }),
  faq: c.row({
    method: "GET",
    path: "/api/faq",
    access: "person",
    of: "anyone",
    summary: "Questions for one's kind of account; with `q`, those it finds, best first",
    source: "server/content/README.md#search-of-the-help",
    input: z.object({ q: z.optional(c.text(100)) }),
    output: z.object({ items: z.array(faqEntry) }),
    problems: [],
  }),
  faqAnswer: c.row({
    method: "GET",
    path: "/api/faq/:id",
    access: "person",
    of: { id: "anyone" },
    summary: "One answer, one's own vote on it, and questions close to it",
    source: "server/content/README.md#answers-of-the-help",
    input: z.object({ id: c.text(60, 1) }),
    output: faqAnswer,
    problems: [],
  }),
  faqVote: c.row({
    method: "POST",
    path: "/api/faq/:id/vote",
    access: "person",
    of: { id: "anyone" },
    summary: "Says whether an answer helped; one vote for a person, the last one counts",
    source: "server/content/README.md#answers-of-the-help",
    input: z.object({ id: c.text(60, 1), useful: z.boolean() }),
    output: z.object({ useful: z.boolean() }),
    problems: [],
  }),
} as const;
