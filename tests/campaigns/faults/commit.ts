// The connection to the database is cut at COMMIT: half of the cuts before it arrives, half after it
// was obeyed. Nobody can tell which from the outside; the client repeats under its key.
import { removeData } from "#tests/scratch.ts";
import { type Campaign, dice } from "./campaign.ts";
import { startDatabase } from "./data-folder.ts";
import { onDatabase, verifyLoad } from "./load.ts";
import { transferUntilDefinite, startPortal } from "./portal-process.ts";
import { type Cut, openProxy } from "./proxy.ts";

export const commit: Campaign = {
  name: "commit",
  says: "connections cut at COMMIT, clients repeat under the same key: totals exact",
  sizes: {
    requests: { full: 5000, quick: 120 },
    percent: { full: 20, quick: 20 },
    clients: { full: 16, quick: 8 },
  },
  async run({ folder, size, seed, progress }) {
    const { requests = 1, percent = 0, clients = 1 } = size;
    const roll = dice(seed);
    let cutting = false;
    const choose = (): Cut => {
      const fate = roll() * 100;
      if (!cutting || fate >= percent) return "none";
      return fate < percent / 2 ? "before" : "after";
    };
    const database = await startDatabase(`${folder}/database`);
    const proxy = await openProxy(Number(new URL(database.url).port), choose);
    const address = new URL(database.url);
    address.port = String(proxy.port);
    address.searchParams.delete("host");
    const portal = await startPortal({ dataDir: `${folder}/data`, databaseUrl: address.href });
    try {
      const before = await balances();
      cutting = true;
      const acknowledged = new Map<string, string>();
      const unexpected: string[] = [];
      let [begun, repeats] = [0, 0];
      const client = async () => {
        while (begun < requests) {
          begun += 1;
          const made = await transferUntilDefinite(portal, [portal.guardian, portal.child], 1);
          repeats += made.repeats;
          if (made.answer?.status === 201)
            acknowledged.set(made.key, String(made.answer.body["id"]));
          else unexpected.push(`${made.answer?.status} ${JSON.stringify(made.answer?.body)}`);
          if (begun % 100 === 0) progress(`${begun}/${requests}, ${repeats} repeated`);
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      cutting = false;
      const load = { acknowledged, unexpected };
      const { stored, lost } = await onDatabase(portal, (open) => verifyLoad(open, load, 0));
      if (stored !== requests) lost.push(`${stored} transfers stored of ${requests} asked for`);
      const after = await balances();
      const moved = [before[0] - after[0], after[1] - before[1]];
      if (moved.some((cents) => cents !== requests)) {
        lost.push(`${moved.join(" and ")} cents moved instead of ${requests}`);
      }
      const { before: early, after: late } = proxy.cuts;
      if (early + late === 0) lost.push("nothing was cut: the campaign proves nothing");
      return { did: `${requests} requests, ${early} cut before and ${late} after, exact`, lost };
    } finally {
      await portal.close();
      await proxy.close();
      await database.stop();
      await removeData(`${folder}/database`);
    }

    async function balances(): Promise<[number, number]> {
      return await onDatabase(portal, async ({ pool }) => {
        const { rows } = await pool.query<{ id: string; cents: number }>(
          `select w.object_id::text as id, sum(a.balance)::bigint as cents from wallet w
             join wallet_lot l on l.wallet_id = w.id join ledger_account a on a.id = l.account_id
            where w.object_id = any($1) group by w.id`,
          [[portal.guardian.objectID, portal.child.objectID]],
        );
        const of = (id: string) => rows.find((row) => row.id === id)?.cents ?? 0;
        return [of(portal.guardian.objectID), of(portal.child.objectID)];
      });
    }
  },
};
