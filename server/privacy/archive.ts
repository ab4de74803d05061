// The export: all data of a person as a zip of JSON, with a PDF statement for each wallet and the files that
// they sent. It is made while it is sent: one row, one PDF, one file in memory at a time.
import { Readable } from "node:stream";
import { sql } from "kysely";
import { formatDate } from "#contract/french.ts";
import { avatarOf, fileOf, filesOf } from "#server/documents/documents.ts";
import { healthRecordOf } from "#server/allergies/allergies.ts";
import type { Db } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { statementsOf } from "#server/wallet/wallet.ts";
import type { RetentionLine } from "./retention.ts";
import { register } from "./register.ts";

const rowsAtOnce = 200;

/** The exported columns of each table; excluded ones are not even read. */
async function shownColumns(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      and c.relname = any(${register.map(({ table }) => table)}::text[])
    group by 1`.execute(db);
  const found = new Map(rows.map(({ table, columns }) => [table, columns]));
  return new Map(
    register.map(({ table, hidden = [] }) => [
      table,
      (found.get(table) ?? []).filter((column) => !hidden.includes(column)),
    ]),
  );
}

const selectRows = (line: RetentionLine, columns: readonly string[], personId: number) => sql`
  select to_jsonb(r) as row from (select ${sql.join(columns.map((name) => sql.ref(`t.${name}`)))}
    from ${sql.table(line.table)} t where ${line.ownedBy(personId)}) r`;

/** The text of donnees.json: one snapshot, as an object of lists. */
async function* dataText({ db }: Deps, personId: number): AsyncGenerator<string> {
  const columns = await shownColumns(db);
  const tx = await db.startTransaction().setIsolationLevel("repeatable read").execute();
  try {
    yield "{";
    for (const [at, line] of register.entries()) {
      yield `${at > 0 ? "," : ""}\n  ${JSON.stringify(line.label)}: [`;
      const query = selectRows(line, columns.get(line.table) ?? [], personId);
      await sql`declare export_rows no scroll cursor for ${query}`.execute(tx);
      for (let count = 0; ;) {
        const { rows } = await sql<{ row: unknown }>`
          fetch ${sql.lit(rowsAtOnce)} from export_rows`.execute(tx);
        for (const { row } of rows) yield `${count++ > 0 ? "," : ""}\n${indented(row)}`;
        if (rows.length < rowsAtOnce) break;
      }
      await sql`close export_rows`.execute(tx);
      yield "\n  ]";
    }
    const health = await healthRecordOf(db, personId);
    if (health) yield `,\n  "Allergènes": ${JSON.stringify(health, null, 2)}`;
    yield "\n}\n";
  } finally {
    await tx.rollback().execute();
  }
}

const indented = (row: unknown) => JSON.stringify(row, null, 2).replace(/^/gm, "    ");

/** The zip as a stream of bytes. Reads only: no decision depends on it. */
export async function streamArchive(deps: Deps, personId: number): Promise<Readable> {
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  const options = { mtime: deps.now() };
  const out = zip.outputStream as Readable;
  // A part that cannot be read ends the whole: an export with half of the data must never count as ready.
  zip.on("error", (error: Error) => out.destroy(error));
  const add = (name: string, parts: () => AsyncIterable<string | Buffer>) =>
    zip.addReadStreamLazy(name, options, (ready) => {
      const stream = Readable.from(parts());
      stream.on("error", (error) => out.destroy(error));
      ready(null, stream);
    });
  add("donnees.json", () => dataText(deps, personId));
  for (const { name, draw } of await statementsOf(deps, personId))
    add(`releves/${name}`, () => once(draw));
  for (const { id, name } of await filesOf(deps.db, personId))
    add(`documents/${id.slice(0, 8)} ${name}`, () => once(() => fileOf(deps.db, id)));
  const avatar = await avatarOf(deps.db, personId);
  if (avatar) zip.addBuffer(avatar, "photo.jpg", options);
  zip.addBuffer(Buffer.from(readme(options.mtime)), "LISEZ-MOI.txt", options);
  zip.end();
  return out;
}

async function* once(read: () => Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await read();
}

const readme = (at: Date): string => `Ma carte, vos données au ${formatDate(at.toISOString())}

donnees.json : tout ce que nous gardons sur vous, rangé par genre. Les montants sont en centimes,
les dates à l'heure universelle.
releves/ : un relevé PDF par cagnotte.
documents/ : les fichiers que vous avez envoyés.
photo.jpg : votre photo de profil, si vous en avez une.

Combien de temps nous gardons chaque genre de données
${register.map(({ label, howLong, purpose }) => `- ${label} : ${howLong} (${purpose})`).join("\n")}
`;
