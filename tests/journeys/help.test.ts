// Finding an answer with a typing error, and saying whether it helped.
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test("a question typed with mistakes leads to its answer; the vote can change", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "guardian");
  // One tap away on a phone as well, whose bar keeps its places for the card.
  await page.getByRole("link", { name: "Aide", exact: true }).click();
  await page.getByRole("heading", { name: "Argent et recharges" }).waitFor();
  await page.getByLabel("Que cherchez-vous ?").fill("xylophone");
  await page.getByText("Rien ne correspond à votre recherche").waitFor();
  await page.getByLabel("Que cherchez-vous ?").fill("carte perdu opposision");
  await page.getByRole("link", { name: /J’ai perdu ma carte/ }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("carte perdu opposision");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: /J’ai perdu ma carte/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /J’ai perdu ma carte/, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Oui" }).click();
  await page.getByText("Merci, c’est noté.").waitFor();
  await press(page.getByRole("button", { name: "Non" }), "Enter");
  await page.locator("button[aria-pressed=true]", { hasText: "Non" }).waitFor();
  await page.reload();
  await page.locator("button[aria-pressed=true]", { hasText: "Non" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expect
    .poll(() =>
      portal.server.deps.db.selectFrom("faqVote").select(["articleId", "useful"]).execute(),
    )
    .toEqual([{ articleId: "carte-perdue", useful: false }]);
  await page.goto("/faq/inconnue");
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.context().close();
});

test("an answer on the canteen is found by its word, and leads to the screen that it names", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.login(page, "guardian");
  await page.goto("/faq?q=malade");
  await page.getByRole("link", { name: /Mon enfant est malade/ }).click();
  await page.getByRole("heading", { name: /Mon enfant est malade/, level: 1 }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/help-answer.png`, fullPage: true });
  await page.getByRole("main").getByRole("link", { name: "Suivi des repas" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  await page.goto("/faq");
  await page.getByRole("heading", { name: "Cantine" }).waitFor();
  if (folder) await page.screenshot({ path: `${folder}/help-list.png`, fullPage: true });
  await page.context().close();
});
