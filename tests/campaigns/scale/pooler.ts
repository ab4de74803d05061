// The same with PgBouncer between portals and leader, a connection for each transaction: what it costs,
// and that jobs and live events, which go around it, still come.
import { setTimeout as sleep } from "node:timers/promises";
import { oneQuery } from "#server/db/one-query.ts";
import { openLive } from "./live.ts";
import type { Scene } from "./scene.ts";

const seconds = 10;

export async function pooler({ trio, load, holder }: Scene): Promise<string> {
  const without = await measure({ trio, load, holder });
  for (const machine of trio.machines) {
    await machine.start("pgbouncer");
    await machine.stopPortal();
    await trio.restartPortal(machine, true);
  }
  const through = await measure({ trio, load, holder });
  await requireAround({ trio, load, holder });
  const old = await trio.leader();
  await old.kill("patroni");
  await trio.leader(old);
  await load.next();
  await old.start("patroni");
  await trio.whole();
  for (const machine of trio.machines) {
    await machine.stopPortal();
    await trio.restartPortal(machine);
    await machine.kill("pgbouncer");
  }
  return (
    `payments ${through.perSecond}/s through it, ${without.perSecond}/s without; ` +
    `the list of wallets ${through.walletsMs} ms, ${without.walletsMs} ms without; live events and jobs around it`
  );
}

async function measure({ load, holder }: Scene) {
  const before = load.acknowledged.size;
  const startedAt = performance.now();
  const times: number[] = [];
  while (performance.now() - startedAt < seconds * 1000) {
    const sentAt = performance.now();
    // Read on the primary: the standbys are not asked through the pooler.
    await holder.call(`/api/wallets?cardnumber=${holder.guardian.cardnumber}`);
    times.push(performance.now() - sentAt);
    await sleep(20);
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const perSecond = Math.round((load.acknowledged.size - before) / seconds);
  return { perSecond, walletsMs: Math.round(median) };
}

/** Requests come from the pooler; jobs and listeners are on connections of their own, and are notified. */
async function requireAround({ trio, holder }: Scene): Promise<void> {
  const live = await openLive(
    `${trio.first.url("WEB_PORT")}/api/notifications/live`,
    holder.bearer,
  );
  await live.next("notice", () => true);
  const names = await oneQuery<{ name: string; last: string }>(
    (await trio.leader()).databaseUrl("POSTGRES_PORT"),
    `select application_name as name, query as last from pg_stat_activity
      where datname = current_database() and usename = 'ma_carte_app'`,
  );
  live.close();
  const workers = new Set(
    names.map(({ name }) => name).filter((name) => name.startsWith("ma-carte-jobs-")),
  );
  if (workers.size !== trio.machines.length)
    throw new Error(`${workers.size} portals have job connections of their own`);
  if (!names.some(({ name, last }) => name === "ma-carte live" && /^listen/i.test(last)))
    throw new Error("nobody listens");
}
