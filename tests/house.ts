// A whole server in a test: its own database, a clock that the test moves, messages caught on the way
// out. Everything else is the real thing, spoken to over HTTP by `inject`.
import type { FastifyInstance, InjectOptions } from "fastify";
import pino from "pino";
import { buildApp } from "#server/app.ts";
import { loadConfig, type Config } from "#server/config.ts";
import { openDb } from "#server/db/db.ts";
import type { Deps, Message } from "#server/deps.ts";
import { makeEnqueue, runJobsOnce } from "#server/jobs.ts";
import { cast, castPassword, type CastName } from "./cast.ts";
import { cloneDatabase } from "./cluster.ts";

/** An answer, its body already read. */
export interface Answered<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  text: string;
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

export interface House {
  app: FastifyInstance;
  deps: Deps;
  /** Messages that left, oldest first. */
  outbox: Message[];
  clock: { now(): Date; advance(ms: number): void };
  anonymous: Client;
  /** A client logged in as a person of the cast; each call opens another session. */
  as(name: CastName, password?: string): Promise<Client>;
  withToken(token: string): Client;
  /** Runs the jobs that are due by the test's clock. */
  runJobs(): Promise<void>;
  /** The last code sent to an address, or "" when none was. */
  lastCode(address?: string): string;
  close(): Promise<void>;
}

/** Opens a house on a clone of the template; `web` is the folder of a web build, if one is wanted. */
export async function openHouse(settings: Partial<Config> = {}, web?: string): Promise<House> {
  const clone = await cloneDatabase();
  const { db, pool, close } = openDb(clone.url, { max: 10 });
  let shiftMs = 0;
  const clock = {
    now: () => new Date(Date.now() + shiftMs),
    advance: (ms: number) => {
      shiftMs += ms;
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
    outbox,
    clock,
    anonymous,
    withToken: (token) => client(app, token),
    async as(name, password = castPassword) {
      const login = cast[name].cardnumber;
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
      await clone.drop();
    },
  };
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
