// A company in two browsers: its owner gives roles and another bank account, a second owner confirms it,
// a cashier comes to see none of it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { openProCards } from "#server/demo/demo.ts";
import { companyOf, writeBankAccount } from "#server/companies/companies.ts";
import { violationsOf } from "../axe.ts";
import { cast, castPassword } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
const path = "/professional/entreprise";
const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;
const employerId = async () =>
  (await query("select person_id as id from card where number = $1", cast.employer.cardnumber))[0]
    .id as number;

beforeAll(async () => {
  portal = await openTestPortal();
  const { deps } = portal.server;
  const id = await employerId();
  const at = new Date(deps.now().getTime() - 30 * 86_400_000);
  await inTx(deps.db, async (tx) => {
    await openProCards(tx, { employer: id }, deps.now());
    const company = await companyOf(tx, id);
    await writeBankAccount(tx, {
      companyId: company?.companyId ?? "",
      iban: "FR7699999002100009080706203",
      bic: null,
      holderName: "Ateliers Corail",
      by: id,
      second: false,
      at,
    });
  });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const prove = async (page: Page) => {
  await page.getByLabel("Votre mot de passe").fill(castPassword);
  await page.getByRole("textbox", { name: "Code reçu" }).click();
  await page.keyboard.type(portal.server.lastCode());
};

test.each([360, 1280])(
  "at %s px: another account is asked for, seen masked, and taken back",
  async (width) => {
    const colorScheme = width === 360 ? "dark" : "light";
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    await query("delete from limiter");
    await portal.signIn(page, "employer");
    await page.goto(`${portal.url}${path}`);
    await page.getByText("FR76 •••• 6203").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);

    await page.getByRole("button", { name: "Changer de compte" }).click();
    await page.getByLabel("IBAN", { exact: true }).fill("FR76 1234");
    await page.getByLabel("Titulaire du compte").fill("Ateliers Corail");
    await page.getByRole("button", { name: "Demander ce changement" }).click();
    await page.getByText("Saisissez l’IBAN entier").waitFor();
    await page.getByLabel("IBAN", { exact: true }).fill("FR76 9999 9002 1000 0112 2334 414");
    await page.getByRole("button", { name: "Demander ce changement" }).click();
    await page.getByText("Cet IBAN n'est pas valable").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel("IBAN", { exact: true }).fill("GB29 NWBK 6016 1331 9268 19");
    await page.getByRole("button", { name: "Demander ce changement" }).click();
    await page.getByText("Ce pays demande aussi le BIC").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const pasted = "IBAN : FR76 9999 9002 1000 0112 2334 413";
    await page.getByLabel("IBAN", { exact: true }).fill(pasted);
    await page.getByRole("button", { name: "Demander ce changement" }).click();
    await prove(page);
    await page.getByText("Changement de compte en cours").waitFor();
    await expect.poll(() => page.getByText("Aucun paiement ne part avant le").count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await page.getByRole("button", { name: "Annuler le changement" }).click();
    await page.getByText("Changement de compte en cours").waitFor({ state: "detached" });
    await page.getByText("FR76 •••• 6203").first().waitFor();
  },
);

test("an owner gives a colleague two roles, then makes them an owner, by a code each; a role opens and closes", async () => {
  await query("delete from limiter");
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(page, "employer");
  await page.goto(`${portal.url}${path}`);
  const row = page.getByRole("row").filter({ hasText: "Louis Tanguy" });
  await row.getByRole("button", { name: "rôle" }).click();
  expect(await violationsOf(page)).toEqual([]);
  // The employer runs no canteen: its roles are not offered.
  await expect.poll(() => page.getByRole("checkbox", { name: /^Guichet/ }).count()).toBe(0);
  await page.getByRole("checkbox", { name: /^Caisse/ }).check();
  await page.getByRole("checkbox", { name: /^Comptable/ }).check();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await prove(page);
  await row.filter({ hasText: "Comptable et caisse" }).waitFor();
  await row.getByRole("button", { name: "Changer le rôle de Louis Tanguy" }).click();
  await page.getByRole("checkbox", { name: /^Responsable/ }).check();
  await expect
    .poll(() => page.getByRole("checkbox", { name: /^Comptable/ }).isChecked())
    .toBe(false);
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await prove(page);
  await row.filter({ hasText: "Responsable" }).waitFor();

  const own = page.getByRole("row").filter({ hasText: "vous" });
  await own.getByRole("button", { name: "Changer le rôle" }).click();
  await page.getByRole("checkbox", { name: /^Responsable/ }).uncheck();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler" }).click();
  await own.filter({ hasText: "Responsable" }).waitFor();
});

test("a second owner compares the whole account and confirms it; a cashier sees none of it", async () => {
  await query("delete from limiter");
  const shopId = (
    await query("select person_id as id from card where number = $1", cast.partnerShop.cardnumber)
  )[0].id as number;
  const company = await companyOf(portal.server.deps.db, await employerId());
  const join = (role: string) =>
    query(
      `update company_member set company_id = $1, roles = array[$2], since = now() - interval '9 days'
       where person_id = $3`,
      company?.companyId,
      role,
      shopId,
    );
  await join("owner");
  const asker = await portal.open({ viewport: { width: 1280, height: 800 } });
  const second = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(asker, "employer");
  await portal.login(second, "partnerShop");
  await asker.goto(`${portal.url}${path}`);
  await asker.getByRole("button", { name: "Changer de compte" }).click();
  await asker.getByLabel("IBAN", { exact: true }).fill("FR7699999002100001122334413");
  await asker.getByLabel("Titulaire du compte").fill("Ateliers Corail");
  await asker.getByRole("button", { name: "Demander ce changement" }).click();
  await prove(asker);
  await asker.getByText("Un changement attend un second responsable").waitFor();
  await expect
    .poll(() => asker.getByRole("button", { name: "Confirmer ce compte" }).count())
    .toBe(0);

  await second.goto(`${portal.url}${path}`);
  await second.getByText("FR76 9999 9002 1000 0112 2334 413").waitFor();
  expect(await violationsOf(second)).toEqual([]);
  await expectNoHorizontalScroll(second);
  await second.getByRole("button", { name: "Confirmer ce compte" }).click();
  await prove(second);
  await second.getByText("Changement de compte en cours").waitFor();
  await asker.getByText("Changement de compte en cours").waitFor();

  await join("cashier");
  await second.reload();
  await second.getByText("Votre rôle").waitFor();
  await expect.poll(() => second.getByText("FR76").count()).toBe(0);
  await expect.poll(() => second.getByRole("heading", { name: "Équipe" }).count()).toBe(0);
});
