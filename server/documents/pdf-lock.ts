// Whether a PDF opens without a password. Many are encrypted and open all the same: their author keeps readers from
// printing or changing them (ISO 32000-2, 7.6, the standard security handler).
import { createCipheriv, createHash } from "node:crypto";

/** `raw` is the file as Latin-1. True without encryption, and where the empty password opens it. */
export function opensWithoutPassword(raw: string): boolean {
  const encryption = encryptionOf(raw);
  if (encryption === null) return true;
  // Certificates, or what is no dictionary.
  if (!/\/Filter\s{0,9}\/Standard/.test(encryption)) return false;
  const revision = numberIn(encryption, "R") ?? 0;
  const user = stringIn(encryption, "U");
  if (!user || user.length < 32) return false;
  if (revision >= 5) return opensSince5(user, revision);
  const owner = stringIn(encryption, "O");
  if (!owner || owner.length < 32) return false;
  const length = revision === 2 ? 5 : (numberIn(encryption, "Length") ?? 40) / 8;
  if (!Number.isInteger(length) || length < 5 || length > 16) return false;
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE((numberIn(encryption, "P") ?? 0) | 0);
  const id = firstIdOf(raw);
  const showsMetadata = !/\/EncryptMetadata\s{1,9}false/.test(encryption);
  const more = revision >= 4 && !showsMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0);
  let key = md5(padding, owner.subarray(0, 32), permissions, id, more).subarray(0, length);
  if (revision === 2) return rc4(key, padding).equals(user.subarray(0, 32));
  for (let turn = 0; turn < 50; turn++) key = md5(key).subarray(0, length);
  let wanted = md5(padding, id);
  for (let turn = 0; turn < 20; turn++) {
    wanted = rc4(
      key.map((byte) => byte ^ turn),
      wanted,
    );
  }
  return wanted.equals(user.subarray(0, 16));
}

/** What stands in place of a password, or fills it up. */
const padding = Buffer.from(
  "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a",
  "hex",
);

const hash = (name: string, ...parts: Uint8Array[]): Buffer => {
  const sum = createHash(name);
  for (const part of parts) sum.update(part);
  return sum.digest();
};
const md5 = (...parts: Uint8Array[]): Buffer => hash("md5", ...parts);

function opensSince5(user: Buffer, revision: number): boolean {
  if (user.length < 48) return false;
  const salt = user.subarray(32, 40);
  const first = hash("sha256", salt);
  const sum = revision === 5 ? first : hardened(first);
  return sum.equals(user.subarray(0, 32));
}

/** Algorithm 2.B for the empty password. */
function hardened(first: Buffer): Buffer {
  let key = first;
  for (let turn = 0, last = 0; turn < 64 || last > turn - 32; turn++) {
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const text = Buffer.alloc(key.length * 64);
    for (let at = 0; at < text.length; at += key.length) key.copy(text, at);
    const scrambled = cipher.update(text);
    const rest = scrambled.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hash(rest === 0 ? "sha256" : rest === 1 ? "sha384" : "sha512", scrambled);
    last = scrambled.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

/** RC4, which OpenSSL no longer has by default. */
function rc4(key: Uint8Array, text: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
  };
  for (let index = 0, other = 0; index < 256; index++) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) & 255;
    swap(index, other);
  }
  let [one, other] = [0, 0];
  return Buffer.from(text).map((byte) => {
    one = (one + 1) & 255;
    other = (other + (state[one] ?? 0)) & 255;
    swap(one, other);
    return byte ^ (state[((state[one] ?? 0) + (state[other] ?? 0)) & 255] ?? 0);
  }) as Buffer;
}

/** Of what follows a place, as much as a dictionary of encryption takes. */
const most = 4000;

/** The dictionary of encryption that the last trailer names; null where none does. */
function encryptionOf(raw: string): string | null {
  const at = raw.lastIndexOf("/Encrypt");
  // `/EncryptMetadata` belongs to the dictionary itself.
  const named = raw.lastIndexOf("/Encrypt ") < 0 ? at : raw.lastIndexOf("/Encrypt ");
  if (named < 0) return null;
  const after = raw.slice(named + "/Encrypt".length, named + most);
  const [, number, generation] = /^\s{0,9}(\d{1,9})\s{1,9}(\d{1,9})\s{1,9}R/.exec(after) ?? [];
  if (number === undefined) return /^\s{0,9}<</.test(after) ? after : null;
  const object = new RegExp(`(?:^|[^0-9])${number}\\s{1,9}${generation}\\s{1,9}obj`).exec(raw);
  return object ? raw.slice(object.index, object.index + most) : "";
}

const numberIn = (dictionary: string, key: string): number | null => {
  const found = new RegExp(`/${key}\\s{1,9}([+-]?\\d{1,12})`).exec(dictionary);
  return found ? Number(found[1]) : null;
};

function stringIn(dictionary: string, key: string): Buffer | null {
  const found = new RegExp(`/${key}\\s{0,9}(?=[(<])`).exec(dictionary);
  return found ? readString(dictionary, found.index + found[0].length) : null;
}

function firstIdOf(raw: string): Buffer {
  const at = raw.lastIndexOf("/ID");
  const after = at < 0 ? "" : raw.slice(at + 3, at + most);
  const found = /^\s{0,9}\[\s{0,9}(?=[(<])/.exec(after);
  return (found && readString(after, found[0].length)) ?? Buffer.alloc(0);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The bytes of a string that begins at `at`: `(…)` with its escapes, or `<…>` of hexadecimal digits. */
function readString(text: string, at: number): Buffer | null {
  if (text[at] === "<") {
    const end = text.indexOf(">", at);
    return end < 0 ? null : Buffer.from(text.slice(at + 1, end).replaceAll(/\s/g, ""), "hex");
  }
  let read = "";
  let depth = 0;
  for (let place = at; place < text.length; place++) {
    const sign = text.charAt(place);
    if (sign === "\\") {
      const octal = /^[0-7]{1,3}/.exec(text.slice(place + 1, place + 4))?.[0];
      const next = text.charAt(place + 1);
      read += octal
        ? String.fromCharCode(Number.parseInt(octal, 8) & 255)
        : (escapes[next] ?? next);
      place += octal?.length ?? 1;
      continue;
    }
    if (sign === ")" && --depth === 0) return Buffer.from(read, "latin1");
    if (depth > 0) read += sign;
    if (sign === "(") depth++;
  }
  return null;
}
