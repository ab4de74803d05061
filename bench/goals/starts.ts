// How soon a server answers: after a normal start, and after both it and its database were killed.
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { startEmbedded } from "#server/db/embedded.ts";
import { launchServer, postmasterOf, ready, type Started, stop } from "#tests/server-process.ts";
import { logIn, type Fixture } from "./fixture.ts";
import { cpuMs, workedByDatabase } from "./processor.ts";

const env = {
  DEMO: "1",
  PAYMENTS: "sandbox",
  TRUST_PROXY: "1",
  WALLET_CAP_CENTS: "100000000",
  CODE_FROM_CENTS: "100000000",
  LOG_LEVEL: "error",
};

async function timedStart(dataDir: string): Promise<{ started: Started; ms: number }> {
  const from = performance.now();
  const started = await launchServer({ dataDir, env });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${started.port}/api/health`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return { started, ms: performance.now() - from };
    if (started.child.exitCode !== null) throw new Error(started.said());
    await sleep(2);
  }
}

/**
 * Milliseconds from launching node to the first 200, the database included, and the processor time of each
 * until then.
 */
export async function coldStart({ dataDir }: Fixture) {
  const { started, ms } = await timedStart(dataDir);
  const worked = {
    nodeMs: cpuMs(started.child.pid ?? 0),
    databaseMs: workedByDatabase(dataDir),
  };
  await stop(await ready(started));
  return { ms, ...worked };
}

/** The same after kill -9 of both during transfers, and how many acknowledged transfers are missing. */
export async function recovery(
  fixture: Fixture,
): Promise<{ ms: number; sent: number; lost: number }> {
  const { started } = await timedStart(fixture.dataDir);
  const address = `http://127.0.0.1:${started.port}`;
  const tokens = await logIn(address, fixture);
  const acknowledged: string[] = [];
  const killed = new AbortController();
  const sending = tokens.slice(0, 16).map(async (authorization, at) => {
    const { wallets, cards } = fixture.families[at]!;
    while (!killed.signal.aborted) {
      const answer = await fetch(`${address}/api/transfers`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: JSON.stringify({
          fromWallet: wallets[0],
          toCardnumber: cards[1],
          amountCents: 1,
          repeat: true,
        }),
      }).catch(() => null);
      const body = (await answer?.json().catch(() => null)) as { id: string } | null;
      if (answer?.status === 201 && body) acknowledged.push(body.id);
    }
  });
  await sleep(1000);
  const postmaster = await postmasterOf(fixture.dataDir);
  started.child.kill("SIGKILL");
  process.kill(postmaster, "SIGKILL");
  killed.abort();
  await Promise.all([...sending, started.exit]);
  const again = await timedStart(fixture.dataDir);
  await stop(await ready(again.started));
  const foundCount = await count(fixture.dataDir, acknowledged);
  return { ms: again.ms, sent: acknowledged.length, lost: acknowledged.length - foundCount };
}

async function count(dataDir: string, ids: readonly string[]): Promise<number> {
  const embedded = await startEmbedded({ dataDir });
  const pool = new Pool({ connectionString: embedded.url, max: 1 });
  const { rows } = await pool.query<{ n: string }>(
    `select count(*) as n from wallet_transfer s join transfer t on t.key = 'transfer:' || s.id
     where s.id = any ($1::uuid[])`,
    [ids],
  );
  await pool.end();
  await embedded.stop();
  return Number(rows[0]?.n ?? 0);
}
