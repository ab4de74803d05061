// New prices from a day on, for both canteens of a provider in one act: previewed, booked, read by families, taken back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { pricesFor } from "#server/kitchen/kitchen.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteens: MadeCanteen[];
beforeAll(async () => {
  portal = await openTestPortal();
  canteens = [
    await makeCanteen(portal.server, { kind: "staff" }),
    await makeCanteen(portal.server, { kind: "staff", name: "Centre de loisirs" }),
  ];
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const from = addDays(todayInParis(), 20);
/** What the child pays at each canteen on a day, in cents. */
const pricesOn = async (day: string) => {
  const prices = canteens.map(async ({ registrations: { child } }) =>
    (await pricesFor(portal.server.deps.db, [child], day)).get(child),
  );
  return (await Promise.all(prices)).map((price) => price?.priceCents);
};

test.each([360, 1280])(
  "at %s px: both canteens change on one day, without a day at another price, and one is taken back",
  async (width) => {
    await portal.server.deps.pool.query(
      `delete from canteen_price where from_on is not null; update canteen_price set until_on = null`,
    );
    const colorScheme = width === 360 ? "dark" : "light";
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    await portal.signIn(page, "canteenProvider");
    await page.goto("/pro/cantine?onglet=regles");
    await page.getByRole("button", { name: "Changer les prix" }).click();
    const dialog = page.getByRole("dialog", { name: "Changer les prix" });
    const submit = dialog.getByRole("button", { name: "Changer les prix" });
    await submit.click();
    await dialog.getByText("Indiquez le premier jour des nouveaux prix.").waitFor();
    await dialog.getByText("Indiquez un nouveau prix au moins.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByLabel("École des Embruns").check();
    await dialog.getByLabel("Centre de loisirs").check();
    await dialog.getByLabel("À partir du").fill(formatDate(addDays(todayInParis(), -1)));
    await dialog.getByLabel("Plein tarif (élève)").fill("3,80");
    await submit.click();
    await expect
      .poll(() => dialog.getByLabel("À partir du").getAttribute("aria-invalid"))
      .toBe("true");
    await dialog.getByLabel("À partir du").fill(formatDate(from));
    for (const name of ["École des Embruns", "Centre de loisirs"]) {
      const preview = dialog.getByRole("region", { name: `Aperçu ${name}` });
      await preview.getByText(/2 inscrits \(Plein tarif\)\s*: 3,45\s€ puis/).waitFor();
    }
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await submit.click();
    await page.getByText(`à partir du ${formatDate(from)}. 4 personnes`).waitFor();
    await expect.poll(() => pricesOn(addDays(from, -1))).toEqual([345, 345]);
    await expect.poll(() => pricesOn(from)).toEqual([380, 380]);

    const back = page.getByRole("button", { name: "Annuler le changement du tarif Plein tarif" });
    await back.click();
    const ask = page.getByRole("alertdialog", { name: "Annuler ce changement de prix" });
    expect(await violationsOf(page)).toEqual([]);
    await ask.getByRole("button", { name: "Annuler le changement" }).click();
    await back.waitFor({ state: "detached" });
    await expect.poll(async () => new Set(await pricesOn(from))).toEqual(new Set([345, 380]));

    const family = await portal.open({ viewport: { width, height: 800 } });
    await portal.signIn(family, "guardian");
    await family.goto("/dashboard");
    await family.getByRole("button", { name: "Notifications" }).click();
    await family.getByText("Le prix des repas change").first().waitFor();
    await family
      .getByText(/le repas passe de 3,45\s€ à 3,80\s€/)
      .first()
      .waitFor();
  },
);
