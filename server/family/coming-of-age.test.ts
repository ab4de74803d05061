// A child who turns 18 decides alone about their card: from the day on, whether or not the routine ran.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, addMonths, parisDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { comingOfAgeTasks } from "./coming-of-age.ts";
import { printCode } from "./join.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let leo: Client;

beforeAll(async () => {
  server = await openTestServer();
  [camille, thomas, leo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("child"),
  ]);
});
beforeEach(() => {
  server.outbox.length = 0;
});
afterAll(() => server.close());

const number = (name: CastName) => cast[name].cardnumber;
/** Makes a person's 18th birthday the day so far from today, in Paris. */
const birthdayIn = (name: CastName, days: number) =>
  server.deps.pool.query(
    "update person p set born_on = $1 from card c where c.person_id = p.id and c.number = $2",
    [addMonths(addDays(parisDay(server.clock.now()), days), -18 * 12), number(name)],
  );
const followBirthdays = () => comingOfAgeTasks(server.deps).follow_birthdays();
const noticesOf = async (client: Client): Promise<{ title: string; body: string }[]> =>
  (await client.get("/api/notifications")).body.items;
const relations = async (client: Client) =>
  Object.fromEntries(
    (await client.get("/api/family")).body.members.map(
      ({ name, relation }: { name: string; relation: string }) => [name, relation],
    ),
  );
const limitsPath = `/api/family/members/${number("child")}/limits`;

test("30 days before, child and guardians are told once; nothing else changes yet", async () => {
  await birthdayIn("child", 31);
  await followBirthdays();
  expect(await noticesOf(leo)).toEqual([]);
  await birthdayIn("child", 30);
  await followBirthdays();
  await followBirthdays();
  const day = formatDate(addDays(parisDay(server.clock.now()), 30));
  const [own, ...more] = await noticesOf(leo);
  expect(more).toEqual([]);
  expect(own?.body).toContain(`Le ${day}, jour de vos 18 ans, votre carte ne dépendra plus que`);
  expect(own?.body).toContain("Ajoutez un e-mail ou un téléphone à votre profil");
  for (const [client, name] of [
    [camille, "guardian"],
    [thomas, "coGuardian"],
  ] as const) {
    const [notice, ...others] = await noticesOf(client);
    expect(others).toEqual([]);
    expect(notice?.body).toContain(`Léo Moreau aura 18 ans le ${day}.`);
    expect(notice?.body).toContain("ajoutez sur sa page son e-mail ou son téléphone");
    expect(server.outbox.map(({ address }) => address)).toContain(cast[name].email);
  }
  expect(await relations(camille)).toMatchObject({ "Léo Moreau": "child" });
  expect((await leo.get("/api/family")).body.minor).toBe(true);
});

// proves: family-joining
test("on the day no guardian sees or acts, the holder does, and limits end, before any job", async () => {
  await birthdayIn("child", 1);
  const limits = { dayCents: 500, weekCents: null, groups: null };
  expect((await camille.post(limitsPath, { limits })).status).toBe(200);
  const wallets = `/api/wallets?cardnumber=${number("child")}`;
  const { body } = await camille.get(wallets);
  const movements = `/api/wallets/${body.items[0].objectID}/movements`;
  expect((await camille.get(movements)).status).toBe(200);
  expect((await leo.post(`/api/cards/${number("child")}/suspend`)).status).toBe(200);
  const resume = `/api/cards/${number("child")}/resume`;
  expect((await leo.post(resume)).body.code).toBe("family_minor");
  const invited = { cardnumber: number("stranger"), role: "guardian", child: number("child") };
  expect((await approve(server, camille, "/api/family/invitations", invited)).status).toBe(201);

  await birthdayIn("child", 0);
  for (const client of [camille, thomas]) {
    for (const path of [wallets, movements, limitsPath]) {
      expect((await client.get(path)).status, path).toBe(404);
    }
    expect((await client.post("/api/card/info", { cardnumber: number("child") })).status).toBe(404);
    expect((await client.post(resume)).status).toBe(404);
    expect((await client.post(limitsPath, { limits })).status).toBe(404);
    expect(await relations(client)).toMatchObject({ "Léo Moreau": "relative" });
  }
  expect(await relations(leo)).toEqual({
    "Camille Moreau": "relative",
    "Thomas Moreau": "relative",
  });
  expect((await leo.get("/api/family")).body.minor).toBe(false);
  expect((await leo.get(limitsPath)).body).toMatchObject({ dayCents: null, canSet: false });
  expect((await leo.post(resume)).status).toBe(200);
  const { rows } = await server.deps.pool.query(
    `select member_refusal(c.person_id, 100000, 1, now()) as refusal, custodian_on(c.person_id, paris_day(now()))
     from card c where c.number = $1`,
    [number("child")],
  );
  expect(rows).toEqual([{ refusal: null, custodian_on: null }]);
});

test("the routine writes it once and tells both sides; an open invitation ends", async () => {
  await followBirthdays();
  await followBirthdays();
  const { rows } = await server.deps.pool.query(
    `select t.role, (select count(*)::int from member_limit l where l.person_id = t.member_id) as limits
     from family_tie t join card c on c.person_id = t.member_id where c.number = $1`,
    [number("child")],
  );
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ role: "relative", limits: 0 })));
  const [own, before] = await noticesOf(leo);
  expect(own?.title).toBe("Vous avez 18 ans");
  expect(before?.title).not.toBe("Vous avez 18 ans");
  expect((await noticesOf(camille))[0]?.title).toBe("Léo Moreau a 18 ans");
  expect((await camille.get("/api/family")).body.sent).toEqual([]);
  const hugo = await server.as("stranger");
  expect((await hugo.get("/api/family")).body.received).toEqual([]);
});

test("a tie of relatives that the birthday made ends from either side, the only guardian's too", async () => {
  await birthdayIn("secondChild", 0);
  const { body } = await camille.get("/api/family");
  const jade = body.members.find((one: { name: string }) => one.name === "Jade Moreau");
  expect(jade).toMatchObject({ relation: "relative", canLeave: true });
  const left = await camille.post(`/api/family/members/${number("secondChild")}/leave`);
  expect(left.status).toBe(200);
  expect(await relations(camille)).toEqual({
    "Léo Moreau": "relative",
  });
});

test("nobody takes an adult in charge: neither invited as a child nor by a printed code", async () => {
  await birthdayIn("secondChild", 0);
  const asChild = { cardnumber: number("secondChild"), role: "child" };
  expect((await camille.post("/api/family/invitations", asChild)).status).toBe(201);
  const jade = await server.as("secondChild");
  expect((await jade.get("/api/family")).body.received).toEqual([]);
  const code = await printCode(server.deps, number("secondChild"), "test");
  const joined = await thomas.post("/api/family/join", { cardnumber: number("secondChild"), code });
  expect(joined).toMatchObject({ status: 409, body: { code: "join_adult" } });
});
