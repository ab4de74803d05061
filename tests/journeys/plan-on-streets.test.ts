// A plan on the background that the town has chosen: its tiles and nothing more of its service, the same places
// pressed to the same end, and the portal's own plan wherever the streets do not come.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { openNetwork } from "#server/demo/transit.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { setTextSize } from "#tests/campaigns/audit/adaptations.ts";
import { violationsOf } from "../axe.ts";
import { furnishDirectory } from "../directory.ts";
import { minDistance } from "../map-markers.ts";
import { type PlayedTiles, playTiles } from "../map-tiles.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { openTestServer } from "../test-server.ts";
import { addressOfScript } from "../web-build.ts";

let tiles: PlayedTiles;
let portal: TestPortal;
let line: string;
beforeAll(async () => {
  tiles = await playTiles();
  portal = await openTestPortal({
    map: {
      tilesUrl: tiles.template,
      attribution: "© les contributeurs d’OpenStreetMap",
      attributionUrl: "https://www.openstreetmap.org/copyright",
      maxZoom: 18,
    },
  });
  const { deps, clock } = portal.server;
  await furnishDirectory(deps);
  await inTx(deps.db, async (tx) => {
    await putOnSale(tx, demoFares);
    await openNetwork(tx, clock.now());
  });
  const { rows } = await deps.pool.query("select id from transit_line where number = '1'");
  line = `/Abonnement/ligne?ligne=${rows[0].id}`;
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
  await tiles.close();
});

const directory = "/services/partner?vue=plan";
const plan = (page: Page) => page.getByRole("figure");
const ground = (page: Page) => page.getByRole("group", { name: /^Plan à déplacer/ });
/** Marks in sight: the others are inert. */
const inSight = (page: Page) => plan(page).locator(".leaflet-marker-icon:not([inert])");
const places = (page: Page) => inSight(page).getByRole("link", { name: /, (ouvert|fermé)$/ });
const groups = (page: Page) =>
  inSight(page).getByRole("button", { name: /(lieux|arrêts), voir de plus près/ });
const marks = (page: Page) => places(page).or(groups(page));
/** The plan may stand below what is seen at first, where nothing of it is loaded. */
const openPlan = async (page: Page, path: string) => {
  await page.goto(path);
  await lookAtPlan(page);
};
const lookAtPlan = (page: Page) =>
  page.getByRole("heading", { name: /^(Plan|Tracé)$/ }).scrollIntoViewIfNeeded();
const shownTiles = (page: Page) => page.locator("img.leaflet-tile-loaded");
const isShown = (page: Page) => expect.poll(() => shownTiles(page).count()).toBeGreaterThan(0);
const failed = (page: Page) => page.getByText(/Le fond de plan n’a pas pu être chargé/);
const nearest = (page: Page) =>
  page.getByRole("button", { name: "Voir de plus près", exact: true });

test("tiles are asked for as the town has said, and their service learns neither page nor person", async () => {
  const before = tiles.requests.length;
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  const others: string[] = [];
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== portal.url && request.url().startsWith("http")) others.push(request.url());
  });
  await portal.signIn(page, "guardian");
  await page.goto("/services/partner");
  await isShown(page);
  await expect
    .poll(() => plan(page).getAttribute("aria-label"))
    .toBe("Plan\u202f: 26 lieux dans 4 communes");
  const source = page.getByRole("link", { name: "© les contributeurs d’OpenStreetMap" });
  await expect
    .poll(() => source.getAttribute("href"))
    .toBe("https://www.openstreetmap.org/copyright");
  await expect
    .poll(() => others.filter((url) => !url.startsWith(`${tiles.origin}/streets/`)))
    .toEqual([]);
  await expect.poll(() => others.length).toBeGreaterThan(0);
  for (const { path, headers } of tiles.requests.slice(before)) {
    expect(path).toMatch(/^\/streets\/\d{1,2}\/\d+\/\d+\.svg$/);
    expect([headers.referer, headers.origin, headers.cookie]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
  await page.context().close();
});

test("by keyboard, small and in the dark: numbers nearer and nearer, down to a partner's sheet", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await setTextSize(page, 2);
  await portal.signIn(page, "guardian");
  await openPlan(page, directory);
  await isShown(page);
  await expect.poll(() => marks(page).count()).toBeGreaterThan(2);
  await expect.poll(() => minDistance(marks(page))).toBeGreaterThan(30);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  const far = await plan(page)
    .getByText(/\d\u202fk?m$/)
    .innerText();
  const single = places(page);
  for (let presses = 0; (await single.count()) === 0; presses++) {
    expect(presses).toBeLessThan(10);
    await groups(page).first().press("Enter");
    await plan(page).getByRole("button", { name: "Tout le plan" }).waitFor();
    await page.locator("[aria-label^='Plan à déplacer']:focus").waitFor();
  }
  await expect
    .poll(() =>
      plan(page)
        .getByText(/\d\u202fk?m$/)
        .innerText(),
    )
    .not.toBe(far);
  expect(await violationsOf(page)).toEqual([]);
  const [name = ""] = (await single.first().innerText()).split(",");
  await single.first().press("Enter");
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page.goBack();
  await lookAtPlan(page);
  await isShown(page);
  await page.context().close();
});

test("arrows move the plan, its buttons bring it nearer and farther, and one press shows the whole again", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  await portal.signIn(page, "guardian");
  await openPlan(page, directory);
  await isShown(page);
  const whole = plan(page).getByRole("button", { name: "Tout le plan" });
  const first = marks(page).first();
  const left = async () => Math.round((await first.boundingBox())?.x ?? NaN);
  const before = await left();
  await expect.poll(() => whole.count()).toBe(0);
  await ground(page).press("ArrowLeft");
  await expect.poll(left).toBe(before + 80);
  await whole.press("Enter");
  await expect.poll(left).toBe(before);
  await expect.poll(() => whole.count()).toBe(0);
  await nearest(page).press("Enter");
  await whole.waitFor();
  // What is out of sight is not met by the keyboard.
  await expect.poll(() => page.locator(".leaflet-marker-icon[inert]").count()).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Voir de plus loin" }).press("Enter");
  await whole.click();
  // At the nearest level the button says so, and keeps the keyboard.
  for (let presses = 0; (await nearest(page).getAttribute("aria-disabled")) !== "true"; presses++) {
    expect(presses).toBeLessThan(20);
    await nearest(page).press("Enter");
  }
  await page.locator("button[aria-disabled=true]:focus").waitFor();
  await expect
    .poll(() => tiles.requests.some(({ path }) => path.startsWith("/streets/18/")))
    .toBe(true);
  expect(tiles.requests.filter(({ path }) => /^\/streets\/(19|2\d)\//.test(path))).toEqual([]);
  await page.context().close();
});

test("the wheel scrolls the page and not the plan, unless Ctrl is held", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 700 } });
  await portal.signIn(page, "guardian");
  await openPlan(page, directory);
  await isShown(page);
  const box = await ground(page).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 150, (box?.y ?? 0) + 100);
  await page.mouse.wheel(0, 240);
  await expect.poll(() => page.evaluate("scrollY > 0")).toBe(true);
  await expect.poll(() => plan(page).getByRole("button", { name: "Tout le plan" }).count()).toBe(0);
  // The page has taken the plan along.
  const moved = await ground(page).boundingBox();
  await page.mouse.move((moved?.x ?? 0) + 150, (moved?.y ?? 0) + 100);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -240);
  await page.keyboard.up("Control");
  await plan(page).getByRole("button", { name: "Tout le plan" }).waitFor();
  await page.context().close();
});

test("a mark under the pointer that moves the plan is not pressed", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  await portal.signIn(page, "guardian");
  await openPlan(page, `${directory}&q=librairie`);
  await isShown(page);
  const mark = marks(page).first();
  const box = await mark.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 18, (box?.y ?? 0) + 18];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 30, y + 20, { steps: 4 });
  await page.mouse.up();
  await plan(page).getByRole("button", { name: "Tout le plan" }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("fiche")).toBeNull();
  await page.context().close();
});

test("a line on its streets: its course, its stops to press, and the stop's own page", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  await portal.signIn(page, "guardian");
  await openPlan(page, line);
  await isShown(page);
  await page
    .getByRole("figure", { name: /^Tracé de la ligne 1 vers Pointe-Corail Plage/ })
    .waitFor();
  await expect.poll(() => plan(page).locator("svg path").count()).toBeGreaterThan(13);
  expect(await violationsOf(page)).toEqual([]);
  const stop = inSight(page).getByRole("link", { name: "Gare de Port-Lagune" });
  for (let presses = 0; (await stop.count()) === 0; presses++) {
    expect(presses).toBeLessThan(6);
    await groups(page).first().press("Enter");
  }
  await stop.press("Enter");
  await page.getByRole("heading", { name: "Gare de Port-Lagune", level: 1 }).waitFor();
  await page.context().close();
});

test.each(["broken", "wrong"] as const)(
  "tiles that are %s: the portal's own plan, why in one sentence, and another try",
  async (mood) => {
    tiles.mood = mood;
    const page = await portal.open({ viewport: { width: 360, height: 800 } });
    await portal.signIn(page, "guardian");
    await openPlan(page, directory);
    await failed(page).waitFor();
    await expect.poll(() => failed(page).count()).toBe(1);
    // The portal's own plan, with the names of its towns.
    await plan(page).locator("svg text", { hasText: "Port-Lagune" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    tiles.mood = "good";
    await page.getByRole("button", { name: "Réessayer" }).press("Enter");
    await isShown(page);
    await expect.poll(() => failed(page).count()).toBe(0);
    await page.context().close();
  },
);

test("tiles that do not come: the places are there already, and the plan says that it waits", async () => {
  tiles.mood = "held";
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  await page.clock.install();
  await portal.signIn(page, "guardian");
  await openPlan(page, directory);
  await expect.poll(() => marks(page).count()).toBeGreaterThan(2);
  const waiting = page.getByText("Le fond de plan tarde à venir.");
  await expect.poll(() => waiting.count()).toBe(0);
  await page.clock.fastForward(9000);
  await waiting.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  tiles.mood = "good";
  await isShown(page);
  await expect.poll(() => waiting.count()).toBe(0);
  await page.context().close();
});

test("nothing of it is loaded before the plan comes into sight, and without it the own plan serves", async () => {
  const script = await addressOfScript(portal.web, "app/shared/street-map.tsx");
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.route(`**${script}`, (route) => route.abort());
  await portal.signIn(page, "guardian");
  await page.goto("/services/partner");
  await page.getByText("26 partenaires").waitFor();
  await page.getByRole("article").first().waitFor();
  const loads = () => requested.filter((path) => path === script || path.startsWith("/streets/"));
  await expect.poll(loads).toEqual([]);
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await failed(page).waitFor();
  await plan(page).locator("svg text", { hasText: "Port-Lagune" }).waitFor();
  await expect.poll(loads).toEqual([script]);
  await page.context().close();
});

test("where no background is chosen, the portal draws its plan and loads nothing of another", async () => {
  const plain = await openTestPortal();
  await furnishDirectory(plain.server.deps);
  const script = await addressOfScript(plain.web, "app/shared/street-map.tsx");
  const page = await plain.open({ viewport: { width: 1280, height: 900 } });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await plain.signIn(page, "guardian");
  await openPlan(page, directory);
  await plan(page).locator("svg text", { hasText: "Port-Lagune" }).waitFor();
  await expect.poll(() => failed(page).count()).toBe(0);
  const ofTheMap = () =>
    requested.filter((url) => url.includes(script) || /street-map|leaflet/.test(url));
  const elsewhere = () =>
    requested.filter((url) => url.startsWith("http") && !url.startsWith(plain.url));
  await expect.poll(() => [...ofTheMap(), ...elsewhere()]).toEqual([]);
  expect(plain.faults).toEqual([]);
  await plain.close();
});

test("a device that keeps the portal takes the changed policy along", async () => {
  const plain = await openTestPortal();
  const page = await plain.open({ worker: true });
  const cachedPolicy = () =>
    page.evaluate<string | null>(
      "caches.match('/index.html').then((page) => page && page.headers.get('content-security-policy'))",
    );
  await page.goto("/login");
  await expect.poll(cachedPolicy).toContain("img-src 'self' data: blob:;");
  const { port, publicUrl } = plain.server.deps.config;
  await plain.server.app.close();
  const { map } = portal.server.deps.config;
  const changed = await openTestServer({ port, publicUrl, map }, plain.web);
  await changed.app.listen({ port, host: "localhost" });
  await page.reload();
  await expect.poll(cachedPolicy).toContain(`img-src 'self' data: blob: ${tiles.origin};`);
  await changed.close();
  await plain.close();
});
