// The root key: where it is stored, who may read it, and the error for a database sealed with another one.
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeRootKey, unsealFor, openRootKeys, sealFor } from "#server/identity/identity.ts";
import { historyFaults, sealHistory } from "#server/ledger/seals.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { parseRootKeys } from "./root-key.ts";

let server: TestServer;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "root-key-"));
  file = join(folder, "root.key");
  server = await openTestServer({ dataDir: folder, rootKey: null, rootKeyFile: file });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Stands for another process on the same database: no key is cached. */
const elsewhere = () => server.deps.db.withSchema("public");

test("made at the first start in a file that nobody else reads, the same at the next", async () => {
  await Promise.all([1, 2, 3].map(() => openRootKeys(server.deps.db, server.deps.config)));
  const made = await readFile(file, "utf8");
  expect(parseRootKeys(made)).toHaveLength(1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await openRootKeys(server.deps.db, server.deps.config);
  expect(await readFile(file, "utf8")).toBe(made);
});

// proves: sealed-database
test("no key lies open in the database", async () => {
  const sealed = await sealFor(server.deps.db, "health", 7, "arachide");
  const rows = await server.deps.db.selectFrom("secret").select(["name", "rootId"]).execute();
  const [root] = parseRootKeys(await readFile(file, "utf8")) ?? [];
  expect(rows).toHaveLength(2);
  expect(rows.every(({ rootId: id }) => id === root?.id)).toBe(true);
  expect(await unsealFor(elsewhere(), "health", 7, sealed)).toBe("arachide");
});

// proves: sealed-database
test("changed by the operator: what was sealed opens, the seals hold, one key is left", async () => {
  const { db, config } = server.deps;
  const sealed = await sealFor(db, "health", 7, "gluten");
  await sealHistory(server.deps);
  const before = await readFile(file, "utf8");
  const { from, to } = await changeRootKey(db, config);
  expect(from).not.toBe(to);
  const after = parseRootKeys(await readFile(file, "utf8")) ?? [];
  expect(after.map(({ id }) => id)).toEqual([to]);
  expect(before).not.toContain(after[0]?.key.toString("base64url"));
  await openRootKeys(elsewhere(), config);
  expect(await unsealFor(elsewhere(), "health", 7, sealed)).toBe("gluten");
  expect(await historyFaults({ db: elsewhere(), config })).toEqual([]);
});

// proves: sealed-database
test("a file that others may read, a missing and a foreign one stop the start with a sentence", async () => {
  const { db, config } = server.deps;
  await chmod(file, 0o644);
  await expect(openRootKeys(db, config)).rejects.toThrow("chmod 600");
  await chmod(file, 0o600);
  const lost = { ...config, rootKeyFile: join(folder, "lost.key") };
  await expect(openRootKeys(db, lost)).rejects.toMatchObject({
    name: "StartProblem",
    exitCode: 78,
    message: expect.stringContaining("La clé racine manque"),
  });
  const foreign = { ...config, rootKey: Buffer.alloc(32, 9).toString("base64url") };
  await expect(openRootKeys(db, foreign)).rejects.toThrow("n'est pas celle de ce serveur");
  await expect(openRootKeys(db, { ...config, rootKey: "court" })).rejects.toThrow("32 octets");
  await openRootKeys(db, config);
});
