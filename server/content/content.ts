// The portal's help: questions with their answers, a search that tolerates accents and typing errors, and
// each person's vote on an answer. An answer for the other kind of account is not found.
import { sql } from "kysely";
import type { FaqAnswer, FaqEntry } from "#contract/content/rows.ts";
import { withoutLinks } from "#contract/content/links.ts";
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";

import { withFigures } from "./figures.ts";

export { declaredConformity } from "./legal.ts";

type HelpDeps = Pick<Deps, "db" | "config">;
type Reader = Pick<Caller, "personId" | "type">;

/** At most so many words of what is typed are searched. */
const maxWords = 10;
/** A word matches another from this similarity of their letters on (pg_trgm, 0 to 1). */
const minSimilarity = 0.45;
/** Weight of a synonym of the typed word. */
const synonymWorth = 0.9;
/** Weight of a word found in the text alone, not in the question. */
const textWorth = 0.3;
/** Results are shown down to this part of the best score. */
const worthShowing = 0.5;
/** Lowest score of an answer for each typed word: below, it is found by accident. */
const minWordScore = 0.45;
/** Stop words: words that every question has. */
const empty =
  "comment pourquoi quand quoi fair peut peux veux voudr puis tout cest bonjour merc plus quel avoir mettr arriv march".split(
    " ",
  );

/** Questions for one kind of account, in their order; with `q` the best first, [] when none is near. */
export async function questionsFor(
  { db, config }: HelpDeps,
  type: 1 | 2,
  q: string | undefined,
): Promise<{ items: FaqEntry[] }> {
  const found = q?.trim() ? await search(db, type, q) : await allQuestions(db, type);
  return { items: found.map((entry) => toEntryView(config, entry)) };
}

const toEntryView = (config: HelpDeps["config"], entry: FaqEntry): FaqEntry => ({
  ...entry,
  summary: withoutLinks(withFigures(entry.summary, config)),
});

async function allQuestions(db: Db, type: 1 | 2): Promise<FaqEntry[]> {
  const { rows } = await sql<FaqEntry>`select id, category, question, summary from faq_article
    where audience is null or audience = ${type} order by place`.execute(db);
  return rows;
}

/**
 * Scores each word, and its synonyms (`faq_synonym`), by stem: more in the question than in its keywords, and
 * little in the text; else by the similarity of its letters to a word of the question or of the keywords,
 * also as it was typed: a stem is too short to be similar with a letter less. The best of these counts; of
 * equal answers, one for the reader's own kind of account comes first.
 */
async function search(db: Db, type: 1 | 2, q: string): Promise<FaqEntry[]> {
  const { rows } = await sql<FaqEntry & { score: number; words: number }>`
    with word as (
      select w from unnest(tsvector_to_array(to_tsvector('faq', ${q.normalize("NFC")}))) w
        where length(w) > 1 and w <> all(${empty}::text[]) limit ${maxWords}),
    term as (
      select w, w as t, 1.0 as worth from word
      union select word.w, raw, 1.0
        from word, regexp_split_to_table(lower(unaccent(${q.normalize("NFC")})), '[^a-z0-9]+') raw
        where word.w = any (tsvector_to_array(to_tsvector('faq', raw)))
      union select word.w, form, ${synonymWorth}
        from word cross join faq_synonym s cross join unnest(s.forms) form
        where exists (select from unnest(s.forms) known where known = word.w
          or (length(word.w) >= 4 and similarity(known, word.w) >= ${minSimilarity})))
    select a.id, a.category, a.question, a.summary, s.score,
        (select count(*)::int from word) as words
      from faq_article a, lateral (
        select sum(best)::float8 as score from (
          select max(term.worth * case
              when a.search @@ (quote_literal(term.t) || ':AB')::tsquery
                then 1 + ts_rank('{0, 0, 0.5, 1}', a.search, quote_literal(term.t)::tsquery)
              when length(term.t) >= 4 and near.alike >= ${minSimilarity} then near.alike
              when a.search @@ quote_literal(term.t)::tsquery then ${textWorth}
              else 0 end) as best
          from term, lateral (select coalesce(max(similarity(own, term.t)), 0) as alike
            from unnest(a.own_words) own) near
          group by term.w) each_word) s
      where (a.audience is null or a.audience = ${type}) and s.score > 0
      order by s.score desc, a.audience nulls last, a.place limit 20`.execute(db);
  const best = rows[0]?.score ?? 0;
  return rows
    .filter(({ score, words }) => score >= best * worthShowing && score >= words * minWordScore)
    .map(({ id, category, question, summary }) => ({ id, category, question, summary }));
}

/** One answer with the reader's vote and three questions of its category. Else `not_found`. */
export async function answerOf(
  { db, config }: HelpDeps,
  reader: Reader,
  id: string,
): Promise<FaqAnswer> {
  const found = await query(db).maybeOne(sql<Omit<FaqAnswer, "related">>`
    select a.id, a.category, a.question, a.body, v.useful from faq_article a
      left join faq_vote v on v.article_id = a.id and v.person_id = ${reader.personId}
      where a.id = ${id} and (a.audience is null or a.audience = ${reader.type})`);
  if (!found) throw new Problem("not_found");
  const related = await sql<FaqEntry>`
    select b.id, b.category, b.question, b.summary from faq_article a
      join faq_article b on b.category = a.category and b.id <> a.id
      where a.id = ${id} and (b.audience is null or b.audience = ${reader.type})
      order by similarity(a.letters, b.letters) desc, b.place limit 3`.execute(db);
  return {
    ...found,
    body: withFigures(found.body, config),
    related: related.rows.map((entry) => toEntryView(config, entry)),
  };
}

/** Stores a person's vote on an answer; a later vote replaces it. Else `not_found`. */
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
