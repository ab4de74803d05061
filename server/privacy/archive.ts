// The export: everything of a person as a zip of JSON, with a statement on paper for each wallet.
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import yazl from "yazl";
import { formatDate } from "#contract/french.ts";
import { filesOf } from "#server/documents/documents.ts";
import { healthRecordOf } from "#server/health/health.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { statementsOf } from "#server/wallet/wallet.ts";
import type { Kept } from "./kept.ts";
import { register } from "./register.ts";

/** The rows of one line of the register, as JSON, the oldest first where they have a number. */
async function rowsOf(db: Db, line: Kept, personId: number): Promise<unknown[]> {
  const hidden = [...(line.hidden ?? [])];
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(t) - ${hidden}::text[] as row from ${sql.table(line.table)} t
    where ${line.whose(personId)}`.execute(db);
  return rows.map(({ row }) => row);
}

/** The zip's bytes. Reads a moment's state: nothing of it is decided upon. */
export async function archiveOf(deps: Deps, personId: number): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const mtime = deps.now();
  const add = (name: string, bytes: Buffer) => zip.addBuffer(bytes, name, { mtime });
  const everything: Record<string, unknown> = {};
  for (const line of register) everything[line.holds] = await rowsOf(deps.db, line, personId);
  const health = await healthRecordOf(deps.db, personId);
  if (health) everything["Allergènes"] = health;
  add("donnees.json", Buffer.from(JSON.stringify(everything, null, 2)));
  for (const { name, bytes } of await statementsOf(deps, personId)) add(`releves/${name}`, bytes);
  for (const { id, name, content } of await filesOf(deps.db, personId)) {
    add(`documents/${id.slice(0, 8)} ${name}`, content);
  }
  add("LISEZ-MOI.txt", Buffer.from(readme(mtime)));
  zip.end();
  return await buffer(zip.outputStream);
}

const readme = (at: Date): string => `Ma carte, vos données au ${formatDate(at.toISOString())}

donnees.json : tout ce que nous gardons sur vous, rangé par genre. Les montants sont en centimes,
les dates à l'heure universelle.
releves/ : un relevé PDF par cagnotte.
documents/ : les fichiers que vous avez envoyés.

Combien de temps nous gardons chaque genre de données
${register.map(({ holds, howLong, after }) => `- ${holds} : ${howLong} (${after})`).join("\n")}
`;
