// A hundred thousand random operations of the ledger against its model, for each of twenty seeds. A
// seed that fails is printed: `npm run faults -- --only ledger --seeds 1 --seed <it>` plays it again.
import { openDb } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { oneQuery } from "#server/db/one-query.ts";
import { type RandomReport, type RandomRun, randomRun } from "#tests/ledger-random.ts";
import { removeData } from "#tests/scratch.ts";
import type { Campaign } from "./campaign.ts";

const clients = 8;
const count = new Intl.NumberFormat("en");

export const ledger: Campaign = {
  name: "ledger",
  says: "random ledger operations by eight clients against a model: never another answer",
  sizes: { operations: { full: 100_000, quick: 3000 }, seeds: { full: 20, quick: 1 } },
  async run({ folder, size, seed, progress }) {
    const { operations = 1, seeds = 1 } = size;
    // Durability is not what this is about, and syncing each commit would make it ten times as long.
    const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
    const database = await startEmbedded({ dataDir: `${folder}/database`, settings });
    const lost: string[] = [];
    const outcomes = new Map<string, number>();
    try {
      for (let n = 0; n < seeds; n++) {
        const own = seed + n * 1000;
        const url = new URL(database.url);
        url.pathname = `/random_${n}`;
        await oneQuery(database.url, `create database random_${n} template template0`);
        await migrate(url.href);
        const onProgress = (done: number) =>
          progress(`seed ${n + 1}/${seeds} (${own}): ${count.format(done)}`);
        const report = await runOn(url.href, {
          operations,
          clients,
          seed: own,
          progress: onProgress,
        });
        await oneQuery(database.url, `drop database random_${n}`);
        lost.push(...report.differences.slice(0, 3).map((what) => `seed ${own}: ${what}`));
        for (const kind of report.unmet) lost.push(`seed ${own}: "${kind}" was never met`);
        for (const [kind, times] of report.outcomes) {
          outcomes.set(kind, (outcomes.get(kind) ?? 0) + times);
        }
      }
      const total = [...outcomes.values()].reduce((sum, times) => sum + times, 0);
      const summary = `${count.format(total)} operations, ${outcomes.size} kinds of outcome`;
      return {
        did: `${seeds} × ${count.format(operations)} asked, ${summary}, same as the model`,
        lost,
      };
    } finally {
      await database.stop();
      await removeData(`${folder}/database`);
    }
  },
};

async function runOn(url: string, run: RandomRun): Promise<RandomReport> {
  const database = openDb(url, { max: run.clients });
  try {
    return await randomRun(database.db, run);
  } finally {
    await database.close();
  }
}
