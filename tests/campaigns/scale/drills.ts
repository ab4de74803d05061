// What happens to three machines' parts while payments go on, each drill a few lines.
import { setTimeout as sleep } from "node:timers/promises";
import type { Machine } from "./machine.ts";
import { pausedLeader } from "./paused-leader.ts";
import { pooler } from "./pooler.ts";
import { reads } from "./reads.ts";
import type { Drill, Scene } from "./scene.ts";

export const drills: readonly Drill[] = [
  { name: "leader", says: "kill -9 of the leader's PostgreSQL and Patroni", run: leaderDies },
  { name: "moved", says: "the leader is moved by hand, as before work on it", run: leaderMoves },
  { name: "standby", says: "kill -9 of the synchronous standby", run: standbyDies },
  { name: "portal", says: "kill -9 of the portal that HAProxy favours", run: portalDies },
  { name: "etcd", says: "kill -9 of etcd's leader", run: etcdDies },
  { name: "rolling", says: "SIGTERM and a new start of the three portals in turn", run: rolling },
  { name: "paused", says: "the leader stands still, and comes back", run: pausedLeader },
  { name: "reads", says: "movements are read on the standbys", run: reads },
  { name: "pooler", says: "through PgBouncer, whose leader is killed -9", run: pooler },
];

async function leaderDies({ trio, load }: Scene): Promise<string> {
  const old = await trio.leader();
  const heir = await trio.standby("sync_standby");
  await old.kill("patroni");
  const next = await trio.leader(old);
  if (next !== heir)
    throw new Error(`${next.name} leads, ${heir.name} was the synchronous standby`);
  await load.next();
  await old.start("patroni");
  await trio.whole();
  return `${old.name} died, ${next.name} leads; ${old.name} follows again`;
}

async function leaderMoves({ trio, load }: Scene): Promise<string> {
  const old = await trio.leader();
  const heir = await trio.standby("sync_standby");
  const secret = Buffer.from(`patroni:${old.value("PATRONI_PASSWORD")}`).toString("base64");
  // What `patronictl switchover` asks.
  const answer = await fetch(`${old.url("PATRONI_PORT")}/switchover`, {
    method: "POST",
    headers: { authorization: `Basic ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ leader: old.name, candidate: heir.name }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${said}`);
  await trio.leader(old);
  await load.next();
  await trio.whole();
  return `${old.name} gave it to ${heir.name}`;
}

async function standbyDies({ trio, load }: Scene): Promise<string> {
  const old = await trio.standby("sync_standby");
  const other = await trio.standby("replica");
  await old.kill("patroni");
  await load.next();
  await old.start("patroni");
  await trio.whole();
  const now = await trio.standby("sync_standby");
  return `${old.name} died, ${(now === old ? old : other).name} is in step now`;
}

async function portalDies({ trio, load }: Scene): Promise<string> {
  const before = await trio.portals();
  const favourite = before.reduce((best, one) => (one.served > best.served ? one : best));
  const machine = trio.named(favourite.name);
  await machine.stopPortal("SIGKILL");
  await load.next();
  await trio.portalsUp(2);
  await load.next();
  await trio.restartPortal(machine);
  const shares = before.map(({ name, served }) => `${name} ${served}`).join(", ");
  return `${favourite.name} of ${shares} requests`;
}

async function etcdDies({ trio, load }: Scene): Promise<string> {
  const leader = await trio.leader();
  const old = await trio.etcdLeader();
  await old.kill("etcd");
  let next: Machine | undefined;
  for (let tries = 0; !next && tries < 300; tries++) {
    next = await trio.etcdLeader().catch(() => undefined);
    if (!next) await sleep(100);
  }
  // Longer than Patroni's leader may go without etcd.
  await sleep(25_000);
  await load.next();
  await old.start("etcd");
  await trio.whole();
  if ((await trio.leader()) !== leader) throw new Error("PostgreSQL's leader changed");
  return `${old.name} died, ${next?.name ?? "nobody"} leads etcd; PostgreSQL's leader stayed`;
}

async function rolling({ trio, load }: Scene): Promise<string> {
  const before = { repeats: load.repeats, unanswered: load.unanswered };
  for (const machine of trio.machines) {
    const code = await machine.stopPortal();
    if (code !== 0) throw new Error(`the portal of ${machine.name} left with ${code}`);
    await trio.restartPortal(machine);
    await load.next();
  }
  const unanswered = load.unanswered - before.unanswered;
  if (unanswered > 0) throw new Error(`${unanswered} calls had no answer`);
  return `nothing unanswered, ${load.repeats - before.repeats} told to come again`;
}
