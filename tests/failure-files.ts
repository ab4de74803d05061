// Files that a failed browser test leaves under .tmp/failures/, whether its second try passed or not: the
// error, and of each of its pages a picture, the accessibility tree, the console and the refused calls.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Page } from "playwright-core";
import { onTestFailed } from "vitest";
import { failureFolder } from "./failure-folder.ts";

/** Pages so far, which tells those of one test apart. */
let pageCount = 0;
/** A page that hangs is not waited for beyond this. */
const timeout = 5000;

/**
 * Keeps what a page shows when the test that opened it fails, and closes it: the second try meets no page of the
 * first. What is on the screen is said with the error too.
 */
export function keepWhenFailed(page: Page): void {
  const number = ++pageCount;
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("response", (answer) => {
    if (answer.status() >= 400) said.push(`${answer.status()} ${answer.url()}`);
  });
  try {
    onTestFailed(async ({ task }) => {
      if (page.isClosed()) return;
      const body = page.locator("body");
      const bodyText = await body.innerText({ timeout: 1000 }).catch(String);
      const report = `${said.join("\n")}\non screen at ${page.url()}:\n${bodyText.slice(0, 1500)}`;
      const error = task.result?.errors?.at(-1);
      if (error) error.message += `\n${report}`;
      const folder = failureFolder(task.file.name, task.fullTestName ?? task.name);
      await mkdir(folder, { recursive: true });
      const name = `${task.result?.retryCount ? "second" : "first"}-page-${number}`;
      // The diff tells what the message cuts short.
      const parts = [page.url(), error?.diff, said.join("\n")].filter(Boolean);
      await writeFile(join(folder, `${name}.txt`), stripVTControlCharacters(parts.join("\n\n")));
      const tree = await body.ariaSnapshot({ timeout }).catch(String);
      await writeFile(join(folder, `${name}.yml`), `${tree}\n`);
      await page.screenshot({ path: join(folder, `${name}.png`), timeout }).catch(() => {});
      await page.context().close();
    });
  } catch {
    // Opened for a whole file, outside any test.
  }
}
