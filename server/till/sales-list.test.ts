// The sales of a counter, found by a search and written to a file; the refunds of one.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "csv-parse/sync";
import { addDays, parisDay } from "#contract/days.ts";
import { referenceOf } from "#contract/reference.ts";
import { maxSalesInFile } from "#contract/till/sales.ts";
import { reversalCommands } from "#server/wallet/reversals-operator.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let partner: string;
/** The ids of the sales by their role in the test. */
const ids: Record<string, string> = {};

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const comeAgain = async (seconds = 61) => {
  server.clock.advance(seconds * 1000);
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
};
const charge = async (name: string, amountCents: number, label?: string): Promise<void> => {
  await comeAgain();
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const sale = { id: randomUUID(), partner, amountCents, token, ...(label && { label }) };
  const { status, text } = await shop.post("/api/till/sales", sale);
  expect(status, text).toBe(200);
  ids[name] = sale.id;
};
const search = (filter: Record<string, string>) =>
  new URLSearchParams({ partner, ...filter }).toString();
/** Names of the sales that a search finds. */
const found = async (filter: Record<string, string>, client = shop): Promise<string[]> => {
  const { body, status, text } = await client.get(`/api/till/sales?${search(filter)}`);
  expect(status, text).toBe(200);
  return body.items.map(({ id }: { id: string }) => nameOf(id));
};
const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id);
const file = async (filter: Record<string, string>): Promise<string[][]> => {
  const { text } = await shop.get(`/api/till/sales.csv?${search(filter)}`);
  return parse(text, { delimiter: ";", bom: true, relax_column_count: true });
};
const refund = (id: string | undefined, amountCents: number, refundedCents: number) =>
  shop.post(`/api/till/sales/${id}/refund`, { amountCents, refundedCents });
const asCashier = async (work: () => Promise<void>) => {
  const role = (name: string) => query("update company_member set roles = array[$1]", name);
  await role("cashier");
  try {
    await work();
  } finally {
    await role("owner");
  }
};

beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  server.clock.freeze();
  // Noon in Paris: all of it is one day.
  server.clock.advance(Date.parse("2027-11-23T11:00:00Z") - server.clock.now().getTime());
  await furnishDirectory(server.deps);
  [{ id: partner }] = await query(
    "select id from partner where reference = 'librairie-des-embruns'",
  );
  await comeAgain();
  await charge("old", 300, "=1+1");
  server.clock.advance(2 * 86_400_000);
  await charge("book", 1250, "Un roman");
  await charge("part", 700);
  expect((await refund(ids["part"], 200, 0)).status).toBe(200);
  await charge("cancelled", 410);
  expect((await shop.post(`/api/till/sales/${ids["cancelled"]}/cancel`)).status).toBe(200);
  await comeAgain();
  ids["requested"] = randomUUID();
  const byNumber = { id: ids["requested"], partner, amountCents: 990 };
  const { cardnumber } = cast.guardian;
  expect((await shop.post("/api/till/sales", { ...byNumber, cardnumber })).status).toBe(200);
});
afterAll(() => server.close());

// proves: sales-list
test("found by reference, amount, card, words, day, state and cashier", async () => {
  const all = ["requested", "cancelled", "part", "book", "old"];
  expect(await found({})).toEqual(all);
  const reference = referenceOf(ids["book"] as string);
  expect(await found({ q: reference })).toEqual(["book"]);
  expect(await found({ q: ` ${reference.replace("-", "").toLowerCase()} ` })).toEqual(["book"]);
  expect(await found({ q: "12,50" })).toEqual(["book"]);
  expect(await found({ q: "9,90 €" })).toEqual(["requested"]);
  expect(await found({ q: "roman" })).toEqual(["book"]);
  expect(await found({ q: "0016" })).toEqual(all);
  expect(await found({ q: "%" })).toEqual([]);
  expect(await found({ q: " " })).toEqual(all);
  const day = parisDay(server.clock.now());
  expect(await found({ from: day })).toEqual(all.slice(0, 4));
  expect(await found({ to: addDays(day, -1) })).toEqual(["old"]);
  expect(await found({ from: addDays(day, -2), to: addDays(day, -2), state: "paid" })).toEqual([
    "old",
  ]);
  expect(await found({ state: "part" })).toEqual(["part"]);
  expect(await found({ state: "paid" })).toEqual(["part", "book", "old"]);
  expect(await found({ state: "cancelled" })).toEqual(["cancelled"]);
  expect(await found({ state: "requested" })).toEqual(["requested"]);
  const me = String(cast.partnerShop.cardnumber);
  expect(await found({ cashier: me })).toEqual(all);
  expect(await found({ cashier: String(cast.guardian.cardnumber) })).toEqual([]);
  expect((await shop.get(`/api/till/cashiers?${search({})}`)).body.items).toEqual([
    { cardnumber: cast.partnerShop.cardnumber, name: "Librairie des Embruns" },
  ]);
  for (const wrong of [{ state: "done" }, { from: "hier" }, { cashier: "12" }])
    expect((await shop.get(`/api/till/sales?${search(wrong)}`)).status).toBe(400);
});

test("a sale asked before midnight and paid after it stands on the day that the list shows", async () => {
  const [{ requested_at: originalRequestedAt }] = await query(
    "select requested_at from till_sale where id = $1",
    ids["book"],
  );
  const at = "update till_sale set requested_at = $2, paid_at = $3 where id = $1";
  const [{ paid_at: paid }] = await query(
    "select paid_at from till_sale where id = $1",
    ids["book"],
  );
  await query(at, ids["book"], "2027-11-09T22:58:00Z", "2027-11-09T23:01:00Z");
  expect(await found({ from: "2027-11-10", to: "2027-11-10" })).toEqual(["book"]);
  expect(await found({ to: "2027-11-09" })).toEqual([]);
  await query(at, ids["book"], originalRequestedAt, paid);
});

test("the pages of a search follow each other by key", async () => {
  const page = async (before?: string) =>
    (
      await shop.get(
        `/api/till/sales?${search({ state: "paid", limit: "2", ...(before && { before }) })}`,
      )
    ).body;
  const first = await page();
  expect(first.items.map(({ id }: { id: string }) => nameOf(id))).toEqual(["part", "book"]);
  const second = await page(first.next);
  expect(second.items.map(({ id }: { id: string }) => nameOf(id))).toEqual(["old"]);
  expect(second.next).toBeNull();
});

// proves: sales-list
test("the file holds what the search finds, short references and no formula", async () => {
  const [head, ...lines] = await file({});
  expect(head?.slice(0, 4)).toEqual(["Date", "Heure", "Référence", "État"]);
  const named = (name: string) => lines.find((line) => line[2] === referenceOf(ids[name] ?? ""));
  expect(lines).toHaveLength(5);
  expect(named("book")?.slice(3)).toEqual(
    [
      "Payé",
      "…0016",
      "Camille M.",
      "Un roman",
      "Librairie des Embruns",
      "12,50",
      "0,00",
      "0",
    ].concat("12,50", "12,50", "0,00", "12,50", "non", ""),
  );
  expect(named("part")?.slice(11)).toEqual(["7,00", "7,00", "2,00", "5,00", "non", ""]);
  // An unpaid sale is no income.
  expect(named("requested")?.slice(11)).toEqual(["9,90", "0,00", "0,00", "0,00", "non", ""]);
  expect(named("old")?.[6]).toBe("'=1+1");
  expect(lines.flat().join()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect((await file({ state: "cancelled" })).slice(1).map((line) => line[2])).toEqual([
    referenceOf(ids["cancelled"] ?? ""),
  ]);
  expect(await file({ q: "rien de tel" })).toHaveLength(1);
});

test("a file that is too long ends with a line that says so", async () => {
  await query(
    `insert into till_sale (id, partner_id, cashier_id, holder_id, cardnumber, state, amount_cents,
       discount_cents, requested_at, ended_at)
     select gen_random_uuid(), partner_id, cashier_id, holder_id, cardnumber, 'expired', 100, 0,
       timestamptz '2020-01-01' + n * interval '1 minute', requested_at
     from till_sale, generate_series(1, $2) n where id = $1`,
    ids["requested"],
    maxSalesInFile + 1,
  );
  const lines = (await file({ state: "expired" })).slice(1);
  expect(lines).toHaveLength(maxSalesInFile + 1);
  expect(lines.at(-1)?.[0]).toMatch(/^Seules les 10.000 ventes les plus récentes/);
  // A shorter period is complete, in days of Paris; the header is a line.
  expect(await file({ state: "expired", to: "2020-01-02" })).toHaveLength(47 * 60);
  await query("delete from till_sale where state = 'expired'");
});

test("a cashier finds, exports and filters by their own sales of the day alone", async () => {
  await query("update till_sale set cashier_id = holder_id where id = $1", ids["book"]);
  await asCashier(async () => {
    expect(await found({})).toEqual(["requested", "cancelled", "part"]);
    expect(await found({ q: "12,50" })).toEqual([]);
    expect(await found({ from: "2020-01-01" })).toEqual(["requested", "cancelled", "part"]);
    expect(await file({})).toHaveLength(4);
    const { items } = (await shop.get(`/api/till/cashiers?${search({})}`)).body;
    expect(items).toHaveLength(1);
    expect((await shop.get(`/api/till/sales/${ids["book"]}/returns`)).status).toBe(404);
    expect((await shop.get(`/api/till/sales/${ids["part"]}/returns`)).status).toBe(200);
  });
  expect((await shop.get(`/api/till/cashiers?${search({})}`)).body.items).toHaveLength(2);
  await query("update till_sale set cashier_id = $2 where id = $1", ids["book"], await cashierId());
  const other = await server.as("canteenProvider");
  for (const path of ["sales", "sales.csv", "cashiers"])
    expect((await other.get(`/api/till/${path}?${search({})}`)).status).toBe(404);
});

const cashierId = async () =>
  (await query("select cashier_id from till_sale where id = $1", ids["part"]))[0].cashier_id;

// proves: sales-list
test("what was given back is told with its hour and by whom, and what operators undid", async () => {
  const returns = async () => (await shop.get(`/api/till/sales/${ids["part"]}/returns`)).body;
  expect((await refund(ids["part"], 100, 200)).status).toBe(200);
  const listing = await returns();
  expect(listing).toMatchObject({
    sale: { refundedCents: 300, paidCents: 700 },
    items: [
      { amountCents: 200, by: "Librairie des Embruns" },
      { amountCents: 100, by: "Librairie des Embruns" },
    ],
    correctedCents: 0,
  });
  expect(listing.items[1].at).toBe(server.clock.now().toISOString());
  // More than the rest, and a refund decided before a colleague's.
  expect((await refund(ids["part"], 401, 300)).body.message).toMatch(
    /^C'est plus que ce qui reste à rembourser \(4,00.€\)/,
  );
  expect((await refund(ids["part"], 100, 200)).body.code).toBe("till_state");
  const command = reversalCommands.find(({ name }) => name === "reversals undo");
  const key = `till:${ids["part"]}:refund:2`;
  const [{ id }] = await query("select id from transfer where key = $1", key);
  const done = await runByTwo(server.deps, command, [String(id), "rendu deux fois"]);
  expect(done.ok, done.lines.join()).toBe(true);
  expect(await returns()).toMatchObject({ sale: { refundedCents: 200 }, correctedCents: -100 });
});
