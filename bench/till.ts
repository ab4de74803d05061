// The answer time of a till: 2,000 cards charged by their QR, one after the other and several at once,
// compared with the bare function that posts one transfer into the account that every sale credits. Durable,
// bounded.
//   CARDS=2000 AT_ONCE=8
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { companyOf } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { post } from "#server/ledger/ledger.ts";
import type { Deps } from "#server/process/deps.ts";
import { newRootKey, useRootKeys } from "#server/process/root-key.ts";
import { codeSigner } from "#server/signed-codes/signed-codes.ts";
import { charge } from "#server/till/till.ts";
import { openWallet, schemeAccount } from "#server/wallet/wallet.ts";
import { allAtOnce } from "#tests/at-once.ts";
import { cast, castInto } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { openDeps } from "./deps.ts";

const cards = Math.min(20_000, Number(process.env["CARDS"] ?? 2000));
const atOnce = Math.min(64, Number(process.env["AT_ONCE"] ?? 8));
const openingCents = 100_000;

interface Payer {
  personId: number;
  objectId: string;
  accountId: number;
}

async function crowd(deps: Deps): Promise<Payer[]> {
  const { rows } = await deps.pool.query<{ personId: number; objectId: string }>(
    `with people as (
       insert into person (type, name, password_hash)
       select 1, 'Foule ' || n, 'x' from generate_series(1, $1::int) n returning id)
     insert into card (number, person_id, state)
     select 1900000000 + row_number() over (order by id), id, 'active' from people
     returning person_id as "personId", object_id as "objectId"`,
    [cards],
  );
  return await inTx(deps.db, async (tx) => {
    const from = await schemeAccount(tx, "payments:sandbox");
    const payers: Payer[] = [];
    for (const row of rows) {
      const { id } = await openWallet(tx, { personId: row.personId });
      const lot = await tx
        .selectFrom("walletLot")
        .select("accountId")
        .where("walletId", "=", id)
        .executeTakeFirstOrThrow();
      payers.push({ ...row, ...lot });
    }
    await post(
      tx,
      payers.map(({ accountId }) => ({
        key: `opening:${accountId}`,
        debitAccount: from,
        creditAccount: accountId,
        amountCents: openingCents,
        kind: "top_up",
      })),
    );
    return payers;
  });
}

/** Charges every card once; gives the times in ascending order and the sales per second. */
async function verdicts(deps: Deps, payers: readonly Payer[], parallel: number) {
  const { rows } = await deps.pool.query<{ partner: string; cashier: number }>(
    `select p.id as partner, c.person_id as cashier from partner p, card c
     where p.reference = 'librairie-des-embruns' and c.number = $1`,
    [cast.partnerShop.cardnumber],
  );
  const { partner = "", cashier = 0 } = rows[0] ?? {};
  const company = await companyOf(deps.db, cashier);
  if (!company) throw new Error("the cast has no shop");
  const sign = await codeSigner(deps.db, "card");
  const caller = { personId: cashier, name: cast.partnerShop.name, company } as never;
  const started = performance.now();
  const took = await allAtOnce(payers, parallel, async ({ objectId }) => {
    const from = deps.now();
    const until = new Date(from.getTime() + 60_000);
    const token = sign({ id: objectId, revision: 1, from, until });
    await charge({
      deps,
      caller,
      company: { ...company, right: "charge" },
      origin: { address: null } as never,
      input: { id: randomUUID(), partner, amountCents: 1250, token },
    });
  });
  return { took, perSecond: payers.length / ((performance.now() - started) / 1000) };
}

async function bare(deps: Deps, payers: readonly Payer[], parallel: number): Promise<number> {
  const to = await schemeAccount(deps.db, "tills");
  const started = performance.now();
  await allAtOnce(payers, parallel, async ({ accountId }) => {
    await deps.pool.query({
      name: "bare",
      text: `select refused from ledger_post(true, array[1], array[$1], array[$2::bigint],
        array[$3::bigint], array[1250::bigint], array['purchase'], array[null::jsonb],
        array[null::bigint], array[null::timestamptz])`,
      values: [`bare:${randomUUID()}`, accountId, to],
    });
  });
  return payers.length / ((performance.now() - started) / 1000);
}

useRootKeys([newRootKey()]);
const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-till-"));
const embedded = await startEmbedded({ dataDir });
try {
  await migrate(embedded.url);
  await castInto(embedded.url);
  const { deps, close } = openDeps(embedded.url);
  deps.config.codeFromCents = 100_000_000;
  await furnishDirectory(deps);
  const payers = await crowd(deps);
  await deps.pool.query("vacuum analyze");
  const [warm, sequential, concurrent] = [0.1, 0.5, 1].map((share, at, shares) =>
    payers.slice(Math.floor(cards * (shares[at - 1] ?? 0)), Math.floor(cards * share)),
  ) as [Payer[], Payer[], Payer[]];
  await verdicts(deps, warm, 1);
  for (const [some, parallel] of [
    [sequential, 1],
    [concurrent, atOnce],
  ] as const) {
    const { took, perSecond } = await verdicts(deps, some, parallel);
    const posts = await bare(deps, some, parallel);
    const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1);
    console.log(
      `${some.length} verdicts, ${parallel} at once: median ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
        `${perSecond.toFixed(0)} a second; bare posting ${posts.toFixed(0)} a second; ` +
        `ratio ${(perSecond / posts).toFixed(2)}`,
    );
  }
  console.log(`${availableParallelism()} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}`);
  await close();
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
