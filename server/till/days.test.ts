// The days of a counter: the total of each that the list shows, and those of a month, by cashier, on screen and file.
import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf } from "#contract/reference.ts";
import type { TillDay } from "#contract/till/days.ts";
import type { TillDayTotal } from "#contract/till/sales.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { printedLines } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let partner: string;
const ids: Record<string, string> = {};
const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? "";

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const goTo = (instant: string) =>
  server.clock.advance(Date.parse(instant) - server.clock.now().getTime());
const comeAgain = async () => {
  server.clock.advance(61_000);
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
};
const charge = async (name: string, amountCents: number): Promise<void> => {
  await comeAgain();
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const sale = { id: randomUUID(), partner, amountCents, token };
  const { body, text } = await shop.post("/api/till/sales", sale);
  expect(body["state"], text).toBe("paid");
  ids[name] = sale.id;
};
const refund = async (name: string, amountCents: number, refundedCents: number) => {
  const { status, text } = await shop.post(`/api/till/sales/${ids[name]}/refund`, {
    amountCents,
    refundedCents,
  });
  expect(status, text).toBe(200);
};
const search = (filter: Record<string, string>) =>
  new URLSearchParams({ partner, ...filter }).toString();

interface SalesPage {
  items: { id: string }[];
  days: TillDayTotal[];
  next: string | null;
}
const page = async (filter: Record<string, string>, client = shop): Promise<SalesPage> => {
  const { body, status, text } = await client.get(`/api/till/sales?${search(filter)}`);
  expect(status, text).toBe(200);
  return body;
};
const days = async (filter: Record<string, string>, client = shop): Promise<TillDay[]> => {
  const { body, status, text } = await client.get(`/api/till/days?${search(filter)}`);
  expect(status, text).toBe(200);
  return (body as unknown as { items: TillDay[] }).items;
};
const file = async (path: string): Promise<string[][]> => {
  const { text, status } = await shop.get(path);
  expect(status, text).toBe(200);
  return parse(text, { delimiter: ";", bom: true, relax_column_count: true });
};
const asCashier = async (work: () => Promise<void>) => {
  const role = (name: string) => query("update company_member set roles = array[$1]", name);
  await role("cashier");
  try {
    await work();
  } finally {
    await role("owner");
  }
};
const name = "Librairie des Embruns";

// Fridays a week apart over the end of a month, then a Monday and the Tuesday after it.
beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  server.clock.freeze();
  goTo("2027-10-29T10:00:00Z");
  ({ partner } = await furnishDirectory(server.deps));
  await charge("october", 400);
  goTo("2027-11-05T11:00:00Z");
  await charge("friday", 600);
  goTo("2027-11-22T11:00:00Z");
  await charge("first", 500);
  await charge("part", 700);
  await refund("part", 200, 0);
  goTo("2027-11-23T11:00:00Z");
  await charge("last", 300);
  await charge("cancelled", 410);
  expect((await shop.post(`/api/till/sales/${ids["cancelled"]}/cancel`)).status).toBe(200);
  await comeAgain();
  ids["requested"] = randomUUID();
  const { cardnumber } = cast.guardian;
  const byNumber = { id: ids["requested"], partner, amountCents: 990, cardnumber };
  expect((await shop.post("/api/till/sales", byNumber)).status).toBe(200);
});
afterAll(() => server.close());

const tuesday = { day: "2027-11-23", sales: 2, paidCents: 710, refundedCents: 410 };
const monday = { day: "2027-11-22", sales: 2, paidCents: 1200, refundedCents: 200 };
const friday = { day: "2027-11-05", sales: 1, paidCents: 600, refundedCents: 0 };
const october = { day: "2027-10-29", sales: 1, paidCents: 400, refundedCents: 0 };

// proves: sales-by-day
test("each day of the list has its total, whole wherever a page ends", async () => {
  expect((await page({})).days).toEqual([tuesday, monday, friday, october]);
  const seen: [names: string, days: TillDayTotal[]][] = [];
  for (let before: string | null | undefined; before !== null;) {
    const { items, days: totals, next } = await page({ limit: "2", ...(before && { before }) });
    seen.push([items.map(({ id }) => nameOf(id)).join(), totals]);
    before = next;
  }
  expect(seen).toEqual([
    ["requested,cancelled", [tuesday]],
    ["last,part", [tuesday, monday]],
    ["first,friday", [monday, friday]],
    ["october", [october]],
  ]);
});

// proves: sales-by-day
test("a total counts what the search finds, and nothing else of its day", async () => {
  expect((await page({ state: "part" })).days).toEqual([
    { ...monday, sales: 1, paidCents: 700, refundedCents: 200 },
  ]);
  expect((await page({ state: "requested" })).days).toEqual([
    { ...tuesday, sales: 0, paidCents: 0, refundedCents: 0 },
  ]);
  expect((await page({ q: "5,00" })).days).toEqual([
    { ...monday, sales: 1, paidCents: 500, refundedCents: 0 },
  ]);
  expect((await page({ from: "2027-11-01", to: "2027-11-22" })).days).toEqual([monday, friday]);
  expect((await page({ cashier: String(cast.guardian.cardnumber) })).days).toEqual([]);
});

test("a sale asked before midnight and paid after it counts on the day that the list shows", async () => {
  const [before] = await query(
    "select requested_at, paid_at from till_sale where id = $1",
    ids["first"],
  );
  const write = (requestedAt: unknown, paidAt: unknown) =>
    query(
      "update till_sale set requested_at = $2, paid_at = $3 where id = $1",
      ids["first"],
      requestedAt,
      paidAt,
    );
  await write("2027-11-21T22:58:00Z", "2027-11-21T23:01:00Z");
  expect((await page({})).days).toEqual([tuesday, monday, friday, october]);
  const [, seen] = await days({ month: "2027-11" });
  expect(seen).toMatchObject({ day: "2027-11-22", cashiers: [{ sales: 2, paidCents: 1200 }] });
  await write(before.requested_at, before.paid_at);
});

// proves: sales-by-day
test("the file of a search is its list: the same sales in the same order, the same sums", async () => {
  const filters: Record<string, string>[] = [
    {},
    { state: "part" },
    { from: "2027-11-22", to: "2027-11-22" },
    { q: "0016" },
  ];
  for (const filter of filters) {
    const [head = [], ...rows] = await file(`/api/till/sales.csv?${search(filter)}`);
    const { items, days: totals } = await page(filter);
    expect(rows.map((row) => row[head.indexOf("Référence")])).toEqual(
      items.map(({ id }) => referenceOf(id)),
    );
    const column = head.indexOf("Encaissé moins rendu (€)");
    const cents = rows.reduce((sum, row) => sum + Number(row[column]?.replace(",", "")), 0);
    expect(cents).toBe(
      totals.reduce((sum, { paidCents, refundedCents }) => sum + paidCents - refundedCents, 0),
    );
  }
  const part = (await file(`/api/till/sales.csv?${search({ state: "part" })}`))[1];
  expect(part?.[3]).toBe("Remboursé en partie");
});

const totals = (sales: number, paidCents: number, returnedCents = 0) => ({
  cashier: name,
  sales,
  paidCents,
  discountCents: 0,
  returnedCents,
});

// proves: sales-by-day
test("the days of a month: what went back counts when it did, beside the same weekday before", async () => {
  await refund("friday", 100, 0);
  expect(await days({ month: "2027-11" })).toEqual([
    // Today is not over: there is nothing to compare yet.
    { day: "2027-11-23", cashiers: [totals(2, 710, 510)], weekBeforeCents: null },
    { day: "2027-11-22", cashiers: [totals(2, 1200, 200)], weekBeforeCents: null },
    { day: "2027-11-05", cashiers: [totals(1, 600)], weekBeforeCents: 400 },
  ]);
  expect(await days({ month: "2027-10" })).toEqual([
    { day: "2027-10-29", cashiers: [totals(1, 400)], weekBeforeCents: null },
  ]);
  expect(await days({ month: "2027-09" })).toEqual([]);
});

test("by cashier, and of one alone", async () => {
  await query("update till_sale set cashier_id = holder_id where id = $1", ids["first"]);
  const [, seen] = await days({ month: "2027-11" });
  const hers = { ...totals(1, 500), cashier: "Camille Moreau" };
  expect(seen?.cashiers).toEqual([hers, totals(1, 700, 200)]);
  const cashier = String(cast.guardian.cardnumber);
  expect(await days({ month: "2027-11", cashier })).toEqual([
    { day: "2027-11-22", cashiers: [hers], weekBeforeCents: null },
  ]);
  await query(
    "update till_sale set cashier_id = (select cashier_id from till_sale where id = $2) where id = $1",
    ids["first"],
    ids["part"],
  );
});

// proves: sales-by-day
test("their files hold what the screen shows, under the same filters", async () => {
  const rows = await file(`/api/till/days.csv?${search({ month: "2027-11" })}`);
  expect(rows[0]?.slice(0, 4)).toEqual(["Jour", "Point de vente", "Ligne", "Nom"]);
  const monday22 = ["2", "12,00", "0,00", "12,00", "-2,00", "10,00", ""];
  expect(rows.filter(([day]) => day === "22/11/2027")).toEqual([
    ["22/11/2027", name, "Total", "", ...monday22],
    ["22/11/2027", name, "Encaisseur", name, ...monday22],
  ]);
  expect(rows.find(([day]) => day === "05/11/2027")?.at(-1)).toBe("2,00");
  expect(rows).toHaveLength(7);
  const words = await printedLines(
    server,
    `/api/till/days.pdf?${search({ month: "2027-11" })}`,
    shop,
  );
  // Paid 25,10 €, of which 7,10 € went back within the month.
  const printed = ["Novembre 2027, jour par jour", "22/11/2027", "25,10 €", "18,00 €", "+ 2,00 €"];
  for (const part of printed) expect(words).toContain(part);
  const nothing = `/api/till/days.csv?${search({ month: "2027-09" })}`;
  expect(await file(nothing)).toHaveLength(1);
  expect(
    await printedLines(server, `/api/till/days.pdf?${search({ month: "2027-09" })}`, shop),
  ).toContain("Aucune vente ni aucun remboursement ce mois-ci.");
});

test("a cashier has the totals of their own day alone, and no month; another company nothing", async () => {
  await query("update till_sale set cashier_id = holder_id where id = $1", ids["last"]);
  const paths = ["days", "days.csv", "days.pdf"].map(
    (path) => `/api/till/${path}?${search({ month: "2027-11" })}`,
  );
  await asCashier(async () => {
    expect((await page({})).days).toEqual([
      { day: "2027-11-23", sales: 1, paidCents: 410, refundedCents: 410 },
    ]);
    for (const path of paths) expect((await shop.get(path)).body["code"]).toBe("company_role");
  });
  const other = await server.as("canteenProvider");
  for (const path of paths) expect((await other.get(path)).status).toBe(404);
  for (const month of ["2027-13", "novembre", "1999-01"])
    expect((await shop.get(`/api/till/days?${search({ month })}`)).status).toBe(400);
});

test("a day that is over changes by a sale made on it without network, sent later, and by that alone", async () => {
  const paidOf = async (day: string) =>
    (await days({ month: "2027-11" }))
      .find((one) => one.day === day)
      ?.cashiers.reduce((sum, { paidCents }) => sum + paidCents, 0);
  await comeAgain();
  const before = await paidOf("2027-11-23");
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const soldAt = server.clock.now().toISOString();
  goTo("2027-11-25T11:00:00Z");
  await charge("thursday", 150);
  expect(await paidOf("2027-11-23")).toBe(before);
  const sale = { id: randomUUID(), partner, amountCents: 120, token, soldAt, knownAt: soldAt };
  const { body } = await shop.post("/api/till/offline", { charges: [sale] });
  expect(body["items"]).toMatchObject([{ conflict: null }]);
  expect(await paidOf("2027-11-23")).toBe((before ?? 0) + 120);
  expect(await paidOf("2027-11-25")).toBe(150);
});
