// « Dépenses » in a browser: the months by keyboard, a person, the table, and the operations behind a sum.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import { capital, formatMonth } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { type SchemeAccount, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { cast, type CastName } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
/** The current month and the one before, as first days. */
let current: string;
let before: string;

beforeAll(async () => {
  portal = await openTestPortal();
  current = firstOfMonth(parisDay(portal.server.deps.now()));
  before = firstOfMonth(current, -1);
  const long = new Date(startOfDay(addDays(before, 9)).getTime() + 12 * 3_600_000);
  await pay("guardian", { to: "tickets", amountCents: 1850, at: long });
  await pay("guardian", { to: "transport", amountCents: 290, at: long });
  await pay("child", { kind: "meal", to: "meals", amountCents: 345, at: long });
  await pay("guardian", { to: "purchases", amountCents: 620, at: portal.server.deps.now() });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function pay(
  name: CastName,
  bought: { kind?: "meal"; to: SchemeAccount; amountCents: number; at: Date },
): Promise<void> {
  const { deps } = portal.server;
  const { rows } = await deps.pool.query<{ id: number }>(
    `select w.id from wallet w join card c on c.person_id = w.person_id
      where c.number = $1 and w.group_id = 1`,
    [cast[name].cardnumber],
  );
  await inTx(deps.db, async (tx) => {
    await spend(tx, {
      walletId: rows[0]?.id ?? 0,
      amountCents: bought.amountCents,
      to: await schemeAccount(tx, bought.to),
      kind: bought.kind ?? "purchase",
      key: `journey:${name}:${bought.to}`,
      memo: { label: `Payé à ${bought.to}` },
      at: bought.at,
    });
  });
}

async function open(width: number, name: CastName = "guardian", search = ""): Promise<Page> {
  const page = await portal.open({ viewport: { width, height: 800 } });
  await portal.signIn(page, name);
  await page.goto(`/cagnottes/depenses${search}`);
  return page;
}
const month = (page: Page, day: string) =>
  page.getByRole("radio", { name: new RegExp(`^${formatMonth(day)}`) });
const categories = (page: Page, day: string) =>
  page.getByRole("list", { name: `Catégories, ${formatMonth(day)}` });

test("from the wallets to a month by keyboard, which the address keeps, and on to its operations", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto("/services/cagnottes");
  await page.getByRole("link", { name: "Dépenses" }).click();
  await page.getByRole("heading", { level: 2, name: capital(formatMonth(current)) }).waitFor();
  await expect.poll(() => month(page, current).isChecked()).toBe(true);
  await expect
    .poll(() => categories(page, current).innerText())
    .toMatch(/Achats en commerce[^]*6,20/);

  await month(page, current).focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { level: 2, name: capital(formatMonth(before)) }).waitFor();
  await expect
    .poll(() => month(page, before).evaluate((one) => one === one.ownerDocument.activeElement))
    .toBe(true);
  await expect.poll(() => new URL(page.url()).search).toBe(`?mois=${before.slice(0, 7)}`);
  await page.reload();
  await page.getByRole("heading", { level: 2, name: capital(formatMonth(before)) }).waitFor();
  await expect.poll(() => page.getByRole("main").innerText()).toMatch(/24,85\s€/);
  await expect
    .poll(async () => (await categories(page, before).innerText()).replaceAll(/\s/g, " "))
    .toMatch(/Billets.*18,50.*Cantine.*3,45.*Bus.*2,90/);

  await page.getByRole("link", { name: /^Billets, opérations/ }).click();
  await page.getByText("1 opération affichée").waitFor();
  await expect.poll(() => page.getByRole("table").innerText()).toMatch(/Payé à tickets[^]*18,50/);
  await expect.poll(() => page.getByLabel("Type").inputValue()).toBe("tickets");
  await page.context().close();
});

test("one person's spending alone, whom the address keeps; the table holds the sums of the bars", async () => {
  const page = await open(1280, "guardian", "?mois=2000-01");
  // A month that is none of the twelve is the current one.
  await expect.poll(() => month(page, current).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Léo" }).click();
  await month(page, before).check();
  await expect
    .poll(() => new URL(page.url()).searchParams.get("carte"))
    .toBe(String(cast.child.cardnumber));
  await page.reload();
  await expect.poll(() => categories(page, before).getByRole("listitem").count()).toBe(2);
  await expect.poll(() => categories(page, before).innerText()).toMatch(/^Cantine[^]*3,45/);
  await page.getByText("Voir le tableau").click();
  const line = page.getByRole("row").filter({ hasText: capital(formatMonth(before)) });
  await expect.poll(() => line.innerText()).toMatch(/3,45\s€\s+3,45\s€/);
  await page.getByRole("button", { name: "Toute la famille" }).click();
  await expect.poll(() => line.innerText()).toMatch(/3,45[^]*2,90[^]*18,50[^]*0,00[^]*24,85/);
  await expect
    .poll(() => page.getByRole("row").filter({ hasText: "Douze mois" }).innerText())
    .toMatch(/31,05\s€$/);
  await page.context().close();
});

test("320 px: twelve months without a sideways scroll, a child without a filter of persons", async () => {
  const page = await open(320, "child", `?mois=${before.slice(0, 7)}`);
  await categories(page, before).getByText("Cantine", { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("radio").count()).toBe(12);
  await expect.poll(() => page.getByRole("button", { name: "Toute la famille" }).count()).toBe(0);
  await page.getByText("Voir le tableau").click();
  await expectNoHorizontalScroll(page);
  await page.context().close();
});

test("nothing spent yet: what will stand there, and the way to the wallets", async () => {
  const page = await open(360, "stranger");
  await page.getByText("Aucune dépense en douze mois").waitFor();
  await page.getByRole("link", { name: "Voir les cagnottes" }).click();
  await page.waitForURL("**/services/cagnottes");
  await page.context().close();
});
