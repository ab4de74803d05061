// Signatures of the sandbox's webhooks: HMAC-SHA-256 over the timestamp and the raw bytes of the body.
import { createHmac, timingSafeEqual } from "node:crypto";
import { Problem } from "#contract/errors.ts";
import { payments } from "#contract/limits.ts";

export const signatureHeader = "x-sandbox-signature";

/** The header's value for a body sent at an instant. */
export function sign(secret: Buffer, body: Buffer | string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${macOf(secret, seconds, body).toString("hex")}`;
}

/**
 * Answers the body if the header signs its bytes within five minutes from now; else throws
 * `webhook_signature`.
 */
export function checkSignature(
  secret: Buffer,
  { body, header, now }: { body: Buffer | null; header: unknown; now: Date },
): Buffer {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(typeof header === "string" ? header : "");
  if (!match || body === null) throw new Problem("webhook_signature");
  const seconds = Number(match[1]);
  const mac = Buffer.from(match[2] as string, "hex");
  const right = timingSafeEqual(mac, macOf(secret, seconds, body));
  const age = Math.abs(now.getTime() / 1000 - seconds);
  if (!right || age > payments.webhookToleranceSeconds) throw new Problem("webhook_signature");
  return body;
}

const macOf = (secret: Buffer, seconds: number, body: Buffer | string): Buffer =>
  createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();
