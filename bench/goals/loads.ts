// The loads: calls to the server over HTTP, to a bare HTTP server, and to the database alone.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import autocannon from "autocannon";
import type { Pool } from "pg";
import { castPassword } from "#tests/cast.ts";
import { bareBody, bareServer } from "./bare-http.ts";
import type { Family, Fixture } from "./fixture.ts";

export interface Load {
  perSecond: number;
  p99Ms: number;
  /** Answers outside 2xx, and broken connections. */
  failures: number;
}
export interface Target {
  address: string;
  fixture: Fixture;
  tokens: readonly string[];
  seconds: number;
  /** Number of calls, however long they take. */
  calls?: number;
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const json = { "content-type": "application/json" };

/** Transfers between the children of a family, or all to one card; each with its own idempotency key. */
export async function transfers(
  target: Target,
  { connections, hot }: { connections: number; hot: boolean },
): Promise<Load> {
  const { fixture, tokens } = target;
  const requests = tokens.map((_, at) => {
    const family = fixture.families[at]!;
    return {
      method: "POST" as const,
      path: "/api/transfers",
      setupRequest: (request: autocannon.Request): autocannon.Request => {
        const from = Math.floor(Math.random() * family.wallets.length);
        const to =
          (from + 1 + Math.floor(Math.random() * (family.cards.length - 1))) % family.cards.length;
        const body = JSON.stringify({
          fromWallet: family.wallets[from],
          toCardnumber: hot ? fixture.hotCard : family.cards[to],
          amountCents: 1 + Math.floor(Math.random() * 99),
          repeat: true,
        });
        const headers = { ...json, authorization: tokens[at]!, "idempotency-key": randomUUID() };
        return { ...request, headers, body };
      },
    };
  });
  return await shoot({ ...target, requests, connections });
}

/** Reads what a card can spend, as the guardian of its family. */
export async function reads(target: Target, connections: number): Promise<Load> {
  const { fixture, tokens } = target;
  const requests = Array.from({ length: 256 }, (_, index) => {
    const at = index % tokens.length;
    return {
      method: "POST" as const,
      path: "/api/card/info",
      headers: { ...json, authorization: tokens[at]! },
      body: JSON.stringify({ cardnumber: pick(fixture.families[at]!.cards) }),
    };
  });
  return await shoot({ ...target, requests, connections });
}

const got =
  (path: (family: Family) => string) =>
  async (target: Target, connections: number): Promise<Load> => {
    const { fixture, tokens } = target;
    const requests = tokens.map((token, at) => ({
      method: "GET" as const,
      path: path(fixture.families[at]!),
      headers: { authorization: token },
    }));
    return await shoot({ ...target, requests, connections });
  };

/** The reads that screens make most often, as guardians, and the one that load balancers make. */
export const pages = {
  movements: got(({ wallets }) => `/api/wallets/${pick(wallets)}/movements?limit=20`),
  wallets: got(({ cards }) => `/api/wallets?cardnumber=${pick(cards)}`),
  health: got(() => "/api/health"),
};

/** Logins with the right password, each from an address of its own. */
export async function logins(target: Target, connections: number): Promise<Load> {
  let caller = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    caller += 1;
    const address = `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
    const login = pick(target.fixture.families).cardnumber;
    const headers = { ...json, "x-forwarded-for": address };
    return { ...request, headers, body: JSON.stringify({ login, password: castPassword }) };
  };
  const requests = [{ method: "POST" as const, path: "/api/login", setupRequest }];
  return await shoot({ ...target, requests, connections });
}

/** A server that only answers a body of the same size: the cost of HTTP itself on this machine. */
export async function bareHttp(connections: number, seconds: number): Promise<Load> {
  const server = bareServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const load = await bareCalls({ address, seconds }, connections);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return load;
}

/** The calls to that server, wherever it runs. */
export const bareCalls = (
  target: Omit<Target, "fixture" | "tokens">,
  connections: number,
): Promise<Load> => {
  const requests = [{ method: "POST" as const, path: "/", headers: json, body: bareBody }];
  return shoot({ ...target, requests, connections });
};

async function shoot(shot: {
  address: string;
  seconds: number;
  calls?: number;
  connections: number;
  requests: autocannon.Request[];
}): Promise<Load> {
  const { address: url, seconds: duration, calls: amount, connections, requests } = shot;
  const length = amount === undefined ? { duration } : { amount };
  const result = await autocannon({ url, ...length, connections, requests });
  return {
    perSecond: result["2xx"] / result.duration,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}

// ---- the database alone, with the same driver and as many connections

const post = {
  name: "post",
  text: `select refused from ledger_post(true, array[1], array[$1], array[$2::bigint],
    array[$3::bigint], array[1::bigint], array['transfer'], array[null::jsonb],
    array[null::bigint], array[null::timestamptz])`,
};
const balance = { name: "balance", text: "select balance, held from ledger_account where id = $1" };

/** The same single posting function, called one transfer at a time by each connection. */
export async function barePosts(
  pool: Pool,
  fixture: Fixture,
  { clients, hot, seconds }: { clients: number; hot: boolean; seconds: number },
): Promise<number> {
  return await loop({ pool, clients, seconds }, () => {
    const debit = pick(fixture.accounts);
    let credit = hot ? fixture.hotAccount : pick(fixture.accounts);
    while (credit === debit) credit = pick(fixture.accounts);
    return { ...post, values: [`bare:${randomUUID()}`, debit, credit] };
  });
}

export async function bareReads(
  pool: Pool,
  fixture: Fixture,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  return await loop({ pool, clients, seconds }, () => ({
    ...balance,
    values: [pick(fixture.accounts)],
  }));
}

async function loop(
  { pool, clients, seconds }: { pool: Pool; clients: number; seconds: number },
  query: () => { name: string; text: string; values: unknown[] },
): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = await pool.connect();
      for (; performance.now() < end; done++) await client.query(query());
      client.release();
    }),
  );
  return (done / (performance.now() - started)) * 1000;
}
