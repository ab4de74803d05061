// Two servers meet one empty database at the same moment: both start, each migration is applied once,
// and the demo scheme is there once.
import { startEmbedded } from "#server/db/embedded.ts";
import { readMigrations } from "#server/db/migrate.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { openDb } from "#server/db/db.ts";
import { removeData } from "#tests/scratch.ts";
import { launchServer, ready, stop } from "#tests/server-process.ts";
import type { Campaign } from "./campaign.ts";
import { broken } from "./load.ts";

export const migrations: Campaign = {
  name: "migrate",
  says: "two servers migrate and fill one empty database at once: both start, everything once",
  sizes: { databases: { full: 5, quick: 1 } },
  async run({ folder, size, progress }) {
    const { databases = 1 } = size;
    const files = await readMigrations();
    const database = await startEmbedded({ dataDir: `${folder}/database` });
    const lost: string[] = [];
    try {
      for (let round = 0; round < databases; round++) {
        progress(`database ${round + 1}/${databases}`);
        const url = new URL(database.url);
        url.pathname = `/empty_${round}`;
        await oneQuery(database.url, `create database empty_${round} template template0`);
        const env = { DATABASE_URL: url.href, DEMO: "1" };
        const launch = () => launchServer({ dataDir: `${folder}/data`, env });
        const servers = await Promise.all((await Promise.all([launch(), launch()])).map(ready));
        const codes = await Promise.all(servers.map((server) => stop(server)));
        if (codes.some((code) => code !== 0)) lost.push(`left with ${codes.join(", ")}`);
        lost.push(...(await findFaults(url.href, files.length)));
      }
      return { did: `${databases} empty databases, 2 servers each, ${files.length} files`, lost };
    } finally {
      await database.stop();
      await removeData(`${folder}/database`);
    }
  },
};

async function findFaults(url: string, files: number): Promise<string[]> {
  const database = openDb(url, { max: 1 });
  try {
    const { rows } = await database.pool.query<{ applied: number; guardians: number }>(
      `select (select count(*)::int from migration) as applied,
         (select count(*)::int from card where number = 1000000016) as guardians`,
    );
    const lost = await broken(database);
    if (rows[0]?.applied !== files) lost.push(`${rows[0]?.applied} migrations of ${files}`);
    if (rows[0]?.guardians !== 1) lost.push(`the demo scheme is there ${rows[0]?.guardians} times`);
    return lost;
  } finally {
    await database.close();
  }
}
