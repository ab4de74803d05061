// A top-up charged to a saved bank card: saved only where requested and allowed, one's own alone, charged
// once per key, and never opened on the provider's page.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verify } from "#server/ledger/ledger.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let guardian: Client;
let path: string;
beforeAll(async () => {
  server = await openTestServer({ walletCapCents: 10_000_000 });
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  guardian = await server.as("guardian");
  path = await pathOf(guardian, "guardian");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

async function pathOf(client: Client, name: CastName): Promise<string> {
  const { body } = await client.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
  return `/api/wallets/${body.items[0].objectID}/top-ups`;
}
const press = async (paymentUrl: string, outcome: string, keep: boolean) => {
  await server.app.inject({
    method: "POST",
    url: new URL(paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}${keep ? "&keep=1" : ""}`,
  });
  await server.runJobs();
};
const savedMethods = async (client = guardian) => (await client.get("/api/payment-methods")).body;
const balance = async () =>
  (await guardian.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0]
    .balanceCents as number;
const charged = async () =>
  (
    await server.deps.db
      .selectFrom("topUp")
      .select(["state", "amountCents"])
      .where("paymentMethodId", "is not", null)
      .execute()
  ).map(({ state, amountCents }) => `${state} ${amountCents}`);

test("kept only when both the payer and the page said so", async () => {
  const plain = await guardian.post(path, { amountCents: 1000 });
  const page = await server.app.inject(new URL(plain.body.paymentUrl).pathname);
  expect(page.body).not.toContain("Garder ce moyen de paiement");
  await press(plain.body.paymentUrl, "success", true);
  expect(await savedMethods()).toEqual({ items: [], mayKeep: true });
  const response = await guardian.post(path, { amountCents: 1000, keep: true });
  await press(response.body.paymentUrl, "success", false);
  expect((await savedMethods()).items).toEqual([]);
  const allowed = await guardian.post(path, { amountCents: 1000, keep: true });
  await press(allowed.body.paymentUrl, "success", true);
  expect((await savedMethods()).items).toEqual([
    { id: expect.any(String), label: expect.stringContaining("4242") },
  ]);
});

test("charged once for a key, nothing to pay, credited with a receipt that names the card", async () => {
  const [method] = (await savedMethods()).items;
  const before = await balance();
  const key = randomUUID();
  const order = { amountCents: 2000, paymentMethod: method.id };
  const answers = await Promise.all(
    [1, 2, 3].map(() => guardian.post(path, order, { "idempotency-key": key })),
  );
  for (const { status, body } of answers) {
    expect([status, body.paymentUrl]).toEqual([201, null]);
    expect(body.id).toBe(answers[0]?.body.id);
  }
  await server.runJobs();
  expect(await balance()).toBe(before + 2000);
  expect(await charged()).toEqual(["credited 2000"]);
  const again = await guardian.post(path, { amountCents: 2000 }, { "idempotency-key": key });
  expect(again.body.code).toBe("idempotency_mismatch");
  expect((await guardian.get(`/api/top-ups/${answers[0]?.body.id}`)).body).toMatchObject({
    state: "credited",
    paymentUrl: null,
  });
});

test("large sums ask for a code; another's, an unknown and a forgotten card charge nothing", async () => {
  const [method] = (await savedMethods()).items;
  const before = [await balance(), await charged()];
  const large = await guardian.post(path, { amountCents: 30_000, paymentMethod: method.id });
  expect([large.status, large.body.code]).toEqual([403, "code_required"]);
  const other = await server.as("stranger");
  const theft = await other.post(await pathOf(other, "stranger"), {
    amountCents: 1000,
    paymentMethod: method.id,
  });
  expect([theft.status, theft.body.code]).toEqual([409, "payment_method_gone"]);
  expect(await savedMethods(other)).toEqual({ items: [], mayKeep: true });
  const forgotten = await guardian.post(`/api/payment-methods/${method.id}/forget`);
  expect(forgotten.status).toBe(200);
  const late = await guardian.post(path, { amountCents: 1000, paymentMethod: method.id });
  expect([late.status, late.body.code]).toEqual([409, "payment_method_gone"]);
  await server.runJobs();
  expect([await balance(), await charged()]).toEqual(before);
});

test("a bank that refuses credits nothing and says so", async () => {
  const first = await guardian.post(path, { amountCents: 1000, keep: true });
  await press(first.body.paymentUrl, "refuse_later", true);
  const [method] = (await savedMethods()).items;
  const before = await balance();
  const { body } = await guardian.post(path, { amountCents: 1500, paymentMethod: method.id });
  await server.runJobs();
  expect((await guardian.get(`/api/top-ups/${body.id}`)).body).toMatchObject({
    state: "declined",
    reason: expect.stringMatching(/\S/),
  });
  expect(await balance()).toBe(before);
});

test("who has a guardian keeps no bank card", async () => {
  const child = await server.as("child");
  expect(await savedMethods(child)).toEqual({ items: [], mayKeep: false });
  const { status, body } = await child.post(await pathOf(child, "child"), {
    amountCents: 1000,
    keep: true,
  });
  expect([status, body.code]).toEqual([409, "family_minor"]);
});
