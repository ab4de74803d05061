// Actions of a visit on its page to reach a state: presses, types, waits until it is seen.
import type { Page } from "playwright-core";

export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();
export const inOrder =
  (...acts: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };
export const type = (label: string, text: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(text);
export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { name }).first().waitFor();
export const dialog = (page: Page) =>
  page.locator("dialog[open], [popover]:popover-open").waitFor();
export const see =
  (role: "alertdialog" | "dialog" | "list" | "textbox", name: string) => (page: Page) =>
    page.getByRole(role, { name }).waitFor();

/**
 * Waits until an expression is true in the page. The page's policy refuses the string that `waitForFunction`
 * would evaluate again in the page itself.
 */
export const until = (isTrue: string) => async (page: Page) => {
  const end = Date.now() + 30_000;
  while (!(await page.evaluate<boolean>(isTrue))) {
    if (Date.now() > end) throw new Error(`never true in 30 s: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
};

/** Console lines about an answer that refuses or does not come. */
export const failedAnswer = /Failed to load resource/;
