// Exports of one's data: requested with a code, made by a job, available for a week to the requester.
import { Readable } from "node:stream";
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { ofName } from "#contract/french.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { privacy as limits } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import type { DataExport, privacy } from "#contract/privacy/rows.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { holderFor, lockTieForShare, mayActFor } from "#server/family/family.ts";
import type { Document } from "#server/http/document.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import { announce } from "#server/notifications/notifications.ts";
import { streamArchive } from "./archive.ts";

export const exportTask = "make_data_export";

interface Row {
  id: string;
  requestedAt: Date;
  readyAt: Date | null;
  expiresAt: Date | null;
  bytes: number | null;
}

const toExportView = (row: Row): DataExport => ({
  id: row.id,
  requestedAt: row.requestedAt.toISOString(),
  readyAt: row.readyAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  bytes: row.bytes,
});

/** Exports about a person that the caller requested and that are still available, the newest first. */
export async function exportsOf(
  db: Db,
  personId: number,
  requestedBy: number,
): Promise<DataExport[]> {
  const { rows } =
    await sql<Row>`select id, requested_at, ready_at, expires_at, bytes from data_export
    where person_id = ${personId} and requested_by = ${requestedBy}
    order by requested_at desc limit 10`.execute(db);
  return rows.map(toExportView);
}

/** Requests an export, approved by a code. Refuses `export_waiting`, `export_full`. */
export async function askExport(
  call: Call<typeof privacy.askExport>,
): Promise<Output<typeof privacy.askExport>> {
  const { deps, caller, input, origin } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  await requireExportAllowed(deps.db, caller.personId, holder.id, deps.now());
  const used = await requireCode(deps, caller, {
    purpose: "export",
    binding: [holder.id],
    what: `exporter les données ${ofName(holder.name)}`,
    challenge: input.challenge,
    code: input.code,
  });
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: holder.id });
    await used(tx);
    const at = deps.now();
    const row = await query(tx)
      .one(sql<Row>`insert into data_export (person_id, requested_by, requested_at)
      values (${holder.id}, ${caller.personId}, ${at})
      returning id, requested_at, ready_at, expires_at, bytes`);
    await deps.enqueue(tx, exportTask, { id: row.id }, { key: `export:${row.id}` });
    const line = { personId: holder.id, action: "privacy.export", actor: "person", at };
    await audit(tx, { ...line, address: origin.address });
    return toExportView(row);
  });
}

async function requireExportAllowed(
  db: Db,
  requestedBy: number,
  personId: number,
  now: Date,
): Promise<void> {
  const { waiting, today } = await query(db).one(sql<{ today: number; waiting: boolean }>`
    select count(*) filter (where requested_by = ${requestedBy}
        and requested_at > ${now}::timestamptz - interval '1 day')::int as today,
      coalesce(bool_or(person_id = ${personId} and ready_at is null), false) as waiting
    from data_export where requested_by = ${requestedBy} or person_id = ${personId}`);
  if (waiting) throw new Problem("export_waiting");
  if (today >= limits.exportsPerDay) {
    throw new Problem("export_full", { max: limits.exportsPerDay });
  }
}

/**
 * The job: makes the zip, stores it for a week in place of the previous one, notifies the requester. Run
 * twice, it makes one.
 */
export async function makeExport(deps: Deps, id: string): Promise<void> {
  const mayRead = mayActFor(sql.ref("requested_by"), sql.ref("person_id"));
  const dataExport = await query(deps.db).maybeOne(sql<{
    personId: number;
    requestedBy: number;
    mayRead: boolean;
  }>`
    select person_id, requested_by, ${mayRead} as may_read from data_export
    where id = ${id} and ready_at is null`);
  if (!dataExport) return;
  const bytes = await keepPieces(deps, id, await streamArchive(deps, dataExport.personId));
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const expires = new Date(at.getTime() + limits.exportDays * dayMs);
    const { numAffectedRows } = await sql`update data_export set bytes = ${bytes},
      ready_at = ${at}, expires_at = ${expires}
      where id = ${id} and ready_at is null`.execute(tx);
    if (numAffectedRows === 0n) return;
    await endPredecessors(tx, { id, at, ...dataExport });
    if (!dataExport.mayRead) return;
    await announce(tx, deps, {
      to: [dataExport.requestedBy],
      about: "privacy",
      title: "Vos données sont prêtes",
      body: `Vous pouvez les télécharger pendant ${limits.exportDays} jours.`,
      path: paths.ownData,
      at,
      changed: ["privacy"],
    });
  });
}

/** Stores the pieces as they come, replacing those of a failed run; answers their length. */
async function keepPieces({ db }: Deps, id: string, zip: Readable): Promise<number> {
  await sql`delete from data_export_part where export_id = ${id}`.execute(db);
  let [number, bytes] = [0, 0];
  for await (const piece of inPieces(zip, limits.exportPieceBytes)) {
    await sql`insert into data_export_part (export_id, number, bytes)
      values (${id}, ${number}, ${piece})`.execute(db);
    number++;
    bytes += piece.length;
  }
  return bytes;
}

async function* inPieces(stream: Readable, least: number): AsyncGenerator<Buffer> {
  let [parts, length]: [Buffer[], number] = [[], 0];
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length < least) continue;
    yield Buffer.concat(parts);
    [parts, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(parts);
}

/**
 * One zip is stored of a person for each requester: the previous one is deleted. Its row counts for the daily
 * limit.
 */
async function endPredecessors(
  tx: Tx,
  {
    id,
    at,
    personId,
    requestedBy,
  }: { id: string; at: Date; personId: number; requestedBy: number },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`update data_export set expires_at = ${at}
    where person_id = ${personId} and requested_by = ${requestedBy} and id <> ${id}
      and ready_at is not null returning id`.execute(tx);
  await sql`delete from data_export_part
    where export_id = any(${rows.map((row) => row.id)}::uuid[])`.execute(tx);
}

/**
 * The zip of an export that the caller requested, about a person whom they may still act for;
 * `export_waiting` while it is being made.
 */
export async function download({
  deps,
  caller,
  input,
}: Call<typeof privacy.download>): Promise<Document> {
  const found = await query(deps.db).maybeOne(sql<{ bytes: number | null }>`
    select bytes from data_export
    where id = ${input.id} and requested_by = ${caller.personId}
      and ${mayActFor(caller.personId, sql.ref("person_id"))}
      and (expires_at is null or expires_at > ${deps.now()})`);
  if (!found) throw new Problem("not_found");
  const { bytes } = found;
  if (bytes === null) throw new Problem("export_waiting");
  const body = Readable.from(piecesOf(deps.db, input.id), { objectMode: false });
  return { type: "application/zip", body, bytes, filename: "mes-donnees.zip" };
}

/** The pieces of a zip, each read after the previous one was sent. */
async function* piecesOf(db: Db, id: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const found = await query(db).maybeOne(sql<{ bytes: Buffer }>`select bytes from data_export_part
      where export_id = ${id} and number = ${number}`);
    if (!found) return;
    yield found.bytes;
  }
}
