// The waits of the journeys end by themselves on a page that stands still, and say which wait it was and where.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { openBrowser } from "../browser.ts";
import { settle } from "../settle.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** A page with a heading, after a script of its own. */
async function openPage(script: string) {
  const page = await browser.newPage();
  const html = `<!doctype html><html lang="fr"><title>Ma carte</title><main><h1>Ma carte</h1></main>`;
  const body = html.replace("<title>", `<script>${script}</script><title>`);
  await page.route("http://carte.test/", (route) =>
    route.fulfill({ body, contentType: "text/html" }),
  );
  await page.goto("http://carte.test/");
  return page;
}

test.each([
  ["without a frame", "window.requestAnimationFrame = () => 0", "a drawn frame"],
  [
    "whose look never ends",
    "performance.now = () => 0; document.querySelectorAll = () => []",
    "an answer of the page",
  ],
])("a page %s does not settle, which is said", async (_, script, missing) => {
  const page = await openPage(script);
  const message = `settle of http://carte.test/ ended after 600 ms without ${missing}`;
  await expect(settle(page, "all", 600)).rejects.toThrow(message);
  await page.close();
});

test("a run of axe that has no answer is ended, which is said", async () => {
  const page = await openPage("window.axe = { run: () => new Promise(() => {}) }");
  await settle(page);
  const message = "axe of http://carte.test/ ended after 300 ms without its report";
  await expect(violationsOf(page, undefined, 300)).rejects.toThrow(message);
  await page.close();
});
