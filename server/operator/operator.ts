// The operator's command line: `npm run operator -- ledger verify`. Without arguments it lists its commands.
// It opens the database of the settings, running or not, and answers in French.
import { formatCount, formatDateTime, plural } from "#contract/french.ts";
import { plainText } from "#contract/plain-text.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { loadConfig, type Config } from "#server/process/config.ts";
import { openDb, type Db } from "#server/db/db.ts";
import { demoCommands } from "#server/demo/demo.ts";
import { changeRootKey, openRootKeys } from "#server/identity/identity.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { makeEnqueue } from "#server/process/jobs.ts";
import type { OperatorCommand } from "#server/process/room.ts";
import { rooms } from "#server/rooms.ts";
import { makeSend } from "#server/notifications/notifications.ts";
import { operatorAccount } from "./account.ts";
import { backup } from "./backup.ts";
import { requestCommands } from "./requests.ts";
import { firstInstant, instantOf, restore } from "./restore.ts";
import { printError, print, printLine } from "./output.ts";
import { exitCodes, StartProblem } from "#server/process/start-problem.ts";

interface Command {
  name: string;
  /** The arguments after the name, as the list shows them. */
  arguments: readonly string[];
  says: string;
  /** Prints its answer; false when a check failed (exit code 1). */
  run(db: Db, args: readonly string[], config: Config): Promise<boolean>;
  /** Instead of `run`, for a command that needs no database to be there. */
  runWithoutDatabase?(args: readonly string[]): Promise<boolean>;
}

const commands: readonly Command[] = [
  {
    name: "keys rotate",
    arguments: [],
    says: "remplace la clé racine, qui est hors de la base",
    run: (db, _input, config) => rotateRootKey(db, config),
  },
  {
    name: "backup",
    arguments: ["<dossier>"],
    says: "copie la base embarquée, et garde dès lors ses journaux dans ce dossier",
    run: takeBackup,
  },
  {
    name: "restore",
    arguments: ["<dossier>", "<nouveau DATA_DIR>", "<instant|fin>"],
    says: "rétablit la base à un instant, dans un dossier neuf",
    run: async () => false,
    runWithoutDatabase: restoreTo,
  },
  ...[...requestCommands, ...rooms.flatMap((room) => room.commands ?? []), ...demoCommands].map(
    ofRoom,
  ),
];

const wrongUsage = 64;

async function rotateRootKey(db: Db, config: Config): Promise<boolean> {
  if (config.rootKey !== null)
    throw new StartProblem(
      "ROOT_KEY donne la clé racine : mettez-la dans un fichier (ROOT_KEY_FILE) pour la changer.",
      exitCodes.badSetting,
    );
  const { from, to } = await changeRootKey(db, config);
  print(
    `Clé racine ${from} remplacée par ${to} dans ${config.rootKeyFile}. Gardez-en une copie à part ` +
      "des sauvegardes, et relancez les serveurs. Une sauvegarde plus ancienne demande l'ancienne clé.",
  );
  return true;
}

async function takeBackup(
  db: Db,
  [folder = ""]: readonly string[],
  config: Config,
): Promise<boolean> {
  const made = await backup(db, config, folder);
  const megabytes = formatCount(Math.ceil(made.bytes / 2 ** 20));
  print(
    `Sauvegarde faite dans ${made.folder} : ${plural(made.files, "fichier")}, ${megabytes} Mo.\n` +
      `La base peut revenir à tout instant depuis le ${firstInstant(made.readyAt)} : ses journaux ` +
      "sont gardés à côté. Mettez ce dossier sur un autre disque, et gardez à part la clé racine " +
      `(${config.rootKey === null ? config.rootKeyFile : "ROOT_KEY"}) : elle n'est pas dedans, et ` +
      "sans elle ce qui est scellé ne s'ouvre pas.",
  );
  return true;
}

async function restoreTo([from = "", dataDir = "", instant = ""]: readonly string[]) {
  const { base, lastAt, ledger } = await restore({ from, dataDir, until: instantOf(instant) });
  const last = lastAt ? `dernière écriture du ${formatDateTime(lastAt)}` : "journal vide";
  const proof = ledger.ok ? "tout est juste" : "LE JOURNAL EST EN DÉFAUT";
  print(
    `Base rétablie dans ${dataDir} depuis ${base} : ${plural(ledger.transfers, "écriture")}, ` +
      `${last} ; ${proof}.\nMettez-y la clé racine (root.key), ` +
      `puis lancez le serveur avec DATA_DIR=${dataDir}, puis faites une ` +
      "nouvelle sauvegarde.",
  );
  return ledger.ok;
}

/** A command of a room, with its dependencies; its lines are printed. */
function ofRoom(command: OperatorCommand): Command {
  return {
    ...command,
    async run(db, args, config) {
      const log = pino({ level: "silent" });
      const enqueue = makeEnqueue();
      const now = () => new Date();
      const send = makeSend({ enqueue, now });
      const progress = printLine;
      const deps = { db, now, send, enqueue, config, log, progress };
      const { ok, lines } = await command.run(deps, args, operatorAccount());
      for (const line of lines) printLine(line);
      return ok;
    },
  };
}

/** The commands that begin with a word; all of them without one, or where none does. */
function list(word = ""): void {
  print("npm run operator -- <commande>\n");
  const some = commands.filter(({ name }) => name.split(" ")[0] === word);
  for (const command of some.length > 0 ? some : commands) {
    const line = [command.name, ...command.arguments].join(" ");
    print(`  ${line.padEnd(24)} ${command.says}`);
  }
}

/** Runs one command; gives the exit code: 0, 1 when something is wrong, 64 for a wrong usage. */
async function operate(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [first, about] = words;
  if (first === undefined || ["help", "aide", "--help", "-h"].includes(first)) {
    list(about);
    return 0;
  }
  const line = words.join(" ");
  // « faq synonyms add » begins with « faq synonyms »: the longest matching name wins.
  const command = commands
    .filter(({ name }) => line === name || line.startsWith(`${name} `))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const args = words.slice(command?.name.split(" ").length).map(plainText);
  const maxArgs = command?.arguments.length ?? 0;
  const minArgs = command?.arguments.filter((one) => !one.startsWith("[")).length ?? 0;
  if (command === undefined || args.length < minArgs || args.length > maxArgs) {
    printError(`Commande inconnue ou incomplète : ${line}\n`);
    list(first);
    return wrongUsage;
  }
  if (command.runWithoutDatabase) return (await command.runWithoutDatabase(args)) ? 0 : 1;
  const config = loadConfig(env);
  const { url, leave } = await reachDatabase(config);
  const database = openDb(url, { max: 2 });
  try {
    await openRootKeys(database.db, config);
    return (await command.run(database.db, args, config)) ? 0 : 1;
  } finally {
    await database.close();
    await leave();
  }
}

async function reachDatabase(config: Config): Promise<{ url: string; leave: () => Promise<void> }> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  const reached = url ? { url, leave: async () => {} } : await embedded(config.dataDir);
  const ready = await oneQuery<{ ready: boolean }>(
    reached.url,
    "select to_regclass('transfer') is not null as ready",
  ).catch(async (error: unknown) => {
    await reached.leave();
    throw new StartProblem(
      `La base de données ne répond pas : ${error instanceof Error ? error.message : ""}`,
      exitCodes.unavailable,
      error,
    );
  });
  if (ready[0]?.ready) return reached;
  await reached.leave();
  throw new StartProblem("Cette base est vide : lancez d'abord npm start.", exitCodes.unavailable);
}

async function embedded(dataDir: string): Promise<{ url: string; leave: () => Promise<void> }> {
  if (!existsSync(join(dataDir, "postgres", "PG_VERSION"))) {
    throw new StartProblem(
      `Il n'y a pas de base dans le dossier ${dataDir} : lancez d'abord npm start.`,
      exitCodes.dataFolder,
    );
  }
  const database = await startEmbedded({ dataDir });
  // A database found running has a server on it: it is left running.
  return { url: database.url, leave: database.adopted ? async () => {} : () => database.stop() };
}

try {
  process.exitCode = await operate(process.argv.slice(2), process.env);
} catch (error) {
  printError(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof StartProblem ? error.exitCode : 1;
}
