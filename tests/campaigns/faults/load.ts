// Clients that move money between two wallets while something breaks, and the verification afterwards.
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenDb } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { type Holder, transferUntilDefinite, type PortalProcess } from "./portal-process.ts";

export interface Load {
  /** Key of the client → id of the transfer that the server acknowledged. */
  acknowledged: Map<string, string>;
  /** Answers that are neither a success nor "not now". */
  unexpected: string[];
  /** Calls that had to be repeated, each time counted. */
  repeats: number;
  /** Of these, those that had no answer at all: neither "come again" nor anything else. */
  unanswered: number;
  /** Waits for the next acknowledged transfer. */
  next(withinMs?: number): Promise<void>;
  /** Ends the load; `patient` lets each client first have a definite answer. */
  stop(patient?: boolean): Promise<void>;
}

/** Starts `clients` that send a cent back and forth, each its next one when the last is answered. */
export function startLoad(
  portal: Holder & Pick<PortalProcess, "lastWords">,
  clients: number,
  pauseMs = 5,
): Load {
  const acknowledged = new Map<string, string>();
  const unexpected: string[] = [];
  const lastRefusals: string[] = [];
  const clock = () => new Date().toISOString().slice(11, 23);
  let over = false;
  const isOver = () => over;
  let patient = false;
  const load = Array.from({ length: clients }, async (_, number) => {
    const { guardian, child } = portal;
    const ways = [[guardian, child] as const, [child, guardian] as const];
    for (let turn = number; !isOver(); turn++) {
      const way = ways[turn % 2] as (typeof ways)[number];
      const { key, answer } = await transferUntilDefinite(portal, way, 1, {
        over: () => over && !patient,
        onRepeat: (why) => {
          made.repeats += 1;
          if (why !== "503") made.unanswered += 1;
          lastRefusals.push(`${clock()} ${why}`);
          if (lastRefusals.length > 8) lastRefusals.shift();
        },
      });
      if (answer?.status === 201) acknowledged.set(key, String(answer.body["id"]));
      else if (answer) unexpected.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      await sleep(pauseMs);
    }
  });
  const made: Load = {
    acknowledged,
    unexpected,
    repeats: 0,
    unanswered: 0,
    async next(withinMs = 120_000) {
      const startedAt = performance.now();
      const before = acknowledged.size;
      while (acknowledged.size === before) {
        if (performance.now() - startedAt > withinMs) {
          const said = [...lastRefusals, ...unexpected.slice(-3), await portal.lastWords()];
          throw new Error(`no transfer passes again at ${clock()}:\n${said.join("\n")}`);
        }
        await sleep(2);
      }
    },
    async stop(wait = false) {
      patient = wait;
      over = true;
      await Promise.all(load);
    },
  };
  return made;
}

/**
 * Verifies that each acknowledged transfer is stored once, under the same id, that each stored one was
 * requested, and that the ledger balances. `open` is how many calls may be stored although their client got
 * no answer.
 */
export async function verifyLoad(
  { db, pool }: OpenDb,
  load: Pick<Load, "acknowledged" | "unexpected">,
  open: number,
): Promise<{ stored: number; lost: string[] }> {
  const lost = load.unexpected.slice(0, 5).map((what) => `unexpected answer: ${what}`);
  const { rows } = await pool.query<{ key: string; id: string; posted: number }>(
    `select w.idempotency_key as key, w.id::text as id,
       (select count(*)::int from transfer t where t.key = 'transfer:' || w.id) as posted
     from wallet_transfer w where w.idempotency_key is not null`,
  );
  const ids = new Map(rows.map((row) => [row.key, row]));
  if (ids.size !== rows.length) lost.push(`${rows.length - ids.size} transfers stored twice`);
  let missing = 0;
  for (const [key, id] of load.acknowledged) if (ids.get(key)?.id !== id) missing += 1;
  if (missing > 0) lost.push(`${missing} acknowledged transfers are not stored`);
  const unposted = rows.filter((row) => row.posted !== 1).length;
  if (unposted > 0) lost.push(`${unposted} transfers without exactly one posting`);
  const unheard = rows.length - load.acknowledged.size;
  if (unheard > open) lost.push(`${unheard} transfers stored that nobody was told of`);
  lost.push(...(await broken({ db })));
  return { stored: rows.length, lost };
}

/** The invariants of the ledger that are violated. */
export async function broken({ db }: Pick<OpenDb, "db">): Promise<string[]> {
  const { checks } = await verify(db);
  return checks.filter((check) => !check.ok).map((check) => `${check.says}: ${check.example}`);
}

/** Runs `work` on a connection of its own to the portal's database. */
export async function onDatabase<T>(portal: PortalProcess, work: (open: OpenDb) => Promise<T>) {
  const database = await portal.database();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
