// Links that carry a secret in the fragment of their address, which no server logs. The database keeps a
// digest of the secret, so the address is shown once and cannot be read again.
import { createHash, randomBytes } from "node:crypto";

/** Digest of a link's secret; `purpose` keeps the links of one kind from opening another. */
export const secretDigest = (purpose: string, secret: string): Buffer =>
  createHash("sha256").update(`${purpose} link:${secret}`).digest();

/** A new link to a path of the portal, for instance `/family#invitation=`, and the digest to store. */
export function newSecretLink(
  purpose: string,
  { siteOrigin, path }: { siteOrigin: string; path: string },
): { address: string; digest: Buffer } {
  const secret = randomBytes(32).toString("base64url");
  return {
    address: new URL(path + secret, siteOrigin).href,
    digest: secretDigest(purpose, secret),
  };
}
