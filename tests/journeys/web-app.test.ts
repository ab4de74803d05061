// The machinery between the contract and the screens, in a real browser: the worker, what the browser
// keeps about a person, tokens that are over, two tabs, a lost connection.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { openTestPortal, type PageOptions, type TestPortal } from "#tests/test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  await portal?.close();
});

/** A page that records its console, logged in unless told otherwise. */
async function openPage(
  loggedIn = true,
  options: PageOptions = {},
): Promise<{ page: Page; lines: string[] }> {
  const page = await portal.open(options);
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  if (loggedIn) await portal.login(page, "guardian");
  return { page, lines };
}

/** Puts a token in the cookie while no screen is open that would meet it first. */
async function setToken(page: Page, value: string): Promise<void> {
  await page.goto("about:blank");
  await page.context().addCookies([{ name: "jwt_token", value, url: portal.url, secure: true }]);
}

/** Waits for the login's own page; gives the path that it would lead back to. */
async function wayBack(page: Page): Promise<string | null> {
  await page.getByLabel("Numéro de carte").waitFor();
  await page.waitForURL(({ pathname }) => pathname === "/login");
  return new URL(page.url()).searchParams.get("retour");
}

const cookieNames = async (page: Page) =>
  (await page.context().cookies()).map(({ name }) => name).filter((name) => name.startsWith("jwt"));

describe("the service worker", () => {
  it("is registered at startup, says so, and opens the portal without a server", async () => {
    const { page, lines } = await openPage(true, { worker: true });
    await expect.poll(() => lines).toContain("Service Worker enregistré");
    await expect
      .poll(() => page.evaluate("navigator.serviceWorker.controller !== null"))
      .toBe(true);
    const cachedPaths = () =>
      page.evaluate<string[]>(
        "caches.keys().then((names) => Promise.all(names.map(async (name) =>" +
          "(await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname))))" +
          ".then((lists) => lists.flat())",
      );
    await expect.poll(cachedPaths).toEqual(expect.arrayContaining(["/index.html", "/login.html"]));
    await expect
      .poll(async () => (await cachedPaths()).filter((path) => path.startsWith("/api")))
      .toEqual([]);
    await page.context().setOffline(true);
    await page.goto(`${portal.url}/profil`);
    await page.getByText("Connexion perdue").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "rafraîchir" }).count()).toBe(1);
    await page.context().close();
  });
});

describe("what the browser keeps", () => {
  // proves: browser-storage
  it("is sealed: no name, number or address can be read in the storages", async () => {
    const { page } = await openPage();
    const stored = () =>
      page.evaluate<string>("JSON.stringify([{...localStorage}, {...sessionStorage}])");
    await expect.poll(async () => JSON.parse(await stored())[0]).toHaveProperty("user");
    for (const secret of ["Camille", "Moreau", "1000000016", "@"]) {
      await expect.poll(stored).not.toContain(secret);
    }
    await page.reload();
    await page.waitForURL(`${portal.url}/dashboard`);
    await page.context().close();
  });

  it("a user stored under the key of an earlier version is still the one who is in", async () => {
    const { page } = await openPage();
    await page.evaluate(
      "localStorage.setItem('ma-carte.user', localStorage.user), localStorage.removeItem('user')",
    );
    await page.reload();
    await page.getByRole("heading", { name: "Solde" }).waitFor();
    await expect
      .poll(() => page.evaluate("[localStorage.getItem('ma-carte.user'), 'user' in localStorage]"))
      .toEqual([null, true]);
    await page.context().close();
  });

  // proves: browser-storage
  it("a stored user copied over or altered ends the session once, with no loop", async () => {
    const { page } = await openPage();
    await page.evaluate("localStorage.setItem('user', '{}')");
    await page.goto(`${portal.url}/services/cagnottes`);
    await expect.poll(() => wayBack(page)).toBe("/services/cagnottes");
    await expect.poll(() => cookieNames(page)).toEqual([]);
    await expect.poll(() => page.evaluate("localStorage.getItem('user')")).toBeNull();
    await page.context().close();
  });
});

describe("a token that is over", () => {
  const garbled = {
    "a part missing": "aaa.bbb",
    "bad base64": "a.%2A%2A.c",
    "bad JSON": "a.e3g.c",
    "bad percent-encoding": "%E0%A4%A",
  };
  it.each(Object.entries(garbled))("%s: cookie removed, console, login", async (_, token) => {
    const { page, lines } = await openPage();
    await setToken(page, token);
    await page.goto(`${portal.url}/profil`);
    await expect.poll(() => wayBack(page)).toBe("/profil");
    await expect
      .poll(() => lines.filter((line) => line.startsWith("Erreur lors du décodage du token :")))
      .toHaveLength(1);
    await expect.poll(() => cookieNames(page)).toEqual([]);
    await page.context().close();
  });

  it("garbled while the login is opened: the cookie is removed and one can log in", async () => {
    const { page, lines } = await openPage(false);
    await setToken(page, "%E0%A4%A");
    await page.goto(`${portal.url}/login`);
    await expect.poll(() => cookieNames(page)).toEqual([]);
    await expect
      .poll(() => lines.filter((line) => line.startsWith("Erreur lors du décodage")))
      .toHaveLength(1);
    await portal.loginByForm(page, "guardian");
    await page.context().close();
  });

  it("expired: the specification's line, cookie removed, login, and back after it", async () => {
    const { page, lines } = await openPage();
    const past = Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url");
    await setToken(page, `a.${past}.c`);
    await page.goto(`${portal.url}/dashboard?tab=orders`);
    await expect.poll(() => wayBack(page)).toBe("/dashboard?tab=orders");
    await expect.poll(() => lines).toContain("Token expiré, suppression du cookie de session.");
    await expect.poll(() => cookieNames(page)).toEqual([]);
    await page.context().close();
  });

  it("missing: login, and nothing in the console", async () => {
    const { page, lines } = await openPage(false);
    await page.goto(`${portal.url}/profil`);
    await expect.poll(() => wayBack(page)).toBe("/profil");
    await expect.poll(() => lines.filter((line) => /token/i.test(line))).toEqual([]);
    await page.context().close();
  });
});

describe("a token cookie that is gone", () => {
  it("« Token not found » is what one reads, at the next call and at the next screen", async () => {
    const { page } = await openPage();
    await page.goto(`${portal.url}/faq`);
    const search = page.getByRole("searchbox");
    await search.waitFor();
    await page.context().clearCookies({ name: "jwt_token" });
    await search.fill("recharge");
    await page.getByText("Token not found").waitFor();
    await expect.poll(() => wayBack(page)).toMatch(/^\/faq/);
    // What it means is said in French, and the specification's English is marked as such.
    await page.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
    await page.locator("[lang=en]", { hasText: "Token not found" }).waitFor();
    const folder = process.env["SHOTS"];
    if (folder) await page.screenshot({ path: `${folder}/login-missing.png` });
    await portal.loginByForm(page, "guardian");
    // In one turn of the page: no call of the dashboard may find the cookie gone before the click does.
    await page
      .locator("a[href='/profil']")
      .first()
      .evaluate((link) => {
        link.ownerDocument.cookie = "jwt_token=; max-age=0; path=/; secure";
        (link as unknown as { click(): void }).click();
      });
    // Parts of the screen that is left may say it too, until the next one is there.
    await page.getByText("Token not found").first().waitFor();
    await expect.poll(() => wayBack(page)).toBe("/profil");
    await page.context().close();
  });
});

describe("the title and the heading", () => {
  const focused = (page: Page) =>
    page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.textContent");

  it("say the page, the thing and what is not found; the focus arrives at the heading", async () => {
    const { page } = await openPage();
    await page.locator("a[href='/faq']").first().click();
    await expect.poll(() => page.title()).toBe("Aide · Ma carte");
    await expect.poll(() => focused(page)).toBe("H1 Aide");
    const question = page.locator("main a[href^='/faq/']").first();
    await question.click();
    const heading = page.getByRole("heading", { level: 1 });
    await page.waitForURL(/faq\/./);
    await expect.poll(() => heading.innerText()).not.toBe("Aide");
    const questionText = await heading.innerText();
    await expect.poll(() => page.title()).toBe(`${questionText} · Aide · Ma carte`);
    await expect.poll(() => focused(page)).toBe(`H1 ${questionText}`);
    for (const lost of [
      "/faq/personne-ne-demande",
      "/services/inconnu",
      "/rien/du/tout",
    ] as const) {
      await page.goto(`${portal.url}${lost}`);
      await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
      await expect.poll(() => page.title()).toBe("Page introuvable · Ma carte");
    }
    await page.context().close();
  });
});

describe("two tabs", () => {
  it("a logout in one ends the other", async () => {
    const { page } = await openPage();
    const other = await page.context().newPage();
    await other.goto(`${portal.url}/dashboard`);
    await other.getByRole("button", { name: "Se déconnecter" }).first().waitFor();
    await page.getByRole("button", { name: "Se déconnecter" }).first().click();
    await expect.poll(() => wayBack(page)).toBeNull();
    await wayBack(other);
    await page.context().close();
  });
});

describe("a lost connection", () => {
  it("covers the screen, keeps what was typed, and goes away when it is back", async () => {
    const { page } = await openPage();
    await page.goto(`${portal.url}/cagnottes/virement`);
    const amount = page.getByLabel("Montant", { exact: true });
    await amount.fill("12,50");
    await page.context().setOffline(true);
    await page.getByText("Connexion perdue").waitFor();
    await expect
      .poll(() => page.locator("[data-view=routed]").getAttribute("inert"))
      .not.toBeNull();
    await expect.poll(() => amount.isVisible()).toBe(false);
    await page.context().setOffline(false);
    await page.getByText("Connexion perdue").waitFor({ state: "detached" });
    await expect.poll(() => amount.inputValue()).toBe("12,50");
    await page.context().close();
  });
});

describe("navigation", () => {
  it("ends at the top-left, and a change of parameters moves nothing", async () => {
    const { page } = await openPage();
    await page.setViewportSize({ width: 800, height: 300 });
    const down = () => page.evaluate<number>("scrollTo(0, 120), scrollY");
    await page.getByRole("tab", { name: "Abonnements" }).waitFor();
    await expect.poll(down).toBe(120);
    await page.evaluate("document.querySelectorAll('[role=tab]')[1].click()");
    await page.waitForURL(/\?/);
    await expect.poll(() => page.evaluate("scrollY")).toBe(120);
    await page.evaluate("document.querySelector('a[href=\"/cagnottes/virement\"]').click()");
    await page.waitForURL(`${portal.url}/cagnottes/virement`);
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    await expect.poll(down).toBe(120);
    await page.goBack();
    await page.waitForURL(/dashboard/);
    await page.getByRole("heading", { name: "Solde" }).waitFor();
    await page.waitForTimeout(500);
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    await page.goto(`${portal.url}/Dashboard`);
    await page.waitForURL(`${portal.url}/dashboard`);
    await expect.poll(() => page.title()).toBe("Ma carte");
    await page.context().close();
  });

  // proves: content-security-policy
  it("leaves no fault of the security policy behind", () => expect(portal.faults).toEqual([]));
});
