// The token of a card's QR: who it is, until when, signed; never the bare number (décision 24). It is
// kept short, so that the QR stays coarse enough for a phone held far away.
//   "MC1." + base64url( card id 16 · expiry in seconds 4 · Ed25519 signature 64 )
import { sign, verify } from "node:crypto";
import { cards as limits } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import { loadKeys } from "#server/identity/identity.ts";

const prefix = "MC1.";
// The key signs other things too: what is signed says what it is.
const purpose = "ma-carte qr 1\0";
const bodyBytes = 20;
const signatureBytes = 64;

const signed = (body: Buffer) => Buffer.concat([Buffer.from(purpose), body]);

/** A token for the card `objectId`, valid for 60 s from `now`. */
export async function makeQr(
  db: Db,
  objectId: string,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const keys = await loadKeys(db);
  const expires = Math.floor(now.getTime() / 1000) + limits.qrSeconds;
  const body = Buffer.alloc(bodyBytes);
  Buffer.from(objectId.replaceAll("-", ""), "hex").copy(body);
  body.writeUInt32BE(expires, 16);
  const signature = sign(null, signed(body), keys.sign);
  return {
    token: prefix + Buffer.concat([body, signature]).toString("base64url"),
    expiresAt: new Date(expires * 1000),
  };
}

/** The card id that a token names, null when it is not ours, altered, or past at `now`. */
export async function readQr(db: Db, token: string, now: Date): Promise<string | null> {
  if (!token.startsWith(prefix)) return null;
  const encoded = token.slice(prefix.length);
  const bytes = Buffer.from(encoded, "base64url");
  if (bytes.length !== bodyBytes + signatureBytes) return null;
  // One token, one spelling: decoding forgives stray characters and unused bits, we do not.
  if (bytes.toString("base64url") !== encoded) return null;
  const body = bytes.subarray(0, bodyBytes);
  const { verify: key } = await loadKeys(db);
  if (!verify(null, signed(body), key, bytes.subarray(bodyBytes))) return null;
  if (body.readUInt32BE(16) * 1000 <= now.getTime()) return null;
  const hex = body.toString("hex", 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
