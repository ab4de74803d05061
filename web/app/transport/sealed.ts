// Sealed storage: what the browser keeps about a person is in local storage, encrypted with a key
// that no script can export (spec §2 "encrypted in local storage", spec.md 1). Where the browser
// refuses IndexedDB or the key, everything lives in memory, for this tab alone.
// A value opens only under its own name and owner, before its expiry.
import { spec } from "#contract/limits.ts";

const database = "ma-carte";
const store = "keys";
const keyName = "seal";
const prefix = "ma-carte.";

interface Envelope {
  iv: string;
  sealed: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export interface SealedStorage {
  /**
   * Keeps a JSON value until `expiresAt` (milliseconds since the epoch). What is past already, or wiped before it was
   * sealed, is not kept.
   */
  put: (name: string, owner: string, value: unknown, expiresAt: number) => Promise<void>;
  /** The value, or null when there is none, it is past, or it does not open. */
  get: (name: string, owner: string) => Promise<unknown>;
  remove: (name: string) => void;
  /** The names of unsent work that are kept and begin so. */
  names: (start: string) => string[];
  /** Forgets everything that was sealed but work that waits to be sent: done at logout. */
  wipe: () => void;
  /** True when values outlive this page. */
  durable: () => Promise<boolean>;
}

/** The keys that the specification names: they stand in local storage without a prefix. */
const literalKeys: readonly string[] = [spec.userKey, spec.transportKey, spec.dataCardKey];

/** Work of its owner that was not sent yet has such a name: it outlives the session. */
export const unsent = "unsent/";

/** The name under which local storage keeps a sealed value. */
const sealedKey = (name: string): string =>
  literalKeys.includes(name) || name.startsWith(unsent) ? name : prefix + name;

/** Earlier versions kept these values under a prefix: whoever is in stays in. */
function renameEarlierKeys(): void {
  const storage = getLocalStorage();
  for (const name of literalKeys) {
    const value = storage?.getItem(prefix + name);
    if (!storage || value === null || value === undefined) continue;
    if (storage.getItem(name) === null) storage.setItem(name, value);
    storage.removeItem(prefix + name);
  }
}

/** Opens the sealed storage of this browser. */
export function openSealedStorage(): SealedStorage {
  const memory = new Map<string, { owner: string; json: string; expiresAt: number }>();
  let opening: Promise<CryptoKey | null> | undefined;
  let wipes = 0;
  const key = () => (opening ??= sealingKey().catch(() => null));
  renameEarlierKeys();

  const put: SealedStorage["put"] = async (name, owner, value, expiresAt) => {
    const json = JSON.stringify(value);
    const before = wipes;
    const isOver = () => expiresAt <= Date.now() || (wipes !== before && !name.startsWith(unsent));
    const secret = await key();
    if (isOver()) return;
    if (!secret) {
      memory.set(name, { owner, json, expiresAt });
      return;
    }
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: bound(name, owner, expiresAt) },
      secret,
      new TextEncoder().encode(json),
    );
    const envelope: Envelope = {
      iv: toText(iv),
      sealed: toText(new Uint8Array(sealed)),
      expiresAt,
    };
    // A session that ended meanwhile has left nothing behind.
    if (!isOver()) localStorage.setItem(sealedKey(name), JSON.stringify(envelope));
  };

  const get: SealedStorage["get"] = async (name, owner) => {
    const secret = await key();
    if (!secret) {
      const entry = memory.get(name);
      const good = entry && entry.owner === owner && entry.expiresAt > Date.now();
      return good ? (JSON.parse(entry.json) as unknown) : null;
    }
    return unseal(secret, name, owner);
  };

  const remove = (name: string) => {
    memory.delete(name);
    getLocalStorage()?.removeItem(sealedKey(name));
  };

  const names = (start: string) =>
    [...memory.keys(), ...Object.keys(getLocalStorage() ?? {})].filter((name) =>
      name.startsWith(start),
    );

  const wipe = () => {
    wipes += 1;
    for (const name of memory.keys()) if (!name.startsWith(unsent)) memory.delete(name);
    const storage = getLocalStorage();
    for (const name of Object.keys(storage ?? {})) {
      if (name.startsWith(prefix) || literalKeys.includes(name)) storage?.removeItem(name);
    }
  };

  return { put, get, remove, names, wipe, durable: async () => (await key()) !== null };
}

async function unseal(secret: CryptoKey, name: string, owner: string): Promise<unknown> {
  const json = localStorage.getItem(sealedKey(name));
  if (json === null) return null;
  try {
    const { iv, sealed, expiresAt } = JSON.parse(json) as Envelope;
    if (!(expiresAt > Date.now())) return null;
    const plaintext = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: toBytes(iv), additionalData: bound(name, owner, expiresAt) },
      secret,
      toBytes(sealed),
    );
    return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
  } catch {
    // Altered, copied from another name or owner, or sealed by a key that is gone.
    return null;
  }
}

/** Name, owner and expiry are authenticated with the value: none can be exchanged. */
const bound = (name: string, owner: string, expiresAt: number) =>
  new TextEncoder().encode(JSON.stringify([name, owner, expiresAt]));

const toText = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Local storage, null where the browser refuses it. */
function getLocalStorage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** The browser's one key, made at first need. Two tabs that start together agree on the first. */
async function sealingKey(): Promise<CryptoKey> {
  if (!getLocalStorage()) throw new Error("no local storage");
  const db = await request(openDatabase());
  try {
    const keyStore = (mode: IDBTransactionMode) => db.transaction(store, mode).objectStore(store);
    const read = (keys: IDBObjectStore) => request<CryptoKey | undefined>(keys.get(keyName));
    const known = await read(keyStore("readonly"));
    if (known) return known;
    const use: KeyUsage[] = ["encrypt", "decrypt"];
    const fresh = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, use);
    // A transaction does not wait for a key to be made: another tab may have kept its own meanwhile.
    const keys = keyStore("readwrite");
    const first = await read(keys);
    if (first) return first;
    keys.put(fresh, keyName);
    // The login opens another page at once: a key that is written but not committed would go with this one.
    await committed(keys.transaction);
    return fresh;
  } finally {
    db.close();
  }
}

function openDatabase(): IDBOpenDBRequest {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(store));
  return opening;
}

const request = <T>(idbRequest: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    idbRequest.addEventListener("success", () => resolve(idbRequest.result));
    idbRequest.addEventListener("error", () => reject(idbRequest.error ?? new Error("IndexedDB")));
    idbRequest.addEventListener("blocked", () => reject(new Error("IndexedDB")));
  });

const committed = (work: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    work.addEventListener("complete", () => resolve());
    work.addEventListener("abort", () => reject(work.error ?? new Error("IndexedDB")));
  });
