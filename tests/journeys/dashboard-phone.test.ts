// The phone number on « Ma carte »: asked for there, proved by a code, and shown at once (spec §2).
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "../cast.ts";
import { typeProof } from "../code-dialog.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

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

test.each<[CastName, string, string]>([
  ["coGuardian", "0698765432", "+33698765432"],
  ["partnerShop", "0692123456", "+262692123456"],
])("%s changes their phone from the dashboard", async (name, typed, kept) => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(page, name);
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Mon téléphone" }) });
  await section.getByRole("button", { name: /le téléphone$/ }).click();
  const field = section.getByLabel("Nouveau numéro de téléphone");
  // Typed before the rules of numbers have come, it is read once they have.
  await field.pressSequentially(typed);
  await expect.poll(() => field.inputValue()).toMatch(/^06 \d\d \d\d \d\d \d\d$/);
  if (process.env["SHOTS"]) {
    await settle(page);
    await page.screenshot({ path: `${process.env["SHOTS"]}/phone-${name}.png`, fullPage: true });
  }
  await section.getByRole("button", { name: "Recevoir un code" }).click();
  await typeProof(page, portal.server);
  await section.getByText(typed.slice(2, 4)).first().waitFor();
  await expect.poll(() => phoneOf(name)).toBe(kept);
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
