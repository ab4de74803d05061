// 10,000 holders order a meal of the same service in the last minute before its deadline: seats reserved per
// second, compared with the bare statement that takes one, and that no seat and no hold is lost or
// duplicated. Durable commits, bounded.
//   PEOPLE=10000 SEATS=5000 AT_ONCE=64
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { verify } from "#server/ledger/ledger.ts";
import { castInto } from "#tests/cast.ts";
import { allAtOnce } from "#tests/at-once.ts";
import { countRush, orderOnce, prepareRush } from "#tests/meal-rush.ts";
import { openDeps } from "./deps.ts";

const people = Math.min(20_000, Number(process.env["PEOPLE"] ?? 10_000));
const seats = Math.min(5000, Number(process.env["SEATS"] ?? 5000));
const atOnce = Math.min(256, Number(process.env["AT_ONCE"] ?? 64));

const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-canteen-"));
const embedded = await startEmbedded({ dataDir });
try {
  await migrate(embedded.url);
  await castInto(embedded.url);
  const { deps, close } = openDeps(embedded.url);
  const rush = await prepareRush(deps, { people, seats });
  // A running server has statistics; without them the planner chooses other plans.
  await deps.pool.query("analyze");
  const before = await countRush(deps, rush);
  let ordered = 0;
  const started = performance.now();
  const took = await allAtOnce(rush.holders, atOnce, async (holder) => {
    if (await orderOnce(deps, rush, holder)) ordered += 1;
  });
  const seconds = (performance.now() - started) / 1000;
  const { orders, taken, holds, unheld } = await countRush(deps, rush);
  const bareStarted = performance.now();
  const tries = Array.from({ length: 2000 });
  await allAtOnce(tries, atOnce, async () => {
    await deps.pool.query(
      "update canteen_day set seats = seats + 1, taken = taken + 1 where canteen_id = $1",
      [rush.canteen.id],
    );
  });
  const bare = tries.length / ((performance.now() - bareStarted) / 1000);
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(0);
  const { ok } = await verify(deps.db);
  const expected = Math.min(seats, people);
  console.log(
    `${people} holders, ${seats} seats, ${atOnce} at once, ${availableParallelism()} cores, ` +
      `load ${(loadavg()[0] ?? 0).toFixed(1)}\n` +
      `${ordered} ordered, ${people - ordered} told that the service is full, in ` +
      `${seconds.toFixed(1)} s (${(people / seconds).toFixed(0)} a second, ` +
      `median ${at(0.5)} ms, p99 ${at(0.99)} ms)\n` +
      `bare taking of a seat: ${bare.toFixed(0)} a second\n` +
      `seats over capacity: ${Math.max(0, taken - seats)}, orders without their hold: ${unheld}, ` +
      `holds without an order: ${holds - before.holds - orders}, ledger ${ok ? "verified" : "WRONG"}`,
  );
  const whole = orders === expected && taken === expected && ordered === expected;
  if (!whole || unheld > 0 || holds - before.holds !== orders || !ok) process.exitCode = 1;
  await close();
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
