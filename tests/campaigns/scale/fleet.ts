// Several server processes on one database, each on its port, as a balancer would see them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenDb, openDb } from "#server/db/db.ts";
import { cast, type CastName, castPassword } from "#tests/cast.ts";
import { freePort } from "#tests/free-port.ts";
import { launchServer, ready, type Started, stop } from "#tests/server-process.ts";

export interface Answer {
  status: number;
  body: AnswerBody;
}

/** The fields of answers that the checks read; which of them are present depends on the row. */
interface AnswerBody {
  id: string;
  code: string;
  paymentUrl: string;
  token: { jeton: string };
  items: { objectID: string; balanceCents: number }[];
}

export interface Fleet {
  addresses: readonly string[];
  poolSize: number;
  database: OpenDb;
  /** SMS that left, by the process that sent them. */
  texts: { from: number; text: string }[];
  /** Calls process `at` (any number: they take turns). */
  call(at: number, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  /** A bearer from process `at`. */
  login(at: number, name: CastName): Promise<Headers>;
  kill(at: number): Promise<void>;
  close(): Promise<void>;
}
type Headers = Record<string, string>;

/** Starts `size` processes at once on a database that holds the cast; `close` stops them. */
export async function startFleet(url: string, size: number, poolSize = 10): Promise<Fleet> {
  const texts: Fleet["texts"] = [];
  const gateway = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      texts.push({ from: Number(request.url?.slice(1)), text: JSON.parse(body).text });
      response.end();
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const sms = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const ports: number[] = [];
  for (let n = 0; n < size; n++) ports.push(await freePort());
  const started = await Promise.all(
    ports.map((port, at) =>
      launchServer({
        dataDir: join(tmpdir(), "no-such-folder"),
        port,
        env: {
          DATABASE_URL: url,
          DEMO: "1",
          PAYMENTS: "sandbox",
          POOL_SIZE: String(poolSize),
          WALLET_CAP_CENTS: "10000000",
          CODE_FROM_CENTS: "10000000",
          SMS_URL: `${sms}/${at}`,
          // News of payments goes to another process than the one that was paid at, and never to
          // the last, which a check kills: a balancer would know that it is gone.
          PUBLIC_URL: `http://localhost:${ports[at === 0 ? Math.min(1, size - 2) : 0]}`,
          LOG_LEVEL: "error",
        },
      }),
    ),
  );
  await Promise.all(started.map(ready));
  const addresses = started.map(({ address }) => address);
  const database = openDb(url, { max: 2 });
  const call = callOn(addresses);
  return {
    addresses,
    poolSize,
    database,
    texts,
    call,
    async login(at, name) {
      const login = cast[name].cardnumber;
      const { status, body } = await call(at, "/api/login", { login, password: castPassword });
      if (status !== 200) throw new Error(`${name} cannot log in: ${JSON.stringify(body)}`);
      return { authorization: `Bearer ${body.token.jeton}` };
    },
    kill: async (at) => void (await stop(started[at] as Started, "SIGKILL")),
    async close() {
      await Promise.all(
        started.filter(({ child }) => child.exitCode === null).map((one) => stop(one)),
      );
      await database.close();
      gateway.closeAllConnections();
      await new Promise((resolve) => gateway.close(resolve));
    },
  };
}

function callOn(addresses: readonly string[]): Fleet["call"] {
  return async (at, path, body, headers = {}) => {
    const answer = await fetch(`${addresses[at % addresses.length]}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    const type = answer.headers.get("content-type") ?? "";
    const text = await answer.text();
    return {
      status: answer.status,
      body: (type.includes("json") ? JSON.parse(text) : {}) as AnswerBody,
    };
  };
}
