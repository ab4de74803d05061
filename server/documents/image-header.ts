// Reads the header of an image: its size, its orientation, and whether its end is there.

interface ImageSize {
  width: number;
  height: number;
  /** Bytes of one point once it is decoded. */
  pointBytes: number;
}

// A first look at the header refuses most oversized images without a process; it reads strictly and returns
// null where a decoder might read on. The decoder's result counts in image-worker.ts.
export function sizeOfPng(file: Buffer): ImageSize | null {
  if (file.length < 33 || file.toString("latin1", 12, 16) !== "IHDR") return null;
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const channels = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 }[file.readUInt8(25)];
  if (width < 1 || height < 1 || channels === undefined) return null;
  return { width, height, pointBytes: channels * (file.readUInt8(24) > 8 ? 2 : 1) };
}

export function sizeOfJpeg(file: Buffer): ImageSize | null {
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
    if (marker === 0xda) return hasJpegEnd(file, at) ? size : null;
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

/** Whether the end of a JPEG follows its scans: a decoder draws grey in place of a missing part. */
function hasJpegEnd(file: Buffer, scan: number): boolean {
  for (let at = scan; at + 3 < file.length;) {
    // After the header of a scan, or a table between two scans of a progressive image, comes data up to the
    // next marker.
    at += 2 + file.readUInt16BE(at + 2);
    for (at = file.indexOf(0xff, at); at >= 0; at = file.indexOf(0xff, at)) {
      const marker = file[at + 1];
      if (marker === 0xd9) return true;
      // A byte of the data, or a restart marker.
      if (marker === 0x00 || (marker !== undefined && marker >= 0xd0 && marker <= 0xd7)) at += 2;
      else if (marker === 0xff) at++;
      else break;
    }
    if (at < 0) return false;
  }
  return false;
}

/** Its orientation by EXIF (1 to 8), undefined without one: the decoder turns JPEGs by itself. */
export function orientationOfPng(file: Buffer): number | undefined {
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    if (type === "eXIf") return orientationOf(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return undefined;
}

function orientationOf(exif: Buffer): number | undefined {
  const order = exif.toString("latin1", 0, 2);
  if (exif.length < 14 || (order !== "MM" && order !== "II")) return undefined;
  const short = (at: number) => (order === "MM" ? exif.readUInt16BE(at) : exif.readUInt16LE(at));
  const directory = order === "MM" ? exif.readUInt32BE(4) : exif.readUInt32LE(4);
  if (directory + 2 > exif.length) return undefined;
  const entries = short(directory);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > exif.length) return undefined;
    if (short(at) !== 0x0112) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
