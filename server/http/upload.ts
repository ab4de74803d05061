// Uploads: the file is the body itself, read only once the caller is known, a few at a time.
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "#contract/errors.ts";
import { formatBytes } from "#contract/french.ts";
import { documents as limits } from "#contract/limits.ts";
import type { Caller } from "./caller.ts";

/** Media types accepted for uploads; the content decides what a file is. */
export const fileTypes = [
  "image/jpeg",
  "image/png",
  "application/pdf",
  "application/octet-stream",
] as const;

/** Passes bodies of the file types on unread, and refuses every other. */
export function takeFiles(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...fileTypes], (_request, body, done) => done(null, body));
}

// Uploads under way in this process: all beyond the first of each person, and how many each has.
let further = 0;
const ofPerson = new Map<number, number>();

/** Slow uploads of some people leave a place for everybody else's first one. */
function hasPlace(own: number): boolean {
  if (own === 0) return ofPerson.size < limits.uploadsOfPeople;
  return own < limits.uploadsOfOne && further < limits.uploadsAtOnce;
}

/**
 * Reads the file of a request, of `maxBytes` at most. Refuses `document_too_large` before reading where its
 * length is declared, `too_many_requests` when others of the person are being read, `malformed_body` when it
 * is cut.
 */
export async function fileOf(
  request: FastifyRequest,
  caller: Caller,
  maxBytes: number = limits.bytes,
): Promise<Buffer> {
  const body = request.body as Readable | undefined | null;
  if (!body) return Buffer.alloc(0);
  if (Number(request.headers["content-length"]) > maxBytes) {
    body.resume();
    throw fileTooLarge(maxBytes);
  }
  const own = ofPerson.get(caller.personId) ?? 0;
  if (!hasPlace(own)) {
    body.resume();
    throw new Problem("too_many_requests", { seconds: 2, wait: "2 s" });
  }
  if (own > 0) further++;
  ofPerson.set(caller.personId, own + 1);
  try {
    return await wholeOf(body, maxBytes);
  } finally {
    const left = (ofPerson.get(caller.personId) ?? 1) - 1;
    if (left > 0) {
      further--;
      ofPerson.set(caller.personId, left);
    } else ofPerson.delete(caller.personId);
  }
}

async function wholeOf(body: Readable, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const cut = new Problem("malformed_body");
  await new Promise<void>((resolve, reject) => {
    body.on("data", (part: Buffer) => {
      bytes += part.length;
      // The rest is read and discarded: browsers lose an answer that is sent before the end.
      if (bytes > maxBytes) parts.length = 0;
      else parts.push(part);
    });
    body.on("end", resolve);
    body.on("error", () => reject(cut));
    body.on("close", () => reject(cut));
  });
  if (bytes > maxBytes) throw fileTooLarge(maxBytes);
  return Buffer.concat(parts, bytes);
}

/** `document_too_large`, with what a file of its kind may weigh. */
export const fileTooLarge = (maxBytes: number): Problem =>
  new Problem("document_too_large", { max: formatBytes(maxBytes) });

/** The media type of a file by its content, whatever its name; "" when it is unknown. */
export async function mimeOf(bytes: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? "";
}
