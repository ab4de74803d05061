// A company's invoices in a browser: the list and its filters, the files, a payment, a credit note.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { companyOf } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { invoiceCommands } from "#server/invoices/operator.ts";
import { grant } from "#server/wallet/wallet.ts";
import { violationsOf } from "../axe.ts";
import { furnishInvoices } from "../campaigns/audit/invoice-states.ts";
import { cast } from "../cast.ts";
import { payWith } from "../payment-choice.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { runByTwo } from "#tests/two-operators.ts";

let portal: TestPortal;
let page: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  await furnishInvoices(portal.server.deps);
  page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "partnerShop");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const bare = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const link = (name: RegExp) => page.getByRole("link", { name }).first();
const saved = async (press: Promise<unknown>): Promise<{ name: string; body: Buffer }> => {
  const [download] = await Promise.all([page.waitForEvent("download"), press]);
  return { name: download.suggestedFilename(), body: await bytesOf(download) };
};

test("the list says what is owed; a filter keeps credit notes, and the address holds it", async () => {
  await page.goto(`${portal.url}/professional/invoice`);
  await page.getByRole("heading", { name: "Factures", level: 1 }).waitFor();
  await page.getByText(/1 facture à payer/).waitFor();
  await expect.poll(() => page.title()).toContain("Factures");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Avoirs" }).click();
  await link(/^Avoir A\d{4}-00001$/).waitFor();
  await expect.poll(() => page.getByRole("link", { name: /^Facture F/ }).count()).toBe(0);
  await page.reload();
  await link(/^Avoir A\d{4}-00001$/).waitFor();
  const { name, body } = await saved(page.getByRole("button", { name: "Exporter en CSV" }).click());
  expect(name).toBe("factures.csv");
  expect(body.toString().trim().split("\r\n")).toHaveLength(2);
});

test("a credit note leads to the invoice that it corrects, and its PDF carries the XML", async () => {
  await link(/^Avoir A/).click();
  await page.getByRole("heading", { name: /^Avoir A\d{4}-00001$/, level: 1 }).waitFor();
  await page.getByText("Soldé").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const pdf = await saved(page.getByRole("button", { name: "Télécharger le PDF" }).click());
  expect(pdf.name).toMatch(/^A\d{4}-00001\.pdf$/);
  expect(pdf.body.toString("latin1")).toContain("(factur-x.xml)");
  const ubl = await saved(page.getByRole("button", { name: "Fichier UBL" }).click());
  expect(ubl.body.toString()).toContain("<CreditNote ");
  await link(/^Facture F/).click();
  await page.getByText("Annulée par avoir").waitFor();
  await page.getByText(/^Avoir imputé/).waitFor();
});

test("a transfer that the operator notes is on the open screen, without a reload", async () => {
  await page.goto(`${portal.url}/professional/invoice?etat=open`);
  const row = page.getByRole("main").getByText(/18,00\s€/);
  await row.first().waitFor();
  const number = /F\d{4}-\d{5}/.exec(await link(/^Facture F/).innerText())?.[0] ?? "";
  const noted = invoiceCommands.find(({ name }) => name === "invoices transfer-received");
  await runByTwo(portal.server.deps, noted, [number, "1", "VIR 1"]);
  await page
    .getByRole("main")
    .getByText(/17,00\s€/)
    .first()
    .waitFor();
  await link(/^Facture F/).click();
  await page.getByRole("button", { name: /^Payer 17,00/ }).waitFor();
  await runByTwo(portal.server.deps, noted, [number, "2", "VIR 2"]);
  await page.getByRole("button", { name: /^Payer 15,00/ }).waitFor();
});

test("what is due is paid from the wallet, once, and nothing is owed any more", async () => {
  const { deps } = portal.server;
  const person = await portal.server.as("partnerShop");
  const { cardnumber } = cast.partnerShop;
  const wallets = await person.get(`/api/wallets?cardnumber=${cardnumber}`);
  await inTx(deps.db, async (tx) => {
    const { id: walletId } = await tx
      .selectFrom("wallet")
      .select("id")
      .where("objectId", "=", wallets.body.items[0].objectID)
      .executeTakeFirstOrThrow();
    const aid = { walletId, amountCents: 5_000, label: "Essai", expiresOn: null, key: "essai" };
    await grant(tx, { ...aid, at: deps.now() });
  });
  await page.goto(`${portal.url}/professional/invoice?etat=open`);
  await link(/^Facture F/).click();
  await page.getByRole("heading", { name: "Payer maintenant" }).waitFor();
  await page.getByText("Référence à rappeler").waitFor();
  await expect
    .poll(async () => bare(await page.locator("main").innerText()))
    .toMatch(/RF\d\dF\d{9}/);
  expect(await violationsOf(page)).toEqual([]);
  // Refused at the payment page: that is what the person comes back to, above the lines of the invoice.
  await payWith(page, /^Carte bancaire/);
  await page.getByRole("button", { name: /^Payer 15,00/ }).click();
  await page.getByRole("button", { name: /refus/i }).click();
  const again = page.getByRole("button", { name: "Choisir un moyen de paiement" });
  await again.waitFor();
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await expect.poll(async () => (await again.boundingBox())?.y).toBeLessThan(740);
  await again.click();
  await payWith(page, /^Cagnotte principale/);
  await page.getByRole("button", { name: /^Payer 15,00/ }).click();
  await page.getByRole("heading", { name: "La facture est payée" }).waitFor();
  await page.getByText(/^Paiement en ligne/).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Factures" }).click();
  await page.getByText("Tout est payé.").waitFor();
});

test("a cashier has no such place in the menu and reads no invoice", async () => {
  const { db } = portal.server.deps;
  const { personId } = await db
    .selectFrom("card")
    .select("personId")
    .where("number", "=", cast.employer.cardnumber)
    .executeTakeFirstOrThrow();
  await expect.poll(async () => (await companyOf(db, personId))?.roles).toEqual(["owner"]);
  await db
    .updateTable("companyMember")
    .set({ roles: ["cashier"] })
    .where("personId", "=", personId)
    .execute();
  const till = await portal.open();
  await portal.signIn(till, "employer");
  await till.goto(`${portal.url}/professional/invoice`);
  await till.getByText("Les factures ne vous sont pas ouvertes").waitFor();
  await expect.poll(() => till.getByRole("link", { name: "Factures" }).count()).toBe(0);
  // What their role cannot ask for is left to whoever can.
  await till.goto(`${portal.url}/partenaire/caisse`);
  await till.getByText("Le responsable de votre entreprise peut l’y inscrire.").waitFor();
  await expect.poll(() => till.getByRole("link", { name: "Nous écrire" }).count()).toBe(0);
  await till.goto(`${portal.url}/professional/partenaire`);
  await till.getByText(/^Quand le responsable de votre entreprise s’accorde/).waitFor();
  await till.context().close();
});
