// Contact: messages written, kept once, answered, closed, and refused.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatDateTime } from "#contract/french.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { contactCommands } from "./operator.ts";
import { pdfFile } from "#tests/pdf-file.ts";

let server: TestServer;
let hugo: Client;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  [hugo, camille] = await Promise.all([server.as("stranger"), server.as("guardian")]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.pool.query("delete from contact_draft; delete from contact_thread");
  await server.deps.pool.query("delete from document; delete from notification");
  server.outbox.length = 0;
});

const path = "/api/contact";
const pdf = pdfFile;
const upload = async (client: Client, words = "reçu"): Promise<string> =>
  (
    await client.post(`/api/documents?name=${encodeURIComponent(words)}`, pdf(words), {
      "content-type": "application/pdf",
    })
  ).body.id;
const first = { topic: "money", subject: "Recharge en double", text: "Bonjour", documents: [] };
const open = (client: Client, input: object = {}, key?: string) =>
  client.post(path, { ...first, ...input }, key ? { "idempotency-key": key } : {});
const write = (client: Client, id: string, input: object = {}, key?: string) =>
  client.post(
    `${path}/${id}/messages`,
    { text: "Et encore", documents: [], ...input },
    key ? { "idempotency-key": key } : {},
  );
const run = async (name: string, ...args: string[]) =>
  await contactCommands.find((one) => one.name === name)?.run(server.deps, args, "anne");
const count = async (table: string) =>
  Number((await server.deps.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe("POST /api/contact", () => {
  test("keeps a text without the marks that nobody sees; one of nothing else is none", async () => {
    const { body } = await open(hugo, {
      subject: "\u202eRecharge\u202c en\u200b double\u2069",
      text: "Bon\u00adjour\u0007,\n\u2067voilà",
    });
    expect(body).toMatchObject({
      subject: "Recharge en double",
      messages: [{ text: "Bonjour,\nvoilà" }],
    });
    const empty = await open(hugo, { subject: "\u200b\u2060\u202e" });
    expect([empty.status, empty.body.code]).toEqual([400, "invalid_input"]);
  });

  test("opens a thread with its message and its documents, listed by its last message", async () => {
    const document = await upload(hugo);
    const older = await open(hugo, { subject: "Ma carte", topic: "card" });
    const thread = await open(hugo, {
      text: "  Deux débits.\r\nVoici le reçu. ",
      documents: [document],
    });
    expect(thread).toMatchObject({
      status: 201,
      body: {
        topic: "money",
        state: "open",
        messages: [
          {
            from: "me",
            text: "Deux débits.\nVoici le reçu.",
            documents: [{ id: document, name: "reçu.pdf" }],
          },
        ],
      },
    });
    const list = async () =>
      (await hugo.get(path)).body.items.map(({ subject }: { subject: string }) => subject);
    expect(await list()).toEqual(["Recharge en double", "Ma carte"]);
    await write(hugo, older.body.id);
    expect(await list()).toEqual(["Ma carte", "Recharge en double"]);
    const page = (await hugo.get(`${path}?limit=1`)).body;
    expect((await hugo.get(`${path}?limit=1&before=${page.next}`)).body).toMatchObject({
      items: [{ subject: "Recharge en double" }],
      next: null,
    });
    expect((await hugo.get(`/api/documents/${document}`)).status).toBe(200);
  });

  // proves: messages
  test("sent twice under one key, at once too, it is one thread; other words are refused", async () => {
    const both = await Promise.all([open(hugo, {}, "k-1"), open(hugo, {}, "k-1")]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0].body).toEqual(both[1].body);
    expect((await open(hugo, { text: "Autre" }, "k-1")).body.code).toBe("idempotency_mismatch");
    const { id } = both[0].body;
    await write(hugo, id, {}, "k-2");
    expect((await write(hugo, id, {}, "k-2")).body.messages).toHaveLength(2);
    // Somebody else's key is another key.
    expect((await open(camille, {}, "k-1")).status).toBe(201);
    expect(await count("contact_message")).toBe(3);
  });

  test("refused: blank words, an unknown topic, a document of somebody else or used already", async () => {
    expect((await open(hugo, { text: " \n " })).body.code).toBe("invalid_input");
    expect((await open(hugo, { subject: "  " })).body.code).toBe("invalid_input");
    expect((await open(hugo, { topic: "autre" })).body.code).toBe("invalid_input");
    expect((await open(hugo, { documents: [await upload(camille)] })).status).toBe(404);
    const used = await upload(hugo);
    await open(hugo, { documents: [used] });
    expect((await open(hugo, { documents: [used] })).body.code).toBe("document_attached");
    expect(await count("contact_thread")).toBe(1);
    expect(await count("contact_message")).toBe(1);
  });

  test("ten at once at most, together too; one settled makes room", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => open(hugo)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.code)).toEqual(["contact_full", "contact_full"]);
    const { id } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect((await hugo.post(`${path}/${id}/close`)).body.state).toBe("closed");
    expect((await open(hugo)).status).toBe(201);
    // The closed one cannot come back while ten others are open.
    expect((await write(hugo, id)).body.code).toBe("contact_full");
  });

  test("twenty messages an hour; the hour over, it goes on", async () => {
    const { id } = (await open(hugo)).body;
    for (let at = 0; at < 19; at++) expect((await write(hugo, id)).status).toBe(201);
    const refused = await write(hugo, id);
    expect(refused).toMatchObject({ status: 429, body: { code: "contact_pace" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3000);
    expect(await count("contact_message")).toBe(20);
    await server.deps.pool.query("update contact_message set at = at - interval '61 minutes'");
    expect((await write(hugo, id)).status).toBe(201);
  });

  test("a thread that is too long asks for a new one", async () => {
    const { id } = (await open(hugo)).body;
    await server.deps.pool.query(`insert into contact_message (thread_number, operator, text, at)
      select (select number from contact_thread), 'anne', 'Oui', now() from generate_series(1, 99)`);
    expect((await write(hugo, id)).body.code).toBe("contact_long");
    expect(await count("contact_message")).toBe(100);
  });
});

// proves: messages
test("somebody else's thread is not found: to read, write to, close, or draft for", async () => {
  const { id } = (await open(hugo)).body;
  expect((await camille.get(`${path}/${id}`)).status).toBe(404);
  expect((await write(camille, id)).status).toBe(404);
  expect((await camille.post(`${path}/${id}/close`)).status).toBe(404);
  expect((await camille.get(`${path}/draft?thread=${id}`)).status).toBe(404);
  expect((await hugo.get(`${path}/${id}`)).body).toMatchObject({ state: "open", messages: [{}] });
  expect((await camille.get(path)).body.items).toEqual([]);
});

describe("the customer service", () => {
  // proves: messages
  test("answers: the person is told in the portal and by e-mail, not what is said", async () => {
    const { id, number } = (await open(hugo)).body;
    const { messages } = (await hugo.get(`${path}/${id}`)).body;
    expect((await run("contact list"))?.lines).toEqual([
      expect.stringContaining(`${number}  ${formatDateTime(messages[0].at)}  `),
    ]);
    expect((await run("contact answer", String(number), "C'est remboursé."))?.ok).toBe(true);
    expect((await run("contact list"))?.lines).toEqual(["Aucune demande n'attend de réponse."]);
    expect((await hugo.get(`${path}/${id}`)).body).toMatchObject({
      state: "answered",
      messages: [{ from: "me" }, { from: "team", text: "C'est remboursé." }],
    });
    expect((await hugo.get("/api/notifications")).body.items[0]).toMatchObject({
      title: "Réponse à votre demande",
      path: `/contact?fil=${id}#reponse-${id}`,
    });
    expect(server.outbox).toHaveLength(1);
    expect(server.outbox[0]?.body).toContain(`/contact?fil=${id}`);
    expect(server.outbox[0]?.body).not.toContain("remboursé");
    expect((await hugo.get(path)).text).not.toContain("anne");
  });

  test("to write again moves neither the day of the answer nor the place in the queue", async () => {
    const { id, number, waitingSince } = (await open(hugo)).body;
    server.clock.advance(60_000);
    const second = (await open(camille)).body;
    server.clock.advance(60_000);
    const again = (await write(hugo, id)).body;
    expect(again.at > again.waitingSince).toBe(true);
    expect(again.waitingSince).toBe(waitingSince);
    const queue = (await run("contact list"))?.lines.map((line) => Number(line.split(" ")[0]));
    expect(queue).toEqual([number, second.number]);
    await run("contact answer", String(number), "C'est remboursé.");
    expect((await hugo.get(`${path}/${id}`)).body.waitingSince).toBeNull();
    server.clock.advance(60_000);
    const third = (await write(hugo, id)).body;
    expect(third.waitingSince).toBe(third.at);
  });

  test("a thread settled by either side is open again when the person writes", async () => {
    const { id, number } = (await open(hugo)).body;
    expect((await run("contact close", String(number)))?.ok).toBe(true);
    expect((await hugo.get(`${path}/${id}`)).body.state).toBe("closed");
    expect((await write(hugo, id)).body.state).toBe("open");
    expect((await hugo.post(`${path}/${id}/close`)).body.state).toBe("closed");
    expect((await hugo.post(`${path}/${id}/close`)).body.state).toBe("closed");
    expect((await write(hugo, id)).body.messages).toHaveLength(3);
  });

  test("reads a thread with its documents, and answers from a file", async () => {
    const document = await upload(hugo);
    const { number } = (await open(hugo, { documents: [document] })).body;
    const folder = await mkdtemp(join(tmpdir(), "contact-"));
    await writeFile(join(folder, "r.txt"), "Bonjour,\n\nMerci.\n");
    expect((await run("contact answer", String(number), `@${join(folder, "r.txt")}`))?.ok).toBe(
      true,
    );
    const lines = (await run("contact show", String(number)))?.lines ?? [];
    expect(lines[0]).toBe(`Demande ${number}, répondu`);
    expect(lines).toContainEqual(expect.stringContaining(`documents save ${document}`));
    expect(lines).toContainEqual(expect.stringContaining("— anne"));
    await rm(folder, { recursive: true });
  });

  test.each([
    ["contact show", ["999999999"]],
    ["contact show", ["abc"]],
    ["contact answer", ["999999999", "Bonjour"]],
    ["contact close", ["999999999"]],
    ["contact answer", ["1", " "]],
    ["contact answer", ["1", "@/nulle/part"]],
  ])("%s %j says what is wrong and changes nothing", async (name, args) => {
    const result = await run(name, ...args);
    expect(result?.ok).toBe(false);
    expect(result?.lines[0]).toMatch(/\S\.$/);
    expect(await count("contact_message")).toBe(0);
  });
});

describe("what is being written", () => {
  const draft = { thread: null, topic: null, subject: "", text: "Je comm", documents: [] };
  const keep = (client: Client, changes: object) =>
    client.post(`${path}/draft`, { ...draft, ...changes });

  test("is kept with its documents, for its writer, until it is sent", async () => {
    const document = await upload(hugo);
    await keep(hugo, { topic: "card", documents: [document] });
    await keep(hugo, { topic: "card", text: "Je commence", documents: [document] });
    expect((await hugo.get(`${path}/draft`)).body).toMatchObject({
      topic: "card",
      text: "Je commence",
      documents: [{ id: document }],
    });
    expect((await camille.get(`${path}/draft`)).body).toMatchObject({ text: "", documents: [] });
    await open(hugo, { documents: [document] });
    expect((await hugo.get(`${path}/draft`)).body).toEqual({
      topic: null,
      subject: "",
      text: "",
      documents: [],
    });
  });

  test("each thread has its own; an empty one is forgotten, an old one too", async () => {
    const { id } = (await open(hugo)).body;
    await keep(hugo, { thread: id, text: "Une suite" });
    await keep(hugo, {});
    expect((await hugo.get(`${path}/draft?thread=${id}`)).body.text).toBe("Une suite");
    expect((await keep(hugo, { text: "" })).body).toEqual({ saved: false });
    expect(await count("contact_draft")).toBe(1);
    await server.deps.pool.query(
      "update contact_draft set updated_at = now() - interval '31 days'",
    );
    await server.deps.db
      .transaction()
      .execute((tx) => server.deps.enqueue(tx, "sweep_contact_drafts", {}));
    await server.runJobs();
    expect(await count("contact_draft")).toBe(0);
  });
});
