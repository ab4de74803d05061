// DATABASE_READ_URL on the standbys: they answer, what was just paid is in the next page, and one that dies
// costs no reader an error.
import { setTimeout as sleep } from "node:timers/promises";
import { oneQuery } from "#server/db/one-query.ts";
import type { Load } from "#tests/campaigns/faults/load.ts";
import { type Holder, transferUntilDefinite } from "#tests/campaigns/faults/portal-process.ts";
import type { Machine } from "./machine.ts";
import type { Scene } from "./scene.ts";

const pages = 40;

export async function reads({ trio, load, holder }: Scene): Promise<string> {
  const leader = await trio.leader();
  const standbys = trio.others(leader);
  const before = await Promise.all(standbys.map(scans));
  for (let page = 0; page < pages; page++) await payAndRead(load, holder, 2 + page);
  // PostgreSQL reports statistics a second late.
  await sleep(2_000);
  const after = await Promise.all(standbys.map(scans));
  const shares = after.map((many, at) => many - (before[at] as number));
  if (shares.every((many) => many === 0)) throw new Error("no page was read on a standby");
  const busiest = shares.indexOf(Math.max(...shares));
  const dying = standbys[busiest] as Machine;
  await dying.kill("patroni");
  for (let page = 0; page < pages; page++) await payAndRead(load, holder, 2 + pages + page);
  await dying.start("patroni");
  await trio.whole();
  const perStandby = standbys.map(({ name }, at) => `${name} ${shares[at]}`).join(", ");
  return (
    `${2 * pages} payments, each in the page read next, the second half with ${dying.name} killed; ` +
    `scans of the journal on standbys: ${perStandby}`
  );
}

/** A payment of an amount of its own, and the page that its payer opens then. */
async function payAndRead(load: Load, holder: Holder, amountCents: number): Promise<void> {
  const { guardian, child } = holder;
  const { key, answer } = await transferUntilDefinite(holder, [guardian, child], amountCents);
  if (answer?.status !== 201) throw new Error(`the payment was answered ${answer?.status}`);
  load.acknowledged.set(key, String(answer.body["id"]));
  const path = `/api/wallets/${guardian.objectID}/movements?limit=100`;
  const { status, body } = await holder.call(path);
  if (status !== 200) throw new Error(`the page was answered ${status}`);
  const amounts = (body["items"] as { amountCents: number }[]).map((one) => one.amountCents);
  if (!amounts.includes(-amountCents)) throw new Error("a page lacked what was just paid");
}

/** How often the journal was read by an index on a machine. */
async function scans(machine: Machine): Promise<number> {
  const [row] = await oneQuery<{ many: number }>(
    machine.databaseUrl("POSTGRES_PORT"),
    "select coalesce(idx_scan, 0)::int as many from pg_stat_user_tables where relname = 'transfer'",
  );
  return row?.many ?? 0;
}
