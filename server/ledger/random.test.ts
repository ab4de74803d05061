// 10,000 random operations by eight clients at once against the model (tests/ledger-random.ts); a
// larger run, twenty seeds of it, is `npm run faults -- --only ledger`.
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomRun } from "#tests/ledger-random.ts";
import { openRig, type Rig } from "#tests/ledger-rig.ts";

const operations = Number(process.env["OPERATIONS"] ?? 10_000);
const clients = 8;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(clients);
});
afterAll(() => rig.close());

// proves: ledger-model
test(`${operations} random operations, SEED=${seed}`, { timeout: 120_000 }, async () => {
  const { differences, outcomes, unmet } = await randomRun(rig.db, { operations, clients, seed });
  expect(differences.slice(0, 3), `SEED=${seed}`).toEqual([]);
  expect(unmet).toEqual([]);
  if (process.env["OUTCOMES"]) process.stdout.write(`${JSON.stringify([...outcomes])}\n`);
});
