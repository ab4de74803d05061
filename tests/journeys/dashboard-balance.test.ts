// The balance of « Ma carte » is the `credit` of `card/info` (spec §3): what that says is shown, its failure is
// told in its place, and only the balance waits for it.
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CastName } from "../cast.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** A page of a phone that asks for the credit of its card and is answered by `answer`. */
async function openAnswered(answer: (route: Route) => Promise<void>): Promise<Page> {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await page.route("**/api/card/info", answer);
  return page;
}

const saying = (credit: number) => async (route: Route) =>
  route.fulfill({ json: { cardnumber: 0, credit } });

test.each<[CastName, string]>([
  ["guardian", "Solde disponible"],
  ["partnerShop", "Solde de la carte"],
])("of %s: a wrong answer shows a wrong balance", async (name, label) => {
  const page = await openAnswered(saying(1234.56));
  await portal.login(page, name);
  const said = page.locator("div, p").filter({ hasText: label });
  await said.filter({ hasText: "1\u202f234,56" }).first().waitFor();
  await page.context().close();
});

test.each<CastName>(["guardian", "partnerShop"])(
  "of %s: a failed answer is told, and the retry reads it again",
  async (name) => {
    let answer = async (route: Route) =>
      route.fulfill({
        status: 404,
        json: { code: "not_found", message: "Introuvable, un essai." },
      });
    const page = await openAnswered((route) => answer(route));
    await portal.login(page, name);
    const errorBanner = page.getByRole("alert").filter({ hasText: "Solde indisponible" });
    await errorBanner.getByText("Introuvable, un essai.").waitFor();
    // The specification's error notification, for a 404 too.
    await page
      .getByRole("region", { name: "Notifications" })
      .getByText("Introuvable, un essai.")
      .waitFor();
    answer = saying(77.7);
    await errorBanner.getByRole("button", { name: "Réessayer" }).click();
    await errorBanner.waitFor({ state: "detached" });
    await page.getByText("77,70").first().waitFor();
    await page.context().close();
  },
);

test.each<CastName>(["guardian", "partnerShop"])(
  "of %s: a slow answer holds neither the heading nor, for ever, the screen",
  async (name) => {
    const held = Promise.withResolvers<void>();
    const page = await openAnswered(async (route) => {
      await held.promise;
      await saying(77.7)(route).catch(() => {});
    });
    await page.clock.install();
    await portal.login(page, name);
    await page.getByRole("heading", { name: "Ma carte", level: 1 }).waitFor();
    await page.clock.fastForward(4000);
    await page.getByRole("button", { name: "Gérer la carte" }).waitFor();
    await expect.poll(() => page.getByText("77,70").count()).toBe(0);
    await page.getByRole("link", { name: "Profil" }).first().click();
    await page.getByRole("heading", { name: "Profil", level: 1 }).waitFor();
    await page.goBack();
    held.resolve();
    await page.getByText("77,70").first().waitFor();
    await page.context().close();
  },
);
