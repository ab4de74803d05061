// A scheme without demo data opens its first group, provider and canteen by the operator's commands; then
// a menu is written and a meal ordered over HTTP.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { verify } from "#server/ledger/ledger.ts";
import { rooms } from "#server/rooms.ts";
import { cast } from "#tests/cast.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([openTestServer(), scratchFolder("canteens")]);
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
  await removeData(folder);
});

const run = async (name: string, ...args: string[]) => {
  const command = rooms.flatMap(({ commands = [] }) => commands).find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "alice");
};
const count = async (table: string) =>
  (await server.deps.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;
let files = 0;
const fileOf = async (content: unknown) => {
  const path = join(folder, `${(files += 1)}.json`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

const sheet = {
  reference: "les-tables",
  cardnumber: cast.canteenProvider.cardnumber,
  name: "Les Tables",
  category: "restaurant",
  summary: "Repas des écoles.",
  description: "Repas des écoles.",
  street: "1 quai",
  postcode: "29980",
  town: "Port-Lagune",
  lat: 47.87,
  lon: -3.9,
  hours: [],
  accepts: ["principale"],
};
const dayBefore = { kind: "days_before", days: 1, workingDays: true, at: "10:00" };
// Of the staff kind: open on every working day, whatever day the test runs.
const canteen = {
  name: "École des Embruns",
  kind: "staff",
  street: "3 rue de l’École",
  postcode: "29980",
  town: "Port-Lagune",
  lat: 47.87,
  lon: -3.9,
  zone: "B",
  weekdays: [0, 1, 2, 3, 4],
  servesFrom: "11:45",
  servesUntil: "13:30",
  seats: 80,
  orderDeadline: dayBefore,
  cancelDeadline: dayBefore,
  prices: [{ name: "Plein tarif", audience: "staff", priceCents: 480 }],
};

test("groups add: a group of its own, once; what is none is refused with a sentence", async () => {
  expect((await run("groups list")).lines).toHaveLength(1);
  const added = ["restauration", "Cagnotte restauration", "Acceptée dans les cantines."];
  const output = await run("groups add", ...added);
  expect(output.ok).toBe(true);
  expect(output.lines[0]).toBe("restauration  Cagnotte restauration  Acceptée dans les cantines.");
  expect(output.lines.at(-1)).toContain("Rien n'est ajouté");
  expect((await run("groups add", ...added, "restaurant")).ok).toBe(false);
  expect(await count("acceptance_group")).toBe(1);
  expect(await run("groups add", ...added, "restauration")).toEqual({
    ok: true,
    lines: ["restauration  Cagnotte restauration  ajouté"],
  });
  expect((await run("groups list")).lines[1]).toMatch(
    /^restauration +Cagnotte restauration {2}0 fiche, 0 cagnotte {2}Acceptée/,
  );
  const twice = await run("groups add", ...added);
  expect(twice).toMatchObject({ ok: false });
  expect(twice.lines.join()).toContain("le groupe restauration existe déjà");
  for (const wrong of [
    ["Resto", "Nom", "Règle"],
    ["resto", " ", "Règle"],
    ["resto", "Nom", " "],
  ]) {
    expect((await run("groups add", ...wrong, wrong[0] ?? "")).ok).toBe(false);
  }
  expect(await count("acceptance_group")).toBe(2);
});

test("canteens open: refuses what nobody could use, then makes a partner a provider, once", async () => {
  const orphan = { ...sheet, reference: "sans-entreprise", cardnumber: null };
  const path = await fileOf({ partners: [sheet, orphan] });
  expect((await run("partners import", path)).ok).toBe(true);
  const refused = async (reference: string, slug: string) => {
    const { ok, lines } = await run("canteens open", reference, slug);
    expect(ok).toBe(false);
    return lines.join();
  };
  expect(await refused("inconnu", "restauration")).toContain("aucune fiche ne porte la référence");
  expect(await refused("sans-entreprise", "restauration")).toContain("d'aucune entreprise");
  expect(await refused("les-tables", "inconnu")).toContain("le groupe inconnu n'existe pas");
  expect((await run("canteens list")).lines).toEqual(["Personne ne sert de repas."]);
  expect((await run("canteens show", "les-tables")).lines.join()).toContain("ne sert pas de repas");
  const result = await run("canteens open", "les-tables", "restauration");
  expect(result.lines[0]).toContain("sert des repas, groupe restauration");
  expect(await refused("les-tables", "principale")).toContain("sert déjà des repas");
  expect((await run("canteens list")).lines.join()).toContain("aucune cantine");
});

test("canteens check and import: every fault of the file, nothing written; then all, once", async () => {
  const wrong = await fileOf({
    provider: "les-tables",
    canteens: [
      { ...canteen, seats: 0 },
      { ...canteen, name: "Autre", servesFrom: "14:00" },
      { ...canteen, name: "Cantine مريم" },
    ],
  });
  const faults = await run("canteens import", wrong);
  expect(faults.ok).toBe(false);
  expect(faults.lines.join("\n")).toMatch(
    /cantine n° 1, seats[^]*cantine n° 2[^]*cantine n° 3, name : مري ne s'imprime pas[^]*Rien n'a été/,
  );
  const early = await fileOf({ provider: "sans-entreprise", canteens: [canteen] });
  expect((await run("canteens check", early)).lines.join()).toContain("canteens open d'abord");
  for (const other of ["{", { canteens: [] }]) {
    expect((await run("canteens check", await fileOf(other))).ok).toBe(false);
  }
  const path = await fileOf({ provider: "les-tables", canteens: [canteen] });
  const check = await run("canteens check", path);
  expect(check.ok).toBe(true);
  expect(check.lines.join("\n")).toMatch(/lundi, mardi[^]*veille ouvrée[^]*1 cantine à ouvrir/);
  expect(await count("canteen")).toBe(0);
  const [first, second] = await Promise.all([1, 2].map(() => run("canteens import", path)));
  const said = new Set([first, second].map((one) => one?.lines.at(-1)));
  expect(said).toEqual(new Set(["0 cantine ouverte.", "1 cantine ouverte."]));
  expect(await count("canteen")).toBe(1);
  const output = (await run("canteens show", "les-tables")).lines.join("\n");
  expect(output).toMatch(/groupe restauration[^]*École des Embruns[^]*Plein tarif/);
});

test("the desk of that provider writes a menu, and a meal of it is ordered over HTTP", async () => {
  const [desk, camille] = await Promise.all([server.as("canteenProvider"), server.as("guardian")]);
  const day = workingDaysAfter(todayInParis(server.deps.now()), 3);
  const soup = { course: "starter", name: "Soupe", labels: [], allergens: [], diets: [] };
  const dishes = [{ ...soup, priceCents: null }];
  expect((await desk.post("/api/canteen/menus", { day, note: "", dishes })).status).toBe(200);
  const published = await desk.post("/api/canteen/menus/publish", { day, published: true });
  expect(published.status, published.text).toBe(200);
  const [provider] = (await camille.get("/api/canteen/providers")).body.items;
  expect(provider).toMatchObject({ slug: "restauration", name: "Les Tables", canteens: 1 });
  const { idgroup } = provider;
  const { canteens } = (await camille.get(`/api/canteen/providers/${idgroup}`)).body;
  const answer = await camille.post("/api/canteen/registrations", {
    canteen: canteens[0].id,
    cardnumber: cast.guardian.cardnumber,
    className: "",
    diet: "standard",
    pai: false,
    shareAllergens: false,
    sharePhoto: false,
  });
  expect(answer.status, answer.text).toBe(201);
  const registration = answer.body.id;
  const answered = await desk.post(`/api/canteen/own/registrations/${registration}/answer`, {
    accept: true,
    reason: "",
  });
  expect(answered.status, answered.text).toBe(200);
  const week = await camille.get(`/api/canteen/providers/${idgroup}/week?day=${day}`);
  expect(week.text).toContain("Soupe");
  const chosen = await camille.post("/api/canteen/requests/lines", {
    idgroup,
    meals: [{ registration, day }],
    chosen: true,
  });
  expect(chosen.status, chosen.text).toBe(200);
  const { id, revision, totalCents } = chosen.body.request;
  expect(totalCents).toBe(480);
  const [main] = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body
    .items;
  const paid = await camille.post("/api/canteen/requests/pay", {
    request: id,
    revision,
    totalCents,
    method: "wallet",
    objectID: main.objectID,
  });
  expect(paid.status, paid.text).toBe(200);
  expect((await camille.get("/api/canteen/orders?when=coming")).body.items).toMatchObject([
    { day, state: "reserved", priceCents: 480 },
  ]);
});
