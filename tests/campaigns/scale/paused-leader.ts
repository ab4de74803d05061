// A machine stands still while another takes its place, then goes on and still believes that it leads. No
// write may be acknowledged there, by whatever way one comes to it: HAProxy is gone around here.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { oneQuery } from "#server/db/one-query.ts";
import type { Scene } from "./scene.ts";
import { until } from "./trio.ts";

/** PostgreSQL runs for so long before Patroni, which would demote it: harder than a machine that wakes up. */
const unsupervisedMs = 3_000;
const mark = "insert into drill (mark) values ('paused')";

export async function pausedLeader({ trio, load }: Scene): Promise<string> {
  const old = await trio.leader();
  const url = old.databaseUrl("POSTGRES_PORT", "postgres");
  await oneQuery(url, "create table if not exists drill (mark text)");
  const early = await connect(url);
  await old.freeze();
  const next = await trio.leader(old);
  await load.next();
  const tries = writeTo(url, early);
  await old.thaw("postgres");
  await sleep(unsupervisedMs);
  const sentBeforeDemotion = tries.sent();
  await old.thaw("patroni");
  await until(`${old.name} follows`, async () => {
    const rows = await oneQuery<{ standby: boolean }>(
      url,
      "select pg_is_in_recovery() as standby",
      [],
      2_000,
    ).catch(() => []);
    return rows[0]?.standby === true;
  });
  // Now it must refuse by itself.
  await sleep(1_000);
  const { acknowledged, refused } = await tries.end();
  await early.end().catch(() => {});
  await trio.whole();
  const stored = await Promise.all(
    [next, old].map((one) =>
      oneQuery<{ many: number }>(
        one.databaseUrl("POSTGRES_PORT", "postgres"),
        "select count(*)::int as many from drill where mark = 'paused'",
      ),
    ),
  );
  const storedCounts = stored.map(([row]) => row?.many ?? 0);
  if (acknowledged > 0 || storedCounts.some((many) => many > 0))
    throw new Error(
      `${old.name} acknowledged ${acknowledged} writes; ${storedCounts.join(", ")} are kept`,
    );
  return (
    `${next.name} led meanwhile; ${old.name} acknowledged none of ${acknowledged + refused} writes, ` +
    `${sentBeforeDemotion} of them before it was demoted, and follows`
  );
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Tries to write: on a connection from before, and on a new one ten times a second. */
function writeTo(url: string, early: Client) {
  let acknowledged = 0;
  let refused = 0;
  let over = false;
  const isOver = () => over;
  const tries: Promise<void>[] = [];
  const count = (writing: Promise<unknown>) =>
    void tries.push(
      writing.then(
        () => void (acknowledged += 1),
        () => void (refused += 1),
      ),
    );
  count(early.query(mark));
  const trying = (async () => {
    for (; !isOver(); await sleep(100)) count(oneQuery(url, mark, [], 2_000));
  })();
  return {
    sent: () => tries.length,
    async end() {
      over = true;
      await trying;
      await Promise.all(tries);
      return { acknowledged, refused };
    },
  };
}
