// The list of wallets and their operations; topping up by keyboard, small and dark.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { grant, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { ledgerFaults, payerOf, seeHeading } from "../top-up-steps.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
  await portal.close();
});

const focused = (one: Locator) =>
  one.evaluate((element) => element === element.ownerDocument.activeElement);

/** Presses Tab until the element has the focus; gives up after more than a screen has. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await focused(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the keyboard does not reach it");
}

test("the wallets of one's card and of the children, with what is spent first", async () => {
  const { objectID } = await (await payerOf(portal, "guardian")).wallet();
  const { deps } = portal.server;
  const { id } = await deps.db
    .selectFrom("wallet")
    .select("id")
    .where("objectId", "=", objectID)
    .executeTakeFirstOrThrow();
  const aid = { walletId: id, amountCents: 1500, label: "Aide de la mairie", key: "aid" };
  await inTx(deps.db, (tx) => grant(tx, { ...aid, expiresOn: "2099-06-30", at: deps.now() }));
  const page = await portal.open();
  await portal.login(page, "guardian");
  await page.getByRole("link", { name: "Cagnottes" }).first().click();
  const own = page.getByRole("region", { name: "Ma carte" });
  await own.getByRole("button", { name: /135,00/ }).waitFor();
  await page
    .getByRole("region", { name: "Léo Moreau" })
    .getByRole("button", { name: /35,50/ })
    .waitFor();
  await page
    .getByRole("region", { name: "Jade Moreau" })
    .getByRole("button", { name: /8,20/ })
    .waitFor();
  // The other guardian's wallet is theirs alone.
  await expect.poll(() => page.getByText("Thomas").count()).toBe(0);

  await own.getByRole("link", { name: /Cagnotte principale/ }).click();
  const lots = page.getByRole("listitem").filter({ hasText: /Aide de la mairie|Argent rechargé/ });
  await expect
    .poll(async () => (await lots.allInnerTexts()).slice(-2))
    .toEqual([
      expect.stringMatching(/Aide de la mairie[^]*30\/06\/2099[^]*15,00/),
      expect.stringMatching(/Argent rechargé[^]*120,00/),
    ]);
  await page.getByRole("table").getByText("Aide de la mairie").waitFor();
  await page.getByLabel("Rechercher").fill("ouverture");
  await page.getByText("1 opération affichée").waitFor();
  await expect.poll(() => new URL(page.url()).search).toContain("texte=ouverture");
  await page.reload();
  await page.getByText("1 opération affichée").waitFor();
  await page.context().close();
});

test("a purchase paid from two lots is one line under its day, and unfolds to its parts", async () => {
  const { objectID } = await (await payerOf(portal, "stranger")).wallet();
  const { deps } = portal.server;
  const { id: walletId } = await deps.db
    .selectFrom("wallet")
    .select("id")
    .where("objectId", "=", objectID)
    .executeTakeFirstOrThrow();
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    const aid = { walletId, amountCents: 500, label: "Chèque culture", key: "split-aid" };
    await grant(tx, { ...aid, expiresOn: null, at });
    const to = await schemeAccount(tx, "purchases");
    const bought = { walletId, amountCents: 780, to, kind: "purchase" as const, key: "split" };
    await spend(tx, { ...bought, memo: { label: "Deux billets" }, at });
  });
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "stranger");
  await page.goto(`/cagnottes/${objectID}/operations`);
  const line = page.getByRole("row").filter({ hasText: "Deux billets" });
  await line.waitFor();
  await expect.poll(() => line.count()).toBe(1);
  await page.getByRole("rowheader", { name: "aujourd’hui" }).waitFor();
  await expect.poll(() => line.innerText()).toMatch(/−\s7,80\s€/);
  await expect.poll(() => line.getByRole("listitem").first().isVisible()).toBe(false);
  const unfold = line.getByText("Payé en 2 parts : Deux billets");
  await unfold.focus();
  await page.keyboard.press("Enter");
  await expect
    .poll(() => line.getByRole("listitem").allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Chèque culture\s+−\s5,00\s€/),
      expect.stringMatching(/^Argent rechargé\s+−\s2,80\s€/),
    ]);
  await expectNoHorizontalScroll(page);
  await page.context().close();
});

test("professionals are sent to their card; another person's wallet has no operations to show", async () => {
  const foreign = await (await payerOf(portal, "stranger")).wallet();
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/cagnottes/${foreign.objectID}/operations`);
  await seeHeading(page, "Page introuvable");
  await page.context().close();
  const desk = await portal.open();
  await portal.signIn(desk, "canteenProvider");
  await desk.goto("/services/cagnottes");
  await desk.waitForURL("**/dashboard");
  await desk.context().close();
});

// proves: keyboard
test("the whole top-up by keyboard alone, at 320 px, in the dark", async () => {
  const payer = await payerOf(portal, "child");
  const before = (await payer.wallet()).balanceCents;
  const page = await portal.open({
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
  });
  await portal.login(page, "child");
  await tabTo(page, page.getByRole("button", { name: "Recharger" }).first());
  await page.keyboard.press("Enter");
  const field = page.getByLabel("Montant", { exact: true });
  await field.waitFor();
  await tabTo(page, field);
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await page.getByText("Le montant minimal est de 5 €.").waitFor();
  await expect.poll(() => focused(field)).toBe(true);
  await page.keyboard.type("0");
  await expectNoHorizontalScroll(page);
  await tabTo(page, page.getByRole("button", { name: "Payer 20 €" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/paiement/sandbox/*");
  await expectNoHorizontalScroll(page);
  await tabTo(page, page.getByRole("button", { name: "Payer 20,00 €" }));
  await page.keyboard.press("Enter");
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await expectNoHorizontalScroll(page);
  await tabTo(page, page.getByRole("link", { name: "Revenir à ma carte" }));
  await page.keyboard.press("Enter");
  await seeHeading(page, "Solde");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 2000);
  await page.context().close();
});
