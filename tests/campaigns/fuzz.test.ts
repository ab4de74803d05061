// `npm run fuzz` at a small size and with a seed that stays: every row of the contract, from its own
// schema and against it, as every kind of caller; then sockets that do not behave.
import { describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { quick } from "#tests/campaigns/fuzz/quick.ts";
import { fuzzRows } from "#tests/campaigns/fuzz/rows.ts";
import { fuzzSockets } from "#tests/campaigns/fuzz/sockets.ts";

const seed = 20_260_901;

describe("fuzz", () => {
  test("every row answers within the contract, to whomever, whatever it is sent", async () => {
    const tallies = await fuzzRows({ n: quick.n, pdf: quick.pdf, seed });
    expect(tallies.map(({ name }) => name)).toEqual(everyRow().map(({ name }) => name));
    const faults = tallies.flatMap(({ name, faults: found }) =>
      [...found].map(([fault, { times, example }]) => `${name}: ${times} × ${fault}\n${example}`),
    );
    expect(faults, `npm run fuzz -- --quick --seed ${seed}`).toEqual([]);
    expect(tallies.filter(({ requests }) => requests < quick.pdf)).toEqual([]);
    // A campaign that is always refused at the door proves nothing.
    const opened = tallies.reduce((sum, { good }) => sum + good, 0);
    expect(opened).toBeGreaterThan((tallies.length * quick.n) / 6);
  });

  test("a socket that does not behave is refused, and its neighbours are served", async () => {
    const { results } = await fuzzSockets(quick.sockets);
    const faults = results.flatMap(({ name, faults: found }) =>
      found.map((fault) => `${name}: ${fault}`),
    );
    expect([...new Set(faults)]).toEqual([]);
  });
});
