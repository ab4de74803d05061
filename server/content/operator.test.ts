// Answers of the help as the operator publishes them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { contentCommands } from "./operator.ts";
import { synonymCommands } from "./synonyms-operator.ts";

let server: TestServer;
let hugo: Client;
let folder = "";
beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
  folder = await mkdtemp(join(tmpdir(), "faq-"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const run = async (name: string, ...args: string[]) =>
  await [...contentCommands, ...synonymCommands]
    .find((one) => one.name === name)
    ?.run(server.deps, args, "test");
const publish = async (text: string) => {
  const file = join(folder, "reponse.txt");
  await writeFile(file, text);
  return await run("faq publish", file);
};
const head = `nom: changer-d-adresse
rubrique: portal
public: porteurs
question: Comment dire que j’ai déménagé ?
mots: demenagement adresse postale`;
const count = async () =>
  Number((await server.deps.pool.query("select count(*) from faq_article")).rows[0].count);

test("published: found by its words, by those it is for; edited in its place; withdrawn", async () => {
  const result = await publish(
    `${head}\r\n\r\nÉcrivez-nous.\r\n\r\nNous changerons\r\nl’adresse.\r\n`,
  );
  expect(result).toEqual({ ok: true, lines: ["changer-d-adresse : publiée."] });
  const { items } = (await hugo.get("/api/faq?q=demenagemant")).body;
  expect(items[0]).toMatchObject({ id: "changer-d-adresse", summary: "Écrivez-nous." });
  const shop = await server.as("partnerShop");
  expect((await shop.get("/api/faq/changer-d-adresse")).status).toBe(404);
  await hugo.post("/api/faq/changer-d-adresse/vote", { useful: true });
  const output = (await run("faq show", "changer-d-adresse"))?.lines.join("\n") ?? "";
  expect(await publish(output.replace("Écrivez-nous.", "Appelez-nous."))).toEqual({
    ok: true,
    lines: ["changer-d-adresse : remplacée."],
  });
  expect((await hugo.get("/api/faq/changer-d-adresse")).body).toMatchObject({
    body: "Appelez-nous.\n\nNous changerons\nl’adresse.",
    useful: true,
  });
  expect((await run("faq list"))?.lines.at(-1)).toMatch(/changer-d-adresse.*utile pour 1 sur 1/);
  expect((await run("faq withdraw", "changer-d-adresse"))?.ok).toBe(true);
  expect((await hugo.get("/api/faq/changer-d-adresse")).status).toBe(404);
  expect((await run("faq withdraw", "changer-d-adresse"))?.ok).toBe(false);
  expect((await run("faq show", "changer-d-adresse"))?.ok).toBe(false);
});

test("a file that is not right publishes nothing and says each fault", async () => {
  const before = await count();
  expect((await publish("bonjour"))?.lines).toHaveLength(5);
  expect((await publish(`${head}\nplace: 10\n\nTexte`))?.lines[0]).toMatch(
    /la place 10 est celle de/,
  );
  expect((await publish(`${head}\nplace: -1\n\nTexte`))?.lines[1]).toContain("place");
  expect((await publish(`${head}\n\nDe {topUpMin} à {topUpMost}.`))?.lines.slice(1)).toEqual([
    "texte : {topUpMost} n'est pas un chiffre connu.",
  ]);
  expect((await publish(head.replace("porteurs", "moi")))?.lines.slice(1)).toEqual([
    "public : tous, porteurs ou professionnels.",
    "texte : de 1 à 8000 caractères.",
  ]);
  expect((await run("faq publish", join(folder, "absent")))?.ok).toBe(false);
  expect(await count()).toBe(before);
});

test("two published at once take two places", async () => {
  const files = ["un", "deux"].map((name) => join(folder, `${name}.txt`));
  for (const [at, file] of files.entries()) {
    await writeFile(file, `${head.replace("changer", `changer-${at}`)}\n\nTexte`);
  }
  const results = await Promise.all(files.map((file) => run("faq publish", file)));
  expect(results.map((one) => one?.ok)).toEqual([true, true]);
});

test("words that stand for each other: added, found by, removed; a word alone is refused", async () => {
  const first = async () => (await hugo.get("/api/faq?q=trottinette")).body.items[0]?.id;
  expect(await first()).toBeUndefined();
  expect((await run("faq synonyms add", "  trottinette   bus "))?.ok).toBe(true);
  expect(await first()).toBe("acheter-un-titre-de-bus");
  expect((await run("faq synonyms"))?.lines).toContain("trottinette bus");
  expect((await run("faq synonyms remove", "trottinette bus"))?.ok).toBe(true);
  expect(await first()).toBeUndefined();
  for (const wrong of ["", "seul", "a; drop", "bus ".repeat(60)]) {
    expect((await run("faq synonyms add", wrong))?.ok).toBe(false);
  }
  expect((await run("faq synonyms remove", "jamais ajouté"))?.ok).toBe(false);
});
