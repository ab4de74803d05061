// Operator command of a holder's history: a page on the screen, or all of it in a file.
import { writeFile } from "node:fs/promises";
import { formatCount } from "#contract/french.ts";
import {
  commandResult,
  type CommandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";
import { printable } from "#server/process/printable.ts";
import { historyOf, historyPage } from "./history.ts";

/** Command `npm run operator -- holders history`. */
export const historyCommands: readonly OperatorCommand[] = [
  {
    name: "holders history",
    arguments: ["<numéro>", "[<page|fichier>]"],
    says: "montre toute l'histoire d'un porteur : identité, cartes, argent, commandes, activité",
    run: (deps, [card = "", where = "1"], operator) =>
      /^\d{1,6}$/.test(where)
        ? showPage(deps, card, { page: Math.max(1, Number(where)), operator })
        : writeAll(deps, card, { path: where, operator }),
  },
];

const showPage = (
  deps: OperatorDeps,
  card: string,
  { page, operator }: { page: number; operator: string },
): Promise<CommandResult> =>
  commandResult(async () => {
    const cardnumber = numberArgument(card);
    const { head, events, count } = await historyOf(deps, { cardnumber, page, operator });
    const pages = Math.max(1, Math.ceil(count / historyPage));
    const at = `Page ${formatCount(page)} sur ${formatCount(pages)} : ${formatCount(count)} lignes.`;
    return [...(page === 1 ? [...head, ""] : []), ...events, at];
  });

async function writeAll(
  deps: OperatorDeps,
  card: string,
  { path, operator }: { path: string; operator: string },
): Promise<CommandResult> {
  let written = true;
  const result = await commandResult(async () => {
    const cardnumber = numberArgument(card);
    const { head, events, count } = await historyOf(deps, { cardnumber, page: null, operator });
    const text = [...head, "", ...events].map((line) => printable(line).replaceAll("\n", "\\n"));
    try {
      await writeFile(path, `${text.join("\n")}\n`, { flag: "wx", mode: 0o600 });
    } catch (error) {
      written = false;
      const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
      const why = isThere ? "il existe déjà" : "ce chemin ne s'ouvre pas";
      return [`Le fichier ${path} n'a pas été écrit : ${why}.`];
    }
    return [`${formatCount(count)} lignes → ${path}`];
  });
  return { ...result, ok: result.ok && written };
}
