// Backups of the embedded database: a copy of its files taken while it runs, and from then on every WAL
// segment, from which any later moment can be restored (restore.ts). Refuses an external database, which has
// its own tools.
import type { Dirent } from "node:fs";
import { copyFile, mkdir, open, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import type { Config } from "#server/process/config.ts";
import { keepIn } from "#server/db/archive.ts";
import { type Db, sqlState } from "#server/db/db.ts";
import { runner } from "#server/db/postgres-process.ts";
import { query } from "#server/db/query.ts";
import { exitCodes, oneLine, StartProblem } from "#server/process/start-problem.ts";

/** Note beside the copied files: from which instant they suffice, and their PostgreSQL version. */
export interface BaseNote {
  /** Any instant from here on can be restored. ISO 8601. */
  readyAt: string;
  beganAt: string;
  lsn: string;
  bytes: number;
}

export interface Backup {
  folder: string;
  files: number;
  bytes: number;
  readyAt: Date;
}

export const noteFile = "sauvegarde.json";
export const baseName = /^base-\d{8}T\d{6}Z$/;
const maxWaitMs = 120_000;
const atOnce = 16;
const statementTimeoutState = "57014";

/** Folders whose content belongs to the running server, or is rebuilt from the WAL. */
export const emptiedFolders = [
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal",
] as const;
const excludedFiles =
  /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|pgsql_tmp.*|pg_internal\.init.*|backup_label.*|tablespace_map.*|.*\.conf\.tmp)$/;

/**
 * Copies the database of `config.dataDir` into a new folder of `target`, and from then on archives its WAL
 * there. All or nothing. Throws a StartProblem with one French sentence.
 */
export async function backup(db: Db, config: Config, target: string): Promise<Backup> {
  requireEmbeddedDatabase(config);
  const dataDir = await realpath(config.dataDir);
  const folder = resolve(target);
  if (`${folder}/`.startsWith(`${join(dataDir, "postgres")}/`)) {
    throw problem("Une sauvegarde ne peut pas être dans le dossier de la base elle-même.");
  }
  const wal = join(folder, "wal");
  await mkdir(wal, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw problem(`Le dossier ${folder} est inutilisable : ${oneLine(error.message)}.`, error);
  });
  runner().own(wal);
  return await db.connection().execute(async (session) => {
    await requireArchiveMode(session);
    await keepIn(dataDir, wal);
    return await copyBase(session, { from: join(dataDir, "postgres"), folder, wal });
  });
}

const problem = (sentence: string, cause?: unknown) =>
  new StartProblem(sentence, exitCodes.dataFolder, cause);

function requireEmbeddedDatabase(config: Config): void {
  if (config.databaseUrl === null) return;
  throw new StartProblem(
    "DATABASE_URL désigne un PostgreSQL à vous : sauvegardez-le avec ses propres outils " +
      "(pg_basebackup, pgBackRest). Cette commande ne sauvegarde que la base embarquée.",
    exitCodes.badSetting,
  );
}

async function requireArchiveMode(session: Db): Promise<void> {
  const { mode } = await query(session).one(
    sql<{ mode: string }>`select current_setting('archive_mode') as mode`,
  );
  if (mode === "on") return;
  throw problem(
    "La base a été démarrée par une version qui ne garde pas ses journaux : arrêtez le serveur, " +
      "relancez-le, puis recommencez.",
  );
}

interface BackupPaths {
  from: string;
  folder: string;
  wal: string;
}

async function copyBase(session: Db, { from, folder, wal }: BackupPaths): Promise<Backup> {
  const partialFolder = join(folder, `inachevee-${process.pid}`);
  const files = join(partialFolder, "postgres");
  await rm(partialFolder, { recursive: true, force: true });
  try {
    const { began } = await query(session).one(sql<{ began: Date }>`
      select clock_timestamp() as began from pg_backup_start('ma-carte', fast => true)`);
    await mkdir(files, { recursive: true, mode: 0o700 });
    const copied = await copyTree(from, files);
    const { lsn, label } = await stopBackup(session, wal);
    await writeFile(join(files, "backup_label"), label, { mode: 0o600 });
    // Read after the end: commits before this moment are in an earlier segment than the next.
    const { ready } = await query(session).one(
      sql<{ ready: Date }>`select clock_timestamp() as ready`,
    );
    const note: BaseNote = {
      readyAt: ready.toISOString(),
      beganAt: began.toISOString(),
      lsn,
      bytes: copied.bytes,
    };
    await writeFile(join(partialFolder, noteFile), `${JSON.stringify(note, null, 2)}\n`);
    const stamp = began.toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const finalFolder = join(folder, `base-${stamp}`);
    await rename(partialFolder, finalFolder);
    await flush(folder);
    return { folder: finalFolder, ...copied, readyAt: ready };
  } catch (error) {
    await rm(partialFolder, { recursive: true, force: true });
    if (error instanceof StartProblem || sqlState(error)) throw error;
    throw problem(`La copie a échoué : ${oneLine((error as Error).message)}.`, error);
  }
}

// Waits until every WAL segment that the copy needs is archived.
async function stopBackup(session: Db, wal: string): Promise<{ lsn: string; label: string }> {
  await sql`select set_config('statement_timeout', ${String(maxWaitMs)}, false)`.execute(session);
  try {
    return await query(session).one(sql<{ lsn: string; label: string }>`
      select lsn::text, labelfile as label from pg_backup_stop(wait_for_archive => true)`);
  } catch (error) {
    if (sqlState(error) !== statementTimeoutState) throw error;
    throw problem(
      `Les journaux n'arrivent pas dans ${wal} : vérifiez la place et les droits ; la base les ` +
        "garde en attendant. Cette sauvegarde a été abandonnée.",
      error,
    );
  }
}

/** Copies a tree of the running database, each file flushed to the disk; gives its size. */
export async function copyTree(
  from: string,
  to: string,
  depth = 0,
): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 };
  const files: string[] = [];
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (excludedFiles.test(entry.name)) continue;
    if (entry.isFile()) files.push(entry.name);
    if (!entry.isDirectory()) continue;
    const copy = join(to, entry.name);
    await mkdir(copy, { mode: 0o700 });
    if (depth === 0 && isEmptied(entry)) continue;
    const below = await copyTree(join(from, entry.name), copy, depth + 1);
    total.files += below.files;
    total.bytes += below.bytes;
  }
  // Several at a time: most of the time is waiting for the disk.
  while (files.length > 0) {
    const copies = files.splice(0, atOnce).map((name) => copyOne(join(from, name), join(to, name)));
    for (const bytes of await Promise.all(copies)) {
      if (bytes === null) continue;
      total.files += 1;
      total.bytes += bytes;
    }
  }
  await flush(to);
  return total;
}

const isEmptied = ({ name }: Dirent) => (emptiedFolders as readonly string[]).includes(name);

// Gives the bytes copied. A table dropped meanwhile has no files left (null): the WAL has the drop too.
async function copyOne(source: string, copy: string): Promise<number | null> {
  try {
    await copyFile(source, copy);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  return await flush(copy);
}

/** Forces what was written to `path`, a file or a folder, onto the disk; gives its size. */
async function flush(path: string): Promise<number> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
