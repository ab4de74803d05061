// A child's first card: requested, answered, and the effect of each answer.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addMonths, parisDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { cardCommands } from "./operator.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { firstCardCommands } from "./first-card-operator.ts";

let server: TestServer;
let hugo: Client;
beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
});
afterAll(() => server.close());

const path = "/api/family/card-requests";
const bornYearsAgo = (years: number) => addMonths(parisDay(server.clock.now()), -12 * years);
const ask = (client: Client, firstName: string, years = 8) =>
  client.post(path, { firstName, lastName: "Petit", bornOn: bornYearsAgo(years) });
const run = async (name: string, ...args: string[]) =>
  await firstCardCommands.find((one) => one.name === name)?.run(server.deps, args, "test");
const persons = async () =>
  (await server.deps.pool.query("select count(*)::int as n from person")).rows[0].n;
const waiting = async (name: string) =>
  (await run("family requests"))?.lines.find((line) => line.includes(name))?.split(" ")[0] ?? "";

test("approved: a person, a wallet, a guardian, a card that is made, sent and activated", async () => {
  const answer = await ask(hugo, "  Inès ");
  expect(answer).toMatchObject({ status: 201, body: { name: "Inès Petit", state: "open" } });
  const line = (await run("family requests"))?.lines.find((one) => one.includes("Inès")) ?? "";
  // The operator reads days as they are spoken, and nobody's gender is guessed.
  expect(line).toMatch(
    new RegExp(
      `^\\d+  [\\d/]{10}  Inès Petit, naissance le ${formatDate(bornYearsAgo(8))}, à la demande d[e’]`,
    ),
  );
  const before = await persons();
  const answered = await run("family approve", await waiting("Inès"));
  const [, number, secret = ""] =
    /carte (\d{10})  secret (\d{4}-\d{4}-\d{4})$/.exec(answered?.lines[0] ?? "") ?? [];
  const cardnumber = Number(number);
  expect(await persons()).toBe(before + 1);
  const { members } = (await hugo.get("/api/family")).body;
  expect(members).toMatchObject([
    { cardnumber, name: "Inès Petit", relation: "child", state: "approved", canLeave: false },
  ]);
  expect((await hugo.get(path)).body.items).toEqual([]);
  const [wallet] = (await hugo.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items;
  expect(wallet).toMatchObject({ main: true, balanceCents: 0 });
  expect((await hugo.post(`/api/cards/${cardnumber}/activate`)).body.code).toBe("card_state");
  for (const step of ["cards produce", "cards ship"]) {
    const command = cardCommands.find(({ name }) => name === step);
    const done = await command?.run(server.deps, [String(cardnumber)], "test");
    expect(done?.ok, step).toBe(true);
  }
  expect((await hugo.post(`/api/cards/${cardnumber}/activate`)).status).toBe(200);
  // The printed secret opens a session that may only choose a password.
  const login = await server.anonymous.post("/api/login", { login: cardnumber, password: secret });
  expect(login).toMatchObject({ status: 200, body: { data: { isReset: true } } });
  expect((await run("family approve", "1"))?.ok).toBe(false);
  expect(await persons()).toBe(before + 1);
});

test("refused: the guardian reads why, nobody is made; the same child may be asked again", async () => {
  const before = await persons();
  await ask(hugo, "Malo");
  const twice = await ask(hugo, "malo");
  expect(twice).toMatchObject({ status: 409, body: { code: "first_card_requested" } });
  expect((await run("family refuse", await waiting("Malo"), "Le nom n'est pas lisible."))?.ok).toBe(
    true,
  );
  expect((await hugo.get(path)).body.items).toMatchObject([
    { name: "Malo Petit", state: "refused", reason: "Le nom n'est pas lisible." },
  ]);
  expect((await hugo.get("/api/notifications")).body.items[0].title).toBe("Première carte refusée");
  expect((await ask(hugo, "Malo")).status).toBe(201);
  expect(await persons()).toBe(before);
});

test("withdrawn by the one who asked, once, and answered no more", async () => {
  const { body } = await ask(hugo, "Noé");
  const number = await waiting("Noé");
  const camille = await server.as("guardian");
  expect((await camille.post(`${path}/${body.id}/withdraw`)).status).toBe(404);
  expect((await hugo.post(`${path}/${body.id}/withdraw`)).status).toBe(200);
  expect((await hugo.post(`${path}/${body.id}/withdraw`)).body.code).toBe("first_card_answered");
  expect((await run("family approve", number))?.ok).toBe(false);
  expect((await run("family refuse", "99999", "non"))?.ok).toBe(false);
});

test("a child with a single name is asked for by it, in either field; without any it is refused", async () => {
  const guardian = await server.as("coGuardian");
  const bornOn = bornYearsAgo(6);
  for (const [firstName, lastName] of [
    ["Suryani", ""],
    [" ", "Budi"],
  ] as const) {
    const { status, body } = await guardian.post(path, { firstName, lastName, bornOn });
    expect([status, body.name]).toEqual([201, `${firstName}${lastName}`.trim()]);
    await guardian.post(`${path}/${body.id}/withdraw`);
  }
  const nobody = await guardian.post(path, { firstName: "", lastName: " ", bornOn });
  expect([nobody.status, nobody.body.code]).toEqual([400, "invalid_input"]);
});

test("refusals: an adult, a birth to come, no name, a child who asks, too many", async () => {
  const count = async () => (await hugo.get(path)).body.items.length;
  const before = await count();
  expect((await ask(hugo, "Ali", 18)).body.code).toBe("first_card_age");
  expect((await ask(hugo, "Ali", -1)).body.code).toBe("first_card_age");
  expect((await ask(hugo, " . ")).body.code).toBe("invalid_input");
  const leo = await server.as("child");
  expect((await ask(leo, "Ali")).body.code).toBe("family_minor");
  expect(await count()).toBe(before);
  for (const name of ["Un", "Deux", "Trois", "Quatre", "Cinq"]) await ask(hugo, name);
  expect((await ask(hugo, "Six")).body.code).toBe("first_card_full");
});
