// Proofs of an application: each is an uploaded document, attached under its kind of proof.
import { sql } from "kysely";
import type { Document } from "#contract/documents/rows.ts";
import type { SubscriptionProofKind } from "#contract/subscriptions/states.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { deleteDocuments, documentsOf } from "#server/documents/documents.ts";
import { mayActFor } from "#server/family/family.ts";

/** The kind under which documents are attached to proofs; room.ts says who may read them. */
export const proofDocument = "subscription_proof";

interface Proof {
  kind: SubscriptionProofKind;
  document: Document | null;
}

/** The proofs given for a subscription, in the order in which they were given. */
export async function proofsOf(db: Db, subscriptionId: string): Promise<Proof[]> {
  const { rows } = await sql<{ id: string; kind: SubscriptionProofKind }>`
    select id, kind from subscription_proof
    where subscription_id = ${subscriptionId} order by sent_at, kind`.execute(db);
  const files = await documentsOf(
    db,
    rows.map(({ id }) => ({ kind: proofDocument, id })),
  );
  return rows.map(({ id, kind }) => {
    const file = files.find(({ of }) => of === id);
    const document = file && { id: file.id, name: file.name, kind: file.kind, bytes: file.bytes };
    return { kind, document: document ?? null };
  });
}

/** Deletes the proofs of a subscription with their files. */
export const deleteProofs = (tx: Tx, subscriptionId: string): Promise<void> =>
  deleteProof(tx, subscriptionId, null);

/** Deletes the proofs of one kind, or of all (null). */
export async function deleteProof(
  tx: Tx,
  subscriptionId: string,
  kind: SubscriptionProofKind | null,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from subscription_proof where subscription_id = ${subscriptionId}
      and (${kind}::text is null or kind = ${kind}) returning id`.execute(tx);
  for (const { id } of rows) await deleteDocuments(tx, { kind: proofDocument, id });
}

/** Whether a person may read a proof: only those who may act for the card of the application. */
export async function mayReadProof(db: Db, personId: number, proofId: string): Promise<boolean> {
  const found = await query(db).maybeOne(sql<{ may: boolean }>`
    select ${mayActFor(personId, sql.ref("s.person_id"))} as may
    from subscription_proof r join subscription s on s.id = r.subscription_id
    where r.id = ${proofId}`);
  return found?.may ?? false;
}
