// The folder of the embedded database: created whole or not at all, never removed, and refused when
// another version of PostgreSQL made it.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "#server/process/make-folder.ts";
import { StartProblem, exitCodes, oneLine } from "#server/process/start-problem.ts";
import { binaries, runner, runProgram } from "./postgres-process.ts";

const major = "18";
const passwordFile = "ma-carte.password";
const unfinishedAfterMs = 10 * 60_000;

export interface EmbeddedOptions {
  /** Our data folder; the cluster lives in its `postgres` folder, its log beside it. */
  dataDir: string;
  log?: (message: string) => void;
  /**
   * Called once its process has been launched, long before it answers; not for a process that was already
   * running.
   */
  onLaunched?: () => void;
  /** Settings of postgresql.conf given on the command line; the tests turn fsync off. */
  settings?: Record<string, string>;
  /** Further arguments of initdb; the tests skip its sync. */
  initdbArguments?: string[];
}

export interface Cluster {
  folder: string;
  logFile: string;
  password: string;
  settings: Record<string, string>;
}

/** Finds the cluster under `dataDir`, or creates it; a StartProblem when the folder is not usable. */
export async function openCluster(
  options: EmbeddedOptions,
  log: (message: string) => void,
): Promise<Cluster> {
  let dataDir = resolve(options.dataDir);
  try {
    await makeFolder(dataDir, 0o711);
    dataDir = await realpath(dataDir);
    const folder = join(dataDir, "postgres");
    if (!existsSync(join(folder, "PG_VERSION"))) {
      await requireNoForeignFolder(folder);
      log("Première mise en route : création de la base embarquée…");
      await createCluster(folder, options.initdbArguments ?? []);
    }
    const version = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
    if (version !== major) throw otherVersion(folder, version);
    const password = (await readFile(join(folder, passwordFile), "utf8")).trim();
    return {
      folder,
      logFile: join(dataDir, "postgres.log"),
      password,
      settings: options.settings ?? {},
    };
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    if (isDiskFull(error))
      throw new StartProblem(
        `Il n'y a plus de place sur le disque de ${dataDir} : une base neuve demande environ 100 Mo. ` +
          "Libérez-en, ou donnez un autre DATA_DIR ; rien n'a été gardé de cet essai.",
        exitCodes.dataFolder,
        error,
      );
    throw new StartProblem(
      `Le dossier de données ${dataDir} est inutilisable : ${oneLine((error as Error).message)}.`,
      exitCodes.dataFolder,
      error,
    );
  }
}

/** Reported by the system, or by initdb. */
const isDiskFull = (error: unknown): boolean =>
  /ENOSPC|No space left on device/.test((error as Error).message);

function otherVersion(folder: string, version: string): StartProblem {
  return new StartProblem(
    `Le dossier ${folder} vient de PostgreSQL ${version} et ce serveur embarque la version ` +
      `${major} : rien n'a été modifié ; donnez un autre DATA_DIR, ou migrez ces données ` +
      "(pg_upgrade, ou export puis import).",
    exitCodes.dataFolder,
  );
}

async function requireNoForeignFolder(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  throw new StartProblem(
    `Le dossier ${folder} existe mais n'est pas une base PostgreSQL : rien n'a été modifié ; ` +
      "donnez un autre DATA_DIR, ou retirez ce dossier.",
    exitCodes.dataFolder,
  );
}

// Created beside and put in place by one rename: a creation that was killed leaves nothing partial, and of
// two servers that start together one wins and the other uses its cluster.
async function createCluster(folder: string, more: string[]): Promise<void> {
  const aside = `${folder}.${randomBytes(4).toString("hex")}.new`;
  await removeUnfinished(folder);
  const pwfile = `${aside}.password`;
  try {
    await writeFile(pwfile, randomBytes(24).toString("base64url"), { mode: 0o600 });
    await mkdir(aside, { mode: 0o700 });
    runner().own(aside);
    const { initdb } = await binaries();
    // Repeated hashing slows the guessing of words that people choose. Our passwords are random bytes, and
    // every connection pays for each round, on both sides.
    const fixed =
      "--username postgres --auth scram-sha-256 --set scram_iterations=1 --encoding UTF8 " +
      "--data-checksums --locale-provider builtin --locale C.UTF-8 --no-instructions";
    await runProgram(initdb, ["--pgdata", aside, "--pwfile", pwfile, ...fixed.split(" "), ...more]);
    await rename(pwfile, join(aside, passwordFile));
    await rename(aside, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
    await rm(pwfile, { force: true });
  }
}

// Removes the remains of a creation that was killed; one under way is younger.
async function removeUnfinished(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!/^postgres\.[0-9a-f]{8}\.new(\.password)?$/.test(name)) continue;
    const path = join(parent, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > unfinishedAfterMs) await rm(path, { recursive: true, force: true });
  }
}
