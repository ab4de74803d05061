// Operator commands of the help: answers as files, published, edited, withdrawn.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { faqCategories, type FaqCategory } from "#contract/content/rows.ts";
import { inTx, type Db } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { CommandResult, OperatorCommand } from "#server/process/room.ts";

import { unknownFigures } from "./figures.ts";

/** An answer as its file describes it. */
interface Written {
  id: string;
  category: FaqCategory;
  audience: 1 | 2 | null;
  /** Its order on the screen; null: after the others, or its present place. */
  place: number | null;
  question: string;
  keywords: string;
  body: string;
}

const audiences = { tous: null, porteurs: 1, professionnels: 2 } as const;
const audienceName = (audience: 1 | 2 | null) =>
  audience === null ? "tous" : audience === 1 ? "porteurs" : "professionnels";

export const contentCommands: readonly OperatorCommand[] = [
  {
    name: "faq list",
    arguments: [],
    says: "montre les réponses de l'aide et leurs avis",
    run: ({ db }) => listAnswers(db),
  },
  {
    name: "faq show",
    arguments: ["<réponse>"],
    says: "écrit une réponse telle que «\u00a0faq publish\u00a0» la lit",
    run: ({ db }, [id = ""]) => showAnswer(db, id),
  },
  {
    name: "faq publish",
    arguments: ["<fichier>"],
    says: "publie une réponse, ou remplace celle qui porte son nom",
    run: (deps, [path = ""]) => publishFrom(deps, path),
  },
  {
    name: "faq withdraw",
    arguments: ["<réponse>"],
    says: "retire une réponse de l'aide, avec ses avis",
    run: ({ db }, [id = ""]) => withdraw(db, id),
  },
];

const said = (line: string): CommandResult => ({ ok: true, lines: [line] });
const refused = (...lines: string[]): CommandResult => ({ ok: false, lines });
const unknown = (id: string) => refused(`Aucune réponse ne porte le nom ${id}.`);

async function listAnswers(db: Db): Promise<CommandResult> {
  const { rows } = await sql<Omit<Written, "keywords" | "body"> & { yes: number; votes: number }>`
    select a.id, a.category, a.audience, a.place, a.question, count(v.useful) as votes,
      count(*) filter (where v.useful) as yes
    from faq_article a left join faq_vote v on v.article_id = a.id
    group by a.id order by a.place`.execute(db);
  const lines = rows.map(({ place, id, category, audience, question, yes, votes }) => {
    const opinion = votes > 0 ? `, utile pour ${yes} sur ${votes}` : "";
    return `${String(place).padStart(5)}  ${id}  (${category}, ${audienceName(audience)}${opinion})  ${question}`;
  });
  return { ok: true, lines };
}

async function showAnswer(db: Db, id: string): Promise<CommandResult> {
  const found = await query(db).maybeOne(sql<Written>`
    select id, category, audience, place, question, keywords, body
    from faq_article where id = ${id}`);
  if (!found) return unknown(id);
  const heads = [
    `nom: ${found.id}`,
    `rubrique: ${found.category}`,
    `public: ${audienceName(found.audience)}`,
    `place: ${found.place}`,
    `question: ${found.question}`,
    `mots: ${found.keywords}`,
  ];
  return { ok: true, lines: [...heads, "", ...found.body.split("\n")] };
}

async function publishFrom(
  { db, config }: Pick<Deps, "db" | "config">,
  path: string,
): Promise<CommandResult> {
  const file = await readFile(path, "utf8").catch(() => null);
  if (file === null) return refused(`Le fichier ${path} ne s'ouvre pas.`);
  const { written, faults } = answerIn(file);
  faults.push(
    ...unknownFigures(written.body, config).map(
      (name) => `texte : {${name}} n'est pas un chiffre connu.`,
    ),
  );
  if (faults.length > 0) return refused(`Rien n'est publié : ${path} est à corriger.`, ...faults);
  return await publish(db, written);
}

/** Parses a file: lines « nom: valeur », an empty line, then the paragraphs. */
function answerIn(file: string): { written: Written; faults: string[] } {
  const [head = "", ...rest] = file
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n\s*\n/);
  const fields = new Map(
    head.split("\n").map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim().toLowerCase(), value.join(":").trim()] as const;
    }),
  );
  const field = (name: string) => fields.get(name) ?? "";
  const audience = field("public") || "tous";
  const place = field("place");
  const written: Written = {
    id: field("nom"),
    category: field("rubrique") as FaqCategory,
    audience: audiences[audience as keyof typeof audiences] ?? null,
    place: place === "" ? null : Number(place),
    question: field("question"),
    keywords: field("mots"),
    body: rest.map((paragraph) => paragraph.trim()).join("\n\n"),
  };
  const size = (name: string, text: string, min: number, max: number) =>
    text.length < min || text.length > max ? `${name} : de ${min} à ${max} caractères.` : null;
  const rubrics = faqCategories.join(", ");
  const faults = [
    /^[a-z0-9-]{1,60}$/.test(written.id)
      ? null
      : "nom : lettres sans accent, chiffres et tirets, 60 au plus.",
    faqCategories.includes(written.category) ? null : `rubrique : une parmi ${rubrics}.`,
    Object.hasOwn(audiences, audience) ? null : "public : tous, porteurs ou professionnels.",
    place === "" || /^\d{1,6}$/.test(place) ? null : "place : un nombre, de 0 à 999999.",
    size("question", written.question, 5, 200),
    size("mots", written.keywords, 0, 500),
    size("texte", written.body, 1, 8000),
    file.includes("\0") ? "le fichier n'est pas un texte." : null,
  ].filter((fault) => fault !== null);
  return { written, faults };
}

function publish(db: Db, written: Written): Promise<CommandResult> {
  const { id, category, audience, place, question, keywords, body } = written;
  return inTx(db, async (tx) => {
    // Two publications at once would otherwise get the same last place.
    await sql`lock table faq_article in share row exclusive mode`.execute(tx);
    const found = await query(tx).maybeOne(sql<{ id: string }>`select id from faq_article
      where place = ${place} and id <> ${id}`);
    if (found) return refused(`Rien n'est publié : la place ${place} est celle de ${found.id}.`);
    const { rows: before } = await sql`select from faq_article where id = ${id}`.execute(tx);
    await sql`
      insert into faq_article (id, place, category, audience, question, keywords, body)
      values (${id}, coalesce(${place}::int, (select coalesce(max(place), 0) + 10 from faq_article)),
        ${category}, ${audience}, ${question}, ${keywords}, ${body})
      on conflict (id) do update set place = coalesce(${place}::int, faq_article.place),
        category = excluded.category, audience = excluded.audience, question = excluded.question,
        keywords = excluded.keywords, body = excluded.body`.execute(tx);
    return said(`${id} : ${before.length > 0 ? "remplacée" : "publiée"}.`);
  });
}

async function withdraw(db: Db, id: string): Promise<CommandResult> {
  const { rows } = await sql`delete from faq_article where id = ${id} returning id`.execute(db);
  return rows.length > 0 ? said(`${id} : retirée.`) : unknown(id);
}
