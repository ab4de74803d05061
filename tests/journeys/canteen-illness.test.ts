// A sick child in a browser: announced from the first screen, the certificate joined, refused then accepted
// at the desk, and an absence taken back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";
import { pdfFile } from "../pdf-file.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
// Open every day of the week, so that the journey is the same whatever day it runs.
beforeAll(async () => {
  portal = await openTestPortal();
  canteen = await makeCanteen(portal.server, {
    kind: "staff",
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    classes: ["CE1"],
    sickPaidDays: 1,
    sickCertificate: true,
  });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const tomorrow = addDays(todayInParis(), 1);
const meals = async (days: readonly string[]) => {
  for (const day of days) {
    const registration = canteen.registrations.child;
    await placeMeal(portal.server, { registration, day, priceCents: 345 });
  }
};
test("a child is announced sick from the first screen, on a phone, with what stays due", async () => {
  await meals([tomorrow, addDays(tomorrow, 1), addDays(tomorrow, 2)]);
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.login(page, "guardian");
  await page.getByText("Léo mange à la cantine demain.").waitFor();
  await page.getByRole("button", { name: "Léo est malade" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("3,45", { exact: false }).first().waitFor();
  const last = addDays(tomorrow, 2);
  await dialog
    .getByRole("textbox", { name: "Dernier jour" })
    .fill(last.split("-").toReversed().join("/"));
  await dialog.getByText("Premier jour, dû").waitFor();
  await dialog.getByText("Un certificat médical est demandé.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  await dialog.getByRole("button", { name: "Signaler Léo malade" }).click();
  await dialog.getByRole("heading", { name: "Joindre le certificat" }).waitFor();
  await dialog.getByLabel(/Le certificat/).setInputFiles({
    name: "certificat.pdf",
    mimeType: "application/pdf",
    buffer: pdfFile(),
  });
  await dialog.getByText("certificat.pdf est ajouté.").waitFor({ state: "attached" });
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Envoyer le certificat" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.goto(`${portal.url}/commande/cantine/suivi`);
  await page.getByText("Certificat envoyé").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
});

test("the desk refuses a certificate with its reason, then accepts another; the rule is in its form", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`${portal.url}/pro/cantine?onglet=absences`);
  await page.getByRole("heading", { name: "Certificats à vérifier" }).waitFor();
  await page.getByText(cast.child.name, { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Refuser/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Refuser le certificat" }).click();
  await dialog.getByText("Dites pourquoi").waitFor();
  await dialog.getByLabel("Raison").fill("La date est illisible.");
  await dialog.getByRole("button", { name: "Refuser le certificat" }).click();
  await page.getByText("Certificat refusé").first().waitFor();
  await page.goto(`${portal.url}/pro/cantine?onglet=regles`);
  await page.getByLabel("Maladie, jours qui restent dus").selectOption("2");
  await page.getByRole("checkbox", { name: "Demander un certificat médical" }).uncheck();
  await page.getByRole("button", { name: "Enregistrer les règles" }).click();
  await page.getByText("Les règles sont enregistrées.").first().waitFor();
  const { rows } = await portal.server.deps.pool.query(
    "select sick_paid_days as days, sick_certificate as required from canteen",
  );
  expect(rows).toEqual([{ days: 2, required: false }]);
});

test("an absence is taken back with the keyboard: its meals are ordered again", async () => {
  const far = workingDaysAfter(tomorrow, 15);
  await meals([far]);
  const page = await portal.open({ viewport: { width: 1280, height: 900 } });
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/commande/cantine/suivi`);
  await page.getByText("Motif").waitFor();
  await press(page.getByRole("button", { name: "Signaler un enfant malade" }), "Enter");
  const dialog = page.getByRole("dialog");
  await press(dialog.getByRole("button", { name: "Signaler Léo malade" }), "Enter");
  await dialog.waitFor({ state: "hidden" });
  await press(page.getByRole("button", { name: /^Annuler l’absence/ }), "Enter");
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByText(/1 repas est commandé de nouveau/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await press(confirmation.getByRole("button", { name: "Annuler l’absence" }), "Enter");
  await confirmation.waitFor({ state: "hidden" });
  await page.getByText("Les repas sont de nouveau commandés.", { exact: true }).waitFor();
  const camille = await portal.server.as("guardian");
  const { items } = (await camille.get("/api/canteen/orders?when=coming")).body;
  expect(items.filter(({ day, state }: any) => day === far && state === "reserved")).toHaveLength(
    1,
  );
});
