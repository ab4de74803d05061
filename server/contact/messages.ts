// The messages of a thread and their documents.
import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/db.ts";
import { documentsOf } from "#server/documents/documents.ts";

/** The attachment target of a message's documents. */
export const messageThing = (messageId: number) => ({ kind: "contact", id: String(messageId) });

/** SQL: when the oldest message of an open `contact_thread` that has no answer was written, else null. */
export const waitingSinceSql = (thread: string): RawBuilder<Date | null> => sql<Date | null>`(
  select min(m.at) from contact_message m
  where ${sql.ref(`${thread}.state`)} = 'open' and m.thread_number = ${sql.ref(`${thread}.number`)}
    and m.id > coalesce((select max(a.id) from contact_message a
      where a.thread_number = m.thread_number and a.operator is not null), 0))`;

/** The messages of a thread with who answered, oldest first. */
export async function messagesOf(db: Db, number: number) {
  const { rows } = await sql<{ id: number; operator: string | null; text: string; at: Date }>`
    select id, operator, text, at from contact_message
    where thread_number = ${number} order by id`.execute(db);
  const documents = await documentsOf(
    db,
    rows.map(({ id }) => messageThing(id)),
  );
  return rows.map(({ id, operator, text, at }) => ({
    operator,
    message: {
      id,
      from: operator === null ? ("me" as const) : ("team" as const),
      text,
      at: at.toISOString(),
      documents: documents
        .filter(({ of }) => of === String(id))
        .map((one) => ({ id: one.id, name: one.name, kind: one.kind, bytes: one.bytes })),
    },
  }));
}
