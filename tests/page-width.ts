// The width of a screen: nobody scrolls sideways to read it.
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** Waits until nothing is wider than the window; `screen` names it in the failure. */
export async function expectNoHorizontalScroll(page: Page, screen = page.url()): Promise<void> {
  await expect.poll(() => page.evaluate(overflow), { message: screen }).toBe(0);
}

/** Waits until all of a part lies between the left and the right edge of the window. */
export async function expectWithinWidth(part: Locator): Promise<void> {
  const edges = () =>
    part.evaluate((box) => {
      const { left, right } = box.getBoundingClientRect();
      return [left >= 0, right <= document.documentElement.clientWidth];
    });
  await expect.poll(edges).toEqual([true, true]);
}
