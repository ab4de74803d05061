// Points in two browsers: the shop gives and takes them at its till, the holder follows theirs and a
// child's, with their last days.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pointsExpireOn } from "#contract/till/point-limits.ts";
import { dayMs, parisDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { earnPoints, tillTasks } from "#server/till/till.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { violationsOf } from "../axe.ts";
import { cast, type CastName } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
let phone: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  const { deps } = portal.server;
  await furnishDirectory(deps);
  await inTx(deps.db, (tx) =>
    writeTerms(tx, {
      reference: "librairie-des-embruns",
      discountPercent: 0,
      commissionBasisPoints: 0,
      pointsPerEuro: 2,
      operator: "alice",
      at: new Date(0),
    }),
  );
  await give("guardian", 50, 200);
  await give("guardian", 30, 20);
  await give("child", 12, 40);
  const viewport = { width: 360, height: 740 };
  [shop, phone] = await Promise.all([portal.open({ viewport }), portal.open({ viewport })]);
  await portal.login(shop, "partnerShop");
  await portal.login(phone, "guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function give(who: CastName, points: number, daysAgo: number): Promise<void> {
  const { deps } = portal.server;
  const { rows } = await deps.pool.query<{ personId: number; companyId: string }>(
    `select c.person_id as "personId", p.company_id as "companyId" from card c, partner p
     where c.number = $1 and p.reference = 'librairie-des-embruns'`,
    [cast[who].cardnumber],
  );
  const at = new Date(deps.now().getTime() - daysAgo * dayMs);
  const act = { points, key: randomUUID(), label: "Librairie des Embruns", at };
  await inTx(deps.db, (tx) => earnPoints(tx, { ...rows[0]!, ...act }));
}
const lastDay = (daysAgo: number): string =>
  formatDate(
    pointsExpireOn(parisDay(new Date(portal.server.deps.now().getTime() - daysAgo * dayMs))),
  );
const row = (day: string) => phone.locator(".definition").filter({ hasText: day });
const verdict = (words: string | RegExp) =>
  shop.getByRole("status").getByText(words).first().waitFor();

test("the holder reads each last day, how each was earned, and a child's", async () => {
  await phone.goto(`${portal.url}/services/cagnottes`);
  await phone.getByRole("link", { name: "Mes points" }).click();
  await phone.getByRole("heading", { name: "Mes points", level: 1 }).waitFor();
  await phone.getByText("80 points", { exact: true }).waitFor();
  await row(lastDay(200)).getByText("50 points").waitFor();
  await row(lastDay(20)).getByText("30 points").waitFor();
  await phone.getByRole("heading", { name: "Historique" }).waitFor();
  await phone.getByText("+30").first().waitFor();
  expect(await violationsOf(phone)).toEqual([]);
  await phone.getByRole("button", { name: "Carte de Léo Moreau" }).click();
  await phone.getByText("12 points", { exact: true }).first().waitFor();
  await phone.reload();
  await phone.getByText("12 points", { exact: true }).first().waitFor();
  await expect.poll(() => phone.getByText("80 points", { exact: true }).count()).toBe(0);
});

test("the till takes them off, oldest first, and gives new ones once it is settled", async () => {
  await shop.goto(`${portal.url}/partenaire/caisse`);
  await shop.getByLabel("Montant").fill("10");
  await shop.getByText("2 points par euro payé").waitFor();
  await shop.getByRole("button", { name: "Sans objet · sans points" }).click();
  await shop.getByLabel("Utiliser ses points").check();
  expect(await violationsOf(shop)).toEqual([]);
  await shop.getByRole("button", { name: "Valider" }).click();
  await shop.getByRole("button", { name: "Sans objet · avec ses points" }).waitFor();
  const camille = await portal.server.as("guardian");
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  await shop.getByRole("button", { name: "Saisir le numéro" }).click();
  await shop.getByLabel("Code de la carte, ou son numéro").fill(token);
  await shop.keyboard.press("Enter");
  await verdict(/^Payé, 9,20/);
  await verdict(/80 points utilisés, −0,80.*18 points gagnés/);
  // Both ways back say what becomes of the points.
  await shop.getByRole("tab", { name: "Ventes" }).click();
  await shop.getByRole("table", { name: "Ventes" }).getByRole("button").first().click();
  await shop
    .getByRole("button", { name: /^Annuler/ })
    .first()
    .click();
  await shop
    .getByRole("alertdialog")
    .getByText(/9,20\s€ reviennent .* avec ses 80 points\. 18 points ne sont pas gagnés\./)
    .waitFor();
  await shop.getByRole("button", { name: "Revenir" }).click();
  await shop
    .getByRole("button", { name: /^Rembourser/ })
    .first()
    .click();
  await shop
    .getByRole("dialog")
    .getByText(/Les points utilisés reviennent dans la même part\. Ceux que/)
    .waitFor();
  expect(await violationsOf(shop)).toEqual([]);
  await shop.keyboard.press("Escape");
  await phone.goto(`${portal.url}/cagnottes/points`);
  await phone.getByText("Aucun point pour l’instant").waitFor();
  await phone.getByText("Points utilisés").first().waitFor();
  portal.server.clock.advance(16 * 60_000);
  await tillTasks(portal.server.deps).settle_till_points();
  await phone.reload();
  await phone.getByText("18 points", { exact: true }).first().waitFor();
});
