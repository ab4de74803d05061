// A screen that waits for its code or for its answers is there already: the shell, its heading, the places of
// what is to come. Every screen of the table is entered with both held back.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { headingFaults, watchScript } from "#tests/campaigns/audit/checks.ts";
import { settle } from "#tests/settle.ts";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { type Caller, callers } from "#tests/campaigns/audit/visit.ts";
import type { Entry } from "#web/app/shared/route-entry.ts";
import { type ScreenPath, table } from "#web/paths.ts";
import { screens } from "#web/routes.ts";

let furnished: FurnishedPortal;
beforeAll(async () => {
  furnished = await openFurnishedPortal();
});
afterAll(async () => {
  expect(furnished.portal.faults).toEqual([]);
  await furnished.portal.close();
});

/** What a screen is entered by, before it is drawn: its layout's balance, the card of who orders cards. */
const entering = /^\/api\/(?:card\/info|order\/getInformation)$/;
const phone = { width: 360, height: 640 };
const screen = { width: 1280, height: 800 };
/** A screen that is left stays so long (web/app/shell/router.tsx). */
const pendingMs = 300;

/** From now on no answer comes, and no script while scripts are held. */
async function holdBack(page: Page) {
  let isHolding = false;
  const held: (() => void)[] = [];
  await page.route(/\/(?:assets|api)\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (!pathname.startsWith("/assets/")) {
      if (entering.test(pathname)) await route.continue();
      return;
    }
    if (isHolding) await new Promise<void>((pass) => held.push(pass));
    await route.continue().catch(() => {});
  });
  return {
    hold: () => void (isHolding = true),
    pass: () => {
      isHolding = false;
      for (const pass of held.splice(0)) pass();
    },
  };
}

/** What a screen shows with code of its own, beside what it opens with. */
const parts: Readonly<Partial<Record<Caller, readonly [route: string, search: string][]>>> = {
  holder: [["/services/E-Billet", "?commande=0d8e2b1c-0000-4000-8000-000000000001"]],
  professional: [
    ["/professional/dotations", "?nouvelle=1"],
    ["/card", "?commande=0d8e2b1c-0000-4000-8000-000000000001"],
    ["/professional/dotations", "?dotation=0d8e2b1c-0000-4000-8000-000000000001"],
    ["/professional/invoice", "?facture=0d8e2b1c-0000-4000-8000-000000000001"],
  ],
};

/** The screens of the table that a caller may enter, each script once, with the titles of their routes. */
async function screensOf(caller: Caller, start: string) {
  const visits = await visitsOf(table, furnished, "à l’ouverture");
  const routes = visits
    .filter((visit) => visit.caller === caller)
    .map(({ route, address }) => [route, address] as const);
  const loaded = new Set<string | undefined>([scriptOf(start)]);
  const distinct = routes.filter(([route]) => {
    const script = scriptOf(route);
    return !loaded.has(script) && loaded.add(script);
  });
  const inside = parts[caller]?.map(([route, search]) => [route, route + search] as const) ?? [];
  return [...distinct, ...inside].flatMap(([route, address]) => {
    const entry: Entry | undefined = table.find(({ path }) => path === route);
    // The login is a document of its own.
    return entry?.title && entry.path !== "/login" ? { address, title: entry.title } : [];
  });
}

const scriptOf = (route: string) =>
  /[\w-]+\/[\w-]+\.tsx(?=")/.exec(String(screens[route as ScreenPath]))?.[0];

/** The headings that are there are told from those that come. */
const leave = (page: Page) =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll("h1")) one.setAttribute("data-left", "");
  });

/** Where the headings that came stand at both widths, left and top in pixels of the view. */
async function placesOf(page: Page) {
  const places: string[] = [];
  for (const size of [phone, screen]) {
    await page.setViewportSize(size);
    const box = await page.locator("h1:visible:not([data-left])").boundingBox();
    places.push(`${size.width}: ${box?.x}, ${box?.y}`);
  }
  return places.join(" · ");
}

// proves: waiting-headings
test.each([
  ["holder", "/dashboard"],
  ["professional", "/dashboard"],
  ["guest", "/informations/plan"],
] as const)(
  "each screen of a %s has its heading before its code, and before its answers",
  async (caller, start) => {
    const entered = await screensOf(caller, start);
    expect(entered.length).toBeGreaterThan(4);
    const page = await furnished.portal.open();
    await page.addInitScript(watchScript);
    await page.clock.install();
    const { as } = callers[caller];
    if (as) await furnished.portal.signIn(page, as);
    await page.goto(start);
    await settle(page);
    const scripts = await holdBack(page);
    const next = page.locator("h1:visible:not([data-left])");
    const wait = page
      .getByRole("main")
      .getByText("Chargement…", { exact: true })
      .filter({ visible: true })
      .first();
    const faults: string[] = [];
    for (const { address, title } of entered) {
      scripts.hold();
      await leave(page);
      // The one that is left was read to its end.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.evaluate((path) => history.pushState({}, "", path), address);
      await page.clock.fastForward(pendingMs);
      await expect.poll(() => next.innerText(), { message: address }).toBe(title);
      await wait.waitFor();
      const places = await placesOf(page);
      await leave(page);
      scripts.pass();
      await next.and(page.locator(":focus")).waitFor();
      const arrived = await placesOf(page);
      // What a search shows within a screen has a frame of its own.
      if (arrived !== places && !address.includes("?"))
        faults.push(`${address}: ${places} and then ${arrived}`);
      faults.push(...(await headingFaults(page)));
    }
    await page.context().close();
    expect(faults).toEqual([]);
  },
);
