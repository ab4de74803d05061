// The portal's help: questions with their answers, a search that forgives accents and typing errors,
// and what each person thought of an answer. An answer for the other kind of account is not found.
import { sql } from "kysely";
import type { FaqAnswer, FaqEntry } from "#contract/content/rows.ts";
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";

export { declaredConformity } from "./legal.ts";

type Reader = Pick<Caller, "personId" | "type">;

/** At most so many words of what is typed are searched. */
const mostWords = 10;
/** A word stands for another from this likeness of their letters (pg_trgm, 0 to 1). */
const alike = 0.5;
/** What is found is shown down to this part of the best score. */
const worthShowing = 0.4;
/** Words that every question has: they tell nothing of what is looked for. */
const empty = ["comment", "pourquoi", "quand", "quoi", "fair", "peut", "veux", "voudr", "puis"];

/** Questions for one kind of account, in their order; with `q` the best first, [] when none is near. */
export async function questionsFor(
  db: Db,
  type: 1 | 2,
  q: string | undefined,
): Promise<{ items: FaqEntry[] }> {
  if (q?.trim()) return { items: await search(db, type, q) };
  const { rows } = await sql<FaqEntry>`select id, category, question, summary from faq_article
    where audience is null or audience = ${type} order by place`.execute(db);
  return { items: rows };
}

/**
 * A word scores as it is found: by its stem, more in the question than in the answer; else by the
 * likeness of its letters to a word of the question or of the keywords.
 */
async function search(db: Db, type: 1 | 2, q: string): Promise<FaqEntry[]> {
  const { rows } = await sql<FaqEntry & { score: number }>`
    with word as (
      select w from unnest(tsvector_to_array(to_tsvector('faq', ${q.normalize("NFC")}))) w
        where w <> all(${empty}::text[]) limit ${mostWords})
    select a.id, a.category, a.question, a.summary, s.score
      from faq_article a, lateral (
        select sum(case
            when a.search @@ word.q
              then 1 + round(ts_rank('{0.02, 0.2, 0.5, 1}', a.search, word.q)::numeric, 1)
            when length(word.w) >= 4 and word_similarity(word.w, a.letters) >= ${alike}
              then word_similarity(word.w, a.letters)
            else 0 end)::float8 as score
          from (select w, to_tsquery('simple', quote_literal(w)) as q from word) word) s
      where (a.audience is null or a.audience = ${type}) and s.score > 0
      order by s.score desc, a.place limit 20`.execute(db);
  const best = rows[0]?.score ?? 0;
  return rows
    .filter(({ score }) => score >= best * worthShowing)
    .map(({ id, category, question, summary }) => ({ id, category, question, summary }));
}

/** One answer with the reader's vote and three questions of its category. Else `not_found`. */
export async function answerOf(db: Db, reader: Reader, id: string): Promise<FaqAnswer> {
  const { rows } = await sql<Omit<FaqAnswer, "related">>`
    select a.id, a.category, a.question, a.body, v.useful from faq_article a
      left join faq_vote v on v.article_id = a.id and v.person_id = ${reader.personId}
      where a.id = ${id} and (a.audience is null or a.audience = ${reader.type})`.execute(db);
  const found = rows[0];
  if (!found) throw new Problem("not_found");
  const related = await sql<FaqEntry>`
    select b.id, b.category, b.question, b.summary from faq_article a
      join faq_article b on b.category = a.category and b.id <> a.id
      where a.id = ${id} and (b.audience is null or b.audience = ${reader.type})
      order by similarity(a.letters, b.letters) desc, b.place limit 3`.execute(db);
  return { ...found, related: related.rows };
}

/** Keeps what a person thinks of an answer; said again, it replaces. Else `not_found`. */
export async function vote(
  { db, now }: Deps,
  reader: Reader,
  { id, useful }: { id: string; useful: boolean },
): Promise<{ useful: boolean }> {
  const { rows } = await sql`
    insert into faq_vote (article_id, person_id, useful, at)
      select id, ${reader.personId}, ${useful}, ${now()} from faq_article
        where id = ${id} and (audience is null or audience = ${reader.type})
      on conflict (article_id, person_id) do update set useful = excluded.useful, at = excluded.at
      returning useful`.execute(db);
  if (rows.length === 0) throw new Problem("not_found");
  return { useful };
}
