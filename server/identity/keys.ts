// The secrets of the installation: made once, stored in the database, the same for every process.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import { type Db, inTx } from "#server/db/db.ts";
import type { Config } from "#server/process/config.ts";
import {
  missingRootKey,
  newRootKey,
  readRootKeys,
  type RootKey,
  rootKeys,
  unwrap,
  useRootKeys,
  wrap,
  writeRootKeys,
} from "#server/process/root-key.ts";

export interface Keys {
  /** Id of the signing key in the header of every token. */
  kid: string;
  sign: KeyObject;
  verify: KeyObject;
  /** Every symmetric key is derived from this one, each for one purpose. */
  root: Buffer;
}

const loaded = new WeakMap<Db, Promise<Keys>>();

/**
 * The keys of the database behind `db`: made by the first process that needs them, then read once per
 * process.
 */
export function keysOf(db: Db): Promise<Keys> {
  let keys = loaded.get(db);
  if (!keys) {
    keys = readKeys(db);
    loaded.set(db, keys);
    // A database that is down now may be back at the next call.
    keys.catch(() => loaded.delete(db));
  }
  return keys;
}

async function readKeys(db: Db): Promise<Keys> {
  const pkcs8 = await secret(db, "token_signing_key", () =>
    generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }),
  );
  const sign = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  const verify = createPublicKey(sign);
  const kid = createHash("sha256")
    .update(verify.export({ format: "der", type: "spki" }))
    .digest("base64url")
    .slice(0, 16);
  return { kid, sign, verify, root: await secret(db, "root_key", () => randomBytes(32)) };
}

/** The key stored under `name`. Two processes that start together both get the one that was first. */
async function secret(db: Db, name: string, make: () => Buffer): Promise<Buffer> {
  const found = await read(db, name);
  if (found) return found;
  const [root] = rootKeys();
  await db
    .insertInto("secret")
    .values({ name, value: wrap(root, name, make()), rootId: root.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const storedKey = await read(db, name);
  if (!storedKey) throw new Error(`secret ${name} is missing`);
  return storedKey;
}

async function read(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("secret")
    .select(["value", "rootId"])
    .where("name", "=", name)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.rootId !== null) return unwrap(rootKeyNamed(row.rootId), name, row.value);
  // Written before there was a root key: wrapped now, in place.
  const [root] = rootKeys();
  await db
    .updateTable("secret")
    .set({ value: wrap(root, name, row.value), rootId: root.id })
    .where("name", "=", name)
    .where("rootId", "is", null)
    .execute();
  return row.value;
}

function rootKeyNamed(id: string): RootKey {
  const key = rootKeys().find((one) => one.id === id);
  if (!key) throw missingRootKey(id);
  return key;
}

/**
 * Opens this installation's root key: made if neither it nor anything wrapped by one exists. Throws a
 * StartProblem when the database was sealed by another.
 */
export async function openRootKeys(db: Db, config: Config): Promise<void> {
  const wrapped = await db.selectFrom("secret").select("rootId").execute();
  const ids = wrapped.flatMap(({ rootId: id }) => (id === null ? [] : [id]));
  useRootKeys(await readRootKeys(config, ids.length === 0));
  for (const id of ids) rootKeyNamed(id);
}

/**
 * Wraps every key of the database under another root key; returns the ids of the former and the new one. The
 * file holds both until the database has changed, so that a crash in between loses no key.
 */
export async function changeRootKey(db: Db, config: Config): Promise<{ from: string; to: string }> {
  await keysOf(db);
  const [former, ...older] = rootKeys();
  const next = newRootKey();
  await writeRootKeys(config.rootKeyFile, [next, former, ...older]);
  useRootKeys([next, former, ...older]);
  await inTx(db, async (tx) => {
    const rows = await tx
      .selectFrom("secret")
      .select(["name", "value", "rootId"])
      .forUpdate()
      .execute();
    for (const { name, value, rootId: id } of rows) {
      const key = id === null ? value : unwrap(rootKeyNamed(id), name, value);
      await tx
        .updateTable("secret")
        .set({ value: wrap(next, name, key), rootId: next.id })
        .where("name", "=", name)
        .execute();
    }
  });
  await writeRootKeys(config.rootKeyFile, [next]);
  return { from: former.id, to: next.id };
}

/** 32 bytes that only this installation knows, for one purpose. */
const derivedKey = (keys: Keys, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", keys.root, "", purpose, 32));

/** Key of the chain that seals the audit trail and the journal. */
export const historyKey = async (db: Db): Promise<Buffer> =>
  derivedKey(await keysOf(db), "history seals");

/** HMAC-SHA-256 of `text` under the key of `purpose`. */
export const seal = (keys: Keys, purpose: string, text: string): Buffer =>
  createHmac("sha256", derivedKey(keys, purpose)).update(text).digest();

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM of `text` under the key of `purpose`; it opens only for the same `whose`. */
export function lock(keys: Keys, purpose: string, whose: string, text: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", derivedKey(keys, purpose), iv);
  cipher.setAAD(Buffer.from(whose));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Opens a text sealed by `lock`; throws when it was altered, or sealed for somebody else. */
export function unlock(keys: Keys, purpose: string, whose: string, sealed: Buffer): string {
  const iv = sealed.subarray(0, ivBytes);
  const opener = createDecipheriv("aes-256-gcm", derivedKey(keys, purpose), iv);
  opener.setAAD(Buffer.from(whose));
  opener.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  const text = opener.update(sealed.subarray(ivBytes + tagBytes));
  return Buffer.concat([text, opener.final()]).toString("utf8");
}
