// An installation without a payment provider says so instead of asking for an amount.
import { expect, test } from "vitest";
import { openTestPortal } from "../test-portal.ts";
import { payerOf } from "../top-up-steps.ts";

test("without a payment provider the recharge says so, and whom to call", async () => {
  const portal = await openTestPortal({ payments: "none", supportPhone: "02 62 00 00 00" });
  try {
    const payer = await payerOf(portal, "guardian");
    const page = await portal.open();
    await portal.signIn(page, "guardian");
    await page.goto(payer.path);
    await page.getByText("La recharge en ligne n’est pas ouverte ici").waitFor();
    await page.getByText("02 62 00 00 00").waitFor();
    await expect.poll(() => page.getByLabel("Montant").count()).toBe(0);
    await expect.poll(() => payer.topUps()).toEqual([]);
    expect(portal.faults).toEqual([]);
  } finally {
    await portal.close();
  }
});
