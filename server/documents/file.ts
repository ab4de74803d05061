// Identifies a file by its content and brings it to its stored form: an image is drawn anew, so that none of
// its metadata (how and where it was taken) stays in it.
import { Problem } from "#contract/errors.ts";
import { documents as limits } from "#contract/limits.ts";
import { mimeOf } from "#server/http/upload.ts";
import { WorkFailed, workProcess } from "#server/process/work-process.ts";
import { orientationOfPng, sizeOfJpeg, sizeOfPng } from "./image-header.ts";
import type { ImageTask } from "./image-worker.ts";
import type { PdfTask } from "./pdf-worker.ts";

export type MediaType = "image/jpeg" | "image/png" | "application/pdf";

const endings: Record<MediaType, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "application/pdf": "pdf",
};

/** A file in its stored form. */
export interface StoredFile {
  type: MediaType;
  content: Buffer;
}

/**
 * The stored form of a sent file. Refuses `document_unreadable` when it is empty, damaged, incomplete or has
 * too many points, `document_type` when it is no JPEG, PNG or PDF whatever its name (`document_heic` for a
 * photograph of an iPhone), `document_locked` and `document_no_page` for a PDF, `unavailable` when too many
 * images wait to be drawn.
 */
export async function toStoredFile(sent: Buffer, personId: number): Promise<StoredFile> {
  const type = await typeOf(sent);
  if (type !== null) return await redrawn(sent, type, personId);
  const begin = sent.subarray(0, maxBytesBeforePdf).indexOf("%PDF-");
  if (begin < 0) throw new Problem("document_type");
  return { type: "application/pdf", content: await wholePdf(sent.subarray(begin), personId) };
}

/** The type of an image by its content; null for another file. Refuses as `toStoredFile` does. */
async function typeOf(sent: Buffer): Promise<"image/jpeg" | "image/png" | null> {
  if (sent.length === 0) throw new Problem("document_unreadable");
  const mime = await mimeOf(sent);
  if (/^image\/hei[cf]/.test(mime)) throw new Problem("document_heic");
  // An animated PNG is a PNG whose first picture is kept.
  if (mime === "image/png" || mime === "image/apng") return "image/png";
  return mime === "image/jpeg" ? mime : null;
}

/** Bytes that a mail program or a scanner may put before a PDF: readers search so far. */
const maxBytesBeforePdf = 1024;

/** A PDF is stored unchanged, from its first mark to its last, and is only ever sent as a download. */
async function wholePdf(sent: Buffer, personId: number): Promise<Buffer> {
  const end = sent.lastIndexOf("%%EOF");
  // Zeros and ends of line fill the last block of a copy; anything else is another file appended to this one.
  const rest = sent.subarray(end + "%%EOF".length);
  const isEnd =
    end >= 0 &&
    (rest.length <= 1024 || rest.every((byte) => byte === 0 || byte === 10 || byte === 13));
  if (!isEnd) throw new Problem("document_unreadable");
  const whole = rest.length <= 1024 ? sent : sent.subarray(0, end + "%%EOF".length);
  try {
    await checkPdf({ sent: whole }, personId);
  } catch (error) {
    if (error instanceof WorkFailed) throw new Problem("document_unreadable");
    throw error;
  }
  return whole;
}

const checkPdf = workProcess<PdfTask, null>(new URL("pdf-worker.ts", import.meta.url), {
  atOnce: 1,
  waiting: limits.imagesWaiting,
  timeoutMs: 5_000,
  idleMs: 30_000,
  attempts: 1,
  memoryBytes: limits.imageMemoryBytes,
});

const redraw = workProcess<ImageTask, StoredFile>(new URL("image-worker.ts", import.meta.url), {
  atOnce: 1,
  waiting: limits.imagesWaiting,
  timeoutMs: limits.imageSeconds * 1000,
  idleMs: 30_000,
  attempts: 1,
  memoryBytes: limits.imageMemoryBytes,
});

/**
 * The middle of a picture as a small square JPEG of `side` pixels, without metadata. Refuses `document_type`
 * when it is no JPEG or PNG by its content, `document_heic`, `document_unreadable`, `unavailable`.
 */
export async function squarePicture(sent: Buffer, side: number, personId: number): Promise<Buffer> {
  const type = await typeOf(sent);
  if (type === null) throw new Problem("document_type");
  return (await redrawn(sent, type, personId, side)).content;
}

async function redrawn(
  sent: Buffer,
  type: "image/jpeg" | "image/png",
  personId: number,
  square?: number,
): Promise<StoredFile> {
  const size = type === "image/png" ? sizeOfPng(sent) : sizeOfJpeg(sent);
  if (size === null || size.width * size.height > limits.pixels) {
    throw new Problem("document_unreadable");
  }
  if (size.width * size.height * size.pointBytes > limits.decodedBytes) {
    throw new Problem("document_unreadable");
  }
  try {
    const orientation = type === "image/png" ? orientationOfPng(sent) : undefined;
    return await redraw({ sent, type, square, orientation }, personId);
  } catch (error) {
    if (error instanceof Problem) throw error;
    // Damaged, or beyond the limits of the process: not tried again.
    throw new Problem("document_unreadable");
  }
}

/** A name that any disk and any header can hold, with the extension of the file's real type. */
export function cleanName(fileName: string | undefined, type: MediaType): string {
  const plain = (fileName ?? "")
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .replace(/\p{C}/gu, "")
    .replace(/["<>:|?*%;]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, "");
  return `${Array.from(plain).slice(0, 80).join("") || "document"}.${endings[type]}`;
}
