// A service code is a whole path of its own at the top (`/:code_services`) and under `/services/`: it
// may not be the name of another page (spec.md 6).
import { afterAll, beforeAll, expect, test } from "vitest";
import { table } from "#web/paths.ts";
import { openTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

// proves: service-codes
test("no service code is a first segment of the route table, nor a page under /services", async () => {
  const { rows } = await server.deps.pool.query("select code from service order by place");
  const taken = new Set(
    table.flatMap(({ path }) => {
      const [, first = "", second = ""] = path.toLowerCase().split("/");
      return first === "services" ? [first, second] : [first];
    }),
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ code }) => taken.has(code))).toEqual([]);
});
