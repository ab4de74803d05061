// The operator's command line: `npm run operator -- ledger verify`. Without arguments it lists what
// it can do. It inspects the database of the settings, running or not, and says so in French.
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { cardCommands } from "./cards/cards.ts";
import { contactCommands } from "./contact/desk.ts";
import { contentCommands } from "./content/desk.ts";
import { loadConfig, type Config } from "./config.ts";
import { openDb, type Db } from "./db/db.ts";
import type { Deps } from "./deps.ts";
import { startEmbedded } from "./db/embedded.ts";
import { oneQuery } from "./db/one-query.ts";
import { documentCommands } from "./documents/documents.ts";
import { enrolmentCommands } from "./enrolment/desk.ts";
import { entitlementCommands } from "./entitlements/desk.ts";
import { familyCommands } from "./family/desk.ts";
import { makeEnqueue } from "./jobs.ts";
import { postedUnder, totalsOf, verify } from "./ledger/ledger.ts";
import { makeSend } from "./notifications/notifications.ts";
import { backup } from "./operator-backup.ts";
import { instantOf, restore } from "./operator-restore.ts";
import { passCommands } from "./passes/passes.ts";
import { partnerCommands } from "./partners/partners.ts";
import { paymentCommands } from "./payments/payments.ts";
import { privacyCommands } from "./privacy/privacy.ts";
import { exitCodes, StartProblem } from "./start-problem.ts";
import { transitCommands } from "./transit/transit.ts";
import { subscriptionCommands } from "./subscriptions/desk.ts";
import { ticketCommands } from "./tickets/tickets.ts";

interface Command {
  name: string;
  /** What must follow the name, as the list shows it. */
  arguments: readonly string[];
  says: string;
  /** Prints its answer; false when what it looked at is not as it should be (exit code 1). */
  run(db: Db, given: readonly string[], config: Config): Promise<boolean>;
  /** Instead of `run`, for a command that needs no database to be there. */
  alone?(given: readonly string[]): Promise<boolean>;
}

const commands: readonly Command[] = [
  {
    name: "ledger verify",
    arguments: [],
    says: "prouve tous les soldes par le journal (ne change rien)",
    run: ledgerVerify,
  },
  {
    name: "ledger totals",
    arguments: [],
    says: "montre les soldes par genre de compte",
    run: ledgerTotals,
  },
  {
    name: "ledger key",
    arguments: ["<clé>"],
    says: "montre ce qu'une clé d'opération a écrit",
    run: ledgerKey,
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
    alone: restoreTo,
  },
  ...[
    ...documentCommands,
    ...familyCommands,
    ...enrolmentCommands,
    ...entitlementCommands,
    ...cardCommands,
    ...paymentCommands,
    ...passCommands,
    ...partnerCommands,
    ...transitCommands,
    ...privacyCommands,
    ...subscriptionCommands,
    ...ticketCommands,
    ...contentCommands,
    ...contactCommands,
  ].map(onDesk),
];

const wrongUsage = 64;
const euros = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });
const count = new Intl.NumberFormat("fr-FR");
const many = (n: number, word: string) => `${count.format(n)} ${word}${n > 1 ? "s" : ""}`;
const amount = (cents: number, asset: string) =>
  asset === "EUR" ? euros.format(cents / 100) : `${count.format(cents)} points`;

async function ledgerVerify(db: Db): Promise<boolean> {
  const { ok, accounts, transfers, holds, checks } = await verify(db);
  for (const check of checks) {
    const wrong = check.ok ? "" : ` : ${count.format(check.wrong)} en défaut (${check.example})`;
    console.log(`${check.ok ? "✓" : "✗"} ${check.says}${wrong}`);
  }
  const seen = [many(accounts, "compte"), many(transfers, "écriture"), many(holds, "réservation")];
  console.log(`${seen.join(", ")} : ${ok ? "tout est juste" : "LE JOURNAL EST EN DÉFAUT"}.`);
  return ok;
}

async function ledgerTotals(db: Db): Promise<boolean> {
  for (const total of await totalsOf(db)) {
    const held =
      total.heldCents > 0 ? `, dont ${amount(total.heldCents, total.asset)} réservés` : "";
    const accounts = many(total.accounts, "compte").padStart(14);
    console.log(
      `${total.kind.padEnd(24)} ${accounts}  ${amount(total.balanceCents, total.asset)}${held}`,
    );
  }
  return true;
}

async function ledgerKey(db: Db, [key = ""]: readonly string[]): Promise<boolean> {
  const posted = await postedUnder(db, key);
  for (const one of posted) {
    console.log(
      `n° ${one.id}, ${one.at.toISOString()}, ${one.kind} : ${one.amountCents} ` +
        `du compte ${one.debit} au compte ${one.credit}`,
    );
  }
  if (posted.length === 0) console.log("Cette clé n'a rien écrit.");
  return posted.length > 0;
}

async function takeBackup(
  db: Db,
  [folder = ""]: readonly string[],
  config: Config,
): Promise<boolean> {
  const made = await backup(db, config, folder);
  const megabytes = count.format(Math.ceil(made.bytes / 2 ** 20));
  console.log(
    `Sauvegarde faite dans ${made.folder} : ${many(made.files, "fichier")}, ${megabytes} Mo.\n` +
      `La base peut revenir à tout instant depuis ${made.readyAt.toISOString()} : ses journaux ` +
      "sont gardés à côté. Mettez ce dossier sur un autre disque.",
  );
  return true;
}

async function restoreTo([from = "", dataDir = "", instant = ""]: readonly string[]) {
  const { base, lastAt, ledger } = await restore({ from, dataDir, until: instantOf(instant) });
  const last = lastAt ? `dernière écriture du ${lastAt.toISOString()}` : "journal vide";
  const proof = ledger.ok ? "tout est juste" : "LE JOURNAL EST EN DÉFAUT";
  console.log(
    `Base rétablie dans ${dataDir} depuis ${base} : ${many(ledger.transfers, "écriture")}, ` +
      `${last} ; ${proof}.\nLancez le serveur avec DATA_DIR=${dataDir}, puis faites une ` +
      "nouvelle sauvegarde.",
  );
  return ledger.ok;
}

/** What a room's command is handed; it takes of it what it needs. */
type Desk = Pick<Deps, "db" | "now" | "send" | "enqueue" | "config" | "log"> & {
  /** Says how far a long work is. */
  tell: (line: string) => void;
};

interface DeskCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(
    desk: Desk,
    given: readonly string[],
    operator: string,
  ): Promise<{ ok: boolean; lines: readonly string[] }>;
}

function onDesk(command: DeskCommand): Command {
  return {
    ...command,
    async run(db, given, config) {
      const log = pino({ level: "silent" });
      const enqueue = makeEnqueue();
      const now = () => new Date();
      const send = makeSend({ enqueue, now });
      const tell = (line: string) => console.log(line);
      const desk = { db, now, send, enqueue, config, log, tell };
      const { ok, lines } = await command.run(desk, given, userInfo().username);
      for (const line of lines) console.log(line);
      return ok;
    },
  };
}

function list(): void {
  console.log("npm run operator -- <commande>\n");
  for (const command of commands) {
    const line = [command.name, ...command.arguments].join(" ");
    console.log(`  ${line.padEnd(24)} ${command.says}`);
  }
}

/** Runs one command; gives the exit code: 0, 1 when something is wrong, 64 for a wrong usage. */
async function operate(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (words.length === 0) {
    list();
    return 0;
  }
  const line = words.join(" ");
  const command = commands.find(({ name }) => line === name || line.startsWith(`${name} `));
  const given = words.slice(command?.name.split(" ").length);
  if (command === undefined || given.length !== command.arguments.length) {
    console.error(`Commande inconnue ou incomplète : ${line}\n`);
    list();
    return wrongUsage;
  }
  if (command.alone) return (await command.alone(given)) ? 0 : 1;
  const config = loadConfig(env);
  const { url, leave } = await reachDatabase(config);
  const opened = openDb(url, { max: 2 });
  try {
    return (await command.run(opened.db, given, config)) ? 0 : 1;
  } finally {
    await opened.close();
    await leave();
  }
}

async function reachDatabase(config: Config): Promise<{ url: string; leave: () => Promise<void> }> {
  const reached = config.databaseUrl
    ? { url: config.databaseUrl, leave: async () => {} }
    : await embedded(config.dataDir);
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
  // A database found running has a server on it: it is left as it was.
  return { url: database.url, leave: database.adopted ? async () => {} : () => database.stop() };
}

try {
  process.exitCode = await operate(process.argv.slice(2), process.env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof StartProblem ? error.exitCode : 1;
}
