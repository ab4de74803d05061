// Avatars, the pictures of persons: one's own, and a child's that a guardian may also set. Only the person
// and their family see it; to anybody else it does not exist.
import { sql } from "kysely";
import { avatarAddress, type avatars } from "#contract/documents/avatars.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { avatars as limits } from "#contract/limits.ts";
import { inTx, type Db, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { holderFor, lockTieForShare, isFamilyOf } from "#server/family/family.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import type { Document } from "#server/http/document.ts";
import { auditAct } from "#server/identity/identity.ts";
import { squarePicture } from "./file.ts";

type AvatarCall = AuditedCall<{ cardnumber: number }>;

/**
 * Stores a picture as the avatar of a card's holder, in place of the one before: square, small, without
 * metadata. Refuses `document_type`, `document_unreadable`, `not_found`.
 */
export async function setAvatar(
  act: AvatarCall & { file: Buffer },
): Promise<Output<typeof avatars.set>> {
  const { deps, caller, input, file } = act;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  const content = await squarePicture(file, limits.sidePixels, caller.personId);
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: holder.id });
    const at = deps.now();
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into avatar (person_id, content, at) values (${holder.id}, ${content}, ${at})
      on conflict (person_id) do update
        set id = gen_random_uuid(), content = excluded.content, at = excluded.at
      returning id`);
    const avatar = avatarAddress(id);
    await sql`update person set avatar = ${avatar} where id = ${holder.id}`.execute(tx);
    await auditAvatar(tx, act, holder.id, "profile.avatar");
    return { avatar };
  });
}

/** Deletes the avatar of a card's holder; without one nothing happens. Refuses `not_found`. */
export async function removeAvatar(act: AvatarCall): Promise<Output<typeof avatars.remove>> {
  const { deps, caller, input } = act;
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  return await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: holder.id });
    const { rows } = await sql`delete from avatar where person_id = ${holder.id}
      returning person_id`.execute(tx);
    if (rows.length > 0) {
      await sql`update person set avatar = null where id = ${holder.id}`.execute(tx);
      await auditAvatar(tx, act, holder.id, "profile.avatar_removed");
    }
    return { avatar: null };
  });
}

async function auditAvatar(
  tx: Tx,
  { deps, caller, origin }: AvatarCall,
  personId: number,
  action: string,
): Promise<void> {
  await auditAct(tx, { caller, origin }, action, { personId, at: deps.now() });
}

/**
 * The picture, for its person and their family, else `not_found`. A browser may keep it for the session
 * that asked for it: its address changes with the picture.
 */
export async function readAvatar(db: Db, personId: number, id: string): Promise<Document> {
  const found = await query(db).maybeOne(sql<{ content: Buffer }>`
    select a.content from avatar a where a.id = ${id}
      and (a.person_id = ${personId} or ${isFamilyOf(personId, sql.ref("a.person_id"))})`);
  return pictureOf(found);
}

/**
 * The picture of one of these persons, for any reader: the caller has checked who may see it; else
 * `not_found`.
 */
export async function readAvatarAmong(
  db: Db,
  personIds: readonly number[],
  id: string,
): Promise<Document> {
  const found = await query(db).maybeOne(sql<{ content: Buffer }>`
    select content from avatar where id = ${id} and person_id = any (${personIds}::bigint[])`);
  return pictureOf(found);
}

function pictureOf(row: { content: Buffer } | null): Document {
  if (!row) throw new Problem("not_found");
  return {
    type: "image/jpeg",
    body: row.content,
    headers: {
      "cache-control": `private, max-age=${limits.cachedSeconds}, immutable`,
      vary: "authorization",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  };
}

/** The picture of a person for the export of their data; null without one. */
export async function avatarOf(db: Db, personId: number): Promise<Buffer | null> {
  const found = await query(db).maybeOne(sql<{ content: Buffer }>`
    select content from avatar where person_id = ${personId}`);
  return found?.content ?? null;
}
