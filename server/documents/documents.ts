// Documents owns uploaded files: who sent them, what they are attached to, who else may read them. It refuses
// files that are not a photo or a PDF by their content, and a document that is already attached. It owns the
// pictures of persons too (avatars.ts).
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Document } from "#contract/documents/rows.ts";
import { Problem } from "#contract/errors.ts";
import { documents as limits } from "#contract/limits.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Document as Answer } from "#server/http/document.ts";
import { requirePersonRateLimit } from "#server/identity/identity.ts";
import { cleanName, toStoredFile, type MediaType } from "./file.ts";

export { avatarOf, readAvatarAmong } from "./avatars.ts";

/** What documents are attached to: `{kind: "contact", id: "<message>"}`. */
export interface AttachmentTarget {
  kind: string;
  id: string;
}

/** Whether a person may read the attachments of a target of one kind. */
type MayRead = (db: Db, personId: number, thingId: string) => Promise<boolean>;

/** Who besides its sender may read a document, by kind of target; filled in rooms.ts. */
export const onDocumentRead: Record<string, MayRead> = {};

const shownColumns = sql`d.id, d.name, d.bytes,
  case when d.type = 'application/pdf' then 'pdf' else 'image' end as kind`;

/**
 * Stores a file, loose until it is attached. The same file sent again while it is loose is the same document.
 * Refuses `document_full` beyond 10 loose ones, `document_quota` and `too_many_requests` before the file is
 * inspected, then `document_type`, `document_unreadable`.
 */
export async function uploadDocument({
  deps,
  caller,
  input,
  file,
}: {
  deps: Deps;
  caller: Caller;
  input: { name?: string | undefined };
  file: Buffer;
}): Promise<Document> {
  const me = caller.personId;
  const sha256 = createHash("sha256").update(file).digest();
  // A file that would be refused, or is stored already, is not inspected.
  const there = await sameLoose(deps.db, me, sha256);
  if (there) return there;
  await requirePersonRateLimit(deps, {
    act: "documents",
    personId: me,
    max: limits.filesPerMinute,
  });
  const { type, content } = await toStoredFile(file, me);
  const name = cleanName(input.name, type);
  return inTx(deps.db, async (tx) => {
    await sql`select from person where id = ${me} for no key update`.execute(tx);
    const same = await sameLoose(tx, me, sha256);
    if (same) return same;
    return await query(tx).one(sql<Document>`
      insert into document as d (person_id, name, type, bytes, content, sha256, at)
      values (${me}, ${name}, ${type}, ${content.length}, ${content}, ${sha256}, ${deps.now()})
      returning ${shownColumns}`);
  });
}

/**
 * The same file, if it is loose already. Refuses `document_full` for one loose file too many,
 * `document_quota` when all that the person sent takes too much space.
 */
async function sameLoose(db: Db, personId: number, sha256: Buffer): Promise<Document | null> {
  const { rows } = await sql<Document & { sha256: Buffer }>`
    select ${shownColumns}, d.sha256 from document d
    where d.person_id = ${personId} and d.attached_kind is null`.execute(db);
  const same = rows.find((one) => one.sha256.equals(sha256));
  if (same) return { id: same.id, name: same.name, kind: same.kind, bytes: same.bytes };
  if (rows.length >= limits.loose) throw new Problem("document_full", { max: limits.loose });
  const { bytes } = await query(db).one(sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes
    from document where person_id = ${personId}`);
  if (bytes >= limits.quotaBytes) throw new Problem("document_quota");
  return null;
}

/**
 * Attaches a person's loose documents to a target, in the given order. Refuses `not_found` for one that does
 * not exist or is not theirs, `document_attached` for one that is already attached.
 */
export async function attachDocuments(
  tx: Tx,
  {
    personId,
    ids,
    to,
    at,
  }: { personId: number; ids: readonly string[]; to: AttachmentTarget; at: Date },
): Promise<void> {
  const documentIds = [...new Set(ids)];
  if (documentIds.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    update document d set attached_kind = ${to.kind}, attached_id = ${to.id}, attached_at = ${at},
      place = array_position(${documentIds}::uuid[], d.id)
    where d.id = any(${documentIds}::uuid[]) and d.person_id = ${personId} and d.attached_kind is null
    returning d.id`.execute(tx);
  if (rows.length === documentIds.length) return;
  const { count } = await query(tx).one(sql<{ count: number }>`select count(*) from document
    where id = any(${documentIds}::uuid[]) and person_id = ${personId}`);
  throw new Problem(count === documentIds.length ? "document_attached" : "not_found");
}

/** A document with the id of its target and when it was sent. */
export interface Attached extends Document {
  of: string;
  at: Date;
}

/** The documents of a target, or of many of one kind, in order for each target. */
export async function documentsOf(
  db: Db,
  to: AttachmentTarget | readonly AttachmentTarget[],
): Promise<Attached[]> {
  const things = "kind" in to ? [to] : to;
  const [kinds, ids] = [things.map(({ kind }) => kind), things.map(({ id }) => id)];
  const { rows } = await sql<Attached>`
    select ${shownColumns}, d.at, d.attached_id as "of" from document d
    where (d.attached_kind, d.attached_id) in (select * from unnest(${kinds}::text[], ${ids}::text[]))
    order by d.attached_kind, d.attached_id, d.place`.execute(db);
  return rows;
}

/** Files that a person sent, for the export of their data: the oldest first. */
export async function filesOf(db: Db, personId: number): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from document where person_id = ${personId} order by at, id`.execute(db);
  return rows;
}

/** The bytes of a document; none if it was deleted meanwhile. */
export async function fileOf(db: Db, id: string): Promise<Buffer> {
  const found = await query(db).maybeOne(sql<{ content: Buffer }>`
    select content from document where id = ${id}`);
  return found?.content ?? Buffer.alloc(0);
}

/** Those of these documents that a person sent and has not attached yet, in the given order. */
export async function looseDocuments(
  db: Db,
  personId: number,
  ids: readonly string[],
): Promise<Document[]> {
  const { rows } = await sql<Document>`select ${shownColumns} from document d
    where d.id = any(${ids}::uuid[]) and d.person_id = ${personId} and d.attached_kind is null
    order by array_position(${ids}::uuid[], d.id)`.execute(db);
  return rows;
}

/** Deletes the documents of a target. */
export async function deleteDocuments(tx: Tx, to: AttachmentTarget): Promise<void> {
  await sql`delete from document where attached_kind = ${to.kind} and attached_id = ${to.id}`.execute(
    tx,
  );
}

interface File {
  name: string;
  type: MediaType;
  content: Buffer;
}

/**
 * The file of a document, for its sender and whoever may read its target; else `not_found`. It is sent as a
 * download, never shown as a page of the portal.
 */
export async function readDocument(db: Db, personId: number, id: string): Promise<Answer> {
  const file = await query(db).maybeOne(sql<
    File & { own: boolean; kind: string | null; of: string | null }
  >`
    select name, type, content, person_id = ${personId} as own, attached_kind as kind,
      attached_id as "of" from document where id = ${id}`);
  if (!file) throw new Problem("not_found");
  const mayRead = file.kind === null ? undefined : onDocumentRead[file.kind];
  if (!file.own && !(await mayRead?.(db, personId, file.of ?? ""))) throw new Problem("not_found");
  const plain = file.name.normalize("NFD").replace(/[^\x20-\x7e]/g, "");
  return {
    type: file.type,
    body: file.content,
    headers: {
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded(file.name)}`,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  };
}

// RFC 8187 encodes more characters than encodeURIComponent does.
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);

/** Deletes one's own loose document; once attached it stays: `document_attached`. Else `not_found`. */
export async function discardDocument(
  db: Db,
  personId: number,
  id: string,
): Promise<{ message: string }> {
  const { rows } = await sql`delete from document where id = ${id} and person_id = ${personId}
    and attached_kind is null returning id`.execute(db);
  if (rows.length > 0) return { message: "Le fichier est retiré." };
  const existing = await sql`select from document where id = ${id}
    and person_id = ${personId}`.execute(db);
  throw new Problem(existing.rows.length > 0 ? "document_attached" : "not_found");
}

/** The job of this room: deletes loose documents after 24 hours. */
export function documentTasks({ db, now }: Deps) {
  return {
    sweep_documents: async () => {
      const before = new Date(now().getTime() - limits.looseHours * 3_600_000);
      await sql`delete from document where attached_kind is null and at < ${before}`.execute(db);
    },
  };
}
export const documentRoutines = [{ task: "sweep_documents", cron: "25 * * * *" }] as const;
