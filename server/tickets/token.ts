// The token of a ticket's QR: which ticket, which revision, from when until when, signed. Short, so
// that a phone held far away still reads it.
//   "MT1." + base64url( key id 4 · ticket 16 · revision 2 · from 4 · until 4 · Ed25519 signature 64 )
import { sign, verify } from "node:crypto";
import type { Db } from "#server/db/db.ts";
import { loadKeys } from "#server/identity/identity.ts";

const prefix = "MT1.";
// The key signs other things too: what is signed says what it is.
const purpose = Buffer.from("ma-carte ticket 1\0");
const listPurpose = Buffer.from("ma-carte ticket revocations 1\0");
const bodyBytes = 30;
const signatureBytes = 64;

interface Signed {
  id: string;
  revision: number;
  from: Date;
  until: Date;
}

type Keys = Awaited<ReturnType<typeof loadKeys>>;
const keyIdOf = (keys: Keys): Buffer => Buffer.from(keys.kid, "base64url").subarray(0, 4);

/** A function that makes tokens, its key loaded once for a whole list. */
export async function ticketSigner(db: Db): Promise<(ticket: Signed) => string> {
  const keys = await loadKeys(db);
  return ({ id, revision, from, until }) => {
    const body = Buffer.alloc(bodyBytes);
    keyIdOf(keys).copy(body);
    Buffer.from(id.replaceAll("-", ""), "hex").copy(body, 4);
    body.writeUInt16BE(revision, 20);
    body.writeUInt32BE(Math.floor(from.getTime() / 1000), 22);
    body.writeUInt32BE(Math.floor(until.getTime() / 1000), 26);
    const signature = sign(null, Buffer.concat([purpose, body]), keys.sign);
    return prefix + Buffer.concat([body, signature]).toString("base64url");
  };
}

/** What a token says, null when it is not ours or altered in any way. Its times are not judged. */
export async function readTicketToken(db: Db, token: string): Promise<Signed | null> {
  if (!token.startsWith(prefix)) return null;
  const encoded = token.slice(prefix.length);
  const bytes = Buffer.from(encoded, "base64url");
  if (bytes.length !== bodyBytes + signatureBytes) return null;
  // One token, one spelling: decoding forgives stray characters and unused bits, we do not.
  if (bytes.toString("base64url") !== encoded) return null;
  const body = bytes.subarray(0, bodyBytes);
  const keys = await loadKeys(db);
  if (!body.subarray(0, 4).equals(keyIdOf(keys))) return null;
  const signature = bytes.subarray(bodyBytes);
  if (!verify(null, Buffer.concat([purpose, body]), keys.verify, signature)) return null;
  const hex = body.toString("hex", 4, 20);
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    revision: body.readUInt16BE(20),
    from: new Date(body.readUInt32BE(22) * 1000),
    until: new Date(body.readUInt32BE(26) * 1000),
  };
}

/** A payload signed as a list of revocations, with what checks it without network. */
export async function signRevocations(
  db: Db,
  payload: string,
): Promise<{ payload: string; signature: string; keyId: string; publicKey: string }> {
  const keys = await loadKeys(db);
  const signature = sign(null, Buffer.concat([listPurpose, Buffer.from(payload)]), keys.sign);
  const spki = keys.verify.export({ format: "der", type: "spki" });
  return {
    payload,
    signature: signature.toString("base64url"),
    keyId: keyIdOf(keys).toString("base64url"),
    publicKey: spki.toString("base64url"),
  };
}
