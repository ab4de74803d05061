// How a purchase is paid, in a browser: what is proposed, and another choice.
import type { Locator, Page } from "playwright-core";

/** What pays unless something else is chosen, in a line. */
export const proposedPayment = (page: Page): Locator =>
  page.getByRole("region", { name: "Payer avec" });

/** Opens the other ways to pay; those that cannot are named under them. */
export const showPayments = (page: Page): Promise<void> =>
  proposedPayment(page)
    .getByRole("button", { name: /^(?:Changer|Autres moyens)$/ })
    .click();

/** Chooses what pays by the beginning of its name. */
export async function payWith(page: Page, name: RegExp): Promise<void> {
  await showPayments(page);
  await page.getByRole("radio", { name }).check();
}
