// The elements behind a modal dialog are inert: they take no focus. Playwright does not look at that
// before it types (https://github.com/microsoft/playwright/issues/36938), and its text goes to
// whatever has the focus instead (https://github.com/microsoft/playwright/issues/42125), so that a
// test on a busy machine loses what it types while a dialog is about to close. A person cannot.
import { setTimeout } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";

const typing = ["fill", "focus", "pressSequentially"] as const;
const timeoutMs = 60_000;
const pollMs = 20;
const patched = new WeakSet<Locator>();

/** From now on what types into a field, on any page of this process, waits for the dialog before it to close. */
export function holdTypingBehindDialogs(page: Page): void {
  const prototype = Object.getPrototypeOf(page.locator("*")) as Locator;
  if (patched.has(prototype)) return;
  patched.add(prototype);
  for (const name of typing) {
    const type = prototype[name] as (this: Locator, ...args: unknown[]) => Promise<void>;
    Object.assign(prototype, {
      async [name](this: Locator, ...args: unknown[]) {
        await isInFront(this);
        await type.apply(this, args);
      },
    });
  }
}

async function isInFront(field: Locator): Promise<void> {
  const end = Date.now() + timeoutMs;
  const isBehind = () =>
    field.evaluate((element) =>
      Boolean(document.querySelector(":modal") && !element.closest(":modal")),
    );
  while (await isBehind()) {
    if (Date.now() > end) throw new Error(`${String(field)} stays behind an open dialog.`);
    await setTimeout(pollMs);
  }
}
