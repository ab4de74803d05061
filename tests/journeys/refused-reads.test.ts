// A read that is refused is asked for once, or once more by the part of the screen that tells of it, never for
// ever, and what was read before it stays: each read of a screen is refused alone, then all that it reads again,
// then its session ends. `npm test` opens the screens that wait for several answers at once; `npm run
// audit:refused` every screen.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { api } from "#contract/api.ts";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { table } from "#web/paths.ts";
import { settle } from "#tests/settle.ts";

const whole = process.env["AUDIT"] === "whole";
/** What a screen and its parts ask as they open; what loops asks dozens of times meanwhile. */
const max = 6;
const watchedMs = 700;

let furnished: FurnishedPortal;
beforeAll(async () => {
  furnished = await openFurnishedPortal();
}, 300_000);
afterAll(() => furnished?.portal.close());

type Screen = readonly [as: CastName | null, address: string];
const sample: readonly (readonly [as: CastName, address: string])[] = [
  ["guardian", "/dashboard"],
  ["guardian", `/family/${cast.child.cardnumber}`],
  ["partnerShop", "/dashboard"],
  ["partnerShop", "/professional/reglements"],
  ["canteenProvider", "/pro/cantine?onglet=regles"],
];

async function screens(): Promise<readonly Screen[]> {
  if (!whole) return sample;
  const visits = (await visitsOf(table, furnished)).filter(
    ({ act, before, address }) => !act && !before && !address.startsWith("/paiement/"),
  );
  const asProvider = visits
    .filter(({ as }) => as === "partnerShop")
    .map(({ address }) => ["canteenProvider", address] as const);
  return [...sample, ...visits.map(({ as, address }) => [as, address] as const), ...asProvider];
}

/** What the page asks of the server, by address; the live stream and what is told of the page are no reads. */
async function watchReads(page: Page) {
  const counts = new Map<string, number>();
  let refused: string | null = null;
  await page.route("**/api/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const read = pathname + search;
    counts.set(read, (counts.get(read) ?? 0) + 1);
    await (
      read === refused
        ? route.fulfill({
            status: 500,
            json: { code: "server_error", message: "Une erreur est survenue." },
          })
        : route.continue()
    ).catch(() => {});
  });
  return {
    /** Opens the screen with this read refused; answers how often each was asked for. */
    open: async (address: string, without: string | null) => {
      refused = without;
      counts.clear();
      await page.goto(address);
      if (without === null) await settle(page);
      // A read that came after the screen had settled may not come again.
      const wasRead = () => without === null || counts.has(without);
      for (let waits = 0; !wasRead() && waits < 30; waits++) await page.waitForTimeout(100);
      await page.waitForTimeout(watchedMs);
      return new Map(counts);
    },
  };
}

const tooOften = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].filter(([, times]) => times > max).map(([read, times]) => `${read} ${times} times`);

async function findingsOf([as, address]: Screen): Promise<string[]> {
  const page = await furnished.portal.open();
  if (as) await furnished.portal.signIn(page, as);
  const { open } = await watchReads(page);
  const reads = await open(address, null);
  const found = tooOften(reads).map((what) => `${as} ${address}: ${what}`);
  for (const read of reads.keys()) {
    if (read === api.notifications.live.path) continue;
    const counts = await open(address, read);
    found.push(...tooOften(counts).map((what) => `${as} ${address} without ${read}: ${what}`));
  }
  await page.context().close();
  return found;
}

test("each read of a screen, refused alone, is not asked for again and again", async () => {
  const left = new Map((await screens()).map((screen) => [screen.join(" "), screen]));
  const found: string[] = [];
  const walk = async () => {
    for (const [name, screen] of left) {
      left.delete(name);
      found.push(...(await findingsOf(screen)));
    }
  };
  await Promise.all(Array.from({ length: 4 }, walk));
  expect(found).toEqual([]);
}, 3_600_000);

/** What a screen lost of what it showed, and of what was typed, since all that it reads again is refused. */
async function lostOf([as, address]: Screen): Promise<string[]> {
  const page = await furnished.portal.open();
  await page.clock.install();
  if (as) await furnished.portal.signIn(page, as);
  await page.goto(address);
  await settle(page);
  const typed = page
    .locator("main :is(input[type=text], textarea):not(search *):enabled:visible")
    .first();
  if ((await typed.count()) > 0) await typed.fill("douze");
  const before = await partsOf(page);
  let refused = 0;
  await page.route("**/api/**", async (route) => {
    refused += 1;
    await route.fulfill({ status: 503, json: { code: "unavailable", message: "Réessayez." } });
  });
  // Who comes back to the window after a while has it read again.
  await page.clock.fastForward("02:00");
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  // Some of all screens have nothing that is read again.
  if (whole) await page.waitForTimeout(watchedMs);
  else await expect.poll(() => refused).toBeGreaterThan(0);
  await settle(page);
  const after = await partsOf(page);
  await page.context().close();
  // What was not found may be there: nobody knows. And the state of the service is not what it was.
  if (before.includes("h1 Page introuvable") || address === "/health") return [];
  return before.filter((part) => !after.includes(part)).map((part) => `${as} ${address}: ${part}`);
}

test("what a screen shows, and what is typed on it, stays when it cannot be read again", async () => {
  const left = whole
    ? [...(await screens())]
    : [
        ...sample,
        ["canteenProvider", "/pro/cantine?onglet=fermetures"] as const,
        ["guardian", "/cagnottes/virement"] as const,
        ["guardian", "/services/E-Billet"] as const,
      ];
  const lost: string[] = [];
  const walk = async () => {
    for (let next = left.pop(); next; next = left.pop()) lost.push(...(await lostOf(next)));
  };
  await Promise.all(Array.from({ length: 4 }, walk));
  expect(lost).toEqual([]);
}, 3_600_000);

/** Headings and lines of the screen, and what its fields hold, but for numbers: minutes go by. */
const partsOf = (page: Page) =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll("main :is(h1, h2, h3, input, textarea, select, li)")]
    .filter((one) => one.checkVisibility())
    .map((one) => one.localName + " " + (one.value || one.textContent).replace(/\\d+/g, "#"))`);

test.each(sample)(
  "the session of %s that ends elsewhere leaves %s for the login",
  async (as, address) => {
    const page = await furnished.portal.open();
    await furnished.portal.login(page, as);
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const other = await furnished.portal.server.as(as);
    const ended = await other.post("/api/profile/sessions/end-others", {});
    expect(ended.status, ended.text).toBe(200);
    await page.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await page.context().close();
  },
);
