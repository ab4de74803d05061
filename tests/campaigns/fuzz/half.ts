// The rows of `npm run fuzz` at a small size and with a seed that stays, in two files for two workers. The
// rows of a room stay together: one asks for what another made.
import { expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { quick } from "./quick.ts";
import { fuzzRows } from "./rows.ts";

const seed = 20_260_901;

/** Names of the rows of the rooms that begin in this half of the contract. */
function rowsOf(half: "first" | "second"): string[] {
  const names = everyRow().map(({ name }) => name);
  const roomOf = (name: string) => name.split(".")[0];
  const isFirst = (name: string) =>
    names.findIndex((other) => roomOf(other) === roomOf(name)) < names.length / 2;
  return names.filter((name) => isFirst(name) === (half === "first"));
}

/** Every row of the half from its own schema and against it, as every kind of caller. */
export function testHalf(half: "first" | "second"): void {
  // proves: others-not-found, contract-answers
  test("every row answers within the contract, to whomever, whatever it is sent", async () => {
    const only = rowsOf(half);
    const tallies = await fuzzRows({ n: quick.n, pdf: quick.pdf, seed, only });
    expect(tallies.map(({ name }) => name)).toEqual(only);
    const faults = tallies.flatMap(({ name, faults: found }) =>
      [...found].map(([fault, { times, example }]) => `${name}: ${times} × ${fault}\n${example}`),
    );
    expect(faults, `npm run fuzz -- --quick --seed ${seed}`).toEqual([]);
    expect(tallies.filter(({ requests }) => requests < quick.pdf)).toEqual([]);
    // A campaign whose requests are all refused at the door proves nothing.
    const accepted = tallies.reduce((sum, { good }) => sum + good, 0);
    expect(accepted).toBeGreaterThan((tallies.length * quick.n) / 6);
  });
}
