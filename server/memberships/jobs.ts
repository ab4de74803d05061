// The nightly job of memberships: deletes abandoned drafts, documents no longer needed, and old refusals.
import { sql } from "kysely";
import { dayMs } from "#contract/days.ts";
import { memberships as limits } from "#contract/memberships/limits.ts";
import { membershipDocumentKinds } from "#contract/memberships/states.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { eachRow } from "#server/db/each-row.ts";
import { deleteDocuments } from "#server/documents/documents.ts";
import type { Deps } from "#server/process/deps.ts";
import { documentOf, exchangeDocument } from "./requests.ts";

/** Deletes the documents of a request and of its exchanges. */
export async function deleteAllDocuments(tx: Tx, membershipId: string): Promise<void> {
  for (const kind of membershipDocumentKinds) {
    await deleteDocuments(tx, documentOf(membershipId, kind));
  }
  const { rows } = await sql<{ id: string }>`
    select id from membership_exchange where membership_id = ${membershipId}`.execute(tx);
  for (const { id } of rows) await deleteDocuments(tx, exchangeDocument(id));
}

/** Deletes stale drafts, and the documents of requests decided long enough ago, with old refusals. */
export async function sweepMemberships({ db, now }: Deps): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * dayMs);
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<{ id: string }>`
      select id from membership where ((state = 'draft' and changed_at < ${before(limits.draftDays)})
        or decided_at < ${before(limits.documentDays)})
        and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`.execute(db);
    return rows;
  };
  await eachRow(due, ({ id }) =>
    inTx(db, async (tx) => {
      const row = await query(tx).maybeOne(sql<{ state: string; old: boolean }>`
        select state, coalesce(decided_at < ${before(limits.refusedDays)}, false) as old
        from membership where id = ${id}
          and (state <> 'draft' or changed_at < ${before(limits.draftDays)}) for update`);
      if (!row) return;
      await deleteAllDocuments(tx, id);
      const isOver = row.state === "draft" || (row.state === "rejected" && row.old);
      if (isOver) await sql`delete from membership where id = ${id}`.execute(tx);
    }),
  );
}
