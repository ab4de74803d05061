// The files of a purchase: the photo that its pass asks for, the papers that plead against a late fee.
import { sql } from "kysely";
import type { Document } from "#contract/documents.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { attachDocuments, deleteDocuments, documentsOf } from "#server/documents/documents.ts";
import { mayActFor } from "#server/family/family.ts";

/** What photos, and what papers, are attached to: the purchase by its id. */
export const photoOf = (orderId: string) => ({ kind: "pass_photo", id: orderId });
export const pleaOf = (orderId: string) => ({ kind: "pass_exemption", id: orderId });

/** Puts a loose document of the caller in the place of the photo; null takes the photo away. */
export async function replacePhoto(
  tx: Tx,
  change: { personId: number; orderId: string; photo: string | null; at: Date },
): Promise<void> {
  const { personId, orderId, photo, at } = change;
  await deleteDocuments(tx, photoOf(orderId));
  if (photo === null) return;
  await attachDocuments(tx, { personId, ids: [photo], to: photoOf(orderId), at });
}

/** The photo as the screens show it, null without one. */
export async function photoSeen(db: Db, orderId: string): Promise<Document | null> {
  const [photo] = await documentsOf(db, photoOf(orderId));
  return photo ? { id: photo.id, name: photo.name, kind: photo.kind, bytes: photo.bytes } : null;
}

/** Who reads the files of a purchase: whoever bought, and the guardians of a child who did. */
export async function mayReadOrder(db: Db, personId: number, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select ${mayActFor(personId, sql.ref("o.person_id"))} as may from pass_order o
    where o.id = ${orderId}`.execute(db);
  return rows[0]?.may ?? false;
}
