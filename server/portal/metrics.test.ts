// GET /api/metrics on a server that listens: who may read it, and whether its figures are true.
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cast } from "#tests/cast.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let address: string;

beforeAll(async () => {
  server = await openTestServer({ metricsToken: "un-mot-de-passe-long" });
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  address = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const read = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${address}/api/metrics`, { headers });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
  };
};
/** The value of the one series whose line begins with these words. */
const figure = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  );

// proves: log-secrets
test("requests are counted by row and status, never by address", async () => {
  await read();
  const { cardnumber } = cast.guardian;
  for (let n = 0; n < 3; n++) await fetch(`${address}/api/cards/${cardnumber}`);
  await fetch(`${address}/api/nothing-here/${cardnumber}`);
  const { status, type, text } = await read();
  expect(status).toBe(200);
  expect(type).toMatch(/^text\/plain; version=/);
  const refused = /macarte_http_request_duration_seconds_count\{[^}]*status="40[14]"\} \d/;
  expect(text).toMatch(refused);
  expect(text).not.toContain(String(cardnumber));
});

test("the pool, the event loop, the queue and the ledger are there, with their own values", async () => {
  const { text } = await read();
  expect(figure(text, "macarte_database_up")).toBe(1);
  expect(figure(text, 'macarte_database_connections{state="open"}')).toBeGreaterThan(0);
  expect(figure(text, "nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
  expect(figure(text, "macarte_queue_failed_jobs")).toBe(0);
  const { rows } = await server.deps.pool.query("select max(id) as id from transfer");
  expect(figure(text, "macarte_ledger_last_transfer_id")).toBe(rows[0].id);
  expect(figure(text, 'macarte_scheme_balance_cents{account="payments:stripe"}')).toBe(0);
});

test("a top-up that waits is seen, and is gone once it has ended", async () => {
  const holder = await server.as("guardian");
  const { body } = await holder.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  const topUp = await holder.post(`/api/wallets/${body.items[0].objectID}/top-ups`, {
    amountCents: 1_000,
  });
  const waiting = async () =>
    figure((await read()).text, 'macarte_top_ups_waiting{state="initiated"}');
  expect(await waiting()).toBe(1);
  await server.deps.db
    .updateTable("topUp")
    .set({ state: "declined" })
    .where("id", "=", topUp.body.id)
    .execute();
  expect(await waiting()).toBeNaN();
});

// proves: machine-figures
test("through a proxy, or with a public address, only the token opens it", async () => {
  const token = { authorization: "Bearer un-mot-de-passe-long" };
  const proxied = { "x-forwarded-for": "203.0.113.7" };
  expect(await read(proxied)).toMatchObject({
    status: 404,
    text: expect.stringContaining("not_found"),
  });
  expect((await read({ ...proxied, authorization: "Bearer un-autre-mot-de-passe" })).status).toBe(
    404,
  );
  expect((await read({ ...proxied, ...token })).status).toBe(200);
  server.deps.config.publicUrl = "https://carte.exemple.fr";
  expect((await read()).status).toBe(404);
  expect((await read(token)).status).toBe(200);
  server.deps.config.metricsToken = null;
  expect((await read(token)).status).toBe(404);
});

// proves: machine-figures
test("GET /api/health tells the operator all, and everyone else how it goes", async () => {
  const token = { authorization: "Bearer un-mot-de-passe-long" };
  server.deps.config.metricsToken = "un-mot-de-passe-long";
  server.deps.config.publicUrl = "https://carte.exemple.fr";
  const health = async (headers: Record<string, string> = {}) =>
    (await (await fetch(`${address}/api/health`, { headers })).json()) as Record<string, unknown>;
  expect(Object.keys(await health()).sort()).toEqual(["status", "time", "version"]);
  expect(await health(token)).toMatchObject({ details: { database: { ok: true } } });
  server.deps.config.publicUrl = address;
  expect(await health()).toMatchObject({ details: { queue: { ok: true } } });
  expect(await health({ "x-forwarded-for": "203.0.113.7" })).not.toHaveProperty("details");
});

test("GET /api/health reads the database once for all who ask within a moment, and again after it", async () => {
  const { pool } = server.deps;
  let lent = 0;
  const count = () => (lent += 1);
  pool.on("acquire", count);
  const ask = async (times: number) => {
    lent = 0;
    for (let n = 0; n < times; n++) await fetch(`${address}/api/health`);
    return lent;
  };
  // On a slow machine five calls may outlast a shared reading: the test sets the clock.
  const time = vi.spyOn(performance, "now");
  const at = performance.now();
  time.mockReturnValue(at + 1000);
  const once = await ask(1);
  expect(once).toBeGreaterThan(0);
  expect(await ask(5)).toBe(0);
  time.mockReturnValue(at + 2000);
  expect(await ask(1)).toBe(once);
  time.mockRestore();
  pool.off("acquire", count);
});
