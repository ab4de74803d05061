// A whole portal for a journey: the web build behind a real server on a port of this machine, its own
// database, jobs running, and a real browser in front of it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Config } from "#server/config.ts";
import { startJobs } from "#server/jobs.ts";
import { onTestFailed } from "vitest";
import { launchBrowser } from "./browser.ts";
import { cast, castPassword, type CastName } from "./cast.ts";
import { type House, openHouse } from "./house.ts";

export interface Portal {
  /** Address of the portal, without a slash at the end. */
  url: string;
  /** Folder of the web build that is served. */
  web: string;
  house: House;
  browser: Browser;
  /** A page in a browser context of its own: another device, another cookie jar. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Logs in on the login page and waits for the dashboard. */
  login(page: Page, name: CastName, password?: string): Promise<void>;
  /** What no journey may leave behind: scripts that threw or are missing, refusals of the policy. */
  faults: string[];
  close(): Promise<void>;
}

/** Opens a portal; the caller closes it. */
export async function openPortal(settings: Partial<Config> = {}): Promise<Portal> {
  const [web, port] = await Promise.all([webBuild(), freePort()]);
  const url = `http://localhost:${port}`;
  const house = await openHouse({ port, publicUrl: url, ...settings }, web);
  await house.app.listen({ port, host: "localhost" });
  const jobs = await startJobs(house.deps);
  const browser = await launchBrowser();
  const faults: string[] = [];
  return {
    url,
    web,
    house,
    browser,
    faults,
    async open(options = {}) {
      const context = await browser.newContext({
        baseURL: url,
        locale: "fr-FR",
        timezoneId: "Europe/Paris",
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      // Long beside what a person waits: a busy machine is slow, and no journey measures time.
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      watch(page, faults);
      tellWhenFailed(page);
      return page;
    },
    async login(page, name, password = castPassword) {
      await page.goto(`${url}/login`);
      await page.getByLabel("Numéro de carte").fill(String(cast[name].cardnumber));
      await page.getByLabel("Mot de passe", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Se connecter" }).click();
      await page.waitForURL(`${url}/dashboard`);
      // The document is there before the application is: what a test does next must not meet its start.
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    },
    async close() {
      await browser.close();
      await jobs.stop();
      await house.close();
    },
  };
}

/** What a failed journey had on its screen, in the output of the test: elsewhere nobody can look. */
function tellWhenFailed(page: Page): void {
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  page.on("response", (answer) => {
    if (answer.status() >= 400) lines.push(`${answer.status()} ${answer.url()}`);
  });
  try {
    onTestFailed(async () => {
      if (page.isClosed()) return;
      const shown = await page.locator("body").innerText({ timeout: 1000 }).catch(String);
      console.log(`on screen at ${page.url()}:\n${shown.slice(0, 1500)}\n${lines.join("\n")}`);
    });
  } catch {
    // Opened for a whole file, outside any test.
  }
}

function watch(page: Page, faults: string[]): void {
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("response", (answer) => {
    if (answer.url().includes("/assets/") && answer.status() >= 400)
      faults.push(`${answer.status()} ${answer.url()}`);
  });
  page.on("console", (message) => {
    const text = message.text();
    if (
      message.type() === "error" &&
      /Content Security Policy|TrustedHTML|TrustedScript/.test(text)
    )
      faults.push(text);
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}

// ---- the web build

const root = join(import.meta.dirname, "..");
const tmp = join(root, ".tmp");
const sources = ["web", "contract", "vite.config.ts", "package-lock.json"];
/** Another run may still be reading a build that is no longer the newest. */
const keptMs = 2 * 3_600_000;

/** The folder of a build of the sources as they are: `dist/` when it is fresh, else one of our own. */
async function webBuild(): Promise<string> {
  const files = await filesUnder(sources);
  const changed = Math.max(...files.map(({ changedMs }) => changedMs));
  const stamp = await stat(join(root, "dist", ".stamp")).catch(() => null);
  if (stamp && stamp.mtimeMs > changed) return join(root, "dist");
  const hash = createHash("sha256");
  for (const { path } of files) hash.update(path).update(await readFile(join(root, path)));
  const folder = join(tmp, `web-${hash.digest("hex").slice(0, 16)}`);
  if (!existsSync(folder)) await build(folder);
  return folder;
}

// Built aside and put in place by one rename: two workers may build at once, neither sees half.
async function build(folder: string): Promise<void> {
  await mkdir(tmp, { recursive: true });
  const aside = await mkdtemp(join(tmp, "building-web-"));
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const asked = ["build", "--outDir", aside, "--emptyOutDir", "--logLevel", "error"];
  await promisify(execFile)(process.execPath, [vite, ...asked], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  });
  await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }));
  await forgetOld();
}

async function forgetOld(): Promise<void> {
  const names = await readdir(tmp);
  for (const name of names.filter((one) => /^(building-)?web-/.test(one))) {
    const about = await stat(join(tmp, name)).catch(() => null);
    if (about && about.mtimeMs < Date.now() - keptMs)
      await rm(join(tmp, name), { recursive: true, force: true });
  }
}

async function filesUnder(paths: string[]): Promise<{ path: string; changedMs: number }[]> {
  const found: { path: string; changedMs: number }[] = [];
  for (const path of paths.sort()) {
    const about = await stat(join(root, path)).catch(() => null);
    if (about?.isDirectory()) {
      const names = await readdir(join(root, path));
      found.push(...(await filesUnder(names.map((name) => join(path, name)))));
    } else if (about && !/\.test\.tsx?$/.test(path)) {
      found.push({ path, changedMs: about.mtimeMs });
    }
  }
  return found;
}
