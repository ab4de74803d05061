// What people do to top up, as the journeys do it: by roles and labels, on the real screens.
import type { Page } from "playwright-core";
import { verify } from "#server/ledger/ledger.ts";
import type { TestPortal } from "./test-portal.ts";
import { cast, type CastName } from "./cast.ts";
import type { Client } from "./test-server.ts";

export interface WalletSeen {
  objectID: string;
  slug: string;
  idgroup: number;
  balanceCents: number;
  frozen: boolean;
}

export interface Payer {
  client: Client;
  /** The main wallet as the API tells it now. */
  wallet(): Promise<WalletSeen>;
  /** Its top-ups, newest first. */
  topUps(): Promise<{ id: string; state: string; amountCents: number }[]>;
  /** Where it is topped up. */
  path: string;
}

/** A person's main wallet, asked by a session of its own. */
export async function payerOf(portal: TestPortal, name: CastName): Promise<Payer> {
  const client = await portal.server.as(name);
  const wallet = async (): Promise<WalletSeen> =>
    (await client.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body.items[0];
  const { objectID, slug, idgroup } = await wallet();
  return {
    client,
    wallet,
    topUps: async () => (await client.get(`/api/wallets/${objectID}/top-ups`)).body.items,
    path: `/services/${objectID}/${slug}/${idgroup}`,
  };
}

/** Types an amount in euros on the recharge page; its button then says it. */
export async function typeAmount(page: Page, euros: string): Promise<void> {
  await page.getByLabel("Montant", { exact: true }).fill(euros);
  await page.getByRole("button", { name: `Payer ${euros} €` }).waitFor();
}

/** From the amount to the provider's page. */
export async function leaveToPay(page: Page, euros: string): Promise<void> {
  await page.getByRole("button", { name: `Payer ${euros} €` }).click();
  await page.waitForURL("**/paiement/sandbox/*");
}

/** The whole way to the provider's page. */
export async function goAndPay(page: Page, path: string, euros: string): Promise<void> {
  await page.goto(path);
  await typeAmount(page, euros);
  await leaveToPay(page, euros);
}

export const press = (page: Page, button: string | RegExp): Promise<void> =>
  page.getByRole("button", { name: button }).click();

export const seeHeading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("heading", { name }).waitFor();

/** Time passes for the portal, and what is due by then is done. */
export async function letPass(portal: TestPortal, seconds: number): Promise<void> {
  portal.server.clock.advance(seconds * 1000);
  await portal.server.runJobs();
}

/** The faults that the ledger finds in itself: none at any moment, so it is read once and never polled. */
export async function ledgerFaults(portal: TestPortal): Promise<unknown[]> {
  const { checks } = await verify(portal.server.deps.db);
  return checks.filter((check) => !check.ok);
}
