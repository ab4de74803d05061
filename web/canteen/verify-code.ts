// The QR code of a card, verified on this device with the keys that came with the day's list.
import type { DayList } from "#contract/canteen/service.ts";
import { canteen as limits } from "#contract/limits.ts";
import { codeKinds, codePurpose } from "#contract/signed-codes/kinds.ts";

const bodyBytes = 30;
const signatureBytes = 64;

/** What a code says. `unverifiable`: this browser knows no Ed25519, the server must be asked. */
export type ReadCode =
  | { is: "good" | "late_code"; card: string }
  | { is: "forged" }
  | { is: "unverifiable" };

/** Reads the token of a card's QR code; `now` in milliseconds. */
export async function readCode(
  token: string,
  keys: DayList["keys"],
  now = Date.now(),
): Promise<ReadCode> {
  const bytes = token.startsWith(codeKinds.card)
    ? bytesOf(token.slice(codeKinds.card.length))
    : null;
  if (bytes?.length !== bodyBytes + signatureBytes) return { is: "forged" };
  const body = bytes.slice(0, bodyBytes);
  const keyId = toBase64Url(body.slice(0, 4));
  const key = keys.find((one) => one.keyId === keyId);
  const spki = key && bytesOf(key.publicKey);
  if (!spki) return { is: "forged" };
  const purpose = new TextEncoder().encode(codePurpose("card"));
  const signed = new Uint8Array([...purpose, ...body]);
  try {
    const publicKey = await crypto.subtle.importKey("spki", spki, "Ed25519", false, ["verify"]);
    const good = await crypto.subtle.verify("Ed25519", publicKey, bytes.slice(bodyBytes), signed);
    if (!good) return { is: "forged" };
  } catch {
    return { is: "unverifiable" };
  }
  const until = new DataView(body.buffer).getUint32(26) * 1000;
  const hex = Array.from(body.slice(4, 20), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const card = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { is: until + limits.clockSkewSeconds * 1000 < now ? "late_code" : "good", card };
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
