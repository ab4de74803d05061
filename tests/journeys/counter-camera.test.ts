// The camera of the counter: two cards held before it one after the other, with how long a verdict takes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { violationsOf } from "../axe.ts";
import { launchBrowser } from "../browser.ts";
import { makeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { filmOf } from "../fake-camera.ts";
import { removeData, scratchFolder } from "../scratch.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let folder: string;
beforeAll(async () => {
  portal = await openTestPortal();
  folder = await scratchFolder("camera");
});
afterAll(async () => {
  await portal.close();
  await removeData(folder);
});

// When the picture was taken that a verdict came from, and the verdict: in milliseconds of the page.
const watchVerdicts = `
  let taken = 0;
  const times = (globalThis.verdictTimes = []);
  const read = CanvasRenderingContext2D.prototype.getImageData;
  CanvasRenderingContext2D.prototype.getImageData = function (...area) {
    taken = performance.now();
    return read.apply(this, area);
  };
  new MutationObserver(() => {
    const words = document.querySelector("main output strong")?.textContent;
    if (words && words !== times.at(-1)?.words) times.push({ words, ms: performance.now() - taken });
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

test("two children are served by their cards, by a reader of our own where the browser has none", async () => {
  const { server } = portal;
  const camille = await server.as("guardian");
  const tokens = [];
  for (const name of ["child", "secondChild"] as const) {
    tokens.push((await camille.get(`/api/cards/${cast[name].cardnumber}/qr`)).body.token);
  }
  const browser = await launchBrowser(await filmOf(folder, tokens));
  try {
    const { registrations } = await makeCanteen(server);
    const day = parisDay(server.clock.now());
    await placeMeal(server, { registration: registrations.child, day });
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.addInitScript(watchVerdicts);
    await portal.signIn(page, "canteenProvider");
    await page.goto(`${portal.url}/partenaire/validation`);
    await page.getByText("0 servi sur 1").waitFor();
    await expect.poll(() => page.evaluate("'BarcodeDetector' in globalThis")).toBe(false);
    const picture = page.getByLabel("Image de l’appareil photo");
    // During a service a camera that is allowed is open already.
    await page.getByRole("button", { name: "Ouvrir l’appareil photo" }).or(picture).first().click();
    await picture.waitFor();
    const says = (words: RegExp) => page.getByRole("status").first().getByText(words).waitFor();
    await says(/^Servi$/);
    await page.getByText("1 servi sur 1").waitFor();
    await says(/^Pas de commande aujourd’hui/);
    expect(await violationsOf(page)).toEqual([]);
    await says(/^Déjà servi/);
    // The verdict has the frame, and the picture goes on in it, smaller.
    const frame = page.getByRole("region", { name: "Passage" });
    await expect
      .poll(async () => {
        const [around, inside] = [await frame.boundingBox(), await picture.boundingBox()];
        if (!around || !inside) return null;
        return (
          inside.y >= around.y &&
          inside.y + inside.height <= around.y + around.height &&
          inside.width < around.width / 2
        );
      })
      .toBe(true);
    const times = await page.evaluate<{ words: string; ms: number }[]>("verdictTimes");
    console.log(
      `from the picture to the verdict: ${times.map(({ words, ms }) => `${words} ${Math.round(ms)} ms`).join(", ")}`,
    );
    const { rows } = await server.deps.pool.query("select state from meal_order");
    expect(rows).toEqual([{ state: "served" }]);
  } finally {
    await browser.close();
  }
});

test("without a camera the screen says what else serves", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`${portal.url}/partenaire/validation`);
  await page.getByRole("button", { name: "Ouvrir l’appareil photo" }).click();
  await page.getByText("L’appareil photo n’est pas accessible.").waitFor();
  expect(portal.faults).toEqual([]);
});
