// The provider tells everything three times, in any order, and one thing a thousand times.
import { createHmac, randomUUID } from "node:crypto";
import { type Campaign, dice } from "./campaign.ts";
import { broken, onDatabase } from "./load.ts";
import { type Answer, startPortal, type PortalProcess } from "./portal-process.ts";

const atOnce = 16;
const amountCents = 500;

interface TopUp {
  id: string;
  ref: string;
}

export const webhooks: Campaign = {
  name: "webhooks",
  says: "payment events tripled and shuffled, one event again and again: one credit each",
  sizes: { topups: { full: 100, quick: 5 }, copies: { full: 1000, quick: 100 } },
  async run({ folder, size, seed, progress }) {
    const { topups = 1, copies = 1 } = size;
    const portal = await startPortal({ dataDir: `${folder}/data` });
    try {
      const secret = await secretOf(portal);
      const news = (topUp: TopUp, type: string, id: string) => () =>
        tell(portal, secret, { id, type, charge: chargeOf(topUp) });
      const made: TopUp[] = [];
      const sends: (() => Promise<number>)[] = [];
      for (let n = 0; n < topups; n++) {
        const topUp = await startTopUp(portal);
        made.push(topUp);
        for (const type of ["charge.authorized", "charge.succeeded", "charge.declined"]) {
          const id = randomUUID();
          for (let copy = 0; copy < 3; copy++) sends.push(news(topUp, type, id));
          // And the same news under a name of its own.
          sends.push(news(topUp, type, randomUUID()));
        }
      }
      shuffle(sends, dice(seed));
      const one = await startTopUp(portal);
      const id = randomUUID();
      for (let copy = 0; copy < copies; copy++) sends.push(news(one, "charge.succeeded", id));
      const lost = await sendAll(sends, progress);
      lost.push(...(await uncredited(portal, [...made, one])));
      lost.push(...(await onDatabase(portal, broken)));
      const did = `${sends.length} webhooks for ${topups + 1} top-ups, one event ${copies} times`;
      return { did: `${did}, one credit each`, lost };
    } finally {
      await portal.close();
    }
  },
};

const chargeOf = ({ id, ref }: TopUp) => ({
  ref,
  reference: id,
  amountCents,
  state: "succeeded",
});

async function startTopUp(portal: PortalProcess): Promise<TopUp> {
  const path = `/api/wallets/${portal.guardian.objectID}/top-ups`;
  const { status, body }: Answer = await portal.call(path, { amountCents });
  if (status !== 201) throw new Error(`no top-up: ${JSON.stringify(body)}`);
  const ref = new URL(String(body["paymentUrl"])).pathname.split("/").at(-1) as string;
  return { id: String(body["id"]), ref };
}

/** The secret that provider and portal share; looking at a payment page is enough to have it made. */
async function secretOf(portal: PortalProcess): Promise<Buffer> {
  await portal.call("/api/payments/sandbox/webhooks", {}, { "x-sandbox-signature": "t=1,v1=00" });
  return await onDatabase(portal, async ({ pool }) => {
    const { rows } = await pool.query<{ value: Buffer }>(
      "select value from secret where name = 'sandbox_webhook'",
    );
    if (!rows[0]) throw new Error("the sandbox has no secret");
    return rows[0].value;
  });
}

async function tell(portal: PortalProcess, secret: Buffer, event: unknown): Promise<number> {
  const body = JSON.stringify(event);
  const seconds = Math.floor(Date.now() / 1000);
  const mac = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  const answer = await fetch(`${portal.address}/api/payments/sandbox/webhooks`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-sandbox-signature": `t=${seconds},v1=${mac}`,
    },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function sendAll(
  sends: readonly (() => Promise<number>)[],
  progress: (text: string) => void,
): Promise<string[]> {
  const wrong = new Map<number, number>();
  let next = 0;
  const sender = async () => {
    for (let send = sends[next++]; send; send = sends[next++]) {
      // 503 is an answer that a provider accepts: it sends the event again.
      let status = await send();
      for (let tries = 0; status === 503 && tries < 20; tries++) status = await send();
      if (status !== 200) wrong.set(status, (wrong.get(status) ?? 0) + 1);
      if (next % 50 === 0) progress(`${next}/${sends.length} sent`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return [...wrong].map(([status, times]) => `${times} webhooks answered ${status}`);
}

async function uncredited(portal: PortalProcess, topUps: readonly TopUp[]): Promise<string[]> {
  return await onDatabase(portal, async ({ pool }) => {
    const { rows } = await pool.query<{ id: string; state: string; cents: number; times: number }>(
      `select u.id::text as id, u.state, count(t.id)::int as times,
         coalesce(sum(t.amount), 0)::bigint as cents
       from top_up u left join transfer t on t.key = 'charge:sandbox:' || u.provider_ref
        and t.kind = 'top_up'
       where u.id::text = any($1) group by u.id, u.state`,
      [topUps.map(({ id }) => id)],
    );
    const right = rows.filter(
      (row) => row.state === "credited" && row.times === 1 && row.cents === amountCents,
    );
    if (right.length === topUps.length) return [];
    const wrong = rows.find((row) => !right.includes(row));
    return [`${topUps.length - right.length} not credited once: ${JSON.stringify(wrong)}`];
  });
}

function shuffle(list: unknown[], roll: () => number): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(roll() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}
