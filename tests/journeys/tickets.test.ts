// E-tickets in a browser: bought from a wallet, at the provider's page after a refusal, a cart that
// ends, a waiting list, a transfer, a cancellation.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approveIfRequired } from "../approve.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { loseAnswers } from "../late-answers.ts";
import type { Client } from "../test-server.ts";
import { payWith } from "../payment-choice.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { seeHeading } from "../top-up-steps.ts";

let portal: TestPortal;
let page: Page;
let camille: Client;
let hugo: Client;
beforeAll(async () => {
  portal = await openTestPortal();
  page = await portal.open();
  await portal.login(page, "guardian");
});
beforeEach(async () => {
  [camille, hugo] = await Promise.all([portal.server.as("guardian"), portal.server.as("stranger")]);
  const { cart } = (await camille.get("/api/tickets/cart")).body;
  if (cart) await camille.post("/api/tickets/cart/drop", { order: cart.id });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const me = cast.guardian.cardnumber;
const his = cast.stranger.cardnumber;
const tickets = "/services/E-Billet";
const balance = async (): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${me}`)).body.items[0].balanceCents;
const press = (on: Page, name: string | RegExp) => on.getByRole("button", { name }).click();
/** The button that pays an amount in euros, whatever its spaces are. */
const pays = (euros: string) => new RegExp(`^Payer ${euros},00\\s€$`);
const follow = (name: string | RegExp) => page.getByRole("link", { name }).first().click();
const open = (title: string) =>
  page
    .getByRole("button", { name: new RegExp(title) })
    .first()
    .click();

/** From the list of events to the cart, with seats at full price. */
async function fillCart(title: string, seats: number): Promise<void> {
  await page.goto(portal.url + tickets);
  await follow(new RegExp(title));
  await seeHeading(page, "Choisir des places");
  await page.getByText("Plusieurs places, autres tarifs").click();
  for (let seat = 1; seat <= seats; seat++) {
    await press(page, "Ajouter une place, Plein tarif");
    await page.getByLabel(new RegExp(`^Plein tarif.*${seat} place`)).waitFor();
  }
  await follow("Continuer vers le paiement");
  await seeHeading(page, "Votre panier");
}

test("two seats paid from the wallet: the tickets are there with their code, PDF and image", async () => {
  await makeEvent(portal.server, { title: "Concert du port" });
  const before = await balance();
  await fillCart("Concert du port", 2);
  expect(await violationsOf(page)).toEqual([]);
  await payWith(page, /^Cagnotte principale(?!, )/);
  await press(page, pays("24"));
  await seeHeading(page, /C’est payé/);
  await expect.poll(balance).toBe(before - 2400);
  await open("Concert du port");
  await page.getByRole("img", { name: /^Code du billet/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const saved = async (button: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, button)]);
    return await bytesOf(download);
  };
  const pdf = await saved("Télécharger en PDF");
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const image = await saved("Enregistrer l’image");
  expect(image.subarray(1, 4).toString()).toBe("PNG");
});

test("what to choose from comes at once: a price that is late moves nothing under a press", async () => {
  const event = await makeEvent(portal.server, { title: "Le Bal des pompiers" });
  const isForAnother = (url: URL) =>
    url.pathname.startsWith("/api/tickets/events/") &&
    url.searchParams.get("cardnumber") !== String(me);
  const pricesCome = Promise.withResolvers<void>();
  let heldCount = 0;
  await page.route(isForAnother, async (route) => {
    heldCount++;
    await pricesCome.promise;
    await route.continue();
  });
  await page.goto(`${portal.url}${tickets}?offre=${event.id}`);
  await seeHeading(page, "Choisir des places");
  await expect.poll(() => heldCount).toBeGreaterThan(1);
  const others = page.getByText("Plusieurs places, autres tarifs");
  await expect.poll(() => others.count()).toBe(0);
  pricesCome.resolve();
  await others.click();
  await page.getByRole("button", { name: "Ajouter une place, Plein tarif" }).waitFor();
  await page.unroute(isForAnother);
});

test("paid, but the answer is lost: the cart says that it is paid, not that it is empty", async () => {
  await makeEvent(portal.server, { title: "La Nuit du quai" });
  const before = await balance();
  await fillCart("La Nuit du quai", 1);
  await payWith(page, /^Cagnotte principale(?!, )/);
  const restore = loseAnswers(portal, /^\/api\/tickets\/cart\/pay$/);
  await press(page, pays("12"));
  await page.getByText("Ce panier est payé").waitFor();
  await expect.poll(() => page.getByText("Votre panier est vide").count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await follow("Voir les billets");
  await seeHeading(page, /C’est payé/);
  // The browser itself may send again what was cut; answered then, it leads to the order's page.
  restore();
  await expect.poll(balance).toBe(before - 1200);
});

test("at the provider's page: refused, the cart is still there; then paid", async () => {
  await makeEvent(portal.server, { title: "Le Grand Bal" });
  const before = await balance();
  await fillCart("Le Grand Bal", 1);
  const payOnline = async () => {
    await payWith(page, /^Carte bancaire/);
    await press(page, pays("12"));
    await page.waitForURL("**/paiement/sandbox/*");
  };
  await payOnline();
  await press(page, /^Refuser/);
  await seeHeading(page, "Le paiement n’a pas abouti");
  await press(page, "Choisir un moyen de paiement");
  await seeHeading(page, "Votre panier");
  await payOnline();
  await press(page, pays("12"));
  await seeHeading(page, /C’est payé/);
  await expect.poll(balance).toBe(before);
});

test("a cart that ends says so, and its seats can be had again", async () => {
  await makeEvent(portal.server, { title: "La Petite Scène", seats: 3 });
  await fillCart("La Petite Scène", 2);
  portal.server.clock.advance(25 * 60_000 + 5000);
  await page.reload();
  await seeHeading(page, "Vos places ne sont plus réservées");
  expect(await violationsOf(page)).toEqual([]);
  await press(page, "Réserver de nouveau");
  await page.getByRole("button", { name: pays("24") }).waitFor();
  await press(page, "Abandonner ce panier");
  await page.getByText("Votre panier est vide").waitFor();
});

test("sold out: one waits for two, sees the first kept, and takes both", async () => {
  const event = await makeEvent(portal.server, { title: "Nuit des contes", seats: 2 });
  const seat = { session: event.session, category: event.full, cardnumber: his };
  await hugo.post("/api/tickets/cart/lines", { ...seat, quantity: 2 });
  await page.goto(portal.url + tickets);
  await follow(/Nuit des contes/);
  await seeHeading(page, "Liste d’attente");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("Nombre de places").selectOption("2");
  await press(page, "Me prévenir");
  await page.getByText("Vous êtes sur la liste d’attente.").waitFor();
  await follow("Mes billets");
  await page.getByRole("button", { name: "Quitter la liste" }).waitFor();
  await hugo.post("/api/tickets/cart/lines", { ...seat, quantity: 1 });
  await page.getByText("1 place gardée pour vous, sur 2").waitFor();
  await page.getByText(/Elle vous reste gardée en attendant les autres, jusqu’au/).waitFor();
  await page.getByRole("button", { name: "Prendre cette place" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await hugo.post("/api/tickets/cart/lines", { ...seat, quantity: 0 });
  await page.getByText(/^2 places gardées pour vous jusqu’à/).waitFor();
  await press(page, "Prendre ces places");
  await seeHeading(page, "Votre panier");
  await page.getByText("Nuit des contes", { exact: true }).waitFor();
  await press(page, "Abandonner ce panier");
  await page.getByText("Votre panier est vide").waitFor();
});

test("a price that is not for one says what is missing and how to prove it, sold out too", async () => {
  const event = await makeEvent(portal.server, {
    title: "Bal des justificatifs",
    seats: 1,
    categories: [
      { name: "Étudiants", priceCents: 500, student: true },
      { name: "Seniors", priceCents: 500, ageMin: 65 },
      { name: "Ouvert", priceCents: 900 },
    ],
  });
  const [, , openTo = ""] = (
    await hugo.get(`/api/tickets/events/${event.id}?cardnumber=${his}`)
  ).body.event.categories.map((one: { id: string }) => one.id);
  const other = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(other, "stranger");
  await other.goto(`${tickets}?offre=${event.id}`);
  await other.getByText("Non valable pour vous : scolarité non justifiée").waitFor();
  await other.getByText("65 ans et plus, non valable pour vous : âge").waitFor();
  const proof = other.getByRole("link", { name: "Envoyer un justificatif" });
  await expect.poll(() => proof.count()).toBe(1);
  expect(await violationsOf(other)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (folder) await other.screenshot({ path: `${folder}/prices.png`, fullPage: true });
  // The only seat goes, and no price is left that is for this card.
  await camille.post("/api/tickets/cart/lines", {
    session: event.session,
    category: openTo,
    cardnumber: me,
    quantity: 1,
  });
  await portal.server.deps.pool.query("update ticket_category set student = true where id = $1", [
    openTo,
  ]);
  await other.reload();
  await other.getByText(/Aucun de ses tarifs n’est valable pour cette carte/).waitFor();
  expect(await violationsOf(other)).toEqual([]);
  await other.setViewportSize({ width: 1280, height: 900 });
  await other.emulateMedia({ colorScheme: "light" });
  if (folder) await other.screenshot({ path: `${folder}/waiting.png`, fullPage: true });
  await proof.last().click();
  await seeHeading(other, "Droits et justificatifs");
  await other.context().close();
});

test("an event that is called off offers no place, and no terms that no longer count", async () => {
  const { id } = await makeEvent(portal.server, { title: "Bal annulé" });
  await portal.server.deps.pool.query("update ticket_event set cancelled_at = $1 where id = $2", [
    portal.server.deps.now(),
    id,
  ]);
  const other = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(other, "guardian");
  await other.goto(`/services/E-Billet?offre=${id}`);
  await other.getByText("Cet événement est annulé.").waitFor();
  await expect
    .poll(() => other.getByRole("heading", { name: "Choisir des places" }).count())
    .toBe(0);
  await expect.poll(() => other.getByText("au plus par personne").count()).toBe(0);
  await other.context().close();
});

test("a ticket goes to another card once it accepts; another is cancelled for its price", async () => {
  const event = await makeEvent(portal.server, { title: "Trio du soir" });
  const seats = { session: event.session, category: event.full, cardnumber: me, quantity: 2 };
  const { cart } = (await camille.post("/api/tickets/cart/lines", seats)).body;
  const { objectID } = (await camille.get(`/api/wallets?cardnumber=${me}`)).body.items[0];
  await approveIfRequired(portal.server, camille, "/api/tickets/cart/pay", {
    order: cart.id,
    method: "wallet",
    objectID,
    totalCents: 2400,
  });
  const before = await balance();
  await page.goto(`${portal.url}${tickets}?onglet=billets`);
  await open("Trio du soir");
  await press(page, "Transférer");
  await press(page, "Saisir un numéro de carte");
  await page.getByLabel("Numéro de la carte qui reçoit le billet").fill(String(his));
  await press(page, "Proposer le billet");
  await page.getByRole("button", { name: "Retirer le transfert" }).waitFor();
  const { received } = (await hugo.get(`/api/tickets?cardnumber=${his}`)).body;
  await hugo.post(`/api/tickets/transfers/${received[0].id}/accept`);
  await page.getByText("Billets passés, transférés ou annulés").waitFor();
  await open("Trio du soir");
  await press(page, "Annuler ce billet");
  await page.getByText(/^12,00\s€ recrédités/).waitFor();
  await press(page, "Annuler ce billet");
  await page.getByText(/^Le billet est annulé\s: 12,00/).waitFor();
  // The notice of one's own act rings the bell alone: the screen has said it already.
  await page.getByRole("button", { name: /^Notifications [1-9]/ }).waitFor();
  await expect.poll(() => page.getByText("Billet annulé", { exact: true }).count()).toBe(0);
  await expect.poll(balance).toBe(before + 1200);
});

/** One free ticket of Camille's, opened at its dialog. */
async function openFreeTicket(title: string): Promise<void> {
  const event = await makeEvent(portal.server, {
    title,
    categories: [{ name: "Entrée libre", priceCents: 0 }],
  });
  const seat = { session: event.session, category: event.full, cardnumber: me, quantity: 1 };
  const { cart } = (await camille.post("/api/tickets/cart/lines", seat)).body;
  const { objectID } = (await camille.get(`/api/wallets?cardnumber=${me}`)).body.items[0];
  const free = { order: cart.id, method: "wallet", objectID, totalCents: 0 };
  await camille.post("/api/tickets/cart/pay", free);
  await page.goto(`${portal.url}${tickets}?onglet=billets`);
  await open(title);
}

test("a ticket is offered to somebody of the family in one press, and said by name", async () => {
  await openFreeTicket("Lecture au phare");
  await press(page, "Transférer");
  await page.getByRole("list", { name: "Votre famille" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
  expect(await violationsOf(page)).toEqual([]);
  await press(page, "Proposer à Thomas");
  await page.getByText("Proposé à Thomas Moreau").first().waitFor();
  const thomas = await portal.server.as("coGuardian");
  const { received } = (await thomas.get(`/api/tickets?cardnumber=${cast.coGuardian.cardnumber}`))
    .body;
  expect(received).toMatchObject([{ title: "Lecture au phare", from: "Camille Moreau" }]);
});

test("a ticket goes by a link: shared by the sheet of the system, opened and accepted", async () => {
  await openFreeTicket("Bal des enfants");
  // What the system's sheet would be handed.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "share", {
      configurable: true,
      value: async (what: unknown) => void Object.assign(window, { shared: what }),
    });
  });
  await press(page, "Transférer");
  await press(page, "Créer un lien à partager");
  await press(page, "Partager le lien");
  const { url } = await page.evaluate(
    () => (window as unknown as { shared: { url: string } }).shared,
  );
  expect(await violationsOf(page)).toEqual([]);
  await press(page, "C’est fait");
  await page.getByText("Proposé par un lien").first().waitFor();

  const other = await portal.open({ viewport: { width: 360, height: 740 } });
  await other.goto(url);
  await portal.fillLogin(other, "stranger");
  await other.getByText(/Camille Moreau vous transfère un billet/).waitFor();
  await expect.poll(() => other.url()).not.toContain("#");
  await press(other, "Accepter");
  await other
    .getByRole("button", { name: /Bal des enfants/ })
    .first()
    .waitFor();
  await other.goto(url);
  await other.getByRole("alert").getByText("Ce lien ne donne plus de billet.").waitFor();
  await other.context().close();
});

test("the family comes: each at the cheapest price that is theirs, the date kept", async () => {
  const { pool } = portal.server.deps;
  const child = await pool.query(
    `update person set born_on = now() - interval '9 years'
     where id = (select person_id from card where number = $1) returning id`,
    [cast.child.cardnumber],
  );
  expect(child.rowCount).toBe(1);
  const at = (hours: number) =>
    new Date(portal.server.deps.now().getTime() + hours * 3_600_000).toISOString();
  const sessions = [240, 264].map((hour) => ({
    startsAt: at(hour),
    endsAt: at(hour + 2),
    seats: 10,
  }));
  const event = await makeEvent(portal.server, { title: "Cirque du large", sessions });
  const phone = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(phone, "guardian");
  await phone.goto(`${portal.url}${tickets}?offre=${event.id}`);
  const dates = phone.getByRole("group", { name: "Séance" }).getByRole("radio");
  await dates.nth(1).check();
  const people = phone.getByRole("group", { name: /^Qui vient/ });
  await people.getByRole("checkbox", { name: /^Moi.*12,00/ }).focus();
  await phone.keyboard.press("Space");
  await people.getByRole("checkbox", { name: /^Léo.*6,00/ }).check();
  await expect.poll(() => people.getByText("Moins de 18 ans", { exact: true }).count()).toBe(2);
  await people.getByText(/2 places, 18,00/).waitFor();
  expect(await violationsOf(phone)).toEqual([]);
  const { cart } = (await camille.get("/api/tickets/cart")).body;
  expect(cart.lines.map((line: any) => [line.holder, line.categoryName, line.priceCents])).toEqual([
    ["Camille Moreau", "Plein tarif", 1200],
    ["Léo Moreau", "Moins de 18 ans", 600],
  ]);
  expect(new Set(cart.lines.map((line: any) => line.session)).has(event.session)).toBe(false);
  // Back from the cart, the date and the ticks are as they were; a tick taken off gives the seat back.
  await phone.getByRole("link", { name: "Continuer vers le paiement" }).click();
  await seeHeading(phone, "Votre panier");
  await phone.goBack();
  await people.getByRole("checkbox", { name: /^Léo/ }).waitFor();
  await expect.poll(() => dates.nth(1).isChecked()).toBe(true);
  await expect.poll(() => people.getByRole("checkbox", { name: /^Jade/ }).isChecked()).toBe(false);
  await people.getByRole("checkbox", { name: /^Léo/ }).uncheck();
  await people.getByText(/1 place, 12,00/).waitFor();
  await people.getByRole("checkbox", { name: /^Léo/ }).check();
  await people.getByText(/2 places, 18,00/).waitFor();
  await phone.getByRole("link", { name: "Continuer vers le paiement" }).click();
  await payWith(phone, /^Carte bancaire/);
  await press(phone, pays("18"));
  await phone.waitForURL("**/paiement/sandbox/*");
  await press(phone, pays("18"));
  await seeHeading(phone, /C’est payé/);
  // One line for the session; the codes follow each other by keys, buttons and a finger.
  await phone.goto(`${portal.url}${tickets}?onglet=billets`);
  await phone.getByRole("button", { name: /Cirque du large.*2 billets : Camille, Léo/ }).click();
  const dialog = phone.getByRole("dialog", { name: "Cirque du large" });
  await dialog.getByText(/^Billet 1 sur 2/).waitFor();
  const first = await dialog
    .getByRole("img", { name: /^Code du billet/ })
    .getAttribute("aria-label");
  expect(await violationsOf(phone)).toEqual([]);
  await dialog.getByRole("button", { name: "Billet suivant" }).press("Enter");
  await dialog.getByText(/^Billet 2 sur 2/).waitFor();
  const second = dialog.getByRole("img", { name: /^Code du billet/ });
  await expect.poll(() => second.getAttribute("aria-label")).not.toBe(first);
  await phone.keyboard.press("ArrowLeft");
  await dialog.getByText(/^Billet 1 sur 2/).waitFor();
  const swipe = (from: number, to: number) =>
    second.evaluate(
      (code, [start, end]) => {
        const touchAt = (clientX: number) =>
          new Touch({ identifier: 1, target: code, clientX, clientY: 300 });
        const tell = (type: string, x: number, held: boolean) =>
          code.dispatchEvent(
            new TouchEvent(type, {
              bubbles: true,
              touches: held ? [touchAt(x)] : [],
              changedTouches: [touchAt(x)],
            }),
          );
        tell("touchstart", start ?? 0, true);
        tell("touchend", end ?? 0, false);
      },
      [from, to],
    );
  await swipe(250, 240);
  await dialog.getByText(/^Billet 1 sur 2/).waitFor();
  await swipe(250, 90);
  await dialog.getByText(/^Billet 2 sur 2/).waitFor();
  await phone.context().close();
});
