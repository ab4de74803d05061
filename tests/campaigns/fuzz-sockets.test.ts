// The sockets of `npm run fuzz` at a small size: each misbehaves in its own way, while a neighbour works.
import { expect, test } from "vitest";
import { quick } from "#tests/campaigns/fuzz/quick.ts";
import { fuzzSockets } from "#tests/campaigns/fuzz/sockets.ts";

// proves: contract-answers
test("a socket that does not behave is refused, and its neighbours are served", async () => {
  const { results } = await fuzzSockets(quick.sockets);
  const faults = results.flatMap(({ name, faults: found }) =>
    found.map((fault) => `${name}: ${fault}`),
  );
  expect([...new Set(faults)]).toEqual([]);
});
