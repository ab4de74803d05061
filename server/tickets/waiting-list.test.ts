// Waiting lists of sessions over HTTP: seats that become free are gathered for the first in line, and every
// seat is either free, in a cart, sold, or kept for one entry, whatever happens concurrently.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { problemOf } from "#server/http/errors.ts";
import { cast } from "#tests/cast.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { makeEvent, type MadeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { putLine } from "./cart.ts";
import { releaseSeats } from "./seats.ts";
import { ticketTasks } from "./tickets.ts";
import { ticketCommands } from "./operator.ts";
import { joinWaitingList, leaveWaitingList, takeOfferedSeats } from "./waiting-list.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
let thomas: Client;
const number = { camille: cast.guardian, hugo: cast.stranger, thomas: cast.coGuardian } as const;

const signIn = async () => {
  [camille, hugo, thomas] = (await Promise.all(
    (["guardian", "stranger", "coGuardian"] as const).map((name) => server.as(name)),
  )) as [Client, Client, Client];
};
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await signIn();
  await query("delete from ticket_wait");
  for (const who of [camille, hugo, thomas]) {
    const { cart } = (await who.get("/api/tickets/cart")).body;
    if (cart) await who.post("/api/tickets/cart/drop", { order: cart.id });
  }
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const put = (who: Client, event: MadeEvent, name: keyof typeof number, quantity: number) =>
  who.post("/api/tickets/cart/lines", {
    session: event.session,
    category: event.full,
    cardnumber: number[name].cardnumber,
    quantity,
  });
const wait = (who: Client, event: MadeEvent, name: keyof typeof number, quantity = 1) =>
  who.post("/api/tickets/waiting-list", {
    session: event.session,
    category: event.full,
    cardnumber: number[name].cardnumber,
    quantity,
  });
const entry = async (who: Client, name: keyof typeof number) =>
  (await who.get(`/api/tickets?cardnumber=${number[name].cardnumber}`)).body.waitingList[0];
const take = (who: Client, id: string) => who.post(`/api/tickets/waiting-list/${id}/take`);
const leave = (who: Client, id: string) => who.post(`/api/tickets/waiting-list/${id}/leave`);
const tidy = async () => {
  await ticketTasks(server.deps).expire_tickets();
};
const remaining = async (who: Client, event: MadeEvent, name: keyof typeof number) =>
  (await who.get(`/api/tickets/events/${event.id}?cardnumber=${number[name].cardnumber}`)).body
    .event.sessions[0].remaining;

/** Expects that the counts equal the seats held in carts, sold and kept for entries, whatever happened. */
async function expectEachSeatOnce(): Promise<void> {
  expect(
    await query(`
      select q.session_id, q.category_id, q.taken, t.n as tickets, w.n as held from ticket_quota q
      cross join lateral (select count(*)::int as n from ticket t where t.session_id = q.session_id
        and (q.category_id is null or t.category_id = q.category_id)
        and t.state in ('held', 'issued', 'used')) t
      cross join lateral (select coalesce(sum(held), 0)::int as n from ticket_wait w
        where w.session_id = q.session_id
        and (q.category_id is null or w.category_id = q.category_id)) w
      where q.taken <> t.n + w.n or q.taken > q.seats`),
  ).toEqual([]);
}

describe("seats for more than one", () => {
  test("freed one by one, they are gathered for the first, never sold before; then all are offered", async () => {
    const event = await makeEvent(server, { seats: 4 });
    await put(camille, event, "camille", 4);
    expect((await wait(hugo, event, "hugo", 2)).status).toBe(201);
    expect((await wait(thomas, event, "thomas", 1)).status).toBe(201);
    await put(camille, event, "camille", 3);
    expect(await entry(hugo, "hugo")).toMatchObject({ state: "waiting", quantity: 2, held: 1 });
    expect(await entry(thomas, "thomas")).toMatchObject({ state: "waiting", held: 0, before: 1 });
    expect(server.outbox.at(-1)?.body).toMatch(
      /\n1 place sur les 2 que vous attendez pour «\u00a0Concert du port\u00a0».*est gardée\. Attendez/,
    );
    expect(await remaining(thomas, event, "thomas")).toBe(0);
    expect((await put(thomas, event, "thomas", 1)).body.code).toBe("tickets_sold_out");
    // Time passes: the gathered seats stay.
    server.clock.advance(20 * 60_000);
    await tidy();
    await signIn();
    expect(await entry(hugo, "hugo")).toMatchObject({ state: "waiting", held: 1 });
    await expectEachSeatOnce();
  });

  test("the second that becomes free makes the offer; the next in line gets what comes after", async () => {
    const event = await makeEvent(server, { seats: 4 });
    await put(camille, event, "camille", 4);
    await wait(hugo, event, "hugo", 2);
    await wait(thomas, event, "thomas", 1);
    await put(camille, event, "camille", 3);
    await put(camille, event, "camille", 2);
    expect(await entry(hugo, "hugo")).toMatchObject({ state: "offered", held: 2 });
    expect(await entry(thomas, "thomas")).toMatchObject({ state: "waiting", held: 0 });
    await put(camille, event, "camille", 1);
    expect(await entry(thomas, "thomas")).toMatchObject({ state: "offered", held: 1 });
    await put(camille, event, "camille", 0);
    expect(await remaining(camille, event, "camille")).toBe(1);
    const took = await take(hugo, (await entry(hugo, "hugo")).id);
    expect(took.body.cart.lines).toMatchObject([{ quantity: 2 }]);
    expect(await entry(hugo, "hugo")).toBeUndefined();
    await expectEachSeatOnce();
  });

  test("the fewer may be taken at once, or left to the next", async () => {
    const event = await makeEvent(server, { seats: 3 });
    await put(camille, event, "camille", 3);
    await wait(hugo, event, "hugo", 2);
    await wait(thomas, event, "thomas", 1);
    const none = await take(hugo, (await entry(hugo, "hugo")).id);
    expect(none.body.code).toBe("ticket_wait_over");
    await put(camille, event, "camille", 2);
    const took = await take(hugo, (await entry(hugo, "hugo")).id);
    expect(took.body.cart.lines).toMatchObject([{ quantity: 1 }]);
    await hugo.post("/api/tickets/cart/drop", { order: took.body.cart.id });
    const own = await entry(thomas, "thomas");
    expect(own).toMatchObject({ state: "offered", held: 1 });
    // A gathered seat is passed on as well when its entry leaves.
    await wait(hugo, event, "hugo", 2);
    expect((await leave(thomas, own.id)).status).toBe(200);
    expect(await entry(hugo, "hugo")).toMatchObject({ state: "waiting", held: 1 });
    await wait(thomas, event, "thomas", 1);
    expect((await leave(hugo, (await entry(hugo, "hugo")).id)).status).toBe(200);
    expect(await entry(thomas, "thomas")).toMatchObject({ state: "offered", held: 1 });
    await expectEachSeatOnce();
  });

  // proves: waiting-list
  test("two days before, what was gathered is offered for 30 minutes, then to the next, then sold", async () => {
    const event = await makeEvent(server, { seats: 3 });
    await put(camille, event, "camille", 3);
    const paid = await camille.get("/api/tickets/cart");
    const { objectID } = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`))
      .body.items[0];
    const { id: order, totalCents } = paid.body.cart;
    await camille.post("/api/tickets/cart/pay", { method: "wallet", order, objectID, totalCents });
    await wait(hugo, event, "hugo", 2);
    await wait(thomas, event, "thomas", 2);
    const { tickets } = (await camille.get(`/api/tickets/orders/${order}`)).body;
    await camille.post(`/api/tickets/${tickets[0].id}/cancel`, { refundCents: 1200 });
    const { gatheredUntil } = await entry(hugo, "hugo");
    server.clock.advance(Date.parse(gatheredUntil) - server.clock.now().getTime() - 1000);
    await tidy();
    await signIn();
    expect(await entry(hugo, "hugo")).toMatchObject({ state: "waiting", held: 1 });
    server.clock.advance(1000);
    await tidy();
    expect(await entry(hugo, "hugo")).toMatchObject({ state: "offered", held: 1 });
    expect(server.outbox.at(-1)?.body).toMatch(/\n1 place sur les 2 .*gardée jusqu'à \d\d:\d\d\./);
    expect(await entry(thomas, "thomas")).toMatchObject({ state: "waiting", held: 0 });
    server.clock.advance(31 * 60_000);
    await tidy();
    await signIn();
    expect(await entry(hugo, "hugo")).toBeUndefined();
    expect(await entry(thomas, "thomas")).toMatchObject({ state: "offered", held: 1 });
    expect(await remaining(camille, event, "camille")).toBe(0);
    server.clock.advance(31 * 60_000);
    await tidy();
    await signIn();
    expect(await remaining(camille, event, "camille")).toBe(1);
    await expectEachSeatOnce();
  });

  test("kept for who is one's child no more, they are not taken, only left", async () => {
    const event = await makeEvent(server, { seats: 1 });
    await put(hugo, event, "hugo", 1);
    const leo = cast.child.cardnumber;
    const { session, full: category } = event;
    const request = { session, category, cardnumber: leo, quantity: 1 };
    expect((await thomas.post("/api/tickets/waiting-list", request)).status).toBe(201);
    await put(hugo, event, "hugo", 0);
    const [{ id }] = (await thomas.get(`/api/tickets?cardnumber=${leo}`)).body.waitingList;
    await untie(server.owner.pool, "coGuardian", "child");
    expect((await take(thomas, id)).status).toBe(404);
    expect((await thomas.get("/api/tickets/cart")).body.cart).toBeNull();
    expect((await leave(thomas, id)).status).toBe(200);
    await expectEachSeatOnce();
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  test("while a seat is free nobody waits: it is taken first", async () => {
    const event = await makeEvent(server, { seats: 3 });
    await put(camille, event, "camille", 2);
    expect((await wait(hugo, event, "hugo", 2)).body.code).toBe("ticket_wait_needless");
    expect(await remaining(hugo, event, "hugo")).toBe(1);
  });

  test("who joins while a seat is being freed waits for that, and finds it free", async () => {
    const event = await makeEvent(server, { seats: 1 });
    await put(camille, event, "camille", 1);
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    const { promise: isFreed, resolve: freed } = Promise.withResolvers<void>();
    const { db, now } = server.deps;
    const freeing = inTx(db, async (tx) => {
      await tx.deleteFrom("ticket").where("sessionId", "=", event.session).execute();
      const seat = { sessionId: event.session, categoryId: event.full, count: 1 };
      await releaseSeats(tx, server.deps, [seat], now());
      freed();
      await isOpen;
    });
    await isFreed;
    let settled = false;
    const joining = wait(hugo, event, "hugo", 1).finally(() => (settled = true));
    const isWaiting = async () => {
      const locks = await query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return settled || locks.length > 0;
    };
    await expect.poll(isWaiting).toBe(true);
    open();
    await freeing;
    expect((await joining).body.code).toBe("ticket_wait_needless");
    expect(await remaining(hugo, event, "hugo")).toBe(1);
    await expectEachSeatOnce();
  });

  test("an account that goes, an event that is cancelled and a session that begins keep no seat", async () => {
    const [gone, cancelled, begun] = [
      await makeEvent(server, { seats: 2 }),
      await makeEvent(server, { seats: 2 }),
      await makeEvent(server, { seats: 2 }),
    ];
    for (const event of [gone, cancelled, begun]) {
      await put(camille, event, "camille", 2);
      await wait(hugo, event, "hugo", 2);
      await put(camille, event, "camille", 1);
    }
    await query("delete from ticket_wait where session_id = $1", gone.session);
    expect(await remaining(camille, gone, "camille")).toBe(1);
    const cancel = ticketCommands.find(({ name }) => name === "tickets cancel");
    const done = await cancel?.run(server.deps, [String(cancelled.number), "0"], "alice");
    expect(done).toMatchObject({ ok: true });
    await query(
      "update ticket_session set starts_at = $2 where id = $1",
      begun.session,
      new Date(0),
    );
    await tidy();
    const rows = await query(
      "select from ticket_wait where held > 0 and session_id = any ($1)",
      [gone, cancelled, begun].map(({ session }) => session),
    );
    expect(rows).toEqual([]);
    await expectEachSeatOnce();
  });
});

// proves: waiting-list
test("carts, lists, offers and time at once: each seat is somewhere once, and none is sold past a list", async () => {
  await query(`insert into person (type, name, password_hash)
    select 1, 'Attente ' || n, 'x' from generate_series(1, 24) n`);
  await query(`insert into card (number, person_id, state)
    select 1800000000 + row_number() over (order by id), id, 'active'
    from person where name like 'Attente %'`);
  const people = (await query(`select p.id, c.number from person p
    join card c on c.person_id = p.id where p.name like 'Attente %' order by p.id`)) as {
    id: number;
    number: number;
  }[];
  const event = await makeEvent(server, { seats: 12 });
  const as = (id: number, input: unknown) =>
    ({ deps: server.deps, caller: { personId: id }, input }) as never;
  const line = (one: (typeof people)[number], quantity: number) => ({
    session: event.session,
    category: event.full,
    cardnumber: one.number,
    quantity,
  });
  const own = async (id: number) =>
    (
      await query(
        `select id from ticket_wait where person_id = $1 and session_id = $2
         and state in ('waiting', 'offered')`,
        id,
        event.session,
      )
    )[0]?.id as string | undefined;
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const act = async (one: (typeof people)[number], what: number, many: number): Promise<void> => {
    const id = await own(one.id);
    if (what < 3) await putLine(as(one.id, line(one, many)));
    else if (what < 5) await putLine(as(one.id, line(one, 0)));
    else if (what < 8) await joinWaitingList(as(one.id, line(one, many + 1)));
    else if (what === 8 && id) await takeOfferedSeats(as(one.id, { id }));
    else if (what === 9 && id) await leaveWaitingList(as(one.id, { id }));
    else await tidy();
  };
  for (let round = 0; round < 12; round++) {
    const acts = people.map((one) => act(one, random(11), 1 + random(3)));
    for (const outcome of await Promise.allSettled(acts)) {
      // A refusal is a valid answer; any other failure is a fault.
      if (outcome.status === "fulfilled") continue;
      expect(problemOf(outcome.reason).code).toMatch(/^ticket|^cart/);
    }
    await expectEachSeatOnce();
    const [passed] = await query(
      `select from ticket_quota q where q.session_id = $1 and q.category_id is null
         and q.taken < q.seats and exists (select from ticket_wait w
           where w.session_id = q.session_id and w.state = 'waiting')`,
      event.session,
    );
    expect(passed).toBeUndefined();
    server.clock.advance(8 * 60_000);
  }
  const ends = await query("select state, count(*)::int from ticket_wait group by 1");
  expect(ends.length).toBeGreaterThan(2);
});
