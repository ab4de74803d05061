// The phone number on « Ma carte »: asked for there, proved by a code, and shown at once (spec §2).
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "../cast.ts";
import { typeProof } from "../code-dialog.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { addressOfScript } from "../web-build.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function phoneOf(name: CastName): Promise<string | null> {
  const { rows } = await portal.server.deps.pool.query<{ phonenumber: string | null }>(
    "select phonenumber from person p join card c on c.person_id = p.id where c.number = $1",
    [cast[name].cardnumber],
  );
  return rows[0]?.phonenumber ?? null;
}

/** Keeps a script of the build from a page until it is let go. */
async function holdScript(page: Page, module: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const script = await addressOfScript(portal.web, module);
  await page.route(`**${script}`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test.each<[CastName, string, string]>([
  ["coGuardian", "0698765432", "+33698765432"],
  ["partnerShop", "0692123456", "+262692123456"],
])("%s changes their phone from the dashboard", async (name, typed, e164) => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  const letFormCome = await holdScript(page, "identity/contact-rows.tsx");
  const letRulesCome = await holdScript(page, "ui/phone-countries.json");
  await portal.login(page, name);
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Mon téléphone" }) });
  // The number stands there from the beginning: nothing below it moves when the form's script comes.
  await section.getByText(/^0\d( \d\d){4}$/).waitFor();
  await section.getByRole("button", { name: /le téléphone$/ }).click();
  letFormCome();
  const field = section.getByLabel("Nouveau numéro de téléphone");
  // Typed before the rules of numbers have come, it is read once they have.
  await field.pressSequentially(typed);
  await expect.poll(() => field.inputValue()).toBe(typed);
  letRulesCome();
  await expect.poll(() => field.inputValue()).toMatch(/^06 \d\d \d\d \d\d \d\d$/);
  if (process.env["SHOTS"]) {
    await settle(page);
    await page.screenshot({ path: `${process.env["SHOTS"]}/phone-${name}.png`, fullPage: true });
  }
  await section.getByRole("button", { name: "Recevoir un code" }).click();
  await typeProof(page, portal.server);
  await section.getByText(typed.slice(2, 4)).first().waitFor();
  await expect.poll(() => phoneOf(name)).toBe(e164);
  await page.context().close();
});

test("while acting for a child one's own phone is not on the child's card", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${cast.child.cardnumber}`);
  await page.getByRole("button", { name: "Agir pour cette carte" }).click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("heading", { name: "Évolution" }).waitFor();
  await expect.poll(() => page.getByText("Mon téléphone").count()).toBe(0);
  await page.context().close();
});
