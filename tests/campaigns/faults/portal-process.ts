// A real server process on a data folder of its own, and a signed-in client that behaves as the screens
// do: it repeats a call under its key until it has a definite answer.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type OpenDb, openDb } from "#server/db/db.ts";
import { readPidFile } from "#server/db/postgres-process.ts";
import { cast, type CastName, castPassword } from "#tests/cast.ts";
import { removeData } from "#tests/scratch.ts";
import { launchServer, ready, type Started, stop } from "#tests/server-process.ts";
import { makeDataFolder } from "./data-folder.ts";

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A wallet of the family and the card that money is sent to instead. */
export interface MainWallet {
  objectID: string;
  cardnumber: number;
}

/** The demo's guardian, signed in at a portal. */
export interface Holder {
  bearer: Record<string, string>;
  /** Main wallets that they may send from. */
  guardian: MainWallet;
  child: MainWallet;
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface PortalProcess extends Holder {
  dataDir: string;
  /** The process that serves now. */
  readonly server: Started;
  readonly address: string;
  /** Starts the server again on its port, after it ended. */
  restart(): Promise<void>;
  /** A connection of one's own to its database. */
  database(): Promise<OpenDb>;
  /** The last lines of the server and of its database, for who has to find out what went wrong. */
  lastWords(): Promise<string>;
  close(): Promise<void>;
}

interface Settings {
  dataDir: string;
  env?: Record<string, string>;
  /** Where its database is, if not the embedded one. */
  databaseUrl?: string;
}

/** Starts a server in demo mode on the cast and signs its guardian in; the caller closes it. */
export async function startPortal({
  dataDir,
  env = {},
  databaseUrl,
}: Settings): Promise<PortalProcess> {
  const settings = {
    WALLET_CAP_CENTS: "100000000",
    CODE_FROM_CENTS: "100000000",
    DEMO: "1",
    LOG_LEVEL: "error",
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...env,
  };
  if (!databaseUrl) await makeDataFolder(dataDir);
  let server = await ready(await launchServer({ dataDir, env: settings }));
  const { port, address } = server;
  return {
    dataDir,
    address,
    ...(await signIn(address)),
    get server() {
      return server;
    },
    async restart() {
      await server.exit;
      server = await ready(await launchServer({ dataDir, port, env: settings }));
    },
    database: async () => openDb(databaseUrl ?? (await databaseUrlOf(dataDir)), { max: 2 }),
    async lastWords() {
      const journal = await readFile(join(dataDir, "postgres.log"), "utf8").catch(() => "");
      return [server.said(), journal].map((text) => text.trim().slice(-3000)).join("\n");
    },
    async close() {
      if (server.child.exitCode === null && server.child.signalCode === null) await stop(server);
      await removeData(dataDir);
    },
  };
}

/** Signs the guardian of a demo scheme in at `address`. */
export async function signIn(address: string): Promise<Holder> {
  const anonymous = callAt(address);
  const bearer = await login(anonymous);
  const call = async (path: string, body?: unknown, headers = {}) =>
    await anonymous(path, body, { ...bearer, ...headers });
  const [guardian, child] = await Promise.all([
    mainWallet(call, "guardian"),
    mainWallet(call, "child"),
  ]);
  return { bearer, guardian, child, call };
}

/** The address of the embedded database that runs under `dataDir`. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const folder = join(dataDir, "postgres");
  for (let waited = 0; waited < 500; waited++) {
    const file = existsSync(folder) ? await readPidFile(folder) : undefined;
    if (file?.status.startsWith("ready")) {
      const password = (await readFile(join(folder, "ma-carte.password"), "utf8")).trim();
      return `postgres://postgres:${password}@127.0.0.1:${file.port}/macarte`;
    }
    await sleep(20);
  }
  throw new Error(`no database runs under ${dataDir}`);
}

/** Calls of a server that answers at `address`; the answer in JSON. */
export const callAt =
  (address: string) =>
  async (path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const answer = await fetch(`${address}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

async function login(call: PortalProcess["call"]): Promise<Record<string, string>> {
  const { status, body } = await call("/api/login", {
    login: cast.guardian.cardnumber,
    password: castPassword,
  });
  if (status !== 200) throw new Error(`the guardian cannot log in: ${JSON.stringify(body)}`);
  return { authorization: `Bearer ${(body["token"] as { jeton: string }).jeton}` };
}

async function mainWallet(call: PortalProcess["call"], name: CastName): Promise<MainWallet> {
  const { cardnumber } = cast[name];
  const { body } = await call(`/api/wallets?cardnumber=${cardnumber}`);
  const wallets = body["items"] as { objectID: string; main: boolean }[];
  const main = wallets.find((wallet) => wallet.main);
  if (!main) throw new Error(`${name} has no main wallet`);
  return { objectID: main.objectID, cardnumber };
}

/** The result of one call: its definite answer, and how many times it had to be repeated. */
export interface Insisted {
  key: string;
  answer: Answer | null;
  repeats: number;
}

/**
 * Statuses to retry: come again, or a gateway whose upstream broke off. Neither tells the outcome of the
 * call.
 */
const notNow = new Set([502, 503, 504]);

/** One transfer, repeated under its key until its answer is definite, or until `over`. */
export async function transferUntilDefinite(
  portal: Pick<Holder, "call">,
  [from, to]: readonly [MainWallet, MainWallet],
  amountCents: number,
  {
    over = () => false,
    onRepeat = () => {},
  }: { over?: () => boolean; onRepeat?: (why: string) => void } = {},
): Promise<Insisted> {
  const key = randomUUID();
  const body = {
    fromWallet: from.objectID,
    toCardnumber: to.cardnumber,
    amountCents,
    repeat: true,
  };
  for (let repeats = 0; ; repeats++) {
    const answer = await portal
      .call("/api/transfers", body, { "idempotency-key": key })
      .catch((why: unknown) => String(why));
    if (typeof answer !== "string" && !notNow.has(answer.status)) return { key, answer, repeats };
    if (over()) return { key, answer: null, repeats };
    onRepeat(typeof answer === "string" ? answer : String(answer.status));
    await sleep(20);
  }
}
