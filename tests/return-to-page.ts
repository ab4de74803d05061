// Whoever looks at a page again after a while: what is a minute old is read again.
import type { Page } from "playwright-core";

/** Moves the clock of a page on by two minutes, and shows the page. */
export async function returnLater(page: Page): Promise<void> {
  const now = await page.evaluate<number>("Date.now()");
  await page.clock.setFixedTime(now + 120_000);
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
}
