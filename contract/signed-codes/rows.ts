// Data that a device fetches to verify QR codes without network: the public key, and the codes that are
// refused although their signature is good.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const publicKey = z.object({
  /** The first four bytes of every token and the `keyId` of the list, base64url. */
  keyId: z.string(),
  algorithm: z.literal("Ed25519"),
  /** SPKI, base64url. */
  publicKey: z.string(),
});

export const signedCodes = {
  keys: c.row({
    method: "GET",
    path: "/api/signed-codes/keys",
    access: "public",
    of: "anyone",
    summary:
      "Public keys that verify the QR codes of cards, meals, passes and tickets without network",
    source: "spec.md 24",
    input: c.emptyObject,
    output: z.object({ keys: z.array(publicKey) }),
    problems: [],
  }),
  revocations: c.row({
    method: "GET",
    path: "/api/signed-codes/revocations",
    access: "professional",
    right: "verifyCodes",
    of: "anyone",
    summary: "Signed list of the QR codes to refuse, for controls without network",
    source: "server/signed-codes/README.md#revoked-codes; spec.md 24",
    input: c.emptyObject,
    output: z.object({
      /** JSON {at, until, revoked: [[kind, id, first good revision or 0], …]}, exactly as signed. */
      payload: z.string(),
      /** Ed25519, base64url, over "ma-carte revocations 1\0" followed by the payload. */
      signature: z.string(),
      keyId: z.string(),
    }),
    problems: [],
  }),
} as const;
