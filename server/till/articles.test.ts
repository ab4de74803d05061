// The price list of a shop's tills over HTTP: who keeps it, its bounds, and the lines that sales keep of it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { articles as limits } from "#contract/till/limits.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let partner: string;
const list = "/api/till/articles";

beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  await furnishDirectory(server.deps);
  const [{ id }] = await query("select id from partner where reference = 'librairie-des-embruns'");
  partner = id;
});
beforeEach(async () => {
  // A minute later each time: a card's QR is another one.
  server.clock.advance(61_000);
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
  await query("delete from till_article");
});
afterAll(() => server.close());

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const qr = async (): Promise<string> =>
  (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body.token;
const balance = async (): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0]
    .balanceCents;
const add = (name: string, priceCents: number, shelf: string | null = null, client = shop) =>
  client.post(list, { name, priceCents, shelf });
const names = async (client = shop): Promise<string[]> =>
  (await client.get(list)).body.items.map(({ name }: { name: string }) => name);
const charge = async (more: object) =>
  shop.post("/api/till/sales", { id: randomUUID(), partner, token: await qr(), ...more });
const inRole = async <T>(role: string, act: () => Promise<T>): Promise<T> => {
  const member = "person_id = (select person_id from card where number = $1)";
  const shopNumber = cast.partnerShop.cardnumber;
  await query(`update company_member set roles = array[$2] where ${member}`, shopNumber, role);
  try {
    return await act();
  } finally {
    await query(`update company_member set roles = '{owner}' where ${member}`, shopNumber);
  }
};

describe("the list", () => {
  test("is kept in its order, with a heading, and an article may be off the keys", async () => {
    expect((await add(" Café ", 180, " Comptoir ")).status).toBe(201);
    await add("Thé", 250);
    const { items } = (await add("Cahier", 240)).body;
    expect(items).toEqual([
      { id: expect.any(String), name: "Café", priceCents: 180, shelf: "Comptoir", active: true },
      { id: expect.any(String), name: "Thé", priceCents: 250, shelf: null, active: true },
      { id: expect.any(String), name: "Cahier", priceCents: 240, shelf: null, active: true },
    ]);
    const [coffee, tea, book] = items.map(({ id }: { id: string }) => id);
    expect(
      (await shop.post(`${list}-order`, { articles: [book, coffee, book] })).body.items.map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual([book, coffee, tea]);
    const changed = { name: "Thé vert", priceCents: 260, shelf: "Comptoir", active: false };
    await shop.post(`${list}/${tea}`, changed);
    expect((await shop.get(list)).body.items[2]).toEqual({ id: tea, ...changed });
    await shop.post(`${list}/${book}/remove`);
    expect(await names()).toEqual(["Café", "Thé vert"]);
  });

  test("bears a name once, a price of a cent at least, and so many articles", async () => {
    await add("Café", 180);
    const twin = await add("Café", 200);
    expect([twin.status, twin.body.code]).toEqual([409, "till_article_taken"]);
    for (const bad of [
      { name: " ", priceCents: 100, shelf: null },
      { name: "Gratuit", priceCents: 0, shelf: null },
      { name: "Cher", priceCents: 100_001, shelf: null },
      { name: "x".repeat(limits.nameLength + 1), priceCents: 100, shelf: null },
    ]) {
      expect((await shop.post(list, bad)).body.code).toBe("invalid_input");
    }
    expect(await names()).toEqual(["Café"]);
    await query(
      `insert into till_article (company_id, name, price_cents, position)
       select company_id, 'Article ' || n, 100, 1 + n from till_article, generate_series(1, $1) n`,
      limits.max - 1,
    );
    const full = await add("Un de trop", 100);
    expect([full.status, full.body.code]).toEqual([409, "till_articles_full"]);
    expect(await names()).toHaveLength(limits.max);
  });

  test("is the company's own: another one reads, changes and orders nothing of it", async () => {
    const [{ id }] = (await add("Café", 180)).body.items;
    const canteen = await server.as("canteenProvider");
    expect(await names(canteen)).toEqual([]);
    const change = { name: "Volé", priceCents: 1, shelf: null, active: true };
    for (const sent of [
      canteen.post(`${list}/${id}`, change),
      canteen.post(`${list}/${id}/remove`),
      canteen.post(`${list}-order`, { articles: [id] }),
    ]) {
      expect((await sent).status).toBe(404);
    }
    expect((await add("Café", 300, null, canteen)).status).toBe(201);
    expect(await names()).toEqual(["Café"]);
    expect((await shop.get(list)).body.items[0].priceCents).toBe(180);
  });

  test("is read by whoever charges, and kept by the owner alone", async () => {
    const [{ id }] = (await add("Café", 180)).body.items;
    for (const role of ["cashier", "accountant"]) {
      await inRole(role, async () => {
        expect(await names()).toEqual(["Café"]);
        const refused = await Promise.all([
          add("Thé", 100),
          shop.post(`${list}/${id}/remove`),
          shop.post(`${list}-order`, { articles: [id] }),
        ]);
        expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill("company_role"));
      });
    }
    await inRole("kitchen", async () => {
      expect((await shop.get(list)).body.code).toBe("company_role");
    });
    expect(await names()).toEqual(["Café"]);
  });
});

describe("a sale of articles", () => {
  const lines = [
    { name: "Café", priceCents: 180, count: 2 },
    { name: "Part de gâteau", priceCents: 320, count: 1 },
  ];

  test("keeps its lines for the till, its file, the holder and their receipt", async () => {
    const before = await balance();
    const id = randomUUID();
    const sold = (await charge({ id, amountCents: 780, lines })).body;
    expect(sold).toMatchObject({ state: "paid", paidCents: 780, lines });
    expect(await balance()).toBe(before - 780);
    const found = (await shop.get(`/api/till/sales?partner=${partner}&q=gâteau`)).body.items;
    expect(found).toMatchObject([{ id, lines }]);
    const file = (await shop.get(`/api/till/sales.csv?partner=${partner}`)).text;
    expect(file).toContain("2\u00a0× Café, 1\u00a0× Part de gâteau");
    expect((await camille.get(`/api/till/purchases/${id}`)).body).toMatchObject({ lines });
    const receipt = await camille.get(`/api/till/purchases/${id}/receipt.pdf`);
    expect(receipt.status).toBe(200);
  });

  test("keeps the price that it was made at when the list changes afterwards", async () => {
    const [{ id: article }] = (await add("Café", 180)).body.items;
    const sale = (await charge({ amountCents: 180, lines: [{ ...lines[0], count: 1 }] })).body.id;
    await shop.post(`${list}/${article}`, {
      name: "Café double",
      priceCents: 220,
      shelf: null,
      active: true,
    });
    await shop.post(`${list}/${article}/remove`);
    expect((await shop.get(`/api/till/sales/${sale}`)).body.lines).toEqual([
      { name: "Café", priceCents: 180, count: 1 },
    ]);
  });

  test("is refused where its articles are more than its amount, and takes nothing", async () => {
    const before = await balance();
    const id = randomUUID();
    const refused = await charge({ id, amountCents: 679, lines });
    expect([refused.status, refused.body.code]).toEqual([422, "till_lines"]);
    const many = Array.from({ length: limits.lines + 1 }, () => ({ ...lines[0], count: 1 }));
    expect((await charge({ amountCents: 50_000, lines: many })).body.code).toBe("invalid_input");
    expect(await balance()).toBe(before);
    expect((await shop.get(`/api/till/sales/${id}`)).status).toBe(404);
  });

  const offline = async (more: object) => {
    const at = server.clock.now().toISOString();
    const made = { id: randomUUID(), partner, token: await qr(), soldAt: at, knownAt: at };
    return { ...made, amountCents: 680, lines, ...more };
  };

  test("made without network keeps them, sent once or twice, and so does one that nothing paid", async () => {
    const made = await offline({});
    const send = (charges: object[]) => shop.post("/api/till/offline", { charges });
    const { body } = await send([made]);
    expect(body.items).toMatchObject([{ id: made.id, conflict: null, sale: { lines } }]);
    expect((await send([made])).body).toEqual(body);
    server.clock.advance(61_000);
    const withdrawn = await offline({ withdrawnWhy: "Article rendu" });
    await send([withdrawn]);
    const losses = (await shop.get("/api/till/offline")).body.items;
    expect(losses).toMatchObject([{ id: withdrawn.id, conflict: "withdrawn", lines }]);
    expect((await shop.get("/api/till/offline.csv")).text).toContain("2\u00a0× Café");
    server.clock.advance(61_000);
    const wrong = await offline({ amountCents: 10 });
    expect((await send([wrong])).body.items).toMatchObject([
      { id: wrong.id, conflict: null, sale: { lines: [], amountCents: 10 } },
    ]);
  });
});

test("the day of a counter is its own in Paris: what was paid, and what was given back", async () => {
  await query(
    "update till_sale set paid_at = paid_at - interval '3 days', requested_at = requested_at - interval '3 days'",
  );
  await query("update till_return set at = at - interval '3 days'");
  const today = async () => (await shop.get(`/api/till/today?partner=${partner}`)).body;
  expect(await today()).toEqual({ sales: 0, paidCents: 0, returnedCents: 0 });
  const { id } = (await charge({ amountCents: 500 })).body;
  server.clock.advance(61_000);
  await charge({ amountCents: 250 });
  await shop.post(`/api/till/sales/${id}/refund`, { amountCents: 120, refundedCents: 0 });
  expect(await today()).toEqual({ sales: 2, paidCents: 750, returnedCents: 120 });
  const canteen = await server.as("canteenProvider");
  expect((await canteen.get(`/api/till/today?partner=${partner}`)).status).toBe(404);
});
