// Addresses as people type, copy and cut them: each ends at the screen that was meant, or says that there is none.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainPath } from "#contract/local-path.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const shouted = (path: string) => path.replaceAll(/[a-z]+/g, (word) => word.toUpperCase());

/** Opens an address as it is typed, and waits for what it leads to. */
async function open(page: Page, address: string): Promise<void> {
  // A path alone that begins with two slashes would be another site.
  await page.goto(portal.url + address);
  await settle(page);
}
/** Where the page stands, what follows the path included. */
const place = (page: Page): string => page.url().slice(portal.url.length);

test.each([false, true])(
  "each way to write an address ends at its screen, kept by the worker: %s",
  async (worker) => {
    const begin = async (isIn: boolean) => {
      const page = await portal.open({ worker });
      if (isIn) await portal.signIn(page, "guardian");
      await page.goto("/informations/plan");
      if (worker) await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
      return page;
    };
    const visitor = await begin(false);
    const spellings = (path: string) => [
      `${path}/`,
      `/${path}`,
      `${path}//`,
      `${path}%20`,
      shouted(path),
      `${path}?page=2`,
      `${path}/?page=2`,
      `${path}/#bas`,
      `/${shouted(path)}//%20?page=2#bas`,
    ];
    for (const path of worker ? ["/login"] : ["/login", "/identify"]) {
      for (const address of spellings(path)) {
        const [, rest = ""] = /([?#].*)?$/.exec(address) ?? [];
        // The login is a document: its own address may be written in capitals.
        await open(visitor, address);
        await expect
          .poll(() => place(visitor).toLowerCase(), { message: address })
          .toBe(path + rest);
      }
    }
    await visitor.context().close();
    const page = await begin(true);
    for (const path of worker ? ["/faq"] : ["/services/cagnottes", "/family/1000000024"]) {
      for (const address of spellings(path)) {
        const [, rest = ""] = /([?#].*)?$/.exec(address) ?? [];
        await open(page, address);
        await expect.poll(() => place(page), { message: address }).toBe(path + rest);
      }
    }
    await page.context().close();
  },
);

test("no screen of the table is lost by slashes, capitals and blanks together", async () => {
  const snapshot = await readFile(new URL("../url-snapshot.txt", import.meta.url), "utf8");
  const rows = [...snapshot.matchAll(/^(\/\S*) .* holder (\S+)/gm)];
  expect(rows.length).toBeGreaterThan(50);
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  for (const [, template = "", end = ""] of rows) {
    const path = template.replaceAll(/:\w+/g, "x1");
    const address = `/${shouted(path).replaceAll("X1", "x1")}//%20?page=2`;
    await open(page, address);
    await expect
      .poll(() => new URL(page.url()).pathname, { message: address })
      .toBe(end.startsWith("/") ? end : plainPath(path));
  }
  await page.context().close();
});

test("an address that is no address says so, and an application that leads one there does not spin", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  for (const address of [
    "/faq/%E0%A4%A",
    "/services/%",
    "/nulle/part/",
    "/%2F%2Felsewhere.example",
  ]) {
    await open(page, address);
    await expect.poll(() => page.title(), { message: address }).toContain("Page introuvable");
  }
  await page.goto("/faq");
  await settle(page);
  for (const [address, end] of [
    ["/contact/", "/contact"],
    ["/SERVICES/cagnottes%20", "/services/cagnottes"],
    ["/profil//", "/profil"],
  ] as const) {
    await page.evaluate((path) => history.pushState({}, "", path), address);
    await expect.poll(() => page.title()).not.toContain("Aide");
    await settle(page);
    await expect.poll(() => plainPath(new URL(page.url()).pathname)).toBe(end);
  }
  await page.context().close();
});
