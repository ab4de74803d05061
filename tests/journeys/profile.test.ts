// The pages of settings in a real browser: contact details with a code, the password, what was done; and the
// two pages by which the portal speaks of itself.
import { Transformer } from "@napi-rs/image";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { cast, castPassword } from "#tests/cast.ts";
import { violationsOf } from "#tests/axe.ts";
import { expectNoHorizontalScroll } from "#tests/page-width.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";
import { codeDialog } from "../code-dialog.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  await portal?.close();
});

/** `row` names the page of settings that is opened from « Profil », which itself is left without one. */
async function openProfile(
  name: "guardian" | "coGuardian" | "stranger",
  row?: string,
): Promise<Page> {
  const page = await portal.open();
  await portal.login(page, name);
  await page.getByRole("link", { name: "Profil", exact: true }).first().click();
  await page.getByRole("heading", { name: "Profil", level: 1 }).waitFor();
  if (row) {
    await page.getByRole("link", { name: new RegExp(`^${row}`) }).click();
    await page.getByRole("heading", { name: row, level: 1 }).waitFor();
  }
  return page;
}

const contactsOf = async (number: number) => {
  const { rows } = await portal.server.deps.pool.query(
    "select email, phonenumber from person join card on card.person_id = person.id where card.number = $1",
    [number],
  );
  return rows[0] as { email: string; phonenumber: string };
};

describe("a picture", () => {
  const painted = (width: number, height: number) =>
    Transformer.fromRgbaPixels(Buffer.alloc(width * height * 4, 180), width, height);
  const avatarOf = async (cardnumber: number) => {
    const { rows } = await portal.server.deps.pool.query(
      "select avatar from person join card on card.person_id = person.id where card.number = $1",
      [cardnumber],
    );
    return rows[0]?.avatar as string | null;
  };

  it("is chosen, cropped by the keyboard too, shown everywhere to the family, and taken away", async () => {
    const { cardnumber } = cast.guardian;
    const page = await openProfile("guardian");
    await page.getByRole("button", { name: "Ajouter une photo" }).waitFor();
    const input = page.locator("input[type=file]");
    await input.setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.from("no") });
    const dialog = page.getByRole("dialog", { name: "Cadrer la photo" });
    await dialog.getByText("Cette image ne peut pas être lue.").waitFor();
    await dialog.getByRole("button", { name: "Annuler" }).click();
    await expect.poll(() => avatarOf(cardnumber)).toBeNull();

    const buffer = await painted(300, 200).png();
    await input.setInputFiles({ name: "moi.png", mimeType: "image/png", buffer });
    await dialog.getByRole("img", { name: "Aperçu de la photo" }).waitFor();
    const zoom = dialog.getByRole("slider", { name: "Zoom" });
    await zoom.press("ArrowRight");
    await expect.poll(() => zoom.getAttribute("aria-valuetext")).toBe("2\u202f%");
    await dialog.getByRole("slider", { name: "De gauche à droite" }).press("Home");
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Enregistrer la photo" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Changer la photo" }).waitFor();
    const address = await avatarOf(cardnumber);
    expect(address).toMatch(/^\/api\/avatars\//);
    // In the shell and on the page, without a reload; after one too.
    await expect.poll(() => page.locator(".avatar img").count()).toBeGreaterThan(1);
    await page.reload();
    await page.locator(".avatar img").first().waitFor({ state: "attached" });

    const thomas = await portal.open({ viewport: { width: 360, height: 740 } });
    await portal.signIn(thomas, "coGuardian");
    await thomas.goto("/family");
    await thomas.locator(".avatar img").first().waitFor();
    await thomas.context().close();

    await page.getByRole("button", { name: "Retirer la photo" }).click();
    const add = page.getByRole("button", { name: "Ajouter une photo" });
    await add.waitFor();
    await expect.poll(() => add.evaluate((one) => one === document.activeElement)).toBe(true);
    await expect.poll(() => avatarOf(cardnumber)).toBeNull();
    await expect.poll(() => page.locator(".avatar img").count()).toBe(0);
    await page.context().close();
  });

  it("of a child is set by a guardian, a WebP too, and cannot be wider than a phone", async () => {
    const { cardnumber } = cast.child;
    const page = await portal.open({ viewport: { width: 360, height: 740 } });
    await portal.signIn(page, "guardian");
    await page.goto(`/family/${cardnumber}`);
    await page.getByRole("button", { name: "Ajouter une photo de Léo Moreau" }).waitFor();
    const buffer = await painted(240, 320).webp(80);
    const input = page.locator("input[type=file]");
    await input.setInputFiles({ name: "leo.webp", mimeType: "image/webp", buffer });
    const dialog = page.getByRole("dialog", { name: "Cadrer la photo" });
    const preview = dialog.getByRole("img", { name: "Aperçu de la photo" });
    await preview.waitFor();
    const slider = dialog.getByRole("slider", { name: "De haut en bas" });
    const before = await slider.inputValue();
    const box = await preview.boundingBox();
    if (!box) throw new Error("no preview");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 30, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => slider.inputValue()).not.toBe(before);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await dialog.getByRole("button", { name: "Enregistrer la photo" }).click();
    await page.getByRole("button", { name: "Changer la photo de Léo Moreau" }).waitFor();
    await expect.poll(() => avatarOf(cardnumber)).not.toBeNull();
    await expect.poll(() => avatarOf(cast.guardian.cardnumber)).toBeNull();
    await page.context().close();
  });
});

describe("a new e-mail address", () => {
  it("counts once the code sent to it is typed, and the old one is told", async () => {
    const { server } = portal;
    const page = await openProfile("guardian", "Coordonnées");
    await page.getByRole("button", { name: "Modifier l’adresse e-mail" }).click();
    const field = page.getByLabel("Nouvelle adresse e-mail");
    await field.fill("pas une adresse");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    await page.getByText("Indiquez une adresse e-mail complète").waitFor();
    await field.fill("\u2068camille.moreau@exemple.fr\u2069");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    await page.getByText("C’est déjà votre adresse.").waitFor();
    await field.fill("camille@nouvelle.exemple.fr");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    const dialog = codeDialog(page);
    await dialog.getByText("camille@nouvelle.exemple.fr").waitFor();
    const code = server.lastCode("camille@nouvelle.exemple.fr");
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    await dialog.getByLabel("Votre mot de passe").fill(castPassword);
    await dialog.getByRole("textbox", { name: "Code reçu" }).click();
    await page.keyboard.type(wrong);
    await dialog.getByText(/Essais restants : 4/).waitFor();
    await expect
      .poll(async () => (await contactsOf(1000000016)).email)
      .toBe("camille.moreau@exemple.fr");

    await dialog.getByRole("button", { name: "Fermer" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => field.inputValue()).toBe("camille@nouvelle.exemple.fr");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    await dialog.waitFor();
    await dialog.getByLabel("Votre mot de passe").fill(castPassword);
    await dialog.getByRole("textbox", { name: "Code reçu" }).click();
    await page.keyboard.type(server.lastCode("camille@nouvelle.exemple.fr"));
    await page.getByText("Adresse e-mail changée.", { exact: true }).waitFor();
    await page.getByText("camille@nouvelle.exemple.fr").first().waitFor();
    await expect
      .poll(async () => (await contactsOf(1000000016)).email)
      .toBe("camille@nouvelle.exemple.fr");
    const messages = server.outbox.filter(({ address }) => address === "camille.moreau@exemple.fr");
    expect(messages.at(-1)?.body).toContain("vient d'être remplacée");
    await page.getByRole("link", { name: "Activité", exact: true }).click();
    await page.getByRole("cell", { name: "Adresse e-mail changée" }).waitFor();
    await page.context().close();
  });
});

describe("a new phone number", () => {
  it("is written the French way and kept in the international form", async () => {
    const { server } = portal;
    const page = await openProfile("coGuardian", "Coordonnées");
    await page.getByRole("button", { name: "Modifier le téléphone" }).click();
    const field = page.getByLabel("Nouveau numéro de téléphone");
    await field.fill("06 12");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    await page.getByText("Indiquez un numéro complet").waitFor();
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    await field.fill("");
    await field.pressSequentially("0698765432");
    await expect.poll(() => field.inputValue()).toBe("06 98 76 54 32");
    await page.getByRole("button", { name: "Recevoir un code" }).click();
    const dialog = codeDialog(page);
    await dialog.getByLabel("Votre mot de passe").fill(castPassword);
    await dialog.getByText("envoyés à 06 98 76 54 32").waitFor();
    await dialog.getByRole("textbox", { name: "Code reçu" }).click();
    await page.keyboard.type(server.lastCode("+33698765432"));
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("06 98 76 54 32").first().waitFor();
    await expect.poll(async () => (await contactsOf(1000000065)).phonenumber).toBe("+33698765432");
    await page.context().close();
  });
});

describe("a new password", () => {
  it("asks for the current one, ends the other sessions and keeps this one", async () => {
    const page = await openProfile("stranger", "Connexion");
    const other = await portal.open();
    await portal.login(other, "stranger");
    await page.getByRole("button", { name: "Changer le mot de passe" }).click();
    const current = page.getByLabel("Mot de passe actuel");
    const chosen = page.getByLabel("Nouveau mot de passe");
    const send = page.getByRole("button", { name: "Enregistrer le mot de passe" });
    await current.fill("pas celui-là");
    await chosen.fill("cinq dunes face au vent");
    await send.click();
    await page.getByText("Le mot de passe actuel n'est pas le bon.").waitFor();
    await current.fill(castPassword);
    await send.click();
    await page.getByText("Vos autres sessions sont fermées.").waitFor();
    await other.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await page.reload();
    await page.getByText(/Changé le \d\d\/\d\d\/\d{4} \d\d:\d\d/).waitFor();
    const login = (password: string) =>
      portal.server.anonymous.post("/api/login", { login: 1000000057, password });
    const [withOld, withNew] = [await login(castPassword), await login("cinq dunes face au vent")];
    expect(withOld.status).toBe(401);
    expect(withNew.status).toBe(200);
    await other.context().close();
    await page.context().close();
  });
});

describe("the activity", () => {
  it("is read by pages of the server, each line once", async () => {
    for (let count = 0; count < 14; count++) await portal.server.as("coGuardian");
    const page = await openProfile("coGuardian", "Activité");
    await page.getByText("10 lignes affichées").waitFor();
    await page.getByRole("button", { name: "Voir plus" }).click();
    await page.getByText(/(1[1-9]|20) lignes affichées/).waitFor();
    const { rows } = await portal.server.deps.pool.query(
      "select count(*)::int as count from audit join card using (person_id) where card.number = 1000000065",
    );
    await expect
      .poll(() =>
        page
          .getByRole("table", { name: "Activité du compte" })
          .getByRole("row")
          .filter({ has: page.getByRole("cell") })
          .count(),
      )
      .toBe(Math.min(20, rows[0].count as number));
    await page.context().close();
  });
});

describe("the portal about itself", () => {
  it("/health tells anyone that everything works", async () => {
    const page = await portal.open();
    await page.goto("/health");
    await page.getByRole("heading", { name: "Tout fonctionne" }).waitFor();
    await page.context().close();
  });

  it("/health says what is troubled, although a troubled service answers 503", async () => {
    const { pool } = portal.server.owner;
    const page = await portal.open();
    await pool.query("alter table migration rename to migration_away");
    try {
      await page.goto("/health");
      await page.getByRole("heading", { name: "Le service est perturbé" }).waitFor();
    } finally {
      await pool.query("alter table migration_away rename to migration");
    }
    await page.getByRole("button", { name: "Vérifier maintenant" }).click();
    await page.getByRole("heading", { name: "Tout fonctionne" }).waitFor();
    await page.context().close();
  });

  it("/test/bien finds a clock that is wrong, and says what to do", async () => {
    const page = await portal.open();
    await portal.signIn(page, "guardian");
    await page.goto("/test/bien");
    await page.getByText(/À l’heure/).waitFor();
    await page.getByText(/Répond en \d+ ms/).waitFor();
    await page.clock.setFixedTime(Date.now() + 5 * 60_000);
    await page.getByRole("button", { name: "Relancer les tests" }).click();
    await page.getByText(/Avance de (299|30\d) s/).waitFor();
    await page.getByText("Réglez l’heure de l’appareil sur automatique.").waitFor();
    await page.context().close();
  });
});

it("leaves no fault of a script or of the security policy behind", () =>
  expect(portal.faults).toEqual([]));

describe("notification choices", () => {
  it("by keyboard: a switch acts at once, is kept, and without an answer shows what the server keeps and says so", async () => {
    const page = await openProfile("coGuardian", "Notifications");
    const email = page
      .getByRole("group", { name: "E-billets" })
      .getByRole("switch", { name: "E-mail" });
    await email.waitFor();
    await expect.poll(() => email.isChecked()).toBe(true);
    await email.focus();
    await page.keyboard.press("Space");
    const choiceQuery = "select enabled from notification_choice where kind = 'ticket'";
    await expect
      .poll(async () => (await portal.server.deps.pool.query(choiceQuery)).rows)
      .toEqual([{ enabled: false }]);
    await page.reload();
    await email.waitFor();
    await expect.poll(() => email.isChecked()).toBe(false);
    await page.route("**/api/notifications/choices", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await email.focus();
    await page.keyboard.press("Space");
    await page.getByText("Nous ne savons pas si c’est fait.").waitFor();
    await expect.poll(() => email.isChecked()).toBe(false);
    await page.context().close();
  });
});
