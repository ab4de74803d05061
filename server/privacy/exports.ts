// Exports of one's data: asked with a code, made by a job, fetched for a week by whoever asked.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { privacy as limits } from "#contract/limits.ts";
import type { DataExport, privacy } from "#contract/privacy.ts";
import { type Db, inTx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { holderFor } from "#server/family/family.ts";
import type { Document } from "#server/http/document.ts";
import type { Call } from "#server/http/serve.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import { notify } from "#server/notifications/notifications.ts";
import { archiveOf } from "./archive.ts";

export const exportTask = "make_data_export";

interface Row {
  id: string;
  asked_at: Date;
  ready_at: Date | null;
  expires_at: Date | null;
  bytes: number | null;
}

const shown = (row: Row): DataExport => ({
  id: row.id,
  askedAt: row.asked_at.toISOString(),
  readyAt: row.ready_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  bytes: row.bytes,
});

/** Exports about a person that the caller asked for and that can still be fetched, the newest first. */
export async function exportsOf(db: Db, personId: number, askedBy: number): Promise<DataExport[]> {
  const { rows } = await sql<Row>`select id, asked_at, ready_at, expires_at, bytes from data_export
    where person_id = ${personId} and asked_by = ${askedBy}
    order by asked_at desc limit 10`.execute(db);
  return rows.map(shown);
}

/** Asks for an export, approved by a code. Refuses `export_waiting`, `export_full`. */
export async function askExport(
  call: Call<typeof privacy.askExport>,
): Promise<Output<typeof privacy.askExport>> {
  const { deps, caller, input, origin } = call;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  await refuseTooMany(deps.db, caller.personId, holder.id, deps.now());
  const used = await requireCode(deps, caller, {
    purpose: "export",
    binding: [holder.id],
    what: `exporter les données de ${holder.name}`,
    challenge: input.challenge,
    code: input.code,
  });
  return await inTx(deps.db, async (tx) => {
    await used(tx);
    const at = deps.now();
    const { rows } = await sql<Row>`insert into data_export (person_id, asked_by, asked_at)
      values (${holder.id}, ${caller.personId}, ${at})
      returning id, asked_at, ready_at, expires_at, bytes`.execute(tx);
    const row = rows[0] as Row;
    await deps.enqueue(tx, exportTask, { id: row.id }, { key: `export:${row.id}` });
    const line = { personId: holder.id, action: "privacy.export", actor: "person", at };
    await audit(tx, { ...line, address: origin.address });
    return shown(row);
  });
}

async function refuseTooMany(db: Db, askedBy: number, personId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ today: number; waiting: boolean }>`
    select count(*) filter (where asked_by = ${askedBy}
        and asked_at > ${now}::timestamptz - interval '1 day')::int as today,
      coalesce(bool_or(person_id = ${personId} and ready_at is null), false) as waiting
    from data_export where asked_by = ${askedBy} or person_id = ${personId}`.execute(db);
  if (rows[0]?.waiting) throw new Problem("export_waiting");
  if ((rows[0]?.today ?? 0) >= limits.exportsPerDay) {
    throw new Problem("export_full", { most: limits.exportsPerDay });
  }
}

/** The job: makes the zip, keeps it for a week, tells whoever asked. Run twice, it makes one. */
export async function makeExport(deps: Deps, id: string): Promise<void> {
  const { rows } = await sql<{ person_id: number; asked_by: number }>`
    select person_id, asked_by from data_export where id = ${id} and ready_at is null`.execute(
    deps.db,
  );
  const asked = rows[0];
  if (!asked) return;
  const zip = await archiveOf(deps, asked.person_id);
  await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const expires = new Date(at.getTime() + limits.exportDays * 86_400_000);
    const { numAffectedRows } = await sql`update data_export set zip = ${zip},
      bytes = ${zip.length}, ready_at = ${at}, expires_at = ${expires}
      where id = ${id} and ready_at is null`.execute(tx);
    if (numAffectedRows === 0n) return;
    await notify(tx, {
      personId: asked.asked_by,
      kind: "privacy",
      title: "Vos données sont prêtes",
      body: `Vous pouvez les télécharger pendant ${limits.exportDays} jours.`,
      path: "/profil/donnees",
      at,
      changed: "person",
    });
  });
}

/** The zip of an export that the caller asked for; `export_waiting` while it is being made. */
export async function download({
  deps,
  caller,
  input,
}: Call<typeof privacy.download>): Promise<Document> {
  const { rows } = await sql<{ zip: Buffer | null }>`select zip from data_export
    where id = ${input.id} and asked_by = ${caller.personId}
      and (expires_at is null or expires_at > ${deps.now()})`.execute(deps.db);
  if (!rows[0]) throw new Problem("not_found");
  if (!rows[0].zip) throw new Problem("export_waiting");
  return { type: "application/zip", body: rows[0].zip, filename: "mes-donnees.zip" };
}
