// Across both sides: a holder tops up, buys at a till, has a part of it back and rides; the month is
// closed; payout, invoice, statement and FEC agree to the cent with the ledger.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, firstOfMonth, instantOfParis, parisDay } from "#contract/days.ts";
import { companyOf, writeBankAccount } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { passCommands } from "#server/passes/operator.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { settlementCommands } from "#server/settlement/operator.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { printedLines } from "../pdf-words.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { goAndPay, ledgerFaults, payerOf, press } from "../top-up-steps.ts";

let portal: TestPortal;
let folder: string;
let company: string;
/** The month in which everything happens, and the one after. */
let month: string;

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;
const goTo = (day: string) =>
  portal.server.clock.advance(
    instantOfParis(day, "10:00").getTime() - portal.server.clock.now().getTime(),
  );
const operate = async (name: string, ...args: string[]) => {
  const command = [...settlementCommands, ...passCommands].find((one) => one.name === name);
  if (!command) throw new Error(name);
  const { ok, lines } = await command.run(portal.server.deps, args, "alice");
  expect(ok, lines.join("\n")).toBe(true);
  return lines.join("\n");
};
const balanceOf = async (account: string): Promise<number> =>
  Number(
    (
      await query(
        `select balance from ledger_account a join scheme_account s on s.account_id = a.id
         where s.name = $1`,
        account,
      )
    )[0].balance,
  );
const owed = async (): Promise<number> =>
  Number(
    (
      await query(
        `select coalesce(sum(balance), 0) as balance from ledger_account where kind = 'payable'`,
      )
    )[0].balance,
  );

beforeAll(async () => {
  portal = await openTestPortal();
  folder = await mkdtemp(join(tmpdir(), "settlement-"));
  const { deps, clock } = portal.server;
  month = firstOfMonth(parisDay(clock.now()), 1).slice(0, 7);
  goTo(`${month}-10`);
  await furnishDirectory(deps);
  const [shop] = await query(
    "select person_id as id from card where number = $1",
    cast.partnerShop.cardnumber,
  );
  company = (await companyOf(deps.db, shop.id))?.companyId ?? "";
  await inTx(deps.db, async (tx) => {
    await writeTerms(tx, {
      reference: "librairie-des-embruns",
      discountPercent: 5,
      commissionBasisPoints: 250,
      operator: "alice",
      at: new Date(0),
    });
    await putOnSale(tx, demoFares);
    await writeBankAccount(tx, {
      companyId: company,
      iban: "FR7630006000011234567890189",
      bic: null,
      holderName: "Librairie des Embruns",
      by: shop.id,
      second: false,
      at: clock.now(),
    });
  });
  // The bookshop runs the network as well: one statement holds both.
  const [{ slug }] = await query(
    `select slug from acceptance_group g join fare_group f on f.group_id = g.id order by g.name limit 1`,
  );
  const [{ siren }] = await query("select siren from company where id = $1", company);
  await operate("passes network", slug, siren);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const cents = (text: string | undefined): number => Number((text ?? "").replaceAll(/[^\d-]/g, ""));
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name }).first().waitFor();

/** What the company is owed in the ledger is the first sum under that name, on its home and in its settlements. */
async function expectOwedEverywhere(): Promise<void> {
  const page = await portal.open();
  await portal.signIn(page, "partnerShop");
  const part = page.locator("section").filter({
    has: page.getByRole("heading", { name: "À vous verser" }),
  });
  const sum = async () => cents(/-?[\d\s]+,\d\d(?=\s€)/.exec(await part.innerText())?.[0]);
  for (const path of ["/dashboard", "/professional/reglements"]) {
    await page.goto(portal.url + path);
    await part.getByText("€").first().waitFor();
    await expect.poll(async () => [path, (await sum()) - (await owed())]).toEqual([path, 0]);
  }
  await page.context().close();
}

test("the holder tops up, buys, has a part back, and rides", async () => {
  const phone = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(phone, "guardian");
  const payer = await payerOf(portal, "guardian");
  const { path, client } = payer;
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(phone, path, "50");
  await press(phone, "Payer 50,00 €");
  await expect
    .poll(async () => (await payer.wallet()).balanceCents, { timeout: 60_000 })
    .toBe(before + 5000);

  const shop = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(shop, "partnerShop");
  await shop.goto(`${portal.url}/partenaire/caisse`);
  await shop.getByLabel("Montant").fill("20");
  const { token } = (await client.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  await shop.getByRole("button", { name: "Saisir le numéro" }).click();
  await shop.getByLabel("Code de la carte, ou son numéro").fill(token);
  await shop.keyboard.press("Enter");
  await shop
    .getByRole("status")
    .getByText(/^Payé, 19,00/)
    .first()
    .waitFor();
  await shop.getByRole("tab", { name: "Ventes" }).click();
  await shop.getByRole("table", { name: "Ventes" }).getByRole("button").first().click();
  await press(shop, /^Rembourser/);
  await shop.getByLabel("Montant à rendre").fill("3,33");
  await shop
    .getByRole("dialog", { name: "Rembourser un achat" })
    .getByRole("button", { name: "Rembourser" })
    .click();
  await shop.getByRole("cell").getByText("3,33 € rendus").waitFor();
  await expect
    .poll(async () => (await payer.wallet()).balanceCents)
    .toBe(before + 5000 - 1900 + 333);

  const [{ id }] = await query(
    `select group_id as id from fare_group where company_id is not null`,
  );
  await phone.goto(`${portal.url}/Abonnement/ligne/${id}`);
  await phone
    .getByRole("link", { name: /^Acheter Ticket/ })
    .first()
    .click();
  await press(phone, "Vérifier l’achat");
  await heading(phone, "Vérifiez avant de payer");
  const pay = phone.getByRole("button", { name: /^Payer / });
  await pay.click();
  await heading(phone, "Le titre est prêt");
  const paid = await query("select price_cents from pass_order where state = 'paid'");
  await expect
    .poll(async () => (await payer.wallet()).balanceCents)
    .toBe(before + 5000 - 1900 + 333 - Number(paid[0].price_cents));
  await phone.context().close();
  await shop.context().close();
  // What was sold this month is owed once the month is closed.
  await expectOwedEverywhere();
});

// proves: monthly-settlement
test("the month closes: statement, invoice, payout and FEC say what the ledger says", async () => {
  const [{ fare }] = await query(
    "select price_cents::int as fare from pass_order where state = 'paid'",
  );
  const gross = 1900 - 333 + fare;
  await expect
    .poll(async () => (await balanceOf("tills")) + (await balanceOf("transport")))
    .toBe(gross);
  goTo(addDays(firstOfMonth(`${month}-01`, 1), 1));
  await operate("settlement close", month);
  await expect.poll(() => balanceOf("tills")).toBe(0);
  // 2,5 % of 19,00 is 0,48; of the 3,33 that went back 0,08; of the ticket its own.
  const commission = 48 - 8 + Math.round((fare * 250) / 10_000);
  const vat = Math.round(commission / 5);
  await expect.poll(() => balanceOf("commissions")).toBe(commission);
  await expect.poll(() => balanceOf("vat")).toBe(vat);
  const net = gross - commission - vat;
  await expect.poll(owed).toBe(net);
  await expectOwedEverywhere();
  const [invoice] = await query(
    `select i.number, i.total_cents::int as total, (b.due_cents - b.settled_cents)::int as open
     from invoice i join invoice_balance b on b.invoice_id = i.id`,
  );
  expect(invoice).toMatchObject({ total: commission + vat, open: 0 });

  const made = await operate("settlement payout", folder);
  expect(made).toContain("1 virement");
  const xml = await readFile(join(folder, "MC-LOT-000001.xml"), "utf8");
  expect(cents(/<InstdAmt Ccy="EUR">([\d.]+)</.exec(xml)?.[1])).toBe(net);
  await expect.poll(owed).toBe(0);
  const answer = join(folder, "pain.002.xml");
  await writeFile(
    answer,
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
      <OrgnlGrpInfAndSts><OrgnlMsgId>MC-LOT-000001</OrgnlMsgId><GrpSts>ACSC</GrpSts>
      </OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`,
  );
  const acknowledged = await operate("settlement acknowledge", answer);
  expect(acknowledged).toContain("1 versé");
  await expect.poll(() => balanceOf("bank")).toBe(net);

  const page = await portal.open();
  await portal.login(page, "partnerShop");
  await page.getByRole("link", { name: "Voir les règlements" }).click();
  await heading(page, "Règlements");
  await page.getByText("1 mois affiché").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("table", { name: "Mois clos" }).getByRole("link").click();
  await page.getByText("Écart de contrôle : 0,00 €").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const step = async (label: string | RegExp) =>
    cents(
      await page
        .locator("dl > div")
        .filter({ has: page.getByText(label) })
        .first()
        .locator("dd")
        .innerText(),
    );
  await expect.poll(() => step("= Ventes nettes")).toBe(gross);
  await expect
    .poll(async () => Math.abs(await step(`Commission hors TVA, ${invoice.number}`)))
    .toBe(commission);
  await expect
    .poll(async () => Math.abs(await step(`TVA sur la commission, ${invoice.number}`)))
    .toBe(vat);
  await expect.poll(async () => Math.abs(await step(/^Versement MC-000001-0001 du/))).toBe(net);
  await expect.poll(() => step("= Reste à verser")).toBe(0);
  await page.getByText("Versé", { exact: true }).waitFor();
  await press(page, "Voir les lignes");
  await page.getByText("3 sur 3").waitFor();
  const files = await Promise.all([page.waitForEvent("download"), press(page, "Lignes en CSV")]);
  const csv = (await bytesOf(files[0])).toString("utf8");
  const rows = csv
    .trim()
    .split("\r\n")
    .map((line) => line.split(";"));
  const lines = rows.filter(([, , source]) => source !== "" && source !== "Source");
  expect(lines).toHaveLength(3);
  expect(lines.reduce((sum, line) => sum + cents(line[5]), 0)).toBe(gross);
  expect(lines.reduce((sum, line) => sum + cents(line[7]), 0)).toBe(commission);
  expect(cents(rows.at(-1)?.[5])).toBe(0);
  // The screen, the file and the paper say the same lines in the same words.
  const inFile = rows
    .filter(([, , , nature]) => nature === "Relevé" || nature === "Total")
    .map(([, , , nature, label, amount]) => [
      `${nature === "Total" ? "= " : ""}${label}`,
      cents(amount),
    ]);
  expect(inFile.length).toBeGreaterThan(8);
  const onScreen = async () => {
    const items = await page.locator("dl > div").allInnerTexts();
    return items.map((text) => {
      const [label = "", amount] = text.split("\n").filter((part) => part.trim() !== "");
      return [label.trim(), cents((amount ?? "").replace("−", "-"))];
    });
  };
  await expect.poll(onScreen).toEqual(inFile);
  const shop = await portal.server.as("partnerShop");
  const paper = await printedLines(portal.server, `/api/settlements/${month}/statement.pdf`, shop);
  for (const [label] of inFile) expect(paper).toContain(label);
  await page.context().close();

  const sums = new Map<string, number>();
  const years = new Set([month.slice(0, 4), parisDay(portal.server.clock.now()).slice(0, 4)]);
  for (const year of [...years, String(Number(month.slice(0, 4)) - 1)]) {
    await operate("settlement fec", year, folder);
    const fec = await readFile(join(folder, `900123001FEC${year}1231.txt`), "utf8");
    for (const line of fec.split("\r\n").slice(1, -1)) {
      const fields = line.split("\t");
      const account = fields[4] ?? "";
      sums.set(account, (sums.get(account) ?? 0) + cents(fields[12]) - cents(fields[11]));
    }
  }
  expect(sums.get("70620000")).toBe(commission);
  expect(sums.get("44571000")).toBe(vat);
  expect(sums.get("46710000")).toBe(0);
  expect(sums.get("51200000")).toBe(net);
  expect([...sums.values()].reduce((all, one) => all + one, 0)).toBe(0);
  const output = await operate("settlement show", month);
  expect(output).toMatch(/^✓ /);
});

test("a cashier finds no way to it, and is told whose it is", async () => {
  await query("update company_member set roles = '{cashier}' where company_id = $1", company);
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.login(page, "partnerShop");
  await expect.poll(() => page.getByRole("link", { name: "Règlements" }).count()).toBe(0);
  await page.goto(`${portal.url}/professional/reglements?mois=${month}`);
  await page.getByText("Les règlements sont réservés au responsable et au comptable").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});
