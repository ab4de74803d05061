// A session in a browser without the login form: the same call with the browser's cookies, and what the
// portal itself keeps of the answer (web/app/transport/session.ts), in a document that loads nothing else.
import type { Page } from "playwright-core";
import { build, type Rolldown } from "vite";

const root = `${import.meta.dirname}/..`;

/** The portal's own module that keeps a session, as a script that a page can run. */
export async function bundleSession(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "esnext",
      lib: { entry: "web/app/transport/session.ts", formats: ["iife"], name: "session" },
    },
  });
  const [{ output } = { output: [] }] = [built].flat() as Rolldown.RolldownOutput[];
  const [chunk] = output;
  if (chunk?.type !== "chunk") throw new Error("web/app/transport/session.ts gave no script.");
  return chunk.code;
}

let own: Promise<string> | undefined;

/** The script of the run where the test runner has made one, else a new one. */
const sessionScript = async (): Promise<string> =>
  process.env["VITEST"]
    ? (await import("vitest")).inject("sessionScript")
    : (own ??= bundleSession());

/** Opens a session in the page's context; the page itself stays on a document without a screen. */
export async function signIn(
  page: Page,
  url: string,
  login: { login: number; password: string },
): Promise<void> {
  const answer = await page.context().request.post(`${url}/api/login`, {
    data: login,
    headers: { "sec-fetch-site": "same-origin" },
  });
  if (!answer.ok()) throw new Error(`${login.login} cannot log in: ${await answer.text()}`);
  await keepSession(page, url, await answer.text());
}

/** Keeps what a login answered, as a page of the portal does. */
export async function keepSession(page: Page, url: string, answer: string): Promise<void> {
  await page.goto(`${url}/robots.txt`);
  await page.evaluate(`${await sessionScript()}; session.openSession(${answer})`);
}
