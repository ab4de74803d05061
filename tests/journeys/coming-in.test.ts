// Coming in and going out in a real browser: the first login, wrong passwords, the way back, the
// keyboard alone, the announced end.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { settle } from "#tests/settle.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { holdAnswers } from "#tests/late-answers.ts";
import { openTestPortal, type TestPortal, unreduced } from "#tests/test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  await portal?.close();
});

async function submitLogin(page: Page, name: CastName, password = castPassword): Promise<void> {
  await page.getByLabel("Numéro de carte").fill(String(cast[name].cardnumber));
  await page.getByLabel("Mot de passe", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Se connecter" }).click();
}

const pathOf = (page: Page) => new URL(page.url()).pathname;

const loginOf = (name: CastName, password: string) =>
  portal.server.anonymous.post("/api/login", { login: cast[name].cardnumber, password });

async function openSessions(name: CastName): Promise<number> {
  const { rows } = await portal.server.deps.pool.query(
    `select count(*)::int as count from session
     join card on card.person_id = session.person_id
     where card.number = $1 and session.ended_at is null`,
    [cast[name].cardnumber],
  );
  return rows[0].count as number;
}

describe("a first login", () => {
  it("opens nothing before a password of one's own is chosen, then everything", async () => {
    const page = await portal.open(unreduced);
    await page.goto("/login");
    await submitLogin(page, "resetPending");
    await page.waitForURL("**/reset/password");
    await page.getByRole("heading", { name: "Choisissez votre mot de passe" }).waitFor();
    for (const closed of ["/dashboard", "/profil", "/identify", "/login"]) {
      await page.goto(closed);
      await page.getByRole("heading", { name: "Choisissez votre mot de passe" }).waitFor();
      await expect.poll(() => pathOf(page)).toBe("/reset/password");
    }

    const field = page.getByLabel("Nouveau mot de passe");
    const send = page.getByRole("button", { name: "Enregistrer et continuer" });
    await field.fill("court");
    await send.click();
    await page.getByText("il faut au moins 12 caractères").waitFor();
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    await field.fill("nadia.benali.2026");
    await send.click();
    await page.getByText(/^Ce mot de passe est trop facile à deviner : il /).waitFor();
    await field.fill(castPassword);
    await send.click();
    await page.getByText(/trop facile|différent de l'ancien/).waitFor();
    const old = await loginOf("resetPending", castPassword);
    expect(old.body["data"]).toMatchObject({ isReset: true });

    await field.fill("trois mouettes sur un quai");
    await send.click();
    await page.waitForURL("**/premiers/pas");
    await page.getByText("Votre mot de passe est choisi.").waitFor();
    await expect.poll(() => page.title()).toBe("Carte · Premiers pas · Ma carte");
    await page.goto("/reset-password");
    await page.waitForURL("**/dashboard");
    const former = await loginOf("resetPending", castPassword);
    expect(former.status).toBe(401);
    const again = await loginOf("resetPending", "trois mouettes sur un quai");
    expect(again.body["data"]).toMatchObject({ isReset: false });
    await page.context().close();
  });
});

describe("a wrong password", () => {
  it("is told in the specification's words, and after too many tries the wait is told", async () => {
    const page = await portal.open(unreduced);
    await page.goto("/login");
    await submitLogin(page, "stranger", "pas le bon mot de passe");
    await page.getByText("Erreur d'identifiant et/ou de mot de passe.").waitFor();
    await expect.poll(() => pathOf(page)).toBe("/login");

    // Failures climb the ladder until a wait outlasts the three retries of the browser, on a busy machine too.
    let seconds = 0;
    while (seconds <= 60) {
      portal.server.clock.advance(seconds * 1000);
      const { status, body } = await loginOf("stranger", "toujours pas le bon");
      seconds = status === 429 ? (body["details"] as { seconds: number }).seconds : 0;
    }
    await submitLogin(page, "stranger");
    await page.getByText(/Trop d'essais de connexion. Réessayez dans \d+ (s|min)/).waitFor();
    await expect.poll(() => openSessions("stranger")).toBe(0);
    await expect
      .poll(() => page.getByRole("link", { name: "Mot de passe oublié" }).count())
      .toBe(1);

    portal.server.clock.advance(seconds * 1000);
    await page.getByRole("button", { name: "Se connecter" }).click();
    await page.waitForURL("**/dashboard");
    await expect.poll(() => openSessions("stranger")).toBe(1);
    await page.context().close();
  });
});

it("a login whose answer is late says so, and goes on when it comes", async () => {
  const page = await portal.open();
  await page.clock.install();
  await page.goto("/login");
  const restore = holdAnswers(portal, /^\/api\/login$/);
  await submitLogin(page, "child");
  await page
    .getByRole("button", { name: "Se connecter" })
    .and(page.locator("[aria-busy=true]"))
    .waitFor();
  await page.clock.fastForward(9000);
  await page.getByText("La réponse tarde. Nous attendons encore.").waitFor();
  restore();
  await page.waitForURL("**/dashboard");
  await page.context().close();
});

describe("the way back", () => {
  it("leads to the page one was sent away from, parameters too", async () => {
    const page = await portal.open(unreduced);
    await page.goto("/cagnottes/virement?vers=1000000024");
    await page.getByRole("heading", { name: "Connectez-vous" }).waitFor();
    await submitLogin(page, "guardian");
    await page.waitForURL("**/cagnottes/virement?vers=1000000024");
    await page.getByRole("heading", { name: "Envoyer à une carte de la famille" }).waitFor();
    await page.context().close();
  });

  it("is taken by every tab that waits at the login once one of them is in", async () => {
    const page = await portal.open(unreduced);
    await page.goto("/profil");
    await page.waitForURL("**/login?*");
    const other = await page.context().newPage();
    await other.goto("/login");
    await submitLogin(other, "guardian");
    await other.waitForURL("**/dashboard");
    await page.waitForURL("**/profil");
    await page.getByRole("heading", { name: "Profil", exact: true }).waitFor();
    await page.context().close();
  });

  // proves: redirects
  it("never leads to another site", async () => {
    for (const lure of [
      "//example.org/x",
      "/.//example.org/x",
      "/%2e//example.org",
      "/\\example.org",
    ]) {
      const page = await portal.open(unreduced);
      await page.goto(`/login?${new URLSearchParams({ retour: lure })}`);
      await submitLogin(page, "guardian");
      await page.waitForURL(`${portal.url}/dashboard`);
      await page.context().close();
    }
  });
});

describe("a page for the other kind of account", () => {
  it("leads to the dashboard and keeps the session", async () => {
    const pro = await portal.open(unreduced);
    await portal.loginByForm(pro, "partnerShop");
    for (const closed of ["/services/cagnottes", "/family", "/commande/cantine"]) {
      await pro.goto(closed);
      await pro.waitForURL("**/dashboard");
    }
    await expect.poll(() => openSessions("partnerShop")).toBe(1);
    await pro.context().close();
    const holder = await portal.open(unreduced);
    await portal.loginByForm(holder, "coGuardian");
    for (const closed of ["/professional", "/card", "/partenaire/validation"]) {
      await holder.goto(closed);
      await holder.waitForURL("**/dashboard");
    }
    await expect.poll(() => openSessions("coGuardian")).toBe(1);
    await holder.context().close();
  });
});

describe("the keyboard alone", () => {
  // proves: keyboard
  it("goes from the login to the dashboard and out again", async () => {
    const page = await portal.open(unreduced);
    await page.goto("/login");
    const focused = () =>
      page.evaluate<string>(
        "(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || document.activeElement.id).trim()",
      );
    const tabTo = async (target: string) => {
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press("Tab");
        if ((await focused()) === target) return;
      }
      throw new Error(`the keyboard never reaches ${target}`);
    };
    await tabTo("number");
    await page.keyboard.type(String(cast.guardian.cardnumber));
    await tabTo("password");
    await page.keyboard.type(castPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard");
    await page.getByRole("heading", { name: "Solde" }).waitFor();
    await tabTo("Profil");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/profil");
    await page.getByRole("heading", { name: "Profil", level: 1 }).waitFor();
    await page.getByRole("link", { name: /^Connexion/ }).waitFor();
    const before = await openSessions("guardian");
    await page.keyboard.press("Shift+Tab");
    await page.reload();
    await page.getByRole("link", { name: /^Connexion/ }).waitFor();
    await tabTo("Se déconnecter");
    await page.keyboard.press("Enter");
    await page.getByText("Vous êtes déconnecté.").waitFor();
    await expect.poll(() => pathOf(page)).toBe("/login");
    await expect.poll(() => openSessions("guardian")).toBe(before - 1);
    const left = (await page.context().cookies()).map(({ name }) => name);
    expect(left.filter((name) => name.startsWith("jwt"))).toEqual([]);
    await page.context().close();
  });
});

describe("the end of a session", () => {
  it("is put off while somebody is there, announced five minutes ahead, put off by staying", async () => {
    const page = await portal.open(unreduced);
    await page.clock.install();
    await portal.loginByForm(page, "coGuardian");
    await page.getByRole("heading", { name: "Solde" }).waitFor();
    const expiry = async () =>
      (await page.context().cookies()).find(({ name }) => name === "jwt_expires")?.value;
    const first = await expiry();
    // Used within its hour, it is renewed silently; then nobody touches anything any more.
    await page.clock.fastForward("50:30");
    await expect.poll(expiry).not.toBe(first);
    const before = await expiry();
    await page.clock.fastForward("55:30");
    const announced = page.getByText(/Votre session se termine à \d\d:\d\d\./);
    await announced.waitFor();
    await page.getByRole("button", { name: "Rester connecté" }).click();
    await announced.waitFor({ state: "detached" });
    await expect.poll(expiry).not.toBe(before);
    await page.context().close();
  });

  it("ended elsewhere: the screen leaves for the login, says why, and comes back", async () => {
    const page = await portal.open(unreduced);
    await portal.loginByForm(page, "guardian");
    await page.goto("/profil");
    await page.getByRole("link", { name: /^Coordonnées/ }).waitFor();
    // A document that reads nothing: no read in the background meets the end before the screen does.
    await page.goto("/robots.txt");
    await portal.server.deps.pool.query(
      "update session set ended_at = now() where ended_at is null",
    );
    await page
      .goto("/profil")
      .catch((error: Error) => expect(error.message).toContain("ERR_ABORTED"));
    await page.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await expect.poll(() => pathOf(page)).toBe("/login");
    await submitLogin(page, "guardian");
    await page.waitForURL("**/profil");
    await page.context().close();
  });
});

describe("the demo", () => {
  it("offers its cards, on a machine that is never idle too, and a press fills the form", async () => {
    const page = await portal.open(unreduced);
    await page.addInitScript(`{
      globalThis.requestIdleCallback = (work, options) =>
        options?.timeout ? setTimeout(work, options.timeout) : 0;
    }`);
    await page.goto("/login");
    await page.getByRole("button", { name: /Les Tables du Lagon/ }).click();
    await page.getByRole("button", { name: "Se connecter" }).click();
    await page.waitForURL("**/dashboard");
    await page.context().close();
  });
});

// proves: content-security-policy
it("leaves no fault of a script or of the security policy behind", () =>
  expect(portal.faults).toEqual([]));

describe("a slow start", () => {
  it("draws no screen, and breaks none, before it is known who is in", async () => {
    const page = await portal.open();
    await portal.login(page, "child");
    // The stored person opens late, as on a machine that is busy.
    await page.addInitScript(`{
      const decrypt = crypto.subtle.decrypt.bind(crypto.subtle);
      crypto.subtle.decrypt = async (...input) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return decrypt(...input);
      };
    }`);
    const errors: string[] = [];
    page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto("/family/droits");
    await page.getByRole("navigation", { name: "Navigation" }).first().waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await settle(page);
    await expect.poll(() => errors).toEqual([]);
    await page.context().close();
  });
});

it("before its script is there the form is not sent, by a press nor by Enter; then it is", async () => {
  const page = await portal.open(unreduced);
  const posted: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posted.push(new URL(request.url()).pathname);
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/login-page/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/login?retour=%2Ffamily", { waitUntil: "commit" });
  await page.getByLabel("Numéro de carte").fill(String(cast.stranger.cardnumber));
  const password = page.getByLabel("Mot de passe", { exact: true });
  await password.fill(castPassword);
  await password.press("Enter");
  const send = page.getByRole("button", { name: "Se connecter" });
  await send.click({ force: true });
  await expect.poll(() => send.isDisabled()).toBe(true);
  await expect.poll(() => posted).toEqual([]);
  release();
  await send.click();
  await page.waitForURL("**/family");
  await expect.poll(() => posted).not.toContain("/login");
  await page.context().close();
});
