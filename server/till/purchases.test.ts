// A till purchase as its holder reads it later: the receipt, for them and for a child's guardians alone.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf } from "#contract/reference.ts";
import { inTx } from "#server/db/db.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { grant } from "#server/wallet/wallet.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { printedLines } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let partner: string;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const as = async (name: CastName): Promise<Client> => await server.as(name);
const sell = async (amountCents: number, name: "guardian" | "child" = "guardian") => {
  server.clock.advance(61_000);
  const [shop, holder] = await Promise.all([as("partnerShop"), as("guardian")]);
  const { token } = (await holder.get(`/api/cards/${cast[name].cardnumber}/qr`)).body;
  const sale = { id: randomUUID(), partner, amountCents, token, label: "Un roman" };
  const { body, text } = await shop.post("/api/till/sales", sale);
  expect(body.state, text).toBe("paid");
  return sale.id;
};
const receipt = async (sale: string, name: CastName = "guardian") =>
  await printedLines(server, `/api/till/purchases/${sale}/receipt.pdf`, await as(name));
const movementsOf = async (cardnumber: number) => {
  const camille = await as("guardian");
  const [wallet] = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items;
  return (await camille.get(`/api/wallets/${wallet.objectID}/movements`)).body.items;
};

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
    const aid = { walletId, amountCents: 300, label: "Aide", expiresOn: null, key: "receipt" };
    await grant(tx, { ...aid, at: server.clock.now() });
  });
  await query(
    `update company set name = 'SARL Les Embruns', siren = '732829320', siret = '73282932000074'
      where id = (select company_id from partner where id = $1)`,
    partner,
  );
});
afterAll(() => server.close());

test("GET /api/till/purchases: what was bought, what paid it, and its paper", async () => {
  const sale = await sell(1250);
  const { body } = await (await as("guardian")).get(`/api/till/purchases/${sale}`);
  expect(body).toMatchObject({
    state: "paid",
    partner: "Librairie des Embruns",
    company: { name: "SARL Les Embruns", siret: "73282932000074" },
    label: "Un roman",
    last4: "0016",
    cashier: "Librairie des Embruns",
    amountCents: 1250,
    discountCents: 62,
    paidCents: 1188,
    returns: [],
  });
  expect(body.paidWith.map(({ aid, amountCents }: any) => [aid, amountCents])).toEqual([
    [true, 300],
    [false, 888],
  ]);
  const paper = await receipt(sale);
  for (const line of [
    "Reçu d’achat",
    referenceOf(sale),
    "SARL Les Embruns",
    "732 829 320 00074",
    "Un roman",
    "Encaissé par",
    "12,50 €",
    "− 0,62 €",
    "11,88 €",
    "3,00 €",
    "8,88 €",
  ])
    expect(paper).toContain(line);
  expect(paper.join(" ")).not.toContain(sale);
  const [line] = await movementsOf(cast.guardian.cardnumber);
  expect(line).toMatchObject({ kind: "purchase", sale });
  const [notice] = (await (await as("guardian")).get("/api/notifications")).body.items;
  expect(notice).toMatchObject({ path: `/cagnottes/achats/${sale}` });
});

// proves: sales-list
test("what is given back is on the receipt from then on, and its movement leads there too", async () => {
  const sale = await sell(1000);
  const shop = await as("partnerShop");
  const back = { amountCents: 250, refundedCents: 0 };
  expect((await shop.post(`/api/till/sales/${sale}/refund`, back)).status).toBe(200);
  const part = await receipt(sale);
  for (const line of ["Remboursé en partie", "− 2,50 €", "Reste payé", "7,00 €"])
    expect(part).toContain(line);
  expect((await movementsOf(cast.guardian.cardnumber))[0]).toMatchObject({ kind: "refund", sale });
  const rest = { amountCents: 700, refundedCents: 250 };
  expect((await shop.post(`/api/till/sales/${sale}/refund`, rest)).body.state).toBe("refunded");
  const whole = await receipt(sale);
  expect(whole).toContain("Remboursé");
  expect(whole).toContain("0,00 €");
  const cancelled = await sell(500);
  await (await as("partnerShop")).post(`/api/till/sales/${cancelled}/cancel`);
  expect(await receipt(cancelled)).toContain("Annulé");
});

// proves: sales-list
test("a child's is read by the child and its guardians, by nobody else; none before it is paid", async () => {
  const sale = await sell(300, "child");
  for (const name of ["child", "guardian", "coGuardian"] as const) {
    const { status, body } = await (await as(name)).get(`/api/till/purchases/${sale}`);
    expect([name, status, body.paidCents]).toEqual([name, 200, 285]);
  }
  for (const name of ["stranger", "partnerShop"] as const) {
    const client = await as(name);
    expect((await client.get(`/api/till/purchases/${sale}`)).status).toBe(404);
    expect((await client.get(`/api/till/purchases/${sale}/receipt.pdf`)).status).toBe(404);
  }
  expect((await movementsOf(cast.child.cardnumber))[0]).toMatchObject({ sale });
  const request = {
    id: randomUUID(),
    partner,
    amountCents: 400,
    cardnumber: cast.guardian.cardnumber,
  };
  expect((await (await as("partnerShop")).post("/api/till/sales", request)).body.state).toBe(
    "requested",
  );
  const camille = await as("guardian");
  expect((await camille.get(`/api/till/purchases/${request.id}`)).status).toBe(404);
});
