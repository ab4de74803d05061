// What a visit does on its page to come to a state: presses, types, waits until it is seen.
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

/** What the console says of an answer that refuses or does not come. */
export const failedAnswer = /Failed to load resource/;
