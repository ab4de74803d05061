// GET /api/home: a person's to-dos, their children, what comes next; and who may read it.
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { approveIfRequired } from "#tests/approve.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { makeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { contactCommands } from "../contact/operator.ts";
import { inTx } from "../db/db.ts";
import { demoFares } from "../demo/fares.ts";
import { openNetwork } from "../demo/transit.ts";
import { putOnSale } from "../passes/passes.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let hugo: Client;
beforeAll(async () => {
  server = await openTestServer();
  [camille, thomas, hugo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("stranger"),
  ]);
});
afterAll(() => server.close());

const homeOf = async (client: Client, name: CastName) =>
  await client.get(`/api/home?cardnumber=${cast[name].cardnumber}`);
const toDos = async (client: Client, name: CastName) =>
  ((await homeOf(client, name)).body.toDos as Record<string, unknown>[]).map(
    ({ kind, name: whose, from, what }) => [kind, whose, from, what],
  );
const personOf = async (name: CastName) =>
  (
    await server.deps.db
      .selectFrom("card")
      .select("personId as id")
      .where("number", "=", cast[name].cardnumber)
      .executeTakeFirstOrThrow()
  ).id;

describe("GET /api/home", () => {
  test("shows each child with what it can spend, the figure of the child's own screen", async () => {
    const { children } = (await homeOf(camille, "guardian")).body;
    const [first] = children;
    const info = await camille.post("/api/card/info", { cardnumber: first.cardnumber });
    expect(first.wallet.projectedCents).toBe(info.body.creditCents);
    expect(children.map(({ name }: { name: string }) => name)).toEqual([
      "Jade Moreau",
      "Léo Moreau",
    ]);
    expect((await homeOf(hugo, "stranger")).body).toEqual({
      toDos: [],
      children: [],
      coming: [],
      canteen: false,
      day: { on: expect.any(String), people: [] },
      tour: false,
      stop: null,
    });
  });

  test("a child's card shows the child alone, and nobody else's is found", async () => {
    expect((await homeOf(camille, "child")).body.children).toEqual([]);
    expect((await homeOf(hugo, "child")).status).toBe(404);
    expect((await homeOf(hugo, "guardian")).status).toBe(404);
  });

  test("an invitation waits until it is answered", async () => {
    const { cardnumber } = cast.guardian;
    const { body } = await hugo.post("/api/family/invitations", { cardnumber, role: "relative" });
    expect(await toDos(camille, "guardian")).toEqual([
      ["invitation", "Camille Moreau", cast.stranger.name, "relative"],
    ]);
    expect(await toDos(camille, "child")).toEqual([]);
    await camille.post(`/api/family/invitations/${body.id}/decline`);
    expect(await toDos(camille, "guardian")).toEqual([]);
  });

  test("a closing that waits is told with its day, on the home of its account, until it is given up", async () => {
    const holder = await personOf("guardian");
    const add = (id: number) =>
      sql<{ id: string }>`insert into closure (person_id, requested_by, requested_at, closes_on)
        values (${id}, ${holder}, now(), '2099-12-09') returning id`.execute(server.deps.db);
    await add(holder);
    await add(await personOf("child"));
    expect(await toDos(camille, "guardian")).toEqual([
      ["closing", "Camille Moreau", null, "2099-12-09"],
    ]);
    expect((await homeOf(camille, "guardian")).body.toDos[0]).toMatchObject({
      until: "2099-12-08T23:00:00.000Z",
      path: expect.stringMatching(/^\/profil\/donnees#fermeture-[\da-f-]{36}$/),
    });
    expect(await toDos(camille, "child")).toEqual([["closing", "Léo Moreau", null, "2099-12-09"]]);
    // A person with a guardian may not cancel it.
    expect(await toDos(await server.as("child"), "child")).toEqual([]);
    for (const name of ["guardian", "child"] as const) {
      const input = { cardnumber: cast[name].cardnumber };
      expect((await camille.post("/api/privacy/closure/cancel", input)).status).toBe(200);
    }
    expect(await toDos(camille, "guardian")).toEqual([]);
  });

  test("custody proposed by the other guardian waits for this one alone", async () => {
    const path = `/api/family/members/${cast.child.cardnumber}/custody`;
    const fromOn = parisDay(server.clock.now());
    const { body } = await thomas.post(path, { kind: "weeks", first: "me", fromOn });
    expect(await toDos(camille, "guardian")).toEqual([
      ["custody", "Léo Moreau", "Thomas Moreau", "weeks"],
    ]);
    expect(await toDos(thomas, "coGuardian")).toEqual([]);
    await camille.post(`/api/family/custody/${body.id}/decline`);
    expect(await toDos(camille, "guardian")).toEqual([]);
  });

  test("a purchase that is begun can be resumed until it is given up", async () => {
    await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
    const start = { product: "lagon-mois", cardnumber: cast.child.cardnumber };
    const { body } = await camille.post("/api/passes/orders", start);
    expect(await toDos(camille, "guardian")).toEqual([
      ["pass_order", "Léo Moreau", null, "Mensuel"],
    ]);
    await camille.post(`/api/passes/orders/${body.id}/cancel`);
    expect(await toDos(camille, "guardian")).toEqual([]);
  });

  test("a refused proof waits until another one is sent, one that ends until it is renewed", async () => {
    const person = await personOf("guardian");
    const now = server.clock.now();
    const proof = (state: string, kind: string, until: string | null) =>
      server.deps.pool.query(
        `insert into proof (person_id, sent_by, kind, state, sent_at, answered_at, reason, valid_from,
          valid_until) values ($1, $1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          person,
          kind,
          state,
          now,
          state === "waiting" ? null : now,
          state === "refused" ? "Document illisible." : null,
          state === "validated" ? parisDay(now) : null,
          until,
        ],
      );
    await proof("refused", "home", null);
    await proof("validated", "identity", addDays(parisDay(now), 8));
    await proof("validated", "schooling", addDays(parisDay(now), 300));
    expect(await toDos(camille, "guardian")).toEqual([
      ["proof_ending", "Camille Moreau", null, "identity"],
      ["proof_refused", "Camille Moreau", null, "home"],
    ]);
    expect(await toDos(thomas, "coGuardian")).toEqual([]);
    await proof("waiting", "home", null);
    await proof("waiting", "identity", null);
    expect(await toDos(camille, "guardian")).toEqual([]);
  });

  test("an answer of the service waits until its notice is read", async () => {
    const response = await camille.post("/api/contact", {
      topic: "money",
      subject: "Ma recharge",
      text: "Elle n’est pas arrivée.",
    });
    const { rows } = await server.deps.pool.query("select number from contact_thread");
    const answer = contactCommands.find(({ name }) => name === "contact answer");
    await answer?.run(server.deps, [String(rows[0].number), "Elle est arrivée."], "test");
    expect(await toDos(camille, "guardian")).toEqual([
      ["answer", "Camille Moreau", null, "Ma recharge"],
    ]);
    expect(response.status).toBe(201);
    await camille.post("/api/notifications/read-all", { upTo: 1_000_000_000 });
    expect(await toDos(camille, "guardian")).toEqual([]);
  });

  test("a cart waits while it is held; then its tickets are one line a session, and one given waits", async () => {
    const event = await makeEvent(server);
    const { cardnumber } = cast.guardian;
    const seat = { session: event.session, category: event.full, cardnumber, quantity: 2 };
    const { cart } = (await camille.post("/api/tickets/cart/lines", seat)).body;
    expect(await toDos(camille, "guardian")).toEqual([
      ["cart", "Camille Moreau", null, "Concert du port"],
    ]);
    const wallets = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items;
    const paid = await camille.post("/api/tickets/cart/pay", {
      method: "wallet",
      order: cart.id,
      objectID: wallets[0].objectID,
      totalCents: cart.totalCents,
    });
    expect(paid.status).toBe(200);
    const { toDos: left, coming } = (await homeOf(camille, "guardian")).body;
    expect(left).toEqual([]);
    expect(coming).toMatchObject([
      { kind: "ticket", title: "Concert du port", count: 2, holders: ["Camille Moreau"] },
    ]);
    const { items } = (await camille.get(`/api/tickets?cardnumber=${cardnumber}`)).body;
    const toCardnumber = cast.stranger.cardnumber;
    await camille.post(`/api/tickets/${items[0].id}/transfer`, { toCardnumber });
    expect(await toDos(hugo, "stranger")).toEqual([
      ["ticket_received", cast.stranger.name, "Camille Moreau", "Concert du port"],
    ]);
  });
});

describe("GET /api/home/services", () => {
  const factsOf = async (client: Client, name: CastName) =>
    (await client.get(`/api/home/services?cardnumber=${cast[name].cardnumber}`)).body;

  test("what is not known is null; another's card is not found", async () => {
    const { body } = await hugo.get(`/api/wallets?cardnumber=${cast.stranger.cardnumber}`);
    expect(await factsOf(hugo, "stranger")).toEqual({
      balanceCents: body.items[0].balanceCents,
      subscribedUntil: null,
      tickets: null,
      pass: null,
      partners: 0,
    });
    expect(await factsOf(hugo, "guardian")).toMatchObject({ code: "not_found" });
  });

  test("the subscription while it runs, the tickets of the next session, the directory", async () => {
    const person = await personOf("guardian");
    const inDays = (days: number) =>
      server.deps.pool.query("update person set subscription_expires_at = $1 where id = $2", [
        new Date(server.clock.now().getTime() + days * 86_400_000),
        person,
      ]);
    await inDays(30);
    await furnishDirectory(server.deps);
    const until = addDays(parisDay(server.clock.now()), 30);
    const { coming } = (await homeOf(camille, "guardian")).body;
    expect(await factsOf(camille, "guardian")).toMatchObject({
      subscribedUntil: until,
      tickets: { count: 2, from: coming[0].from },
      partners: 26,
    });
    await inDays(-1);
    expect(await factsOf(camille, "guardian")).toMatchObject({ subscribedUntil: null });
  });

  test("the next bus of a child's pass, from its stop and of its lines; without the stop, its last day", async () => {
    await inTx(server.deps.db, (tx) => openNetwork(tx, server.clock.now()));
    const { cardnumber } = cast.child;
    const start = { product: "lagon-mois", cardnumber };
    const { body: begun } = await camille.post("/api/passes/orders", start);
    const path = `/api/passes/orders/${begun.id}`;
    const { body: order } = await camille.post(path, { startOn: begun.start.from });
    const { rows } = await server.deps.pool.query(
      `select s.id, l.number from transit_direction_stop ds join transit_stop s on s.id = ds.stop_id
       join transit_line l on l.id = ds.line_id join fare_product f on f.group_id = l.group_id
       where f.id = 'lagon-mois' order by ds.place limit 1`,
    );
    const wallets = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
    const paid = await approveIfRequired(server, camille, `${path}/pay`, {
      revision: order.revision,
      totalCents: order.price.totalCents,
      objectID: wallets.body.items[0].objectID,
      method: "wallet",
    });
    expect(paid.status, paid.text).toBe(200);
    await server.deps.pool.query("update pass set stop_id = $1::int::text", [rows[0].id]);
    const stop = `/api/transit/stops/${rows[0].id}/departures`;
    const lines = new Set(
      (
        await server.deps.pool.query(
          `select number from transit_line where group_id =
             (select group_id from fare_product where id = 'lagon-mois')`,
        )
      ).rows.map(({ number }) => number),
    );
    const { items } = (await camille.get(stop)).body;
    const [first] = items
      .filter(({ line, next }: any) => lines.has(line.number) && next.length > 0)
      .map(({ line, next }: any) => ({ line, at: next[0].at }))
      .sort((a: any, b: any) => Date.parse(a.at) - Date.parse(b.at));
    const { pass } = await factsOf(camille, "guardian");
    expect(pass).toMatchObject({
      holder: "Léo Moreau",
      next: { line: first.line.number, at: first.at, onRequest: false },
    });
    expect((await factsOf(camille, "child")).pass).toEqual({ ...pass, holder: null });
    expect((await factsOf(hugo, "stranger")).pass).toBeNull();
    await server.deps.pool.query("update transit_line set feed_id = null");
    await server.deps.pool.query("update pass set stop_id = '2147483647'");
    expect((await factsOf(camille, "guardian")).pass).toEqual({ ...pass, next: null });
  });
});

describe("GET /api/home, last, for it opens a canteen in the directory", () => {
  test("says whether anybody of the family is at a canteen", async () => {
    const canteen = async (client: Client, name: CastName) =>
      (await homeOf(client, name)).body.canteen;
    expect(await canteen(camille, "guardian")).toBe(false);
    const { registrations } = await makeCanteen(server);
    expect(registrations.child).toBeTruthy();
    expect(await canteen(camille, "guardian")).toBe(true);
    expect(await canteen(camille, "child")).toBe(true);
    expect(await canteen(hugo, "stranger")).toBe(false);
  });
});
