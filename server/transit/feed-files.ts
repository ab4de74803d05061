// Sources of a feed: a zip, a folder, or texts. Nothing of a zip is written to the disk, and its declared
// size is checked before it is opened.
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";
import { transit as limits } from "#contract/limits.ts";
import { FeedRefused } from "./report.ts";

/** The files of a feed by their GTFS names: `stops.txt`. */
export interface FeedFiles {
  has(name: string): boolean;
  open(name: string): Promise<Readable>;
  close(): void;
}

/** Opens a zip or a folder; throws `FeedRefused` in French when it is neither. */
export async function openFeed(path: string): Promise<FeedFiles> {
  const about = await stat(path).catch(() => null);
  if (!about) throw new FeedRefused(`Il n'y a rien à l'adresse ${path}.`);
  if (about.isDirectory()) return await folderFeed(path);
  if (about.size > limits.packedBytes) throw new FeedRefused("L'archive dépasse 1 Go.");
  return await zipFeed(path);
}

/** A feed given as the texts of its files. */
export function textFeed(texts: Readonly<Record<string, string>>): FeedFiles {
  return {
    has: (name) => texts[name] !== undefined,
    open: async (name) => Readable.from([Buffer.from(texts[name] ?? "")]),
    close: () => {},
  };
}

async function folderFeed(path: string): Promise<FeedFiles> {
  const names = new Set(await readdir(path));
  let bytes = 0;
  for (const name of names) bytes += (await stat(join(path, name))).size;
  if (bytes > limits.unpackedBytes) throw new FeedRefused("Les fichiers dépassent 4 Go.");
  return {
    has: (name) => names.has(name),
    open: async (name) => createReadStream(join(path, name)),
    close: () => {},
  };
}

async function zipFeed(path: string): Promise<FeedFiles> {
  const { open: openZip } = await import("yauzl");
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    openZip(path, { lazyEntries: true, autoClose: false }, (error, file) =>
      error ? reject(unreadable(error)) : resolve(file),
    );
  });
  try {
    const entries = await entriesOf(zip);
    return {
      has: (name) => entries.has(name),
      open: (name) => openEntry(zip, entries.get(name)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const unreadable = (error: Error) =>
  new FeedRefused(`L'archive est illisible (${error.message}).`, { cause: error });

/** Files of the top folder, or of the one folder that the zip wraps everything in. */
async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const found = new Map<string, { entry: Entry; depth: number }>();
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    zip.on("error", (error) => reject(unreadable(error)));
    zip.on("end", () => resolve());
    zip.on("entry", (entry: Entry) => {
      bytes += entry.uncompressedSize;
      const parts = entry.fileName.split("/");
      const name = parts.at(-1) ?? "";
      const known = found.get(name);
      const hidden = parts.some((part) => part.startsWith("__MACOSX") || part.startsWith("."));
      if (!hidden && name !== "" && (!known || known.depth > parts.length)) {
        found.set(name, { entry, depth: parts.length });
      }
      if (bytes > limits.unpackedBytes) {
        reject(new FeedRefused("L'archive contient plus de 4 Go une fois ouverte."));
      } else zip.readEntry();
    });
    zip.readEntry();
  });
  return new Map([...found].map(([name, { entry }]) => [name, entry]));
}

function openEntry(zip: ZipFile, entry: Entry | undefined): Promise<Readable> {
  return new Promise((resolve, reject) => {
    if (!entry) return reject(new FeedRefused("Un fichier manque dans l'archive."));
    // An entry larger than declared ends with an error: the limit above really holds.
    zip.openReadStream(entry, (error, stream) =>
      error ? reject(unreadable(error)) : resolve(stream),
    );
  });
}
