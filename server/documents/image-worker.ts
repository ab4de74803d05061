// The process that draws images anew: a decoder attacked by a hostile file runs here, under the limits that
// file.ts sets.
import { Orientation, ResizeFit, Transformer } from "@napi-rs/image";
import { documents as limits } from "#contract/limits.ts";
import { answerTasks } from "#server/process/work-entry.ts";

export interface ImageTask {
  sent: Uint8Array;
  type: "image/jpeg" | "image/png";
  /** Keeps the middle as a square JPEG of so many pixels a side. */
  square?: number | undefined;
  /** As EXIF counts them, 1 to 8; by default the decoder's own. */
  orientation?: number | undefined;
}

/** In the order of EXIF, which counts from 1. */
const orientations = [
  Orientation.Horizontal,
  Orientation.MirrorHorizontal,
  Orientation.Rotate180,
  Orientation.MirrorVertical,
  Orientation.MirrorHorizontalAndRotate270Cw,
  Orientation.Rotate90Cw,
  Orientation.MirrorHorizontalAndRotate90Cw,
  Orientation.Rotate270Cw,
] as const;

/** The stored form of the image: upright, reduced, without anything but its points. */
async function redraw({
  sent,
  type,
  square,
  orientation,
}: ImageTask): Promise<{ type: string; content: Buffer }> {
  const source = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  const picture = new Transformer(source);
  // The size found by the decoder, not the one in the header.
  const { width, height } = await picture.metadata();
  if (width < 1 || height < 1 || width * height > limits.pixels) throw new Error("too large");
  picture.rotate(orientation === undefined ? undefined : orientations[orientation - 1]);
  if (square !== undefined) {
    picture.resize({ width: square, height: square, fit: ResizeFit.Cover });
    return { type: "image/jpeg", content: await picture.jpeg(limits.jpegQuality) };
  }
  if (Math.max(width, height) > limits.sidePixels) {
    const side = limits.sidePixels;
    picture.resize({ width: side, height: side, fit: ResizeFit.Inside });
  }
  const isJpeg = type === "image/jpeg";
  const content = await (isJpeg ? picture.jpeg(limits.jpegQuality) : picture.png());
  if (content.length <= limits.bytes) return { type, content };
  // A photograph sent as PNG may be larger once drawn anew.
  return { type: "image/jpeg", content: await picture.jpeg(limits.jpegQuality) };
}

answerTasks(redraw);
