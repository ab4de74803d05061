// Writes of a row without a rate of its own are limited all the same, for one person and row, until the
// window ends.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { countWrites } from "./write-rate.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

// proves: write-rate
test("a flood of one person on one row is refused; other rows and other people are not", async () => {
  const [camille, hugo] = await Promise.all([server.as("guardian"), server.as("stranger")]);
  const readAll = (client = camille) => client.post("/api/notifications/read", { ids: [1] });
  const max = server.deps.config.writesPerMinute;
  const statuses = new Map<number, number>();
  for (let time = 0; time < max + 5; time++) {
    const { status } = await readAll();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [200, max],
    [429, 5],
  ]);
  const refused = await readAll();
  expect(refused.body).toMatchObject({ code: "too_many_requests" });
  expect(refused.body.message).toMatch(/Réessayez dans \d+ s/);
  expect((await readAll(hugo)).status).toBe(200);
  expect((await camille.post("/api/logout")).status).toBeLessThan(300);
});

// proves: write-rate
test("the next window begins anew", () => {
  let now = 0;
  const count = countWrites(3, () => now);
  for (let time = 0; time < 3; time++) count("row", 1);
  expect(() => count("row", 1)).toThrow(expect.objectContaining({ code: "too_many_requests" }));
  now = 60_000;
  expect(() => count("row", 1)).not.toThrow();
});
