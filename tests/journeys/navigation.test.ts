// From one screen to the next: the old one stays whole until the next one is there, the last one chosen is
// the one shown, and what arrives is told by its heading and its title.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "../cast.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** From now on scripts come late. */
const slow = (page: Page, ms: number) =>
  page.route("**/assets/*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => {});
  });
/** Without the pointer over it first, which would load the screen. */
const press = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: "Navigation principale" })
    .getByRole("link", { name })
    .evaluate((link: HTMLElement) => link.click());
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Keeps each heading that is ever drawn. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const look = () => {
      const title = document.querySelector("h1")?.textContent?.trim();
      if (title && seen.at(-1) !== title) seen.push(title);
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  });
const seen = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);

test("a screen stays whole until the next one is there, which is entered at its heading", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${cast.child.cardnumber}`);
  const child = "Léo Moreau";
  await heading(page).filter({ hasText: child }).waitFor();
  await page.evaluate(() => scrollTo(0, 400));
  await watch(page);
  await slow(page, 120);
  await press(page, "Aide");
  await page.locator("h1:focus", { hasText: "Aide" }).waitFor();
  await expect.poll(() => seen(page)).toEqual([child, "Aide"]);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect.poll(() => page.title()).toContain("Aide");
  await page.context().close();
});

test("a wait takes the place of a screen whose successor is late; Back and Forward lead out and in", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  await slow(page, 1500);
  await press(page, "Contact");
  await heading(page).filter({ hasText: "Contact" }).waitFor();
  await page.getByRole("main").getByText("Chargement…", { exact: true }).waitFor();
  await page.goBack();
  await heading(page).filter({ hasText: "Ma carte" }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/dashboard");
  await page.unroute("**/assets/*.js");
  await page.goForward();
  await page.locator("h1:focus", { hasText: "Contact" }).waitFor();
  await expect.poll(() => page.title()).toContain("Contact");
  await page.context().close();
});

test("of two places chosen one after the other the last one is shown, however late the first one comes", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  await press(page, "Aide");
  await page.locator("h1:focus", { hasText: "Aide" }).waitFor();
  await watch(page);
  await slow(page, 600);
  await press(page, "Contact");
  await press(page, "Ma carte");
  await page.locator("h1:focus", { hasText: "Ma carte" }).waitFor();
  await page.waitForTimeout(1000);
  await expect.poll(() => seen(page)).not.toContain("Contact");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/dashboard");
  await page.goBack();
  await page.waitForURL("**/contact");
  await page.locator("h1:focus", { hasText: "Contact" }).waitFor();
  await page.context().close();
});

test("a screen whose script does not come is had by loading the page anew", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  // All that the dashboard itself asks for is there by then.
  await page.getByRole("table", { name: "Dernières opérations" }).waitFor();
  let failed = 0;
  let isAnew = false;
  page.on("request", (request) => (isAnew ||= request.isNavigationRequest()));
  await page.route("**/assets/*.js", (route) => {
    if (isAnew) return route.continue();
    failed++;
    return route.abort();
  });
  await press(page, "Aide");
  await heading(page).filter({ hasText: "Aide" }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/faq");
  const loaded = "performance.getEntriesByType('navigation')[0].type";
  await expect
    .poll(async () => [failed > 0, await page.evaluate(loaded)])
    .toEqual([true, "reload"]);
  await page.context().close();
});

test("what failed is no longer told on the next screen; what sent one there is", async () => {
  const page = await portal.open();
  const message = "Introuvable, un essai.";
  const refuse = (row: string) =>
    page.route(`**/api/${row}`, (route) =>
      route.fulfill({ status: 503, json: { code: "internal", message } }),
    );
  const notice = page.getByRole("listitem").filter({ hasText: message });
  await portal.signIn(page, "employer");
  await refuse("card/info");
  await page.goto("/dashboard");
  // Under the pointer a notification stays for as long as it is read.
  await notice.hover();
  await page.unroute("**/api/card/info");
  await press(page, "Aide");
  await heading(page).filter({ hasText: "Aide" }).waitFor();
  await expect.poll(() => notice.count()).toBe(0);
  await refuse("order/getInformation");
  await page.goto("/card");
  await page.waitForURL(/\/professional\/card_pro$/);
  await notice.hover();
  await page.context().close();
});
