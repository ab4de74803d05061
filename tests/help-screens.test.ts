// The help and the screens: each screen of a menu has an answer that links to it, each link and each name in quotation
// marks is a screen or a word on one, and everyday words find their answer.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partsOf } from "#contract/content/links.ts";
import type { FaqAnswer, FaqEntry } from "#contract/content/rows.ts";
import { decide } from "#web/app/shared/guards.ts";
import { type Entry, isBuilt } from "#web/app/shared/route-entry.ts";
import { table } from "#web/paths.ts";
import { filesUnder } from "./source-hash.ts";
import { openTestServer, type Client, type TestServer } from "./test-server.ts";

interface Reader {
  type: 1 | 2;
  client: Client;
  answers: FaqAnswer[];
}

let server: TestServer;
let readers: Reader[];
beforeAll(async () => {
  server = await openTestServer();
  readers = [
    await readerOf(1, await server.as("guardian")),
    await readerOf(2, await server.as("partnerShop")),
  ];
});
afterAll(() => server.close());

async function questions(reader: Reader | undefined, q = ""): Promise<FaqEntry[]> {
  if (!reader) throw new Error("nobody reads the help");
  const { body } = await reader.client.get(`/api/faq?q=${encodeURIComponent(q)}`);
  return body["items"];
}

async function readerOf(type: 1 | 2, client: Client): Promise<Reader> {
  const { items } = (await client.get("/api/faq")).body as unknown as { items: FaqEntry[] };
  const answers = await Promise.all(
    items.map(async ({ id }) => (await client.get(`/api/faq/${id}`)).body as unknown as FaqAnswer),
  );
  return { type, client, answers };
}

const entries: readonly Entry[] = table;
const isOpenTo = ({ guard }: Entry, type: 1 | 2): boolean =>
  decide(guard, { token: "valid", user: { type, isReset: false } }).to === null;
const linksOf = ({ body }: FaqAnswer) => partsOf(body).filter((part) => typeof part !== "string");

// proves: help
test("each screen that a menu leads to is linked by an answer for whoever reaches it", () => {
  const missing = readers.flatMap(({ type, answers }) => {
    const linked = new Set(answers.flatMap(linksOf).map(({ path }) => path));
    return entries
      .filter((one) => isBuilt(one) && one.guard.kind === "person" && isOpenTo(one, type))
      .filter(({ redirect, needsLink, path }) => !redirect && !needsLink && !path.includes(":"))
      .map(({ path }) => path)
      .filter((path) => path !== "/faq" && !linked.has(path));
  });
  expect(missing).toEqual([]);
});

// proves: help
test("each link leads to a screen that its readers open, by the name that the screen bears", () => {
  const wrong = readers.flatMap(({ type, answers }) =>
    answers.flatMap((answer) =>
      linksOf(answer)
        .filter(({ path, label }) => {
          const entry = entries.find((one) => one.path === path);
          return !entry || !isOpenTo(entry, type) || (entry.title ?? "Ma carte") !== label;
        })
        .map(({ path, label }) => `${answer.id}: ${label} ${path}`),
    ),
  );
  expect(wrong).toEqual([]);
});

/** Spaces and apostrophes of one kind, entities and escapes of the sources too. */
const plain = (text: string): string =>
  text
    .replaceAll(/&#8239;|&nbsp;|\\u202f|\\u00a0|[\u202f\u00a0]/g, " ")
    .replaceAll("'", "’")
    .replaceAll(/\s+/g, " ");

// proves: help
test("each name in quotation marks is a word of a screen", async () => {
  const files = (await filesUnder(["web", "contract"])).filter(({ path }) => /\.tsx?$/.test(path));
  const screens = plain(files.map(({ path }) => readFileSync(path, "utf8")).join("\n"));
  const unknown = readers.flatMap(({ answers }) =>
    answers.flatMap(({ id, body }) =>
      [...plain(body).matchAll(/« ([^»]+) »/g)]
        .filter(([, name = ""]) => !screens.includes(name))
        .map(([, name]) => `${id}: ${name}`),
    ),
  );
  expect(unknown).toEqual([]);
});

test("no figure is missing, and a list shows no link", async () => {
  const texts = readers.flatMap(({ answers }) => answers.map(({ body }) => body));
  expect(texts.filter((text) => /[{}]/.test(text))).toEqual([]);
  const items = await questions(readers[0]);
  expect(items.filter(({ summary }) => /[{}[\]]/.test(summary))).toEqual([]);
  const amounts = readers[0]?.answers.find(({ id }) => id === "montants-de-recharge")?.body;
  expect(amounts).toMatch(/de 5,00\s€ à 500,00\s€.*au plus 1\s000,00\s€/);
});

describe.each([
  [
    1,
    [
      ["cantine", "commander-un-repas"],
      ["cantine cantines cantinne", "commander-un-repas"],
      ["repas repa", "commander-un-repas annuler-un-repas"],
      ["menu menus menuu", "menus-de-la-cantine"],
      ["malade malades mallade maladie", "enfant-malade"],
      ["absence absences abscence", "enfant-malade"],
      ["allergène allergene allergènes alergene allergie", "declarer-une-allergie"],
      ["bus buss", "acheter-un-titre-de-bus"],
      ["ticket tickets ticke billet billets bilet", "acheter-un-billet"],
      ["remboursement remboursements rembourssement", "rembourser"],
      ["facture factures facure reçu recu reçus", "recu-de-recharge recu-d-un-achat"],
      ["RIB rib IBAN iban", "rembourser"],
      ["code codes", "code-non-recu"],
      ["mot de passe|mots de passe|mot de pase", "mot-de-passe-oublie changer-mot-de-passe"],
      ["perdu perdue perdus", "carte-perdue"],
      ["opposition opposision oppositions", "carte-perdue"],
      ["enfant enfants enfan", "plafonds-enfant agir-pour-un-enfant enfant-malade"],
      ["garde alternée|garde alternee|gardes alternées", "semaines-de-garde"],
      ["plafond plafonds plafon", "plafonds-enfant"],
      ["virement virements virment", "faire-un-virement"],
      ["attestation attestations atestation", "attestation-de-cantine"],
      ["points", "mes-points"],
      ["panne", "le-portail-ne-marche-pas"],
    ],
  ],
  [
    2,
    [
      ["cantine cantines cantinne", "gerer-la-cantine guichet-de-cantine"],
      ["menu menus", "gerer-la-cantine"],
      ["allergène allergene allergènes", "gerer-la-cantine"],
      ["caisse caisses", "encaisser"],
      ["encaisser encaiser TPE tpe terminal", "encaisser"],
      ["remboursement rembourser rembourssement", "rembourser-une-vente"],
      ["clôture cloture cloturer", "cloturer-la-caisse"],
      ["facture factures facure", "factures"],
      ["RIB rib IBAN", "compte-bancaire"],
      ["dotation dotations dotasion", "dotations"],
      ["salarié salarie salariés", "transport-des-salaries cartes-pro dotations"],
      ["billet billets ticket", "controler-un-billet"],
      ["versement", "reglements"],
      ["virement virements", "faire-un-virement reglements"],
      ["partenariat", "partenariats"],
      ["rôle role", "equipe-et-roles"],
      ["annuaire", "fiche-de-l-annuaire"],
      ["mot de passe|mots de passe", "mot-de-passe-oublie changer-mot-de-passe"],
      ["perdu", "carte-perdue"],
    ],
  ],
] as const)("type %i: everyday words", (type, words) => {
  const cases = words.flatMap(([typed, fitting]) =>
    typed.split(typed.includes("|") ? "|" : " ").map((q) => [q, fitting] as const),
  );
  test.each(cases)("« %s » finds %s first", async (q, fitting) => {
    const [first] = await questions(
      readers.find((one) => one.type === type),
      q,
    );
    expect(fitting.split(" ")).toContain(first?.id);
  });
});
