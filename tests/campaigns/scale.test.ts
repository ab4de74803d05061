// Two server processes on one database share all that they must; `npm run scale` does it larger.
import { afterAll, beforeAll, describe, test } from "vitest";
import { checks } from "#tests/campaigns/scale/checks.ts";
import { type Fleet, startFleet } from "#tests/campaigns/scale/fleet.ts";
import { type Clone, cloneDatabase } from "#tests/cluster.ts";
import { killServers } from "#tests/server-process.ts";

let clone: Clone;
let fleet: Fleet;

beforeAll(async () => {
  clone = await cloneDatabase();
  fleet = await startFleet(clone.url, 2);
});
afterAll(async () => {
  await fleet.close();
  killServers();
  await clone.drop();
});

describe("two processes, one database", () => {
  test.each(checks)("$name", async ({ run }) => {
    await run(fleet, { messages: 30, clicks: 10, transfers: 30 });
  });
});
