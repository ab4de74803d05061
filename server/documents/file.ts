// What a file is by its content, and the form in which it is kept: an image is drawn anew, so that
// nothing of how and where it was taken stays in it.
import { Problem } from "#contract/errors.ts";
import { documents as limits } from "#contract/limits.ts";
import { mimeOf } from "#server/http/upload.ts";
import { workProcess } from "#server/process/work-process.ts";
import type { ImageTask } from "./image-worker.ts";

export type MediaType = "image/jpeg" | "image/png" | "application/pdf";

const endings: Record<MediaType, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "application/pdf": "pdf",
};

/** A file as it is kept. */
export interface Kept {
  type: MediaType;
  content: Buffer;
}

/**
 * The file to keep of what was sent. Refuses `document_unreadable` when it is empty, damaged or has
 * too many points, `document_type` when it is no JPEG, PNG or PDF whatever it is called, `unavailable`
 * when too many images wait to be drawn.
 */
export async function keptForm(sent: Buffer, personId: number): Promise<Kept> {
  if (sent.length === 0) throw new Problem("document_unreadable");
  const mime = await mimeOf(sent);
  // An animated PNG is a PNG whose first picture is kept.
  const type = mime === "image/apng" ? "image/png" : mime;
  if (type === "application/pdf") return { type, content: wholePdf(sent) };
  if (type !== "image/jpeg" && type !== "image/png") throw new Problem("document_type");
  return await redrawn(sent, type, personId);
}

/** A PDF is kept as it is: it begins and ends like one, and is only ever handed over as a file. */
function wholePdf(sent: Buffer): Buffer {
  if (!sent.subarray(-1024).includes("%%EOF")) throw new Problem("document_unreadable");
  return sent;
}

const redraw = workProcess<ImageTask, Kept>(new URL("image-worker.ts", import.meta.url), {
  atOnce: 1,
  waiting: limits.imagesWaiting,
  timeoutMs: limits.imageSeconds * 1000,
  idleMs: 30_000,
  attempts: 1,
  memoryBytes: limits.imageMemoryBytes,
});

/**
 * The middle of a picture as a small square JPEG of `side` pixels, without metadata. Refuses
 * `document_type` when it is no JPEG or PNG by its content, `document_unreadable`, `unavailable`.
 */
export async function squarePicture(sent: Buffer, side: number, personId: number): Promise<Buffer> {
  if (sent.length === 0) throw new Problem("document_unreadable");
  const mime = await mimeOf(sent);
  if (mime !== "image/jpeg" && mime !== "image/png") throw new Problem("document_type");
  return (await redrawn(sent, mime, personId, side)).content;
}

async function redrawn(
  sent: Buffer,
  type: "image/jpeg" | "image/png",
  personId: number,
  square?: number,
): Promise<Kept> {
  const size = type === "image/png" ? sizeOfPng(sent) : sizeOfJpeg(sent);
  if (size === null || size.width * size.height > limits.pixels) {
    throw new Problem("document_unreadable");
  }
  if (size.width * size.height * size.pointBytes > limits.decodedBytes) {
    throw new Problem("document_unreadable");
  }
  try {
    return await redraw({ sent, type, square }, personId);
  } catch (error) {
    if (error instanceof Problem) throw error;
    // Damaged, or too much for the limits of the process: it is not tried again.
    throw new Problem("document_unreadable");
  }
}

interface ImageSize {
  width: number;
  height: number;
  /** What one point takes once it is decoded. */
  pointBytes: number;
}

// A first look at the header turns most of what is too large away without a process; it reads strictly
// and answers null where a decoder might read on. The decoder's own word counts in image-worker.ts.
function sizeOfPng(file: Buffer): ImageSize | null {
  if (file.length < 33 || file.toString("latin1", 12, 16) !== "IHDR") return null;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const channels = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 }[file.readUInt8(25)];
  if (width < 1 || height < 1 || channels === undefined) return null;
  return { width, height, pointBytes: channels * (file.readUInt8(24) > 8 ? 2 : 1) };
}

function sizeOfJpeg(file: Buffer): ImageSize | null {
  let size: ImageSize | null = null;
  for (let at = 2; at + 9 < file.length;) {
    if (file[at] !== 0xff) return null;
    const marker = file[at + 1] ?? 0;
    // Any number of 0xff may stand before a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    // From the start of the scan on there are no more headers.
    if (marker === 0xda) return size;
    // Data and markers without a length have no place among the headers.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return null;
    if (marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
      if (size !== null || width < 1 || height < 1) return null;
      size = { width, height, pointBytes: 4 };
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
  return null;
}

/** A name that any disk and any header can carry, with the ending of what the file is. */
export function cleanName(given: string | undefined, type: MediaType): string {
  const plain = (given ?? "")
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .replace(/\p{C}/gu, "")
    .replace(/["<>:|?*%;]/g, "_")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, "");
  return `${Array.from(plain).slice(0, 80).join("") || "document"}.${endings[type]}`;
}
