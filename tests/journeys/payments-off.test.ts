// An installation without a payment provider says so instead of asking for an amount, and leads nobody there.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "../cast.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { type Payer, payerOf } from "../top-up-steps.ts";

let portal: TestPortal;
let payer: Payer;
beforeAll(async () => {
  portal = await openTestPortal({ payments: "none", supportPhone: "02 62 00 00 00" });
  payer = await payerOf(portal, "guardian");
  // Empty wallets: the home says so of them.
  await portal.server.owner.pool.query(
    "update ledger_account set balance = 0 where id in (select account_id from wallet_lot)",
  );
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test("without a payment provider the recharge says so, and whom to call", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(payer.path);
  await page.getByText("La recharge en ligne n’est pas ouverte ici").waitFor();
  await page.getByText("02 62 00 00 00").waitFor();
  await expect.poll(() => page.getByLabel("Montant").count()).toBe(0);
  await expect.poll(() => payer.topUps()).toEqual([]);
  await page.context().close();
});

test.each<[CastName, string, string]>([
  ["guardian", "/dashboard", "Le service clients peut y ajouter de l’argent."],
  ["guardian", "/services/cagnottes", "Cagnotte"],
  ["guardian", `/family/${cast.child.cardnumber}`, "Solde"],
  ["guardian", "history", "Opérations"],
  ["guardian", "/cagnottes/virement", "Montant"],
  ["partnerShop", "/dashboard", "Solde de la carte"],
])("for %s nothing on %s offers « Recharger »", async (name, address, text) => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, name);
  const history = `/cagnottes/${(await payer.wallet()).objectID}/operations`;
  await page.goto(address === "history" ? history : address);
  await settle(page);
  await page.getByRole("main").getByText(text).first().waitFor();
  if (address.endsWith("virement")) {
    await page.getByRole("radio", { name: /Léo/ }).check();
    await page.getByRole("textbox", { name: /Montant|Autre montant/ }).fill("900");
    await page.getByRole("button", { name: "Vérifier le virement" }).click();
    await page.getByText("Le solde ne suffit pas").waitFor();
  }
  await expect.poll(() => page.getByText(/recharge[rz]/i).allInnerTexts()).toEqual([]);
  await page.context().close();
});
