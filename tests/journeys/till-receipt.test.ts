// A holder finds what they bought at a till again: from the movements to the receipt, with what came back.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf } from "#contract/reference.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { settle } from "../settle.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let partner: string;
beforeAll(async () => {
  portal = await openTestPortal();
  ({ partner } = await furnishDirectory(portal.server.deps));
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function charge(name: "guardian" | "child", amountCents: number): Promise<string> {
  portal.server.clock.advance(61_000);
  const [till, camille] = await Promise.all([
    portal.server.as("partnerShop"),
    portal.server.as("guardian"),
  ]);
  const { token } = (await camille.get(`/api/cards/${cast[name].cardnumber}/qr`)).body;
  const sale = { id: randomUUID(), partner, amountCents, token };
  const { body, text } = await till.post("/api/till/sales", sale);
  expect(body.state, text).toBe("paid");
  return sale.id;
}

/** The fact of that name on the screen, without its spaces. */
const fact = async (page: Page, name: string): Promise<string> => {
  const item = page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
  return (await item.first().locator("dd").innerText()).replaceAll(/\s/g, "");
};

test("from the movement to the receipt, and what was given back is on it", async () => {
  const sale = await charge("guardian", 1250);
  const page = await portal.open({ viewport: { width: 360, height: 780 } });
  await portal.login(page, "guardian");
  await page.getByRole("link", { name: "Librairie des Embruns", exact: true }).first().click();
  await page.getByRole("heading", { name: "Achat en caisse", level: 1 }).waitFor();
  await expect.poll(() => fact(page, "Payé")).toBe("12,50€");
  await expect.poll(() => fact(page, "Reçu n°")).toBe(referenceOf(sale));
  await expect.poll(() => fact(page, "Encaissé par")).toBe("LibrairiedesEmbruns");
  await settle(page);
  expect(await violationsOf(page)).toEqual([]);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Télécharger le reçu (PDF)" }).click(),
  ]);
  const paper = await bytesOf(saved);
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
  const shop = await portal.server.as("partnerShop");
  const back = { amountCents: 450, refundedCents: 0 };
  const refund = await shop.post(`/api/till/sales/${sale}/refund`, back);
  expect(refund.status).toBe(200);
  await page.reload();
  await expect.poll(() => fact(page, "État")).toBe("Remboursé en partie".replaceAll(" ", ""));
  await expect.poll(() => fact(page, "Reste payé")).toBe("8,00€");
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test("a child's purchase is read by a guardian, somebody else's by nobody", async () => {
  const sale = await charge("child", 300);
  const page = await portal.open();
  await portal.login(page, "guardian");
  await page.goto(`${portal.url}/cagnottes/achats/${sale}`);
  await expect.poll(() => fact(page, "Carte")).toContain("LéoMoreau");
  await page.context().close();
  const other = await portal.open();
  await portal.login(other, "stranger");
  await other.goto(`${portal.url}/cagnottes/achats/${sale}`);
  await other.getByRole("heading", { name: /introuvable|n’existe pas/ }).waitFor();
  await expect.poll(() => other.getByText("Librairie").count()).toBe(0);
  await other.context().close();
});
