// A backup taken under load, an instant noted under load, then the disk is lost: what was acknowledged
// before the instant is in the restored database, what was asked for after it is not.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDb } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { removeData } from "#tests/scratch.ts";
import { testRootKey } from "#tests/server-process.ts";
import type { Campaign } from "./campaign.ts";
import { onDatabase, verifyLoad, startLoad } from "./load.ts";
import { startPortal } from "./portal-process.ts";

export const restore: Campaign = {
  name: "restore",
  says: "operator backup and restore to an instant, under load: exact",
  sizes: { restores: { full: 5, quick: 1 }, clients: { full: 8, quick: 4 } },
  async run({ folder, size, progress }) {
    const { restores = 1, clients = 1 } = size;
    const portal = await startPortal({ dataDir: `${folder}/data` });
    const backupFolder = join(folder, "kept");
    const lost: string[] = [];
    const moments: Moment[] = [];
    try {
      const before = startLoad(portal, clients);
      await before.next();
      progress("backup under load");
      await operator(portal.dataDir, "backup", backupFolder);
      await before.next();
      await before.stop(true);
      const acknowledged = new Map(before.acknowledged);
      // Each instant lies in a silence of the load: exactly what was acknowledged, nothing else.
      for (let n = 0; n < restores; n++) {
        await sleep(20);
        moments.push({ at: new Date(), acknowledged: new Map(acknowledged) });
        await sleep(20);
        const load = startLoad(portal, clients);
        await sleep(300);
        await load.stop(true);
        for (const [key, id] of load.acknowledged) acknowledged.set(key, id);
      }
      // The journal of the last minutes is kept by a second backup, as the manual says.
      await operator(portal.dataDir, "backup", backupFolder);
      await onDatabase(portal, async (open) => {
        const { lost: wrong } = await verifyLoad(open, { acknowledged, unexpected: [] }, 0);
        lost.push(...wrong);
      });
    } finally {
      await portal.close();
    }
    const tookMs: number[] = [];
    for (const [n, moment] of moments.entries()) {
      progress(`restore ${n + 1}/${restores}`);
      const dataDir = join(folder, `restored-${n}`);
      const startedAt = performance.now();
      await operator("", "restore", backupFolder, dataDir, moment.at.toISOString());
      tookMs.push(performance.now() - startedAt);
      lost.push(...(await compareRestored(dataDir, moment)));
      await removeData(dataDir);
    }
    const rows = moments.map(({ acknowledged }) => acknowledged.size).join(", ");
    const slowest = Math.round(Math.max(...tookMs));
    return { did: `${restores} instants, ${rows} transfers each; at most ${slowest} ms`, lost };
  },
};

interface Moment {
  at: Date;
  acknowledged: Map<string, string>;
}

async function compareRestored(dataDir: string, { at, acknowledged }: Moment): Promise<string[]> {
  const database = await startEmbedded({ dataDir });
  const connection = openDb(database.url, { max: 2 });
  try {
    const { lost } = await verifyLoad(connection, { acknowledged, unexpected: [] }, 0);
    return lost.map((what) => `restored to ${at.toISOString()}: ${what}`);
  } finally {
    await connection.close();
    await database.stop();
  }
}

/** Runs the operator's command line; throws what it said when it refused. */
async function operator(dataDir: string, ...words: string[]): Promise<string> {
  const path = join(import.meta.dirname, "..", "..", "..", "server", "operator", "operator.ts");
  const child = spawn(process.execPath, [path, ...words], {
    env: {
      PATH: process.env["PATH"],
      ROOT_KEY: testRootKey,
      ...(dataDir ? { DATA_DIR: dataDir } : {}),
    },
  });
  let said = "";
  for (const output of [child.stdout, child.stderr]) {
    output.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`operator ${words.join(" ")}: ${said}`);
  return said;
}
