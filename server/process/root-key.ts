// The root key: stored outside the database, so that somebody who controls only the database can neither open
// what is sealed in it nor rewrite its history. It wraps the keys stored in the database
// (server/identity/keys.ts); a new root key wraps them again and changes nothing else.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "./config.ts";
import { makeFolder } from "./make-folder.ts";
import { exitCodes, StartProblem } from "./start-problem.ts";

export interface RootKey {
  /** Names the key beside what it wrapped; discloses nothing about it. */
  id: string;
  key: Buffer;
}

/** The current one first; older ones stay while something is still wrapped by them. */
export type RootKeys = readonly [RootKey, ...RootKey[]];

const ivBytes = 12;
const tagBytes = 16;

let inUse: RootKeys | null = null;

/** The root keys of this process. */
export function rootKeys(): RootKeys {
  if (!inUse) throw new Error("the root key was not read yet");
  return inUse;
}

/** Sets the keys of this process: at the start, after a change, and in tests. */
export function useRootKeys(keys: RootKeys): void {
  inUse = keys;
}

/** Parses keys in the format of ROOT_KEY and its file: 32 bytes each in base64url, the current one first. */
export function parseRootKeys(text: string): RootKeys | null {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  if (parts.some((part) => !/^[\w-]{43}$/.test(part))) return null;
  const [first, ...rest] = parts.map((part) => rootKeyOf(Buffer.from(part, "base64url")));
  return first ? [first, ...rest] : null;
}

const rootKeyOf = (key: Buffer): RootKey => ({
  key,
  id: createHash("sha256").update("root key id").update(key).digest("hex").slice(0, 16),
});

export const newRootKey = (): RootKey => rootKeyOf(randomBytes(32));

/**
 * Reads the root key of ROOT_KEY, else of its file; with `make` it creates a missing file. Throws a
 * StartProblem with one French sentence.
 */
export async function readRootKeys(config: Config, make: boolean): Promise<RootKeys> {
  if (config.rootKey !== null) return parsed(config.rootKey, "le réglage ROOT_KEY");
  const file = config.rootKeyFile;
  for (;;) {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw problem(`La clé racine ${file} est illisible : ${error.code}.`);
    });
    if (text !== null) {
      const { mode } = await stat(file);
      if (process.platform !== "win32" && (mode & 0o077) !== 0)
        throw problem(
          `La clé racine ${file} est lisible par d'autres : «\u00a0chmod 600 ${file}\u00a0».`,
        );
      return parsed(text, `le fichier ${file}`);
    }
    if (!make)
      throw problem(
        `La clé racine manque : remettez ${file}, gardé à part des sauvegardes, ou donnez ROOT_KEY. ` +
          "Sans elle, ce que la base garde scellé ne s'ouvre pas.",
      );
    await writeNew(file, newRootKey());
  }
}

/** Replaces the content of the file with `keys`, atomically. */
export async function writeRootKeys(file: string, keys: RootKeys): Promise<void> {
  const aside = `${file}.${process.pid}.new`;
  await writeFile(aside, textOf(keys), { mode: 0o600, flush: true });
  await rename(aside, file);
}

const textOf = (keys: readonly RootKey[]): string =>
  keys.map(({ key }) => `${key.toString("base64url")}\n`).join("");

// Of two servers that start together, one creates the file and the other reads it.
async function writeNew(file: string, key: RootKey): Promise<void> {
  await makeFolder(dirname(file), 0o711).catch((error: NodeJS.ErrnoException) => {
    throw problem(`Le dossier ${dirname(file)} ne peut pas être créé : ${error.code}.`);
  });
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return null;
    throw problem(`La clé racine ne peut pas être créée dans ${file} : ${error.code}.`);
  });
  if (!handle) return;
  await handle.writeFile(textOf([key]));
  await handle.sync();
  await handle.close();
}

function parsed(text: string, where: string): RootKeys {
  const keys = parseRootKeys(text);
  if (keys) return keys;
  throw problem(`La clé racine n'est pas lisible : ${where} doit tenir 32 octets en base64url.`);
}

/** The sentence for a database whose keys were wrapped by a root key that is not here. */
export const missingRootKey = (id: string): StartProblem =>
  problem(
    `Cette base a été scellée par la clé racine ${id}, qui n'est pas celle de ce serveur : remettez son ` +
      "fichier root.key, gardé à part des sauvegardes, ou donnez ROOT_KEY.",
  );

const problem = (sentence: string) => new StartProblem(sentence, exitCodes.badSetting);

/** Wraps a key of the database under a root key (AES-256-GCM), bound to its name. */
export function wrap({ key }: RootKey, name: string, value: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Unwraps a key; throws when it was altered or has another name. */
export function unwrap({ key }: RootKey, name: string, wrapped: Buffer): Buffer {
  const opener = createDecipheriv("aes-256-gcm", key, wrapped.subarray(0, ivBytes));
  opener.setAAD(Buffer.from(name)).setAuthTag(wrapped.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([opener.update(wrapped.subarray(ivBytes + tagBytes)), opener.final()]);
}
