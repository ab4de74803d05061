// Lighthouse on the main screens, in the browser of the journeys: scores to print.
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { launchBrowser } from "#tests/browser.ts";
import { cast, castPassword } from "#tests/cast.ts";
import type { Figure } from "./report.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

/** Scores of login and dashboard, on a simulated slow phone, out of 100. */
export async function lighthouseFigures({ portal }: FurnishedPortal): Promise<Figure[]> {
  const port = 9300 + (process.pid % 500);
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const login = await scores(`${portal.url}/login`, port);
    // Tabs that Lighthouse opens share the default context: one logs in there.
    const debugged = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const page = await debugged.contexts()[0]?.newPage();
    if (!page) throw new Error("The browser shows no context to log in with.");
    await page.goto(`${portal.url}/login`);
    await page.getByLabel("Numéro de carte").fill(String(cast.guardian.cardnumber));
    await page.getByLabel("Mot de passe", { exact: true }).fill(castPassword);
    await page.getByRole("button", { name: "Se connecter" }).click();
    await page.waitForURL("**/dashboard");
    const dashboard = await scores(`${portal.url}/dashboard`, port);
    return [
      { what: "Lighthouse login", value: login, goal: "100 each; below 95 is mended" },
      { what: "Lighthouse dashboard", value: dashboard, goal: "100 each; below 95 is mended" },
    ];
  } finally {
    await browser.close();
  }
}

async function scores(url: string, port: number): Promise<string> {
  const result = await lighthouse(url, {
    port,
    disableStorageReset: true,
    onlyCategories: [...categories],
    logLevel: "error",
  });
  const { lhr } = result ?? {};
  if (!lhr || lhr.runtimeError) return `failed: ${lhr?.runtimeError?.message ?? "no result"}`;
  const percents = categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100));
  const failed = Object.values(lhr.audits).filter(
    ({ score, scoreDisplayMode }) => scoreDisplayMode === "binary" && score === 0,
  );
  const paint = lhr.audits["largest-contentful-paint"]?.displayValue ?? "";
  const why = failed.map(({ id }) => id).join(", ");
  return `${percents.join("/")} LCP ${paint}${why ? ` (${why})` : ""}`;
}
