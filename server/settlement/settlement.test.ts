// The settlement over HTTP and by the operator's functions: what a month owes each company, to the cent of
// the ledger; closed twice, stopped half way, refunded after; paid out, refused by the bank, exported.
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, firstOfMonth, instantOfParis, parisDay } from "#contract/days.ts";
import { formatMoney } from "#contract/french.ts";
import { lineReference, statementSteps } from "#contract/settlement/statement-words.ts";
import { companyOf, writeBankAccount } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { reverseGroup, verify } from "#server/ledger/ledger.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { takePayment, writeSale } from "#server/till/till.ts";
import { closePastMeals } from "#server/meal-service/day-end.ts";
import { proveMealDues } from "#server/meal-service/statement.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { makeEvent } from "#tests/events.ts";
import { printedLines, wordsOf } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { fecColumns } from "./fec.ts";
import { ticketCommands } from "#server/tickets/operator.ts";
import { settlementCommands } from "./operator.ts";
import { closeMonth } from "./close.ts";
import { proveSettlements } from "./verification.ts";

let server: TestServer;
let partner: string;
let canteenSheet: string;
let canteen: MadeCanteen;
let folder: string;
/** Ids of people and companies by their part in the cast. */
const person = {} as Record<CastName, number>;
const company = {} as Record<"partnerShop" | "canteenProvider", string>;
/** The first month of the test; the clock starts on its tenth day. */
let first: string;
const monthAfter = (ahead: number): string => firstOfMonth(`${first}-01`, ahead).slice(0, 7);

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const goTo = (day: string, time = "12:00") =>
  server.clock.advance(instantOfParis(day, time).getTime() - server.clock.now().getTime());
const shopClient = (): Promise<Client> => server.as("partnerShop");

beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  server.deps.config.codeFromCents = 1_000_000;
  folder = await mkdtemp(join(tmpdir(), "settlement-"));
  await furnishDirectory(server.deps);
  first = firstOfMonth(parisDay(server.clock.now()), 1).slice(0, 7);
  goTo(`${first}-10`);
  canteen = await makeCanteen(server);
  partner = (await query("select id from partner where reference = 'librairie-des-embruns'"))[0].id;
  canteenSheet = (await query("select id from partner where reference = 'cantine-essai'"))[0].id;
  for (const name of Object.keys(cast) as CastName[]) {
    const found = await query(
      "select person_id as id from card where number = $1",
      cast[name].cardnumber,
    );
    person[name] = found[0].id;
  }
  for (const name of ["partnerShop", "canteenProvider"] as const) {
    company[name] = (await companyOf(server.deps.db, person[name]))?.companyId ?? "";
  }
  const terms = { discountPercent: 0, operator: "alice", at: new Date(0) };
  await inTx(server.deps.db, async (tx) => {
    await writeTerms(tx, {
      ...terms,
      reference: "librairie-des-embruns",
      commissionBasisPoints: 250,
    });
    await writeTerms(tx, { ...terms, reference: "cantine-essai", commissionBasisPoints: 100 });
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await requireSound();
  await server.close();
});

/** The ledger balances, and every additional proof holds. */
async function requireSound() {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  expect((await proveSettlements(server.deps)).lines).toEqual([expect.stringMatching(/^✓/)]);
  expect((await proveMealDues(server.deps)).ok).toBe(true);
}

/** A sale of the shop, or at the sheet of the canteen, paid by the guardian at the clock's instant. */
async function sell(
  amountCents: number,
  by: keyof typeof company = "partnerShop",
): Promise<string> {
  const id = randomUUID();
  const at = server.clock.now();
  await inTx(server.deps.db, async (tx) => {
    const sale = await writeSale(tx, {
      id,
      amountCents,
      counter: {
        id: by === "partnerShop" ? partner : canteenSheet,
        name: "Librairie des Embruns",
        place: "14 rue du Phare",
        companyId: company[by],
        discountPercent: 0,
        pointsPerEuro: 0,
      },
      card: {
        cardnumber: cast.guardian.cardnumber,
        personId: person.guardian,
        holder: cast.guardian.name,
        from: null,
      },
      cashier: { personId: person[by], name: cast[by].name },
      at,
    });
    await takePayment(tx, sale, at);
  });
  return id;
}
const giveBack = async (sale: string, amountCents: number, refundedCents = 0) =>
  (await shopClient()).post(`/api/till/sales/${sale}/refund`, { amountCents, refundedCents });

const close = (month: string, more = {}) =>
  closeMonth(server.deps, { month, operator: "alice", ...more });
const run = async (name: string, ...args: string[]) => {
  const command = settlementCommands.find((one) => one.name === `settlement ${name}`);
  if (!command) throw new Error(name);
  return await command.run(server.deps, args, "alice");
};
/** A statement, whose lines must add up as they are read: each total is the sum of the lines above it. */
const statement = async (month: string, who: CastName = "partnerShop") => {
  const { body } = await (await server.as(who)).get(`/api/settlements/${month}`);
  let sum = 0;
  for (const { label, cents, isTotal } of statementSteps(body)) {
    if (isTotal) expect([label, cents]).toEqual([label, sum]);
    else sum += cents;
  }
  return body;
};
const account = async (name: string): Promise<number> =>
  Number(
    (
      await query(
        `select balance from scheme_account s join ledger_account a on a.id = s.account_id where name = $1`,
        name,
      )
    )[0].balance,
  );
const owed = async (who: keyof typeof company): Promise<number> =>
  Number(
    (
      await query(
        `select coalesce(sum(balance), 0) as balance from settlement_account s
         join ledger_account a on a.id = s.account_id where company_id = $1`,
        company[who],
      )
    )[0].balance,
  );

test("before any closing the summary says what runs, and there is no statement", async () => {
  await sell(1000);
  const shop = await shopClient();
  const { body } = await shop.get("/api/settlements/summary");
  expect(body).toMatchObject({ owedCents: 0, sentCents: 0, hold: "no_account", iban: null });
  expect(body.running).toEqual({
    since: null,
    sources: [{ source: "till", grossCents: 1000 }],
    grossCents: 1000,
  });
  expect((await shop.get("/api/settlements")).body).toEqual({ items: [], next: null });
  expect((await shop.get(`/api/settlements/${first}`)).status).toBe(404);
  expect((await shop.get(`/api/settlements/${first}/lines.csv`)).status).toBe(404);
});

test("a month that is not over is not closed", async () => {
  const { ok, lines } = await run("close", first);
  expect(ok).toBe(false);
  expect(lines[0]).toContain("n'est pas terminé");
  expect((await run("close", "2026-13")).ok).toBe(false);
  expect((await run("foresee", first)).lines[0]).toContain("n'est pas terminé");
  expect(await query("select from settlement_month")).toEqual([]);
});

// proves: monthly-settlement
test("a month: sales, refunds, a cancellation, meals, tickets, each to the cent", async () => {
  // 10,00 already; 33,33 of which 3,33 is refunded; 5,00 that is cancelled whole.
  const refunded = await sell(3333);
  const cancelled = await sell(500);
  const shop = await shopClient();
  expect((await shop.post(`/api/till/sales/${cancelled}/cancel`)).status).toBe(200);
  expect((await giveBack(refunded, 333)).status).toBe(200);
  // Three tickets of the shop's event: one is used, one is cancelled at half its price, one is transferred.
  const event = await makeEvent(server, {
    sessions: [
      {
        startsAt: instantOfParis(`${first}-14`, "20:00").toISOString(),
        endsAt: instantOfParis(`${first}-14`, "22:00").toISOString(),
        seats: 10,
      },
    ],
    saleUntil: instantOfParis(`${first}-14`, "20:00").toISOString(),
  });
  let camille = await server.as("guardian");
  const line = {
    session: event.session,
    category: event.full,
    cardnumber: cast.guardian.cardnumber,
  };
  await camille.post("/api/tickets/cart/lines", { ...line, quantity: 3 });
  const { cart } = (await camille.get("/api/tickets/cart")).body;
  const wallet = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body
    .items[0];
  const paid = await camille.post("/api/tickets/cart/pay", {
    method: "wallet",
    order: cart.id,
    objectID: wallet.objectID,
    totalCents: 3600,
  });
  expect(paid.status, paid.text).toBe(200);
  const tickets = await query("select id from ticket where order_id = $1 order by id", cart.id);
  goTo(`${first}-13`);
  camille = await server.as("guardian");
  const back = await camille.post(`/api/tickets/${tickets[0].id}/cancel`, { refundCents: 600 });
  expect(back.status, back.text).toBe(200);
  goTo(`${first}-14`, "19:30");
  const at = server.clock.now();
  await query(
    "update ticket set state = 'used', used_at = $2, ended_at = $2 where id = $1",
    tickets[1].id,
    at,
  );
  // Two meals of which one is served and one is an absence at half its price.
  goTo(`${first}-16`, "12:00");
  const day = parisDay(server.clock.now());
  const served = await placeMeal(server, { registration: canteen.registrations.child, day });
  const missed = await placeMeal(server, { registration: canteen.registrations.secondChild, day });
  await query("update meal_order set absence_percent = 50 where id = $1", missed);
  const desk = await server.as("canteenProvider");
  const act = await desk.post(`/api/canteen/own/${canteen.id}/meals/serve`, { orders: [served] });
  expect(act.status, act.text).toBe(200);
  goTo(addDays(firstOfMonth(`${first}-01`, 1), 1));
  await closePastMeals(server.deps);
  // The importer of the event has lost their role since: it is the company's.
  await query("update ticket_event set partner_id = null where id = $1", event.id);
  const before = await Promise.all(["tills", "tickets", "meals"].map(account));
  expect(before).toEqual([4000, 3000, 345 + 173]);

  const foreseen = await run("foresee", first);
  expect(foreseen.lines).toEqual([
    "  Les Tables du Lagon : 2 lignes, ventes nettes 5,18\u202f€, commission 0,05\u202f€ HT, TVA 0,01\u202f€, dû 5,12\u202f€",
    "  Librairie des Embruns : 8 lignes, ventes nettes 70,00\u202f€, commission 1,75\u202f€ HT, TVA 0,35\u202f€, dû 67,90\u202f€",
    expect.stringMatching(/TVA 0,36\s€, dû 73,02\s€\. Rien n'est écrit/),
  ]);
  expect(await query("select from settlement_month")).toEqual([]);
  expect(await query("select from settlement_line")).toEqual([]);
  const closed = await run("close", first);
  expect(closed.ok, closed.lines.join("\n")).toBe(true);
  expect(await Promise.all(["tills", "tickets", "meals"].map(account))).toEqual([0, 0, 0]);
  // 2,5 % of 10,00 is 0,25; of 33,33 0,83; back of 3,33 0,08; of 5,00 twice 0,13 against itself;
  // of 12,00 twice 0,30; of 6,00 0,15.
  const settlement = await statement(first);
  expect(settlement).toMatchObject({
    openingCents: 0,
    grossCents: 7000,
    commissionCents: 25 + 83 - 8 + 30 + 30 + 15,
    vatCents: 35,
    netCents: 7000 - 175 - 35,
    closingCents: 6790,
    controlCents: 0,
    lines: 8,
    payouts: [],
    returned: [],
  });
  expect(settlement.sources).toEqual([
    {
      source: "ticket",
      sales: 3,
      salesCents: 3000,
      returnsCents: 0,
      correctionsCents: 0,
      grossCents: 3000,
      commissionCents: 75,
    },
    {
      source: "till",
      sales: 3,
      salesCents: 4833,
      returnsCents: -833,
      correctionsCents: 0,
      grossCents: 4000,
      commissionCents: 100,
    },
  ]);
  expect(await owed("partnerShop")).toBe(6790);
  const meals = await statement(first, "canteenProvider");
  // 1 % of 3,45 is 0,03, of 1,73 0,02; the VAT of 0,05 is 0,01.
  expect(meals).toMatchObject({
    grossCents: 518,
    commissionCents: 5,
    vatCents: 1,
    controlCents: 0,
  });
  expect(await account("commissions")).toBe(180);
  expect(await account("vat")).toBe(36);
  const invoices = await query("select total_cents, company_id from invoice order by place");
  expect(invoices.map((one) => Number(one.total_cents)).sort((a, b) => a - b)).toEqual([6, 210]);
  // Deducted from the payout: neither the PDF nor the XML requests a transfer.
  const [{ id: shopInvoice }] = (await query("select id from invoice where total_cents = 210")) as [
    { id: string },
  ];
  const payee = await shopClient();
  const { rawPayload } = await server.app.inject({
    url: `/api/invoices/${shopInvoice}/pdf`,
    headers: { authorization: `Bearer ${payee.token}` },
  });
  const printed = wordsOf(rawPayload);
  expect(printed).toContain("Retenue sur votre relevé de règlement");
  expect(printed).not.toContain("IBAN");
  expect(printed).not.toContain("À payer avant le");
  const { text: ubl } = await payee.get(`/api/invoices/${shopInvoice}/ubl`);
  expect(ubl).toMatch(/<cbc:PaymentMeansCode name="Retenue [^"]*">97</);
  expect(ubl).not.toContain("PayeeFinancialAccount");
  const balances = await query("select due_cents - settled_cents as open from invoice_balance");
  expect(balances.map(({ open }) => Number(open))).toEqual([0, 0]);
  const invoiced = server.outbox.filter(({ body }) => body.includes("Votre facture de"));
  expect(invoiced.length).toBeGreaterThan(0);
  for (const { body } of invoiced) expect(body).toContain("retenue sur ce qui vous est versé");
  const statementNotices = server.outbox.filter(({ subject }) => /^Relevé d[e’]/.test(subject));
  expect(statementNotices).toHaveLength(2);
  await requireSound();
});

// proves: monthly-settlement
test("closed twice, it has one effect; an older month is closed no more", async () => {
  const before = await query("select count(*)::int as n from transfer");
  const { ok, lines } = await run("close", first);
  expect(ok).toBe(true);
  expect(lines[0]).toContain("déjà clos");
  expect(await query("select count(*)::int as n from transfer")).toEqual(before);
  const older = await run("close", monthAfter(-1));
  expect(older.ok).toBe(false);
  expect(older.lines[0]).toContain("ne se clôt plus");
  const output = await run("show", first);
  expect(output.ok).toBe(true);
  expect(output.lines[0]).toMatch(/^✓ /);
});

test("lines by pages, as CSV and as PDF, say the same", async () => {
  const shop = await shopClient();
  const path = `/api/settlements/${first}/lines`;
  const all = (await shop.get(path)).body;
  expect(all.next).toBeNull();
  const seen: unknown[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: any = await shop.get(
      `${path}?limit=3${after ? `&after=${encodeURIComponent(after)}` : ""}`,
    );
    expect(page.status, page.text).toBe(200);
    seen.push(...page.body.items);
    after = page.body.next;
  }
  expect(seen).toEqual(all.items);
  expect(seen).toHaveLength(8);
  for (const cursor of [
    "rien",
    "%2B275760-09-13T00:00:00.000Z till a",
    "2026-99-99T00:00:00.000Z a b",
  ]) {
    expect((await shop.get(`${path}?after=${cursor}`)).status, cursor).toBe(400);
  }
  const csv = (await shop.get(`${path}.csv`)).text;
  expect(csv.startsWith("\ufeffDate;Heure;")).toBe(true);
  expect(csv).toContain(";Librairie des Embruns;33,33;2,50;0,83;");
  const rows = csv
    .trim()
    .split("\r\n")
    .map((row) => row.split(";"));
  // No id of 36 characters: the file has the short reference used everywhere else.
  expect(csv).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(rows[1]?.at(-1)).toBe(lineReference(all.items[0]));
  expect(rows[1]?.at(-1)).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}$/);
  const said = rows.slice(1 + 8).map((row) => [row[3], row[4], row[5]]);
  const { number } = (await statement(first)).invoice;
  expect(said).toEqual([
    ["Relevé", "Ventes brutes", "78,33"],
    ["Relevé", "Remboursements", "-8,33"],
    ["Total", "Ventes nettes", "70,00"],
    ["Relevé", `Commission hors TVA, ${number}`, "-1,75"],
    ["Relevé", `TVA sur la commission, ${number}`, "-0,35"],
    ["Total", "À verser pour le mois", "67,90"],
    ["Relevé", "Solde du relevé précédent", "0,00"],
    ["Total", "Reste à verser", "67,90"],
    ["Contrôle", "Écart de contrôle", "0,00"],
  ]);
  const paper = await printedLines(server, `/api/settlements/${first}/statement.pdf`, shop);
  const steps = statementSteps(await statement(first));
  for (const { label, cents, isTotal } of steps) {
    expect(paper).toContain(isTotal ? `= ${label}` : label);
    expect(paper).toContain(formatMoney(cents).replaceAll(/\s/g, " "));
  }
  expect(steps.map(({ label }) => label)).toEqual(said.slice(0, -1).map(([, label]) => label));
});

test("a cashier and another company see nothing of it", async () => {
  await query(
    "update company_member set roles = '{cashier}' where person_id = $1",
    person.partnerShop,
  );
  const paths = [
    "/summary",
    "",
    `/${first}`,
    `/${first}/lines`,
    `/${first}/statement.pdf`,
    `/${first}/lines.csv`,
  ];
  for (const path of paths) {
    const { status, body } = await (await shopClient()).get(`/api/settlements${path}`);
    expect([status, body.code], path).toEqual([403, "company_role"]);
  }
  await query(
    "update company_member set roles = '{accountant}' where person_id = $1",
    person.partnerShop,
  );
  expect((await (await shopClient()).get("/api/settlements/summary")).status).toBe(200);
  await query(
    "update company_member set roles = '{owner}' where person_id = $1",
    person.partnerShop,
  );
  const employer = await server.as("employer");
  expect((await employer.get(`/api/settlements/${first}`)).status).toBe(404);
  const holder = await server.as("guardian");
  expect((await holder.get("/api/settlements/summary")).status).toBe(403);
});

const iban = "FR7630006000011234567890189";
const bankAccount = (
  companyId: string,
  by: number,
  at: Date,
  accountIban = iban,
  holderName = "Librairie « Les Embruns » & fils",
) =>
  inTx(server.deps.db, (tx) =>
    writeBankAccount(tx, {
      companyId,
      iban: accountIban,
      bic: null,
      holderName,
      by,
      second: false,
      at,
    }),
  );

test("nothing is paid out without an account, nor in the 48 hours after it changed", async () => {
  const none = await run("payout", folder);
  expect(none.lines[0]).toBe("Rien à verser.");
  expect(none.lines.join("\n")).toContain("aucun compte bancaire");
  await bankAccount(company.partnerShop, person.partnerShop, server.clock.now());
  const shop = await shopClient();
  expect((await shop.get("/api/settlements/summary")).body).toMatchObject({
    owedCents: 6790,
    hold: "frozen",
    holdUntil: new Date(server.clock.now().getTime() + 48 * 3_600_000).toISOString(),
    iban: expect.stringMatching(/^FR76\u00A0••••\u00A00189$/),
  });
  const frozen = await run("payout", folder);
  expect(frozen.lines.join("\n")).toContain(
    "compte bancaire changé depuis moins de 48 h, jusqu'au",
  );
  expect(await query("select from payout")).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
  expect((await run("payout", join(folder, "absent"))).ok).toBe(false);
  expect((await run("payout", folder, "2020-01-01")).ok).toBe(false);
});

const answerTo = (
  message: string,
  transfers: readonly [reference: string, status: string, reason?: string][],
  group = "PART",
) => `<?xml version="1.0" encoding="UTF-8"?>
<p:Document xmlns:p="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><p:CstmrPmtStsRpt>
<p:GrpHdr><p:MsgId>BANK1</p:MsgId><p:CreDtTm>2026-01-01T00:00:00Z</p:CreDtTm></p:GrpHdr>
<p:OrgnlGrpInfAndSts><p:OrgnlMsgId>${message}</p:OrgnlMsgId>
<p:OrgnlMsgNmId>pain.001.001.09</p:OrgnlMsgNmId><p:GrpSts>${group}</p:GrpSts></p:OrgnlGrpInfAndSts>
<p:OrgnlPmtInfAndSts><p:OrgnlPmtInfId>${message}</p:OrgnlPmtInfId>
${transfers
  .map(
    ([
      reference,
      status,
      reason,
    ]) => `<p:TxInfAndSts><p:OrgnlEndToEndId>${reference}</p:OrgnlEndToEndId>
<p:TxSts>${status}</p:TxSts>${reason ? `<p:StsRsnInf><p:Rsn><p:Cd>${reason}</p:Cd></p:Rsn></p:StsRsnInf>` : ""}
<p:OrgnlTxRef><p:PmtTpInf><p:SvcLvl><p:Cd>SEPA</p:Cd></p:SvcLvl></p:PmtTpInf></p:OrgnlTxRef></p:TxInfAndSts>`,
  )
  .join("")}
</p:OrgnlPmtInfAndSts></p:CstmrPmtStsRpt></p:Document>`;
const acknowledge = async (text: string) => {
  const file = join(folder, "reponse.xml");
  await writeFile(file, text);
  return await run("acknowledge", file);
};

test("nothing is paid out to an account that no bank file can name whole", async () => {
  const shop = await shopClient();
  const at = new Date(server.clock.now().getTime() - 100 * 3_600_000);
  const { rows: originals } = await server.deps.pool.query(
    "select * from company_bank_account where company_id = $1",
    [company.partnerShop],
  );
  for (const [otherIban, name] of [
    ["CH9300762011623852957", "Librairie"],
    [iban, "李小龙"],
  ] as const) {
    await query("delete from company_bank_account where company_id = $1", company.partnerShop);
    await bankAccount(company.partnerShop, person.partnerShop, at, otherIban, name);
    const { body } = await shop.get("/api/settlements/summary");
    expect(body).toMatchObject({ owedCents: 6790, hold: "incomplete_account" });
    expect((await run("payout", folder)).lines.join("\n")).toContain("BIC manquant");
  }
  await query("delete from company_bank_account where company_id = $1", company.partnerShop);
  await query(
    "insert into company_bank_account select * from jsonb_populate_recordset(null::company_bank_account, $1)",
    JSON.stringify(originals),
  );
  expect(await query("select from payout")).toEqual([]);
});

test("a payout leaves as pain.001.001.09, is refused by the bank, owed again, and paid", async () => {
  server.clock.advance(49 * 3_600_000);
  const preview = await run("payout");
  expect(preview.lines.at(-1)).toContain("Rien n'est versé : donnez un dossier");
  expect(await query("select from payout_batch")).toEqual([]);
  const made = await run("payout", folder);
  // The preview is what is paid.
  expect(made.lines.slice(0, preview.lines.length - 1)).toEqual(preview.lines.slice(0, -1));
  expect(made.ok, made.lines.join("\n")).toBe(true);
  expect(made.lines.join("\n")).toContain("1 virement");
  expect(made.lines.join("\n")).toContain("aucun compte bancaire");
  const [name = ""] = await readdir(folder);
  expect(name).toBe("MC-LOT-000001.xml");
  const xml = await readFile(join(folder, name), "utf8");
  expect(xml).toContain('xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"');
  expect(xml).toContain("<EndToEndId>MC-000001-0001</EndToEndId>");
  expect(xml).toContain('<InstdAmt Ccy="EUR">67.90</InstdAmt>');
  expect(xml).toContain("<CtrlSum>67.90</CtrlSum>");
  expect(xml).toContain(`<CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>`);
  expect(xml).toContain("<Cdtr><Nm>Librairie Les Embruns + fils</Nm><PstlAdr><StrtNm>");
  expect(xml).not.toContain("AdrLine");
  await rm(join(folder, name));
  expect((await run("file", "1", folder)).ok).toBe(true);
  expect(await readFile(join(folder, name), "utf8")).toBe(xml);
  expect((await run("file", "9", folder)).ok).toBe(false);
  expect((await run("file", "1e0", folder)).ok).toBe(false);
  expect(await owed("partnerShop")).toBe(0);
  expect(await account("payouts")).toBe(6790);
  expect(await statement(first)).toMatchObject({ closingCents: 0, controlCents: 0 });
  expect((await run("payout", folder)).lines[0]).toBe("Rien à verser.");

  expect((await acknowledge("<a>")).lines[0]).toContain("n'est pas une réponse pain.002");
  const doctype = `<!DOCTYPE a [<!ENTITY b "c">]>${answerTo("MC-LOT-000001", [])}`;
  expect((await acknowledge(doctype)).lines[0]).toContain("DOCTYPE");
  expect((await acknowledge(answerTo("MC-LOT-000009", []))).lines[0]).toContain("aucun lot");
  const wrong = answerTo("MC-LOT-000001", [
    ["MC-000001-0001", "RJCT", "AC04"],
    ["MC-000001-0007", "ACSC"],
  ]);
  expect((await acknowledge(wrong)).ok).toBe(false);
  const waits = await acknowledge(answerTo("MC-LOT-000001", [["MC-000001-0001", "PDNG"]]));
  expect(waits.lines[0]).toContain("1 encore ouvert");
  expect(await account("payouts")).toBe(6790);

  const refusal = answerTo("MC-LOT-000001", [["MC-000001-0001", "RJCT", "AC04"]]);
  const refused = await acknowledge(refusal);
  expect(refused.ok).toBe(true);
  expect(refused.lines.join("\n")).toContain("compte clos ; dû de nouveau");
  expect(await owed("partnerShop")).toBe(6790);
  expect(await account("payouts")).toBe(0);
  expect((await acknowledge(refusal)).lines).toEqual([expect.stringContaining("1 refusé")]);
  expect(await owed("partnerShop")).toBe(6790);
  const settlement = await statement(first);
  expect(settlement).toMatchObject({ closingCents: 6790, controlCents: 0 });
  expect(settlement.payouts).toMatchObject([
    { state: "rejected", reason: "compte clos", returnedHere: true },
  ]);
  expect(server.outbox.at(-1)?.subject).toContain("Règlement refusé par la banque");

  expect((await run("payout", folder)).ok).toBe(true);
  const whole = await acknowledge(answerTo("MC-LOT-000002", [], "ACSC"));
  expect(whole.lines[0]).toContain("1 versé");
  expect(await account("payouts")).toBe(0);
  expect(await account("bank")).toBe(6790);
  expect(await statement(first)).toMatchObject({ closingCents: 0, controlCents: 0 });
  const { items } = (await (await shopClient()).get("/api/settlements")).body;
  expect(items).toMatchObject([{ month: first, netCents: 6790, paidCents: 6790 }]);
  await requireSound();
});

test("what is refunded after the closing comes off the next month, with a credit note", async () => {
  const sale = (await query("select id from till_sale where amount_cents = 3333"))[0].id;
  // The account of tills is empty by now: it becomes negative until the next closing.
  expect((await giveBack(sale, 3000, 333)).status).toBe(200);
  expect(await account("tills")).toBe(-3000);
  await requireSound();
  goTo(addDays(firstOfMonth(`${first}-01`, 2), 2));
  expect((await run("close", monthAfter(1))).ok).toBe(true);
  const settlement = await statement(monthAfter(1));
  expect(settlement).toMatchObject({
    openingCents: 0,
    grossCents: -3000,
    commissionCents: -75,
    vatCents: -15,
    netCents: -2910,
    closingCents: -2910,
    controlCents: 0,
  });
  expect(await account("tills")).toBe(0);
  expect(
    (await query("select kind from invoice where id = $1", settlement.invoice.id))[0].kind,
  ).toBe("credit_note");
  expect((await run("payout", folder)).lines[0]).toBe("Rien à verser.");
  await requireSound();
});

// proves: monthly-settlement
test("a closing that stops half way goes on where it was, and each line is there once", async () => {
  for (const cents of [101, 202, 303, 404]) await sell(cents);
  // An operator reverses a sale: the correction is a line of its own.
  const undone = await sell(150);
  await inTx(server.deps.db, (tx) =>
    reverseGroup(tx, `till:${undone}`, {
      key: `reversal:${undone}`,
      kind: "correction",
      reason: "Erreur",
    }),
  );
  goTo(addDays(firstOfMonth(`${first}-01`, 3), 2));
  const month = monthAfter(2);
  const stop = new Error("killed");
  let progressCalls = 0;
  const once = close(month, {
    chunk: 2,
    progress: () => {
      progressCalls += 1;
      if (progressCalls === 2) throw stop;
    },
  });
  await expect(once).rejects.toBe(stop);
  const half = await query(
    "select count(*)::int as n from settlement_line where month = $1",
    month,
  );
  expect(half[0].n).toBeGreaterThan(0);
  expect(half[0].n).toBeLessThan(6);
  const twice = close(month, {
    chunk: 2,
    progress: ({ phase }: { phase: string }) => {
      if (phase === "companies") throw stop;
    },
  });
  await expect(twice).rejects.toBe(stop);
  const both = await Promise.all([close(month), close(month)]);
  expect(both.every(({ companies, lines }) => companies === 1 && lines === 6)).toBe(true);
  expect(await statement(month)).toMatchObject({
    openingCents: -2910,
    grossCents: 1010,
    lines: 6,
    controlCents: 0,
    sources: [{ source: "till", sales: 5, salesCents: 1160, correctionsCents: -150 }],
  });
  const posted = await query(
    "select count(distinct key)::int as n from transfer where key like 'settlement:%'",
  );
  expect(posted[0].n).toBe(4);
  await requireSound();
});

test("a company whose invoice is refused is named, keeps its month open, and nobody else waiting", async () => {
  const month = monthAfter(3);
  await sell(240);
  await sell(1000, "canteenProvider");
  // Whoever comes first is refused.
  const [name, other] =
    company.partnerShop < company.canteenProvider
      ? (["partnerShop", "canteenProvider"] as const)
      : (["canteenProvider", "partnerShop"] as const);
  const [{ siren, called }] = await query(
    `update company set siren = null from (select siren, name as called from company where id = $1) old
     where id = $1 returning old.siren, old.called`,
    company[name],
  );
  goTo(addDays(firstOfMonth(`${first}-01`, 4), 2));
  const { ok, lines } = await run("close", month);
  expect(ok).toBe(false);
  expect(lines[0]).toContain(`✗ ${called}, ${month} : Une facture demande le SIREN`);
  expect(lines[1]).toContain("Leur mois reste ouvert");
  expect((await statement(month, other)).controlCents).toBe(0);
  expect((await (await server.as(name)).get(`/api/settlements/${month}`)).status).toBe(404);
  const open = "select month from settlement_month where closed_at is null order by month";
  expect(await query(open)).toEqual([{ month }]);
  // The following month is closed for the others meanwhile; the company's months then come in their order.
  await sell(240);
  goTo(addDays(firstOfMonth(`${first}-01`, 5), 2));
  const next = await run("close", monthAfter(4));
  expect(next.ok).toBe(false);
  expect(next.lines.filter((line) => line.startsWith("✗"))).toEqual([
    expect.stringContaining(`${called}, ${month} :`),
  ]);
  await query("update company set siren = $2 where id = $1", company[name], siren);
  const last = await run("close", monthAfter(4));
  expect(last.ok, last.lines.join("\n")).toBe(true);
  expect(await query(open)).toEqual([]);
  expect((await statement(month, name)).controlCents).toBe(0);
  for (const one of [month, monthAfter(4)]) {
    expect((await statement(one)).controlCents, one).toBe(0);
  }
  expect((await run("close", month)).lines[0]).toContain("déjà clos");
  await requireSound();
});

test("credit notes of a small invoice add up to it, VAT to the cent", async () => {
  // A commission of 6 cents bears 1 of VAT; half of it, 3 cents, would bear 1 as well, twice.
  const sale = (
    await query("select id from till_sale where amount_cents = 240 order by paid_at desc limit 1")
  )[0].id;
  expect((await giveBack(sale, 120)).status).toBe(200);
  goTo(addDays(firstOfMonth(`${first}-01`, 6), 2));
  expect((await run("foresee", monthAfter(5))).lines.join()).toMatch(
    /commission .*0,03\s€ HT, TVA des avoirs comptée à la clôture/,
  );
  expect((await run("close", monthAfter(5))).ok).toBe(true);
  expect(await statement(monthAfter(5))).toMatchObject({ commissionCents: -3, vatCents: -1 });
  expect((await giveBack(sale, 120, 120)).status).toBe(200);
  goTo(addDays(firstOfMonth(`${first}-01`, 7), 2));
  const { ok, lines } = await run("close", monthAfter(6));
  expect(ok, lines.join("\n")).toBe(true);
  expect(await statement(monthAfter(6))).toMatchObject({ commissionCents: -3, vatCents: 0 });
  const [{ left }] = await query(
    `select min(b.total_cents - b.credited_cents)::int as left from invoice_balance b
     join invoice i on i.id = b.invoice_id where i.net_cents = 6 and i.company_id = $1`,
    company.partnerShop,
  );
  expect(left).toBe(0);
  await requireSound();
});

test("a used ticket that a later month gives back with its event is taken off again, to the cent", async () => {
  const [month, next] = [monthAfter(7), monthAfter(8)];
  goTo(`${month}-10`);
  const event = await makeEvent(server, {
    sessions: [
      {
        startsAt: instantOfParis(`${month}-11`, "10:00").toISOString(),
        endsAt: instantOfParis(`${next}-20`, "22:00").toISOString(),
        seats: 10,
      },
    ],
    saleUntil: instantOfParis(`${month}-11`, "10:00").toISOString(),
  });
  const camille = await server.as("guardian");
  const { cardnumber } = cast.guardian;
  const line = { session: event.session, category: event.full, cardnumber, quantity: 1 };
  await camille.post("/api/tickets/cart/lines", line);
  const { cart } = (await camille.get("/api/tickets/cart")).body;
  const wallet = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
  const payment = { method: "wallet", order: cart.id, objectID: wallet.objectID, totalCents: 1200 };
  expect((await camille.post("/api/tickets/cart/pay", payment)).status).toBe(200);
  goTo(`${month}-12`);
  await query(
    "update ticket set state = 'used', used_at = $2, ended_at = $2 where order_id = $1",
    cart.id,
    server.clock.now(),
  );
  goTo(`${next}-02`);
  expect((await run("close", month)).ok).toBe(true);
  expect(await statement(month)).toMatchObject({ grossCents: 1200, commissionCents: 30 });
  goTo(`${next}-03`);
  const [{ number }] = await query("select number from ticket_event where id = $1", event.id);
  const cancel = ticketCommands.find(({ name }) => name === "tickets cancel");
  const done = await cancel?.run(server.deps, [String(number), "1"], "alice");
  expect(done?.lines.join()).toContain("1 billet rendu");
  expect(await account("tickets")).toBe(-1200);
  goTo(addDays(firstOfMonth(`${next}-01`, 1), 1));
  expect((await run("close", next)).ok).toBe(true);
  expect(await account("tickets")).toBe(0);
  expect(await statement(next)).toMatchObject({
    grossCents: -1200,
    commissionCents: -30,
    controlCents: 0,
    sources: [{ source: "ticket", sales: 0, salesCents: 0, returnsCents: -1200 }],
  });
  await requireSound();
});

test("the FEC has the eighteen columns, numbers without a gap, entries that balance", async () => {
  const year = Number(parisDay(server.clock.now()).slice(0, 4));
  for (const bad of ["26", "hier"]) expect((await run("fec", bad, folder)).ok).toBe(false);
  let entries = 0;
  const sums = new Map<string, number>();
  for (const one of [year - 1, year, year + 1]) {
    expect((await run("fec", String(one), folder)).ok).toBe(true);
    const text = await readFile(join(folder, `900123001FEC${one}1231.txt`), "utf8");
    const [head, ...lines] = text
      .split("\r\n")
      .slice(0, -1)
      .map((line) => line.split("\t"));
    expect(head).toEqual([...fecColumns]);
    lines.forEach((line, index) => {
      expect(line).toHaveLength(18);
      expect(line[2]).toBe(String(Math.floor(index / 2) + 1));
      expect(line[3]).toMatch(new RegExp(`^${one}\\d{4}$`));
      const cents = (value = "") => Number(value.replace(",", ""));
      sums.set(line[4] ?? "", (sums.get(line[4] ?? "") ?? 0) + cents(line[12]) - cents(line[11]));
      if (index % 2 === 1) expect(line[12]).toBe(lines[index - 1]?.[11]);
    });
    entries += lines.length / 2;
    expect(text).not.toContain("Moreau");
  }
  const counted = await query(
    "select count(*)::int as n from transfer t join ledger_account a on a.id = t.debit_account where a.asset = 'EUR'",
  );
  expect(entries).toBe(counted[0].n);
  expect(sums.get("70620000")).toBe(await account("commissions"));
  expect(sums.get("44571000")).toBe(await account("vat"));
  expect(sums.get("51200000")).toBe(await account("bank"));
  const payable = (await owed("partnerShop")) + (await owed("canteenProvider"));
  expect(sums.get("46710000")).toBe(payable);
});

test("without the identity of whoever pays, no payout and no FEC", async () => {
  const { issuer } = server.deps.config;
  server.deps.config.issuer = null;
  try {
    expect((await run("payout", folder)).lines[0]).toContain("ISSUER_FILE");
    expect((await run("fec", "2026", folder)).lines[0]).toContain("ISSUER_FILE");
  } finally {
    server.deps.config.issuer = issuer;
  }
});
