// A whole server in a test: its own database, a clock that the test moves, messages caught on the way
// out. Everything else is the real thing, spoken to over HTTP by `inject`.
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from "fastify";
import type { Pool } from "pg";
import pino from "pino";
import { buildApp } from "#server/process/app.ts";
import { loadConfig, type Config } from "#server/process/config.ts";
import { type Db, openDb } from "#server/db/db.ts";
import { personByCard } from "#server/identity/identity.ts";
import { startSession } from "#server/identity/session-start.ts";
import type { Deps, Message } from "#server/process/deps.ts";
import { parseRootKeys, type RootKeys, useRootKeys } from "#server/process/root-key.ts";
import { makeEnqueue, runJobsOnce } from "#server/process/jobs.ts";
import { cast, type CastName } from "./cast.ts";
import { type Clone, cloneDatabase } from "./cluster.ts";
import { removeData, scratchFolder } from "./scratch.ts";
import { testRootKey } from "./server-process.ts";

const rootKeysOfTests = parseRootKeys(testRootKey) as RootKeys;

/** An answer, its body already read. */
export interface Answered<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  text: string;
  /** The body as it came, of a file. */
  bytes: Buffer;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface Client {
  get<B = any>(path: string, headers?: Record<string, string>): Promise<Answered<B>>;
  post<B = any>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answered<B>>;
  /** The bearer token, "" for the anonymous client. */
  token: string;
}

export interface TestServer {
  app: FastifyInstance;
  deps: Deps;
  /** The same database as the role that owns it: for what the server itself may not do. */
  owner: { db: Db; pool: Pool };
  /** Messages that left, oldest first. */
  outbox: Message[];
  /** Runs on by itself until `freeze`; from then on only `advance` moves it. */
  clock: { now(): Date; advance(ms: number): void; freeze(): void };
  anonymous: Client;
  /**
   * A client with a session of a person of the cast, another at each call: opened as a login opens it,
   * but for the hashing of the password. A given `password` is really typed, through POST /api/login.
   */
  as(name: CastName, password?: string): Promise<Client>;
  withToken(token: string): Client;
  /** Runs the jobs that are due by the test's clock. */
  runJobs(): Promise<void>;
  /** The last code sent to an address, or "" when none was. */
  lastCode(address?: string): string;
  close(): Promise<void>;
}

/**
 * Opens a server on a clone of the template, or on another database; `web` is the folder of a web build,
 * if one is wanted.
 */
export async function openTestServer(
  settings: Partial<Config> = {},
  web?: string,
  clone?: Clone,
): Promise<TestServer> {
  clone ??= await cloneDatabase();
  const dataDir = await scratchFolder("server");
  useRootKeys(rootKeysOfTests);
  // 200 calls at once share ten connections: on a busy machine the last one waits its turn for long.
  const { db, pool, close } = openDb(clone.runtimeUrl, { max: 10, connectTimeoutMs: 60_000 });
  const owner = openDb(clone.url, { max: 2 });
  let shiftMs = 0;
  let frozenMs: number | undefined;
  const clock = {
    now: () => new Date((frozenMs ?? Date.now()) + shiftMs),
    advance: (ms: number) => {
      shiftMs += ms;
    },
    freeze: () => {
      frozenMs ??= Date.now();
    },
  };
  const outbox: Message[] = [];
  const deps: Deps = {
    db,
    pool,
    now: clock.now,
    send: async (_tx, message) => {
      outbox.push(message);
    },
    enqueue: makeEnqueue(),
    config: {
      ...loadConfig({
        DEMO: "1",
        DATABASE_URL: clone.url,
        PAYMENTS: "sandbox",
        CHECK_ANSWERS: "1",
        DATA_DIR: dataDir,
      }),
      ...settings,
    },
    log: pino({ level: process.env["TEST_LOG"] ?? "silent" }),
  };
  const app = await buildApp(deps, web);
  await app.ready();
  const anonymous = client(app, "");
  return {
    app,
    deps,
    owner,
    outbox,
    clock,
    anonymous,
    withToken: (token) => client(app, token),
    async as(name, password) {
      const login = cast[name].cardnumber;
      if (password === undefined) return client(app, await openSession(deps, login));
      const answer = await anonymous.post("/api/login", { login, password });
      if (answer.status !== 200) throw new Error(`${name} cannot log in: ${answer.text}`);
      return client(app, answer.body.token.jeton);
    },
    runJobs: () => runJobsOnce(deps),
    lastCode(address) {
      const codes = outbox
        .filter((one) => address === undefined || one.address === address)
        .map((one) => /\b(\d{6})\b/.exec(one.body)?.[1] ?? "");
      return codes.findLast((code) => code !== "") ?? "";
    },
    async close() {
      await app.close();
      await close();
      await owner.close();
      await clone.drop();
      await removeData(dataDir);
    },
  };
}

/**
 * The work of a login after its password was verified (server/identity/login.ts); answers the bearer token.
 */
export async function openSession(deps: Deps, cardnumber: number): Promise<string> {
  // No page made the call: it brings no cookie, and none is set.
  const { answer } = await openSessionFrom(deps, cardnumber, {
    agent: "lightMyRequest",
    samePage: false,
    cookies: {},
  });
  return answer.token.jeton;
}

/** The browser that asks for a session: its name for itself, and the cookies that it brings. */
interface Asking {
  agent: string;
  samePage: boolean;
  cookies: Record<string, string>;
}

/** The same for any caller: what the login answers, and the cookies that it sets. */
export async function openSessionFrom(
  deps: Deps,
  cardnumber: number,
  { agent, samePage, cookies }: Asking,
): Promise<{ answer: Awaited<ReturnType<typeof startSession>>; set: Map<string, string> }> {
  const holder = await personByCard(deps.db, cardnumber);
  if (!holder || holder.disabled) throw new Error(`${cardnumber} cannot log in`);
  const origin = { address: "127.0.0.1", agent, samePage, requestId: "test" };
  const set = new Map<string, string>();
  const request = { cookies } as unknown as FastifyRequest;
  const reply = {
    setCookie: (name: string, value: string) => set.set(name, value),
  } as unknown as FastifyReply;
  const proved = { ...holder, how: "password", failures: 0 } as const;
  return { answer: await startSession({ deps, origin, request, reply }, proved), set };
}

function client(app: FastifyInstance, token: string): Client {
  const call = async (options: InjectOptions): Promise<Answered> => {
    const authorization = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await app.inject({
      ...options,
      headers: { ...authorization, ...options.headers },
    });
    const type = answer.headers["content-type"] ?? "";
    return {
      status: answer.statusCode,
      body: type.includes("json") && answer.body !== "" ? answer.json() : {},
      text: answer.body,
      bytes: answer.rawPayload,
      headers: answer.headers,
    };
  };
  return {
    token,
    get: (path, headers = {}) => call({ method: "GET", url: path, headers }) as never,
    post: (path, body = {}, headers = {}) =>
      call({ method: "POST", url: path, payload: body as object, headers }) as never,
  };
}
