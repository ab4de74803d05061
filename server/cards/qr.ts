// The QR of a card: a signed code, valid for a minute. Whatever stops the card from paying revokes it.
import { type RawBuilder, sql } from "kysely";
import { cardCan } from "#contract/cards/rows.ts";
import { Problem } from "#contract/errors.ts";
import { cards as limits } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import { mayActFor } from "#server/family/family.ts";
import type { Deps } from "#server/process/deps.ts";
import { codeSigner, revokeCodes, verifyCode } from "#server/signed-codes/signed-codes.ts";
import type { CardCall } from "./change.ts";

/** A token for the QR of a card, valid 60 s; only an active card has one (spec.md 24). */
export async function qrOf({ deps, caller, input }: CardCall): Promise<{
  token: string;
  expiresAt: string;
}> {
  const card = await deps.db
    .selectFrom("card")
    .select(["objectId", "state"])
    .where("number", "=", input.cardnumber)
    .where(mayActFor(caller.personId, sql.ref("card.person_id")))
    .executeTakeFirst();
  if (!card) throw new Problem("not_found");
  if (card.state === "suspended") throw new Problem("card_suspended");
  if (card.state === "opposed") throw new Problem("card_opposed");
  if (!cardCan.spend(card)) throw new Problem("card_state");
  const from = deps.now();
  const until = new Date(Math.floor(from.getTime() / 1000 + limits.qrSeconds) * 1000);
  const sign = await codeSigner(deps.db, "card");
  return {
    token: sign({ id: card.objectId, revision: 1, from, until }),
    expiresAt: until.toISOString(),
  };
}

/** Revokes the card's QR for controls without network, for the minute that it would still be valid. */
export async function revokeQr(tx: Tx, cardnumber: number, at: Date): Promise<void> {
  const { objectId: id } = await tx
    .selectFrom("card")
    .select("objectId")
    .where("number", "=", cardnumber)
    .executeTakeFirstOrThrow();
  const until = new Date(at.getTime() + limits.qrSeconds * 1000);
  await revokeCodes(tx, "card", [{ id, firstGood: 0, until }]);
  await sql`insert into card_revocation (object_id, at) values (${id}, ${at})
    on conflict do nothing`.execute(tx);
}

/**
 * SQL condition: a code that the card made at `from` was revoked by the time it was read at `readAt`, whether
 * or not the card was resumed since.
 */
export const codeRevoked = (
  objectId: RawBuilder<unknown>,
  { from, readAt }: { from: Date | null; readAt: Date },
): RawBuilder<boolean> => sql<boolean>`exists (select from card_revocation r
  where r.object_id = ${objectId} and r.at > ${from} and r.at <= ${readAt})`;

/**
 * Public id of the card whose QR was read, and since when that QR is valid; null when it is not ours or
 * expired.
 */
export async function codeOfCard(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string,
): Promise<{ objectId: string; from: Date } | null> {
  const code = await verifyCode(db, "card", token);
  return code && code.until > now() ? { objectId: code.id, from: code.from } : null;
}
