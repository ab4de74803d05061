// A child's wallet with something booked on it: one balance and one rest on every screen that shows it,
// to the child, to a guardian, and to a guardian who acts for the child.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { inTx } from "#server/db/db.ts";
import { hold } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { cast } from "../cast.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

const { cardnumber } = cast.child;
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  const { db, now } = portal.server.deps;
  const { account_id: debitAccount } = await db
    .selectFrom("wallet_lot as l")
    .innerJoin("wallet as w", "w.id", "l.wallet_id")
    .innerJoin("card as c", "c.person_id", "w.person_id")
    .select("l.account_id")
    .where("c.number", "=", cardnumber)
    .where("l.kind", "=", "purchased")
    .executeTakeFirstOrThrow();
  await inTx(db, async (tx) => {
    const creditAccount = await schemeAccount(tx, "purchases");
    const booked = { key: "booked", kind: "meal", amountCents: 450, at: now() };
    await hold(tx, { ...booked, debitAccount, creditAccount });
  });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** The sums on the screen that are the wallet's, the larger first. */
async function sumsIn(page: Page, part: string): Promise<string[]> {
  const shown = page.locator(part).filter({ hasText: "35,50" }).first();
  await shown.waitFor();
  const sums = (await shown.innerText()).match(/\d+,\d\d(?=\s€)/g) ?? [];
  return sums.slice(0, 2).toSorted().toReversed();
}

test("35,50 € with 4,50 € booked reads the same everywhere", async () => {
  const both = ["35,50", "31,00"];
  const child = await portal.open();
  await portal.login(child, "child");
  expect(await sumsIn(child, "section")).toEqual(both);
  await child.context().close();

  const page = await portal.open();
  await portal.login(page, "guardian");
  expect(await sumsIn(page, "li")).toEqual(both);
  await page.goto("/family");
  expect(await sumsIn(page, "li")).toEqual(["35,50"]);
  await page.goto(`/family/${cardnumber}`);
  expect(await sumsIn(page, "main div")).toEqual(both);
  await page.goto("/services/cagnottes");
  expect(await sumsIn(page, "section")).toEqual(both);
  await page.goto(`/family/${cardnumber}`);
  await page.getByRole("button", { name: "Agir pour cette carte" }).click();
  await page.waitForURL("**/dashboard");
  expect(await sumsIn(page, "section")).toEqual(both);
  await page.context().close();

  const guardian = await portal.server.as("guardian");
  const own = await portal.server.as("child");
  const path = `/api/wallets?cardnumber=${cardnumber}`;
  const [seen] = (await guardian.get(path)).body.items;
  expect(seen).toMatchObject({ balanceCents: 3550, heldCents: 450, projectedCents: 3100 });
  expect((await own.get(path)).body.items[0]).toEqual(seen);
  const { body } = await guardian.post("/api/card/info", { cardnumber });
  expect(body.creditCents).toBe(3100);
});
