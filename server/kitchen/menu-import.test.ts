// Menus imported from a file of the schema menus-collectifs: read in every form that spreadsheets give
// it, previewed, written all or none, refused by line.
import { buffer } from "node:stream/consumers";
import yazl from "yazl";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { menusOf } from "./menus.ts";

let server: TestServer;
let desk: Client;
let made: MadeCanteen;
let monday: string;
let tuesday: string;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
  desk = await server.as("canteenProvider");
  monday = addDays(startOfWeek(todayInParis(server.clock.now())), 7);
  tuesday = addDays(monday, 1);
});
afterAll(() => server.close());
beforeEach(async () => {
  // Past the minute of the row's rate.
  server.clock.advance(61_000);
  await server.deps.pool.query("delete from canteen_menu");
});

const path = "/api/canteen/menus/import";
const binary = { "content-type": "application/octet-stream" };
const toBytes = (file: string | Buffer) => (typeof file === "string" ? Buffer.from(file) : file);
const preview = (file: string | Buffer, query = "prices=false", client = desk) =>
  client.post(`${path}/preview?${query}`, toBytes(file), binary);
const write = (file: string | Buffer, fingerprint: string, query = "prices=false&publish=false") =>
  desk.post(`${path}?${query}&fingerprint=${fingerprint}`, toBytes(file), binary);
const menus = () =>
  menusOf(server.deps.db, made.providerId, monday, addDays(monday, 30), { published: false });

const titles = "menuDate;menuRepasType;menuPlatType;menuPlatNom;menuPlatAllergene";
const soup = (day = monday) => `${day};déjeuner;entrée;Soupe;["céleri","lait"]`;
const omelette = (day = monday) => `${day};déjeuner;plat principal;Omelette;œufs`;
const fileOf = (...lines: string[]) => `${[titles, ...lines].join("\n")}\n`;

/** Characters of Windows-1252 that Latin-1 has elsewhere or not at all. */
const windows1252 = (text: string) => {
  const own = new Map([
    ["Œ", 0x8c],
    ["œ", 0x9c],
    ["–", 0x96],
    ["€", 0x80],
    ["’", 0x92],
  ]);
  return Buffer.from(Array.from(text, (one) => own.get(one) ?? one.charCodeAt(0)));
};
const utf16 = (text: string, mark = "\ufeff") => Buffer.from(`${mark}${text}`, "utf16le");

describe("POST /api/canteen/menus/import/preview", () => {
  test("says what would be written, new and replaced, and writes nothing", async () => {
    await desk.post("/api/canteen/menus", {
      day: tuesday,
      note: "",
      dishes: [
        {
          course: "main",
          name: "Lieu",
          labels: [],
          allergens: ["fish"],
          diets: [],
          priceCents: null,
        },
      ],
    });
    await desk.post("/api/canteen/menus/publish", { day: tuesday, published: true });
    const before = await menus();
    const { status, body } = await preview(fileOf(soup(tuesday), omelette(), soup()));
    expect(status).toBe(200);
    expect(body).toMatchObject({ sources: [""], faults: [], stopped: false });
    const dish = { labels: [], diets: [], priceCents: null };
    expect(body.days).toEqual([
      {
        day: monday,
        note: "",
        there: "nothing",
        dishes: [
          { ...dish, course: "starter", name: "Soupe", allergens: ["celery", "milk"] },
          { ...dish, course: "main", name: "Omelette", allergens: ["eggs"] },
        ],
      },
      {
        day: tuesday,
        note: "",
        there: "published",
        dishes: [{ ...dish, course: "starter", name: "Soupe", allergens: ["celery", "milk"] }],
      },
    ]);
    expect(await menus()).toEqual(before);
  });

  test("reads every encoding that spreadsheets write, with Œ, œ, – and €", async () => {
    const text = fileOf(`${monday};déjeuner;entrée;Œuf – sauce à 1 €, l’été;œuf`);
    const files = {
      "UTF-8": text,
      "UTF-8 with its mark": `\ufeff${text}`,
      "Windows-1252": windows1252(text),
      "UTF-16": utf16(text),
      "UTF-16 without its mark": utf16(text, ""),
      "UTF-16 of the other order": utf16(text).swap16(),
    };
    for (const [name, file] of Object.entries(files)) {
      const { body } = await preview(file);
      expect({ name, dishes: body.days?.[0]?.dishes }).toMatchObject({
        name,
        dishes: [{ name: "Œuf – sauce à 1 €, l’été", allergens: ["eggs"] }],
      });
    }
  });

  test.each([
    ["commas and CRLF", (text: string) => text.replaceAll(";", ",").replaceAll("\n", "\r\n")],
    ["tabs", (text: string) => text.replaceAll(";", "\t")],
    ["the old line ends of a Mac", (text: string) => text.replaceAll("\n", "\r")],
    ["a line for the separator", (text: string) => `sep=;\n${text}`],
    ["empty lines and empty cells", (text: string) => `\n\n${text}\n;;;;\n;;;;\n`],
    ["the earlier spelling", (text: string) => text.replace(/menuPlat(Type|Nom)/g, "menu$1Plat")],
    ["titles without case", (text: string) => text.replace(titles, titles.toUpperCase())],
    ["French days", (text: string) => text.replaceAll(monday, formatDate(monday))],
    ["columns of nobody", (text: string) => text.replaceAll(/$/gm, ";x")],
  ])("reads a file with %s", async (_what, change) => {
    const list = "céleri|lait";
    const { body } = await preview(change(fileOf(`${monday};déjeuner;entrée;Soupe;${list}`)));
    expect(body.faults).toEqual([]);
    expect(body.days).toMatchObject([
      { day: monday, dishes: [{ name: "Soupe", allergens: ["celery", "milk"] }] },
    ]);
  });

  test("reads quoted cells of several lines, and counts the lines after them right", async () => {
    const file = fileOf(
      `${monday};déjeuner;entrée;"Soupe\r\n""du jour""; chaude";"[""lait"",""céleri""]"`,
      `${monday};déjeuner;dessert;Flan;lait`,
      `${monday};déjeuner;plat;Pâtes;glutène`,
    );
    const { body } = await preview(file);
    expect(body.faults).toEqual([
      expect.objectContaining({ line: 5, column: "menuPlatAllergene" }),
    ]);
    const mended = await preview(file.replace("glutène", "gluten"));
    expect(mended.body.days[0].dishes[0]).toMatchObject({
      name: 'Soupe "du jour"; chaude',
      allergens: ["milk", "celery"],
    });
  });

  test.each([
    ["fruits à coques", ["nuts"]],
    ['["Céréales contenant du gluten (blé, seigle)"]', ["gluten"]],
    ["Anhydride sulfureux et sulfites en concentrations de plus de 10 mg/kg", ["sulphites"]],
    ["Traces éventuelles d’arachides / graines de sésame", ["peanuts", "sesame"]],
    ["Crustacés et produits à base de crustacés", ["crustaceans"]],
    ["['œufs', 'LAIT']", ["eggs", "milk"]],
    ["poisson et lait", ["fish", "milk"]],
    ["moutarde (lait)", ["mustard", "milk"]],
    ["soja\nlupin", ["soybeans", "lupin"]],
    ["Aucun", []],
    ["", null],
    ["Non renseigné", null],
  ])("reads the allergens « %s »", async (typed, known) => {
    const cell = `"${typed.replaceAll('"', '""')}"`;
    const { body } = await preview(fileOf(`${monday};déjeuner;entrée;Soupe;${cell}`));
    expect(body.faults).toEqual([]);
    expect(body.days[0].dishes[0].allergens).toEqual(known);
  });

  test.each(["sans gluten", "noix de coco", "coques", "1, 7", "lait, kiwi"])(
    "refuses the allergen « %s » by its line and drops none",
    async (typed) => {
      const { body } = await preview(fileOf(omelette(), `${monday};;entrée;Soupe;${typed}`));
      expect(body.days).toEqual([]);
      expect(body.faults[0]).toMatchObject({ line: 3, column: "menuPlatAllergene" });
      expect(body.faults[0].what).toContain("aucun des 14");
    },
  );

  test("tells each fault by line and column, with what to write", async () => {
    const far = addDays(monday, 500);
    const { body } = await preview(
      fileOf(
        "2026-02-30;déjeuner;entrée;Soupe;",
        `${monday};déjeuner;;Olives;`,
        `${monday};déjeuner;entrée;;`,
        `${monday};déjeuner;entrée;Soupe;lait;de trop`,
        `${far};déjeuner;entrée;Soupe;`,
        `${monday};déjeuner;entrée;PurÃ©e;`,
        `${monday};déjeuner;dessert;Pomme 🍎;`,
        `;déjeuner;entrée;${"x".repeat(161)};`,
      ),
    );
    const faultCells = body.faults.map(({ line, column }: { line: number; column: string }) => [
      line,
      column,
    ]);
    expect(faultCells).toEqual([
      [2, "menuDate"],
      [3, "menuPlatType"],
      [4, "menuPlatNom"],
      [5, ""],
      [6, "menuDate"],
      [7, "menuPlatNom"],
      [8, "menuPlatNom"],
      [9, "menuDate"],
      [9, "menuPlatNom"],
    ]);
    expect(body).toMatchObject({ stopped: false, days: [] });
    expect(body.faults[1].what).toBe(
      "le type de plat manque : écrivez entrée, plat principal, garniture, produit laitier, dessert, pain ou autre",
    );
  });

  test("takes one restaurant of several, lunch only, days to come only, and says what it left", async () => {
    const past = addDays(todayInParis(server.clock.now()), -3);
    const head = `${titles};menuRestaurantNom;menuRestaurantConvive;menuPlatSiqo;menuPlatLabel;menuPlatRegime`;
    const file = [
      head,
      `${soup()};École A;tous;"agriculture biologique,STG";"circuit court";végétarien`,
      `${soup()};École A;tous;;;`,
      `${omelette()};École A;maternelle;;;`,
      `${monday};goûter;dessert;Compote;;École A;tous;;;`,
      `${soup(past)};École A;tous;;;`,
    ].join("\n");
    const { body } = await preview(file);
    expect(body.sources).toEqual(["École A", "École A, maternelle"]);
    expect(body.days).toHaveLength(1);
    expect(body.days[0].dishes).toMatchObject([
      { name: "Soupe", labels: ["organic", "local", "vegetarian"] },
    ]);
    expect(body.notes.join(" ")).toMatch(/1 jour passé.*1 ligne n’est pas.*1 ligne répète.*STG/);
    const other = await preview(file, `prices=false&source=${encodeURIComponent(body.sources[1])}`);
    expect(other.body.days[0].dishes).toMatchObject([{ name: "Omelette" }]);
  });

  test("reads for whom a dish is, and refuses an unknown diet by its line", async () => {
    const file = (...cells: string[]) =>
      [
        `${titles};menuPlatPourRegime`,
        ...cells.map((cell, place) => `${monday};déjeuner;plat;Plat ${place};;${cell}`),
      ].join("\n");
    const { body } = await preview(file("", "tous", "sans porc", '["sans viande","végétarien"]'));
    expect(body.faults).toEqual([]);
    expect(body.days[0].dishes.map(({ diets }: { diets: string[] }) => diets)).toEqual([
      [],
      [],
      ["no_pork"],
      ["no_meat", "vegetarian"],
    ]);
    const refused = await preview(file("sans porc", "végétarien, halal"));
    expect(refused.body).toMatchObject({ days: [], faults: [expect.anything()] });
    expect(refused.body.faults[0]).toMatchObject({
      line: 3,
      column: "menuPlatPourRegime",
      what: expect.stringContaining("«\u00a0halal\u00a0» est inconnu"),
    });
    // What a dish is does not say to whom it is served: a vegetarian soup stays everybody's.
    const soupOf = `${titles};menuPlatRegime\n${soup()};végétarien\n`;
    expect((await preview(soupOf)).body.days[0].dishes).toMatchObject([
      { labels: ["vegetarian"], diets: [] },
    ]);
    // Written as previewed, and one dish on two lines is made for both diets.
    const two = `${titles};menuPlatPourRegime\n${omelette()};sans porc\n${omelette()};sans viande\n`;
    await write(two, (await preview(two)).body.fingerprint);
    expect(await menus()).toMatchObject([{ dishes: [{ diets: ["no_pork", "no_meat"] }] }]);
  });

  test("keeps words that it does not know as text, and tells them", async () => {
    const file = [
      `${titles};menuPlatRegime`,
      `${monday};déjeuner;pain qualité supérieure;Baguette;;`,
      `${monday};déjeuner;Plat principal;Pâtes;;"sans gluten ; standard"`,
      `${monday};Repas du midi;apéritif;Apéritif de fête;;`,
    ].join("\n");
    const { body } = await preview(file);
    expect(body.faults).toEqual([]);
    expect(body.days[0].dishes).toMatchObject([
      { course: "main", name: "Pâtes (sans gluten)", diets: [] },
      { course: "other", name: "Baguette (pain qualité supérieure)" },
      { course: "other", name: "Apéritif de fête" },
    ]);
    const notes = body.notes.join("\n");
    expect(notes).toMatch(/Types de plat .*pain qualité supérieure, apéritif\./);
    expect(notes).toMatch(/Régimes .*sans gluten\./);
  });

  test("reads « sans viande » beside another dish as a substitute, alone as everybody's", async () => {
    const head = `${titles};menuPlatRegime`;
    const file = [
      head,
      `${monday};déjeuner;plat;Rôti de bœuf;;`,
      `${monday};déjeuner;plat;Omelette;;sans viande`,
      `${monday};déjeuner;plat;Galette;;"plat de substitution végétarien"`,
      `${monday};déjeuner;entrée;Betteraves;;sans viande`,
      `${monday};déjeuner;garniture;Purée;;végétarien`,
      `${monday};déjeuner;garniture;Haricots;;`,
      `${tuesday};déjeuner;plat;Lasagnes;;végétarien`,
    ].join("\n");
    const { body } = await preview(file);
    expect(body.faults).toEqual([]);
    const dietsOf = (place: number) =>
      body.days[place].dishes.map(({ name, diets }: { name: string; diets: string[] }) => [
        name,
        diets,
      ]);
    expect(dietsOf(0)).toEqual([
      ["Betteraves", []],
      ["Rôti de bœuf", []],
      ["Omelette", ["no_meat"]],
      ["Galette", ["no_meat", "vegetarian"]],
      ["Purée", []],
      ["Haricots", []],
    ]);
    expect(dietsOf(1)).toEqual([["Lasagnes", []]]);
    expect(body.notes.join("\n")).toContain(
      "Omelette (sans viande), Galette (sans viande, végétarien)",
    );
    // Where our own column is there, it alone says so.
    const own = await preview(file.replace(head, `${head};menuPlatPourRegime`));
    expect(own.body.days[0].dishes[2]).toMatchObject({ name: "Omelette", diets: [] });
  });

  test("reads columns that are each about one label", async () => {
    const file = [
      `${titles};menuPlatLabelABio;AOP;menuPlatLabelRouge;Pêche durable`,
      `${soup()};Bio;;non;`,
      `${omelette()};oui;AOC;x;0`,
      `${monday};déjeuner;dessert;Flan;;;;;en partie`,
    ].join("\n");
    const { body } = await preview(file);
    expect(body.faults).toEqual([]);
    expect(body.days[0].dishes).toMatchObject([
      { name: "Soupe", labels: ["organic"] },
      { name: "Omelette", labels: ["organic", "aop", "label_rouge"] },
      { name: "Flan", labels: [] },
    ]);
    expect(body.notes.join()).toContain("Pêche durable en partie");
  });

  test("reads days as people and spreadsheets write them", async () => {
    const [year, month, day] = monday.split("-").map(Number);
    const written = [
      `${day}/${month}/${year}`,
      `${day}.${month}.${year}`,
      `${day}/${month}/${year} 0:00`,
      `${monday}T00:00:00`,
      `${monday}T00:00:00+01:00`,
      `${monday} 00:00:00.000Z`,
      `${addDays(monday, -1)}T23:00:00+00:00`,
    ];
    const { body } = await preview(
      fileOf(...written.map((one, place) => `${one};déjeuner;plat;Plat ${place};`)),
    );
    expect(body.faults).toEqual([]);
    expect(body.days).toMatchObject([{ day: monday }]);
    expect(body.days[0].dishes).toHaveLength(written.length);
    const refused = [`${day}/${month}`, `${monday}T99:00`, "31/02/2026", `${day}/${month}/26`];
    const { body: none } = await preview(
      fileOf(...refused.map((one) => `${one};déjeuner;plat;Riz;`)),
    );
    expect(none.faults).toHaveLength(refused.length);
  });

  test("names the meals that it leaves aside", async () => {
    const { body } = await preview(
      fileOf(
        `${monday};Repas du midi;plat;Riz;`,
        `${monday};goûter;dessert;Compote;`,
        `${monday};autre;plat;Soupe du soir;`,
      ),
    );
    expect(body.days[0].dishes).toMatchObject([{ name: "Riz" }]);
    expect(body.notes[0]).toBe(
      "2 lignes ne sont pas du déjeuner (goûter, autre)\u202f: laissées de côté.",
    );
  });

  test("tells the faults of all restaurants before one is chosen, then its own", async () => {
    const file = [
      `${titles};menuRestaurantNom`,
      `${soup()};École A`,
      `${omelette("demain")};École B`,
      `${soup("hier")};École C`,
    ].join("\n");
    const { body } = await preview(file);
    expect(body).toMatchObject({
      days: [],
      faults: [
        { source: "École B", line: 3, column: "menuDate" },
        { source: "École C", line: 4, column: "menuDate" },
      ],
    });
    const of = async (source: string) =>
      (await preview(file, `prices=false&source=${encodeURIComponent(source)}`)).body;
    expect(await of("École A")).toMatchObject({ faults: [], days: [{ day: monday }] });
    expect(await of("École C")).toMatchObject({ faults: [{ line: 4 }] });
  });

  test("takes prices only when asked to, and then refuses what is none", async () => {
    const file = (price: string) => `${titles};menuPlatPrix\n${soup()};${price}\n`;
    const priceOf = (body: { days: { dishes: { priceCents: number }[] }[] }) =>
      body.days[0]?.dishes[0]?.priceCents;
    expect(priceOf((await preview(file("1.25"))).body)).toBeNull();
    expect(priceOf((await preview(file("abc"))).body)).toBeNull();
    expect(priceOf((await preview(file("1,25 €"), "prices=true")).body)).toBe(125);
    expect(priceOf((await preview(file("2€50"), "prices=true")).body)).toBe(250);
    for (const refused of ["250", "2 50", "1,259 €", "1e1"]) {
      const { body } = await preview(file(refused), "prices=true");
      expect(body.faults).toMatchObject([{ line: 2, column: "menuPlatPrix" }]);
    }
  });

  test("refuses other formats by their name, and what is no file of menus", async () => {
    const zip = new yazl.ZipFile();
    zip.addBuffer(
      Buffer.from(
        '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
      ),
      "[Content_Types].xml",
      { compress: false },
    );
    zip.addBuffer(Buffer.from("<workbook/>"), "xl/workbook.xml", { compress: false });
    zip.end();
    const cfb = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]);
    const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
    const wrong: [Buffer, string, string][] = [
      [await buffer(zip.outputStream), "menu_file_type", "un classeur Excel, pas un CSV"],
      [cfb, "menu_file_type", "un classeur Excel"],
      [Buffer.from("%PDF-1.4\n%%EOF"), "menu_file_type", "un PDF"],
      [Buffer.concat([png, Buffer.alloc(80)]), "menu_file_type", "une image"],
      [Buffer.from("504b0506".padEnd(44, "0"), "hex"), "menu_file_type", "une archive"],
      [Buffer.from("<!doctype html><table>"), "menu_file_type", "une page web"],
      [Buffer.from('[{"menuDate":1}]'), "menu_file_type", "du JSON"],
      [Buffer.alloc(0), "menu_file_unreadable", "il est vide"],
      [Buffer.from([0x61, 0x81, 0x8d, 0x3b]), "menu_file_unreadable", "son encodage est inconnu"],
      [Buffer.from(titles), "menu_file_unreadable", "aucun plat"],
      [Buffer.from(fileOf(`${monday};"ouvert`)), "menu_file_unreadable", "vers la ligne 2"],
      [Buffer.from("x".repeat(2 * 1024 ** 2 + 1)), "document_too_large", "2\u202fMo au plus"],
      [Buffer.from("menuDate;menuPlatNom\n1;2"), "menu_file_columns", "menuTypePlat"],
      [Buffer.from(`${titles};menuNomPlat\n${soup()};x`), "menu_file_columns", "deux fois"],
    ];
    for (const [file, code, says] of wrong) {
      const { body } = await preview(file);
      expect(body).toMatchObject({ code, message: expect.stringContaining(says) });
    }
  });

  test("is not found for a professional who serves no meals, forbidden to a holder", async () => {
    const shop = await server.as("partnerShop");
    expect((await preview(fileOf(soup()), "prices=false", shop)).status).toBe(404);
    const guardian = await server.as("guardian");
    expect((await preview(fileOf(soup()), "prices=false", guardian)).status).toBe(403);
  });
});

describe("POST /api/canteen/menus/import", () => {
  test("writes what was previewed; the days wait to be published, or are with it", async () => {
    const file = fileOf(soup(), omelette(tuesday));
    const { body } = await preview(file);
    const written = await write(file, body.fingerprint);
    expect(written).toMatchObject({ status: 200, body: { monday, days: 2, items: [{}, {}] } });
    expect(await menus()).toMatchObject([
      { day: monday, published: false, dishes: [{ name: "Soupe" }] },
      { day: tuesday, published: false, dishes: [{ name: "Omelette" }] },
    ]);
    const again = await preview(file);
    await write(file, again.body.fingerprint, "prices=false&publish=true");
    expect((await menus()).map(({ published }) => published)).toEqual([true, true]);
  });

  test("a day that families see stays published; a dish of it without allergens is named first", async () => {
    const first = fileOf(soup());
    const { body } = await preview(first);
    await write(first, body.fingerprint, "prices=false&publish=true");
    const file = fileOf(`${monday};déjeuner;plat principal;Lieu;`, omelette(tuesday));
    const again = await preview(file);
    const refused = await write(file, again.body.fingerprint);
    expect(refused).toMatchObject({ status: 409, body: { code: "menu_undeclared" } });
    expect(refused.body.message).toContain("Lieu (lundi");
    expect(await menus()).toMatchObject([{ dishes: [{ name: "Soupe" }] }]);
    await write(file, again.body.fingerprint, "prices=false&publish=false&undeclared=true");
    expect(await menus()).toMatchObject([
      { day: monday, published: true, dishes: [{ name: "Lieu" }] },
      { day: tuesday, published: false },
    ]);
  });

  test("refuses a file with a fault, and writes none of its good days", async () => {
    const file = fileOf(soup(), omelette("demain"));
    const { body } = await preview(file);
    expect(await write(file, body.fingerprint)).toMatchObject({
      status: 422,
      body: { code: "menu_file_faults" },
    });
    expect(await menus()).toEqual([]);
  });

  test("refuses what changed since the preview: the file, or the menus that are there", async () => {
    const file = fileOf(soup());
    const { body } = await preview(file);
    const changed = { status: 409, body: { code: "menu_preview_changed" } };
    expect(await write(fileOf(omelette()), body.fingerprint)).toMatchObject(changed);
    const dish = {
      course: "main",
      name: "Lieu",
      labels: [],
      allergens: [],
      diets: [],
      priceCents: null,
    };
    await desk.post("/api/canteen/menus", { day: monday, note: "", dishes: [dish] });
    expect(await write(file, body.fingerprint)).toMatchObject(changed);
    expect(await menus()).toMatchObject([{ dishes: [{ name: "Lieu" }] }]);
    const past = fileOf(soup(addDays(todayInParis(server.clock.now()), -1)));
    const nothing = await preview(past);
    expect(nothing.body.days).toEqual([]);
    expect(await write(past, nothing.body.fingerprint)).toMatchObject(changed);
  });
});
