// The server's log, line by line, as its own stream receives it.
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { buildApp } from "./app.ts";
import { openLog } from "./log.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

// proves: log-routes
test("a line names the route's pattern: no card number, position nor file name of an address", async () => {
  const lines: string[] = [];
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = await buildApp({ ...server.deps, log: openLog("trace", to) });
  await app.ready();
  const { cardnumber } = cast.guardian;
  await app.inject(`/api/wallets?cardnumber=${cardnumber}`);
  await app.inject(`/api/partners?latitude=48.8566&longitude=2.3522`);
  await app.inject(`/api/nothing/${cardnumber}?nom=bulletin-de-salaire.pdf`);
  await app.inject(`/paiement/sandbox/${randomUUID()}`);
  const malformed = { "content-type": "application/json" };
  await app.inject({ method: "POST", url: "/api/login", headers: malformed, payload: "{" });
  await app.close();
  const text = lines.join("");
  expect(lines.map((line) => JSON.parse(line).route)).toEqual([
    "/api/wallets",
    expect.stringMatching(/^(\/api\/partners|none)$/),
    "none",
    "/paiement/sandbox/:id",
    "/api/login",
  ]);
  expect(text).not.toMatch(new RegExp(`${cardnumber}|48\\.85|2\\.35|bulletin`));
});

// proves: log-routes
test("an error of the database is kept without the row that it refused", async () => {
  const lines: string[] = [];
  const log = openLog("error", { write: (line: string) => void lines.push(line) });
  const twice = `insert into card (number, person_id, state)
    select number, person_id, state from card where number = ${cast.guardian.cardnumber}`;
  const error = await server.deps.pool.query(twice).catch((refused: unknown) => refused);
  log.error({ err: error }, "unexpected error");
  expect(JSON.parse(lines[0] ?? "{}").err).toMatchObject({
    code: "23505",
    constraint: "card_pkey",
  });
  expect(lines[0]).not.toContain(String(cast.guardian.cardnumber));
});

// proves: log-numbers
test("a refused login is logged with the end of its number and the network of its address", async () => {
  const lines: string[] = [];
  const log = openLog("trace", { write: (line: string) => void lines.push(line) });
  const app = await buildApp({ ...server.deps, log });
  await app.ready();
  const { cardnumber } = cast.guardian;
  const payload = { login: cardnumber, password: "ce n'est pas celui-là" };
  await app.inject({ method: "POST", url: "/api/login", payload, remoteAddress: "203.0.113.77" });
  await app.close();
  const refused = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "login refused");
  expect(refused).toMatchObject({
    cardnumber: `…${String(cardnumber).slice(-4)}`,
    address: "203.0.113.0",
  });
  expect(lines.join("")).not.toMatch(new RegExp(`${cardnumber}|203\\.0\\.113\\.77`));
});

// proves: log-numbers
test("whatever is logged as a card number or an address is masked", () => {
  const lines: string[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(line) });
  for (const address of ["::ffff:198.51.100.9", "2001:db8:12:34::5", "::1"])
    log.child({ requestId: "x" }).info({ address, cardnumber: 1_600_000_001 }, "told");
  expect(lines.map((line) => JSON.parse(line)).map((one) => [one.address, one.cardnumber])).toEqual(
    ["::ffff:198.51.100.0", "2001:db8:12::", "::"].map((address) => [address, "…0001"]),
  );
});
