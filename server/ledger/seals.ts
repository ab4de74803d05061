// Seals of the audit trail and of the journal: every few seconds the rows written since are digested and
// chained by an HMAC whose key is wrapped outside the database. Detects rows altered, deleted, reordered or
// added around the code, and a tail rewritten by somebody who controls only the database.
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql, type RawBuilder } from "kysely";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { historyKey } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import { makeFolder } from "#server/process/make-folder.ts";
import type { CommandResult } from "#server/process/room.ts";

export type Chain = "audit" | "journal";

// Digests are of the text of these columns, computed by functions of PostgreSQL's own catalogue.
const rowsOf: Readonly<Record<Chain, RawBuilder<unknown>>> = {
  audit: sql`(select id, at, pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(id,
      person_id, extract(epoch from at), actor, action, address, details)::text, 'UTF8')) as digest
    from audit)`,
  journal: sql`(select id, at, pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(
      id, debit_account, credit_account, amount, debit_balance, credit_balance, debit_version, credit_version,
      extract(epoch from at), reverses, part, kind, key, memo)::text, 'UTF8')) as digest
    from transfer)`,
};
const chains = Object.keys(rowsOf) as Chain[];

const rowsInSeal = 1000;
/**
 * Unsealed rows are searched among all rows younger than `settledAfter`; so many of them are taken from one
 * reading.
 */
const rowsAtOnce = 20_000;
/**
 * Rows older than a seal of that age are committed, or never will be: hardly any transaction of the portal
 * lasts as long as the first value, none as long as the second. All younger rows are read to find unsealed
 * ones.
 */
const settledAfter = { nearlyAll: "30 seconds", all: "5 minutes" } as const;
type Settled = keyof typeof settledAfter;
const alarmAfter = "1 minute";
const anchorFile = "history.anchor";

interface Seal {
  seq: number;
  ids: number[];
  digests: Buffer[];
  mac: Buffer;
}

/** The last seal that this process made, by chain: kept outside the database. */
type Anchors = Partial<Record<Chain, { seq: number; mac: string }>>;

/**
 * Seals the rows written since the last call; gives how many. `nearlyAll` reads a tenth of what `all` does, and
 * leaves to it the rows of a transaction that lasted longer than half a minute. Of several processes only one
 * seals at a time. Throws when the chain no longer has the last seal of this installation: nothing is sealed
 * then, and the rows left unsealed raise the alarm.
 */
export async function sealHistory(
  deps: Pick<Deps, "db" | "config">,
  settled: Settled = "all",
): Promise<number> {
  const key = await historyKey(deps.db);
  const anchors = await readAnchors(deps.config.dataDir);
  let sealed = 0;
  const before = JSON.stringify(anchors);
  for (const chain of chains) {
    for (;;) {
      const made = await inTx(deps.db, (tx) => sealSome(tx, key, { chain, anchors, settled }));
      const last = made.at(-1);
      if (!last) break;
      anchors[chain] = { seq: last.seq, mac: last.mac.toString("hex") };
      const rows = made.reduce((sum, { ids }) => sum + ids.length, 0);
      sealed += rows;
      if (rows < rowsAtOnce) break;
    }
  }
  if (JSON.stringify(anchors) !== before) await writeAnchors(deps.config.dataDir, anchors);
  return sealed;
}

async function sealSome(
  tx: Tx,
  key: Buffer,
  { chain, anchors, settled }: { chain: Chain; anchors: Anchors; settled: Settled },
): Promise<Seal[]> {
  const { ours } = await query(tx).one(sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('seal history')) as ours`);
  if (!ours) return [];
  if (!(await isAnchored(tx, chain, anchors)))
    throw new Error(`the ${chain} no longer holds the seal that was made last`);
  const rows = await unsealed(tx, chain, settled);
  if (rows.length === 0) return [];
  const last = await query(tx).maybeOne(sql<{ seq: number; mac: Buffer; through: number }>`
    select seq, mac, through from seal where chain = ${chain} order by seq desc limit 1`);
  let { seq, mac, through } = last ?? { seq: 0, mac: Buffer.alloc(0), through: 0 };
  const made: Seal[] = [];
  for (let from = 0; from < rows.length; from += rowsInSeal) {
    const some = rows.slice(from, from + rowsInSeal);
    const ids = some.map(({ id }) => id);
    const digests = some.map(({ digest }) => digest);
    seq += 1;
    mac = macOf(key, chain, mac, { seq, ids, digests });
    through = Math.max(through, ...ids);
    await sql`insert into seal (chain, seq, ids, digests, through, mac, sealed_at)
      values (${chain}, ${seq}, ${ids}::bigint[], ${digests}::bytea[], ${through}, ${mac}, now())`.execute(
      tx,
    );
    made.push({ seq, ids, digests, mac });
  }
  return made;
}

/** Rows without a seal, oldest first, found by the database without reading the whole history. */
async function unsealed(
  db: Db,
  chain: Chain,
  settled: Settled,
): Promise<{ id: number; digest: Buffer }[]> {
  const { rows } = await sql<{ id: number; digest: Buffer }>`
    with settled as (
      select coalesce(max(seq), 0) as seq, coalesce(max(through), 0) as through from (
        select seq, through from seal
         where chain = ${chain} and sealed_at < now() - ${settledAfter[settled]}::interval
         order by seq desc limit 1) s),
    recent as (
      select unnest(ids) as id from seal
       where chain = ${chain} and seq > (select seq from settled))
    select r.id, r.digest from ${rowsOf[chain]} r
     where r.id > (select through from settled)
       and not exists (select from recent where recent.id = r.id)
     order by r.id limit ${rowsAtOnce}`.execute(db);
  return rows;
}

function macOf(
  key: Buffer,
  chain: Chain,
  previous: Buffer,
  { seq, ids, digests }: Omit<Seal, "mac">,
) {
  const head = JSON.stringify([chain, seq, previous.toString("hex"), ids]);
  return createHmac("sha256", key).update(head).update(Buffer.concat(digests)).digest();
}

export interface Fault {
  chain: Chain;
  /** The row, or null where the chain itself is broken. */
  id: number | null;
  /**
   * `altered`, `deleted`: a sealed row; `unsealed`: a row that has had no seal for more than a minute;
   * `chain`: a seal that was not made with this key, or whose predecessor is missing; `cut`: the last seal
   * that this installation made is missing.
   */
  why: "altered" | "deleted" | "unsealed" | "chain" | "cut";
}

const maxFaults = 100;

/** Checks all the history against its seals: no fault in a sound database, else at most 100 of each kind. */
export const historyFaults = (deps: Pick<Deps, "db" | "config">): Promise<Fault[]> =>
  deps.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((tx) => faultsWithin(tx, deps));

/** The same check on the rows that one transaction sees. */
export async function faultsWithin(
  tx: Tx,
  { db, config }: Pick<Deps, "db" | "config">,
): Promise<Fault[]> {
  const key = await historyKey(db);
  const anchors = await readAnchors(config.dataDir);
  await sql`set local statement_timeout = 0`.execute(tx);
  const found: Fault[] = [];
  for (const chain of chains) {
    found.push(...(await brokenSeals(tx, key, chain)), ...(await brokenRows(tx, chain)));
    if (!(await isAnchored(tx, chain, anchors))) found.push({ chain, id: null, why: "cut" });
  }
  return found;
}

const whyFault = {
  altered: "a été modifiée après avoir été scellée",
  deleted: "a été effacée",
  unsealed: "attend son sceau depuis plus d'une minute",
  chain: "la chaîne des sceaux est rompue",
  cut: "le dernier sceau fait ici a disparu",
} as const satisfies Record<Fault["why"], string>;
const chainName = { audit: "journal d'audit", journal: "écritures" } as const;

/** The same check for the operator and the nightly job, beside the proof of the balances. */
export async function proveSeals(deps: Pick<Deps, "db" | "config">): Promise<CommandResult> {
  const faults = await historyFaults(deps);
  const lines = faults.map(
    ({ chain, id, why }) =>
      `✗ ${chainName[chain]}${id === null ? "" : `, ligne ${id}`} : ${whyFault[why]}`,
  );
  if (faults.length > 0) return { ok: false, lines };
  return { ok: true, lines: ["✓ les sceaux du journal d'audit et des écritures tiennent"] };
}

async function brokenSeals(tx: Tx, key: Buffer, chain: Chain): Promise<Fault[]> {
  let previous: Buffer = Buffer.alloc(0);
  for (let seq = 0; ;) {
    // An array of bigint is read as text.
    const { rows } = await sql<
      Omit<Seal, "ids"> & { ids: string[] }
    >`select seq, ids, digests, mac from seal
      where chain = ${chain} and seq > ${seq} order by seq limit 500`.execute(tx);
    if (rows.length === 0) return [];
    for (const seal of rows) {
      const expectedMac = macOf(key, chain, previous, { ...seal, ids: seal.ids.map(Number) });
      const holds = seal.seq === seq + 1 && seal.mac.length === expectedMac.length;
      if (!holds || !timingSafeEqual(seal.mac, expectedMac))
        return [{ chain, id: null, why: "chain" }];
      ({ seq, mac: previous } = seal);
    }
  }
}

async function brokenRows(tx: Tx, chain: Chain): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    with sealed as (
      select u.id, u.digest from seal s, unnest(s.ids, s.digests) as u (id, digest)
       where s.chain = ${chain})
    (select ${chain}::text as chain, s.id, case when r.id is null then 'deleted' else 'altered' end as why
       from sealed s left join ${rowsOf[chain]} r on r.id = s.id
      where r.id is null or r.digest <> s.digest order by s.id limit ${maxFaults})
    union all
    (select ${chain}::text, r.id, 'unsealed' from ${rowsOf[chain]} r
      where r.at < now() - ${alarmAfter}::interval
        and not exists (select from sealed s where s.id = r.id) order by r.id limit ${maxFaults})
    `.execute(tx);
  return rows;
}

const maxOverdue = 1000;

/**
 * The number of rows behind the last seal without one for more than a minute, at most a thousand for each
 * chain: any is an alarm, because sealing has stopped. A row inserted before the last seal is found by
 * `proveSeals`.
 */
export async function overdueSeals({ db }: Pick<Deps, "db">): Promise<number> {
  const late = chains.map(
    (chain) => sql`(select count(*) from (
      select from ${rowsOf[chain]} r
       where r.id > coalesce((
           select through from seal where chain = ${chain} order by seq desc limit 1), 0)
         and r.at < now() - ${alarmAfter}::interval
       limit ${maxOverdue}) overdue)`,
  );
  const row = await query(db).one(
    sql<{ late: number }>`select ${sql.join(late, sql` + `)} as late`,
  );
  return row.late;
}

// ---- the anchor: the end of each chain when this installation last sealed

async function isAnchored(tx: Tx, chain: Chain, anchors: Anchors): Promise<boolean> {
  const anchor = anchors[chain];
  if (!anchor) return true;
  const { rows } = await sql`select 1 from seal where chain = ${chain} and seq = ${anchor.seq}
    and mac = ${Buffer.from(anchor.mac, "hex")}`.execute(tx);
  return rows.length === 1;
}

async function readAnchors(dataDir: string): Promise<Anchors> {
  const text = await readFile(join(dataDir, anchorFile), "utf8").catch(() => "{}");
  return JSON.parse(text) as Anchors;
}

async function writeAnchors(dataDir: string, anchors: Anchors): Promise<void> {
  await makeFolder(dataDir, 0o711);
  const aside = join(dataDir, `${anchorFile}.${process.pid}.new`);
  await writeFile(aside, JSON.stringify(anchors), { mode: 0o600, flush: true });
  await rename(aside, join(dataDir, anchorFile));
}
