// A camera for a browser of the tests: a film of QR codes, each held for a while, over and over.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeQR } from "qr";

const [width, height, perSecond] = [640, 480, 10];

/** Writes the film (YUV4MPEG2) into a folder; answers the arguments of the browser that show it. */
export async function filmOf(folder: string, codes: readonly string[]): Promise<string[]> {
  const nothing = frameOf(null);
  const frames = codes.flatMap((code) => {
    const seen = frameOf(code);
    return [...Array.from({ length: 1.5 * perSecond }, () => seen), nothing, nothing];
  });
  const path = join(folder, "camera.y4m");
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F${perSecond}:1 Ip A1:1 C420jpeg\n`);
  await writeFile(path, Buffer.concat([head, ...frames]));
  return [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-video-capture=${path}`,
  ];
}

/** A grey picture with a code in its middle, or without one. */
function frameOf(code: string | null): Buffer {
  const light = Buffer.alloc(width * height, 150);
  const modules = code === null ? [] : encodeQR(code, "raw", { border: 4 });
  const size = modules.length === 0 ? 0 : Math.floor(400 / modules.length);
  const [left, top] = [(width - size * modules.length) / 2, (height - size * modules.length) / 2];
  for (const [row, line] of modules.entries()) {
    for (const [column, dark] of line.entries()) {
      for (let y = 0; y < size; y++) {
        const start = Math.floor(top + row * size + y) * width + Math.floor(left + column * size);
        light.fill(dark ? 20 : 235, start, start + size);
      }
    }
  }
  const colour = Buffer.alloc((width * height) / 2, 128);
  return Buffer.concat([Buffer.from("FRAME\n"), light, colour]);
}
