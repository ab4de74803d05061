// « Ma carte »: what the holder sees, what the card permits, and what happens elsewhere because of it.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { advanceCard } from "#server/cards/operator.ts";
import { notify } from "#server/notifications/notifications.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { twoFrames, watchScript } from "../campaigns/audit/checks.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen } from "../canteens.ts";
import { cast, castPassword, type CastName } from "../cast.ts";
import { holdAnswers } from "../late-answers.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { addressOfScript } from "../web-build.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await spendOften("guardian", 25, 20 * hour);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const hour = 3_600_000;
/** Longer than a stream that opens with its screen (web/app/transport/live.ts). */
const slowMs = 6000;

/** Purchases and meals of a person over the last days, one every `everyMs`. */
async function spendOften(name: CastName, count: number, everyMs: number): Promise<void> {
  const { deps } = portal.server;
  const { id } = await walletOf(name);
  await inTx(deps.db, async (tx) => {
    const to = await schemeAccount(tx, "purchases");
    for (let index = 0; index < count; index++) {
      const meal = index % 2 === 0;
      await spend(tx, {
        walletId: id,
        amountCents: 100 + index,
        to,
        kind: meal ? "meal" : "purchase",
        key: `journey-${name}-${index}`,
        memo: { label: meal ? "Cantine du Lagon" : "Librairie des Embruns" },
        at: new Date(Date.now() - (count - index) * everyMs),
      });
    }
  });
}

const walletOf = (name: CastName) =>
  portal.server.deps.db
    .selectFrom("wallet")
    .innerJoin("card", "card.personId", "wallet.personId")
    .select(["wallet.id", "wallet.personId"])
    .where("card.number", "=", cast[name].cardnumber)
    .executeTakeFirstOrThrow();

const cardOf = (number: number) =>
  portal.server.deps.db
    .selectFrom("card")
    .select(["state", "atf", "number", "replaces"])
    .where("number", "=", number)
    .executeTakeFirstOrThrow();

test("the movements come by pages, filtered in the address, as a PDF and as a table", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  await expect.poll(() => page.title()).toBe("Ma carte");
  await page.getByRole("article", { name: "Carte personnelle de Camille Moreau" }).waitFor();
  await page.getByText(/tient jusqu’à .*(début |mi-|fin ).* environ/).waitFor();
  const table = page.getByRole("table", { name: "Opérations", exact: true });
  const rows = table.getByRole("row").filter({ has: page.getByRole("cell") });
  await page.getByRole("button", { name: "Tout voir" }).click();
  await page.getByText("20 opérations affichées").waitFor();
  // Each day once, the nearest as it is spoken of.
  const days = () => table.getByRole("rowheader").allInnerTexts();
  await expect.poll(async () => (await days())[0]).toMatch(/^(hier|aujourd’hui)$/i);
  const doubles = async () =>
    (await days()).filter((day, index, all) => all.indexOf(day) !== index);
  await expect.poll(doubles).toEqual([]);
  await page.getByRole("button", { name: "Voir plus" }).click();
  await page.getByText("26 opérations affichées").waitFor();
  await expect.poll(() => rows.count()).toBe(26);

  await page.getByLabel("Type").selectOption("Repas");
  await page.getByText("13 opérations affichées").waitFor();
  await page.getByLabel("Rechercher").fill("lagon");
  await page.waitForURL(/genre=meal&texte=lagon/);
  await page.reload();
  await page.getByText("13 opérations affichées").waitFor();
  await page.getByLabel("Rechercher").fill("rien de tel");
  await page.getByText("Aucune opération ne correspond").waitFor();
  await page.getByRole("button", { name: "Effacer les filtres" }).last().click();
  await page.getByText("20 opérations affichées").waitFor();

  const [statement] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Télécharger le relevé (PDF)" }).click(),
  ]);
  const pdf = await bytesOf(statement);
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Exporter (CSV)" }).click(),
  ]);
  const lines = (await bytesOf(csv)).toString("utf8").trim().split("\n");
  expect(lines.length).toBe(27);
  await page.context().close();
});

test("on a phone: the money first, then what to do, the money of the family, and operations", async () => {
  const stranger = await portal.server.as("stranger");
  const { cardnumber } = cast.guardian;
  const { body } = await stranger.post("/api/family/invitations", { cardnumber, role: "relative" });
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) paths.push(pathname);
  });
  await portal.login(page, "guardian");
  const latest = page.getByRole("table", { name: "Dernières opérations" });
  await latest.getByRole("cell").first().waitFor();
  await expect.poll(async () => (await latest.boundingBox())?.y).toBeLessThan(1200);
  await expect
    .poll(() =>
      latest
        .getByRole("row")
        .filter({ has: page.getByRole("cell") })
        .count(),
    )
    .toBe(3);
  await expect.poll(() => paths.filter((path) => path === "/api/home")).toHaveLength(1);
  // The curve is asked for when it is near.
  await expect.poll(() => paths.filter((path) => path.endsWith("/history"))).toEqual([]);
  const parts = page.getByRole("main").getByRole("heading", { level: 2 });
  // Nobody of this family eats, rides or goes anywhere soon: no day is shown.
  await expect
    .poll(() => parts.allInnerTexts())
    .toEqual([
      "Solde disponible",
      "À faire",
      "Mes enfants",
      "Dernières opérations",
      "Évolution",
      "Mon téléphone",
    ]);
  // All operations take the place of the three; their filters come when asked for.
  await page.getByRole("button", { name: "Tout voir" }).click();
  await page.getByText("20 opérations affichées").waitFor();
  await expect.poll(() => page.getByLabel("Type").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filtrer les opérations" }).click();
  await page.getByLabel("Type").selectOption("Repas");
  await page.waitForURL(/genre=meal/);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Recharger la carte de Léo" }).waitFor();
  await page.getByRole("link", { name: "Envoyer à Léo" }).click();
  await page.getByRole("radio", { name: /Léo Moreau/, checked: true }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: /^Répondre.*Invitation de Hugo Petit/ }).click();
  // Left before the family's page is there, the dashboard was never away, and has no cause to ask again.
  await page.getByRole("heading", { level: 1, name: "Famille" }).waitFor();
  await (await portal.server.as("guardian")).post(`/api/family/invitations/${body.id}/decline`);
  await page.goBack();
  await page.getByRole("heading", { name: "Mes enfants" }).waitFor();
  await page.getByText("Invitation de Hugo Petit", { exact: true }).waitFor({ state: "hidden" });
  await page.context().close();
});

test("a child is told who resumes a suspended card, and is offered no button that is refused", async () => {
  const { cardnumber } = cast.secondChild;
  const guardian = await portal.server.as("guardian");
  await guardian.post(`/api/cards/${cardnumber}/suspend`);
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(page, "secondChild");
  await page.getByText("Un de vos responsables peut la réactiver.").first().waitFor();
  await expect.poll(() => page.getByRole("button", { name: /Réactiver/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  const dialog = page.getByRole("dialog", { name: "Gérer la carte" });
  await dialog.getByText("Un de vos responsables peut la réactiver.").waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: /Réactiver/ }).count()).toBe(0);
  await guardian.post(`/api/cards/${cardnumber}/resume`);
  await page.context().close();
});

test("a tab is a search parameter: no new entry in the history, no scroll, kept by a reload", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 640 } });
  await portal.login(page, "guardian");
  const tab = page.getByRole("tab", { name: "Abonnements" });
  await tab.scrollIntoViewIfNeeded();
  const length = await page.evaluate("history.length");
  const scrolled = () => page.evaluate<number>("scrollY");
  await expect.poll(scrolled).toBeGreaterThan(0);
  await tab.click();
  await page.waitForURL(/\?onglet=abonnements$/);
  await expect.poll(() => page.evaluate("history.length")).toBe(length);
  await expect.poll(scrolled).toBeGreaterThan(0);
  await page.reload();
  await page.getByRole("tabpanel").getByText("Renouvellement").waitFor();
  await expect.poll(() => page.getByRole("tabpanel").innerText()).toMatch(/\d\d\/\d\d\/\d{4}/);
  await page.context().close();
});

test("the QR is a signed token, and another one takes its place after a minute", async () => {
  const page = await portal.open();
  await page.clock.install();
  await portal.login(page, "guardian");
  await page.getByRole("button", { name: "Afficher le QR code de la carte" }).click();
  const code = page.getByRole("img", { name: "QR code à présenter pour payer" });
  const drawn = () => code.locator("path").getAttribute("d");
  const first = await drawn();
  await page.getByRole("timer").waitFor();
  // The server's clock moves with the page's: the next token is the next minute's.
  portal.server.clock.advance(61_000);
  await page.clock.fastForward(61_000);
  await expect.poll(drawn).not.toBe(first);
  await page.context().close();
});

test("a card is suspended at once, seen as such, and resumed from what asks to be done", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "coGuardian");
  const number = cast.coGuardian.cardnumber;
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByRole("button", { name: /Suspendre la carte/ }).click();
  await page.getByText("Votre carte est suspendue", { exact: true }).waitFor();
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "suspended", atf: 0 });
  await expect.poll(() => page.getByRole("button", { name: /Afficher le QR/ }).count()).toBe(0);
  // The dialog offers the same until it has closed.
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Réactiver la carte" }).click();
  await page.getByText("Votre carte est suspendue", { exact: true }).waitFor({ state: "hidden" });
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "active", atf: 1 });
  await page.context().close();
});

test("a damaged card still pays, its new card is asked for and activated when it came", async () => {
  const number = cast.secondChild.cardnumber;
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${number}`);
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByRole("button", { name: /Remplacer une carte abîmée/ }).click();
  const dialog = page.getByRole("alertdialog", { name: /Remplacer la carte abîmée/ });
  await dialog.getByText("C’est gratuit.").waitFor();
  await dialog.getByText(/part à l’adresse postale/).waitFor();
  await dialog.getByRole("button", { name: "Demander une nouvelle carte" }).click();
  await dialog.getByText("Choisissez ce qui s’est passé.").waitFor();
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "active" });
  await dialog.getByRole("radio", { name: "Elle est cassée" }).check();
  await dialog.getByRole("button", { name: "Demander une nouvelle carte" }).click();
  await page.getByText("Elle paie encore là où elle peut être lue.", { exact: false }).waitFor();
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "damaged", atf: 1 });
  await page.getByRole("button", { name: "Afficher le QR code de la carte" }).waitFor();
  // Offered no second time; opposition still is, for a card lost meanwhile.
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByText("La nouvelle carte est demandée").waitFor();
  await page.getByRole("button", { name: /Mettre en opposition/ }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /abîmée/ }).count()).toBe(0);

  const { number: next } = await portal.server.deps.db
    .selectFrom("card")
    .select("number")
    .where("replaces", "=", number)
    .executeTakeFirstOrThrow();
  for (const step of ["approved", "in_production", "shipped"] as const)
    await advanceCard(portal.server.deps, next, step, "journey");
  await page.reload();
  await page.getByRole("button", { name: "Activer la carte reçue" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Activer la carte" }).click();
  await expect.poll(async () => (await cardOf(number)).state).toBe("replaced");
  await expect.poll(() => cardOf(next)).toMatchObject({ state: "active", atf: 1 });
  await page.context().close();
});

test("no answer in a dialog: told inside it, given up there, and the outcome is not told as a failure", async () => {
  const number = cast.stranger.cardnumber;
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await page.clock.install();
  await portal.login(page, "stranger");
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByRole("button", { name: /Remplacer une carte abîmée/ }).click();
  const dialog = page.getByRole("alertdialog", { name: /Remplacer la carte abîmée/ });
  await dialog.getByRole("radio", { name: "Elle est cassée" }).check();
  const restore = holdAnswers(portal, /^\/api\/cards\//);
  await dialog.getByRole("button", { name: "Demander une nouvelle carte" }).click();
  await expect.poll(async () => (await cardOf(number)).state).toBe("damaged");
  await page.clock.fastForward(9000);
  await dialog.getByText("La réponse tarde.").waitFor();
  const giveUp = dialog.getByRole("button", { name: "Ne plus attendre" });
  // A button of the kit, not one of the dashboard's acts, among which the dialog stands.
  await expect.poll(async () => (await giveUp.boundingBox())?.height).toBeLessThan(50);
  await giveUp.click();
  await dialog.getByText("Nous ne savons pas si c’est fait.").waitFor();
  await expect.poll(() => dialog.getByText("Rien n’a été demandé.").count()).toBe(0);
  restore();
  // What the page shows was read again: it tells.
  await dialog.getByRole("button", { name: "Garder la carte" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByText("La nouvelle carte est demandée").waitFor();
  await page.context().close();
});

test("a late answer stays told once its dialog is closed by the cross, as long as it is waited for", async () => {
  const { groupId } = await makeCanteen(portal.server, { kind: "staff" });
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await page.clock.install();
  await portal.signIn(page, "stranger");
  await page.goto(`${portal.url}/commande/cantine/restauration-essai/${groupId}`);
  await page.getByRole("button", { name: "Inscrire", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Inscrire à la cantine" });
  await dialog.getByLabel("Qui").selectOption(String(cast.stranger.cardnumber));
  await dialog.getByLabel("Classe").selectOption({ index: 1 });
  const restore = holdAnswers(portal, /^\/api\/canteens?\//);
  await dialog.getByRole("button", { name: "Demander l’inscription" }).click();
  await page.clock.fastForward(9000);
  await dialog.getByText("La réponse tarde.").waitFor();
  await dialog.getByRole("button", { name: "Fermer" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("alert").getByText("La réponse tarde.").waitFor();
  restore();
  await page.getByText("La réponse tarde.").waitFor({ state: "detached" });
  await page.context().close();
});

test("opposition ends the other session, asks for a new card, and the new card is activated", async () => {
  const number = cast.coGuardian.cardnumber;
  const elsewhere = await portal.open();
  await portal.login(elsewhere, "coGuardian");
  const page = await portal.open();
  await portal.login(page, "coGuardian");
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByRole("button", { name: /Mettre en opposition/ }).click();
  const dialog = page.getByRole("alertdialog", { name: /Mettre en opposition/ });
  // Where the new card goes is said before it is asked for.
  await dialog.getByRole("link", { name: "Signaler une nouvelle adresse" }).waitFor();
  // So is what becomes of each thing that is booked.
  await dialog
    .getByText(/^Les repas commandés restent commandés\. À la cantine, donnez votre nom/)
    .waitFor();
  await dialog.getByText(/^Les billets restent valables avec un nouveau QR code/).waitFor();
  await dialog.getByText(/^Les titres de transport attendent la nouvelle carte/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // Before anything is chosen, no answer looks chosen: as it does once another is.
  const colorOf = (name: string) =>
    dialog
      .getByRole("radio", { name })
      .evaluate((input) => getComputedStyle(input).backgroundColor);
  const before = await colorOf("On me l’a volée");
  await dialog.getByRole("button", { name: "Mettre en opposition" }).click();
  await dialog.getByText("Choisissez ce qui s’est passé.").waitFor();
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "active" });

  await dialog.getByRole("radio", { name: "Je l’ai perdue" }).check();
  await expect.poll(() => colorOf("On me l’a volée")).toBe(before);
  await expect.poll(() => colorOf("Je l’ai perdue")).not.toBe(before);
  await dialog.getByRole("radio", { name: "On me l’a volée" }).check();
  await dialog.getByRole("button", { name: "Mettre en opposition" }).click();
  await page.getByText("Votre nouvelle carte se prépare").waitFor();
  await elsewhere.waitForURL(/\/login/);
  await elsewhere.getByText("Votre carte a été mise en opposition").waitFor();
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "opposed", atf: 0 });
  await expect.poll(() => page.getByRole("button", { name: "Gérer la carte" }).count()).toBe(0);
  // The old number still logs in until the new card is active (spec.md 22).
  await portal.login(elsewhere, "coGuardian");
  await elsewhere.context().close();

  const next = await portal.server.deps.db
    .selectFrom("card")
    .select("number")
    .where("replaces", "=", number)
    .executeTakeFirstOrThrow();
  for (const step of ["approved", "in_production", "shipped"] as const)
    await advanceCard(portal.server.deps, next.number, step, "journey");
  await page.reload();
  await page.getByText("Votre nouvelle carte est partie").waitFor();
  await page.getByRole("button", { name: "Activer la carte" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Activer la carte" }).click();
  const grouped = String(next.number).replace(/(\d{4})(\d{3})(\d{3})/, "$1 $2 $3");
  await page.getByRole("main").getByText(grouped).first().waitFor();
  await page.getByText("Votre nouvelle carte est partie").waitFor({ state: "hidden" });
  await expect.poll(() => cardOf(number)).toMatchObject({ state: "replaced" });
  const login = (card: number) =>
    portal.server.anonymous.post("/api/login", { login: card, password: castPassword });
  const [withOld, withNew] = [await login(number), await login(next.number)];
  expect(withOld.status).toBe(401);
  expect(withNew.status).toBe(200);
  await page.context().close();
});

test("a balance that cannot be read says so and is asked for again", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(page, "stranger");
  const { db } = portal.server.owner;
  await sql`alter table wallet_lot rename to wallet_lot_away`.execute(db);
  try {
    await page.reload();
    const message = page.getByText("Solde indisponible");
    await message.waitFor();
    const spare = () =>
      message.evaluate((words) => {
        const { clientWidth } = words.ownerDocument.documentElement;
        return clientWidth - words.getBoundingClientRect().right;
      });
    await expect.poll(spare).toBeGreaterThanOrEqual(16);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/balance.png` });
    await page.getByRole("heading", { name: "Ma carte", level: 1 }).waitFor();
  } finally {
    await sql`alter table wallet_lot_away rename to wallet_lot`.execute(db);
  }
  await page.getByRole("button", { name: "Réessayer" }).first().click();
  await page.getByText("Solde indisponible").waitFor({ state: "hidden" });
  await page.getByText("+\u202f25,00\u202f€").waitFor();
  await page.context().close();
});

test("the bell says that all is read, rings live, leads where the notice is about, and is read at once", async () => {
  const page = await portal.open();
  // Somebody who never came before: a second device would be told of.
  await portal.login(page, "child");
  await page.getByRole("button", { name: "Notifications" }).click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await panel.getByText("Tout est lu", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  const { personId } = await walletOf("child");
  const tell = (title: string, path?: string) =>
    inTx(portal.server.deps.db, (tx) =>
      notify(tx, {
        personId,
        kind: "card",
        title,
        body: "Un essai.",
        at: new Date(),
        ...(path && { path }),
      }),
    );
  await tell("Première nouvelle");
  await page.getByRole("button", { name: "Notifications 1" }).waitFor();
  await tell("Deuxième nouvelle", "/cagnottes/virement");
  await page.getByRole("button", { name: "Notifications 2" }).click();
  await panel.getByText("2 notifications non lues").waitFor();
  await panel.getByRole("button", { name: "Tout marquer comme lu" }).click();
  await panel.getByText("Tout est lu", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Tout est lu");
  const unread = () =>
    portal.server.deps.db
      .selectFrom("notification")
      .select("id")
      .where("personId", "=", personId)
      .where("readAt", "is", null)
      .execute();
  await expect.poll(unread).toEqual([]);
  // One is read by a press on it, and no older one with it; those that say the same are one line.
  await tell("Deux fois la même");
  await tell("Deux fois la même");
  await tell("Troisième nouvelle", "/cagnottes/virement");
  const same = panel.getByRole("listitem").filter({ hasText: "Deux fois la même" });
  await same.getByText(/^aujourd’hui \d\d:\d\d, 2 fois$/).waitFor();
  await panel.getByRole("link", { name: /Troisième nouvelle/ }).click();
  await page.waitForURL(/\/cagnottes\/virement$/);
  await page.getByRole("heading", { name: "Envoyer à une carte de la famille" }).waitFor();
  await expect.poll(async () => (await unread()).length).toBe(2);
  await page.getByRole("button", { name: "Notifications 2" }).click();
  await same.getByRole("button").click();
  await panel.getByText("Tout est lu", { exact: true }).waitFor();
  await expect.poll(unread).toEqual([]);
  await page.context().close();
});

test.each(["refused", "slow"])(
  "what changes before a %s stream opens shows once it does",
  async (how) => {
    const page = await portal.open();
    await page.clock.install();
    await portal.signIn(page, "guardian");
    const open = Promise.withResolvers<void>();
    let isOpen = false;
    await page.route("**/api/notifications/live", async (route) => {
      if (how === "slow") await open.promise;
      await (isOpen ? route.continue() : route.abort("connectionrefused")).catch(() => {});
    });
    const begun = page.waitForRequest("**/api/notifications/live");
    await page.goto("/dashboard");
    await begun;
    await page.getByText("Librairie des Embruns").first().waitFor();
    if (how === "slow") await page.clock.fastForward(slowMs);
    const { deps } = portal.server;
    const { id } = await walletOf("guardian");
    const memo = { label: `Kiosque, flux ${how}` };
    await inTx(deps.db, async (tx) => {
      const to = await schemeAccount(tx, "purchases");
      const spending = {
        walletId: id,
        amountCents: 150,
        to,
        kind: "purchase",
        at: new Date(),
      } as const;
      await spend(tx, { ...spending, key: `journey-stream-${how}`, memo });
    });
    isOpen = true;
    open.resolve();
    // Long before what reads again by itself every minute.
    await page.getByText(memo.label).waitFor({ timeout: 30_000 });
    await page.context().close();
  },
);

test("a subscription begins over the dashboard and goes on at its page", async () => {
  for (const width of [360, 1280]) {
    const page = await portal.open({ viewport: { width, height: 800 } });
    await portal.login(page, "stranger");
    await page.getByRole("tab", { name: "Abonnements" }).click();
    await page.getByRole("button", { name: "Choisir un abonnement" }).click();
    const dialog = page.getByRole("dialog", { name: "S’abonner" });
    await dialog.getByRole("heading", { name: "Choisissez une formule" }).waitFor();
    await dialog.getByRole("button", { name: "Continuer" }).click();
    await dialog.getByText("Choisissez une formule pour continuer.").waitFor();
    await dialog.getByRole("radio", { name: "Essentiel" }).check();
    await dialog.getByRole("button", { name: "Continuer" }).click();
    await page.waitForURL(/\/servivces\/abonnement\?.*dossier=/);
    await page.getByRole("button", { name: /Payer/ }).first().waitFor();
    await page.context().close();
  }
});

test.each(["comes", "does not come"])(
  "a font that %s: nothing is drawn before it for a second",
  async (how) => {
    const page = await portal.open();
    await page.clock.install();
    await portal.signIn(page, "guardian");
    const held = Promise.withResolvers<void>();
    await page.route("**/*.woff2", async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    // A slow machine would use up the second before the page is looked at.
    await page.clock.pauseAt(Date.now() + 5000);
    // Asked for by the portal's own start, once all that draws is loaded.
    const started = page.waitForRequest("**/api/notifications/live**");
    // The document counts as loaded with its font only.
    await page.goto(`${portal.url}/dashboard`, { waitUntil: "commit" });
    await started;
    await expect.poll(() => page.locator("#root > *").count()).toBe(0);
    if (how === "comes") held.resolve();
    else await page.clock.fastForward(1000);
    await page.clock.resume();
    await page.getByRole("heading", { name: "Ma carte", level: 1 }).waitFor();
    held.resolve();
    await page.context().close();
  },
);

test("nothing moves under the eyes while the dashboard loads", async () => {
  for (const width of [360, 1280]) {
    const page = await portal.open({ viewport: { width, height: 800 } });
    await page.addInitScript(watchScript);
    const moved = () =>
      page.evaluate("window.seen.moves.filter(([shift]) => shift > 0.001).join(' | ')");
    const curve = await addressOfScript(portal.web, "dashboard/balance-chart.tsx");
    const scrolled = Promise.withResolvers<void>();
    await page.route(`**${curve}`, async (route) => {
      await scrolled.promise;
      await route.continue();
    });
    const asideIsThere = Promise.withResolvers<void>();
    await page.route(
      `**${await addressOfScript(portal.web, "dashboard/dashboard-main.tsx")}`,
      async (route) => {
        await asideIsThere.promise;
        await route.continue();
      },
    );
    await portal.login(page, "guardian");
    // What stands below the main part on a phone comes before it, by some frames.
    await page.getByText("Mon téléphone", { exact: true }).waitFor({ state: "attached" });
    await page.evaluate(twoFrames);
    asideIsThere.resolve();
    await page.getByRole("table", { name: "Dernières opérations" }).waitFor();
    await expect.poll(moved).toBe("");
    await page.getByRole("heading", { name: "Évolution" }).waitFor();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    // The place of the curve is in view before its script comes.
    scrolled.resolve();
    await page.getByText("Voir les valeurs").waitFor();
    await expect.poll(moved).toBe("");
    await page.context().close();
  }
});
