// A child's wallet with something booked on it: one balance and one rest on every screen that shows it,
// to the child, to a guardian, and to a guardian who acts for the child.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { inTx } from "#server/db/db.ts";
import { hold, post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import { cast } from "../cast.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

const { cardnumber } = cast.child;
let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  const { db, now } = portal.server.deps;
  const { accountId: debitAccount } = await db
    .selectFrom("walletLot as l")
    .innerJoin("wallet as w", "w.id", "l.walletId")
    .innerJoin("card as c", "c.personId", "w.personId")
    .select("l.accountId")
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
  const panel = page.locator(part).filter({ hasText: "35,50" }).first();
  await panel.waitFor();
  const sums = (await panel.innerText()).match(/\d+,\d\d(?=\s€)/g) ?? [];
  return sums.slice(0, 2).toSorted().toReversed();
}

test("35,50 € with 4,50 € booked reads the same everywhere", async () => {
  const both = ["35,50", "31,00"];
  const child = await portal.open();
  await portal.login(child, "child");
  await expect.poll(() => sumsIn(child, "section")).toEqual(both);
  await child.context().close();

  const page = await portal.open();
  await portal.login(page, "guardian");
  await expect.poll(() => sumsIn(page, "li")).toEqual(both);
  await page.goto("/family");
  await expect.poll(() => sumsIn(page, "li")).toEqual(["35,50"]);
  await page.goto(`/family/${cardnumber}`);
  await expect.poll(() => sumsIn(page, "main div")).toEqual(both);
  await page.goto("/services/cagnottes");
  await page.getByRole("button", { name: /Léo Moreau/ }).click();
  await expect.poll(() => sumsIn(page, "main a")).toEqual(both);
  await page.goto(`/family/${cardnumber}`);
  await page.getByRole("button", { name: "Agir pour cette carte" }).click();
  await page.waitForURL("**/dashboard");
  await expect.poll(() => sumsIn(page, "section")).toEqual(both);
  await page.context().close();

  const guardian = await portal.server.as("guardian");
  const own = await portal.server.as("child");
  const path = `/api/wallets?cardnumber=${cardnumber}`;
  const [seen] = (await guardian.get(path)).body.items;
  expect(seen).toMatchObject({ balanceCents: 3550, heldCents: 450, projectedCents: 3100 });
  await expect.poll(async () => (await own.get(path)).body.items[0]).toEqual(seen);
  const { body } = await guardian.post("/api/card/info", { cardnumber });
  expect(body.creditCents).toBe(3100);
});

test("another wallet reads the same on the child's dashboard as among the wallets", async () => {
  const { db, pool, now } = portal.server.deps;
  const { rows } = await pool.query<{ accountId: number }>(
    `with place as (
       insert into acceptance_group (name, slug, rule)
       values ('Restauration', 'restauration-essai', 'À la cantine.') returning id, name, slug
     ), w as (
       insert into wallet (person_id, group_id, name, slug)
       select c.person_id, place.id, 'Cagnotte restauration', place.slug from place, card c
       where c.number = $1 returning id
     ), a as (
       insert into ledger_account (kind, asset, floor) values ('wallet', 'EUR', 0) returning id
     )
     insert into wallet_lot (account_id, wallet_id, kind, label)
     select a.id, w.id, 'purchased', 'Argent rechargé' from a, w returning account_id as "accountId"`,
    [cardnumber],
  );
  const accountId = Number(rows[0]?.accountId);
  await inTx(db, async (tx) => {
    const sandbox = await schemeAccount(tx, "payments:sandbox");
    const paid = { key: "elsewhere", amountCents: 2000, kind: "top_up" };
    await post(tx, [{ ...paid, debitAccount: sandbox, creditAccount: accountId }]);
    const creditAccount = await schemeAccount(tx, "meals");
    const booked = { key: "booked-elsewhere", kind: "meal", amountCents: 345, at: now() };
    await hold(tx, { ...booked, debitAccount: accountId, creditAccount });
  });
  const page = await portal.open();
  await portal.login(page, "child");
  const line = page.getByRole("listitem").filter({ hasText: "Cagnotte restauration" });
  await line
    .getByText(/^et 20,00\s€ dans Cagnotte restauration, 16,55\s€ après vos\s+réservations$/)
    .waitFor();
  await page.goto("/services/cagnottes");
  const wallet = page.getByRole("link").filter({ hasText: "Cagnotte restauration" });
  await wallet.getByText(/16,55/).first().waitFor();
  await wallet.getByText(/20,00/).first().waitFor();
  await page.context().close();
});
