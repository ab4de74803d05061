// Server, database, one of its backends, or server and database together are killed under load.
import { setTimeout as sleep } from "node:timers/promises";
import { postmasterOf } from "#tests/server-process.ts";
import { type Campaign, spread } from "./campaign.ts";
import { onDatabase, verifyLoad, startLoad } from "./load.ts";
import { startPortal, type PortalProcess } from "./portal-process.ts";

const victims = ["server", "database", "backend", "both"] as const;

export const crash: Campaign = {
  name: "crash",
  says: "kill -9 of server, database, backends under load: what was acknowledged is stored, once",
  sizes: { rounds: { full: 30, quick: 3 }, clients: { full: 8, quick: 6 } },
  async run({ folder, size, progress }) {
    const { rounds = 1, clients = 1 } = size;
    const portal = await startPortal({ dataDir: `${folder}/data` });
    try {
      const load = startLoad(portal, clients);
      const backMs: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const victim = victims[round % victims.length] as (typeof victims)[number];
        progress(
          `round ${round + 1}/${rounds} (${victim}), ${load.acknowledged.size} acknowledged`,
        );
        await sleep(300 + 100 * (round % 5));
        const killedAt = performance.now();
        await kill(portal, victim);
        await load.next();
        backMs.push(performance.now() - killedAt);
      }
      await sleep(300);
      await load.stop(true);
      const { stored, lost } = await onDatabase(portal, (open) => verifyLoad(open, load, 0));
      const did =
        `${rounds} rounds, ${load.acknowledged.size} acknowledged, ${stored} stored, ` +
        `${load.repeats} repeated; back in ${spread(backMs)}`;
      return { did, lost };
    } finally {
      await portal.close();
    }
  },
};

async function kill(portal: PortalProcess, victim: (typeof victims)[number]): Promise<void> {
  const postmaster = await postmasterOf(portal.dataDir);
  // PostgreSQL ends all its backends and recovers when one of them dies.
  if (victim === "backend") process.kill(await someBackend(portal), "SIGKILL");
  if (victim === "server" || victim === "both") portal.server.child.kill("SIGKILL");
  if (victim === "database" || victim === "both") process.kill(postmaster, "SIGKILL");
  if (victim === "server" || victim === "both") await portal.restart();
}

/** A backend that serves the load, a working one if there is. The pool may open its next one only now. */
async function someBackend(portal: PortalProcess): Promise<number> {
  return await onDatabase(portal, async ({ pool }) => {
    for (;;) {
      const { rows } = await pool.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = 'macarte'
          order by state = 'active' desc limit 1`,
      );
      if (rows[0]) return rows[0].pid;
      await sleep(20);
    }
  });
}
