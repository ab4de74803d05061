// Restores the embedded database to a moment of the past, from a backup (backup.ts) and the WAL archived
// since. Always into a new data folder: existing data is never overwritten.
import { instantOfParis } from "#contract/days.ts";
import { formatDateTime } from "#contract/french.ts";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { recoverySettings } from "#server/db/archive.ts";
import { openDb } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { runner } from "#server/db/postgres-process.ts";
import { verify } from "#server/ledger/ledger.ts";
import { type BaseNote, baseName, copyTree, noteFile } from "./backup.ts";
import { exitCodes, StartProblem } from "#server/process/start-problem.ts";

export interface Restored {
  /** The base copy that it started from. */
  base: string;
  /** The last restored transaction, null when there is none. */
  lastAt: Date | null;
  ledger: Awaited<ReturnType<typeof verify>>;
}

interface RestoreOptions {
  /** The folder given to `operator backup`. */
  from: string;
  /** A data folder that does not exist yet, or is empty. */
  dataDir: string;
  /** Transactions committed until then are restored; null: as many as were archived. */
  until: Date | null;
}

/**
 * Restores, verifies the ledger, and leaves the database stopped in the new folder. Throws a StartProblem
 * with one French sentence, and then leaves nothing behind but the log.
 */
export async function restore({ from, dataDir, until }: RestoreOptions): Promise<Restored> {
  const [source, target] = [resolve(from), resolve(dataDir)];
  const base = await baseFor(source, until);
  await requireUnusedFolder(target);
  const cluster = join(target, "postgres");
  try {
    await mkdir(cluster, { recursive: true, mode: 0o700 });
    await copyTree(join(source, base, "postgres"), cluster);
    await writeFile(
      join(cluster, "backup_label"),
      await readFile(join(source, base, "postgres", "backup_label")),
    );
    await writeFile(join(cluster, "recovery.signal"), "");
    runner().own(cluster);
    return { base, ...(await recover(target, join(source, "wal"), until)) };
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    throw explained(error, until);
  }
}

/**
 * The instant of a command line: as the portal writes it, in Paris, or ISO 8601 with its zone; « fin » for
 * all that was archived (null).
 */
export function instantOf(text: string): Date | null {
  if (text === "fin") return null;
  const withZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
  const instant = withZone.test(text) ? new Date(text.replace(" ", "T")) : parisInstant(text);
  if (instant && !Number.isNaN(instant.getTime())) return instant;
  throw new StartProblem(
    `L'instant «\u00a0${text.slice(0, 40)}\u00a0» n'est pas compris : écrivez par exemple ` +
      '"21/11/2026 08:30" (heure de Paris), 2026-11-21T08:30:00+01:00 (avec le fuseau), ou fin.',
    exitCodes.badSetting,
  );
}

/** Parses « 21/11/2026 08:30 », in Paris; null for any other form, or no such day and time. */
function parisInstant(text: string): Date | null {
  const [, day, month, year, time = ""] = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d)$/.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(`${written}T${time}Z`))) return null;
  const instant = instantOfParis(written, time);
  return formatDateTime(instant) === text ? instant : null;
}

/** The first minute, as people read it, that a copy complete at an instant can be restored to. */
export const firstInstant = (readyAt: Date): string =>
  formatDateTime(new Date(Math.ceil(readyAt.getTime() / 60_000) * 60_000));

/** The latest copy that was complete before the instant. */
async function baseFor(source: string, until: Date | null): Promise<string> {
  const names = (await readdir(source).catch(() => [])).filter((name) => baseName.test(name));
  const notes = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(source, name, noteFile), "utf8");
      return { name, readyAt: new Date((JSON.parse(text) as BaseNote).readyAt) };
    }),
  );
  notes.sort((a, b) => a.readyAt.getTime() - b.readyAt.getTime());
  const first = notes[0];
  if (!first) throw problem(`Il n'y a pas de sauvegarde dans ${source}.`);
  const fit = notes.findLast(({ readyAt }) => until === null || readyAt <= until);
  if (fit) return fit.name;
  throw problem(
    `Aucune sauvegarde de ${source} n'est antérieure à cet instant : la première permet de ` +
      `revenir au ${firstInstant(first.readyAt)} ou après.`,
  );
}

async function requireUnusedFolder(target: string): Promise<void> {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw problem(`Le dossier ${target} est inutilisable.`, error);
  });
  // The log of an attempt that failed is not in the way of the next one.
  if (found.every((name) => name === "postgres.log")) return;
  throw problem(
    `Le dossier ${target} n'est pas vide : rien n'a été modifié ; donnez un dossier neuf, puis ` +
      "lancez le serveur avec DATA_DIR sur ce dossier.",
  );
}

async function recover(dataDir: string, wal: string, until: Date | null) {
  const database = await startEmbedded({ dataDir, settings: recoverySettings(wal, until) });
  const { db, pool, close } = openDb(database.url, { max: 1 });
  try {
    const { rows } = await pool.query<{ at: Date | null }>("select max(at) as at from transfer");
    return { lastAt: rows[0]?.at ?? null, ledger: await verify(db) };
  } finally {
    await close();
    await database.stop();
  }
}

function explained(error: unknown, until: Date | null): unknown {
  const { message } = error as Error;
  if (/recovery ended before configured recovery target/.test(message) && until !== null) {
    return problem(
      `Les journaux gardés s'arrêtent avant le ${formatDateTime(until)} : si le serveur vit encore, ` +
        "«\u00a0operator backup\u00a0» les complète ; sinon demandez un instant antérieur, ou fin.",
      error,
    );
  }
  if (error instanceof StartProblem) return error;
  return problem(`La restauration a échoué : ${message}`, error);
}

const problem = (sentence: string, cause?: unknown) =>
  new StartProblem(sentence, exitCodes.dataFolder, cause);
