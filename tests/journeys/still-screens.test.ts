// What is drawn stays where it is while the answers of a screen come, one after the other and late.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { shiftOf, watchScript } from "#tests/campaigns/audit/checks.ts";
import { settle } from "#tests/settle.ts";
import { cast, type CastName } from "#tests/cast.ts";

let furnished: FurnishedPortal;
beforeAll(async () => {
  furnished = await openFurnishedPortal();
});
afterAll(() => furnished.portal.close());

const screens: readonly [screen: string, as: CastName | null, address: string][] = [
  ["a parent's dashboard", "guardian", "/dashboard"],
  ["a child's page", "guardian", `/family/${cast.child.cardnumber}`],
  ["a child's custody", "guardian", `/family/${cast.child.cardnumber}?onglet=garde`],
  ["a child's rights", "guardian", `/family/${cast.child.cardnumber}?onglet=droits`],
  ["the profile", "guardian", "/profil"],
  ["the contact details", "guardian", "/profil/coordonnees"],
  ["what opens the account", "guardian", "/profil/connexion"],
  ["the devices", "guardian", "/profil/appareils"],
  ["the activity", "guardian", "/profil/activite"],
  ["a week of meals", "guardian", "/commande/cantine/restauration/{group}"],
  ["a month of meals", "guardian", "/commande/cantine/suivi"],
  ["a partner's dashboard", "partnerShop", "/dashboard"],
  ["a provider's dashboard", "canteenProvider", "/dashboard"],
  ["an employer's dashboard", "employer", "/dashboard"],
  ["the menu of a professional", "partnerShop", "/services/partner"],
  ["the sales of a till", "partnerShop", "/partenaire/caisse?onglet=ventes"],
  ["the days of a till", "partnerShop", "/partenaire/caisse?onglet=journee"],
  ["the settlements", "partnerShop", "/professional/reglements"],
  ["the partnerships", "partnerShop", "/professional/partenaire"],
  ["the rules of a canteen", "canteenProvider", "/pro/cantine?onglet=regles"],
  ["the state of the service", null, "/health"],
];

// proves: axe
test.each(screens)("%s", async (_screen, as, address) => {
  const page = await furnished.portal.open();
  await page.addInitScript(watchScript);
  if (as) await furnished.portal.signIn(page, as);
  let requestCount = 0;
  await page.route("**/api/**", async (route) => {
    // In another order than they are asked in.
    await new Promise((resolve) => setTimeout(resolve, 120 + ((requestCount++ * 7) % 11) * 60));
    await route.continue().catch(() => {});
  });
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(address.replace("{group}", String(furnished.canteenGroup)));
    await settle(page, "seen");
    const { shift, moved } = await shiftOf(page);
    // The threshold of « good » is 0.1; what is left here is a line of text that finds its length.
    expect(shift, `${width}: ${moved}`).toBeLessThan(0.005);
  }
  await page.context().close();
});
