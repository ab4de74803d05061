// Legal pages: the operator's text where one is published, else the portal's own. The declared state of
// accessibility goes with its page, and the foot of every screen repeats it.
import { sql } from "kysely";
import type { Conformity, LegalPage } from "#contract/content/legal.ts";
import type { LegalText } from "#contract/content/rows.ts";
import { parisDay } from "#contract/days.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { defaultTexts } from "./legal-defaults.ts";

/** The text of a page with its day of publication, and the declared state of accessibility. */
export async function legalText(db: Db, page: LegalPage): Promise<LegalText> {
  const written = await query(db).maybeOne(sql<{ body: string; publishedAt: Date }>`
    select body, published_at from legal_page where page = ${page}`);
  return {
    body: written?.body ?? defaultTexts[page],
    isCompleted: written !== null,
    publishedOn: written ? parisDay(written.publishedAt) : null,
    conformity: await declaredConformity(db),
  };
}

/** The operator's declared state of the portal's accessibility; `none` until an audit is published. */
export async function declaredConformity(db: Db): Promise<Conformity> {
  const found = await query(db).maybeOne(sql<{ conformity: Conformity | null }>`
    select conformity from legal_page
    where page = 'accessibilite'`);
  return found?.conformity ?? "none";
}
