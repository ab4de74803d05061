// What a file is by its content, and the form in which it is kept: an image is drawn anew, so that
// nothing of how and where it was taken stays in it.
import { ResizeFit, Transformer } from "@napi-rs/image";
import { fileTypeFromBuffer } from "file-type";
import { Problem } from "#contract/errors.ts";
import { documents as limits } from "#contract/limits.ts";

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
 * too many points, `document_type` when it is no JPEG, PNG or PDF whatever it is called.
 */
export async function keptForm(sent: Buffer): Promise<Kept> {
  if (sent.length === 0) throw new Problem("document_unreadable");
  const mime = (await fileTypeFromBuffer(sent).catch(() => undefined))?.mime ?? "";
  // An animated PNG is a PNG whose first picture is kept.
  const type = mime === "image/apng" ? "image/png" : mime;
  if (type === "application/pdf") return { type, content: wholePdf(sent) };
  if (type !== "image/jpeg" && type !== "image/png") throw new Problem("document_type");
  return await oneAtATime(() => redrawn(sent, type));
}

/** A PDF is kept as it is: it begins and ends like one, and is only ever handed over as a file. */
function wholePdf(sent: Buffer): Buffer {
  if (!sent.subarray(-1024).includes("%%EOF")) throw new Problem("document_unreadable");
  return sent;
}

async function redrawn(sent: Buffer, type: "image/jpeg" | "image/png"): Promise<Kept> {
  const { width, height } = type === "image/png" ? sizeOfPng(sent) : sizeOfJpeg(sent);
  if (width < 1 || height < 1 || width * height > limits.pixels) {
    throw new Problem("document_unreadable");
  }
  try {
    const picture = new Transformer(sent).rotate();
    if (Math.max(width, height) > limits.sidePixels) {
      const side = limits.sidePixels;
      picture.resize({ width: side, height: side, fit: ResizeFit.Inside });
    }
    const isJpeg = type === "image/jpeg";
    const content = await (isJpeg ? picture.jpeg(limits.jpegQuality) : picture.png());
    if (content.length <= limits.bytes) return { type, content };
    // A photograph sent as PNG may weigh more drawn anew than it did.
    return { type: "image/jpeg", content: await picture.jpeg(limits.jpegQuality) };
  } catch {
    throw new Problem("document_unreadable");
  }
}

// Width and height are read from the header, before anything is unpacked: a small file can hold an
// image that fills the memory.
function sizeOfPng(file: Buffer): { width: number; height: number } {
  if (file.length < 24 || file.toString("latin1", 12, 16) !== "IHDR")
    return { width: 0, height: 0 };
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

function sizeOfJpeg(file: Buffer): { width: number; height: number } {
  let [width, height] = [0, 0];
  for (let at = 2; at + 9 < file.length && file[at] === 0xff;) {
    const marker = file[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      height = Math.max(height, file.readUInt16BE(at + 5));
      width = Math.max(width, file.readUInt16BE(at + 7));
    }
    // From the start of the scan on there are no more headers.
    if (marker === 0xda) break;
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  return { width, height };
}

let last: Promise<unknown> = Promise.resolve();

/** Images wait for each other: one alone may take 160 MB while it is drawn. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work, work);
  last = next.catch(() => undefined);
  return next;
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
    .replace(/^[\s.]+|[\s.]+$/g, "");
  return `${Array.from(plain).slice(0, 80).join("") || "document"}.${endings[type]}`;
}
