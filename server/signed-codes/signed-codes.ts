// Signed codes: the QR of a card, a pass, a ticket: the content of its token, the key that signs it, and the
// one revocation list. A token is refused when it is foreign, altered, or spelled otherwise.
//   mark of the kind + base64url( key id 4 · id 16 · revision 2 · from 4 · until 4 · signature 64 )
// It is short, so that the QR stays coarse enough for a phone held far away, and never has a card's number
// (spec.md 24). Times are whole seconds.
import { sign, verify } from "node:crypto";
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import {
  type CodeKind,
  codeKinds,
  codePurpose,
  revocationsPurpose,
} from "#contract/signed-codes/kinds.ts";
import type { signedCodes } from "#contract/signed-codes/rows.ts";
import { signedCodes as limits } from "#contract/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { loadKeys } from "#server/identity/identity.ts";

const bodyBytes = 30;
const signatureBytes = 64;

/** Content of a token: the subject of the code, its revision, and its span of validity. */
export interface SignedCode {
  id: string;
  revision: number;
  from: Date;
  until: Date;
}

type Keys = Awaited<ReturnType<typeof loadKeys>>;
const keyIdOf = (keys: Keys): Buffer => Buffer.from(keys.kid, "base64url").subarray(0, 4);
const signedText = (kind: CodeKind, body: Buffer) =>
  Buffer.concat([Buffer.from(codePurpose(kind)), body]);
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** Makes a function that signs tokens of one kind, the key loaded once for a whole list. */
export async function codeSigner(db: Db, kind: CodeKind): Promise<(code: SignedCode) => string> {
  const keys = await loadKeys(db);
  return ({ id, revision, from, until }) => {
    const body = Buffer.alloc(bodyBytes);
    keyIdOf(keys).copy(body);
    Buffer.from(id.replaceAll("-", ""), "hex").copy(body, 4);
    body.writeUInt16BE(revision, 20);
    body.writeUInt32BE(seconds(from), 22);
    body.writeUInt32BE(seconds(until), 26);
    const signature = sign(null, signedText(kind, body), keys.sign);
    return codeKinds[kind] + Buffer.concat([body, signature]).toString("base64url");
  };
}

/**
 * The content of a token of this kind, null when it is foreign or altered in any way. Neither its times nor
 * its revision are checked: the owning room knows the current state.
 */
export async function verifyCode(
  db: Db,
  kind: CodeKind,
  token: string,
): Promise<SignedCode | null> {
  const prefix = codeKinds[kind];
  if (!token.startsWith(prefix)) return null;
  const encoded = token.slice(prefix.length);
  const bytes = Buffer.from(encoded, "base64url");
  if (bytes.length !== bodyBytes + signatureBytes) return null;
  // Each token has one spelling: decoding tolerates stray characters and unused bits, this check does not.
  if (bytes.toString("base64url") !== encoded) return null;
  const body = bytes.subarray(0, bodyBytes);
  const keys = await loadKeys(db);
  if (!body.subarray(0, 4).equals(keyIdOf(keys))) return null;
  if (!verify(null, signedText(kind, body), keys.verify, bytes.subarray(bodyBytes))) return null;
  const hex = body.toString("hex", 4, 20);
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    revision: body.readUInt16BE(20),
    from: new Date(body.readUInt32BE(22) * 1000),
    until: new Date(body.readUInt32BE(26) * 1000),
  };
}

/** A code in circulation that must be refused. */
export interface Revocation {
  id: string;
  /** The first revision that is valid again, 0 for none. */
  firstGood: number;
  /** Until when the code in circulation would have been valid. */
  until: Date;
}

/** Puts codes on the revocation list, in the transaction that makes them invalid. */
export async function revokeCodes(
  tx: Tx,
  kind: CodeKind,
  codes: readonly Revocation[],
): Promise<void> {
  await sql`
    insert into revoked_code (kind, id, first_good, until)
    select ${kind}, * from unnest(${codes.map(({ id }) => id)}::uuid[],
      ${codes.map(({ firstGood }) => firstGood)}::integer[],
      ${codes.map(({ until }) => until.toISOString())}::timestamptz[])
    order by 2
    on conflict (kind, id) do update set until = greatest(revoked_code.until, excluded.until),
      first_good = case when 0 in (revoked_code.first_good, excluded.first_good) then 0
        else greatest(revoked_code.first_good, excluded.first_good) end`.execute(tx);
}

/** The revoked codes that have not expired by themselves, signed; valid for a day at most. */
export async function revocationList({
  db,
  now,
}: Pick<Deps, "db" | "now">): Promise<Output<typeof signedCodes.revocations>> {
  const at = now();
  const { rows } = await sql<{ kind: string; id: string; firstGood: number }>`
    select kind, id, first_good from revoked_code where until > ${at}
    order by kind, id`.execute(db);
  const revoked = rows.map(({ kind, id, firstGood }) => [kind, id, firstGood]);
  const until = new Date(at.getTime() + limits.listHours * 3_600_000).toISOString();
  const payload = JSON.stringify({ at: at.toISOString(), until, revoked });
  const keys = await loadKeys(db);
  return {
    payload,
    signature: sign(null, Buffer.from(revocationsPurpose + payload), keys.sign).toString(
      "base64url",
    ),
    keyId: keyIdOf(keys).toString("base64url"),
  };
}

/** The jobs of this room: expired codes are removed from the list. */
export function signedCodeTasks({ db, now }: Pick<Deps, "db" | "now">) {
  return {
    forget_revocations: async () => {
      await sql`delete from revoked_code where until <= ${now()}`.execute(db);
    },
  };
}

/** Schedule of the jobs (UTC). */
export const signedCodeRoutines = [{ task: "forget_revocations", cron: "35 2 * * *" }] as const;

/** The public keys that verify every code and the list. */
export async function publicKeys(db: Db): Promise<Output<typeof signedCodes.keys>> {
  const keys = await loadKeys(db);
  const spki = keys.verify.export({ format: "der", type: "spki" });
  return {
    keys: [
      {
        keyId: keyIdOf(keys).toString("base64url"),
        algorithm: "Ed25519",
        publicKey: spki.toString("base64url"),
      },
    ],
  };
}
