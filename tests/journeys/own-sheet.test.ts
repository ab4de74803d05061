// The owner of a shop writes its sheet: hours that cross are refused, what is kept is read by a holder.
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { furnishDirectory } from "../directory.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await furnishDirectory(portal.server.deps);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([360, 1280])("at %s px: a sheet is written and read at once", async (width) => {
  const colorScheme = width === 360 ? "dark" : "light";
  const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
  await portal.signIn(page, "partnerShop");
  await page.goto(`${portal.url}/professional/category`);
  await page.getByRole("button", { name: "Modifier la fiche de Librairie des Embruns" }).click();
  await page.getByLabel("En une phrase").fill(`Livres et presse, ${width}`);
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);

  // The name and the address are asked of the operator; what waits may be withdrawn.
  await page.getByRole("button", { name: "Changer le nom ou l’adresse" }).click();
  const dialog = page.getByRole("dialog", { name: "Changer le nom ou l’adresse" });
  await dialog.getByLabel("Code postal").fill("3540");
  await dialog.getByRole("button", { name: "Envoyer la demande" }).click();
  await dialog.getByText("Un code postal a cinq chiffres").waitFor();
  await dialog.getByLabel("Code postal").fill("35400");
  await dialog.getByLabel("Nom", { exact: true }).fill(`Librairie ${width}`);
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Envoyer la demande" }).click();
  await page.getByText("Demande à l’étude").waitFor();
  await page.getByText(`Librairie ${width}, `).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Retirer la demande" }).click();
  await page.getByText("Demande à l’étude").waitFor({ state: "detached" });
  await page.getByText("Librairie des Embruns").filter({ visible: true }).first().waitFor();

  await page.getByRole("button", { name: "Ajouter une plage le dimanche" }).click();
  // The second time, a span of the afternoon beside the one of the morning.
  const [opens, closes] = width === 360 ? ["10:00", "12:30"] : ["18:00", "02:00"];
  await page
    .getByLabel(/^Ouvre, dimanche/)
    .last()
    .fill(opens);
  await page
    .getByLabel(/^Ferme, dimanche/)
    .last()
    .fill(opens);
  await page.getByRole("button", { name: "Enregistrer la fiche" }).click();
  await page.getByText("Une plage ferme à l’heure où elle ouvre").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page
    .getByLabel(/^Ferme, dimanche/)
    .last()
    .fill(closes);
  await page.getByRole("button", { name: "Ajouter un avantage" }).click();
  await page.getByLabel("Titre").last().fill(`Un marque-page ${width}`);
  await page.getByRole("button", { name: "Enregistrer la fiche" }).click();
  await page.getByText("Votre fiche est à jour dans l’annuaire.").waitFor();
  await page.getByRole("heading", { name: "Catégories" }).waitFor();

  const holder = await portal.open({ viewport: { width, height: 800 } });
  await portal.login(holder, "guardian");
  const { rows } = await portal.server.deps.pool.query(
    "select id from partner where reference = 'librairie-des-embruns'",
  );
  await holder.goto(`${portal.url}/services/partner?fiche=${rows[0].id}`);
  await holder.getByText(`Un marque-page ${width}`).first().waitFor();
  await holder
    .getByText(width === 360 ? "10:00 – 12:30" : "18:00 – minuit")
    .first()
    .waitFor();
  // Typed past midnight, it is kept as the evening and the night of the next day.
  if (width !== 360) await holder.getByText("00:00 – 02:00").waitFor();
});
