// The bar of a phone: it marks where one is, and never stands over a button.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { payerOf } from "../top-up-steps.ts";

let portal: TestPortal;
let page: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const bar = () => page.getByRole("navigation", { name: "Navigation", exact: true });
const lit = () => bar().locator("[aria-current]").innerText();

test("the place that a screen belongs to lights up, whatever its address begins with", async () => {
  await expect.poll(lit).toBe("Ma carte");
  await page.goto("/Abonnement/ligne");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(lit).toBe("Services");
  await page.goto("/services/E-Billet");
  await page.getByRole("heading", { level: 1, name: "E-billets" }).waitFor();
  await expect.poll(lit).toBe("Services");
  const { path } = await payerOf(portal, "guardian");
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.goto(path);
  await page.getByLabel("Montant", { exact: true }).waitFor();
  const rail = page.getByRole("navigation", { name: "Navigation principale" });
  await expect.poll(() => rail.locator("[aria-current]").innerText()).toBe("Cagnottes");
  await page.setViewportSize({ width: 360, height: 740 });
});

test("a stepper has the whole screen, and the bar comes back after it", async () => {
  const { path } = await payerOf(portal, "guardian");
  await page.goto(path);
  await page.getByLabel("Montant", { exact: true }).waitFor();
  await expect.poll(() => bar().isVisible()).toBe(false);
  await page.goto("/dashboard");
  await page.getByRole("heading", { level: 1, name: "Ma carte" }).waitFor();
  await expect.poll(() => bar().isVisible()).toBe(true);
});

test("on a low screen the bar stands at the end of the page, over nothing", async () => {
  await page.setViewportSize({ width: 740, height: 360 });
  const position = () => bar().evaluate((nav) => getComputedStyle(nav).position);
  await expect.poll(position).toBe("static");
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(position).toBe("fixed");
  // No part of it rises above its edge.
  const part = bar().getByRole("link", { name: "Ma carte" }).locator("span").first();
  const below = async () => {
    const [outer, inner] = await Promise.all([bar().boundingBox(), part.boundingBox()]);
    return (inner?.y ?? NaN) - (outer?.y ?? NaN);
  };
  await expect.poll(below).toBeGreaterThanOrEqual(0);
});
