// The token of a pass's QR, signed with the installation's Ed25519 key, checked without the network
// by whoever has the public key (décision 24). Short, so that the QR stays coarse.
//   "MP1." + base64url( key id 4 · pass id 16 · revision 2 · from 4 · until 4 · signature 64 )
import { createHash, sign, verify } from "node:crypto";
import type { Db } from "#server/db/db.ts";
import { loadKeys } from "#server/identity/identity.ts";

const prefix = "MP1.";
// The key signs other things too: what is signed says what it is.
const purpose = "ma-carte pass 1\0";
const bodyBytes = 30;
const signatureBytes = 64;

/** What a token says; times in whole seconds. */
export interface Told {
  passId: string;
  revision: number;
  from: Date;
  until: Date;
}

const signed = (body: Buffer) => Buffer.concat([Buffer.from(purpose), body]);
const shortId = (kid: string) => createHash("sha256").update(kid).digest().subarray(0, 4);
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** The token of a pass as it is now. */
export async function makePassQr(db: Db, { passId, revision, from, until }: Told): Promise<string> {
  const keys = await loadKeys(db);
  const body = Buffer.alloc(bodyBytes);
  shortId(keys.kid).copy(body);
  Buffer.from(passId.replaceAll("-", ""), "hex").copy(body, 4);
  body.writeUInt16BE(revision, 20);
  body.writeUInt32BE(seconds(from), 22);
  body.writeUInt32BE(seconds(until), 26);
  return prefix + Buffer.concat([body, sign(null, signed(body), keys.sign)]).toString("base64url");
}

/** What a token of ours says, null when it is not ours or was altered. */
export async function readPassQr(db: Db, token: string): Promise<Told | null> {
  if (!token.startsWith(prefix)) return null;
  const encoded = token.slice(prefix.length);
  const bytes = Buffer.from(encoded, "base64url");
  if (bytes.length !== bodyBytes + signatureBytes) return null;
  // One token, one spelling: decoding forgives stray characters and unused bits, we do not.
  if (bytes.toString("base64url") !== encoded) return null;
  const body = bytes.subarray(0, bodyBytes);
  const keys = await loadKeys(db);
  if (!body.subarray(0, 4).equals(shortId(keys.kid))) return null;
  if (!verify(null, signed(body), keys.verify, bytes.subarray(bodyBytes))) return null;
  const hex = body.toString("hex", 4, 20);
  return {
    passId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    revision: body.readUInt16BE(20),
    from: new Date(body.readUInt32BE(22) * 1000),
    until: new Date(body.readUInt32BE(26) * 1000),
  };
}
