// Operator commands of the synonyms in the search of the help.
import { sql } from "kysely";
import type { Db } from "#server/db/db.ts";
import type { CommandResult, OperatorCommand } from "#server/process/room.ts";

export const synonymCommands: readonly OperatorCommand[] = [
  {
    name: "faq synonyms",
    arguments: [],
    says: "montre les mots que la recherche de l'aide tient pour équivalents",
    run: ({ db }) => listSynonyms(db),
  },
  {
    name: "faq synonyms add",
    arguments: ["<mots>"],
    says: "ajoute des mots équivalents, séparés par des espaces et entre guillemets",
    run: ({ db }, [words = ""]) => addSynonyms(db, words),
  },
  {
    name: "faq synonyms remove",
    arguments: ["<mots>"],
    says: "retire des mots équivalents, tels que «\u00a0faq synonyms\u00a0» les montre",
    run: ({ db }, [words = ""]) => removeSynonyms(db, words),
  },
];

async function listSynonyms(db: Db): Promise<CommandResult> {
  const { rows } = await sql<{
    words: string;
  }>`select words from faq_synonym order by words`.execute(db);
  return { ok: true, lines: rows.map(({ words }) => words) };
}

async function addSynonyms(db: Db, text: string): Promise<CommandResult> {
  const words = text.normalize("NFC").trim().split(/\s+/);
  const line = words.join(" ");
  if (words.length < 2 || line.length > 200 || !/^[\p{L}\p{N} '’-]+$/u.test(line)) {
    return {
      ok: false,
      lines: ["Donnez au moins deux mots, sans ponctuation, 200 caractères au plus."],
    };
  }
  await sql`insert into faq_synonym (words) values (${line}) on conflict do nothing`.execute(db);
  return { ok: true, lines: [`${line} : équivalents.`] };
}

async function removeSynonyms(db: Db, words: string): Promise<CommandResult> {
  const { rows } =
    await sql`delete from faq_synonym where words = ${words} returning words`.execute(db);
  return rows.length > 0
    ? { ok: true, lines: [`${words} : retirés.`] }
    : { ok: false, lines: [`«\u00a0${words}\u00a0» n'est pas dans la liste.`] };
}
