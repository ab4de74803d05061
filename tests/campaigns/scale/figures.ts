// What is counted and measured of a fleet: its connections, and how much it answers.
import autocannon from "autocannon";
import { sql } from "kysely";
import { cast } from "#tests/cast.ts";
import type { Fleet } from "./fleet.ts";

/** Connections to the database by the name they bear, now, and of all processes together. */
export async function connectionsOf(fleet: Fleet): Promise<{ text: string; max: number }> {
  const { rows } = await sql<{ name: string; count: number }>`
    select case when application_name like 'ma-carte-jobs-%' then 'jobs' else application_name end
        as name, count(*) as count
      from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'
     group by 1 order by 1`.execute(fleet.database.db);
  const text = rows.map(({ name, count }) => `${count} ${name || "other"}`).join(", ");
  return { text, max: rows.reduce((total, { count }) => total + count, 0) };
}

export interface Rate {
  perSecond: number;
  p99Ms: number;
  /** Connections to the database while it ran. */
  connections: string;
  failures: number;
}

/** Asks /api/card/info of the first `processes` of the fleet at once, for some seconds. */
export async function readRate(fleet: Fleet, processes: number, seconds: number): Promise<Rate> {
  const headers = await fleet.login(0, "guardian");
  const connections = Math.floor(32 / processes);
  const running = fleet.addresses.slice(0, processes).map((address) =>
    autocannon({
      url: `${address}/api/card/info`,
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ cardnumber: cast.guardian.cardnumber }),
      connections,
      duration: seconds,
    }),
  );
  const counting = new Promise<string>((resolve, reject) => {
    setTimeout(() => {
      connectionsOf(fleet).then(({ text }) => resolve(text), reject);
    }, seconds * 500);
  });
  const results = await Promise.all(running);
  return {
    perSecond: Math.round(results.reduce((sum, one) => sum + one.requests.average, 0)),
    p99Ms: Math.max(...results.map((one) => one.latency.p99)),
    connections: await counting,
    failures: results.reduce((sum, one) => sum + one.non2xx + one.errors, 0),
  };
}
