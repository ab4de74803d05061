// The price list of a company's tills.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { TillArticle } from "#contract/till/articles.ts";
import { articles as limits } from "#contract/till/limits.ts";
import { linesCents, type SaleLine } from "#contract/till/lines.ts";
import { inCompanyTx, peopleOf } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { publishChange } from "#server/notifications/notifications.ts";

interface PriceList {
  items: TillArticle[];
}
type ArticleFields = Pick<TillArticle, "name" | "priceCents" | "shelf">;
type ArticleCall<Input = unknown> = CompanyCall<{ article: string } & Input>;

/** The company's articles, in the order of the till's keys. */
export const readArticles = ({ deps, company }: CompanyCall<unknown>): Promise<PriceList> =>
  listOf(deps.db, company.companyId);

async function listOf(db: Db, companyId: string): Promise<PriceList> {
  const { rows } = await sql<TillArticle>`
    select id, name, price_cents, shelf, active from till_article
    where company_id = ${companyId} order by position, name, id`.execute(db);
  return { items: rows };
}

/** Makes a change of the list, tells the company's open tills, and answers the list. */
function change<Input>(
  call: CompanyCall<Input>,
  work: (tx: Tx) => Promise<unknown>,
): Promise<PriceList> {
  const { companyId } = call.company;
  return inCompanyTx(call, async (tx) => {
    await work(tx);
    await publishChange(tx, await peopleOf(tx, companyId), "till_articles");
    return await listOf(tx, companyId);
  });
}

/** Adds an article at the end. Refuses `till_article_taken`, `till_articles_full`. */
export function addArticle(call: CompanyCall<ArticleFields>): Promise<PriceList> {
  const { companyId } = call.company;
  const { name, priceCents, shelf } = trimmed(call.input);
  return change(call, async (tx) => {
    // One at a time: two that come at once count each other.
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    const { count, last } = await query(tx).one(sql<{ count: number; last: number }>`
      select count(*)::int as count, coalesce(max(position), 0)::int as last
      from till_article where company_id = ${companyId}`);
    if (count >= limits.max) throw new Problem("till_articles_full", { max: limits.max });
    await sql`insert into till_article (company_id, name, price_cents, shelf, position)
      values (${companyId}, ${name}, ${priceCents}, ${shelf}, ${last + 1})`.execute(tx);
  });
}

/** Changes an article; no sale changes with it. Refuses `not_found`, `till_article_taken`. */
export function changeArticle(
  call: ArticleCall<ArticleFields & Pick<TillArticle, "active">>,
): Promise<PriceList> {
  const { article, active } = call.input;
  const { name, priceCents, shelf } = trimmed(call.input);
  return change(call, async (tx) => {
    await requireOne(
      sql<{ id: string }>`
      update till_article set name = ${name}, price_cents = ${priceCents}, shelf = ${shelf},
        active = ${active}
      where id = ${article} and company_id = ${call.company.companyId} returning id`.execute(tx),
    );
  });
}

/** Takes an article off the list. Refuses `not_found`. */
export function removeArticle(call: ArticleCall): Promise<PriceList> {
  return change(call, async (tx) => {
    await requireOne(
      sql<{ id: string }>`
      delete from till_article
      where id = ${call.input.article} and company_id = ${call.company.companyId}
      returning id`.execute(tx),
    );
  });
}

async function requireOne(changed: Promise<{ rows: unknown[] }>): Promise<void> {
  const { rows } = await changed;
  if (rows.length === 0) throw new Problem("not_found");
}

/**
 * Puts articles first, in the order of the call; others, which a colleague may have added meanwhile, follow in
 * theirs. Refuses `not_found` where one is not of the company.
 */
export function orderArticles(
  call: CompanyCall<{ articles: readonly string[] }>,
): Promise<PriceList> {
  const { companyId } = call.company;
  const ids = [...new Set(call.input.articles)];
  return change(call, async (tx) => {
    await sql`select from company where id = ${companyId} for no key update`.execute(tx);
    const { items } = await listOf(tx, companyId);
    if (ids.some((id) => !items.some((item) => item.id === id))) throw new Problem("not_found");
    const rest = items.map(({ id }) => id).filter((id) => !ids.includes(id));
    await sql`update till_article set position = place
      from unnest(${[...ids, ...rest]}::uuid[]) with ordinality as ordered (id, place)
      where till_article.id = ordered.id and company_id = ${companyId}`.execute(tx);
  });
}

const trimmed = ({ name, priceCents, shelf }: ArticleFields): ArticleFields => ({
  name: name.trim(),
  priceCents,
  shelf: shelf === null ? null : shelf.trim(),
});

/** Refuses `till_lines` where the articles of a sale are more than its amount. */
export function requireLines({
  amountCents,
  lines = [],
}: {
  amountCents: number;
  lines?: readonly SaleLine[] | undefined;
}): void {
  if (linesCents(lines) > amountCents) throw new Problem("till_lines");
}
