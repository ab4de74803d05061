// A closing as PDF and as CSV: the values stored when it was closed, whatever changes since.
import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { grant } from "#server/wallet/wallet.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { printedLines } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let partner: string;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const sell = async (amountCents: number): Promise<string> => {
  server.clock.advance(61_000);
  shop = await server.as("partnerShop");
  const camille = await server.as("guardian");
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const id = randomUUID();
  const { body, text } = await shop.post("/api/till/sales", { id, partner, amountCents, token });
  expect(body.state, text).toBe("paid");
  return id;
};
const close = async () => (await shop.post("/api/till/closings", { partner })).body;
const csv = async (filter: Record<string, string>): Promise<string[][]> => {
  const search = new URLSearchParams({ partner, ...filter }).toString();
  const { text, status } = await shop.get(`/api/till/closings.csv?${search}`);
  expect(status, text).toBe(200);
  return parse(text, { delimiter: ";", bom: true, relax_column_count: true });
};
const paper = (number: number) =>
  printedLines(server, `/api/till/closings/${number}/closing.pdf?partner=${partner}`, shop);

beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  ({ partner } = await furnishDirectory(server.deps));
  await inTx(server.deps.db, async (tx) => {
    const terms = { discountPercent: 5, commissionBasisPoints: 0, operator: "alice" };
    await writeTerms(tx, { ...terms, reference: "librairie-des-embruns", at: new Date(0) });
    const [{ id: walletId }] = await query(
      `select w.id from wallet w join card c on c.person_id = w.person_id
        where c.number = $1 and w.group_id = 1`,
      cast.guardian.cardnumber,
    );
    const aid = { walletId, amountCents: 300, label: "Aide", expiresOn: null, key: "closing" };
    await grant(tx, { ...aid, at: server.clock.now() });
  });
  await query(
    "update company set siret = siren || '00011' where id = (select company_id from partner where id = $1)",
    partner,
  );
});
afterAll(() => server.close());

// proves: till-closing
test("a closing keeps its totals by cashier and by means of payment, which agree", async () => {
  // The aid of 3,00 € pays first: 9,50 € after the discount, then 1,90 €.
  const sale = await sell(1000);
  await sell(200);
  const back = { amountCents: 700, refundedCents: 0 };
  expect((await shop.post(`/api/till/sales/${sale}/refund`, back)).status).toBe(200);
  const closed = await close();
  expect(closed).toMatchObject({
    number: 1,
    cashiers: [{ sales: 2, paidCents: 1140, discountCents: 60, returnedCents: 700 }],
    means: [
      { name: "Cagnotte principale", aid: false, paidCents: 840, returnedCents: 650 },
      { name: "Cagnotte principale", aid: true, paidCents: 300, returnedCents: 50 },
    ],
  });
  const { items } = (await shop.get(`/api/till/closings?partner=${partner}`)).body;
  expect(items).toEqual([closed]);
});

test("its PDF says the shop, the span and every total", async () => {
  const words = await paper(1);
  for (const part of [
    "Clôture de caisse n° 1",
    "Librairie des Embruns",
    "SIRET",
    "première vente",
    "Ventes avant remise",
    "12,00 €",
    "− 0,60 €",
    "11,40 €",
    "− 7,00 €",
    "Encaissé moins rendu",
    "4,40 €",
    "Cagnotte principale (aide)",
    "3,00 €",
  ])
    expect(words).toContain(part);
});

test("its CSV adds up line by line, and the file of some days holds those closed on them", async () => {
  const [head, total, cashier, ...means] = await csv({ number: "1" });
  const cents = (text = "") => Number(text.replace(",", ""));
  const at = (name: string) => head?.indexOf(name) ?? -1;
  expect(total?.slice(at("Ligne"))).toEqual([
    "Total",
    "",
    "2",
    "12,00",
    "-0,60",
    "11,40",
    "-7,00",
    "4,40",
  ]);
  expect(cashier?.slice(at("Ligne"))).toEqual([
    "Encaisseur",
    "Librairie des Embruns",
    ...(total?.slice(at("Nombre de ventes")) ?? []),
  ]);
  for (const name of ["Encaissé (€)", "Rendu (€)", "Encaissé moins rendu (€)"]) {
    const sum = means.reduce((all, line) => all + cents(line[at(name)]), 0);
    expect(sum, name).toBe(cents(total?.[at(name)]));
  }
  const first = parisDay(server.clock.now());
  server.clock.advance(2 * 86_400_000);
  await sell(100);
  expect(await close()).toMatchObject({ number: 2 });
  const numbers = async (filter: Record<string, string>) => [
    ...new Set((await csv(filter)).slice(1).map(([number]) => number)),
  ];
  expect(await numbers({})).toEqual(["2", "1"]);
  expect(await numbers({ to: first })).toEqual(["1"]);
  expect(await numbers({ from: addDays(first, 1) })).toEqual(["2"]);
  expect(await numbers({ from: addDays(first, 1), to: addDays(first, 1) })).toEqual([]);
});

// proves: till-closing
test("a shop that takes another name keeps the one under which it closed", async () => {
  await query("update partner set name = 'Papeterie' where id = $1", partner);
  expect(await paper(1)).not.toContain("Papeterie");
  expect((await csv({ number: "1" }))[1]).toContain("Librairie des Embruns");
  // One that was closed before shop and means were stored: the shop as it is now, without means.
  await query("update till_closing set shop = null, means = null where number = 1");
  const words = await paper(1);
  expect(words).toContain("Papeterie");
  expect(words).toContain("Cette clôture a été faite avant que ces totaux soient gardés.");
});

test("unknown, another company's and a cashier's are refused", async () => {
  const path = (number: number) => `/api/till/closings/${number}/closing.pdf?partner=${partner}`;
  expect((await shop.get(path(99))).status).toBe(404);
  const other = await server.as("canteenProvider");
  expect((await other.get(path(1))).status).toBe(404);
  expect((await other.get(`/api/till/closings.csv?partner=${partner}`)).status).toBe(404);
  await query("update company_member set roles = '{cashier}'");
  for (const refused of [path(1), `/api/till/closings.csv?partner=${partner}`])
    expect((await shop.get(refused)).body.code).toBe("company_role");
});
