// « Cagnottes » of a family with several wallets each: one sum, a row a person that unfolds, and each wallet on its
// own page with all its acts. With LENGTHS set, says how long the page is.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { hold } from "#server/ledger/ledger.ts";
import { grant, schemeAccount } from "#server/wallet/wallet.ts";
import { violationsOf } from "../axe.ts";
import { cast, type CastName } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { payerOf, seeHeading } from "../top-up-steps.ts";

const address = "/services/cagnottes";
const small = { viewport: { width: 360, height: 640 } };
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  const { db, pool, now } = portal.server.deps;
  const second = async (name: CastName, label: string) => {
    const { rows } = await pool.query<{ id: string }>(
      `with place as (
         insert into acceptance_group (name, slug, rule)
         values ($2, 'essai-' || $1, 'Acceptée à la cantine.') returning id, slug
       )
       insert into wallet (person_id, group_id, name, slug)
       select c.person_id, place.id, $2, place.slug from place, card c where c.number = $1::bigint
       returning id`,
      [String(cast[name].cardnumber), label],
    );
    return Number(rows[0]?.id);
  };
  const culture = await second("guardian", "Cagnotte culture");
  const meals = await second("child", "Cagnotte restauration");
  const at = now();
  await inTx(db, async (tx) => {
    const aid = { label: "Aide de la mairie", at };
    await grant(tx, {
      ...aid,
      walletId: culture,
      amountCents: 549,
      expiresOn: "2099-06-30",
      key: "a",
    });
    await grant(tx, { ...aid, walletId: meals, amountCents: 2000, expiresOn: null, key: "b" });
    const { accountId: debitAccount } = await tx
      .selectFrom("walletLot")
      .select("accountId")
      .where("walletId", "=", meals)
      .executeTakeFirstOrThrow();
    const creditAccount = await schemeAccount(tx, "meals");
    await hold(tx, {
      key: "booked",
      kind: "meal",
      amountCents: 345,
      at,
      debitAccount,
      creditAccount,
    });
  });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function opened(options: Parameters<TestPortal["open"]>[0] = {}): Promise<Page> {
  const page = await portal.open(options);
  await portal.signIn(page, "guardian");
  await page.goto(address);
  return page;
}
const person = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const rowOf = (page: Page, name: string) => person(page, name).getByRole("button").first();
const isOpen = (page: Page, name: string) =>
  expect.poll(() => rowOf(page, name).getAttribute("aria-expanded"));
const walletsOf = (page: Page, name: string) => person(page, name).getByRole("link");
const all = ["Ma carte", "Léo Moreau", "Jade Moreau"];

test("the total is the sum of the family's wallets, what is booked told from it", async () => {
  const page = await opened();
  const client = await portal.server.as("guardian");
  const seen = async (name: CastName): Promise<{ balanceCents: number; heldCents: number }[]> =>
    (await client.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body.items;
  const wallets = [
    ...(await seen("guardian")),
    ...(await seen("child")),
    ...(await seen("secondChild")),
  ];
  const cents = wallets.reduce((sum, { balanceCents }) => sum + balanceCents, 0);
  expect([wallets.length, cents]).toEqual([5, 12_000 + 549 + 3550 + 2000 + 820]);
  const total = page.locator("section").filter({ hasText: "Total de la famille" });
  await expect.poll(() => total.innerText()).toMatch(/189,19\s*€/);
  await expect
    .poll(() => total.innerText())
    .toMatch(/dont 3,45\s€ réservés\s+après vos réservations 185,74\s€/);
  await expect.poll(() => rowOf(page, "Léo Moreau").innerText()).toMatch(/55,50/);
  await total.getByRole("link", { name: /^Recharger/ }).click();
  await page.waitForURL(`**${(await payerOf(portal, "guardian")).path}`);
  await page.context().close();
});

// proves: keyboard
test("a row unfolds by pointer and by keyboard; what is folded is out of reach", async () => {
  const page = await opened({ ...small, reducedMotion: "no-preference" });
  await isOpen(page, "Ma carte").toBe("true");
  await isOpen(page, "Léo Moreau").toBe("false");
  await expect.poll(() => walletsOf(page, "Ma carte").count()).toBe(2);
  await expect.poll(() => walletsOf(page, "Léo Moreau").count()).toBe(0);
  const length = () => page.evaluate<number>("document.documentElement.scrollHeight");
  if (process.env["LENGTHS"]) process.stdout.write(`Cagnottes, 360 px: ${await length()} px\n`);
  await expect.poll(length).toBeLessThanOrEqual(900);

  await rowOf(page, "Léo Moreau").click();
  await isOpen(page, "Léo Moreau").toBe("true");
  await expect.poll(() => walletsOf(page, "Léo Moreau").count()).toBe(2);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);

  await rowOf(page, "Jade Moreau").focus();
  await page.keyboard.press("Enter");
  await isOpen(page, "Jade Moreau").toBe("true");
  await page.keyboard.press("Tab");
  await expect
    .poll(() => page.evaluate("document.activeElement.textContent"))
    .toContain("Cagnotte principale");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  await isOpen(page, "Jade Moreau").toBe("false");
  await page.keyboard.press("Tab");
  await expect
    .poll(() => rowOf(page, "Léo Moreau").evaluate((one) => one === document.activeElement))
    .toBe(true);
  await page.context().close();
});

test("each wallet leads to its page, and what was unfolded still is when one comes back", async () => {
  const page = await opened();
  await rowOf(page, "Ma carte").click();
  for (const name of all.slice(1)) await rowOf(page, name).click();
  const links = page.getByRole("main").locator("li li a");
  await expect.poll(() => links.count()).toBe(5);
  await expect
    .poll(() =>
      links.evaluateAll((found) => new Set(found.map((link) => link.getAttribute("href"))).size),
    )
    .toBe(5);
  await walletsOf(page, "Léo Moreau").filter({ hasText: "Cagnotte restauration" }).click();
  await seeHeading(page, "Cagnotte restauration");
  await page.getByText("Carte de Léo Moreau").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Cagnottes" }).click();
  await isOpen(page, "Léo Moreau").toBe("true");
  await isOpen(page, "Ma carte").toBe("false");
  await walletsOf(page, "Jade Moreau").first().click();
  await seeHeading(page, "Cagnotte principale");
  await page.goBack();
  await isOpen(page, "Jade Moreau").toBe("true");
  await page.reload();
  await isOpen(page, "Jade Moreau").toBe("true");
  await isOpen(page, "Ma carte").toBe("false");
  await page.context().close();
});

test("a wallet's page has all its acts, its filters in sight on a desk", async () => {
  const page = await opened({ viewport: { width: 1280, height: 800 } });
  await walletsOf(page, "Ma carte").filter({ hasText: "Cagnotte culture" }).click();
  await seeHeading(page, "Cagnotte culture");
  await page.getByText("Aide de la mairie").first().waitFor();
  await page.getByText("Acceptée à la cantine.").waitFor();
  await page.getByRole("link", { name: "Recharger" }).waitFor();
  // Aid stays with whom it was given to: only the main wallet sends.
  await expect.poll(() => page.getByRole("link", { name: "Envoyer" }).count()).toBe(0);
  const inSight = () =>
    page
      .getByLabel("Rechercher")
      .evaluate((field) => field.getBoundingClientRect().bottom <= innerHeight);
  await expect.poll(inSight).toBe(true);
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await page.getByRole("link", { name: /Alertes et recharge automatique/ }).click();
  await seeHeading(page, "Alertes et recharge automatique");
  await page.context().close();

  const phone = await opened(small);
  await rowOf(phone, "Léo Moreau").click();
  await walletsOf(phone, "Léo Moreau").first().click();
  await phone.getByRole("link", { name: /Alertes et recharge automatique/ }).waitFor();
  await phone.getByText("rien de programmé").waitFor();
  const detail = phone.getByRole("button", { name: "Détail de la cagnotte" });
  await expect.poll(() => detail.getAttribute("aria-expanded")).toBe("false");
  await detail.click();
  await phone.getByText("Acceptée partout").waitFor();
  expect(await violationsOf(phone)).toEqual([]);
  await expectNoHorizontalScroll(phone);
  await phone.getByRole("link", { name: "Envoyer" }).click();
  await phone.waitForURL(`**/cagnottes/virement?*${cast.child.cardnumber}`);
  await phone.context().close();
});

test("a blocked wallet is said on the folded row, and on its page", async () => {
  const { pool } = portal.server.owner;
  const { objectID } = await (await payerOf(portal, "secondChild")).wallet();
  await pool.query(
    "update wallet set frozen_at = now(), frozen_why = 'Litige' where object_id = $1",
    [objectID],
  );
  const page = await opened(small);
  await isOpen(page, "Jade Moreau").toBe("false");
  await rowOf(page, "Jade Moreau").getByText("Cagnotte bloquée").waitFor();
  await rowOf(page, "Jade Moreau").click();
  await walletsOf(page, "Jade Moreau").filter({ hasText: "Bloquée" }).click();
  await page.getByText("Paiements bloqués").waitFor();
  await page.getByRole("heading", { name: "Opérations" }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: /^(Recharger|Envoyer)/ }).count()).toBe(0);
  await pool.query("update wallet set frozen_at = null, frozen_why = null where object_id = $1", [
    objectID,
  ]);
  await page.context().close();
});

// proves: failed-reads
test("one card's wallets that cannot be read: the others stay, and a press asks again", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  let refuses = true;
  await page.route("**/api/public/services/public", (route) =>
    refuses && route.request().postData()?.includes(String(cast.child.cardnumber))
      ? route.fulfill({
          status: 500,
          json: { code: "server_error", message: "Une erreur est survenue." },
        })
      : route.continue(),
  );
  await page.goto(address);
  const leo = person(page, "Léo Moreau");
  await leo.getByText("Les cagnottes de cette carte n’ont pas pu être chargées.").waitFor();
  await rowOf(page, "Léo Moreau").getByText("Solde non chargé").waitFor();
  const total = page.locator("section").filter({ hasText: "Total de la famille" });
  await total.getByText("sans les cagnottes qui n’ont pas pu être chargées").waitFor();
  await total.getByText("133,69").waitFor();
  refuses = false;
  await leo.getByRole("button", { name: "Réessayer" }).click();
  await total.getByText("189,19").waitFor();
  await expect.poll(() => rowOf(page, "Léo Moreau").innerText()).toMatch(/55,50/);
  await page.context().close();
});
