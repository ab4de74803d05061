// What a cook types in a menu, and where the keyboard is: neither is lost to a list, a colleague or a slow answer.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Allergen } from "#contract/allergies/rows.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { capital, formatDayInWords, formatShortDay } from "#contract/french.ts";
import { maxDishes } from "#contract/kitchen/menus.ts";
import { menusOf } from "#server/kitchen/menus.ts";
import { farMonday, makeCanteen, type MadeCanteen } from "../canteens.ts";
import { returnLater } from "../return-to-page.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";

let portal: TestPortal;
let made: MadeCanteen;
let colleague: Client;
let monday: string;
let lastMonday: string;
beforeAll(async () => {
  portal = await openTestPortal();
  made = await makeCanteen(portal.server, { kind: "staff", seats: 120 });
  colleague = await portal.server.as("canteenProvider");
  monday = farMonday(todayInParis(portal.server.clock.now()), [0, 1, 2, 3, 4]);
  lastMonday = addDays(monday, -7);
});
beforeEach(async () => {
  await portal.server.deps.pool.query("delete from canteen_menu");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

type Written = readonly (readonly [name: string, allergens: readonly Allergen[] | null])[];
async function write(day: string, ...of: Written): Promise<void> {
  const dishes = of.map(([name, allergens]) => ({
    course: "starter",
    name,
    labels: [],
    allergens,
    diets: [],
    priceCents: null,
  }));
  const answer = await colleague.post("/api/canteen/menus", { day, note: "", dishes });
  expect(answer.status).toBe(200);
}
const menuOn = (day: string) =>
  menusOf(portal.server.deps.db, made.providerId, day, day, { published: false });
const nameOf = (page: Page, place: number) =>
  page.getByRole("combobox", { name: `Nom du plat ${place}`, exact: true });
const allergensOf = (page: Page, place: number) =>
  page.getByRole("button", { name: new RegExp(`^Allergènes du plat ${place}`) });
const focusedName = (page: Page) =>
  page.evaluate<string>("document.activeElement.labels?.[0]?.textContent ?? ''");

async function openEditor(): Promise<Page> {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/menu?jour=${monday}`);
  await nameOf(page, 1).waitFor();
  return page;
}

test("a list of days that is gone through is undone to what was typed before it", async () => {
  await write(lastMonday, ["Melon", []]);
  await write(addDays(lastMonday, 1), ["Poire", []]);
  const page = await openEditor();
  await nameOf(page, 1).fill("Soupe à l’oseille");
  const source = page.getByLabel(/le menu d’un autre jour/);
  // As the arrows of a closed list do: each day that they pass is taken.
  await source.selectOption(lastMonday);
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon");
  await source.selectOption(addDays(lastMonday, 1));
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Poire");
  await page.getByRole("button", { name: "Annuler la reprise" }).click();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Soupe à l’oseille");
  await page.context().close();
});

test("what a colleague saves takes the keyboard out of no note, and leaves no other dish unfolded", async () => {
  await write(monday, ["Melon", []]);
  const page = await openEditor();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon");
  await page.getByLabel(/^Note pour les familles/).focus();
  await write(monday);
  await returnLater(page);
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("");
  await expect.poll(() => focusedName(page)).toMatch(/^Note pour les familles/);
  await write(monday, ["Melon", []]);
  await returnLater(page);
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon");
  await allergensOf(page, 1).click();
  await page.getByRole("group", { name: "Allergènes de Melon" }).waitFor();
  await write(monday, ["Noix", ["nuts"]], ["Melon", []]);
  await returnLater(page);
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Noix");
  await expect.poll(() => page.getByRole("group", { name: /^Allergènes de/ }).count()).toBe(0);
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 1");
  await page.context().close();
});

test("a save that is answered late leads nobody away from the day that is written meanwhile", async () => {
  const page = await openEditor();
  await nameOf(page, 1).fill("Soupe à l’oseille");
  const { promise: hasGone, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/canteen/menus", async (route) => {
    if (route.request().method() === "POST") await hasGone;
    await route.fallback();
  });
  const save = page.getByRole("button", { name: "Enregistrer", exact: true });
  const sent = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().endsWith("/api/canteen/menus"),
  );
  await save.click();
  await sent;
  const tuesday = addDays(monday, 1);
  const words = formatDayInWords(tuesday);
  await page.getByRole("link", { name: capital(formatShortDay(tuesday)), exact: true }).click();
  await page.getByRole("heading", { name: `Menu du ${words}`, level: 1 }).waitFor();
  await nameOf(page, 1).fill("Poire");
  answer();
  await page.getByText(/^1 plat, brouillon/).waitFor();
  await nameOf(page, 2).fill("Riz");
  await save.click();
  await page.getByRole("button", { name: "Publier la semaine" }).waitFor();
  await expect
    .poll(() => menuOn(monday))
    .toMatchObject([{ dishes: [{ name: "Soupe à l’oseille" }] }]);
  await expect
    .poll(() => menuOn(tuesday))
    .toMatchObject([{ dishes: [{ name: "Poire" }, { name: "Riz" }] }]);
  await page.context().close();
});

test("on the last line a dish that was taken under declared allergens forgets them under another name", async () => {
  await write(lastMonday, ["Melon", []]);
  const many = Array.from({ length: maxDishes - 1 }, (_, at) => [`Plat ${at + 1}`, []] as const);
  await write(monday, ...many);
  const page = await openEditor();
  await page.getByRole("button", { name: "Ajouter un plat" }).click();
  await allergensOf(page, maxDishes).click();
  await page
    .getByRole("group", { name: "Allergènes de ce plat" })
    .getByRole("button", { name: "Céleri", exact: true })
    .click();
  const name = nameOf(page, maxDishes);
  await name.pressSequentially("Melo");
  await page.getByRole("option", { name: /^Melon/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => name.inputValue()).toBe("Melon");
  await allergensOf(page, maxDishes).getByText("Aucun").waitFor();
  await page.keyboard.type(" au jambon");
  await expect.poll(() => name.inputValue()).toBe("Melon au jambon");
  await allergensOf(page, maxDishes).getByText("Non renseignés").waitFor();
  await page.context().close();
});

test("allergens that a former name had are taken by the keyboard, which goes on; no other line is unfolded", async () => {
  await write(monday, ["Melon", ["milk"]], ["Poire", []]);
  const page = await openEditor();
  await nameOf(page, 1).fill("Melon du jardin");
  await allergensOf(page, 1).getByText("Non renseignés").waitFor();
  await allergensOf(page, 1).press("Enter");
  await page.getByRole("button", { name: /^Comme avant le changement de nom/ }).press("Enter");
  await allergensOf(page, 1).getByText("Lait").waitFor();
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 2");
  // The line that is made next is not unfolded as the one that was taken away.
  await allergensOf(page, 2).click();
  await page.getByRole("group", { name: "Allergènes de Poire" }).waitFor();
  await page.getByRole("button", { name: "Retirer Poire" }).click();
  await page.getByRole("button", { name: "Ajouter un plat" }).click();
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 2");
  await expect.poll(() => page.getByRole("group", { name: /^Allergènes de/ }).count()).toBe(0);
  await page.context().close();
});

test("undeclared allergens are confirmed for the week that was asked about, whichever is shown by then", async () => {
  const nextMonday = addDays(monday, 7);
  await write(monday, ["Melon", null]);
  await write(nextMonday, ["Poire", null]);
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/cantine?semaine=${nextMonday}`);
  await page.getByText("Poire", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Semaine précédente" }).click();
  await page.getByText("Melon", { exact: true }).waitFor();
  const { promise: hasGone, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/canteen/menus/publish", async (route) => {
    await hasGone;
    await route.fallback();
  });
  const sent = page.waitForRequest("**/api/canteen/menus/publish");
  await page.getByRole("button", { name: "Publier la semaine" }).click();
  await sent;
  await page.getByRole("button", { name: "Semaine suivante" }).click();
  await page.getByText("Poire", { exact: true }).waitFor();
  answer();
  await page.getByRole("button", { name: "Publier ainsi" }).click();
  await expect.poll(() => menuOn(monday)).toMatchObject([{ published: true }]);
  await expect.poll(() => menuOn(nextMonday)).toMatchObject([{ published: false }]);
  await page.context().close();
});

test("Enter takes the past dish of the very name that is typed, however many begin like it", async () => {
  await write(lastMonday, ["Riz", ["milk"]]);
  const many = Array.from({ length: 9 }, (_, at) => [`Riz au four ${at + 1}`, []] as const);
  await write(addDays(lastMonday, 1), ...many);
  const page = await openEditor();
  await nameOf(page, 1).fill("riz");
  await page.getByRole("option", { name: /^Riz\s+lait/ }).waitFor();
  await nameOf(page, 1).press("Enter");
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Riz");
  await allergensOf(page, 1).getByText("Lait").waitFor();
  await page.context().close();
});
