// One's own data: taking it away, what bars a closing and how it is given up, allergens by consent.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { earnPoints } from "#server/till/till.ts";
import { violationsOf } from "../axe.ts";
import { approve } from "../approve.ts";
import { cast, castPassword } from "../cast.ts";
import { codeDialog } from "../code-dialog.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";
import { payerOf } from "../top-up-steps.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const shot = async (page: Page, name: string) => {
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

async function typeCode(page: Page, password?: string): Promise<void> {
  const dialog = codeDialog(page);
  await dialog.waitFor();
  if (password !== undefined) {
    await dialog.getByLabel("Votre mot de passe").fill(password);
    await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  }
  await page.keyboard.type(portal.server.lastCode());
}

/** Points of the other guardian at the employer's till. */
async function givePoints(points: number): Promise<void> {
  const { deps, clock } = portal.server;
  const idOf = async (number: number) =>
    Number(
      (await deps.pool.query("select person_id as id from card where number = $1", [number]))
        .rows[0].id,
    );
  const [personId, employer] = await Promise.all(
    [cast.coGuardian, cast.employer].map(({ cardnumber }) => idOf(cardnumber)),
  );
  const { rows } = await deps.pool.query(
    "select company_id as id from company_member where person_id = $1",
    [employer],
  );
  const at = clock.now();
  const companyId: string = rows[0].id;
  await inTx(deps.db, (tx) =>
    earnPoints(tx, { personId: personId ?? 0, companyId, points, key: "gift", label: "", at }),
  );
}

// proves: data-export
test("an export is asked with a code, prepared aside and saved as a zip", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto("/profil");
  await page.getByRole("link", { name: /^Mes données/ }).click();
  await page.getByRole("heading", { name: "Mes données", level: 1 }).waitFor();
  await press(page.getByRole("button", { name: "Demander un export" }), "Enter");
  await typeCode(page);
  const fetch = page.getByRole("button", { name: /^Télécharger/ });
  await fetch.waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), fetch.click()]);
  expect(file.suggestedFilename()).toBe("mes-donnees.zip");
  const zip = await bytesOf(file);
  expect(zip.subarray(0, 2).toString()).toBe("PK");
  expect(await violationsOf(page)).toEqual([]);
  // Alone responsible for Jade: the account cannot close, and says why.
  await page.getByText("Vous êtes le seul responsable d’un enfant").waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Fermer le compte" }).isDisabled())
    .toBe(true);
  await page.context().close();
});

test("closing: a wrong IBAN is told beside its field; asked, it can be given up", async () => {
  const page = await portal.open();
  await portal.signIn(page, "coGuardian");
  await givePoints(40);
  await page.goto("/profil/donnees");
  await page.getByText("40 points de fidélité sont perdus.").waitFor();
  await page.getByRole("button", { name: "Fermer le compte" }).click();
  const dialog = page.getByRole("dialog", { name: "Fermer le compte" });
  await dialog.getByRole("button", { name: "Demander la fermeture" }).click();
  await dialog.getByText("Indiquez un IBAN complet.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByLabel("IBAN").fill("FR76 3000 6000 0112 3456 7890 188");
  await dialog.getByLabel("Titulaire du compte bancaire").fill("Thomas Moreau");
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Demander la fermeture" }).click();
  await dialog.getByText(/Cet IBAN n'est pas valable/).waitFor();
  const closures = () => portal.server.deps.pool.query("select state from closure");
  await expect.poll(async () => (await closures()).rows).toEqual([]);
  await dialog.getByLabel("IBAN").fill("FR76 3000 6000 0112 3456 7890 189");
  await dialog.getByRole("button", { name: "Demander la fermeture" }).click();
  await typeCode(page, castPassword);
  await page.getByText(/compte terminant par 0189/).waitFor();
  await expect.poll(async () => (await closures()).rows).toEqual([{ state: "requested" }]);
  // Until its day they can still be spent: the screen goes on saying what is lost.
  await page.getByText("40 points de fidélité sont perdus.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Garder le compte" }).click();
  await page.getByRole("button", { name: "Fermer le compte" }).waitFor();
  await expect.poll(async () => (await closures()).rows).toEqual([{ state: "cancelled" }]);
  await page.context().close();
});

test("money that came after the closing was asked is told, and its IBAN is given while it waits", async () => {
  const { server } = portal;
  const { objectID } = await (await payerOf(portal, "stranger")).wallet();
  await leaveToSpend(server, objectID, 0);
  const client = await server.as("stranger");
  const { cardnumber } = cast.stranger;
  const answer = await approve(server, client, "/api/privacy/closure", { cardnumber });
  expect(answer.status, answer.text).toBe(201);
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(page, "stranger");
  await page.goto("/profil/donnees");
  await page.getByText("Il n’y a pas d’argent à rendre aujourd’hui.").waitFor();
  await leaveToSpend(server, objectID, 1250);
  await page.reload();
  await page.getByText("Le compte ne peut pas fermer sans votre IBAN.").waitFor();
  await page.getByText(/^12,50\s€ vous reviennent/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await shot(page, "closing-360-dark");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Indiquer un IBAN" }).click();
  const dialog = page.getByRole("dialog", { name: "Indiquer un IBAN" });
  await dialog.getByLabel("IBAN").fill("FR76 3000 6000 0112 3456 7890 189");
  await dialog.getByLabel("Titulaire du compte bancaire").fill("Hugo Petit");
  await shot(page, "closing-1280-light");
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await typeCode(page, castPassword);
  await page.getByText(/Hugo Petit, compte terminant par 0189/).waitFor();
  await page.context().close();
});

test("allergens are kept with consent only, and erased on demand", async () => {
  const page = await portal.open({ viewport: { width: 320, height: 700 } });
  await portal.signIn(page, "guardian");
  await page.goto("/profil");
  await page.getByRole("link", { name: /Allergènes/ }).click();
  await page.getByRole("checkbox", { name: "Arachides" }).check();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Sans votre accord, nous ne gardons rien.").waitFor();
  const records = () => portal.server.deps.pool.query("select person_id from health_record");
  await expect.poll(async () => (await records()).rows).toEqual([]);
  await page.getByRole("checkbox", { name: /J’accepte/ }).check();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByText("Allergènes enregistrés.").waitFor();
  await page.reload();
  await expect.poll(() => page.getByRole("checkbox", { name: "Arachides" }).isChecked()).toBe(true);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Tout effacer" }).click();
  await page.getByRole("button", { name: "Effacer", exact: true }).click();
  await page.getByText("Votre accord est retiré. Ces informations sont effacées.").waitFor();
  await expect.poll(async () => (await records()).rows).toEqual([]);
  await page.context().close();
});
