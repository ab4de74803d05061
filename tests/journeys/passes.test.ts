// Bus passes in a browser: the price with its reason, the purchase for a child, its QR, what is refused
// and what to do then, a pass that rests for the holidays and one that is lost.
import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, daysBetween, firstOfMonth, parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { passCommands } from "#server/passes/operator.ts";
import { makeActive } from "../active-card.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { typeProof } from "../code-dialog.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { payWith, proposedPayment } from "../payment-choice.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let lagon: number;
let school: number;
beforeAll(async () => {
  portal = await openTestPortal();
  await inTx(portal.server.deps.db, (tx) => putOnSale(tx, demoFares));
  const { rows } = await portal.server.deps.pool.query(
    "select f.group_id from fare_group f join acceptance_group g on g.id = f.group_id order by g.name",
  );
  [lagon, school] = rows.map(({ group_id }) => Number(group_id)) as [number, number];
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** With SHOTS set, each state is also drawn there, for the eye. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: `${folder}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      });
    }
  }
}

async function check(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  const before = page.viewportSize();
  for (const [width, colorScheme] of [
    [1280, "light"],
    [320, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), `${name} at ${width}`).toEqual([]);
    await expectNoHorizontalScroll(page, `${name} at ${width}`);
  }
  if (before) await page.setViewportSize(before);
}

const heading = (page: Page, name: string | RegExp) =>
  page
    .getByRole("heading", { name, exact: typeof name === "string" })
    .first()
    .waitFor();
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const buy = (page: Page, name: string) =>
  page.getByRole("link", { name: `Acheter ${name}`, exact: true }).click();
const give = async (cents: number) => {
  const guardian = await portal.server.as("guardian");
  const { body } = await guardian.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  await portal.server.deps.pool.query(
    `select ledger_post(true, array[1], array['journey:' || gen_random_uuid()],
       array[(select account_id from scheme_account where name = 'payments:sandbox')],
       array[(select l.account_id from wallet_lot l join wallet w on w.id = l.wallet_id
         where w.object_id = $1 and l.kind = 'purchased')],
       array[$2::bigint], array['top_up'], array[null]::jsonb[], array[null]::bigint[], array[now()])`,
    [body.items[0].objectID, cents],
  );
};

test("a month for a child: the price says why, the purchase survives a reload, the QR is there", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await heading(page, "Réseau du Lagon");
  await page.getByText("Plein tarif : aucun quotient familial validé.").first().waitFor();
  await page.getByText("Aucun titre de transport en cours").waitFor();
  const proof = page.getByRole("link", { name: "Envoyer un justificatif" }).first();
  await expect.poll(() => proof.getAttribute("href")).toBe("/family/droits");
  await press(page, "Léo");
  await page.getByText(/Tarif jeune, moins de 26 ans : 26,50/).waitFor();
  await page.getByRole("link", { name: "Payer moins avec un justificatif" }).first().waitFor();
  await check(page, "titres");
  await buy(page, "Mensuel");
  await heading(page, "Mensuel");
  await expect.poll(() => page.getByRole("radio", { name: "Léo Moreau" }).isChecked()).toBe(true);
  await page.getByRole("group", { name: "Mois" }).getByRole("radio").first().check();
  await check(page, "achat");
  await press(page, "Vérifier l’achat");
  await heading(page, "Vérifiez avant de payer");
  await page.reload();
  await heading(page, "Vérifiez avant de payer");
  await proposedPayment(page)
    .getByText(/^Cagnotte principale/)
    .waitFor();
  await check(page, "verification");
  await press(page, /^Payer 26,50/);
  await heading(page, "Le titre est prêt");
  await check(page, "achat-fini");
  await page.getByRole("link", { name: "Afficher le QR code" }).click();
  const dialog = page.getByRole("dialog", { name: "Mensuel" });
  await dialog.getByRole("img", { name: /QR code du titre/ }).waitFor();
  await dialog.getByText(/^Valable jusqu’au/).waitFor();
  await check(page, "qr");
  await page.context().close();
});

test("the month that a child has is marked, the next one proposed; too little money is completed by card", async () => {
  const page = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${lagon}?carte=${cast.child.cardnumber}`);
  await buy(page, "Mensuel");
  const months = page.getByRole("group", { name: "Mois" }).getByRole("radio");
  await page.getByRole("radio", { name: "Léo Moreau" }).waitFor();
  await page.getByText("Déjà couvert par un titre").waitFor();
  await expect.poll(() => months.first().isDisabled()).toBe(true);
  await expect.poll(() => months.nth(1).isChecked()).toBe(true);
  await check(page, "deja");
  // Nothing is covered for the parent; back to the child, the next month is proposed again.
  await page.getByRole("radio", { name: /ma carte/ }).click();
  await page.getByText("Déjà couvert par un titre").waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Léo Moreau" }).click();
  await page.getByText("Déjà couvert par un titre").waitFor();
  await expect.poll(() => months.nth(1).isChecked()).toBe(true);
  await press(page, "Vérifier l’achat");
  await heading(page, "Vérifiez avant de payer");
  // The list was read before the purchase began: it is asked again, without a reload.
  await page.locator(".page-back").click();
  await page.getByText("Un achat vous attend").waitFor();
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await page.getByText("Un achat vous attend").waitFor();
  await page.getByRole("link", { name: "Reprendre l’achat Mensuel" }).click();
  await heading(page, "Mensuel");
  await press(page, "Vérifier l’achat");
  await press(page, "Abandonner cet achat");
  await page.getByText("Cet achat est abandonné").waitFor();

  await page.goto(`/Abonnement/ligne/${lagon}`);
  await buy(page, "Annuel");
  await press(page, "Vérifier l’achat");
  // Said before the tap: what a wallet lacks, and that the card would complete it.
  const poor = proposedPayment(page);
  await poor.getByText("Cagnotte principale et carte bancaire").waitFor();
  await poor.getByText(/ par carte bancaire\./).waitFor();
  await page.getByRole("button", { name: /par carte et le reste avec la cagnotte$/ }).waitFor();
  await check(page, "solde-insuffisant");

  // A price that changes meanwhile is shown again before anything is paid.
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await buy(page, "Journée");
  await press(page, "Vérifier l’achat");
  await heading(page, "Vérifiez avant de payer");
  await portal.server.deps.pool.query(
    "update fare_product set price_cents = 500 where id = 'lagon-jour'",
  );
  await press(page, /^Payer 4,80/);
  await page.getByText("L’achat a changé.").waitFor();
  await press(page, /^Payer 5,00/);
  await heading(page, "Le titre est prêt");
  await page.context().close();
});

test("a year is paid with a code, rests, goes on, and is made again when lost", async () => {
  await give(60_000);
  // That of a first try, which would cover the year.
  await portal.server.deps.pool.query(
    `update pass set state = 'expired', suspended_on = null, valid_from = now() - interval '400 days',
       valid_until = now() - interval '30 days' where name = 'Annuel'`,
  );
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await buy(page, "Annuel");
  await press(page, "Vérifier l’achat");
  await press(page, /^Payer 440,00/);
  await typeProof(page, portal.server);
  await heading(page, "Le titre est prêt");
  await page.getByRole("link", { name: "Afficher le QR code" }).click();
  const dialog = page.getByRole("dialog", { name: "Annuel" });
  const qr = dialog.getByRole("img", { name: /QR code du titre/ });
  await qr.waitFor();
  await dialog.getByRole("button", { name: "Suspendre" }).click();
  await dialog.getByText(/au plus tard dans 60 jours/).waitFor();
  await check(page, "suspendre");
  await dialog.getByRole("button", { name: "Suspendre dès aujourd’hui" }).click();
  await dialog.getByText("Ce titre est suspendu.").waitFor();
  await expect.poll(() => qr.count()).toBe(0);
  await check(page, "suspendu");
  await dialog.getByRole("button", { name: "Reprendre" }).click();
  const listComes = Promise.withResolvers<void>();
  const isList = ({ pathname }: URL) => pathname === "/api/passes";
  await page.route(isList, async (route) => {
    await listComes.promise;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Reprendre maintenant" }).click();
  await qr.waitFor();
  await dialog.getByRole("button", { name: /Perdu/ }).click();
  const free = dialog.getByText("Ce duplicata est gratuit.", { exact: false });
  await free.waitFor();
  // The list comes late, with this pass among those to present again: what was pressed meanwhile stays.
  listComes.resolve();
  const line = page.getByRole("listitem").filter({ hasText: "Annuel, Camille" });
  await line.getByText("Valable", { exact: true }).waitFor();
  await expect.poll(() => free.count()).toBe(1);
  await page.unroute(isList);
  await dialog.getByRole("button", { name: "Remplacer gratuitement" }).click();
  await dialog.getByRole("button", { name: /Perdu/ }).click();
  await dialog.getByText(/Il coûte 8,00/).waitFor();
  await check(page, "duplicata");
  await page.context().close();
});

test("a child suspends a pass, told before that a guardian resumes it, and is offered no refusal", async () => {
  await portal.server.deps.pool.query(
    "update fare_product set max_suspended_days = 10 where id = 'lagon-mois'",
  );
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "child");
  const { body } = await (
    await portal.server.as("child")
  ).get(`/api/passes?cardnumber=${cast.child.cardnumber}`);
  const pass = `/Abonnement/ligne/${lagon}?titre=${body.items[0].id}`;
  await page.goto(pass);
  const dialog = page.getByRole("dialog", { name: "Mensuel" });
  await dialog.getByRole("button", { name: "Suspendre" }).click();
  await dialog.getByText(/Seul un de vos responsables pourra le reprendre/).waitFor();
  await check(page, "enfant-suspendre");
  await dialog.getByRole("button", { name: "Suspendre dès aujourd’hui" }).click();
  await dialog.getByText(/Un de vos responsables peut le reprendre/).waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: "Reprendre" }).count()).toBe(0);
  await check(page, "enfant-suspendu");
  await page.context().close();

  const parent = await portal.open();
  await portal.signIn(parent, "guardian");
  await parent.goto(pass);
  const theirs = parent.getByRole("dialog", { name: "Mensuel" });
  await theirs.getByRole("button", { name: "Reprendre" }).click();
  await theirs.getByRole("button", { name: "Reprendre maintenant" }).click();
  await theirs.getByRole("img", { name: /QR code du titre/ }).waitFor();
  await parent.context().close();
});

test("the passes of the family stand in one list, each to print for who has no phone", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await heading(page, "Titres de la famille");
  await page.getByRole("link", { name: /Mensuel, Léo/ }).waitFor();
  await page.getByRole("link", { name: /Annuel, Camille/ }).waitFor();
  await check(page, "titres-famille");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Imprimer Mensuel, Léo Moreau" }).press("Enter"),
  ]);
  expect(file.suggestedFilename()).toMatch(/^titre-.*\.pdf$/);
  await page.context().close();
});

test("while a child's card rests or is lost, its pass says so and when it comes back", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  const leo = cast.child.cardnumber;
  await makeActive(portal.server, leo);
  const guardian = await portal.server.as("guardian");
  const open = async () => {
    await page.goto(`/Abonnement/ligne/${lagon}`);
    await heading(page, "Titres de la famille");
    return page.getByRole("link", { name: /Mensuel, Léo/ });
  };
  const suspended = await guardian.post(`/api/cards/${leo}/suspend`);
  expect(suspended.status, suspended.text).toBe(200);
  const line = await open();
  await line.filter({ hasText: "Carte suspendue" }).waitFor();
  await line.filter({ hasText: "Ce titre revient dès que la carte est réactivée." }).waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Imprimer Mensuel, Léo Moreau" }).count())
    .toBe(0);
  await check(page, "carte-suspendue-liste");
  await line.click();
  const dialog = page.getByRole("dialog", { name: "Mensuel" });
  await dialog.getByText("La carte est suspendue.").waitFor();
  await expect.poll(() => dialog.getByText("Valable").count()).toBe(0);
  await expect.poll(() => dialog.getByRole("img", { name: /QR code du titre/ }).count()).toBe(0);
  await check(page, "carte-suspendue");
  const resumed = await guardian.post(`/api/cards/${leo}/resume`);
  expect(resumed.status, resumed.text).toBe(200);
  await (await open()).filter({ hasText: "Valable" }).first().click();
  await dialog.getByRole("img", { name: /QR code du titre/ }).waitFor();
  await portal.server.deps.pool.query("update card set state = 'opposed' where number = $1", [leo]);
  await (await open()).filter({ hasText: "Carte en opposition" }).click();
  await dialog.getByText(/nouveau QR code, dès que la nouvelle carte est activée/).waitFor();
  await check(page, "carte-opposee");
  await makeActive(portal.server, leo);
  await page.context().close();
});

test("paid by bank card: refused once, the purchase waits; then the pass is there", async () => {
  const page = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await buy(page, "Mensuel");
  await page.getByRole("group", { name: "Mois" }).getByRole("radio").first().check();
  await press(page, "Vérifier l’achat");
  const play = async (outcome: string) => {
    await payWith(page, /^Carte bancaire/);
    await press(page, /^Payer 44,00/);
    await page.waitForURL(/\/paiement\/sandbox\//);
    await page.locator(`button[value="${outcome}"]`).click();
    await page.waitForURL(/purchase\/abonnement\?commande=/);
  };
  await play("declined");
  await page.getByText("Le paiement n’a pas abouti").waitFor();
  await check(page, "paiement-refuse");
  await press(page, "Choisir un moyen de paiement");
  await heading(page, "Vérifiez avant de payer");
  await play("success");
  await heading(page, "Le titre est prêt");
  await page.getByRole("link", { name: "Afficher le QR code" }).waitFor();
  await page.context().close();
});

test("a late school pass: who has no right to it is told, a child's late fee is let off", async () => {
  await portal.server.deps.pool.query(
    "update fare_product set late_after = '01-01' where id = 'scolaire-an'",
  );
  const page = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${school}`);
  await page.getByText(/réservé aux personnes de 3 à 20 ans/).waitFor();
  await check(page, "scolaire");
  // The price at the head of the list is the one that is asked in the end, its late fee included.
  await page.goto(`/Abonnement/ligne/${school}?carte=${cast.secondChild.cardnumber}`);
  const sold = page.getByRole("listitem").filter({ hasText: "Abonnement scolaire" }).first();
  await sold.getByText("105,00\u00a0€", { exact: true }).waitFor();
  await sold.getByText(/Frais de retard compris\s: 15,00\s€\./).waitFor();
  await page.goto(`/Abonnement/ligne/${school}`);
  // Not for the parent: the child for whom it is open is one press away.
  await page.getByRole("link", { name: "Acheter Abonnement scolaire pour Jade" }).click();
  await heading(page, "Abonnement scolaire");
  await expect.poll(() => page.getByRole("radio", { name: "Jade Moreau" }).isChecked()).toBe(true);
  // The parent cannot be chosen, and the reason stands beside.
  const parent = page.getByRole("radio", { name: /^Camille Moreau.*de 3 à 20 ans/ });
  await expect.poll(() => parent.isDisabled()).toBe(true);
  await press(page, "Vérifier l’achat");
  await heading(page, "Vérifiez avant de payer");
  await page.getByText("Total").waitFor();
  await page.getByRole("button", { name: /^Payer 105,00/ }).waitFor();
  await press(page, "Demander une dispense");
  await press(page, "Demander la dispense");
  await page.getByText("Expliquez votre situation").waitFor();
  await check(page, "dispense");
  await page.getByRole("textbox", { name: /tardive/ }).fill("Nous avons emménagé en octobre.");
  await press(page, "Demander la dispense");
  await page.getByText("Dispense des frais de retard demandée").waitFor();
  const run = async (name: string, ...args: string[]) =>
    await passCommands.find((one) => one.name === name)?.run(portal.server.deps, args, "test");
  const number = (await run("passes exemptions"))?.lines[0]?.split(" ")[0] ?? "";
  const exempted = await run("passes exempt", number);
  expect(exempted).toMatchObject({ ok: true });
  await page.reload();
  await page.getByText("Vous êtes dispensé des frais de retard.").waitFor();
  await page.getByRole("button", { name: /^Payer 90,00/ }).waitFor();

  await page.goto("/Abonnement/ligne/999999");
  await page.getByText("Rien n’est en vente pour ces lignes").waitFor();
  await check(page, "rien");
  await page.goto("/Abonnement/ligne/purchase/abonnement");
  await page.getByText("Choisissez d’abord un titre").waitFor();
  await page.context().close();
});

test("a month that is nearly over says how many days are left, and the next one is proposed", async () => {
  const today = parisDay(portal.server.deps.now());
  const eighthLast = (ahead: number) => addDays(firstOfMonth(today, ahead), -8);
  const target = eighthLast(1) >= today ? eighthLast(1) : eighthLast(2);
  portal.server.clock.advance(daysBetween(today, target) * 86_400_000);
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "stranger");
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await buy(page, "Mensuel");
  await page.getByText("8 jours restants seulement, au prix du mois entier").waitFor();
  const months = page.getByRole("group", { name: "Mois" }).getByRole("radio");
  await expect.poll(() => months.first().isEnabled()).toBe(true);
  await expect.poll(() => months.nth(1).isChecked()).toBe(true);
  await check(page, "mois-presque-fini");
  await page.context().close();
});

test("a pass is still bought for a child who waits for a new card", async () => {
  // What the tests before it spent is of another day: no code is asked for.
  portal.server.clock.advance(86_400_000);
  await portal.server.deps.pool.query(
    `update card set state = 'opposed', opposed_at = now(), opposed_why = 'lost' where number = $1`,
    [cast.child.cardnumber],
  );
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne/${lagon}`);
  await press(page, "Léo");
  await buy(page, "Journée");
  await expect.poll(() => page.getByRole("radio", { name: "Léo Moreau" }).isChecked()).toBe(true);
  await press(page, "Vérifier l’achat");
  await press(page, /^Payer/);
  await heading(page, "Le titre est prêt");
  await page.context().close();
});
