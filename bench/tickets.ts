// 5,000 people want one of 500 tickets at the same moment: seats held and issued per second, compared with
// the bare function that takes a seat, and that none is sold twice. Durable commits, bounded.
//   PEOPLE=5000 SEATS=500 AT_ONCE=64
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "#contract/errors.ts";
import { inTx } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import type { Deps } from "#server/process/deps.ts";
import { pay } from "#server/checkout/checkout.ts";
import { putLine, ticketSale } from "#server/tickets/tickets.ts";
import { openWallet } from "#server/wallet/wallet.ts";
import { allAtOnce } from "#tests/at-once.ts";
import { makeEvent, type MadeEvent } from "#tests/events.ts";
import { openDeps } from "./deps.ts";

const people = Math.min(20_000, Number(process.env["PEOPLE"] ?? 5000));
const seats = Math.min(5000, Number(process.env["SEATS"] ?? 500));
const atOnce = Math.min(256, Number(process.env["AT_ONCE"] ?? 64));

interface Buyer {
  id: number;
  number: number;
}

async function crowd(deps: Deps): Promise<Buyer[]> {
  await deps.pool.query(
    `insert into person (type, name, password_hash)
     select 1, 'Foule ' || n, 'x' from generate_series(1, $1::int) n`,
    [people],
  );
  await deps.pool.query(`insert into card (number, person_id, state)
    select 1900000000 + row_number() over (order by id), id, 'active' from person`);
  const { rows } = await deps.pool.query<Buyer>(
    "select p.id, c.number from person p join card c on c.person_id = p.id order by random()",
  );
  return rows;
}

/** Everybody takes a seat and whoever got one pays; gives the number of seats taken and the times. */
async function rush(deps: Deps, event: MadeEvent, buyers: readonly Buyer[]) {
  let issued = 0;
  let refused = 0;
  const took = await allAtOnce(buyers, atOnce, async ({ id, number }) => {
    const act = { deps, caller: { personId: id } as never, origin: { address: null } as never };
    try {
      const line = {
        session: event.session,
        category: event.full,
        cardnumber: number,
        quantity: 1,
      };
      const { cart } = await putLine({ ...act, input: line });
      const { objectID } = await inTx(deps.db, (tx) => openWallet(tx, { personId: id }));
      const payment = {
        orderId: cart?.id ?? "",
        objectID,
        totalCents: 0,
        method: "wallet",
      } as const;
      await pay(deps, ticketSale, { ...act, ...payment, siteOrigin: "" });
      issued += 1;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "tickets_sold_out") throw error;
      refused += 1;
    }
  });
  return { issued, refused, took };
}

async function bare(deps: Deps, event: MadeEvent): Promise<number> {
  const take = "select ticket_take(array[$1::uuid], array[$2::uuid], array[1]) as left";
  const started = performance.now();
  await allAtOnce(Array.from({ length: seats }), atOnce, async () => {
    await deps.pool.query(take, [event.session, event.full]);
  });
  return seats / ((performance.now() - started) / 1000);
}

const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-tickets-"));
const embedded = await startEmbedded({ dataDir });
try {
  await migrate(embedded.url);
  const { deps, close } = openDeps(embedded.url);
  const buyers = await crowd(deps);
  const free = { seats, categories: [{ name: "Entrée", priceCents: 0 }] };
  const perSecond = await bare(deps, await makeEvent({ deps }, free));
  const event = await makeEvent({ deps }, free);
  const started = performance.now();
  const { issued, refused, took } = await rush(deps, event, buyers);
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await deps.pool.query<{ sold: number; taken: number }>(
    `select (select count(*)::int from ticket where session_id = $1 and state = 'issued') as sold,
       (select taken from ticket_quota where session_id = $1) as taken`,
    [event.session],
  );
  const { sold = 0, taken = 0 } = rows[0] ?? {};
  const p99 = took[Math.floor(took.length * 0.99)] ?? 0;
  console.log(
    `${people} people, ${seats} seats, ${atOnce} at once, ${availableParallelism()} cores, ` +
      `load ${(loadavg()[0] ?? 0).toFixed(1)}\n` +
      `${issued} issued, ${refused} told it is sold out, in ${seconds.toFixed(1)} s ` +
      `(${(people / seconds).toFixed(0)} a second, p99 ${p99.toFixed(0)} ms)\n` +
      `bare ticket_take: ${perSecond.toFixed(0)} a second\n` +
      `sold twice: ${Math.max(0, sold - seats)}, seats counted: ${taken}`,
  );
  if (sold !== Math.min(seats, people) || taken !== sold || issued !== sold) process.exitCode = 1;
  await close();
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
