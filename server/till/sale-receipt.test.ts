// The receipt of a sale for who sold it: what it says and leaves out, who has it, and its sending to the holder.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf } from "#contract/reference.ts";
import { till as limits } from "#contract/till/limits.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { printedLines } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let paid: string;
let requested: string;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const paper = (sale: string) => `/api/till/sales/${sale}/receipt.pdf`;
const send = (sale: string, client = shop) => client.post(`/api/till/sales/${sale}/receipt`);
/** The receipts that left for the holder. */
const receipts = () =>
  server.outbox.filter(({ subject }) => subject === "Reçu d’achat, Librairie des Embruns");

beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  const { partner } = await furnishDirectory(server.deps);
  const camille = await server.as("guardian");
  shop = await server.as("partnerShop");
  const { cardnumber } = cast.guardian;
  const { token } = (await camille.get(`/api/cards/${cardnumber}/qr`)).body;
  paid = randomUUID();
  const sale = { id: paid, partner, amountCents: 1250, label: "Un roman", token };
  expect((await shop.post("/api/till/sales", sale)).body["state"]).toBe("paid");
  const back = { amountCents: 250, refundedCents: 0 };
  expect((await shop.post(`/api/till/sales/${paid}/refund`, back)).status).toBe(200);
  requested = randomUUID();
  const byNumber = { id: requested, partner, amountCents: 990, cardnumber };
  expect((await shop.post("/api/till/sales", byNumber)).status).toBe(200);
});
afterAll(() => server.close());

test("it says the sale and what went back, and neither the whole name, the number nor a wallet", async () => {
  const words = await printedLines(server, paper(paid), shop);
  for (const part of [referenceOf(paid), "Un roman", "12,50 €", "− 2,50 €", "10,00 €"])
    expect(words).toContain(part);
  expect(words.join("\n")).toContain("Camille M., …0016");
  expect(words.join("\n")).not.toMatch(/Moreau|1000 ?000 ?016|Cagnotte|Payé avec/);
});

test("none of a sale that was not paid, of another company, nor of a colleague's to a cashier", async () => {
  for (const refused of [await shop.get(paper(requested)), await send(requested)])
    expect([refused.status, refused.body["code"]]).toEqual([409, "till_unpaid"]);
  const other = await server.as("canteenProvider");
  expect((await other.get(paper(paid))).status).toBe(404);
  expect((await send(paid, other)).status).toBe(404);
  await query("update till_sale set cashier_id = holder_id where id = $1", paid);
  await query("update company_member set roles = '{cashier}'");
  expect((await shop.get(paper(paid))).status).toBe(404);
  expect((await send(paid)).status).toBe(404);
  expect(receipts()).toEqual([]);
  await query("update company_member set roles = '{owner}'");
});

test("sent to the holder in the portal and outside it, as often as one company may in a day", async () => {
  for (let times = 1; times <= limits.receiptsPerDay; times++) {
    expect((await send(paid)).status).toBe(200);
    expect(receipts()).toHaveLength(times);
  }
  expect(receipts()[0]?.address).toBe(cast.guardian.email);
  const camille = await server.as("guardian");
  const { items } = (await camille.get("/api/notifications")).body as unknown as {
    items: { title: string; path: string }[];
  };
  expect(items.find(({ title }) => title.startsWith("Reçu d’achat"))?.path).toBe(
    `/cagnottes/achats/${paid}`,
  );
  const refused = await send(paid);
  expect([refused.status, refused.body["code"]]).toEqual([429, "too_many_requests"]);
  expect(receipts()).toHaveLength(limits.receiptsPerDay);
});
