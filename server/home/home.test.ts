// GET /api/home: what waits for a person, their children, what comes next; and who reads it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { contactCommands } from "../contact/operator.ts";
import { inTx } from "../db/db.ts";
import { demoFares } from "../demo/fares.ts";
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
      .select("person_id as id")
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
    expect((await homeOf(hugo, "stranger")).body).toEqual({ toDos: [], children: [], coming: [] });
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
    const asked = await camille.post("/api/contact", {
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
    expect(asked.status).toBe(201);
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
