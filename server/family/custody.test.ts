// Custody: proposed by one guardian, answered by the other, and the resulting days.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { weekOf } from "#contract/weeks.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { custodianOn } from "./family.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let leo: Client;
const ids = new Map<number | null, string>([[null, "nobody"]]);

beforeAll(async () => {
  server = await openTestServer();
  [camille, thomas, leo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("child"),
  ]);
  const rows = await server.deps.db.selectFrom("card").select(["number", "personId"]).execute();
  for (const { number, personId } of rows) {
    const name = Object.entries(cast).find(([, one]) => one.cardnumber === number)?.[0];
    ids.set(personId, name ?? "");
  }
});
beforeEach(() => server.deps.pool.query("delete from custody"));
afterAll(() => server.close());

const today = () => parisDay(server.clock.now());
const later = (days: number) => addDays(today(), days);
/** Days from today until the next Monday, this day left out. */
const untilMonday = () => 7 - ((new Date(`${today()}T12:00:00Z`).getUTCDay() + 6) % 7);
const path = (name: CastName) => `/api/family/members/${cast[name].cardnumber}/custody`;
const propose = (client: Client, body: object, name: CastName = "child") =>
  client.post(path(name), { kind: "weeks", first: "me", fromOn: today(), ...body });
const answer = (client: Client, id: string, word: "accept" | "decline" | "withdraw") =>
  client.post(`/api/family/custody/${id}/${word}`);
const agree = async (body: object) => {
  const { body: proposal } = await propose(camille, body);
  expect((await answer(thomas, proposal.id, "accept")).status).toBe(200);
};
const seen = async (client: Client) => (await client.get(path("child"))).body;
const childId = () => [...ids].find(([, name]) => name === "child")?.[0] ?? 0;
const on = async (days: number) =>
  ids.get(await custodianOn(server.deps.db, childId(), later(days)));
const evenOdd = (days: number) => (weekOf(later(days)) % 2 === 0 ? "guardian" : "coGuardian");

// proves: household-papers
test("by weeks: nothing counts before the other one agrees; then even and odd weeks as numbered", async () => {
  const proposal = await propose(camille, {});
  expect(proposal.status).toBe(201);
  expect(await on(0)).toBe("nobody");
  expect((await seen(thomas)).proposals).toMatchObject([{ kind: "weeks", proposedByMe: false }]);
  const [notice] = (await thomas.get("/api/notifications")).body.items;
  expect(notice).toMatchObject({
    title: "Garde proposée",
    path: `/family/${cast.child.cardnumber}?onglet=garde#garde-${proposal.body.id}`,
  });
  expect((await answer(thomas, proposal.body.id, "accept")).status).toBe(200);
  for (const days of [0, 6, 7, 13, 40, 200, 420]) expect(await on(days)).toBe(evenOdd(days));
  const { days, guardians, rule, proposals } = await seen(camille);
  expect(guardians).toEqual([
    { name: "Camille Moreau", own: true },
    { name: "Thomas Moreau", own: false },
  ]);
  expect(rule).toMatchObject({ kind: "weeks", first: 0, second: 1 });
  expect(proposals).toEqual([]);
  expect(days.length % 7).toBe(0);
  expect(new Date(days[0].on).getUTCDay()).toBe(1);
  const now = days.find((one: { on: string }) => one.on === today());
  expect(now.guardian).toBe(evenOdd(0) === "guardian" ? 0 : 1);
  expect((await leo.get("/api/notifications")).body.items[0]).toMatchObject({
    title: "Garde convenue",
  });
});

test("days agreed go before the rule, the last agreed first; halves split the holidays", async () => {
  await agree({ kind: "weeks" });
  const monday = untilMonday();
  const swapped = evenOdd(monday) === "guardian" ? "other" : "me";
  await agree({ kind: "days", first: swapped, fromOn: later(monday), toOn: later(monday + 6) });
  const holder = evenOdd(monday) === "guardian" ? "coGuardian" : "guardian";
  expect(await on(monday)).toBe(holder);
  expect(await on(monday + 6)).toBe(holder);
  expect(await on(monday + 7)).toBe(evenOdd(monday + 7));
  await agree({ kind: "halves", fromOn: later(monday), toOn: later(monday + 14) });
  expect(await on(monday + 7)).toBe("guardian");
  expect(await on(monday + 8)).toBe("coGuardian");
  expect(await on(monday + 14)).toBe("coGuardian");
  expect((await seen(thomas)).planned).toHaveLength(2);
  server.clock.advance(60 * 86_400_000);
  [camille, thomas, leo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("child"),
  ]);
  expect((await seen(thomas)).planned).toEqual([]);
});

test("a rule that begins later holds from its day; the one that holds today is shown", async () => {
  await agree({ kind: "weeks" });
  await agree({ kind: "usual", first: "other", fromOn: later(30) });
  expect(await on(29)).toBe(evenOdd(29));
  expect(await on(30)).toBe("coGuardian");
  const { rule, planned } = await seen(leo);
  expect(rule.kind).toBe("weeks");
  expect(planned).toMatchObject([{ kind: "usual", first: 1, proposedByMe: false }]);
});

test("declined and withdrawn: once, by whom it concerns, and nothing counts", async () => {
  const { body: first } = await propose(camille, {});
  expect((await answer(camille, first.id, "accept")).status).toBe(404);
  expect((await answer(thomas, first.id, "withdraw")).status).toBe(404);
  expect((await answer(leo, first.id, "accept")).status).toBe(404);
  expect((await answer(thomas, first.id, "decline")).status).toBe(200);
  for (const word of ["accept", "decline"] as const) {
    const again = await answer(thomas, first.id, word);
    expect(again).toMatchObject({ status: 410, body: { code: "custody_over" } });
  }
  const { body: second } = await propose(camille, {});
  expect((await answer(camille, second.id, "withdraw")).status).toBe(200);
  expect((await answer(camille, second.id, "withdraw")).body.code).toBe("custody_over");
  expect(await on(3)).toBe("nobody");
  expect((await seen(camille)).proposals).toEqual([]);
});

// proves: household-papers
test("two answers at once: one counts", async () => {
  const { body } = await propose(camille, {});
  const answers = await Promise.all([
    answer(thomas, body.id, "accept"),
    answer(thomas, body.id, "decline"),
    answer(camille, body.id, "withdraw"),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("refusals: the same days twice, dates that do not fit, no other guardian, the child, a stranger", async () => {
  const twice = await Promise.all([propose(camille, {}), propose(thomas, { kind: "usual" })]);
  expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([201, 409]));
  expect(twice.find(({ status }) => status === 409)?.body.code).toBe("custody_waiting");
  for (const body of [
    { fromOn: later(-1) },
    { fromOn: later(367) },
    { toOn: later(3) },
    { kind: "days", fromOn: later(5) },
    { kind: "days", fromOn: later(5), toOn: later(4) },
    { kind: "days", fromOn: later(5), toOn: later(98) },
    { kind: "halves", fromOn: later(5), toOn: later(5) },
  ]) {
    expect((await propose(camille, body)).body.code).toBe("custody_dates");
  }
  expect((await propose(camille, {}, "secondChild")).body.code).toBe("custody_guardians");
  expect((await propose(leo, {})).body.code).toBe("family_minor");
  const hugo = await server.as("stranger");
  expect((await hugo.get(path("child"))).status).toBe(404);
  expect((await propose(hugo, {})).status).toBe(404);
  expect((await seen(camille)).proposals).toHaveLength(1);
  for (let days = 1; days <= 9; days++) {
    const body = { kind: "days", fromOn: later(days), toOn: later(days) };
    expect((await propose(camille, body)).status).toBe(201);
  }
  const tenth = await propose(camille, { kind: "days", fromOn: later(20), toOn: later(20) });
  expect(tenth.body.code).toBe("custody_full");
});

test("a tie that ends takes its agreements with it: the child is with the guardian who stays", async () => {
  await agree({ kind: "usual", first: "other" });
  const { body } = await propose(camille, {
    kind: "days",
    fromOn: later(1),
    toOn: later(2),
  });
  expect(await on(1)).toBe("coGuardian");
  const left = await thomas.post(`/api/family/members/${cast.child.cardnumber}/leave`);
  expect(left.status).toBe(200);
  expect(await on(1)).toBe("guardian");
  const now = await seen(camille);
  expect(now).toMatchObject({ rule: null, planned: [], canPropose: false });
  expect((await answer(thomas, body.id, "accept")).status).toBe(404);
  expect((await answer(camille, body.id, "withdraw")).body.code).toBe("custody_over");
});
