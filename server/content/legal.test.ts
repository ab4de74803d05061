// The legal pages: readable by anyone, honest until the operator has written them, theirs afterwards.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { legalPages } from "#contract/content/legal.ts";
import { register } from "#server/privacy/register.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { legalCommands } from "./legal-operator.ts";

let server: TestServer;
let folder = "";
beforeAll(async () => {
  server = await openTestServer();
  folder = await mkdtemp(join(tmpdir(), "legal-"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const run = async (name: string, ...args: string[]) =>
  await legalCommands.find((one) => one.name === name)?.run(server.deps, args, "test");
const publish = async (page: string, text: string) => {
  const file = join(folder, "texte.txt");
  await writeFile(file, text);
  return await run("legal publish", page, file);
};
const read = async (page: string) => (await server.anonymous.get(`/api/legal/${page}`)).body;
const mention = async () => (await server.anonymous.get("/api/portal")).body["accessibility"];

test.each(legalPages)(
  "GET /api/legal/%s without a session: a text that says what is missing",
  async (page) => {
    const text = await read(page);
    expect(text).toMatchObject({ isCompleted: false, publishedOn: null, conformity: "none" });
    expect(text["body"]).toContain("[à compléter par l’exploitant]");
  },
);

// proves: legal-pages
test("the declaration names what the law asks for", async () => {
  const { body } = await read("accessibilite");
  for (const part of [
    "## État de conformité",
    "## Contenus non accessibles",
    "Dérogations",
    "## Retour d’information et contact",
    "Défenseur des droits",
    "## Schéma pluriannuel",
    "## Plan d’actions de l’année",
  ]) {
    expect(body).toContain(part);
  }
});

test("GET /api/legal of no such page is refused", async () => {
  const { status, body } = await server.anonymous.get("/api/legal/autre");
  expect([status, body["code"]]).toEqual([400, "invalid_input"]);
});

test("published by the operator: read by all, declared everywhere, and taken back", async () => {
  const text = "conformité: partiellement conforme\r\n\r\nAudit du 3 mai.\r\n\r\n## Suite\r\n";
  expect(await publish("accessibilite", text)).toEqual({
    ok: true,
    lines: ["accessibilite : publiée."],
  });
  expect(await read("accessibilite")).toMatchObject({
    body: "Audit du 3 mai.\n\n## Suite",
    isCompleted: true,
    conformity: "partial",
  });
  expect((await read("accessibilite"))["publishedOn"]).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await mention()).toBe("partial");
  const output = (await run("legal show", "accessibilite"))?.lines.join("\n") ?? "";
  expect((await publish("accessibilite", output))?.ok).toBe(true);
  expect((await run("legal list"))?.lines[0]).toMatch(/publiée le .*, partiellement conforme$/);
  expect((await run("legal withdraw", "accessibilite"))?.ok).toBe(true);
  expect([await mention(), (await read("accessibilite"))["isCompleted"]]).toEqual(["none", false]);
});

test("a file that is not right publishes nothing and says each fault", async () => {
  const silent = await publish("accessibilite", "Nous sommes accessibles.");
  expect([silent?.ok, silent?.lines.length]).toEqual([false, 2]);
  expect((await publish("accessibilite", "conformité: parfaite\n\nTexte"))?.ok).toBe(false);
  expect((await publish("donnees", " \n"))?.lines[1]).toContain("1 à 30000");
  expect((await publish("autre", "Texte"))?.lines[0]).toContain("accessibilite, ");
  expect((await run("legal publish", "donnees", join(folder, "absent")))?.ok).toBe(false);
  expect((await server.deps.pool.query("select from legal_page")).rowCount).toBe(0);
});

// proves: legal-pages
test("GET /api/privacy/retention without a session is the register, line by line", async () => {
  const { body } = await server.anonymous.get("/api/privacy/retention");
  expect(body["items"]).toEqual(
    register.map(({ label, howLong, purpose }) => ({ what: label, howLong, purpose })),
  );
});
