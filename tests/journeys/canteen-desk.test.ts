// The desk of a provider: a week of menus written, published, copied and kept; nobody else enters.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceDayFrom } from "#contract/kitchen/service-day.ts";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { formatDayInWords } from "#contract/french.ts";
import { menusOf } from "#server/kitchen/menus.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let made: MadeCanteen;
let monday: string;
beforeAll(async () => {
  portal = await openTestPortal();
  made = await makeCanteen(portal.server);
  // The week after the one that the desk opens on.
  const serviceDay = serviceDayFrom(todayInParis(portal.server.clock.now()), [
    { weekdays: [0, 1, 2, 3, 4] },
  ]);
  monday = addDays(startOfWeek(serviceDay), 7);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const menus = (from: string, published = false) =>
  menusOf(portal.server.deps.db, made.providerId, from, addDays(from, 6), { published });
const chip = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();

test("a week is written on a phone, published, copied over another and kept as a template", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.login(page, "canteenProvider");
  await page.getByRole("link", { name: "Cantine", exact: true }).first().click();
  await page.getByRole("heading", { name: "Cantine", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Semaine suivante" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("semaine")).toBe(monday);
  const words = formatDayInWords(monday);
  await page.getByRole("link", { name: `Écrire le menu du ${words}` }).click();
  await page.getByRole("heading", { name: `Menu du ${words}`, level: 1 }).waitFor();
  const dialog = page.getByRole("dialog");
  const save = page.getByRole("button", { name: "Enregistrer", exact: true });
  const allergensOf = (place: number) =>
    page.getByRole("button", { name: new RegExp(`^Allergènes du plat ${place}`) });
  const detailsOf = (place: number) =>
    page.getByRole("button", { name: `Labels, régimes et prix du plat ${place}` });
  await allergensOf(1).click();
  await chip(page, "Céleri").click();
  await save.click();
  await page.getByText("Donnez un nom à ce plat").first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // Letter by letter: what was declared before the dish had a name is of it.
  await page.getByRole("combobox", { name: "Nom du plat 1" }).pressSequentially("Soupe de céleri");
  await detailsOf(1).click();
  await chip(page, "Bio").click();
  await page.getByRole("combobox", { name: "Nom du plat 2" }).fill("Omelette");
  await detailsOf(2).click();
  const diets = page.getByRole("group", { name: "Régimes du plat 2" });
  await diets.getByRole("button", { name: "Sans porc" }).click();
  await page.getByText(/servi aux régimes.: sans porc$/).waitFor();
  // A dish that is asked for has the keyboard at its name.
  await page.getByRole("button", { name: "Ajouter un plat" }).press("Enter");
  await page.locator('[aria-label="Plats du menu"] li:nth-child(6) input:focus').waitFor();
  await page.getByRole("button", { name: "Retirer le plat 6" }).click();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  // Lines without a word are no dishes.
  await save.click();
  await page.getByText("Brouillon", { exact: true }).waitFor();
  const edit = page.getByRole("link", { name: `Modifier le menu du ${words}` });
  await edit.waitFor();
  await expect
    .poll(() => menus(monday))
    .toMatchObject([
      {
        day: monday,
        dishes: [
          {
            course: "starter",
            name: "Soupe de céleri",
            labels: ["organic"],
            allergens: ["celery"],
          },
          { course: "main", name: "Omelette", labels: [], allergens: null, diets: ["no_pork"] },
        ],
      },
    ]);
  await page.getByText(/^Pour les régimes.: sans porc$/).waitFor();
  await page.getByText("objectif 20 % atteint").waitFor();
  await expect.poll(() => menus(monday, true)).toEqual([]);
  await page.getByRole("button", { name: "Publier la semaine" }).click();
  const confirmation = page.getByRole("alertdialog", {
    name: "Des allergènes ne sont pas renseignés",
  });
  await confirmation.getByText(/familles qui ont déclaré un allergène/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await confirmation.getByRole("button", { name: "Les renseigner" }).click();
  await expect.poll(() => menus(monday, true)).toEqual([]);
  await edit.click();
  await allergensOf(2).click();
  await page
    .getByRole("group", { name: "Allergènes de Omelette" })
    .getByRole("button", { name: "Aucun", exact: true })
    .click();
  await save.click();
  await page.getByText("Aucun allergène", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Publier la semaine" }).click();
  await page.getByText("Publié", { exact: true }).waitFor();
  await expect.poll(() => menus(monday, true)).toHaveLength(1);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);

  const open = async (item: string) => {
    await page.getByRole("button", { name: "Copier ou importer" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await open("Copier cette semaine…");
  await dialog.getByRole("button", { name: "Copier les menus" }).click();
  const next = addDays(monday, 7);
  await expect.poll(() => new URL(page.url()).searchParams.get("semaine")).toBe(next);
  await expect
    .poll(() => menus(next))
    .toMatchObject([{ day: next, published: false, dishes: [{}, {}] }]);

  await open("Semaines types…");
  await dialog.getByLabel("Garder cette semaine sous le nom").fill("Semaine d’hiver");
  await dialog.getByRole("button", { name: "Garder comme semaine type" }).click();
  await dialog.getByRole("button", { name: "Poser Semaine d’hiver" }).click();
  const lay = dialog.getByRole("button", { name: "Poser la semaine type" });
  // The day has a menu already: nothing is written unless it is ticked.
  await expect.poll(() => lay.isDisabled()).toBe(true);
  await dialog.getByRole("checkbox", { name: /^Remplacer le menu du/ }).check();
  expect(await violationsOf(page)).toEqual([]);
  await lay.click();
  await dialog.waitFor({ state: "hidden" });
  await expect
    .poll(() => menus(next))
    .toMatchObject([{ dishes: [{ name: "Soupe de céleri" }, {}] }]);
});

test.each([360, 1280])(
  "at %s px: a week copied onto a published one says what is published and ordered, and leaves it published",
  async (width) => {
    const { pool } = portal.server.deps;
    const [from, to] = [addDays(monday, 49), addDays(monday, 56)];
    const dish = { course: "main", labels: [], diets: [], priceCents: null };
    const desk = await portal.server.as("canteenProvider");
    const write = (day: string, name: string, allergens: string[]) =>
      desk.post("/api/canteen/menus", { day, note: "", dishes: [{ ...dish, name, allergens }] });
    await pool.query("delete from meal_order; delete from canteen_day");
    await pool.query("delete from canteen_menu where on_day >= $1", [from]);
    for (const ahead of [0, 1]) {
      await write(addDays(from, ahead), "Gratin", ["milk"]);
      await write(addDays(to, ahead), "Lieu", ["fish"]);
    }
    await desk.post("/api/canteen/menus/publish", { day: to, published: true });
    await placeMeal(portal.server, { registration: made.registrations.child, day: to });
    const page = await portal.open({ viewport: { width, height: 740 }, colorScheme: "dark" });
    await portal.signIn(page, "canteenProvider");
    await page.goto(`/pro/cantine?semaine=${from}`);
    await page.getByRole("button", { name: "Copier ou importer" }).click();
    await page.getByRole("menuitem", { name: "Copier cette semaine…" }).click();
    const dialog = page.getByRole("dialog");
    const day = dialog.getByRole("listitem").filter({ hasText: formatDayInWords(to) });
    for (const said of ["Publié", "1 repas commandé", "Lieu", "Gratin", "lait"]) {
      await day.getByText(said, { exact: true }).waitFor();
    }
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await day.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Copier les menus" }).click();
    await page.getByText("Menus remplacés.").waitFor();
    await expect
      .poll(() => menus(to, true))
      .toMatchObject([
        { day: to, dishes: [{ name: "Gratin" }] },
        { day: addDays(to, 1), dishes: [{ name: "Lieu" }] },
      ]);
  },
);

test("of a week, the day with an undeclared dish waits by name while the others are published", async () => {
  const week = addDays(monday, 70);
  const dish = { course: "main", labels: [], diets: [], priceCents: null };
  const desk = await portal.server.as("canteenProvider");
  const write = (day: string, name: string, allergens: string[] | null) =>
    desk.post("/api/canteen/menus", { day, note: "", dishes: [{ ...dish, name, allergens }] });
  await write(week, "Gratin", ["milk"]);
  await write(addDays(week, 1), "Lieu", null);
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/cantine?semaine=${week}`);
  await page.getByRole("button", { name: "Publier la semaine" }).click();
  const confirmation = page.getByRole("alertdialog", {
    name: "Des allergènes ne sont pas renseignés",
  });
  await confirmation.getByText(/Les autres jours sont publiés\. .*Lieu \(mardi/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expect.poll(() => menus(week, true)).toMatchObject([{ day: week }]);
  await confirmation.getByRole("button", { name: "Publier ainsi" }).click();
  await confirmation.waitFor({ state: "hidden" });
  await expect.poll(() => menus(week, true)).toHaveLength(2);
});

test("a file of menus is previewed with its faults, mended, and imported", async () => {
  const later = addDays(monday, 35);
  const csv = (allergen: string, ofOther = "lait") => ({
    name: "menus.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      [
        "menuDate;menuPlatType;menuPlatNom;menuPlatAllergene;menuRestaurantNom",
        `${later};entrée;Salade;moutarde;Les Embruns`,
        `${later};plat principal;Gratin;"${allergen}, œufs";Les Embruns`,
        `${later};plat principal;Purée;${ofOther};La Crèche`,
      ].join("\n"),
    ),
  });
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto("/pro/cantine");
  await page.getByRole("button", { name: "Copier ou importer" }).click();
  await page.getByRole("menuitem", { name: "Importer un fichier…" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("Fichier de menus");
  await field.setInputFiles({
    name: "menus.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from("%PDF-1.4\n%%EOF"),
  });
  await dialog.getByText("Ce fichier est un PDF, pas un CSV.").waitFor();
  await field.setInputFiles(csv("lactoze"));
  await dialog.getByText("Ligne 3, menuPlatAllergene (Les Embruns)").waitFor();
  const submit = dialog.getByRole("button", { name: /^Importer/ });
  await expect.poll(() => submit.isDisabled()).toBe(true);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  // A fault of another restaurant is told, and does not keep this one from being imported.
  await field.setInputFiles(csv("lait", "lactoze"));
  await dialog.getByText("Ligne 4, menuPlatAllergene (La Crèche)").waitFor();
  await dialog.getByLabel("Menu à importer").selectOption("Les Embruns");
  await dialog.getByText("1 nouveau, 0 remplacé").waitFor();
  await field.setInputFiles(csv("lait"));
  await dialog.getByText("1 nouveau, 0 remplacé").waitFor();
  await dialog.getByLabel("Menu à importer").selectOption("La Crèche");
  await dialog.getByText("Purée").waitFor();
  await dialog.getByLabel("Menu à importer").selectOption("Les Embruns");
  await dialog.getByText("Salade, Gratin").waitFor();
  await dialog.getByLabel("Publier ces menus tout de suite").check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Importer 1 jour" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => new URL(page.url()).searchParams.get("semaine")).toBe(later);
  await page.getByText("Gratin").waitFor();
  await expect
    .poll(() => menus(later, true))
    .toMatchObject([
      { dishes: [{ name: "Salade" }, { name: "Gratin", allergens: ["milk", "eggs"] }] },
    ]);
});

test("the quantities of a day are read, followed to the next day and kept as a PDF", async () => {
  const day = addDays(monday, 7);
  await placeMeal(portal.server, { registration: made.registrations.child, day });
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/cantine?onglet=quantites&jour=${addDays(day, -1)}`);
  await page.getByRole("button", { name: "Jour suivant" }).click();
  const service = page.getByRole("region", { name: "École des Embruns" });
  await service.getByText("1 portion à cuisiner").waitFor();
  await page.getByRole("cell", { name: /Soupe de céleri/ }).waitFor();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "PDF sans noms" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`cantine-quantites-${day}.pdf`);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByRole("tablist").isVisible()).toBe(false);
  await expect.poll(() => page.getByRole("button", { name: "Imprimer" }).isVisible()).toBe(false);
  await expect.poll(() => service.isVisible()).toBe(true);
});

test("a dish without a label counts who eats no pork among the portions to replace", async () => {
  const { pool } = portal.server.deps;
  const day = addDays(monday, 63);
  const desk = await portal.server.as("canteenProvider");
  const dish = { course: "main", labels: [], diets: [], priceCents: null, allergens: ["milk"] };
  await desk.post("/api/canteen/menus", { day, note: "", dishes: [{ ...dish, name: "Saucisse" }] });
  await placeMeal(portal.server, { registration: made.registrations.child, day, priceCents: 0 });
  const diet = (value: string) =>
    pool.query("update canteen_registration set diet = $1 where id = $2", [
      value,
      made.registrations.child,
    ]);
  await diet("no_pork");
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/cantine?onglet=quantites&jour=${day}`);
  await page.getByRole("cell", { name: /1\s*: 1 sans porc/ }).waitFor();
  await page.getByText(/chaque repas compte une fois/).waitFor();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await diet("standard");
});

test("a message to a class is reviewed with its readers, sent once and kept", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(page, "canteenProvider");
  await page.goto("/pro/cantine?onglet=messages");
  await page.getByText("Aucun message envoyé.").waitFor();
  const review = page.getByRole("button", { name: "Relire avant l’envoi" });
  await review.click();
  await page.getByText("Donnez un titre à ce message.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("À qui").selectOption("registered");
  await page.getByLabel("Classe").selectOption("CP");
  await page.getByRole("textbox", { name: "Titre" }).fill("Semaine du goût");
  await page.getByRole("textbox", { name: "Message" }).fill("Des plats d’ailleurs.\nBon appétit.");
  await review.click();
  await page.getByText("Personne ne recevrait ce message.").waitFor();
  await page.getByLabel("Classe").selectOption("CE1");
  await review.click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("Tous les inscrits, CE1").waitFor();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: /^Envoyer à \d+ personnes$/ }).dblclick();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("1 message affiché").waitFor();
  await page.locator("summary", { hasText: "Semaine du goût" }).click();
  await page.getByText("Des plats d’ailleurs.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const { rows } = await portal.server.deps.pool.query("select title from canteen_message");
  expect(rows).toEqual([{ title: "Semaine du goût" }]);
});

test("a request is refused with a reason, another accepted, and the class printed", async () => {
  const { pool } = portal.server.deps;
  const states = async () =>
    (
      await pool.query(
        "select state, reason from canteen_registration where canteen_id = $1 order by id",
        [made.id],
      )
    ).rows;
  await pool.query("update canteen_registration set state = 'requested'");
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto("/pro/cantine?onglet=inscriptions");
  const { child, secondChild } = cast;
  await page.getByRole("tab", { name: "Inscriptions 2" }).waitFor();
  await page.getByRole("button", { name: `Refuser ${child.name}` }).click();
  await page.getByRole("button", { name: "Refuser l’inscription" }).click();
  await page.getByText("Dites pourquoi").waitFor();
  await page.getByRole("textbox", { name: "Raison" }).fill("Plus de place en CE1.");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Refuser l’inscription" }).click();
  await page.getByRole("button", { name: `Refuser ${child.name}` }).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: `Accepter ${secondChild.name}` }).click();
  await page.getByText("Aucune demande n’attend de réponse.").waitFor();
  await page.getByRole("tab", { name: "Inscriptions", exact: true }).waitFor();
  await expect.poll(states).toEqual(
    expect.arrayContaining([
      { state: "refused", reason: "Plus de place en CE1." },
      { state: "accepted", reason: null },
    ]),
  );
  await page.getByRole("button", { name: /^CE1/ }).click();
  await page.getByText(secondChild.name, { exact: true }).waitFor();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Liste en PDF" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("cantine-inscrits.pdf");
  await page
    .getByRole("button", { name: `Mettre fin à l’inscription de ${secondChild.name}` })
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Mettre fin" }).click();
  await page.getByText("Personne n’est inscrit ici").waitFor();
});

test("another professional finds no canteen and no place in the menu; a holder is sent home", async () => {
  const shop = await portal.open();
  await portal.signIn(shop, "partnerShop");
  await shop.goto("/pro/cantine");
  await shop.getByText("Aucune cantine n’est rattachée à votre compte.").waitFor();
  const navigation = shop.getByRole("navigation", { name: "Navigation principale" });
  await expect.poll(() => navigation.getByRole("link", { name: "Cantine" }).count()).toBe(0);
  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  await holder.goto("/pro/cantine");
  await holder.waitForURL(/\/dashboard$/);
});

test("the shares of a year's purchases are declared, and read by families", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(page, "canteenProvider");
  await page.goto("/pro/cantine");
  await page.getByRole("button", { name: "Déclarer une année" }).click();
  const dialog = page.getByRole("dialog", { name: "Déclarer une année d’achats" });
  const [whole, organic] = [/^Produits durables/, /^dont biologiques/].map((name) =>
    dialog.getByRole("textbox", { name }),
  ) as [Locator, Locator];
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await dialog.getByText("Saisissez un nombre entier, de 0 à 100.").first().waitFor();
  await whole.fill("20");
  await organic.fill("22");
  await page.keyboard.press("Enter");
  await dialog.getByText(/sa part ne peut pas dépasser/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await whole.fill("54");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText(/54\s% durables et de qualité, dont 22\s% biologiques/).waitFor();
  await page.context().close();

  const family = await portal.open();
  await portal.signIn(family, "guardian");
  await family.goto(`/commande/cantine/cantine/${made.groupId}`);
  await family.getByText(/: 54\s% durables et de qualité/).waitFor();
  await family.context().close();
});

test("nothing moves under the eyes while the desk opens on a phone", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await page.addInitScript(
    "self.moved=[];new PerformanceObserver((list)=>{for(const one of list.getEntries())" +
      "if(!one.hadRecentInput&&one.value>0.02)self.moved.push(one.value+' '+one.sources.map(" +
      "(source)=>source.node?.className))}).observe({type:'layout-shift',buffered:true})",
  );
  await portal.login(page, "canteenProvider");
  for (const tab of [
    "",
    "quantites",
    "inscriptions",
    "absences",
    "messages",
    "regles",
    "fermetures",
    "releve",
  ]) {
    await page.goto(tab === "" ? "/pro/cantine" : `/pro/cantine?onglet=${tab}`);
    await page.getByRole("heading", { name: "Cantine", level: 1 }).waitFor();
    await page.waitForTimeout(300);
    await page.locator(".skeletons").first().waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("self.moved"), { message: tab }).toEqual([]);
  }
  for (const path of ["/partenaire/Suivi_cantine", "/partenaire/validation"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForTimeout(300);
    await page.locator(".skeletons").first().waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("self.moved"), { message: path }).toEqual([]);
  }
  await page.context().close();
});
