// Drafts of messages: they survive an expired session, a reload, a change of device.
import { sql } from "kysely";
import type { contact, ContactDraft, ContactTopic } from "#contract/contact/rows.ts";
import { dayMs } from "#contract/days.ts";
import type { Parsed } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { contact as limits } from "#contract/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { looseDocuments } from "#server/documents/documents.ts";

/** The draft of a new thread, or of the next message of one; empty when there is none. */
export async function draftOf(
  db: Db,
  personId: number,
  thread: string | undefined,
): Promise<ContactDraft> {
  const number = await numberOf(db, personId, thread ?? null);
  const found = await query(db).maybeOne(sql<{
    topic: ContactTopic | null;
    subject: string;
    text: string;
    ids: string[];
  }>`select topic, subject, text, document_ids as ids from contact_draft
    where person_id = ${personId} and thread_number = ${number}`);
  const { ids = [], ...draft } = found ?? { topic: null, subject: "", text: "" };
  return { ...draft, documents: await looseDocuments(db, personId, ids) };
}

/** Stores a draft in place of the one before; an empty one is deleted. */
export async function keepDraft(
  db: Db,
  personId: number,
  draft: Parsed<typeof contact.keepDraft>,
  at: Date,
): Promise<{ saved: boolean }> {
  const number = await numberOf(db, personId, draft.thread);
  const { topic, subject, text, documents = [] } = draft;
  if (`${subject}${text}`.trim() === "" && documents.length === 0) {
    await forgetDraft(db, personId, number);
    return { saved: false };
  }
  await sql`
    insert into contact_draft
      (person_id, thread_number, topic, subject, text, document_ids, updated_at)
    values (${personId}, ${number}, ${topic}, ${subject}, ${text}, ${documents}::uuid[], ${at})
    on conflict (person_id, thread_number) do update set topic = excluded.topic,
      subject = excluded.subject, text = excluded.text, document_ids = excluded.document_ids,
      updated_at = excluded.updated_at`.execute(db);
  return { saved: true };
}

async function numberOf(db: Db, personId: number, thread: string | null): Promise<number> {
  if (thread === null) return 0;
  const found = await query(db).maybeOne(sql<{ number: number }>`select number from contact_thread
    where id = ${thread} and person_id = ${personId}`);
  if (!found) throw new Problem("not_found");
  return found.number;
}

/** Deletes the draft that has become a message. */
export async function forgetDraft(db: Db | Tx, personId: number, number: number): Promise<void> {
  await sql`delete from contact_draft
    where person_id = ${personId} and thread_number = ${number}`.execute(db);
}

export async function sweepDrafts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - limits.draftDays * dayMs);
  await sql`delete from contact_draft where updated_at < ${before}`.execute(db);
}
