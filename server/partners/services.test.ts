// The services of the portal for each kind of account, transport services that include a card automatically,
// and services that the operator adds, hides and closes.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { writeTransport } from "./partners.ts";
import { partnerCommands } from "./operator.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
let employer: Client;
let folder: string;
beforeAll(async () => {
  server = await openTestServer();
  folder = await mkdtemp(join(tmpdir(), "partners-"));
  camille = await server.as("guardian");
  hugo = await server.as("stranger");
  employer = await server.as("employer");
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server.close();
});

const run = async (name: string, ...args: string[]) => {
  const command = partnerCommands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "test");
};
const codes = async (client: Client) =>
  (await client.get("/api/services")).body.items.map(({ code }: { code: string }) => code);
const transport = {
  audience: 2 as const,
  network: "Réseau",
  summary: "Tout le réseau.",
  conditions: ["Une condition."],
  monthlyCents: 3800,
  employerPercent: 50 as number | null,
  subscribedOnly: false,
  phone: null,
  email: null,
};
const enrolled = async (client: Client, query = "?code=true") => {
  const { status, body } = await client.get(`/api/services/autoAdhesion${query}`);
  expect(status).toBe(200);
  return body.data as { name: string; code: string | null }[];
};

test("GET /services: each kind of account sees its own, and not the other's", async () => {
  expect(await codes(camille)).toEqual([
    "porte-monnaie",
    "carte-annuelle",
    "cantine",
    "lignes-de-bus",
    "billetterie",
    "annuaire",
    "devenir-partenaire",
  ]);
  expect(await codes(employer)).toEqual(["annuaire", "transport-entreprise"]);
  const { body } = await camille.get("/api/services/lignes-de-bus");
  expect(body).toMatchObject({ name: "Bus", screen: "transit", closed: null });
  expect(body.conditions.length).toBeGreaterThan(0);
  for (const path of ["/api/services/lignes-de-bus", "/api/services/inconnu", "/api/services/BUS"])
    expect((await employer.get(path)).body.code).toBe("not_found");
});

test("a service that the operator closes stays listed with its reason, then opens again", async () => {
  expect((await run("services close", "billetterie", "Nouvelle saison en préparation.")).ok).toBe(
    true,
  );
  const closed = async () => (await camille.get("/api/services/billetterie")).body.closed;
  expect(await closed()).toBe("Nouvelle saison en préparation.");
  expect((await run("services list")).lines.join("\n")).toContain("fermé : Nouvelle saison");
  expect((await run("services open", "billetterie")).ok).toBe(true);
  expect(await closed()).toBeNull();
  expect((await run("services close", "inconnu", "non")).ok).toBe(false);
});

test("autoAdhesion: by kind of account, the service's code only when it is asked", async () => {
  await inTx(server.deps.db, async (tx) => {
    await writeTransport(tx, { ...transport, reference: "mensuel", name: "Mensuel" });
    const holder = { ...transport, audience: 1 as const, employerPercent: null, monthlyCents: 0 };
    await writeTransport(tx, { ...holder, reference: "parc", name: "Parc relais" });
    const subscribed = { ...holder, subscribedOnly: true };
    await writeTransport(tx, { ...subscribed, reference: "navette", name: "Navette" });
  });
  expect(await enrolled(employer)).toMatchObject([
    { name: "Mensuel", code: "transport-entreprise", monthlyCents: 3800, employerPercent: 50 },
  ]);
  for (const query of ["", "?code=false"]) {
    expect((await enrolled(employer, query))[0]?.code).toBeNull();
  }
  expect((await employer.get("/api/services/autoAdhesion?code=1")).status).toBe(400);
  // Camille's card has its yearly subscription, Hugo's has none.
  expect((await enrolled(camille)).map(({ name }) => name)).toEqual(["Navette", "Parc relais"]);
  expect((await enrolled(hugo)).map(({ name }) => name)).toEqual(["Parc relais"]);
});

test("autoAdhesion: a card that is suspended is enrolled on nothing", async () => {
  const number = cast.stranger.cardnumber;
  expect((await hugo.post(`/api/cards/${number}/suspend`)).status).toBe(200);
  expect(await enrolled(hugo)).toEqual([]);
  expect((await hugo.post(`/api/cards/${number}/resume`)).status).toBe(200);
  expect(await enrolled(hugo)).toHaveLength(1);
});

const partner = {
  reference: "le-quai",
  name: "Le Quai",
  category: "restaurant",
  summary: "Un café.",
  description: "Un café sur le quai.",
  street: "1 quai",
  postcode: "29980",
  town: "Port-Lagune",
  lat: 47.87,
  lon: -3.9,
  hours: [{ weekday: 1, opens: "09:00", closes: "24:00" }],
  accepts: ["principale"],
};
const bring = async (content: unknown) => {
  const path = join(folder, "annuaire.json");
  const isWritten = typeof content === "string" || Buffer.isBuffer(content);
  await writeFile(path, isWritten ? content : JSON.stringify(content));
  return await run("partners import", path);
};
const found = async () =>
  (await camille.get("/api/partners")).body.items as { id: string; name: string }[];

test("an imported file: in the encoding of an editor, with a reference and an address as they were pasted", async () => {
  const one = { ...partner, reference: "l-ete\u2010indien", name: "L’Été indien" };
  const sheet = { ...one, email: "L’Été indien <\u200bete@quai.example\u2069>" };
  const text = JSON.stringify({ partners: [sheet] });
  const inAnsi = text.replaceAll("\u2010", "-").replaceAll(/[\u200b\u2069]/g, "");
  const ansi = Array.from(inAnsi, (sign) => (sign === "’" ? 0x92 : sign.charCodeAt(0)));
  for (const content of [text, `\ufeff${text}`, Buffer.from(ansi)]) {
    const { ok, lines } = await bring(content);
    expect(ok, lines.join()).toBe(true);
  }
  const { rows } = await server.deps.pool.query(
    "delete from partner where reference like 'l-ete%' returning reference, name, email",
  );
  expect(rows).toEqual([
    { reference: "l-ete-indien", name: "L’Été indien", email: "ete@quai.example" },
  ]);
  const { lines } = await bring(Buffer.from([0x61, 0x81, 0x8d]));
  expect(lines[0]).toContain("encodage");
});

test("an imported file: written once, replaced under the same reference, hidden and shown", async () => {
  const { lines } = await bring({ partners: [{ ...partner, cardnumber: 2000000022 }] });
  expect(lines).toEqual([
    "le-quai  nouvelle fiche, de Librairie des Embruns",
    "1 partenaire et 0 offre de transport écrits.",
  ]);
  const [before] = await found();
  await bring({ partners: [{ ...partner, name: "Le Grand Quai", hours: [] }] });
  expect(await found()).toMatchObject([{ id: before?.id, name: "Le Grand Quai" }]);
  expect((await run("partners list")).lines).toEqual([
    expect.stringMatching(/^le-quai\s+Le Grand Quai, Port-Lagune$/),
  ]);
  expect((await run("partners hide", "le-quai", "fin du contrat")).ok).toBe(true);
  expect(await found()).toEqual([]);
  expect((await camille.get(`/api/partners/${before?.id}`)).status).toBe(404);
  expect((await run("partners list")).lines.join()).toContain("masqué : fin du contrat");
  const output = await run("partners show", "le-quai");
  expect(output.ok).toBe(true);
  expect(output.lines.join("\n")).toMatch(
    /Le Grand Quai[^]*masqué : fin du contrat[^]*Librairie des Embruns[^]*principale/,
  );
  expect((await run("partners show", "inconnu")).ok).toBe(false);
  expect(await found()).toEqual([]);
  expect((await run("partners unhide", "le-quai")).ok).toBe(true);
  expect(await found()).toHaveLength(1);
  expect((await run("partners hide", "inconnu", "non")).ok).toBe(false);
});

// proves: services-import
test("a file with one wrong line: every fault is told, and nothing is written", async () => {
  const good = { ...partner, reference: "bon" };
  const wrongs: [unknown, RegExp][] = [
    ["{", /pas du JSON/],
    [[], /tient en/],
    [{ partners: [good, { ...partner, lat: 200 }] }, /partenaire n° 2, lat/],
    [{ partners: [good, { ...partner, category: "rien" }] }, /catégorie rien n'existe pas/],
    [{ partners: [good, { ...partner, accepts: ["rien"] }] }, /groupe d'acceptation rien/],
    [{ partners: [good, { ...partner, cardnumber: 1000000016 }] }, /celle d'aucune entreprise/],
    [
      {
        partners: [good, { ...partner, hours: [{ weekday: 1, opens: "12:00", closes: "09:00" }] }],
      },
      /hours\.0/,
    ],
    [
      {
        partners: [
          good,
          {
            ...partner,
            hours: [...partner.hours, { weekday: 1, opens: "10:00", closes: "11:00" }],
          },
        ],
      },
      /se chevauchent/,
    ],
    [
      { partners: [good], transports: [{ ...transport, reference: "x", name: "X", audience: 1 }] },
      /transport n° 1/,
    ],
  ];
  for (const [content, says] of wrongs) {
    const { ok, lines } = await bring(content);
    expect([ok, lines.at(-1)]).toEqual([false, "Rien n'a été écrit."]);
    expect(lines.join("\n")).toMatch(says);
  }
  expect((await run("partners import", join(folder, "absent.json"))).ok).toBe(false);
  expect((await run("partners list")).lines).toHaveLength(1);
});

test("a file that names no company keeps the sheet's; what changes is said before it is written", async () => {
  const companyOf = async () =>
    (
      await server.deps.pool.query(`select c.name from partner p left join company c
        on c.id = p.company_id where p.reference = 'le-quai'`)
    ).rows[0].name;
  await bring({ partners: [{ ...partner, cardnumber: 2000000022 }] });
  const other = { ...partner, name: "Le Petit Quai", hours: [] };
  const path = join(folder, "annuaire.json");
  const check = async (content: unknown) => {
    await writeFile(path, JSON.stringify(content));
    return await run("partners check", path);
  };
  expect(await check({ partners: [other] })).toEqual({
    ok: true,
    lines: [
      "le-quai  change : nom, horaires",
      "1 partenaire et 0 offre de transport à écrire.",
      "Rien n'est écrit : c'est un essai.",
    ],
  });
  expect((await found()).map(({ name }) => name)).toContain("Le Quai");
  expect((await bring({ partners: [other] })).lines[0]).toBe("le-quai  change : nom, horaires");
  expect(await companyOf()).toBe("Librairie des Embruns");
  expect((await check({ partners: [other] })).lines[0]).toMatch(/^1 partenaire/);
  const without = { partners: [{ ...other, cardnumber: null }] };
  expect((await check(without)).lines[0]).toBe(
    "le-quai  change : entreprise (Librairie des Embruns → aucune)",
  );
  expect(await companyOf()).toBe("Librairie des Embruns");
  await bring(without);
  expect(await companyOf()).toBeNull();
  expect((await check({ partners: [{ ...partner, accepts: ["inconnu"] }] })).ok).toBe(false);
  expect((await check({ partners: [{ ...partner, street: "1 quai 🌊" }] })).lines[0]).toMatch(
    /street : 🌊 ne s'imprime pas/,
  );
});

// proves: services-import
test("two imports of one file at once: each partner once, with its lists whole", async () => {
  const many = Array.from({ length: 30 }, (_, n) => ({ ...partner, reference: `p-${n}` }));
  const path = join(folder, "annuaire.json");
  await writeFile(path, JSON.stringify({ partners: many }));
  const answers = await Promise.all([1, 2, 3].map(() => run("partners import", path)));
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
  const { rows } = await server.deps.pool.query(
    `select count(*)::int as n, (select count(*)::int from partner_hours
      join partner on id = partner_id where reference like 'p-%') as hours
    from partner where reference like 'p-%'`,
  );
  expect(rows).toEqual([{ n: 30, hours: 30 }]);
});
