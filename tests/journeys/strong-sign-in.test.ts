// Strong sign-in in a real browser: a passkey made and used with Chromium's virtual authenticator,
// recovery codes, open sessions, and « Ce n'était pas moi ».
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CDPSession, Page } from "playwright-core";
import { violationsOf } from "#tests/axe.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";
import { codeDialog } from "../code-dialog.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(async () => {
  await portal.server.deps.db.deleteFrom("limiter").execute();
  await portal.server.deps.db.deleteFrom("passkey").execute();
});
afterAll(async () => {
  const { faults } = portal;
  await portal.close();
  expect(faults).toEqual([]);
});

async function settingsOf(name: CastName, path: "connexion" | "appareils"): Promise<Page> {
  const page = await portal.open();
  await portal.signIn(page, name);
  await page.goto(`${portal.url}/profil/${path}`);
  return page;
}

interface Authenticator {
  debug: CDPSession;
  id: string;
}

/** A phone in the hand of its owner: it checks them, and answers by itself. */
async function authenticator(page: Page, verified = true): Promise<Authenticator> {
  const debug = await page.context().newCDPSession(page);
  await debug.send("WebAuthn.enable");
  const { authenticatorId } = await debug.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: verified,
      automaticPresenceSimulation: true,
    },
  });
  return { debug, id: authenticatorId };
}

async function typeCode(page: Page): Promise<void> {
  const dialog = codeDialog(page);
  await dialog.getByLabel("Votre mot de passe").fill(castPassword);
  await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  await page.keyboard.type(portal.server.lastCode());
}

async function makePasskey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Ajouter une clé d’accès" }).click();
  await typeCode(page);
  await page
    .getByRole("list", { name: "Vos clés d’accès" })
    .getByRole("listitem")
    .first()
    .waitFor();
}

const byPasskey = "Utiliser une clé d’accès";
const count = async (table: "passkey" | "recoveryCode") =>
  (await portal.server.deps.db.selectFrom(table).select("personId").execute()).length;

describe("a passkey", () => {
  // proves: passkeys
  it("is made after a code, named, opens the account without a password, and is removed", async () => {
    const page = await settingsOf("guardian", "connexion");
    const { debug, id } = await authenticator(page);
    await makePasskey(page);
    await expect.poll(() => count("passkey")).toBe(1);
    const { credentials } = await debug.send("WebAuthn.getCredentials", { authenticatorId: id });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);

    await page.getByRole("button", { name: /^Renommer/ }).click();
    await page.getByLabel("Nom de la clé d’accès").fill("Téléphone de Camille");
    await page.keyboard.press("Enter");
    await page.getByText("Téléphone de Camille", { exact: true }).first().waitFor();

    await page.getByRole("button", { name: "Se déconnecter" }).first().click();
    await page.waitForURL(/\/login/);
    await page.getByRole("button", { name: byPasskey }).click();
    await page.waitForURL(`${portal.url}/dashboard`);
    await page.goto(`${portal.url}/profil/activite`);
    await page.getByRole("cell", { name: "Connexion par clé d'accès" }).first().waitFor();
    await page.goto(`${portal.url}/profil/connexion`);
    await page.getByText(/utilisée le/).waitFor();

    await page.getByRole("button", { name: "Supprimer Téléphone de Camille" }).click();
    await page.getByRole("button", { name: "Recevoir un code par e-mail" }).click();
    await typeCode(page);
    await page.getByText("Clé d'accès supprimée", { exact: true }).first().waitFor();
    await expect.poll(() => count("passkey")).toBe(0);
    await page.getByRole("button", { name: "Se déconnecter" }).first().click();
    await page.waitForURL(/\/login/);
    await page.getByRole("button", { name: byPasskey }).click();
    await page.getByText("Cette clé d'accès n'est pas reconnue.").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/login");
    await page.context().close();
  });

  // proves: step-up, money-proof
  it("confirms a transfer without a code; what that opens is seen and ended among the devices", async () => {
    const page = await settingsOf("guardian", "connexion");
    const { server } = portal;
    // The same transfer a minute ago is not this one.
    server.clock.advance(61_000);
    await authenticator(page);
    await makePasskey(page);
    const camille = await server.as("guardian");
    const { items } = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`))
      .body;
    await leaveToSpend(server, items[0].objectID, 20_000);
    const codes = () => server.outbox.filter(({ body }) => body.includes("est votre code")).length;
    const transfers = async () =>
      (await server.deps.pool.query("select from transfer")).rowCount ?? 0;
    const made = await transfers();
    const before = codes();
    const send = async (amount: string) => {
      await page.goto(`${portal.url}/cagnottes/virement?vers=${cast.child.cardnumber}`);
      await page.getByLabel("Montant", { exact: true }).fill(amount);
      await page.getByRole("button", { name: "Vérifier le virement" }).click();
      await page.getByRole("button", { name: new RegExp(`^Envoyer ${amount}.€ à Léo`) }).click();
    };
    await send("60,00");
    const dialog = page.getByRole("dialog", { name: /^Envoyer 60,00.€ à Léo Moreau$/ });
    await dialog.waitFor();
    const first = dialog.getByRole("button", { name: byPasskey });
    await expect.poll(() => first.evaluate((one) => one === document.activeElement)).toBe(true);
    await dialog.getByText(/Pendant 15 minutes ensuite.*jusqu’à 300,00.€ au total/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /60,00.€ envoyés à Léo/ }).waitFor();
    expect(codes()).toBe(before);
    await expect.poll(transfers).toBe(made + 1);

    await page.goto(`${portal.url}/profil/appareils`);
    const sessions = page.getByRole("list", { name: "Connexions ouvertes" });
    const opened = sessions.getByText(/^Paiements sans nouvelle confirmation jusqu’à \d\d:\d\d/);
    await expect.poll(() => opened.textContent()).toMatch(/encore 300,00.€ au plus/);
    // From here on no passkey is needed: the debugger of axe takes the virtual authenticator away when it leaves.
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: /^Arrêter les paiements sans confirmation/ }).click();
    await opened.waitFor({ state: "detached" });

    // Under the threshold by itself, asked about for what left before it in the day.
    await send("5,00");
    const wantsCode = page.getByRole("button", { name: "Recevoir un code par e-mail" });
    await wantsCode.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await wantsCode.click();
    await codeDialog(page).waitFor();
    await expect.poll(codes).toBe(before + 1);
    expect(await violationsOf(page)).toEqual([]);
    await typeCode(page);
    await page.getByRole("heading", { name: /5,00.€ envoyés à Léo/ }).waitFor();
    await expect.poll(transfers).toBe(made + 2);
    await page.context().close();
  });

  it("leads back to the page one was sent away from", async () => {
    const page = await settingsOf("stranger", "connexion");
    await authenticator(page);
    await makePasskey(page);
    // The screen that is open leaves by itself once its token is gone, and would cross the next address.
    await page.goto("about:blank");
    await page.context().clearCookies();
    await page.goto(`${portal.url}/cagnottes/virement`, { waitUntil: "commit" });
    await page.waitForURL(/\/login/);
    await page.getByRole("button", { name: byPasskey }).click();
    await page.waitForURL(`${portal.url}/cagnottes/virement`);
    await page.goto(`${portal.url}/profil/connexion`);
    await page.getByText(/utilisée le/).waitFor();
    // Last: the debugger of axe takes the virtual authenticator away when it leaves.
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });

  it("that the device will not give is told, and the password still serves", async () => {
    const page = await portal.open();
    await authenticator(page, false);
    await page.goto(`${portal.url}/login`);
    await page.getByRole("button", { name: byPasskey }).click();
    await page.getByText("La demande a été interrompue").waitFor();
    await portal.login(page, "coGuardian");
    await page.context().close();
  });

  it("is not offered by a browser that knows none", async () => {
    const page = await portal.open();
    await page.addInitScript("delete globalThis.PublicKeyCredential");
    await page.goto(`${portal.url}/login`);
    await page.getByRole("button", { name: "Se connecter" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: byPasskey }).count()).toBe(0);
    await page.context().close();
  });
});

describe("recovery codes", () => {
  it("are shown once, then one of them chooses a new password", async () => {
    const page = await settingsOf("coGuardian", "connexion");
    await page.getByRole("button", { name: "Créer des codes de secours" }).click();
    await typeCode(page);
    const list = page.getByRole("list", { name: "Codes de secours" });
    await list.waitFor();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(10);
    const codes = await list.getByRole("listitem").allTextContents();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "J’ai noté mes codes" }).click();
    await page.getByText(/10 codes restants/).waitFor();
    await page.reload();
    await page.getByText(/10 codes restants/).waitFor();
    await expect.poll(() => page.content()).not.toContain(codes[0]);

    const other = await portal.open();
    await other.goto(`${portal.url}/identify`);
    await other.getByRole("button", { name: "Utiliser un code de secours" }).click();
    const send = other.getByRole("button", { name: "Changer le mot de passe" });
    await other.getByLabel("Numéro de carte").fill(String(cast.coGuardian.cardnumber));
    await other.getByLabel("Code de secours").fill("AAAAA-AAAAA");
    await other
      .getByRole("textbox", { name: "Nouveau mot de passe" })
      .fill("cinq dunes face au vent");
    await send.click();
    await other.getByText("Ce code de secours n'est pas valable").waitFor();
    expect(await violationsOf(other)).toEqual([]);
    await other.getByLabel("Code de secours").fill((codes[0] ?? "").toLowerCase());
    await send.click();
    await other.waitForURL("**/dashboard");
    await page.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await other.context().close();
    await page.context().close();
  });
});

describe("open sessions", () => {
  it("are closed one by one, then everywhere, and the others know at once", async () => {
    const page = await settingsOf("canteenProvider", "appareils");
    const iphone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1";
    const phone = await portal.open({ userAgent: iphone });
    await portal.login(phone, "canteenProvider");
    const other = await portal.open();
    await portal.login(other, "canteenProvider");
    const rows = page.getByRole("list", { name: "Connexions ouvertes" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole("button", { name: "Déconnecter Safari sur iPhone" }).click();
    await phone.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Déconnecter partout" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Déconnecter partout ?" });
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Déconnecter partout" }).click();
    await other.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await rows.first().waitFor();
    for (const tab of [phone, other, page]) await tab.context().close();
  });
});

describe("« Ce n'était pas moi »", () => {
  it("is asked in the bell of a browser known before: answered there, or on its page", async () => {
    const mine = await portal.open();
    await portal.login(mine, "canteenProvider");
    for (const answer of ["yes", "no"]) {
      const other = await portal.open();
      await portal.login(other, "canteenProvider");
      await other.getByRole("button", { name: /^Notifications/ }).click();
      const newDevice = { name: /Connexion depuis un nouvel appareil/ };
      await other.getByRole("link", newDevice).first().waitFor();
      await expect.poll(() => other.getByRole("button", { name: "C’était moi" }).count()).toBe(0);
      await mine.getByRole("button", { name: /^Notifications/ }).click();
      const panel = mine.getByRole("dialog", { name: "Notifications" });
      const yes = panel.getByRole("button", { name: "C’était moi" });
      await yes.waitFor();
      expect(await violationsOf(mine)).toEqual([]);
      if (answer === "yes") {
        const unread = panel.getByText("(non lue)");
        const before = await unread.count();
        await yes.click();
        await yes.waitFor({ state: "hidden" });
        await expect.poll(() => unread.count()).toBe(before - 1);
        await mine.keyboard.press("Escape");
        await other.context().close();
      } else {
        await panel.getByRole("link", { name: "Pas moi" }).click();
        await mine.getByText("Chrome sur Linux").waitFor();
        await mine.getByRole("button", { name: "Ce n’était pas moi, tout fermer" }).click();
        await mine.getByRole("heading", { name: "Votre compte est fermé à tous" }).waitFor();
        await other.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
        for (const tab of [mine, other]) await tab.context().close();
      }
    }
  });

  it("closes every session once confirmed, and asks for a new password", async () => {
    const { server } = portal;
    const mine = await portal.open();
    await portal.login(mine, "partnerShop");
    const intruder = await portal.open();
    await portal.login(intruder, "partnerShop");
    const mail = server.outbox.at(-1);
    expect(mail?.address).toBe(cast.partnerShop.email);
    const link = /https?:\/\/\S+/.exec(mail?.body ?? "")?.[0] ?? "";
    // In the browser that one is logged in with: the way to a new password is free there too.
    const reader = await mine.context().newPage();
    await reader.goto(link);
    await reader.getByText("Chrome sur Linux").waitFor();
    expect(await violationsOf(reader)).toEqual([]);
    await reader.getByRole("button", { name: "Ce n’était pas moi, tout fermer" }).click();
    await reader.getByRole("heading", { name: "Votre compte est fermé à tous" }).waitFor();
    for (const tab of [mine, intruder])
      await tab.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await intruder.getByLabel("Numéro de carte").fill(String(cast.partnerShop.cardnumber));
    await intruder.getByLabel("Mot de passe", { exact: true }).fill(castPassword);
    await intruder.getByRole("button", { name: "Se connecter", exact: true }).click();
    await intruder.getByText("Une connexion a été signalée sur votre compte.").waitFor();
    await reader.getByRole("link", { name: "Choisir un nouveau mot de passe" }).click();
    await reader.waitForURL(/\/identify/);
    await reader.goto(link);
    await reader.getByText("Ce lien ne sert plus").waitFor();
    for (const tab of [mine, intruder]) await tab.context().close();
  });
});
