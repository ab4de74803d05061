// Invoices over HTTP: what the people of a company read, download and pay, and what they are refused.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { grant } from "#server/wallet/wallet.ts";
import { cast } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { issueInvoice, type NewInvoice } from "./invoices.ts";

let server: TestServer;
let shop: Client;
let companyId: string;
let otherId: string;
const today = todayInParis();

beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 10_000_000;
  [companyId, otherId] = [await companyOf("partnerShop"), await companyOf("employer")];
});
beforeEach(async () => {
  shop = await server.as("partnerShop");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const companyOf = async (name: "partnerShop" | "employer"): Promise<string> =>
  (
    await query(
      `select m.company_id as id from company_member m join card c on c.person_id = m.person_id
       where c.number = $1`,
      cast[name].cardnumber,
    )
  )[0].id;
const issue = (more: Partial<NewInvoice> = {}) =>
  inTx(server.deps.db, (tx) =>
    issueInvoice(tx, server.deps, {
      companyId,
      kind: "invoice",
      subject: { kind: "commission", id: randomUUID() },
      lines: [{ label: "Commission d’octobre", quantity: 1, unitCents: 10_000, vat: "normal" }],
      issuedOn: today,
      dueOn: addDays(today, 30),
      ...more,
    }),
  );
const asRole = async (role: "owner" | "accountant" | "cashier") =>
  await query(
    `update company_member set roles = array[$1] where person_id =
       (select person_id from card where number = $2)`,
    role,
    cast.partnerShop.cardnumber,
  );
const wallet = async (client: Client): Promise<string> =>
  (await client.get(`/api/wallets?cardnumber=${cast.partnerShop.cardnumber}`)).body.items[0]
    .objectID;

test("a company reads its own documents alone, the newest first, by pages", async () => {
  const [first, second] = [await issue(), await issue()];
  await issue({ companyId: otherId });
  const { body } = await shop.get("/api/invoices?limit=1");
  expect(body.items).toMatchObject([
    {
      id: second.id,
      number: second.number,
      kind: "invoice",
      document: "issued",
      payment: "unpaid",
      label: "Commission d’octobre",
      totalCents: 12_000,
      openCents: 12_000,
    },
  ]);
  const next = (await shop.get(`/api/invoices?limit=1&before=${body.next}`)).body;
  expect(next.items[0].id).toBe(first.id);
  expect(next.next).toBeNull();
  expect(body.toPay).toEqual({ count: 2, cents: 24_000 });
  const foreign = await (await server.as("employer")).get(`/api/invoices/${first.id}`);
  expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"]);
});

test("a cashier sees nothing of it, nor does who has no company; an accountant does", async () => {
  const { id } = await issue();
  const paths = [
    "/api/invoices",
    "/api/invoices/export",
    `/api/invoices/${id}`,
    `/api/invoices/${id}/pdf`,
    `/api/invoices/${id}/ubl`,
  ];
  await asRole("cashier");
  for (const path of paths) {
    const refused = await shop.get(path);
    expect([refused.status, refused.body.code], path).toEqual([403, "company_role"]);
  }
  const payment = { method: "wallet", objectID: await wallet(shop), totalCents: 12_000 };
  const refused = await shop.post(`/api/invoices/${id}/pay`, payment);
  expect([refused.status, refused.body.code]).toEqual([403, "company_role"]);
  await asRole("accountant");
  expect((await shop.get(paths[0] as string)).status).toBe(200);
  await asRole("owner");
  const gone =
    "delete from company_member where person_id = (select person_id from card where number = $1)";
  await query(gone, cast.canteenProvider.cardnumber);
  const without = await (await server.as("canteenProvider")).get("/api/invoices");
  expect([without.status, without.body.code]).toEqual([403, "company_missing"]);
});

test("home says how much is to pay, to who sees money alone", async () => {
  const dues = async () =>
    (await shop.get("/api/home/professional")).body.toDos.filter(
      ({ kind }: { kind: string }) => kind === "invoices_due",
    );
  const { toPay } = (await shop.get("/api/invoices")).body;
  expect(await dues()).toMatchObject([{ count: toPay.count }]);
  await asRole("cashier");
  expect(await dues()).toEqual([]);
  await asRole("owner");
});

test("filters: open, late, paid, credit notes, a year", async () => {
  const late = await issue({ issuedOn: "2025-03-01", dueOn: "2025-03-31" });
  const part = await issue({ issuedOn: "2025-04-01", dueOn: "2025-05-01" });
  const credit = await issue({
    kind: "credit_note",
    correctsId: part.id,
    issuedOn: "2025-04-02",
    dueOn: "2025-04-02",
  });
  const ids = async (search: string) =>
    (await shop.get(`/api/invoices?${search}`)).body.items.map(({ id }: { id: string }) => id);
  expect(await ids("state=late")).toEqual([late.id]);
  expect(await ids("state=open&year=2025")).toEqual([late.id]);
  expect(await ids("state=paid&year=2025")).toEqual([part.id]);
  expect(await ids("state=credit_notes")).toEqual([credit.id]);
  expect(await ids("year=2025")).toEqual([credit.id, part.id, late.id]);
  const { years, late: owed } = (await shop.get("/api/invoices")).body;
  expect(years).toContain(2025);
  expect(owed).toEqual({ count: 1, cents: 12_000 });
  const wrong = await shop.get("/api/invoices?state=lost");
  expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_input"]);

  const { body } = await shop.get(`/api/invoices/${part.id}`);
  expect(body).toMatchObject({
    document: "credited",
    payment: "paid",
    transfer: null,
    credits: [{ id: credit.id, number: credit.number, totalCents: 12_000 }],
    payments: [{ means: "credit", amountCents: 12_000, reference: credit.number }],
  });
  const note = (await shop.get(`/api/invoices/${credit.id}`)).body;
  expect(note.corrects).toEqual({ id: part.id, number: part.number });
});

test("PDF, UBL and CSV are downloaded; a formula in a label stays text", async () => {
  const { id, number } = await issue({
    lines: [{ label: "=1+1", quantity: 2, unitCents: 550, vat: "reduced" }],
  });
  const pdf = await shop.get(`/api/invoices/${id}/pdf`);
  expect(pdf.headers["content-type"]).toBe("application/pdf");
  expect(pdf.headers["content-disposition"]).toContain(`${number}.pdf`);
  const ubl = await shop.get(`/api/invoices/${id}/ubl`);
  expect(ubl.headers["content-type"]).toContain("application/xml");
  expect(ubl.text).toContain(`<cbc:ID>${number}</cbc:ID>`);
  const csv = await shop.get("/api/invoices/export");
  expect(csv.headers["content-type"]).toContain("text/csv");
  const line = csv.text.split("\r\n").find((one) => one.startsWith(number));
  expect(line).toContain(";'=1+1;11,00;0,61;11,61;11,61;Émise;À payer;");
});

describe("POST pay", () => {
  const give = async (amountCents: number) => {
    const objectID = await wallet(shop);
    await inTx(server.deps.db, async (tx) => {
      const { id } = await tx
        .selectFrom("wallet")
        .select("id")
        .where("objectId", "=", objectID)
        .executeTakeFirstOrThrow();
      const at = server.deps.now();
      const key = randomUUID();
      await grant(tx, { walletId: id, amountCents, label: "Essai", expiresOn: null, key, at });
    });
    return objectID;
  };

  test("what is open is paid once from a wallet, and both sides say so", async () => {
    const { id, number } = await issue();
    const objectID = await give(12_000);
    const payment = { method: "wallet", objectID, totalCents: 12_000 };
    const [one, two] = await Promise.all([
      shop.post(`/api/invoices/${id}/pay`, payment),
      shop.post(`/api/invoices/${id}/pay`, payment),
    ]);
    expect([one.status, two.status], one.text + two.text).toEqual([200, 200]);
    const { body } = await shop.get(`/api/invoices/${id}`);
    expect(body).toMatchObject({
      payment: "paid",
      openCents: 0,
      transfer: null,
      payments: [{ means: "checkout", amountCents: 12_000, reference: null }],
    });
    const [{ balance }] = await query(
      `select a.balance from scheme_account s join ledger_account a on a.id = s.account_id
       where s.name = 'invoices'`,
    );
    expect(Number(balance)).toBe(12_000);
    const notices = (await shop.get("/api/notifications")).body.items;
    expect(notices[0]).toMatchObject({ kind: "invoice", title: `Facture ${number} payée` });
  });

  test("another price, too little money, a credit note and another company's are refused", async () => {
    const { id } = await issue();
    const objectID = await wallet(shop);
    const codes = async (invoice: string, totalCents: number, client = shop) => {
      const body = { method: "wallet", objectID, totalCents };
      const answer = await client.post(`/api/invoices/${invoice}/pay`, body);
      return [answer.status, answer.body.code];
    };
    expect(await codes(id, 11_999)).toEqual([409, "price_changed"]);
    expect(await codes(id, 12_000)).toEqual([409, "insufficient_funds"]);
    const credit = await issue({ kind: "credit_note", correctsId: (await issue()).id });
    expect(await codes(credit.id, 12_000)).toEqual([409, "invoice_settled"]);
    expect(await codes(id, 12_000, await server.as("employer"))).toEqual([404, "not_found"]);
    expect((await shop.get(`/api/invoices/${id}`)).body.openCents).toBe(12_000);
  });

  test("at the provider it is paid by the news of the payment", async () => {
    const { id } = await issue();
    const objectID = await wallet(shop);
    const begun = await shop.post(`/api/invoices/${id}/pay`, {
      method: "provider",
      objectID,
      totalCents: 12_000,
    });
    expect(begun.status, begun.text).toBe(200);
    expect(begun.body.payment.paymentUrl).toMatch(/^http/);
    expect(begun.body.invoice.payment).toBe("unpaid");
  });
});
