// Brings a database to the schema that this code expects: the numbered files of migrations/, each once, each
// in its own transaction. It refuses a file that changed after it was applied, and never goes back.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { StartProblem, exitCodes } from "#server/process/start-problem.ts";
import { grantRights, lacksRights, majorVersion, rightsLacking, schemas } from "./runtime-role.ts";

export interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
}

/** The newest of its features that we use is `nulls not distinct`. */
const oldestPostgres = 15;
/** The last migration of the queue's library, as `runMigrations` leaves it. */
export const queueRevision = 20;
const ownFolder = join(import.meta.dirname, "migrations");

/**
 * Applies missing migrations to the database at `url`; two servers may start together. Returns the names
 * applied, and those that the database has beyond this code (a newer version ran here: the server still
 * starts, since each migration must leave version N-1 working). `runtimeRole` is then granted reading and
 * writing of rows. Throws a StartProblem.
 */
export async function migrate(
  url: string,
  { folder = ownFolder, runtimeRole }: { folder?: string; runtimeRole?: string } = {},
): Promise<{ applied: string[]; unknown: string[] }> {
  const reading = readMigrations(folder);
  reading.catch(() => {});
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const files = await reading;
    const later = await currentBut(client, files, runtimeRole);
    if (later) return { applied: [], unknown: later };
    await requireVersion(client);
    await createTable(client);
    const known = await appliedBefore(client);
    requireSameLine(known, files);
    // The queue before our own files, which may enqueue from SQL.
    await underLock(client, () => migrateQueue(url));
    const applied = [];
    for (const file of files) {
      if (isSame(known.get(file.number), file)) continue;
      if (await applyOnce(client, file)) applied.push(file.name);
    }
    if (runtimeRole && (await lacksRights(client, runtimeRole))) {
      await underLock(client, () => grantRights(client, runtimeRole));
    }
    const { rows } = await client.query<{ name: string }>(
      "select name from migration where number > $1 order by number",
      [files.at(-1)?.number ?? 0],
    );
    return { applied, unknown: rows.map((row) => row.name) };
  } finally {
    await client.end();
  }
}

/**
 * The usual case at a start, nothing missing, decided by one query. Returns the names that the database has
 * beyond `files`; null when something may be missing or must be refused, which the following steps decide.
 */
async function currentBut(
  client: Client,
  files: readonly Migration[],
  role: string | undefined,
): Promise<string[] | null> {
  const { rows } = await client
    .query<{ major: number; queue: number; lacks: boolean; known: Applied[] }>(
      `select current_setting('server_version_num')::int / 10000 as major,
         (select max(id) from graphile_worker.migrations) as queue,
         $2::text is not null and ${rightsLacking} as lacks,
         (select coalesce(json_agg(m), '[]') from (
           select number, name, sha256 from migration order by number) m) as known`,
      [schemas, role ?? null],
    )
    .catch(() => ({ rows: [] }));
  const found = rows[0];
  if (!found || found.major < oldestPostgres || found.queue !== queueRevision) return null;
  if (found.lacks) return null;
  const known = new Map(found.known.map((one) => [one.number, one]));
  if (!files.every((file) => isSame(known.get(file.number), file))) return null;
  const last = files.at(-1)?.number ?? 0;
  return found.known.filter(({ number }) => number > last).map(({ name }) => name);
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();

async function migrateQueue(url: string): Promise<void> {
  const { Logger, runMigrations } = await import("graphile-worker");
  const silent = new Logger(() => () => {});
  await runMigrations({ connectionString: url, logger: silent, preset: {} });
}

/** How many migrations this code brings. */
export const countMigrations = async (): Promise<number> => (await namesIn(ownFolder)).length;

/** The files of `folder` by number: 0001-process.sql, 0002-…; no number twice. */
export async function readMigrations(folder = ownFolder): Promise<Migration[]> {
  const names = await namesIn(folder);
  const numbers = names.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]));
  const wrong = numbers.findIndex((number, index) => !(number > (numbers[index - 1] ?? 0)));
  if (wrong >= 0)
    throw new StartProblem(
      `Migration mal nommée ou numéro pris deux fois : ${names[wrong]} (forme : 0001-nom.sql).`,
      exitCodes.dataFolder,
    );
  return names.map((name, index) => {
    // Read at once: a promise for each of many small files takes longer than they do.
    const sql = readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
    const sha256 = createHash("sha256").update(sql).digest("hex");
    return { number: numbers[index] as number, name, sql, sha256 };
  });
}

/** Refuses a version of PostgreSQL that our migrations do not support. */
async function requireVersion(client: Client): Promise<void> {
  const major = await majorVersion(client);
  if (major < oldestPostgres)
    throw new StartProblem(
      `Ce PostgreSQL est de version ${major} ; Ma carte en demande une de ${oldestPostgres} ou plus ` +
        "récente. Rien n'a été changé : mettez le serveur à jour, ou indiquez-en un autre dans DATABASE_URL.",
      exitCodes.unsupported,
    );
}

// When servers create the table together, some fail on the catalogue's own unique indexes (table or row
// type), although the statement says "if not exists"; once one has succeeded, the others pass.
const someoneElseCreates = new Set(["23505", "42P07", "42710"]);

async function createTable(client: Client): Promise<void> {
  // A role that owns nothing may start a server on a database that is up to date.
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('public.migration') is not null as there",
  );
  if (rows[0]?.there) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`create table if not exists migration (
        number int primary key,
        name text not null,
        sha256 text not null,
        at timestamptz not null default now()
      )`);
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (attempt === 5 || !someoneElseCreates.has(code ?? "")) throw error;
    }
  }
}

type Applied = Pick<Migration, "number" | "name" | "sha256">;

const isSame = (applied: Omit<Applied, "number"> | undefined, { name, sha256 }: Migration) =>
  applied?.name === name && applied.sha256 === sha256;

/** Applied migrations never change nor disappear: this reading stays true while other servers start. */
async function appliedBefore(client: Client): Promise<Map<number, Applied>> {
  const { rows } = await client.query<Applied>(
    "select number, name, sha256 from migration order by number",
  );
  return new Map(rows.map((row) => [row.number, row]));
}

/** Refuses a database of the trial versions, whose first migration had another name (docs/decisions/032). */
function requireSameLine(known: ReadonlyMap<number, Applied>, [first]: Migration[]): void {
  const applied = first && known.get(first.number);
  if (applied && applied.name !== first.name)
    throw new StartProblem(
      `Cette base a été créée par une version d’essai de Ma carte (migration ${applied.name}), que ` +
        "celle-ci ne sait pas reprendre : rien n'a été changé. Démarrez sur un dossier DATA_DIR ou " +
        "une base neufs (d'une démonstration, supprimez l'ancien dossier : tout y est recréé), ou " +
        "relancez la version qui l'a créée.",
      exitCodes.dataFolder,
    );
}

async function underLock<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await client.query("lock table migration in share row exclusive mode");
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

function applyOnce(client: Client, file: Migration): Promise<boolean> {
  return underLock(client, async () => {
    const { rows } = await client.query<{ name: string; sha256: string }>(
      "select name, sha256 from migration where number = $1",
      [file.number],
    );
    const done = rows[0];
    if (isSame(done, file)) return false;
    if (done)
      throw new StartProblem(
        `La migration ${file.name} a été modifiée après avoir été appliquée (${done.name}) : ` +
          "rien n'a été changé ; rétablissez ce fichier et écrivez une nouvelle migration.",
        exitCodes.dataFolder,
      );
    try {
      await client.query(file.sql);
    } catch (error) {
      throw new StartProblem(
        `La migration ${file.name} échoue : ${(error as Error).message} ; elle a été annulée.`,
        exitCodes.dataFolder,
        error,
      );
    }
    await client.query("insert into migration (number, name, sha256) values ($1, $2, $3)", [
      file.number,
      file.name,
      file.sha256,
    ]);
    return true;
  });
}
