// A subscription paid at the provider: declined, late, twice, for an application that is no longer open; and
// one whose proofs the operator checks before it begins.
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { subscriptionCommands } from "./operator.ts";
import { pdfFile } from "#tests/pdf-file.ts";

let server: TestServer;
let hugo: Client;
beforeEach(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  hugo = await server.as("stranger");
});
afterEach(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const path = "/api/subscriptions";
const { cardnumber } = cast.stranger;
const run = async (name: string, ...args: string[]) =>
  await subscriptionCommands.find((one) => one.name === name)?.run(server.deps, args, "test");
const balance = async () => (await wallet()).balanceCents;
const wallet = async () =>
  (await hugo.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0] as {
    objectID: string;
    balanceCents: number;
  };
const read = async (id: string) => (await hugo.get(`${path}/${id}`)).body;
const first = async (name: string) => (await run(name))?.lines[0]?.split(" ")[0] ?? "";

async function ready(formula = "essentiel", proofs: string[] = []) {
  const { body } = await hugo.post(path, { cardnumber, formula });
  for (const kind of proofs) {
    await hugo.post(`${path}/${body.id}/proofs`, { kind, document: await upload(kind) });
  }
  await hugo.post(`${path}/${body.id}/holder`);
  return (await hugo.post(`${path}/${body.id}/options`, { options: [] })).body;
}

async function upload(words: string): Promise<string> {
  const sent = await hugo.post(`/api/documents?name=${words}`, pdfFile(words), {
    "content-type": "application/octet-stream",
  });
  expect(sent.status, sent.text).toBe(201);
  return sent.body.id;
}

async function pay(file: any, method = "provider") {
  const { objectID } = await wallet();
  const { revision, quote } = file;
  const payment = { method, objectID, revision, totalCents: quote.totalCents };
  return await hugo.post(`${path}/${file.id}/pay`, payment);
}

/** Plays an outcome on the payment page and lets its events arrive. */
async function play(paymentUrl: string, outcome: string) {
  await server.anonymous.post(new URL(paymentUrl).pathname, `outcome=${outcome}`, {
    "content-type": "application/x-www-form-urlencoded",
  });
  await server.runJobs();
}

// proves: subscriptions
test("paid at the provider: the money passes through the wallet, once, however often it is told", async () => {
  const file = await ready();
  const [response, again] = [await pay(file), await pay(file)];
  expect(response.body).toMatchObject({ state: "draft" });
  expect(again.body.payment).toEqual(response.body.payment);
  await play(response.body.payment.paymentUrl, "duplicate");
  expect(await read(file.id)).toMatchObject({ state: "active", payment: null });
  expect(await balance()).toBe(2500);
  expect((await hugo.get("/api/session")).body.data).toMatchObject({ isc: 1 });
  expect((await pay(file, "wallet")).body.state).toBe("active");
  expect(await balance()).toBe(2500);
});

test("declined: the file is as it was and says why; the next try is another payment", async () => {
  const file = await ready();
  const { payment } = (await pay(file)).body;
  await play(payment.paymentUrl, "declined");
  const after = await read(file.id);
  expect(after).toMatchObject({ state: "draft", step: "price", payment: null });
  expect(after.paymentFailed).toContain("rien n’a été débité");
  expect(await balance()).toBe(2500);
  const next = (await pay(after)).body.payment;
  expect(next.topUp).not.toBe(payment.topUp);
  await play(next.paymentUrl, "success");
  expect(await read(file.id)).toMatchObject({ state: "active", paymentFailed: null });
});

// proves: subscriptions
test("paid from the wallet meanwhile: the provider's money stays in the wallet", async () => {
  const file = await ready();
  const { paymentUrl } = (await pay(file)).body.payment;
  expect((await pay(file, "wallet")).body.state).toBe("active");
  expect(await balance()).toBe(100);
  await play(paymentUrl, "success");
  expect(await balance()).toBe(2500);
  const { items } = (await hugo.get(`${path}?cardnumber=${cardnumber}`)).body;
  expect(items).toHaveLength(1);
});

// proves: subscriptions
test("given up, or at another price by now: the money stays in the wallet and the file waits", async () => {
  const file = await ready();
  const { paymentUrl } = (await pay(file)).body.payment;
  await run("subscriptions price", "essentiel", "30");
  await play(paymentUrl, "success");
  expect(await read(file.id)).toMatchObject({ state: "draft", quote: { totalCents: 3000 } });
  expect(await balance()).toBe(4900);
  const other = (await pay(await read(file.id))).body.payment.paymentUrl;
  await hugo.post(`${path}/${file.id}/abandon`);
  await play(other, "success");
  expect(await read(file.id)).toMatchObject({ state: "abandoned" });
  expect(await balance()).toBe(7900);
});

test("papers are asked for, given, replaced, taken back; without them nothing goes on", async () => {
  const { body } = await hugo.post(path, { cardnumber, formula: "etudiant" });
  expect(body.proofs).toEqual([
    { kind: "photo", document: null },
    { kind: "schooling", document: null },
  ]);
  const holder = () => hugo.post(`${path}/${body.id}/holder`);
  expect((await holder()).body.code).toBe("subscription_proofs");
  const give = (kind: string, document: string) =>
    hugo.post(`${path}/${body.id}/proofs`, { kind, document });
  const [one, two] = [await upload("un"), await upload("deux")];
  expect((await give("photo", one)).body.proofs[0].document).toMatchObject({
    id: one,
    kind: "pdf",
  });
  expect((await give("photo", one)).status).toBe(200);
  expect((await give("schooling", one)).body.code).toBe("document_attached");
  expect((await give("photo", two)).body.proofs[0].document.id).toBe(two);
  expect((await hugo.get(`/api/documents/${one}`)).status).toBe(404);
  expect((await give("photo", body.id)).status).toBe(404);
  const camille = await server.as("guardian");
  expect((await camille.get(`/api/documents/${two}`)).status).toBe(404);
  await give("schooling", await upload("trois"));
  expect((await holder()).body.step).toBe("options");
  const taken = await hugo.post(`${path}/${body.id}/proofs/photo/remove`);
  expect(taken.body.proofs[0].document).toBeNull();
  const options = await hugo.post(`${path}/${body.id}/options`, { options: [] });
  expect(options.body.code).toBe("subscription_proofs");
  expect((await pay(taken.body, "wallet")).body.code).toBe("subscription_proofs");
  await hugo.post(`${path}/${body.id}/abandon`);
  const { rows } = await server.deps.pool.query("select count(*)::int as n from document");
  expect(rows[0].n).toBe(0);
});

test("papers accepted: the subscription begins; the file was shown whole to the operator", async () => {
  const paid = await pay(await ready("etudiant", ["photo", "schooling"]), "wallet");
  expect(paid.body).toMatchObject({ state: "review" });
  const total = paid.body.quote.totalCents;
  expect(await balance()).toBe(2500 - total);
  expect((await hugo.get("/api/session")).body.data).toMatchObject({ isc: 0 });
  expect((await hugo.post(path, { cardnumber, formula: "essentiel" })).body.code).toBe(
    "subscription_closed",
  );
  const number = await first("subscriptions list");
  const sheet = (await run("subscriptions show", number))?.lines.join("\n");
  expect(sheet).toMatch(/Hugo Petit.*Certificat de scolarité : schooling\.pdf/s);
  expect((await run("subscriptions approve", number))?.ok).toBe(true);
  expect((await run("subscriptions approve", number))?.ok).toBe(false);
  expect((await run("subscriptions refuse", number, "non"))?.ok).toBe(false);
  expect(await read(paid.body.id)).toMatchObject({ state: "active" });
  expect((await hugo.get("/api/session")).body.data).toMatchObject({ isc: 1 });
  expect(await balance()).toBe(2500 - total);
  expect((await run("subscriptions show", "99999"))?.ok).toBe(false);
});

test("subscriptions approve: the quotient of the attestation becomes the household's, else nothing begins", async () => {
  const paid = await pay(await ready("solidaire", ["quotient"]), "wallet");
  const number = await first("subscriptions list");
  const rights = async () => (await hugo.get("/api/family/rights")).body.people[0].proofs;
  for (const wrong of [[], ["beaucoup"], ["501"]]) {
    expect((await run("subscriptions approve", number, ...wrong))?.ok).toBe(false);
  }
  expect(await read(paid.body.id)).toMatchObject({ state: "review" });
  expect(await rights()).toEqual([]);
  expect((await run("subscriptions approve", number, "480"))?.ok).toBe(true);
  expect(await read(paid.body.id)).toMatchObject({ state: "active" });
  expect(await rights()).toMatchObject([
    { kind: "quotient", state: "validated", quotient: 480, sentByMe: true },
  ]);
  // Another application reads it and requires no attestation.
  expect((await hugo.post(`${path}/${paid.body.id}/cancel`)).status).toBe(200);
  const { body } = await hugo.post(path, { cardnumber, formula: "solidaire" });
  expect(body).toMatchObject({ proofs: [], conditions: [{ kind: "quotient", met: "yes" }] });
});

test("subscriptions approve: a quotient without an attestation is refused", async () => {
  const paid = await pay(await ready("etudiant", ["photo", "schooling"]), "wallet");
  const number = await first("subscriptions list");
  expect((await run("subscriptions approve", number, "480"))?.ok).toBe(false);
  expect(await read(paid.body.id)).toMatchObject({ state: "review" });
});

// proves: subscriptions
test("papers refused: the reason is read, the whole comes back, another file may begin", async () => {
  const paid = await pay(await ready("solidaire", ["quotient"]), "wallet");
  const number = await first("subscriptions list");
  expect((await run("subscriptions refuse", number, "L’attestation est trop ancienne"))?.ok).toBe(
    true,
  );
  expect(await balance()).toBe(2500);
  expect(await read(paid.body.id)).toMatchObject({
    state: "refused",
    reason: "L’attestation est trop ancienne",
  });
  const [notice] = (await hugo.get("/api/notifications")).body.items;
  expect(notice.title).toBe("Abonnement refusé");
  expect(notice.body).toContain("est refusé : L’attestation est trop ancienne. ");
  expect((await hugo.post(`${path}/${paid.body.id}/cancel`)).body.code).toBe("subscription_final");
  expect((await hugo.post(path, { cardnumber, formula: "essentiel" })).status).toBe(201);
});

test("cancelled while the papers are checked: the whole comes back, the operator finds it closed", async () => {
  const paid = await pay(await ready("solidaire", ["quotient"]), "wallet");
  const number = await first("subscriptions list");
  expect((await hugo.post(`${path}/${paid.body.id}/cancel`)).status).toBe(200);
  expect(await balance()).toBe(2500);
  expect((await run("subscriptions approve", number))?.ok).toBe(false);
});
