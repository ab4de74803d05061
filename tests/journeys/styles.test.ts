// Style sheets stay loaded: once every room has been visited without a reload, each screen still looks
// as it does after a fresh load. What differs leaves both pictures in `.tmp/styles/`. `npm test` walks
// through one screen of each room that sells or lists; `npm run audit:styles` through every screen.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  openFurnishedPortal,
  type FurnishedPortal,
} from "#tests/campaigns/audit/furnished-portal.ts";
import { visitsOf } from "#tests/campaigns/audit/visits.ts";
import { table } from "#web/paths.ts";
import { settle } from "#tests/settle.ts";
import { letPass } from "#tests/top-up-steps.ts";

const folder = join(import.meta.dirname, "..", "..", ".tmp", "styles");
const whole = process.env["AUDIT"] === "whole";
const wide = { width: 1280, height: 800 };
const sizes = whole ? [wide, { width: 360, height: 740 }] : [wide];
/** Screens whose sheets are of different rooms, and whose data nothing changes meanwhile. */
const sample =
  /^\/(?:services(?:\/partner|\/E-Billet)?|Abonnement\/ligne\/\d+|contact|faq|family\/droits|profil\/allergenes)$/;

let furnished: FurnishedPortal;
beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  furnished = await openFurnishedPortal();
  // What the payment page still owes would change a balance between two pictures.
  await letPass(furnished.portal, 21);
  const payer = await furnished.portal.server.as("guardian");
  const isCredited = async () => {
    const { body } = await payer.get(`/api/top-ups/${furnished.topUps.pending}`);
    expect(body.state).toBe("credited");
  };
  await vi.waitFor(isCredited, { timeout: 60_000 });
  // A shop that opens would change one too.
  furnished.portal.server.clock.freeze();
}, 300_000);
afterAll(async () => {
  await furnished?.portal.close();
});

/** Opens an address through the router, as the browser's own buttons do: nothing is loaded again. */
async function walkTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(address)})`);
  await settle(page);
}

/** The whole page with nothing that moves or passes: no toast, animation, caret, focus, moment, QR. */
async function picture(page: Page): Promise<Buffer> {
  for (const toast of await page.getByRole("button", { name: "Fermer la notification" }).all()) {
    // One that has just gone by itself is gone all the same.
    await toast.dispatchEvent("click", {}, { timeout: 1000 }).catch(() => undefined);
  }
  await page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)");
  return await page.screenshot({
    fullPage: true,
    animations: "disabled",
    caret: "hide",
    mask: [
      page.locator("time"),
      page.getByRole("img", { name: /QR/ }),
      // A payment that settles meanwhile rings it.
      page.getByRole("button", { name: /^Notifications/ }),
    ],
  });
}

/** Both pictures of an address; a page may still be settling, so unequal ones are taken again. */
async function compared(walked: Page, fresh: Page, tries = 8): Promise<[Buffer, Buffer] | null> {
  const pair: [Buffer, Buffer] = [await picture(walked), await picture(fresh)];
  if (pair[0].equals(pair[1])) return null;
  if (tries === 0) return pair;
  await Promise.all([settle(walked), settle(fresh)]);
  return await compared(walked, fresh, tries - 1);
}

async function keep(name: string, [walked, fresh]: [Buffer, Buffer]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.walked.png`), walked);
  await writeFile(join(folder, `${name}.fresh.png`), fresh);
}

for (const caller of whole ? (["holder", "professional"] as const) : (["holder"] as const)) {
  test(`a ${caller} walks through every room without reloading, and no screen changes its looks`, async () => {
    // Without the service's own state, which changes by itself, and pages that are not the portal's.
    const visits = (await visitsOf(table, furnished)).filter(
      ({ address, act, before, expected, ...visit }) =>
        visit.caller === caller && !(act || before || expected || address.startsWith("/paiement/")),
    );
    const as = visits[0]?.as;
    if (!as) throw new Error(`The cast has no ${caller}.`);
    const addresses = [
      ...new Set(visits.filter((visit) => visit.as === as).map(({ address }) => address)),
    ].filter((address) => whole || sample.test(address));
    expect(addresses.length).toBeGreaterThan(whole ? 15 : 6);
    const walked = await furnished.portal.open();
    await furnished.portal.login(walked, as);
    const fresh = await walked.context().newPage();
    await walked.evaluate("window.neverReloaded = true");
    // The first round brings every sheet, the second one looks.
    for (const address of addresses) await walkTo(walked, address);
    // An answer is kept for a minute (web/app/transport/answers.ts): then both pages read the same data.
    if (whole) await walked.waitForTimeout(61_000);
    const differing: string[] = [];
    for (const address of addresses) {
      await walkTo(walked, address);
      await fresh.goto(address);
      await settle(fresh);
      for (const size of sizes) {
        await Promise.all([walked.setViewportSize(size), fresh.setViewportSize(size)]);
        const pair = await compared(walked, fresh);
        if (!pair) continue;
        const name = `${address} ${size.width}`.replaceAll(/[^\w]+/g, "-");
        differing.push(name);
        await keep(name, pair);
      }
    }
    expect(differing).toEqual([]);
    await expect.poll(() => walked.evaluate("window.neverReloaded")).toBe(true);
  }, 900_000);
}
