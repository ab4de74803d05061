// Screens as people adapt them: text at 200 %, spaced text, forced colours.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import {
  forcedColourFindings,
  readingFindings,
  setTextSize,
  spaceText,
} from "#tests/campaigns/audit/adaptations.ts";
import {
  type FurnishedPortal,
  openFurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { settle } from "#tests/settle.ts";

let furnished: FurnishedPortal;
let screens: string[];
beforeAll(async () => {
  furnished = await openFurnishedPortal();
  screens = [
    "/dashboard",
    "/services/cagnottes",
    furnished.topUpPath,
    "/cagnottes/virement",
    "/family",
    "/services",
    "/services/partner",
    "/services/E-Billet",
    `/Abonnement/ligne/${furnished.fareGroup}`,
    "/servivces/abonnement",
    "/profil",
    "/faq",
    "/informations/donnees",
  ];
});
afterAll(async () => {
  await furnished?.portal.close();
});

/** The findings of `look` on each screen: the login and a public page first, then those of a guardian. */
async function walk(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  const visit = async (address: string) => {
    await page.goto(address);
    await settle(page);
    found.push(...(await look()).map((text) => `${address}: ${text}`));
  };
  await visit("/login");
  await visit("/identify");
  await furnished.portal.login(page, "guardian");
  for (const address of screens) await visit(address);
  return found;
}

/** The findings of `look` at each width. */
async function atWidths(
  page: Page,
  widths: readonly number[],
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    found.push(...(await look(page)).map((text) => `${width} ${text}`));
  }
  return found;
}

// proves: text-size
test("text at 200 %: nothing scrolls sideways, no word is cut", async () => {
  const page = await furnished.portal.open({ reducedMotion: "reduce" });
  await setTextSize(page, 2);
  // 640 px hold as much of this text as 320 px of the usual one (WCAG 1.4.10).
  const found = await walk(page, () => atWidths(page, [1280, 640, 320], readingFindings));
  expect(found).toEqual([]);
  await page.context().close();
}, 300_000);

// proves: text-size
test("spaced text: nothing scrolls sideways, no word is cut", async () => {
  const page = await furnished.portal.open({ reducedMotion: "reduce" });
  const found = await walk(page, async () => {
    await spaceText(page);
    return await atWidths(page, [1280, 360], readingFindings);
  });
  expect(found).toEqual([]);
  await page.context().close();
}, 300_000);

// proves: text-size
test("forced colours: what is chosen, pressed or current stays visible, gauges have an edge", async () => {
  const page = await furnished.portal.open({ reducedMotion: "reduce", forcedColors: "active" });
  await expect
    .poll(() => page.evaluate("matchMedia('(forced-colors: active)').matches"))
    .toBe(true);
  const found = await walk(page, () => atWidths(page, [1280, 360], forcedColourFindings));
  expect(found).toEqual([]);
  await page.context().close();
}, 300_000);
