// The signed codes, verified as a controller without network does: with the public key and the signed
// revocation list, and nothing else.
import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type CodeKind, codeKinds, codePurpose } from "#contract/signed-codes/kinds.ts";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { codeSigner, revokeCodes, signedCodeTasks, verifyCode } from "./signed-codes.ts";

let server: TestServer;
let shop: Client;
const id = "0b7e1c52-6a52-4a7e-9d0f-3f9d1b2a4c55";
const kinds = Object.keys(codeKinds) as CodeKind[];
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  shop = await server.as("partnerShop");
});

const inSeconds = (count: number) =>
  new Date(Math.floor(server.clock.now().getTime() / 1000 + count) * 1000);
const signed = async (kind: CodeKind, revision = 1) =>
  (await codeSigner(server.deps.db, kind))({
    id,
    revision,
    from: inSeconds(-60),
    until: inSeconds(60),
  });
async function publicKey(): Promise<{ keyId: string; key: KeyObject }> {
  const { body } = await server.anonymous.get("/api/signed-codes/keys");
  const [{ keyId, publicKey: spki }] = body.keys;
  const key = Buffer.from(spki, "base64url");
  return { keyId, key: createPublicKey({ key, format: "der", type: "spki" }) };
}
async function list(): Promise<[string, string, number][]> {
  const { body } = await shop.get("/api/signed-codes/revocations");
  const { keyId, key } = await publicKey();
  const text = Buffer.from(`ma-carte revocations 1\0${body.payload}`);
  expect(verify(null, text, key, Buffer.from(body.signature, "base64url"))).toBe(true);
  expect(body.keyId).toBe(keyId);
  return JSON.parse(body.payload).revoked;
}

test("GET /api/signed-codes/keys verifies a code of every kind, all under one key id", async () => {
  const { keyId, key } = await publicKey();
  for (const kind of kinds) {
    const token = await signed(kind);
    const bytes = Buffer.from(token.slice(4), "base64url");
    expect(bytes.subarray(0, 4).toString("base64url")).toBe(keyId);
    const text = Buffer.concat([Buffer.from(codePurpose(kind)), bytes.subarray(0, 30)]);
    expect(verify(null, text, key, bytes.subarray(30))).toBe(true);
    expect(await verifyCode(server.deps.db, kind, token)).toMatchObject({ id, revision: 1 });
  }
});

test("a code of one kind is never one of another, whatever mark it bears", async () => {
  for (const kind of kinds) {
    const token = await signed(kind);
    for (const other of kinds.filter((one) => one !== kind)) {
      expect(await verifyCode(server.deps.db, other, token)).toBeNull();
      const marked = codeKinds[other] + token.slice(4);
      expect(await verifyCode(server.deps.db, other, marked)).toBeNull();
    }
  }
});

test.each(kinds)("no %s code with one bit flipped is taken", async (kind) => {
  const bytes = Buffer.from(await signed(kind), "latin1");
  let forged = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (await verifyCode(server.deps.db, kind, copy.toString("latin1"))) forged += 1;
  }
  expect(forged).toBe(0);
});

test("GET /api/signed-codes/revocations names what was revoked until it is past, none good again after 0", async () => {
  const revoke = (firstGood: number) =>
    inTx(server.deps.db, (tx) =>
      revokeCodes(tx, "pass", [{ id, firstGood, until: inSeconds(3600) }]),
    );
  const mine = async () => (await list()).filter(([, one]) => one === id);
  expect(await mine()).toEqual([]);
  await revoke(3);
  await revoke(2);
  expect(await mine()).toEqual([["pass", id, 3]]);
  await revoke(0);
  await revoke(4);
  expect(await mine()).toEqual([["pass", id, 0]]);
  server.clock.advance(3_601_000);
  shop = await server.as("partnerShop");
  expect(await mine()).toEqual([]);
  await signedCodeTasks(server.deps).forget_revocations();
  expect((await server.deps.pool.query("select from revoked_code")).rows).toEqual([]);
  expect((await (await server.as("stranger")).get("/api/signed-codes/revocations")).status).toBe(
    403,
  );
});

test("a suspended card's code is on the list for the minute that it would last", async () => {
  const camille = await server.as("guardian");
  const { rows } = await server.deps.pool.query("select object_id from card where number = $1", [
    cast.guardian.cardnumber,
  ]);
  const entry = ["card", rows[0].object_id, 0];
  expect((await camille.post(`/api/cards/${cast.guardian.cardnumber}/suspend`)).status).toBe(200);
  expect(await list()).toContainEqual(entry);
  server.clock.advance(61_000);
  expect(await list()).not.toContainEqual(entry);
});
