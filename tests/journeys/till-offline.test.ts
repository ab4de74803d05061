// The till without network, in a browser: charged within its cap through a reload and a logout, sent once the
// network is back, and what could not be charged told with its reason.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import type { Client } from "../test-server.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let page: Page;
let camille: Client;
const till = "/partenaire/caisse";

beforeAll(async () => {
  portal = await openTestPortal();
  await furnishDirectory(portal.server.deps);
  await inTx(portal.server.deps.db, (tx) =>
    writeTerms(tx, {
      reference: "librairie-des-embruns",
      discountPercent: 5,
      commissionBasisPoints: 150,
      operator: "alice",
      at: new Date(0),
    }),
  );
  page = await portal.open({ viewport: { width: 360, height: 740 }, worker: true });
  await portal.login(page, "partnerShop");
  camille = await portal.server.as("guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string) => (await portal.server.deps.pool.query(text)).rows;
const balanceOf = async (cardnumber: number): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0].balanceCents;
const qrOf = async (cardnumber: number, client = camille): Promise<string> =>
  (await client.get(`/api/cards/${cardnumber}/qr`)).body.token;
const verdict = (words: string | RegExp) =>
  page.getByRole("status").getByText(words).first().waitFor();
const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const charge = async (amount: string, code: string) => {
  await page.getByLabel("Montant").fill(amount);
  await press("Saisir le numéro");
  await page.getByLabel("Code de la carte, ou son numéro").fill(code);
  await page.keyboard.press("Enter");
};
const next = async () => {
  await press("Vente suivante");
  await page.getByLabel("Montant").waitFor();
};
/** The one line that says what is left, and what waits; the rest unfolds under it. */
const offlineLine = (words: string | RegExp) =>
  page.locator("summary").filter({ hasText: "Hors ligne" }).getByText(words).waitFor();
const unfold = () => page.locator("summary").filter({ hasText: "Hors ligne" }).click();
/** The device has what it needs: keys, refused codes, counters. */
const ready = () =>
  expect
    .poll(() => page.evaluate<string | null>("localStorage.getItem('ma-carte.till')"), {
      timeout: 60_000,
    })
    .not.toBeNull();
const outcomes = async () =>
  (await query("select conflict from till_offline order by sold_at")).map(
    ({ conflict }) => conflict,
  );

// proves: till-offline
test("within the cap, once for each code; a reload and a crash lose nothing", async () => {
  const before = await balanceOf(cast.guardian.cardnumber);
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.goto(portal.url + till);
  await ready();
  const token = await qrOf(cast.guardian.cardnumber);
  const jade = await qrOf(cast.secondChild.cardnumber);
  await page.context().setOffline(true);
  await offlineLine(/^Hors ligne · reste 300,00\s€$/);
  await unfold();
  await page.getByText(/Il reste 300,00\s€/).waitFor();
  await page.getByText(/Aucun achat n’attend/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // A reload without network: the till opens from what the device kept.
  await page.reload();
  await offlineLine(/reste 300,00\s€$/);
  await charge("30,01", token);
  await page.getByText(/^Hors connexion, un achat ne dépasse pas 30,00/).waitFor();
  await charge("20", String(cast.guardian.cardnumber));
  await verdict("Rien n’est encaissé");
  await verdict(/^Hors connexion, un numéro ne suffit pas/);
  await charge("20", `${token.slice(0, -4)}AAAA`);
  await verdict(/^Ce code n’est pas de Ma carte/);
  await charge("20", token);
  await verdict(/^Accepté, 19,00/);
  await verdict(/débité au retour du réseau/);
  expect(await violationsOf(page)).toEqual([]);
  await offlineLine(/^Hors ligne · reste 280,00\s€ · 1 à envoyer$/);
  await unfold();
  await page.getByText(/1 achat attend d’être débité depuis \d\d:\d\d \(19,00\s€\)/).waitFor();
  // The sum of the banner is that of the list under it; the cap counts before the discount.
  const unsent = page.locator("section").filter({ hasText: "1 achat pas encore envoyé" });
  await expect.poll(() => unsent.locator("dd").innerText()).toMatch(/^19,00\s€/);
  await page.getByText(/30,00\s€ au plus par achat, par QR code, avant remise\./).waitFor();
  await next();
  await charge("5", token);
  await verdict(/^Ce code a déjà payé un achat/);
  await charge("5", jade);
  await verdict(/^Accepté, 4,75/);
  // The tab is gone without a word, and comes back without network.
  await page.goto("about:blank");
  await page.goto(portal.url + till);
  await offlineLine(/ · 2 à envoyer$/);
  await unfold();
  await page.getByText(/2 achats attendent d’être débités depuis/).waitFor();
  await expect.poll(() => query("select from till_offline")).toEqual([]);
  await expect.poll(() => balanceOf(cast.guardian.cardnumber)).toBe(before);
  await expect
    .poll(() => page.evaluate<string>("JSON.stringify(localStorage)"))
    .not.toContain(token);
  await page.getByRole("tab", { name: "Journée" }).click();
  await page.getByText(/comptera dans la journée en cours/).waitFor();
  await page.getByRole("tab", { name: "Encaisser" }).click();
  await page.context().setOffline(false);
  await expect.poll(outcomes, { timeout: 60_000 }).toEqual([null, null]);
  await expect
    .poll(() => balanceOf(cast.guardian.cardnumber), { timeout: 60_000 })
    .toBe(before - 1900);
  await page.locator("summary").filter({ hasText: "Hors ligne" }).waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Ventes" }).click();
  await page.getByText("Camille M., carte …0016").waitFor();
  const { items } = (await camille.get("/api/notifications")).body;
  expect(JSON.stringify(items)).toContain("fait sans réseau");
});

test("what cannot be charged is told with its reason, and stays in a list and a file", async () => {
  const hugo = await portal.server.as("stranger");
  await page.goto(portal.url + till);
  await page.getByLabel("Montant").waitFor();
  await ready();
  const before = await balanceOf(cast.guardian.cardnumber);
  const opposed = await qrOf(cast.stranger.cardnumber, hugo);
  const poor = await qrOf(cast.secondChild.cardnumber);
  portal.server.clock.advance(1000);
  const twice = await qrOf(cast.guardian.cardnumber);
  await page.context().setOffline(true);
  await offlineLine(/reste 300,00\s€$/);
  await charge("10", opposed);
  await verdict(/^Accepté, 9,50/);
  await next();
  await charge("30", poor);
  await verdict(/^Accepté, 28,50/);
  await next();
  await charge("12", twice);
  await verdict(/^Accepté, 11,40/);
  await next();
  // Meanwhile the first card is opposed, and another till of the shop charges the last code.
  await hugo.post(`/api/cards/${cast.stranger.cardnumber}/oppose`, { reason: "lost" });
  const other = await portal.server.as("partnerShop");
  const counter = (await other.get("/api/till/counters")).body.items[0].id;
  const elsewhere = { id: crypto.randomUUID(), partner: counter, amountCents: 100, token: twice };
  const sold = await other.post("/api/till/sales", elsewhere);
  expect(sold.body.state, sold.text).toBe("paid");
  await page.context().setOffline(false);
  await expect
    .poll(outcomes, { timeout: 60_000 })
    .toEqual([null, null, "card", "funds", "code_used"]);
  await page.getByText(/La carte ne peut plus payer/).waitFor();
  await page.getByText(/La cagnotte ne couvre pas ce montant/).waitFor();
  await page.getByText(/Achat non débité\s: 28,50\s€ \(30,00\s€ avant remise\)/).waitFor();
  await page.getByText(/Ce code avait déjà payé un autre achat/).waitFor();
  await expect
    .poll(() => page.getByText(/à la charge de votre entreprise/).count())
    .toBeGreaterThan(2);
  expect(await violationsOf(page)).toEqual([]);
  // The guardian's own wallet paid the other till's sale alone, and the child's nothing.
  await expect.poll(() => balanceOf(cast.guardian.cardnumber)).toBe(before - 95);
  // Told until it is read, through a reload too.
  await page.reload();
  await page.getByText(/La carte ne peut plus payer/).waitFor();
  for (const words of [/La carte ne peut plus/, /ne couvre pas/, /Ce code avait déjà/]) {
    const banner = page.locator(".banner").filter({ hasText: words });
    await banner.getByRole("button", { name: /^J’ai vu/ }).click();
    await banner.waitFor({ state: "detached" });
  }
  await page.getByRole("tab", { name: "Journée" }).click();
  await page.getByRole("heading", { name: "Écarts hors connexion" }).waitFor();
  await page.getByText("3 écarts affichés").waitFor();
  await page.getByRole("columnheader", { name: "Avant remise" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const downloading = page.waitForEvent("download");
  await press("Télécharger les écarts (CSV)");
  const file = (await bytesOf(await downloading)).toString("utf8");
  expect(file).toContain("Ce code avait déjà payé un autre achat.");
  expect(file.split("\r\n").filter(Boolean)).toHaveLength(4);
});

test("what was not sent waits for its author through a logout", async () => {
  await page.goto(portal.url + till);
  await page.getByLabel("Montant").waitFor();
  await ready();
  portal.server.clock.advance(1000);
  const token = await qrOf(cast.guardian.cardnumber);
  const before = await balanceOf(cast.guardian.cardnumber);
  await page.context().setOffline(true);
  await offlineLine(/reste 300,00\s€$/);
  await charge("2", token);
  await verdict(/^Accepté, 1,90/);
  await page.evaluate(
    `for (const name of Object.keys(localStorage)) if (name.startsWith("ma-carte.")) localStorage.removeItem(name);
     document.cookie = "jwt_token=; Max-Age=0; Path=/";`,
  );
  await page.goto("about:blank");
  await page.context().setOffline(false);
  await portal.loginByForm(page, "employer");
  await page.goto(portal.url + till);
  await page.getByRole("heading", { name: "Caisse", level: 1 }).waitFor();
  await page.getByText("Vous n’avez pas de point de vente").waitFor();
  await expect.poll(() => balanceOf(cast.guardian.cardnumber)).toBe(before);
  // Whoever else signs in on this device is told that a colleague's charges wait here.
  await page.goto(`${portal.url}/dashboard`);
  await page.getByText("Des achats d’un collègue attendent sur cet appareil").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.goto("/profil");
  await press("Se déconnecter");
  await page.waitForURL("**/login*");
  await portal.loginByForm(page, "partnerShop");
  // From the home: nobody needs to open the till again.
  await expect
    .poll(() => balanceOf(cast.guardian.cardnumber), { timeout: 60_000 })
    .toBe(before - 190);
});

test("a charge that waits may be taken off with a reason; the card is not debited", async () => {
  await page.goto(portal.url + till);
  await page.getByLabel("Montant").waitFor();
  await ready();
  portal.server.clock.advance(1000);
  const token = await qrOf(cast.guardian.cardnumber);
  const before = await balanceOf(cast.guardian.cardnumber);
  await page.context().setOffline(true);
  await unfold();
  await page.getByText(/Ce plafond vaut pour tous vos appareils/).waitFor();
  await charge("4", token);
  await verdict(/^Accepté, 3,80/);
  await page.getByRole("heading", { name: "1 achat pas encore envoyé" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await press(/^Retirer/);
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByRole("button", { name: "Retirer", exact: true }).click();
  await confirmation.getByText("Dites pourquoi vous le retirez.").waitFor();
  await confirmation.getByLabel("Motif").fill("Article rendu");
  expect(await violationsOf(page)).toEqual([]);
  await confirmation.getByRole("button", { name: "Retirer", exact: true }).click();
  await offlineLine(/reste 300,00\s€$/);
  await page
    .getByRole("heading", { name: "1 achat pas encore envoyé" })
    .waitFor({ state: "detached" });
  await page.context().setOffline(false);
  await expect.poll(async () => (await outcomes()).at(-1), { timeout: 60_000 }).toBe("withdrawn");
  await expect.poll(() => balanceOf(cast.guardian.cardnumber)).toBe(before);
  await page.getByRole("tab", { name: "Journée" }).click();
  await page.getByText("Article rendu").waitFor();
});

test("a request without an answer may be kept instead, and is one sale", async () => {
  // A service worker would hide the request from what loses its answer here.
  page = await portal.open({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  await portal.signIn(page, "partnerShop");
  await page.goto(portal.url + till);
  await page.getByLabel("Montant").waitFor();
  await ready();
  portal.server.clock.advance(1000);
  const token = await qrOf(cast.guardian.cardnumber);
  const before = await balanceOf(cast.guardian.cardnumber);
  // The server has charged, and its answer is lost on the way.
  await page.route("**/api/till/sales", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await charge("3", token);
  await verdict("Pas de réponse");
  await verdict(/^L’achat est peut-être encaissé/);
  await page.unroute("**/api/till/sales");
  await press("Encaisser hors connexion");
  await verdict(/^(Accepté|Payé), 2,85/);
  await expect.poll(async () => (await outcomes()).length, { timeout: 60_000 }).toBe(8);
  await expect.poll(async () => (await outcomes()).at(-1)).toBeNull();
  await expect.poll(() => balanceOf(cast.guardian.cardnumber)).toBe(before - 285);
});

test("one card pays so much in a day without network, and another is not concerned", async () => {
  page = await portal.open({ viewport: { width: 360, height: 740 }, worker: true });
  await portal.signIn(page, "partnerShop");
  await page.goto(portal.url + till);
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.getByLabel("Montant").waitFor();
  await ready();
  const tokens = [];
  for (let place = 0; place < 3; place++) {
    portal.server.clock.advance(1000);
    tokens.push(await qrOf(cast.secondChild.cardnumber));
  }
  const other = await qrOf(cast.guardian.cardnumber);
  await page.context().setOffline(true);
  await offlineLine(/reste 300,00\s€$/);
  for (const token of tokens.slice(0, 2)) {
    await charge("30", token);
    await verdict(/^Accepté, 28,50/);
    await next();
  }
  await charge("0,10", tokens[2] ?? "");
  await verdict(/^Sans réseau, une carte paie au plus 60,00/);
  await charge("1", other);
  await verdict(/^Accepté, 0,95/);
});
