// A whole portal for a journey: the web build behind a real server on a port of this machine, its own
// database, jobs running, and a real browser in front of it.
import type { Browser, BrowserContextOptions, Download, Page } from "playwright-core";
import { session as limits } from "#contract/limits.ts";
import { ownCookie } from "#server/identity/session-start.ts";
import type { Config } from "#server/process/config.ts";
import type { Deps } from "#server/process/deps.ts";
import { startJobs } from "#server/process/jobs.ts";
import { openBrowser } from "./browser.ts";
import { cast, castPassword, type CastName } from "./cast.ts";
import { keepWhenFailed } from "./failure-files.ts";
import { freePort } from "./free-port.ts";
import { type TestServer, openSessionFrom, openTestServer } from "./test-server.ts";
import { keepSession, signIn } from "./sign-in.ts";
import { holdTypingBehindDialogs } from "./typing-behind-dialogs.ts";
import { webBuild } from "./web-build.ts";

export interface PageOptions extends BrowserContextOptions {
  /**
   * Lets the service worker be installed: it fetches the whole portal, as much work as three screens.
   * Without it the page is that of a first visit, where the worker is not there yet.
   */
  worker?: boolean;
}

/** A page as a person has it: the service worker is installed, and what moves is seen to move. */
export const unreduced: PageOptions = { worker: true, reducedMotion: "no-preference" };

export interface TestPortal {
  /** Address of the portal, without a slash at the end. */
  url: string;
  /** Folder of the web build that is served. */
  web: string;
  server: TestServer;
  browser: Browser;
  /** A page in a browser context of its own: another device, another cookie jar. */
  open(options?: PageOptions): Promise<Page>;
  /**
   * Opens a session without the login form (tests/sign-in.ts); what the page shows next is the
   * caller's. A given `password` is sent to the server, which hashes it.
   */
  signIn(page: Page, name: CastName, password?: string): Promise<void>;
  /** Opens a session and the dashboard. */
  login(page: Page, name: CastName, password?: string): Promise<void>;
  /** Fills and sends the login form where the page stands: a link led there first. */
  fillLogin(page: Page, name: CastName, password?: string): Promise<void>;
  /** Logs in on the login page, as a person does, and waits for the dashboard. */
  loginByForm(page: Page, name: CastName, password?: string): Promise<void>;
  /** What no journey may leave behind: scripts that threw or are missing, refusals of the policy. */
  faults: string[];
  close(): Promise<void>;
}

async function fillLogin(page: Page, name: CastName, password = castPassword): Promise<void> {
  await page.getByLabel("Numéro de carte").fill(String(cast[name].cardnumber));
  await page.getByLabel("Mot de passe", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Se connecter" }).click();
}

/** The work of a login with the right password, for the browser of the page. */
async function openWithoutHashing(
  page: Page,
  url: string,
  { deps, cardnumber }: { deps: Deps; cardnumber: number },
): Promise<void> {
  const context = page.context();
  const brought = await context.cookies(url);
  const { answer, set } = await openSessionFrom(deps, cardnumber, {
    agent: await page.evaluate<string>("navigator.userAgent"),
    samePage: true,
    cookies: Object.fromEntries(brought.map(({ name, value }) => [name, value])),
  });
  const { path, httpOnly, secure } = ownCookie;
  const { hostname: domain } = new URL(url);
  const expires = Date.now() / 1000 + limits.absoluteSeconds;
  const attributes = { domain, path, httpOnly, secure, sameSite: "Strict", expires } as const;
  await context.addCookies([...set].map(([name, value]) => ({ name, value, ...attributes })));
  await keepSession(page, url, JSON.stringify(answer));
}

/** Opens a portal; the caller closes it. `built` is a web build other than that of the sources as they are. */
export async function openTestPortal(
  settings: Partial<Config> = {},
  built?: string,
): Promise<TestPortal> {
  const [web, port] = await Promise.all([built ?? webBuild(), freePort()]);
  const url = `http://localhost:${port}`;
  const server = await openTestServer({ port, publicUrl: url, ...settings }, web);
  await server.app.listen({ port, host: "localhost" });
  const jobs = await startJobs(server.deps);
  const browser = await openBrowser();
  const faults: string[] = [];
  const openSession: TestPortal["signIn"] = (page, name, password) => {
    const { cardnumber } = cast[name];
    return password === undefined
      ? openWithoutHashing(page, url, { deps: server.deps, cardnumber })
      : signIn(page, url, { login: cardnumber, password });
  };
  return {
    url,
    web,
    server,
    browser,
    faults,
    async open({ worker = false, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: url,
        locale: "fr-FR",
        timezoneId: "Europe/Paris",
        viewport: { width: 1280, height: 800 },
        // Frames of what moves are drawn by the processor; tests/journeys/coming-in.test.ts lets all move.
        reducedMotion: "reduce",
        ...options,
      });
      if (!worker) await context.addInitScript(neverInstalled);
      // Long beside what a person waits: a busy machine is slow, and no journey measures time.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      watch(page, faults);
      keepWhenFailed(page);
      holdTypingBehindDialogs(page);
      return page;
    },
    signIn: openSession,
    async login(page, name, password) {
      await openSession(page, name, password);
      await page.goto(`${url}/dashboard`);
      await started(page);
    },
    fillLogin,
    async loginByForm(page, name, password = castPassword) {
      await page.goto(`${url}/login`);
      await fillLogin(page, name, password);
      await page.waitForURL(`${url}/dashboard`);
      await started(page);
    },
    async close() {
      await browser.close();
      await jobs.stop();
      await server.close();
    },
  };
}

/** The document is there before the application is: what a test does next must not meet its start. */
const started = (page: Page) => page.getByRole("heading", { level: 1 }).first().waitFor();

/** The registration of the service worker stays under way. */
const neverInstalled =
  "if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});";

/** The content of a downloaded file; the browser may run in another process than the test. */
export async function bytesOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
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
