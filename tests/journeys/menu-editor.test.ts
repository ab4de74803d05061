// A week of menus written by the keyboard alone, from the dishes of the past; what is typed is kept; nobody's
// allergens are said to be none unless somebody says so. With TAPS set, says how many acts a week takes.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Allergen } from "#contract/allergies/rows.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { formatDayInWords } from "#contract/french.ts";
import type { Course } from "#contract/kitchen/states.ts";
import { menusOf } from "#server/kitchen/menus.ts";
import { violationsOf } from "../axe.ts";
import { farMonday, makeCanteen, type MadeCanteen } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { returnLater } from "../return-to-page.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";

let portal: TestPortal;
let made: MadeCanteen;
let desk: Client;
/** A week of five days of service; the one before it is written. */
let monday: string;
let lastMonday: string;
const weekdays = [0, 1, 2, 3, 4];

const dishes: readonly (readonly [Course, string, Allergen[]])[][] = [
  [
    ["starter", "Soupe de potiron", ["milk"]],
    ["main", "Gratin de pâtes", ["gluten", "eggs", "milk"]],
    ["side", "Haricots verts", []],
    ["dairy", "Comté", ["milk"]],
    ["dessert", "Compote de pommes", []],
  ],
  [
    ["starter", "Betteraves vinaigrette", ["mustard", "sulphites"]],
    ["main", "Lieu à la provençale", ["fish"]],
    ["side", "Riz de Camargue", []],
    ["dairy", "Yaourt nature", ["milk"]],
    ["dessert", "Clémentines", []],
  ],
  [
    ["starter", "Velouté de lentilles", ["celery"]],
    ["main", "Omelette aux herbes", ["eggs"]],
    ["side", "Épinards à la crème", ["milk"]],
    ["dairy", "Fromage blanc", ["milk"]],
    ["dessert", "Tarte aux noix", ["gluten", "eggs", "nuts"]],
  ],
  [
    ["starter", "Carottes râpées", ["mustard"]],
    ["main", "Bœuf aux olives", ["sulphites"]],
    ["side", "Semoule", ["gluten"]],
    ["dairy", "Emmental", ["milk"]],
    ["dessert", "Poire", []],
  ],
  [
    ["starter", "Taboulé", ["gluten"]],
    ["main", "Daube de pois chiches", []],
    ["side", "Purée de céleri", ["milk", "celery"]],
    ["dairy", "Petit suisse", ["milk"]],
    ["dessert", "Banane", []],
  ],
];

const written = (day: readonly (readonly [Course, string, Allergen[] | null])[]) =>
  day.map(([course, name, allergens]) => ({
    course,
    name,
    labels: [],
    allergens,
    diets: [],
    priceCents: null,
  }));
const write = async (day: string, of: Parameters<typeof written>[0]) => {
  const answer = await desk.post("/api/canteen/menus", { day, note: "", dishes: written(of) });
  expect(answer.status).toBe(200);
};
const menus = (published = false, from = monday) =>
  menusOf(portal.server.deps.db, made.providerId, from, addDays(from, 6), { published });

beforeAll(async () => {
  portal = await openTestPortal();
  // For staff: it serves through the school holidays, whenever this runs.
  made = await makeCanteen(portal.server, { kind: "staff", seats: 120 });
  desk = await portal.server.as("canteenProvider");
  monday = farMonday(todayInParis(portal.server.clock.now()), weekdays);
  lastMonday = addDays(monday, -7);
});
beforeEach(async () => {
  await portal.server.deps.pool.query("delete from canteen_menu");
  for (const ahead of weekdays) await write(addDays(lastMonday, ahead), dishes[ahead] ?? []);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const nameOf = (page: Page, place: number) =>
  page.getByRole("combobox", { name: `Nom du plat ${place}` });
const allergensOf = (page: Page, place: number) =>
  page.getByRole("button", { name: new RegExp(`^Allergènes du plat ${place}`) });
const headOf = (page: Page, day: string) =>
  page.getByRole("heading", { name: `Menu du ${formatDayInWords(day)}`, level: 1 });
const focusedName = (page: Page) =>
  page.evaluate<string>("document.activeElement.labels?.[0]?.textContent ?? ''");

async function openEditor(page: Page, day: string): Promise<void> {
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/menu?jour=${day}`);
  await headOf(page, day).waitFor();
  await nameOf(page, 1).waitFor();
}

test("a week of five dishes a day is written and published by the keyboard alone, in half the acts", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/cantine?semaine=${monday}`);
  let [acts, keys] = [0, 0];
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
  };
  const link = page.getByRole("link", { name: `Écrire le menu du ${formatDayInWords(monday)}` });
  await link.focus();
  acts++;
  await press("Enter");
  for (const [ahead, day] of dishes.entries()) {
    await headOf(page, addDays(monday, ahead)).waitFor();
    for (const [at, [, name]] of day.entries()) {
      await expect.poll(() => focusedName(page)).toBe(`Nom du plat ${at + 1}`);
      // A choice in a list: some letters, the arrow, Enter.
      acts++;
      const letters = name.slice(0, 4);
      keys += letters.length;
      await page.keyboard.type(letters);
      await page.getByRole("listbox").getByRole("option", { name }).waitFor();
      await press("ArrowDown");
      await press("Enter");
      await expect.poll(() => nameOf(page, at + 1).inputValue()).toBe(name);
    }
    acts++;
    // Enter at the last line has made another; without a word it is no dish.
    await expect.poll(() => focusedName(page)).toBe("Nom du plat 6");
    await press("Control+Enter");
  }
  const publish = page.getByRole("button", { name: "Publier la semaine" });
  await publish.focus();
  acts++;
  await press("Enter");
  await expect.poll(() => menus(true)).toHaveLength(5);
  await expect
    .poll(async () => (await menus(true)).map((menu) => menu.dishes))
    .toEqual(dishes.map(written));
  // Before, of a dialog a day: it opened, five names, whether each dish has allergens, each allergen, it was saved.
  const chips = dishes.flat().reduce((sum, [, , allergens]) => sum + allergens.length, 0);
  const before = 5 * (1 + 5 + 5 + 1) + chips + 1;
  if (process.env["TAPS"]) console.log({ before, acts, keys });
  expect(acts * 2).toBeLessThanOrEqual(before);
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test("lines are made, left out, moved and gone through by their keys; another day is taken in one choice", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  await openEditor(page, monday);
  const names = () =>
    page
      .getByRole("combobox", { name: /^Nom du plat/ })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  const source = page.getByLabel(/^Reprendre le menu d’un autre jour/);
  await source.selectOption(lastMonday);
  const [soup, gratin, beans, cheese, compote] = (dishes[0] ?? []).map(([, name]) => name);
  await expect.poll(names).toEqual([soup, gratin, beans, cheese, compote]);
  await page.getByRole("button", { name: "Annuler la reprise" }).click();
  await expect.poll(names).toEqual(["", "", "", "", ""]);
  await page.locator("select:focus").waitFor();
  await source.selectOption(lastMonday);
  await expect.poll(names).toEqual([soup, gratin, beans, cheese, compote]);
  await nameOf(page, 2).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(names).toEqual([gratin, soup, beans, cheese, compote]);
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 3");
  await nameOf(page, 5).press("Enter");
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 6");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Backspace");
  await expect.poll(names).toHaveLength(5);
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 5");
  // Enter that is held makes one line, and Backspace that is held leaves the dish before it alone.
  for (let time = 0; time < 3; time++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 6");
  await page.keyboard.press("Escape");
  await page.keyboard.type("Thé");
  for (let time = 0; time < 9; time++) await page.keyboard.down("Backspace");
  await page.keyboard.up("Backspace");
  await expect.poll(names).toEqual([gratin, soup, beans, cheese, compote, ""]);
  await page.keyboard.press("Backspace");
  await expect.poll(names).toHaveLength(5);
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 5");
  // Changed since, the copy is not undone with what was changed; it may be taken once more.
  await page.getByRole("button", { name: "Annuler la reprise" }).waitFor({ state: "detached" });
  await page.getByLabel(/^Remplacer par le menu d’un autre jour/).selectOption(lastMonday);
  await expect.poll(names).toEqual([soup, gratin, beans, cheese, compote]);
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByRole("button", { name: "Publier la semaine" }).waitFor();
  await expect.poll(() => menus()).toMatchObject([{ dishes: written(dishes[0] ?? []) }]);
  await page.context().close();
});

test("allergens that differed are asked, a new dish has none declared, and another name forgets them", async () => {
  await write(addDays(lastMonday, 5), [["main", "Gratin de pâtes", ["gluten", "milk"]]]);
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await openEditor(page, monday);
  await nameOf(page, 2).fill("grat");
  await page.getByRole("option", { name: /Gratin de pâtes.*allergènes à confirmer/ }).click();
  await page.getByText(/ont changé d’un jour à l’autre/).waitFor();
  await allergensOf(page, 2).getByText("Non renseignés").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  await page
    .getByRole("button", {
      name: `Gluten, lait, comme le ${formatDayInWords(addDays(lastMonday, 5))}`,
    })
    .click();
  await allergensOf(page, 2).getByText("Gluten, lait").waitFor();
  // The same dish under another name: what was declared of the first is not known of it.
  await nameOf(page, 2).fill("Gratin de pâtes au jambon");
  await allergensOf(page, 2).getByText("Non renseignés").waitFor();
  await nameOf(page, 2).fill("gratin de pates");
  await allergensOf(page, 2).getByText("Gluten, lait").waitFor();
  // Whoever says that they are not declared is not answered by the past: Enter goes on.
  await nameOf(page, 4).fill("Haricots verts");
  await allergensOf(page, 4).press("Enter");
  await page
    .getByRole("group", { name: "Allergènes de Haricots verts" })
    .getByRole("button", { name: "Non renseigné", exact: true })
    .press("Enter");
  await nameOf(page, 4).press("Enter");
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 5");
  await allergensOf(page, 4).getByText("Non renseignés").waitFor();
  await page.getByRole("button", { name: "Retirer Haricots verts" }).click();
  // A dish that nobody has served; its allergens by the keyboard.
  await nameOf(page, 1).fill("Salade de mâche");
  await nameOf(page, 1).press("Enter");
  await allergensOf(page, 1).getByText("Non renseignés").waitFor();
  await nameOf(page, 1).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const grid = page.getByRole("group", { name: "Allergènes de Salade de mâche" });
  await expect
    .poll(() => grid.getByRole("button", { pressed: true }).innerText())
    .toBe("Non renseigné");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect.poll(() => grid.getByRole("button", { pressed: true }).innerText()).toBe("Gluten");
  // Taken away again, nobody has said « aucun ».
  await page.keyboard.press("Space");
  await expect
    .poll(() => grid.getByRole("button", { pressed: true }).innerText())
    .toBe("Non renseigné");
  await page.keyboard.press("Escape");
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 1");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByText("Il manque quelque chose à 5 jours.").waitFor();
  await page.getByText(/allergènes de «\s*Salade de mâche\s*» non renseignés/).waitFor();
  await expect
    .poll(() => menus())
    .toMatchObject([
      {
        dishes: [
          { name: "Salade de mâche", allergens: null },
          { name: "gratin de pates", allergens: ["gluten", "milk"] },
        ],
      },
    ]);
  await page.context().close();
});

test("a published menu is confirmed for the dishes that were named, and asks again for another", async () => {
  await write(monday, [["main", "Gratin de pâtes", ["gluten"]]]);
  const published = await desk.post("/api/canteen/menus/publish", { day: monday, published: true });
  expect(published.status).toBe(200);
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await openEditor(page, monday);
  const addDish = async (place: number, name: string) => {
    await page.getByRole("button", { name: "Ajouter un plat" }).click();
    await nameOf(page, place).fill(name);
  };
  const save = page.getByRole("button", { name: "Enregistrer", exact: true });
  const confirm = page.getByRole("button", { name: "Enregistrer ainsi", exact: true });
  const served = async () => (await menus())[0]?.dishes.map(({ name }) => name);
  await addDish(2, "Salade du chef");
  await save.click();
  await page.getByText("Le menu n’a pas été enregistré.").waitFor();
  await confirm.waitFor();
  await addDish(3, "Tarte du chef");
  await save.click();
  await confirm.waitFor();
  await expect.poll(served).toEqual(["Gratin de pâtes"]);
  await confirm.click();
  await expect.poll(served).toEqual(["Gratin de pâtes", "Salade du chef", "Tarte du chef"]);
  await page.context().close();
});

test("what is typed outlives a lost network and a reload, is named in the week, and says that the menu changed", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await openEditor(page, monday);
  await nameOf(page, 1).fill("Soupe à l’oseille");
  await page.getByText(/non enregistré, gardé dans cet onglet/).waitFor();
  await page.route("**/api/canteen/menus", (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
  await page.unroute("**/api/canteen/menus");
  await page.reload();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Soupe à l’oseille");
  await page.getByRole("link", { name: "Menus de la semaine" }).click();
  await page.getByText("Saisie non enregistrée", { exact: true }).waitFor();
  await expect.poll(() => menus()).toEqual([]);
  // A colleague writes the day meanwhile.
  await write(monday, [["starter", "Melon", []]]);
  await page.reload();
  await page.getByRole("link", { name: `Modifier le menu du ${formatDayInWords(monday)}` }).click();
  await page.getByText("Ce menu a changé depuis votre saisie.").waitFor();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Soupe à l’oseille");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByText("Plats ajoutés").waitFor();
  await page.getByRole("button", { name: "Relire le menu" }).click();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon");
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 1");
  // What is given up by mistake comes back, and goes again.
  await page.getByRole("button", { name: "Reprendre la saisie" }).click();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Soupe à l’oseille");
  await page.getByRole("button", { name: "Abandonner la saisie" }).click();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon");
  await page.getByText("1 plat, brouillon", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Menus de la semaine" }).click();
  // The name alone: that of the week, not one of the editor that it leaves.
  await page.getByText("Melon", { exact: true }).waitFor();
  await expect.poll(() => page.getByText("Saisie non enregistrée").count()).toBe(0);
  await page.context().close();
});

test("what is typed while a menu is saved stays in view, and is saved next", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await openEditor(page, monday);
  await nameOf(page, 1).fill("Soupe à l’oseille");
  const { promise: isTyped, resolve: go } = Promise.withResolvers<void>();
  await page.route("**/api/canteen/menus", async (route) => {
    if (route.request().method() === "POST") await isTyped;
    await route.fallback();
  });
  const sent = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().endsWith("/api/canteen/menus"),
  );
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await sent;
  await nameOf(page, 2).fill("Tarte aux poireaux");
  go();
  await expect.poll(() => menus()).toMatchObject([{ dishes: [{ name: "Soupe à l’oseille" }] }]);
  await page.getByText(/non enregistré, gardé dans cet onglet/).waitFor();
  await expect.poll(() => page.getByText("Ce menu a changé").count()).toBe(0);
  await page.unroute("**/api/canteen/menus");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByRole("button", { name: "Publier la semaine" }).waitFor();
  await expect
    .poll(() => menus())
    .toMatchObject([{ dishes: [{ name: "Soupe à l’oseille" }, { name: "Tarte aux poireaux" }] }]);
  await page.context().close();
});

test("a menu that nobody types in follows what a colleague saves", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await openEditor(page, monday);
  await write(monday, [["starter", "Melon", []]]);
  await page.reload();
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon");
  await write(monday, [["starter", "Melon au jambon", ["sulphites"]]]);
  await returnLater(page);
  await expect.poll(() => nameOf(page, 1).inputValue()).toBe("Melon au jambon");
  await allergensOf(page, 1)
    .getByText(/sulfites/i)
    .waitFor();
  await expect.poll(() => page.getByText("Ce menu a changé").count()).toBe(0);
  await page.context().close();
});

test("a week is five columns at 1280, thin where nothing is written, and a list on a phone; an empty one takes the last in one act", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(page, "canteenProvider");
  await write(monday, [...(dishes[0] ?? [])]);
  await page.goto(`/pro/cantine?semaine=${monday}`);
  const days = page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 3 }) });
  const boxes = async () => await Promise.all((await days.all()).map((day) => day.boundingBox()));
  await expect.poll(async () => new Set((await boxes()).map((box) => box?.y)).size).toBe(1);
  await expect
    .poll(async () => {
      const [full, empty] = (await boxes()).map((box) => box?.width ?? 0);
      return (full ?? 0) > 2 * (empty ?? 0);
    })
    .toBe(true);
  await days.first().getByText("120 places").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(async () => new Set((await boxes()).map((box) => box?.x)).size).toBe(1);
  await expect.poll(async () => ((await boxes())[1]?.height ?? 99) < 80).toBe(true);
  await expectNoHorizontalScroll(page);
  await page.goto(`/pro/cantine?semaine=${addDays(monday, 7)}`);
  await page.getByRole("button", { name: "Copier la semaine d’avant" }).press("Enter");
  await page.locator("h2:focus").waitFor();
  await page.getByText("Brouillon", { exact: true }).waitFor();
  await expect
    .poll(() => menus(false, addDays(monday, 7)))
    .toMatchObject([{ published: false, dishes: written(dishes[0] ?? []) }]);
  await page.context().close();
});

test("the next day begins at its first line, also where it is written; heads stand above their columns", async () => {
  for (const ahead of [0, 1]) await write(addDays(monday, ahead), dishes[ahead] ?? []);
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await openEditor(page, monday);
  const leftOf = async (locator: Locator) => Math.round((await locator.boundingBox())?.x ?? 0);
  await expect
    .poll(async () => {
      const head = await leftOf(page.getByText("Allergènes", { exact: true }).first());
      return head - (await leftOf(allergensOf(page, 1)));
    })
    .toBe(0);
  await page.getByRole("button", { name: "Enregistrer, puis mardi" }).press("Enter");
  await headOf(page, addDays(monday, 1)).waitFor();
  await expect.poll(() => focusedName(page)).toBe("Nom du plat 1");
  await page.context().close();
});

test("a day that is past or unknown leads back to its week; who does not cook is told so", async () => {
  const page = await portal.open();
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/menu?jour=${addDays(todayInParis(portal.server.clock.now()), -1)}`);
  await page.getByText("Ce jour est passé.").waitFor();
  await page.goto("/pro/menu?jour=abc");
  await page.getByText("Choisissez un jour.").waitFor();
  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  await holder.goto(`/pro/menu?jour=${monday}`);
  await holder.waitForURL(/\/dashboard$/);
});
