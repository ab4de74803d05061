// Invoices against the database: numbers, amounts, immutability, credit notes and payments.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Problem } from "#contract/errors.ts";
import { isSiret } from "#contract/companies/siren.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { demoIssuer, parseIssuer } from "#server/process/issuer.ts";
import { cast } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import type { NewInvoice } from "./content.ts";
import { issueInvoice, settleInvoice } from "./invoices.ts";
import { referenceOf } from "./numbering.ts";

let server: TestServer;
let companyId: string;
const issuedOn = "2026-11-02";

beforeAll(async () => {
  server = await openTestServer();
  const [row] = await query(
    `select m.company_id as id from company_member m join card c on c.person_id = m.person_id
     where c.number = $1`,
    cast.partnerShop.cardnumber,
  );
  companyId = row.id;
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.owner.pool.query(text, values)).rows;
const newInvoice = (more: Partial<NewInvoice> = {}): NewInvoice => ({
  companyId,
  kind: "invoice",
  subject: { kind: "commission", id: randomUUID() },
  lines: [{ label: "Commission", quantity: 1, unitCents: 10_000, vat: "normal" }],
  issuedOn,
  dueOn: "2026-12-02",
  ...more,
});
const issue = (more: Partial<NewInvoice> = {}) =>
  inTx(server.deps.db, (tx) => issueInvoice(tx, server.deps, newInvoice(more)));
const settle = (invoiceId: string, amountCents: number, reference: string) =>
  inTx(server.deps.db, (tx: Tx) =>
    settleInvoice(tx, { invoiceId, amountCents, by: "transfer", reference, at: new Date() }),
  );
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => "done",
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
const rowOf = async (id: string) =>
  (
    await query(
      `select i.*, b.settled_cents, b.credited_cents from invoice i
       join invoice_balance b on b.invoice_id = i.id where i.id = $1`,
      id,
    )
  )[0];
const balanceOf = async (account: string): Promise<number> =>
  (
    await query(
      `select a.balance from scheme_account s join ledger_account a on a.id = s.account_id
       where s.name = $1`,
      account,
    )
  )[0].balance;

describe("numbers", () => {
  // proves: invoice-numbers
  test("each series counts from 1 every year, without a gap where an issue is undone", async () => {
    const year = "2031";
    const days = { issuedOn: `${year}-03-01`, dueOn: `${year}-04-01` };
    const first = await issue(days);
    await expect(
      inTx(server.deps.db, async (tx) => {
        expect((await issueInvoice(tx, server.deps, newInvoice(days))).number).toBe("F2031-00002");
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    const second = await issue(days);
    const credit = await issue({ ...days, kind: "credit_note", correctsId: first.id });
    expect([first.number, second.number, credit.number]).toEqual([
      "F2031-00001",
      "F2031-00002",
      "A2031-00001",
    ]);
  });

  test("a later number never bears an earlier date", async () => {
    await issue({ issuedOn: "2032-05-10", dueOn: "2032-06-10" });
    const late = await issue({ issuedOn: "2032-05-02", dueOn: "2032-05-05" });
    const { issued_on, due_on } = await rowOf(late.id);
    expect([issued_on, due_on]).toEqual(["2032-05-10", "2032-05-10"]);
  });

  test("the same subject and kind is one document, other amounts are refused, at once too", async () => {
    const subject = { kind: "card_order" as const, id: randomUUID() };
    const many = await Promise.all(Array.from({ length: 8 }, () => issue({ subject })));
    expect(new Set(many.map(({ number }) => number)).size).toBe(1);
    const lines = [{ label: "Cartes", quantity: 2, unitCents: 500, vat: "normal" as const }];
    expect(await codeOf(issue({ subject, lines }))).toBe("invoice_other_content");
  });

  test("the reference of a transfer has the digits of control of ISO 11649", () => {
    expect(referenceOf("F2026-00042")).toMatch(/^RF\d\dF202600042$/);
    const reference = referenceOf("F2026-00042");
    const turned = reference.slice(4) + reference.slice(0, 4);
    const digits = turned.replaceAll(/[A-Z]/g, (sign) => String(Number.parseInt(sign, 36)));
    expect(BigInt(digits) % 97n).toBe(1n);
  });
});

describe("amounts", () => {
  test("VAT is counted once on the sum of each rate, half a cent upwards", async () => {
    const line = (unitCents: number, vat: NewInvoice["lines"][number]["vat"]) => ({
      label: "Ligne",
      quantity: 1,
      unitCents,
      vat,
    });
    // 5.5 % of 3 × 0.33 € alone would round to 0.02 € three times.
    const lines = [line(33, "reduced"), line(33, "reduced"), line(33, "reduced")];
    const { id } = await issue({ lines: [...lines, line(2_503, "normal"), line(500, "exempt")] });
    const { net_cents, vat_cents, total_cents, content } = await rowOf(id);
    expect([net_cents, vat_cents, total_cents]).toEqual([3_102, 506, 3_608]);
    expect(
      content.vat.map((part: Record<string, unknown>) => [part["vat"], part["vatCents"]]),
    ).toEqual([
      ["reduced", 5],
      ["normal", 501],
      ["exempt", 0],
    ]);
  });

  test("an allowance lowers its rate, a prepayment what is due; nonsense is refused", async () => {
    const allowances = [{ label: "Remise de volume", cents: 1_000, vat: "normal" as const }];
    const { id } = await issue({ allowances, prepaidCents: 5_400 });
    const row = await rowOf(id);
    expect([row.net_cents, row.vat_cents, row.due_cents]).toEqual([9_000, 1_800, 5_400]);
    const wrong: Partial<NewInvoice>[] = [
      { lines: [] },
      { prepaidCents: 12_001 },
      { allowances: [{ label: "Trop", cents: 10_001, vat: "normal" }] },
      { allowances: [{ label: "Ailleurs", cents: 1, vat: "reduced" }] },
      { lines: [{ label: "", quantity: 1, unitCents: 1, vat: "normal" }] },
      { lines: [{ label: "Moitié", quantity: 0.5, unitCents: 1, vat: "normal" }] },
      { lines: [{ label: "Moins", quantity: 1, unitCents: -1, vat: "normal" }] },
    ];
    for (const more of wrong) expect(await codeOf(issue(more))).toBe("invoice_content");
  });
});

describe("what the law wants", () => {
  test("the mentions are those of the day of issue", async () => {
    const { id } = await issue();
    const { content } = await rowOf(id);
    expect(content.notes.map(({ code }: { code: string }) => code)).toEqual([
      "PMD",
      "PMT",
      "AAB",
      "TXD",
      "REG",
    ]);
    expect(content.notes[0].text).toContain("L. 441-10");
    const before = await issue({ issuedOn: "2018-01-05", dueOn: "2018-02-05" });
    expect((await rowOf(before.id)).content.notes[0].text).toContain("L. 441-6");
    expect(content.seller).toMatchObject({ siren: "900123001", vatNumber: "FR80900123001" });
    expect(content.buyer).toMatchObject({ siren: cast.partnerShop.company.siret.slice(0, 9) });
  });

  test("an issuer under article 293 B bears no VAT at all, and says why", async () => {
    const { issuer } = server.deps.config;
    server.deps.config.issuer = { ...demoIssuer, vatRegime: "franchise", vatNumber: null };
    const { id } = await issue();
    server.deps.config.issuer = issuer;
    const { vat_cents, content } = await rowOf(id);
    expect(vat_cents).toBe(0);
    expect(content.vat[0].exemption.text).toContain("293 B");
  });

  test("nobody is invoiced without a number of the law, and nobody invoices before they are known", async () => {
    await query("update company set siren = null, siret = null where id = $1", companyId);
    expect(await codeOf(issue())).toBe("invoice_buyer");
    const { siret } = cast.partnerShop.company;
    await query(
      "update company set siren = $2, siret = $3 where id = $1",
      companyId,
      siret.slice(0, 9),
      siret,
    );
    const { issuer } = server.deps.config;
    server.deps.config.issuer = null;
    expect(await codeOf(issue())).toBe("invoice_issuer");
    server.deps.config.issuer = issuer;
    const abroad = [{ label: "Abroad", quantity: 1, unitCents: 1, vat: "reverse_charge" as const }];
    await query("update company set vat_number = null where id = $1", companyId);
    expect(await codeOf(issue({ lines: abroad }))).toBe("invoice_content");
  });

  test("the file of the issuer is read whole or refused by its fields", () => {
    const { siren: _siren, vatNumber: _vat, ...file } = demoIssuer;
    expect(parseIssuer(JSON.stringify(file))).toEqual(demoIssuer);
    const pasted = {
      siret: "900 123 001 00019",
      iban: "IBAN : FR76 3000 6000 0112 3456 7890 189",
      bic: "BIC : AGRI FR PP",
    };
    expect(parseIssuer(JSON.stringify({ ...file, ...pasted }))).toEqual(demoIssuer);
    expect(isSiret(demoIssuer.siret)).toBe(true);
    expect(() => parseIssuer(JSON.stringify({ ...file, iban: "FR7600" }))).toThrow("iban");
    expect(() => parseIssuer(JSON.stringify({ ...file, siret: "1" }))).toThrow("siret");
  });
});

// proves: invoice-numbers
test("an issued document never changes, not even for the owner of the database", async () => {
  const { id } = await issue();
  await settle(id, 100, "VIR-0");
  for (const text of [
    "update invoice set total_cents = total_cents",
    "delete from invoice",
    "truncate invoice cascade",
    "update invoice_payment set amount_cents = 1",
    "delete from invoice_payment",
  ]) {
    await expect(query(text)).rejects.toThrow();
  }
  await expect(server.deps.pool.query("delete from invoice_balance")).rejects.toThrow("denied");
  await expect(server.deps.pool.query("delete from invoice_counter")).rejects.toThrow("denied");
});

describe("payments and credit notes", () => {
  test("a transfer in two parts pays it, each once, never more than what is open", async () => {
    const { id } = await issue();
    const [bank, account] = [await balanceOf("bank"), await balanceOf("invoices")];
    expect(await settle(id, 4_000, "VIR-1")).toMatchObject({
      payment: "partly_paid",
      openCents: 8_000,
    });
    expect(await settle(id, 4_000, "VIR-1")).toMatchObject({ replayed: true, openCents: 8_000 });
    expect(await codeOf(settle(id, 4_001, "VIR-1"))).toBe("idempotency_mismatch");
    expect(await codeOf(settle(id, 8_001, "VIR-2"))).toBe("invoice_too_much");
    expect(await settle(id, 8_000, "VIR-3")).toMatchObject({ payment: "paid", openCents: 0 });
    expect([await balanceOf("bank"), await balanceOf("invoices")]).toEqual([
      bank - 12_000,
      account + 12_000,
    ]);
    expect(await codeOf(settle(randomUUID(), 1, "VIR-4"))).toBe("not_found");
  });

  test("a credit note is set against what is open, the rest is to be given back", async () => {
    const invoice = await issue();
    await settle(invoice.id, 9_000, "VIR-5");
    const credit = await issue({ kind: "credit_note", correctsId: invoice.id });
    const [paid, creditRow] = [await rowOf(invoice.id), await rowOf(credit.id)];
    expect([paid.settled_cents, paid.credited_cents]).toEqual([12_000, 12_000]);
    expect([creditRow.settled_cents, creditRow.due_cents]).toEqual([3_000, 12_000]);
    const account = await balanceOf("invoices");
    await settle(credit.id, 9_000, "VIR-6");
    expect(await balanceOf("invoices")).toBe(account - 9_000);
    const again = { subject: { kind: "commission" as const, id: randomUUID() } };
    const more = { ...again, kind: "credit_note" as const, correctsId: invoice.id };
    expect(await codeOf(issue(more))).toBe("invoice_credited");
    expect(await codeOf(issue({ ...more, correctsId: credit.id }))).toBe("not_found");
  });
});

test("who sees the money of the company is told, by e-mail too", async () => {
  server.outbox.length = 0;
  const { number } = await issue();
  expect(server.outbox).toHaveLength(1);
  expect(server.outbox[0]).toMatchObject({ address: cast.partnerShop.email });
  expect(server.outbox[0]?.subject).toContain(number);
});
