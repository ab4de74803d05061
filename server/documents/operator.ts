// Operator command of documents: saves one to a file, and records that it was read.
import { writeFile } from "node:fs/promises";
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { auditOperator } from "#server/identity/identity.ts";
import type { CommandResult, OperatorCommand, OperatorDeps } from "#server/process/room.ts";

/** Commands `npm run operator -- documents …`. */
export const documentCommands: readonly OperatorCommand[] = [
  {
    name: "documents save",
    arguments: ["<document>", "<fichier>"],
    says: "écrit un document reçu dans un fichier neuf",
    run: saveDocument,
  },
];

async function saveDocument(
  { db, now }: OperatorDeps,
  [id = "", path = ""]: readonly string[],
  operator: string,
): Promise<CommandResult> {
  const file = await query(db).maybeOne(sql<{ name: string; content: Buffer; personId: number }>`
    select name, content, person_id from document where id::text = ${id.toLowerCase()}`);
  if (!file) return { ok: false, lines: ["Aucun document ne porte cet identifiant."] };
  try {
    await writeFile(path, file.content, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = isThere ? "il existe déjà" : "ce chemin ne s'ouvre pas";
    return { ok: false, lines: [`Le fichier ${path} n'a pas été écrit : ${why}.`] };
  }
  await inTx(db, (tx) =>
    auditOperator(tx, operator, "document.read", {
      personId: file.personId,
      details: { name: file.name },
      at: now(),
    }),
  );
  return { ok: true, lines: [`${file.name} (${file.content.length} octets) → ${path}`] };
}
