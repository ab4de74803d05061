// The papers of a file: each is an uploaded document, claimed for the paper it stands for.
import { sql } from "kysely";
import type { Document } from "#contract/documents.ts";
import type { PaperKind } from "#contract/subscription-states.ts";
import type { SubscriptionFile } from "#contract/subscriptions.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { attachDocuments, deleteDocuments, documentsOf } from "#server/documents/documents.ts";
import { mayActFor } from "#server/family/family.ts";
import { type Act, change } from "./files.ts";

/** What documents call the thing that they are claimed for; rooms.ts says who may read it. */
const paperKind = "subscription_paper";

interface Paper {
  kind: PaperKind;
  document: Document | null;
}

/** The papers given for a subscription, in the order they were. */
export async function papersOf(db: Db, subscriptionId: string): Promise<Paper[]> {
  const { rows } = await sql<{ id: string; kind: PaperKind }>`
    select id, kind from subscription_paper
    where subscription_id = ${subscriptionId} order by given_at, kind`.execute(db);
  const files = await documentsOf(
    db,
    rows.map(({ id }) => ({ kind: paperKind, id })),
  );
  return rows.map(({ id, kind }) => {
    const file = files.find(({ of }) => of === id);
    const document = file && { id: file.id, name: file.name, kind: file.kind, bytes: file.bytes };
    return { kind, document: document ?? null };
  });
}

/**
 * Gives a loose document of the caller as one of the papers of an open file; the one before it is
 * deleted. Refuses `not_found`, `document_attached`, `subscription_closed`.
 */
export const givePaper = (
  call: Act<{ id: string; kind: PaperKind; document: string }>,
): Promise<SubscriptionFile> =>
  change(call, async (tx, row, at) => {
    const { kind, document } = call.input;
    const { rows } = await sql<{ id: string }>`
      insert into subscription_paper (subscription_id, kind, document_id, given_at)
      values (${row.id}, ${kind}, ${document}, ${at})
      on conflict (subscription_id, kind) do update
        set document_id = excluded.document_id, given_at = excluded.given_at
      returning id`.execute(tx);
    const to = { kind: paperKind, id: rows[0]?.id as string };
    const before = await documentsOf(tx, to);
    // The same file again, after an answer that was lost, is what it already is.
    if (before.some(({ id }) => id === document)) return;
    await deleteDocuments(tx, to);
    await attachDocuments(tx, { personId: call.caller.personId, ids: [document], to, at });
    await sql`update subscription set changed_at = ${at} where id = ${row.id}`.execute(tx);
  });

/** Takes a paper back, which deletes it; one that is not there changes nothing. */
export const takePaper = (call: Act<{ id: string; kind: PaperKind }>): Promise<SubscriptionFile> =>
  change(call, (tx, row) => drop(tx, row.id, call.input.kind));

/** Deletes the papers of a subscription with their files. */
export const dropPapers = (tx: Tx, subscriptionId: string): Promise<void> =>
  drop(tx, subscriptionId, null);

async function drop(tx: Tx, subscriptionId: string, kind: PaperKind | null): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from subscription_paper where subscription_id = ${subscriptionId}
      and (${kind}::text is null or kind = ${kind}) returning id`.execute(tx);
  for (const { id } of rows) await deleteDocuments(tx, { kind: paperKind, id });
}

/** Whether somebody may see a paper: whoever may act for the card that the file is about. */
export async function mayReadPaper(db: Db, personId: number, paperId: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select ${mayActFor(personId, sql.ref("s.person_id"))} as may
    from subscription_paper r join subscription s on s.id = r.subscription_id
    where r.id = ${paperId}`.execute(db);
  return rows[0]?.may ?? false;
}
