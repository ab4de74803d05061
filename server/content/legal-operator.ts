// Operator commands of the legal pages: each is a file, published or withdrawn.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import {
  conformities,
  type Conformity,
  conformityNames,
  type LegalPage,
  legalPages,
} from "#contract/content/legal.ts";
import { formatDate } from "#contract/french.ts";
import type { Db } from "#server/db/db.ts";
import type { CommandResult, OperatorCommand } from "#server/process/room.ts";
import { legalText } from "./legal.ts";

export const legalCommands: readonly OperatorCommand[] = [
  {
    name: "legal list",
    arguments: [],
    says: "montre quelles pages légales sont à compléter",
    run: ({ db }) => listPages(db),
  },
  {
    name: "legal show",
    arguments: ["<page>"],
    says: "écrit une page légale telle que «\u00a0legal publish\u00a0» la lit",
    run: ({ db }, [page = ""]) => showPage(db, page),
  },
  {
    name: "legal publish",
    arguments: ["<page>", "<fichier>"],
    says: "publie le texte d'une page légale",
    run: ({ db, now }, [page = "", path = ""]) => publishPage(db, now(), page, path),
  },
  {
    name: "legal withdraw",
    arguments: ["<page>"],
    says: "retire le texte publié : celui du portail, à compléter, revient",
    run: ({ db }, [page = ""]) => withdrawPage(db, page),
  },
];

const declares = (page: string) => page === "accessibilite";
const refused = (...lines: string[]): CommandResult => ({ ok: false, lines });
const isLegalPage = (page: string): page is LegalPage => legalPages.includes(page as LegalPage);
const unknownPage = (page: string) =>
  refused(`Aucune page ne s'appelle ${page} : ${legalPages.join(", ")}.`);

async function listPages(db: Db): Promise<CommandResult> {
  const lines = await Promise.all(
    legalPages.map(async (page) => {
      const { publishedOn, conformity } = await legalText(db, page);
      const state = publishedOn ? `publiée le ${formatDate(publishedOn)}` : "à compléter";
      return `${page} : ${state}${declares(page) ? `, ${conformityNames[conformity]}` : ""}`;
    }),
  );
  return { ok: true, lines };
}

async function showPage(db: Db, page: string): Promise<CommandResult> {
  if (!isLegalPage(page)) return unknownPage(page);
  const { body, conformity } = await legalText(db, page);
  const head = declares(page) ? [`conformité: ${conformityNames[conformity]}`, ""] : [];
  return { ok: true, lines: [...head, ...body.split("\n")] };
}

async function publishPage(db: Db, now: Date, page: string, path: string): Promise<CommandResult> {
  if (!isLegalPage(page)) return unknownPage(page);
  const file = await readFile(path, "utf8").catch(() => null);
  if (file === null) return refused(`Le fichier ${path} ne s'ouvre pas.`);
  const { body, conformity, faults } = textIn(page, file);
  if (faults.length > 0) return refused(`Rien n'est publié : ${path} est à corriger.`, ...faults);
  await sql`insert into legal_page (page, body, conformity, published_at)
    values (${page}, ${body}, ${conformity}, ${now})
    on conflict (page) do update set body = excluded.body, conformity = excluded.conformity,
      published_at = excluded.published_at`.execute(db);
  return { ok: true, lines: [`${page} : publiée.`] };
}

/** Parses a file: for accessibility the declared state on the first line, then the text. */
function textIn(page: LegalPage, file: string) {
  const whole = file
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  const first = /^conformité\s*:\s*([^\n]*)\n/i.exec(whole);
  const conformity: Conformity | null =
    conformities.find((state) => conformityNames[state] === first?.[1]?.trim()) ?? null;
  const body = declares(page) && first ? whole.slice(first[0].length).trim() : whole;
  const states = Object.values(conformityNames).join(", ");
  const faults = [
    declares(page) && !conformity
      ? `La première ligne dit «\u00a0conformité:\u00a0» et un état : ${states}.`
      : null,
    body.length < 1 || body.length > 30_000 ? "texte : de 1 à 30000 caractères." : null,
    file.includes("\0") ? "le fichier n'est pas un texte." : null,
  ].filter((fault) => fault !== null);
  return { body, conformity: declares(page) ? conformity : null, faults };
}

async function withdrawPage(db: Db, page: string): Promise<CommandResult> {
  if (!isLegalPage(page)) return unknownPage(page);
  await sql`delete from legal_page where page = ${page}`.execute(db);
  return { ok: true, lines: [`${page} : le texte du portail est à compléter.`] };
}
