// E-tickets over HTTP: seats, carts, money, waiting lists, transfers, admission.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { api } from "#contract/api.ts";
import { cast } from "#tests/cast.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { problemOf } from "#server/http/errors.ts";
import { hour, makeEvent, type MadeEvent } from "#tests/events.ts";
import { callLosingRoles } from "#tests/role-removal.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { verifyCode } from "#server/signed-codes/signed-codes.ts";
import { grant } from "#server/wallet/wallet.ts";
import { putLine } from "./cart.ts";
import { ticketTasks } from "./tickets.ts";
import { ticketCommands } from "./operator.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
let thomas: Client;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  // Sessions end as the clock moves on: each test opens its own.
  [camille, hugo, thomas] = (await Promise.all(
    (["guardian", "stranger", "coGuardian"] as const).map((name) => server.as(name)),
  )) as [Client, Client, Client];
  for (const who of [camille, hugo, thomas]) {
    const { cart } = (await who.get("/api/tickets/cart")).body;
    if (cart) await who.post("/api/tickets/cart/drop", { order: cart.id });
  }
  const { pool } = server.deps;
  await pool.query("update person set born_on = null where id <> 0");
  await pool.query(
    "update person set born_on = now() - interval '9 years' where id in (select person_id from card where number = any ($1))",
    [[cast.child.cardnumber, cast.secondChild.cardnumber]],
  );
});

const me: number = cast.guardian.cardnumber;
const leo = cast.child.cardnumber;
const his = cast.stranger.cardnumber;
const put = (
  who: Client,
  event: MadeEvent,
  { category = event.full, cardnumber = me, quantity = 1 } = {},
) =>
  who.post("/api/tickets/cart/lines", { session: event.session, category, cardnumber, quantity });
const walletOf = async (who: Client, cardnumber: number) =>
  (await who.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
const balance = async (who: Client, cardnumber: number): Promise<number> =>
  (await walletOf(who, cardnumber)).balanceCents;
const pay = async (who: Client, cart: any, cardnumber: number) =>
  who.post("/api/tickets/cart/pay", {
    method: "wallet",
    order: cart.id,
    objectID: (await walletOf(who, cardnumber)).objectID,
    totalCents: cart.totalCents,
  });
/** Buys seats from the buyer's own wallet; gives the tickets. */
async function buy(who: Client, event: MadeEvent, cardnumber: number, quantity = 1) {
  const { body } = await put(who, event, { cardnumber, quantity });
  const paid = await pay(who, body.cart, cardnumber);
  expect(paid.status, paid.text).toBe(200);
  return (await who.get(`/api/tickets/orders/${body.cart.id}`)).body.tickets;
}
const taken = async ({ session }: MadeEvent): Promise<number> =>
  (
    await server.deps.pool.query(
      "select taken from ticket_quota where session_id = $1 and category_id is null",
      [session],
    )
  ).rows[0].taken;
const listOf = async (who: Client, cardnumber: number) =>
  (await who.get(`/api/tickets?cardnumber=${cardnumber}`)).body;
const titles = async (who: Client) =>
  (await who.get("/api/notifications")).body.items.map((one: any) => one.title);
const shop = () => server.as("partnerShop");

describe("the cart", () => {
  // proves: seats
  test("holds seats, is paid once from a wallet, issues tickets; a second call pays nothing more", async () => {
    const event = await makeEvent(server);
    const before = await balance(camille, me);
    const added = await put(camille, event, { quantity: 2 });
    expect(added.body.cart).toMatchObject({ state: "cart", totalCents: 2400 });
    const held = await put(camille, event, { category: event.child, cardnumber: leo });
    expect(held.body.cart.totalCents).toBe(3000);
    expect(await taken(event)).toBe(3);
    const [one, two] = await Promise.all([
      pay(camille, held.body.cart, me),
      pay(camille, held.body.cart, me),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body.cart).toMatchObject({ state: "paid", totalCents: 3000 });
    expect(await balance(camille, me)).toBe(before - 3000);
    expect((await camille.get("/api/tickets/cart")).body.cart).toBeNull();
    const mine = (await listOf(camille, me)).items.filter((t: any) => t.title === concert);
    expect(mine.length).toBeGreaterThanOrEqual(2);
    const leos = (await listOf(camille, leo)).items;
    expect(leos[0]).toMatchObject({
      state: "issued",
      category: "Moins de 18 ans",
      holder: "Léo Moreau",
    });
    expect(leos[0].token).toMatch(/^MT1\./);
    // The co-guardian sees the child's ticket; a stranger sees none.
    expect((await listOf(thomas, leo)).items).toHaveLength(1);
    expect((await hugo.get(`/api/tickets?cardnumber=${leo}`)).status).toBe(404);
    expect((await verify(server.deps.db)).ok).toBe(true);
  });

  test("is one for each person, follows to another device, changes quantity, empties", async () => {
    const event = await makeEvent(server);
    await put(camille, event, { quantity: 3 });
    const phone = await server.as("guardian");
    const there = (await phone.get("/api/tickets/cart")).body;
    expect(there.cart.lines).toMatchObject([{ quantity: 3, holder: "Camille Moreau" }]);
    expect(Date.parse(there.cart.expiresAt) - Date.parse(there.now)).toBeGreaterThan(24.5 * 60_000);
    const less = await put(phone, event, { quantity: 1 });
    expect(less.body.cart).toMatchObject({ id: there.cart.id, totalCents: 1200 });
    expect(less.body.cart.expiresAt).toBe(there.cart.expiresAt);
    expect(await taken(event)).toBe(1);
    expect((await put(camille, event, { quantity: 0 })).body.cart).toBeNull();
    expect(await taken(event)).toBe(0);
  });

  test("a former guardian's seats for the child are freed, and no order tells of the child", async () => {
    const free = [{ name: "Entrée libre", priceCents: 0 }];
    const event = await makeEvent(server, { categories: free });
    const thomasCard = cast.coGuardian.cardnumber;
    await put(thomas, event, { cardnumber: leo });
    const both = (await put(thomas, event, { cardnumber: thomasCard })).body.cart;
    const paid = await pay(thomas, both, thomasCard);
    expect(paid.status, paid.text).toBe(200);
    await put(thomas, event, { cardnumber: leo });
    await put(thomas, event, { cardnumber: thomasCard });
    expect(await taken(event)).toBe(4);
    expect((await thomas.post(`/api/family/members/${leo}/leave`)).status).toBe(200);
    const { cart } = (await thomas.get("/api/tickets/cart")).body;
    expect(cart.lines).toMatchObject([{ cardnumber: thomasCard, quantity: 1 }]);
    expect(await taken(event)).toBe(3);
    const seen = await thomas.get(`/api/tickets/orders/${both.id}`);
    expect(seen.body.order.lines).toMatchObject([{ cardnumber: thomasCard }]);
    expect(seen.body.tickets).toHaveLength(1);
    expect(seen.text).not.toContain(String(leo));
    await thomas.post("/api/tickets/cart/drop", { order: cart.id });
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  test("no seat is held for who is one's child no more when it is", async () => {
    const event = await makeEvent(server);
    const { cart } = (await put(thomas, event, { cardnumber: cast.coGuardian.cardnumber })).body;
    const { answer } = await whileHeld(
      server,
      (client) => client.query("select from ticket_order where id = $1 for update", [cart.id]),
      () => put(thomas, event, { cardnumber: leo }),
      (client) => untie(client, "coGuardian", "child"),
    );
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect(await taken(event)).toBe(1);
    await thomas.post("/api/tickets/cart/drop", { order: cart.id });
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  test("somebody else's ticket that is busy is not found at once", async () => {
    const event = await makeEvent(server, {
      categories: [{ name: "Entrée libre", priceCents: 0 }],
    });
    const [ticket] = await buy(camille, event, me);
    const { answer, waited } = await whileHeld(
      server,
      (client) =>
        client.query(
          "select from ticket_order where id = (select order_id from ticket where id = $1) for update",
          [ticket.id],
        ),
      () => hugo.get(`/api/tickets/${ticket.id}/refund`),
    );
    expect([answer.status, waited]).toEqual([404, false]);
  });

  test("POST /api/tickets/cart/extend gives 25 minutes again, within an hour of the opening, then refuses", async () => {
    const event = await makeEvent(server);
    const { cart } = (await put(camille, event)).body;
    const extend = (who: Client) => who.post("/api/tickets/cart/extend", { order: cart.id });
    for (const minutes of [22, 22]) {
      server.clock.advance(minutes * 60_000);
      const { body } = await extend(camille);
      expect(body.cart).toMatchObject({ id: cart.id, state: "cart" });
    }
    // 44 minutes after its opening: 16 are left of the hour.
    const held = (await camille.get("/api/tickets/cart")).body.cart;
    expect(held.expiresAt).toBe(held.longestUntil);
    const again = await extend(camille);
    expect([again.status, again.body["code"]]).toEqual([409, "cart_longest"]);
    expect((await extend(hugo)).status).toBe(404);
    server.clock.advance(17 * 60_000);
    // The session may have ended in that hour, the cart still belongs to the person.
    const later = await server.as("guardian");
    const late = await extend(later);
    expect([late.status, late.body["code"]]).toEqual([410, "cart_over"]);
    expect((await later.get("/api/tickets/cart")).body.cart.state).toBe("expired");
  });

  test("ends after 25 minutes: seats go back, it says so, another try holds what there is", async () => {
    const event = await makeEvent(server, { seats: 3 });
    const { body } = await put(camille, event, { quantity: 3 });
    server.clock.advance(25 * 60_000 + 1000);
    camille = await server.as("guardian");
    const late = await pay(camille, body.cart, me);
    expect(late).toMatchObject({ status: 410, body: { code: "cart_over" } });
    const { cart } = (await camille.get("/api/tickets/cart")).body;
    expect(cart).toMatchObject({ id: body.cart.id, state: "expired", totalCents: 3600 });
    expect(await taken(event)).toBe(0);
    expect(await titles(camille)).toContain("Vos places ne sont plus réservées");
    await put(await server.as("stranger"), event, { cardnumber: his, quantity: 2 });
    const again = await camille.post("/api/tickets/cart/retry", { order: cart.id });
    expect(again.body.cart).toMatchObject({ state: "cart", totalCents: 1200 });
    expect(again.body.cart.id).not.toBe(cart.id);
    expect(await taken(event)).toBe(3);
  });

  test("that nobody came back for is released by the job, or by who wants the seat", async () => {
    const event = await makeEvent(server, { seats: 1 });
    await put(camille, event);
    server.clock.advance(26 * 60_000);
    hugo = await server.as("stranger");
    // No job ran: the free seat is found all the same.
    expect((await put(hugo, event, { cardnumber: his })).status).toBe(200);
    expect(await taken(event)).toBe(1);
    server.clock.advance(26 * 60_000);
    await tidy();
    expect(await taken(event)).toBe(0);
  });

  test("refuses what is sold out, closed, beyond one's share, for others, twice reduced", async () => {
    const event = await makeEvent(server, { seats: 4, maxPerPerson: 3 });
    const full = await put(camille, event, { quantity: 4 });
    expect(full).toMatchObject({
      status: 409,
      body: { code: "tickets_max", details: { max: 3 } },
    });
    expect((await put(camille, event, { category: event.child })).body).toMatchObject({
      code: "tickets_profile",
      message: expect.stringContaining("moins de 18 ans"),
    });
    const twice = await put(camille, event, {
      category: event.child,
      cardnumber: leo,
      quantity: 2,
    });
    expect(twice.body.code).toBe("tickets_one_each");
    expect((await put(camille, event, { cardnumber: his })).status).toBe(404);
    expect(
      (await put(camille, event, { category: "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b" })).status,
    ).toBe(404);
    expect(await taken(event)).toBe(0);
    await put(camille, event, { quantity: 3 });
    const left = await put(hugo, event, { cardnumber: his, quantity: 2 });
    expect(left.body).toMatchObject({ code: "tickets_sold_out", details: { left: 1 } });
    expect(await taken(event)).toBe(3);
    const other = await put(thomas, event, { category: event.child, cardnumber: leo });
    expect(other.status).toBe(200);
    const now = server.clock.now();
    const at = (hours: number) => new Date(now.getTime() + hours * hour).toISOString();
    const soon = await makeEvent(server, { saleFrom: at(1) });
    expect((await put(camille, soon)).body.code).toBe("tickets_closed");
    const many = await makeEvent(server, { seats: 50, maxPerPerson: 20 });
    expect((await put(camille, many, { quantity: 10 })).body.code).toBe("cart_full");
  });

  test("two guardians take one reduced place for one child: one has it", async () => {
    const event = await makeEvent(server);
    const line = { category: event.child, cardnumber: leo };
    const answers = await Promise.all([put(camille, event, line), put(thomas, event, line)]);
    // One may hold it twice, in two carts, but only one is ever issued.
    const carts = answers.map(({ body }) => body.cart);
    const paid = await Promise.all([
      carts[0] ? pay(camille, carts[0], me) : answers[0],
      carts[1] ? pay(thomas, carts[1], cast.coGuardian.cardnumber) : answers[1],
    ]);
    expect(paid.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(paid.find(({ status }) => status !== 200)?.body.code).toBe("tickets_one_each");
  });

  test("changed in another tab, or without the money: nothing is issued", async () => {
    const event = await makeEvent(server);
    const { body } = await put(hugo, event, { cardnumber: his, quantity: 1 });
    await put(hugo, event, { cardnumber: his, quantity: 2 });
    expect((await pay(hugo, body.cart, his)).body.code).toBe("price_changed");
    const six = await put(hugo, event, { cardnumber: his, quantity: 6 });
    expect((await pay(hugo, six.body.cart, his)).body.code).toBe("insufficient_funds");
    expect((await listOf(hugo, his)).items).toEqual([]);
    expect((await hugo.get("/api/tickets/cart")).body.cart.state).toBe("cart");
    expect((await camille.post("/api/tickets/cart/drop", { order: body.cart.id })).status).toBe(
      404,
    );
  });
});

const concert = "Concert du port";
const tidy = async () => {
  await ticketTasks(server.deps).expire_tickets();
};

describe("300 people on 50 seats", () => {
  // proves: seats
  test("50 are held, 250 are told, none is sold twice", async () => {
    const { pool } = server.deps;
    await pool.query(`insert into person (type, name, password_hash)
      select 1, 'Foule ' || n, 'x' from generate_series(1, 300) n`);
    await pool.query(`insert into card (number, person_id, state)
      select 1900000000 + row_number() over (order by id), id, 'active'
      from person where name like 'Foule %'`);
    const { rows } = await pool.query(`select p.id, c.number from person p
      join card c on c.person_id = p.id where p.name like 'Foule %'`);
    const event = await makeEvent(server, { seats: 50, saleFrom: new Date(0).toISOString() });
    // On a busy machine a call may find no free connection: it is made again.
    const holdSeat = async (id: number, number: number): Promise<unknown> => {
      try {
        return await putLine({
          deps: server.deps,
          caller: { personId: id } as never,
          input: { session: event.session, category: event.full, cardnumber: number, quantity: 1 },
        });
      } catch (error) {
        if (problemOf(error).code === "unavailable") return await holdSeat(id, number);
        throw error;
      }
    };
    const outcomes = await Promise.allSettled(rows.map(({ id, number }) => holdSeat(id, number)));
    const held = outcomes.filter(({ status }) => status === "fulfilled");
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(held).toHaveLength(50);
    expect(new Set(refused)).toEqual(new Set(["tickets_sold_out"]));
    expect(await taken(event)).toBe(50);
    const { rows: counted } = await pool.query(
      "select count(*)::int as n from ticket where session_id = $1 and state = 'held'",
      [event.session],
    );
    expect(counted[0].n).toBe(50);
  });
});

describe("the waiting list", () => {
  const wait = (who: Client, event: MadeEvent, cardnumber: number, quantity = 1) =>
    who.post("/api/tickets/waiting-list", {
      session: event.session,
      category: event.full,
      cardnumber,
      quantity,
    });

  test("in order: freed seats are kept 30 minutes for the first, then for the next", async () => {
    const event = await makeEvent(server, { seats: 2 });
    expect((await wait(hugo, event, his)).body.code).toBe("ticket_wait_needless");
    await put(camille, event, { quantity: 2 });
    expect((await wait(hugo, event, his)).status).toBe(201);
    expect((await wait(hugo, event, his)).body.code).toBe("ticket_wait_twice");
    expect((await wait(thomas, event, cast.coGuardian.cardnumber)).status).toBe(201);
    expect((await listOf(thomas, cast.coGuardian.cardnumber)).waitingList).toMatchObject([
      { before: 1 },
    ]);
    await put(camille, event, { quantity: 1 });
    const [entry] = (await listOf(hugo, his)).waitingList;
    expect(entry).toMatchObject({ state: "offered", title: concert });
    expect(await titles(hugo)).toContain("Des places se libèrent");
    expect(server.outbox.at(-1)).toMatchObject({ address: cast.stranger.email });
    // Nobody gets a seat before the entry.
    expect((await put(camille, event, { quantity: 2 })).body.code).toBe("tickets_sold_out");
    server.clock.advance(31 * 60_000);
    hugo = await server.as("stranger");
    expect((await hugo.post(`/api/tickets/waiting-list/${entry.id}/take`)).body.code).toBe(
      "ticket_wait_over",
    );
    await tidy();
    thomas = await server.as("coGuardian");
    const [next] = (await listOf(thomas, cast.coGuardian.cardnumber)).waitingList;
    expect(next.state).toBe("offered");
    const took = await thomas.post(`/api/tickets/waiting-list/${next.id}/take`);
    expect(took.body.cart).toMatchObject({ totalCents: 1200 });
    expect(
      (await thomas.post(`/api/tickets/waiting-list/${next.id}/take`)).body.cart.totalCents,
    ).toBe(1200);
    expect((await pay(thomas, took.body.cart, cast.coGuardian.cardnumber)).status).toBe(200);
  });

  test("left: what was kept goes on; another's is not found", async () => {
    const event = await makeEvent(server, { seats: 1 });
    await put(camille, event);
    await wait(hugo, event, his);
    await put(camille, event, { quantity: 0 });
    const [entry] = (await listOf(hugo, his)).waitingList;
    expect((await camille.post(`/api/tickets/waiting-list/${entry.id}/leave`)).status).toBe(404);
    expect(await taken(event)).toBe(1);
    expect((await hugo.post(`/api/tickets/waiting-list/${entry.id}/leave`)).status).toBe(200);
    expect(await taken(event)).toBe(0);
    expect((await hugo.post(`/api/tickets/waiting-list/${entry.id}/leave`)).body.code).toBe(
      "ticket_wait_over",
    );
  });

  test("at most five at once", async () => {
    const codes = [];
    for (let n = 0; n < 6; n++) {
      const event = await makeEvent(server, { seats: 0 });
      codes.push((await wait(thomas, event, cast.coGuardian.cardnumber)).body.code);
    }
    expect(codes).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      "ticket_waits_full",
    ]);
  });
});

describe("a transfer", () => {
  // proves: tickets-scanned
  test("accepted: another ticket of the receiver, the old code is revoked", async () => {
    const event = await makeEvent(server);
    const [ticket] = await buy(camille, event, me);
    const sent = await camille.post(`/api/tickets/${ticket.id}/transfer`, { toCardnumber: his });
    expect(sent).toMatchObject({ status: 201, body: { toCardnumber: his } });
    const second = await camille.post(`/api/tickets/${ticket.id}/transfer`, { toCardnumber: his });
    expect(second.body.code).toBe("ticket_transfer_open");
    const { received } = await listOf(hugo, his);
    expect(received).toMatchObject([{ id: sent.body.id, from: "Camille Moreau" }]);
    expect((await thomas.post(`/api/tickets/transfers/${sent.body.id}/accept`)).status).toBe(404);
    expect((await hugo.post(`/api/tickets/transfers/${sent.body.id}/accept`)).status).toBe(200);
    expect((await hugo.post(`/api/tickets/transfers/${sent.body.id}/accept`)).body.code).toBe(
      "ticket_transfer_over",
    );
    const mine = (await listOf(camille, me)).items.find((one: any) => one.id === ticket.id);
    expect(mine).toMatchObject({ state: "transferred", token: null });
    const got = (await listOf(hugo, his)).items[0];
    expect(got).toMatchObject({ state: "issued", from: "Camille Moreau", holder: "Hugo Petit" });
    expect(await taken(event)).toBe(1);
    expect((await hugo.get(`/api/tickets/${got.id}/refund`)).body.code).toBe("ticket_transferred");
    const cancel = await hugo.post(`/api/tickets/${got.id}/cancel`, { refundCents: 0 });
    expect(cancel.body.code).toBe("ticket_transferred");
    server.clock.advance(238 * hour);
    const door = await shop();
    expect((await door.post("/api/tickets/scan", { token: ticket.token })).body.code).toBe(
      "ticket_revoked",
    );
    expect((await door.post("/api/tickets/scan", { token: got.token })).status).toBe(200);
  });

  test("to nobody's card looks the same; withdrawn, declined, or without an answer, it stays", async () => {
    const event = await makeEvent(server);
    const [ticket] = await buy(thomas, event, cast.coGuardian.cardnumber);
    const path = `/api/tickets/${ticket.id}/transfer`;
    const none = await thomas.post(path, { toCardnumber: 1999999992 });
    expect(none.status).toBe(201);
    expect((await thomas.post(`/api/tickets/transfers/${none.body.id}/withdraw`)).status).toBe(200);
    const again = await thomas.post(path, { toCardnumber: his });
    expect((await hugo.post(`/api/tickets/transfers/${again.body.id}/decline`)).status).toBe(200);
    expect((await thomas.post(`/api/tickets/transfers/${again.body.id}/withdraw`)).body.code).toBe(
      "ticket_transfer_over",
    );
    expect((await thomas.post(path, { toCardnumber: cast.coGuardian.cardnumber })).body.code).toBe(
      "ticket_transfer_self",
    );
    await thomas.post(path, { toCardnumber: his });
    server.clock.advance(49 * hour);
    await tidy();
    thomas = await server.as("coGuardian");
    expect(await titles(thomas)).toEqual(
      expect.arrayContaining(["Transfert refusé", "Transfert sans réponse"]),
    );
    const [still] = (await listOf(thomas, cast.coGuardian.cardnumber)).items;
    expect(still).toMatchObject({ id: ticket.id, state: "issued", transfer: null });
    expect((await hugo.post(path, { toCardnumber: me })).status).toBe(401);
  });

  test("by a link: whoever opens it first answers; nobody else, nor the sender, can take it", async () => {
    const event = await makeEvent(server);
    const [ticket] = await buy(camille, event, me);
    const link = await camille.post(`/api/tickets/${ticket.id}/transfer/link`);
    expect(link.status).toBe(201);
    const [page, secret = ""] = link.body.address.split("#billet=");
    expect(new URL(page).pathname).toBe("/services/E-Billet");
    const stored = await server.deps.pool.query("select * from ticket_transfer");
    expect(JSON.stringify(stored.rows)).not.toContain(secret);
    const offered = (await listOf(camille, me)).items.find((one: any) => one.id === ticket.id);
    expect(offered.transfer).toMatchObject({ toCardnumber: null });
    const claim = (client: Client, of = secret) =>
      client.post("/api/tickets/transfers/claim", { secret: of });
    expect((await claim(camille)).body.code).toBe("ticket_transfer_self");
    expect((await claim(hugo, "x".repeat(43))).body.code).toBe("ticket_transfer_over");
    expect((await claim(hugo)).status).toBe(200);
    expect((await claim(hugo)).status).toBe(200);
    expect((await claim(thomas)).body.code).toBe("ticket_transfer_over");
    const received = (await listOf(hugo, his)).received.at(-1);
    expect((await hugo.post(`/api/tickets/transfers/${received.id}/accept`)).status).toBe(200);
    expect((await claim(hugo)).body.code).toBe("ticket_transfer_over");
    const got = (await listOf(hugo, his)).items.find((one: any) => one.token !== null);
    expect(got).toMatchObject({ from: "Camille Moreau", holder: "Hugo Petit" });
  });

  test("by a link that is withdrawn or too old: nobody gets the ticket", async () => {
    const event = await makeEvent(server);
    const [ticket] = await buy(camille, event, me);
    const path = `/api/tickets/${ticket.id}/transfer/link`;
    const made = async () => (await camille.post(path)).body.address.split("#billet=")[1];
    const first = await made();
    expect((await camille.post(path)).body.code).toBe("ticket_transfer_open");
    const { transfer } = (await listOf(camille, me)).items.find((one: any) => one.id === ticket.id);
    await camille.post(`/api/tickets/transfers/${transfer.id}/withdraw`);
    const claim = async (secret: string) =>
      (await hugo.post("/api/tickets/transfers/claim", { secret })).body.code;
    expect(await claim(first)).toBe("ticket_transfer_over");
    const second = await made();
    server.clock.advance(49 * hour);
    await tidy();
    [camille, thomas, hugo] = await Promise.all([
      server.as("guardian"),
      server.as("coGuardian"),
      server.as("stranger"),
    ]);
    expect(await claim(second)).toBe("ticket_transfer_over");
    const still = (await listOf(camille, me)).items.find((one: any) => one.id === ticket.id);
    expect(still).toMatchObject({ state: "issued", transfer: null });
  });

  test("of a reduced price wants a receiver whom it is for; ten at most wait", async () => {
    const event = await makeEvent(server, { seats: 100, maxPerPerson: 20 });
    const { body } = await put(camille, event, { category: event.child, cardnumber: leo });
    await pay(camille, body.cart, me);
    const [ticket] = (await camille.get(`/api/tickets/orders/${body.cart.id}`)).body.tickets;
    const sent = await camille.post(`/api/tickets/${ticket.id}/transfer`, { toCardnumber: his });
    const refused = await hugo.post(`/api/tickets/transfers/${sent.body.id}/accept`);
    expect(refused.body.code).toBe("ticket_transfer_reserved");
    expect(refused.body.message).toMatch(/Refusez-le/);
    expect((await listOf(camille, leo)).items[0].state).toBe("issued");
    const free = await makeEvent(server, {
      seats: 100,
      maxPerPerson: 20,
      categories: [{ name: "Gratuit", priceCents: 0 }],
    });
    const tickets = await buy(camille, free, me, 11);
    const codes = [];
    for (const { id } of tickets) {
      codes.push(
        (await camille.post(`/api/tickets/${id}/transfer`, { toCardnumber: his })).body.code,
      );
    }
    expect(codes.slice(0, 10).every((code) => code === undefined)).toBe(true);
    expect(codes[10]).toBe("ticket_transfers_full");
  });

  // proves: rates
  test("offered and withdrawn over and over, it soon waits: each time writes to somebody else", async () => {
    const free = [{ name: "Entrée libre", priceCents: 0 }];
    const event = await makeEvent(server, { categories: free });
    const [ticket] = await buy(thomas, event, cast.coGuardian.cardnumber);
    await server.deps.db.deleteFrom("limiter").execute();
    server.outbox.length = 0;
    const answers = [];
    for (let time = 0; time < 20; time++) {
      const path = `/api/tickets/${ticket.id}/transfer`;
      const sent = await thomas.post(path, { toCardnumber: his });
      answers.push(sent.status);
      if (sent.status !== 201) continue;
      await thomas.post(`/api/tickets/transfers/${sent.body.id}/withdraw`);
    }
    const { max } = api.tickets.transfer.rate;
    expect(answers).toEqual(answers.map((_, time) => (time < max ? 201 : 429)));
    const written = server.outbox.filter(({ subject }) => subject.includes("Un billet pour vous"));
    expect(written).toHaveLength(max);
    await server.deps.db.deleteFrom("limiter").execute();
  });
});

describe("cancelling", () => {
  // proves: ticket-refunds
  test("gives back by the policy frozen at purchase: all, then half, then nothing", async () => {
    const event = await makeEvent(server);
    const before = await balance(camille, me);
    const [one, two, three] = await buy(camille, event, me, 3);
    // Later changes of the event's policy change nothing for earlier buyers.
    await server.deps.pool.query(
      `update ticket_event set policy = '{"text":"Rien.","rules":[]}' where id = $1`,
      [event.id],
    );
    const preview = await camille.get(`/api/tickets/${one.id}/refund`);
    expect(preview.body).toMatchObject({ refundCents: 1200, lostCents: 0, percent: 100 });
    const wrong = await camille.post(`/api/tickets/${one.id}/cancel`, { refundCents: 1100 });
    expect(wrong.body.code).toBe("ticket_refund_changed");
    expect((await hugo.post(`/api/tickets/${one.id}/cancel`, { refundCents: 1200 })).status).toBe(
      404,
    );
    const [a, b] = await Promise.all([
      camille.post(`/api/tickets/${one.id}/cancel`, { refundCents: 1200 }),
      camille.post(`/api/tickets/${one.id}/cancel`, { refundCents: 1200 }),
    ]);
    expect([a.status, b.status].toSorted((x, y) => x - y)).toEqual([200, 409]);
    expect(await balance(camille, me)).toBe(before - 2400);
    expect(await taken(event)).toBe(2);
    server.clock.advance(200 * hour);
    camille = await server.as("guardian");
    expect((await camille.post(`/api/tickets/${two.id}/cancel`, { refundCents: 600 })).status).toBe(
      200,
    );
    server.clock.advance(20 * hour);
    camille = await server.as("guardian");
    expect((await camille.post(`/api/tickets/${three.id}/cancel`, { refundCents: 0 })).status).toBe(
      200,
    );
    expect(await balance(camille, me)).toBe(before - 1800);
    expect(
      (await camille.post(`/api/tickets/${three.id}/cancel`, { refundCents: 0 })).body.code,
    ).toBe("ticket_state");
    expect((await verify(server.deps.db)).ok).toBe(true);
  });

  test("aid goes back to the aid, and stays gone once its day is past", async () => {
    const event = await makeEvent(server);
    const { rows } = await server.deps.pool.query(
      "select w.id from wallet w join card c on c.person_id = w.person_id where c.number = $1 and w.group_id = 1",
      [his],
    );
    const expiresOn = new Date(server.clock.now().getTime() + 3 * 24 * hour)
      .toISOString()
      .slice(0, 10);
    const aid = {
      walletId: rows[0].id,
      amountCents: 1000,
      label: "Aide",
      key: "aid",
      at: server.clock.now(),
    };
    await inTx(server.deps.db, (tx) => grant(tx, { ...aid, expiresOn }));
    const before = await walletOf(hugo, his);
    const [one, two] = await buy(hugo, event, his, 2);
    // 24 € paid: 10 of aid, 14 of one's own. One's own is refunded first.
    await hugo.post(`/api/tickets/${one.id}/cancel`, { refundCents: 1200 });
    server.clock.advance(5 * 24 * hour);
    hugo = await server.as("stranger");
    const preview = await hugo.get(`/api/tickets/${two.id}/refund`);
    expect(preview.body).toMatchObject({ refundCents: 200, lostCents: 1000 });
    expect((await hugo.post(`/api/tickets/${two.id}/cancel`, { refundCents: 200 })).status).toBe(
      200,
    );
    expect(await balance(hugo, his)).toBe(before.balanceCents - 1000);
    expect((await verify(server.deps.db)).ok).toBe(true);
  });

  test("an event: each price comes back, carts and lists end, everyone is told", async () => {
    const event = await makeEvent(server, { seats: 3 });
    const before = await balance(camille, me);
    await buy(camille, event, me, 2);
    await put(hugo, event, { cardnumber: his });
    const run = (name: string, ...args: string[]) =>
      ticketCommands.find((one) => one.name === name)?.run(server.deps, args, "test");
    expect((await run("tickets list"))?.lines.join("\n")).toContain("3/3 places prises");
    const today = parisDay(server.clock.now());
    expect((await run("tickets sales", today))?.lines.join("\n")).toContain(concert);
    expect((await run("tickets sales", "hier"))?.ok).toBe(false);
    const number = String(event.number);
    const preview = (await run("tickets cancel", number))?.lines.join("\n");
    expect(preview).toMatch(/2 billets à rendre[^]*24,00[^]*Rien n'est annulé/);
    expect(preview).toContain(`tickets cancel ${number} 2`);
    const wrong = await run("tickets cancel", number, "3");
    expect(wrong).toMatchObject({ ok: false, lines: [expect.stringContaining("2 billets")] });
    expect(await balance(camille, me)).toBe(before - 2400);
    expect((await put(hugo, event, { cardnumber: his, quantity: 1 })).status).toBe(200);
    const done = await run("tickets cancel", number, "2");
    expect(done).toMatchObject({ ok: true, lines: [expect.stringContaining("2 billets rendus")] });
    expect((await run("tickets cancel", number, "0"))?.lines[0]).toContain("0 billet rendu");
    expect((await run("tickets cancel", "99999"))?.ok).toBe(false);
    expect(await balance(camille, me)).toBe(before);
    expect(await titles(camille)).toContain("Événement annulé");
    expect((await hugo.get("/api/tickets/cart")).body.cart).toBeNull();
    expect((await put(camille, event)).body.code).toBe("tickets_closed");
    const { event: cancelled } = (
      await camille.get(`/api/tickets/events/${event.id}?cardnumber=${me}`)
    ).body;
    expect(cancelled.state).toBe("cancelled");
  });
});

describe("the door", () => {
  // proves: tickets-scanned
  test("of 200 scans of one code, one wins", async () => {
    const event = await makeEvent(server);
    // The importer has lost their role since: the event is the company's.
    await server.deps.pool.query("update ticket_event set partner_id = null where id = $1", [
      event.id,
    ]);
    const [ticket] = await buy(camille, event, me);
    const door = await shop();
    const early = await door.post("/api/tickets/scan", { token: ticket.token });
    expect(early.body.code).toBe("ticket_early");
    const elsewhere = await server.as("canteenProvider");
    server.clock.advance(239 * hour);
    const there = await shop();
    const scan = () => there.post("/api/tickets/scan", { token: ticket.token });
    // A person who loses the role meanwhile admits nobody.
    const refused = (
      await callLosingRoles(server, {
        cardnumber: cast.partnerShop.cardnumber,
        left: ["kitchen"],
        send: scan,
      })
    ).answer;
    expect(refused.body.code).toBe("company_role");
    const answers = await Promise.all(Array.from({ length: 200 }, scan));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "ticket_used")).toHaveLength(199);
    expect((await elsewhere.post("/api/tickets/scan", { token: ticket.token })).status).toBe(401);
    const other = await server.as("canteenProvider");
    expect((await other.post("/api/tickets/scan", { token: ticket.token })).body.code).toBe(
      "ticket_elsewhere",
    );
    // A colleague at the organiser may scan it: it was admitted already.
    const moved = `update company_member set company_id = (select m.company_id from company_member m
        join card using (person_id) where number = $1)
      where person_id = (select person_id from card where number = $2)
      returning (select company_id from company_member m join card using (person_id)
        where number = $2) as before`;
    const joins = (to: number, who: number) => server.deps.pool.query(moved, [to, who]);
    const who = cast.canteenProvider.cardnumber;
    const [{ before: own }] = (await joins(cast.partnerShop.cardnumber, who)).rows;
    const again = await other.post("/api/tickets/scan", { token: ticket.token });
    expect(again.body.code).toBe("ticket_used");
    await server.deps.pool.query(
      `update company_member set company_id = $1
       where person_id = (select person_id from card where number = $2)`,
      [own, who],
    );
    camille = await server.as("guardian");
    const mine = (await listOf(camille, me)).items.find((one: any) => one.id === ticket.id);
    expect(mine).toMatchObject({ state: "used", token: null });
    expect((await camille.get(`/api/tickets/${ticket.id}/ticket.pdf`)).body.code).toBe(
      "ticket_state",
    );
    server.clock.advance(24 * hour);
    expect(
      (await (await shop()).post("/api/tickets/scan", { token: ticket.token })).body.code,
    ).toBe("ticket_used");
  });

  // proves: tickets-scanned
  test("no token with one bit flipped is let in", async () => {
    const event = await makeEvent(server);
    const [ticket] = await buy(camille, event, me);
    expect(await verifyCode(server.deps.db, "ticket", ticket.token)).toMatchObject({
      id: ticket.id,
      revision: 1,
    });
    const bytes = Buffer.from(ticket.token, "latin1");
    let forged = 0;
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (await verifyCode(server.deps.db, "ticket", copy.toString("latin1"))) forged += 1;
    }
    expect(forged).toBe(0);
    for (const token of ["", "MT1.", "MC1.abc", ticket.token + "A", ` ${ticket.token}`]) {
      expect(await verifyCode(server.deps.db, "ticket", token)).toBeNull();
    }
    expect((await (await shop()).post("/api/tickets/scan", { token: "MT1.x" })).body.code).toBe(
      "ticket_forged",
    );
  });

  test("an opposed card renews the codes; the signed list names what is revoked", async () => {
    const event = await makeEvent(server);
    const [ticket] = await buy(hugo, event, his);
    await hugo.post(`/api/cards/${his}/oppose`, { reason: "lost" });
    const fresh = (await listOf(hugo, his)).items.find((one: any) => one.id === ticket.id);
    expect(fresh.token).not.toBe(ticket.token);
    const { body } = await (await shop()).get("/api/signed-codes/revocations");
    expect(JSON.parse(body.payload).revoked).toContainEqual(["ticket", ticket.id, 2]);
    server.clock.advance(239 * hour);
    const there = await shop();
    expect((await there.post("/api/tickets/scan", { token: ticket.token })).body.code).toBe(
      "ticket_revoked",
    );
    expect((await there.post("/api/tickets/scan", { token: fresh.token })).status).toBe(200);
  });

  test("the PDF of a good ticket is tagged; a ticket that was not used is past after its session", async () => {
    const event = await makeEvent(server, { categories: [{ name: "Entrée", priceCents: 100 }] });
    const [ticket] = await buy(thomas, event, cast.coGuardian.cardnumber);
    const answer = await thomas.get(`/api/tickets/${ticket.id}/ticket.pdf`);
    expect(answer.headers["content-type"]).toBe("application/pdf");
    expect(answer.text).toContain("/StructTreeRoot");
    expect((await camille.get(`/api/tickets/${ticket.id}/ticket.pdf`)).status).toBe(404);
    server.clock.advance(245 * hour);
    await tidy();
    thomas = await server.as("coGuardian");
    const past = (await listOf(thomas, cast.coGuardian.cardnumber)).items.find(
      (one: any) => one.id === ticket.id,
    );
    expect(past).toMatchObject({ state: "expired", token: null });
    expect(
      (await (await shop()).post("/api/tickets/scan", { token: ticket.token })).body.code,
    ).toBe("ticket_late");
  });
});

describe("events", () => {
  test("are listed for a card of one's own, the specification's way; one's remaining counts are live", async () => {
    const event = await makeEvent(server, { seats: 5 });
    const { items } = (await camille.post("/api/public/services/billet", { cardnumber: leo })).body;
    expect(items.find((one: any) => one.id === event.id)).toMatchObject({
      remaining: 5,
      state: "open",
      fromCents: 600,
      toCents: 1200,
    });
    expect((await camille.post("/api/public/services/billet", { cardnumber: his })).status).toBe(
      404,
    );
    await put(camille, event, { quantity: 2 });
    const seen = (await camille.get(`/api/tickets/events/${event.id}?cardnumber=${leo}`)).body
      .event;
    expect(seen).toMatchObject({ ticketsHeld: 2, sessions: [{ remaining: 3 }] });
    expect(seen.categories.map((one: any) => one.lacks)).toEqual([[], []]);
    const own = (await camille.get(`/api/tickets/events/${event.id}?cardnumber=${me}`)).body.event;
    expect(own.categories.map((one: any) => one.lacks)).toEqual([[], ["birthday"]]);
  });

  test("are imported whole from a file, or not at all", async () => {
    const folder = await mkdtemp(join(tmpdir(), "event-"));
    const run = async (text: string) => {
      await writeFile(join(folder, "event.json"), text);
      const command = ticketCommands.find(({ name }) => name === "tickets import");
      return await command?.run(server.deps, [join(folder, "event.json")], "test");
    };
    const at = (hours: number) =>
      new Date(server.clock.now().getTime() + hours * hour).toISOString();
    const good = {
      title: "Musée des vagues",
      summary: "Une visite.",
      kind: "museum",
      organiser: "Ville",
      venue: "Musée",
      address: "1 rue du Large",
      saleFrom: at(-1),
      saleUntil: at(100),
      maxPerPerson: 4,
      policy: { text: "Toujours remboursé.", rules: [{ hours: 0, percent: 100 }] },
      categories: [
        { name: "Entrée", priceCents: 500 },
        { name: "Petits", priceCents: 0, ageMax: 6 },
      ],
      sessions: [{ startsAt: at(100), endsAt: at(101), seats: 5, quotas: { Petits: 1 } }],
    };
    expect(await run(JSON.stringify(good))).toMatchObject({ ok: true });
    expect((await run("{"))?.lines).toEqual([expect.stringMatching(/pas du JSON\.$/)]);
    const command = ticketCommands.find(({ name }) => name === "tickets import");
    const missing = await command?.run(server.deps, [join(folder, "absent.json")], "test");
    expect(missing?.lines[0]).toContain("absent.json ne se lit pas.");
    expect((await run(JSON.stringify({ ...good, maxPerPerson: 0 })))?.ok).toBe(false);
    const drawn = await run(JSON.stringify({ ...good, venue: "Musée 🐚" }));
    expect(drawn?.lines[0]).toContain("🐚 ne s'imprime pas");
    const unknown = [{ ...good.sessions[0], quotas: { Grands: 1 } }];
    expect((await run(JSON.stringify({ ...good, sessions: unknown })))?.ok).toBe(false);
    const stranger = await run(JSON.stringify({ ...good, partner: me }));
    expect(stranger?.lines[0]).toContain("n'est celle de personne dans une entreprise");
    const { rows } = await server.deps.pool.query(
      "select count(*)::int as n from ticket_event where title = $1",
      [good.title],
    );
    expect(rows[0].n).toBe(1);
    await rm(folder, { recursive: true });
  });
});

test("an event cancelled during a session gives back what those inside paid, and owes its holder nothing", async () => {
  server.deps.config.codeFromCents = 1_000_000;
  camille = await server.as("guardian");
  const event = await makeEvent(server);
  const { rows: wallets } = await server.deps.pool.query(
    `select w.id from wallet w join card c on c.person_id = w.person_id
      where c.number = $1 and w.group_id = 1`,
    [me],
  );
  const aid = { walletId: wallets[0].id, amountCents: 2400, label: "Aide", expiresOn: null };
  const granted = { ...aid, key: "inside", at: server.clock.now() };
  await inTx(server.deps.db, (tx) => grant(tx, granted));
  const before = await balance(camille, me);
  const [inside, outside] = await buy(camille, event, me, 2);
  const use = (name: string, ...args: string[]) =>
    ticketCommands.find((one) => one.name === name)?.run(server.deps, args, "test");
  const { pool } = server.owner;
  const at = server.clock.now();
  await pool.query(
    `update ticket_session set starts_at = $2::timestamptz - interval '10 minutes',
      ends_at = $2::timestamptz + interval '1 hour' where id = $1`,
    [event.session, at],
  );
  await pool.query("update ticket set state = 'used', used_at = $2 where id = $1", [inside.id, at]);
  const done = await use("tickets cancel", String(event.number), "2");
  expect(done?.lines[0]).toContain("2 billets rendus");
  expect(await balance(camille, me)).toBe(before);
  const { rows } = await server.deps.pool.query(
    "select distinct state, refund_cents = price_cents as whole from ticket where id = any ($1)",
    [[inside.id, outside.id]],
  );
  expect(rows).toEqual([{ state: "cancelled", whole: true }]);
});
