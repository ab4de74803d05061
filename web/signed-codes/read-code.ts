// The QR code of a card or of a meal, verified on this device with the keys that a counter fetched beforehand.
import { signedCodes as limits } from "#contract/limits.ts";
import { codeKinds, codePurpose } from "#contract/signed-codes/kinds.ts";

/** A public key as the server tells it. */
export interface CodeKey {
  keyId: string;
  /** SPKI, base64url. */
  publicKey: string;
}

const bodyBytes = 30;
const signatureBytes = 64;

/** The content of a code. `unverifiable`: this browser knows no Ed25519, the server must be asked. */
export type ReadCode =
  | {
      is: "good" | "late_code";
      /** Public id of the card, or of the order. */
      id: string;
      revision: number;
      /** From when until when it is good, in seconds since the epoch: two codes of a card differ in it. */
      from: number;
      until: number;
    }
  | { is: "forged" }
  | { is: "unverifiable" };

/** Reads the token of a QR code, a card's unless told; `now` in milliseconds. */
export async function readCode(
  token: string,
  keys: readonly CodeKey[],
  { now = Date.now(), kind = "card" }: { now?: number; kind?: "card" | "meal" } = {},
): Promise<ReadCode> {
  const prefix = codeKinds[kind];
  const bytes = token.startsWith(prefix) ? bytesOf(token.slice(prefix.length)) : null;
  if (bytes?.length !== bodyBytes + signatureBytes) return { is: "forged" };
  const body = bytes.slice(0, bodyBytes);
  const keyId = toBase64Url(body.slice(0, 4));
  const key = keys.find((one) => one.keyId === keyId);
  if (!key) return { is: "forged" };
  const good = await isSigned(key, codePurpose(kind), body, bytes.slice(bodyBytes));
  if (good === null) return { is: "unverifiable" };
  if (!good) return { is: "forged" };
  const view = new DataView(body.buffer);
  const [revision, from, until] = [view.getUint16(20), view.getUint32(22), view.getUint32(26)];
  const hex = Array.from(body.slice(4, 20), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const late = (until + limits.clockSkewSeconds) * 1000 < now;
  return { is: late ? "late_code" : "good", id, revision, from, until };
}

/** Whether one of the keys signed a text for a purpose; null in a browser that knows no Ed25519. */
export async function isSignedText(
  keys: readonly CodeKey[],
  purpose: string,
  { payload, signature, keyId }: { payload: string; signature: string; keyId: string },
): Promise<boolean | null> {
  const key = keys.find((one) => one.keyId === keyId);
  const bytes = bytesOf(signature);
  return key && bytes ? isSigned(key, purpose, new TextEncoder().encode(payload), bytes) : false;
}

async function isSigned(
  { publicKey }: CodeKey,
  purpose: string,
  content: Uint8Array,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean | null> {
  const spki = bytesOf(publicKey);
  if (!spki) return false;
  const signed = new Uint8Array([...new TextEncoder().encode(purpose), ...content]);
  try {
    const key = await crypto.subtle.importKey("spki", spki, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, signed);
  } catch {
    return null;
  }
}

/** The bytes of a base64url text in its one spelling, else null. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
