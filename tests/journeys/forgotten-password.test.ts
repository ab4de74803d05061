// A forgotten password, from the login page and back to it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  await portal?.close();
});

const chosen = "quatre phares dans la brume";
let helpTexts: string[] = [];
/** What stands under the field of a code: the same words for every card. */
const helpOf = (page: Page) =>
  page.getByText("Rien reçu").locator("..").getByRole("paragraph").allTextContents();

const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

async function askForCode(page: Page, number: string): Promise<void> {
  await page.getByLabel("Numéro de carte").fill(number);
  await page.getByRole("button", { name: "Recevoir un code" }).click();
  await page.getByText("Étape 2 sur 3").waitFor();
}

async function choose(page: Page, code: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Code reçu" }).click();
  await page.keyboard.type(code);
  await page.getByRole("textbox", { name: "Nouveau mot de passe" }).fill(password);
  await page.getByRole("button", { name: "Changer le mot de passe" }).click();
}

const loginOf = async (name: CastName, password: string) =>
  (await portal.server.anonymous.post("/api/login", { login: cast[name].cardnumber, password }))
    .status;

describe("/identify", () => {
  it("takes the number from the login, chooses a password, signs in where one was going, and ends every session", async () => {
    const { server } = portal;
    const other = await server.as("stranger");
    const page = await portal.open();
    await page.goto("/services/cagnottes");
    await page.waitForURL("**/login?*");
    const forgotten = page.getByRole("link", { name: "Mot de passe oublié" });
    await forgotten.click();
    await page.waitForURL("**/identify?*");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    await page.getByText("Indiquez les 10 chiffres").waitFor();
    expect(server.outbox).toEqual([]);
    await page.getByRole("link", { name: "Connexion" }).click();
    // Both pages have such a field.
    await page.waitForURL("**/login?*");
    await page.getByRole("button", { name: "Se connecter" }).waitFor();
    const typed = page.getByLabel("Numéro de carte");
    await typed.fill("1000000057");
    // Grouped: the page answers.
    await expect.poll(() => typed.inputValue()).toMatch(/^1000\s000\s057$/);
    await forgotten.click();
    await page.waitForURL("**/identify?*");
    const cardField = page.getByLabel("Numéro de carte");
    await expect
      .poll(async () => (await cardField.inputValue()).replaceAll(/\s/g, ""))
      .toBe("1000000057");
    await expect.poll(() => page.url()).not.toContain("1000");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    await page.getByText("Étape 2 sur 3").waitFor();
    await page.getByText("Code demandé", { exact: true }).waitFor();
    await page.getByText("Toujours rien").waitFor();
    helpTexts = await helpOf(page);
    const first = server.lastCode("hugo.petit@exemple.fr");
    expect(first).toMatch(/^\d{6}$/);
    await page.reload();
    await page.getByText("Code demandé", { exact: true }).waitFor();

    await choose(page, wrongFor(first), chosen);
    await page.getByText(/Ce code n'est pas le bon. Essais restants : 4/).waitFor();
    const boxes = page.locator(".otp-box");
    const digits = () =>
      boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value).join(""));
    await expect.poll(digits).toBe("");
    await expect
      .poll(() => boxes.first().evaluate((box) => box === document.activeElement))
      .toBe(true);
    await boxes.first().press("7");
    await boxes.nth(1).evaluate((box) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", " 123 456 ");
      box.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await expect.poll(digits).toBe("123456");
    await choose(page, first, "court");
    await page.getByText("il faut au moins 12 caractères").waitFor();
    const still = await loginOf("stranger", castPassword);
    expect(still).toBe(200);

    await page.getByRole("button", { name: "Renvoyer un code" }).click();
    await page.getByText("Nouveau code demandé").waitFor();
    await page.getByRole("status").getByText("Un nouveau code est demandé.").waitFor();
    await expect
      .poll(() => page.evaluate("document.activeElement.textContent"))
      .toBe("Renvoyer un code");
    const second = server.lastCode("hugo.petit@exemple.fr");
    await choose(page, first, chosen);
    await page.getByText("Ce code n'est pas le bon.").waitFor();
    await choose(page, second, chosen);
    await page.waitForURL("**/services/cagnottes");
    await page.getByText("Votre mot de passe est changé. Vos autres connexions").waitFor();
    const former = await loginOf("stranger", castPassword);
    expect(former).toBe(401);
    await expect.poll(async () => (await other.get("/api/profile")).status).toBe(401);
    expect(server.outbox.at(-1)?.body).toContain("vient d'être changé");

    for (const closed of ["/identify", "/forgot-password"]) {
      await page.goto(closed);
      await page.waitForURL("**/dashboard");
    }
    await page.context().close();
  });

  it("leads to the login where it does not let in at once", async () => {
    const { server } = portal;
    const page = await portal.open();
    await page.goto("/identify");
    await askForCode(page, "1000 000 057");
    const code = server.lastCode("hugo.petit@exemple.fr");
    const disable = (at: string) =>
      server.owner.pool.query(`update person set disabled_at = ${at}, disabled_why = case when
        ${at} is null then null else 'essai' end
        where id = (select person_id from card where number = 1000000057)`);
    await disable("now()");
    await choose(page, code, "cinq phares dans la brume");
    await page.getByRole("heading", { name: "Votre mot de passe est changé" }).waitFor();
    await disable("null");

    // While the login is loaded, the steps do not begin again behind the last one.
    await page.evaluate(() => {
      const look = () => {
        if (document.querySelector("main input")) sessionStorage.setItem("asked again", "yes");
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole("link", { name: "Se connecter" }).click();
    await page.waitForURL("**/login");
    await page.locator("form#login").waitFor();
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem("asked again"))).toBe(null);
    await page.getByLabel("Numéro de carte").fill("1000000057");
    await page.getByLabel("Mot de passe", { exact: true }).fill("cinq phares dans la brume");
    await page.getByRole("button", { name: "Se connecter" }).click();
    await page.waitForURL("**/dashboard");
    await page.context().close();
  });

  it("shows an unknown card the same screens, and sends nothing", async () => {
    const page = await portal.open();
    const sent = portal.server.outbox.length;
    await page.goto("/forgot-password/identify");
    await page.waitForURL("**/identify");
    await askForCode(page, "1999999999");
    await page.getByText("Code demandé", { exact: true }).waitFor();
    await page.getByText("Toujours rien").waitFor();
    await expect.poll(() => helpOf(page)).toEqual(helpTexts);
    expect(helpTexts).toEqual([
      expect.stringMatching(/^Rien reçu/),
      expect.stringMatching(
        /^Toujours rien.*Appelez le 01 99 00 00 00, votre carte sous les yeux\.$/,
      ),
    ]);
    const call = page.getByRole("link", { name: "01 99 00 00 00" });
    await expect.poll(() => call.getAttribute("href")).toBe("tel:0199000000");
    await choose(page, "123456", chosen);
    await page.getByText(/Ce code n'est pas le bon. Essais restants : 4/).waitFor();
    expect(portal.server.outbox).toHaveLength(sent);
    await page.getByRole("button", { name: "Retour" }).click();
    await page.getByText("Étape 1 sur 3").waitFor();
    await page.context().close();
  });

  it("says when too many codes were asked", async () => {
    const page = await portal.open();
    await page.goto("/identify");
    await askForCode(page, "1000000065");
    for (const again of [2, 3]) {
      await page.getByRole("button", { name: "Renvoyer un code" }).click();
      await expect.poll(() => portal.server.outbox.filter(toThomas)).toHaveLength(again);
    }
    await page.getByRole("button", { name: "Renvoyer un code" }).click();
    await page.getByText(/Trop de codes demandés. Réessayez dans/).waitFor();
    expect(portal.server.outbox.filter(toThomas)).toHaveLength(3);
    await page.context().close();
  });
});

const toThomas = ({ address }: { address: string }) => address === "thomas.moreau@exemple.fr";

it("names another way where the installation has no phone to call", async () => {
  const quiet = await openTestPortal({ supportPhone: null });
  try {
    const page = await quiet.open();
    await page.goto("/identify");
    // A card that has neither e-mail nor phone.
    await askForCode(page, String(cast.child.cardnumber));
    await page.getByText(/Toujours rien.*code de secours.*qui vous a remis la carte/).waitFor();
    expect(quiet.faults).toEqual([]);
  } finally {
    await quiet.close();
  }
});

describe("where no message can be carried", () => {
  it("says whom to call", async () => {
    const mute = await openTestPortal({ demo: false, supportPhone: "01 23 45 67 89" });
    try {
      const page = await mute.open();
      await page.goto("/identify");
      await page.getByLabel("Numéro de carte").fill("1000000016");
      await page.getByRole("button", { name: "Recevoir un code" }).click();
      const call = page.getByRole("link", { name: "Appeler le 01 23 45 67 89" });
      await call.waitFor();
      await expect.poll(() => call.getAttribute("href")).toBe("tel:0123456789");
      await page.goto("/login");
      await page.getByRole("button", { name: "Se connecter" }).waitFor();
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.getByText("Démonstration").count()).toBe(0);
      expect(mute.faults).toEqual([]);
    } finally {
      await mute.close();
    }
  });
});

it("leaves no fault of a script or of the security policy behind", () =>
  expect(portal.faults).toEqual([]));
