// Rights in a browser: a quotient declared with its document, refused with the reason read, declared
// again and validated; a child's paper; what the other guardian may see.
import { Buffer } from "node:buffer";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { entitlementCommands } from "#server/entitlements/operator.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { pdfFile } from "../pdf-file.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** With SHOTS set, each state is also drawn there, for the eye. */
async function check(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  for (const width of [1280, 360, 320]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      if (folder && width !== 320) {
        const path = `${folder}/${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
    expect(await violationsOf(page), `${name} at ${width}`).toEqual([]);
    await expectNoHorizontalScroll(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const pdf = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: pdfFile(name),
});
const answer = async (word: "validate" | "refuse", ...reason: string[]) => {
  const run = (name: string, args: string[]) =>
    entitlementCommands.find((one) => one.name === name)?.run(portal.server.deps, args, "test");
  const waiting = await run("rights list", []);
  const number = waiting?.lines[0]?.split(" ")[0] ?? "";
  expect(waiting?.lines[0]).toMatch(/^\d+ {2}\d\d\/\d\d\/\d{4} {2}/);
  const output = await run("rights show", [number]);
  expect(output?.lines[0]).toMatch(/\(attend une réponse\)$/);
  const answered = await run(`rights ${word}`, [number, ...reason]);
  expect(answered?.ok).toBe(true);
};

async function added(dialog: Locator, file: string): Promise<void> {
  await dialog.getByText(file, { exact: true }).waitFor();
  await dialog.getByRole("progressbar").waitFor({ state: "hidden" });
}

async function declare(page: Page, value: string, file: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Déclarer mon quotient familial" });
  await dialog.getByLabel("Quotient familial").fill(value);
  await dialog.getByLabel("Date du document").fill(formatDate(todayInParis()));
  await dialog.getByLabel("Le document").setInputFiles(pdf(file));
  await added(dialog, file);
  await dialog.getByRole("button", { name: "Envoyer" }).click();
  await dialog.waitFor({ state: "hidden" });
}

test("a quotient: a file refused, an attestation refused with its reason, then one that counts", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto("/family");
  await page.getByRole("link", { name: /Droits et justificatifs/ }).click();
  await page.getByRole("button", { name: "Déclarer mon quotient" }).click();
  const dialog = page.getByRole("dialog", { name: "Déclarer mon quotient familial" });
  await dialog.getByRole("button", { name: "Envoyer" }).click();
  await dialog.getByText("Indiquez un nombre entier", { exact: false }).waitFor();
  await dialog.getByText("Joignez le document.").waitFor();
  await check(page, "quotient-incomplet");
  await dialog.getByLabel("Le document").setInputFiles({
    ...pdf("attestation.pdf"),
    buffer: Buffer.from("MZ this is no document"),
  });
  await dialog.getByRole("alert").waitFor();
  await check(page, "quotient-fichier-refuse");
  await dialog.getByRole("button", { name: "Retirer attestation.pdf" }).click();
  await declare(page, "640", "attestation-1.pdf");
  await page.getByText("En attente").waitFor();
  await page.getByText(/Vous recevrez une réponse sous 5 jours ouvrés, le/).waitFor();
  await check(page, "quotient-attente");

  await answer("refuse", "L'attestation est coupée en bas.");
  await page.getByText("Motif : L'attestation est coupée en bas.").waitFor();
  await check(page, "quotient-refuse");
  await page.getByRole("button", { name: "Déclarer mon quotient" }).click();
  await declare(page, "610", "attestation-2.pdf");
  await answer("validate");
  await page.getByText(/^Valable jusqu’au 31\/08\//).waitFor();
  await page.getByText("610", { exact: true }).waitFor();
  await check(page, "quotient-valide");

  // One that ends soon: what is said of the next one is what validating it does.
  await portal.server.deps.pool.query(
    "update proof set valid_until = paris_day(now()) + 5 where state = 'validated'",
  );
  await page.reload();
  await page
    .getByText("Le nouveau remplacera l’actuel dès qu’il est validé, et comptera du jour de")
    .waitFor();
  await check(page, "quotient-a-renouveler");
  await page.getByRole("button", { name: "Déclarer un nouveau quotient" }).click();
  await declare(page, "990", "attestation-3.pdf");
  await page.getByText("610", { exact: true }).waitFor();
  await answer("validate");
  await page.getByText("990", { exact: true }).waitFor();
  await page.getByText(/^Valable jusqu’au 31\/08\//).waitFor();
  await page.goto("/family");
  await page.getByRole("link", { name: /Quotient familial : 990/ }).waitFor();
  await page.context().close();
});

test("a child's certificate is sent from its page; the other guardian sees that it counts, not the file", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${cast.child.cardnumber}?onglet=droits`);
  await page.getByRole("button", { name: "Envoyer un justificatif" }).click();
  const dialog = page.getByRole("dialog", { name: "Envoyer un justificatif" });
  await dialog.getByLabel("Pour qui").selectOption(String(cast.child.cardnumber));
  await dialog.getByRole("radio", { name: /Scolarité/ }).check();
  await expect.poll(() => dialog.getByRole("radio", { name: /Domicile/ }).count()).toBe(0);
  await dialog.getByLabel("Le document").setInputFiles(pdf("certificat.pdf"));
  await added(dialog, "certificat.pdf");
  await check(page, "certificat");
  await dialog.getByRole("button", { name: "Envoyer" }).click();
  await dialog.waitFor({ state: "hidden" });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "certificat.pdf" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("certificat.pdf");
  await answer("validate");
  await page.getByText(/^Valable jusqu’au 31\/08\//).waitFor();
  await check(page, "membre-droits");

  const thomas = await portal.open();
  await portal.signIn(thomas, "coGuardian");
  await thomas.goto("/family/droits");
  await thomas.getByText("Scolarité").waitFor();
  await thomas.getByText(/^Valable jusqu’au 31\/08\//).waitFor();
  await expect.poll(() => thomas.getByText("certificat.pdf").count()).toBe(0);
  await expect.poll(() => thomas.getByText("610").count()).toBe(0);

  const leo = await portal.open();
  await portal.signIn(leo, "child");
  await leo.goto("/family/droits");
  await leo.getByText("Scolarité").waitFor();
  await expect.poll(() => leo.getByRole("button", { name: /Envoyer|Déclarer/ }).count()).toBe(0);
  for (const open of [page, thomas, leo]) await open.context().close();
});
