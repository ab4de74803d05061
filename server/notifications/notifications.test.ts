import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { makeCanteen, placeMeal } from "#tests/canteens.ts";
import { cast } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { notify, publishChange } from "./notifications.ts";

let server: TestServer;
let camille: Client;
let personId: number;
let base: string;
const open: AbortController[] = [];

beforeAll(async () => {
  server = await openTestServer();
  camille = await server.as("guardian");
  personId = await idOf(cast.guardian.cardnumber);
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  base = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const controller of open.splice(0)) controller.abort();
});
afterAll(() => server.close());

async function idOf(number: number): Promise<number> {
  const row = await server.deps.db
    .selectFrom("card")
    .select("personId")
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  return row.personId;
}

const tellPerson = (title: string, to = personId) =>
  inTx(server.deps.db, (tx) =>
    notify(tx, {
      personId: to,
      kind: "top_up",
      title,
      body: "20,00 € ajoutés",
      path: "/dashboard",
      at: server.clock.now(),
    }),
  );

interface Event {
  event: string;
  data: any;
  id?: string;
}

interface Watch {
  status: number;
  events: Event[];
  ended: Promise<void>;
  /** Waits until an event of that name came, and gives it. */
  next(name: string): Promise<Event>;
}

async function watch(token: string, headers: Record<string, string> = {}): Promise<Watch> {
  const controller = new AbortController();
  open.push(controller);
  const response = await fetch(`${base}/api/notifications/live`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: controller.signal,
  });
  const events: Event[] = [];
  const ended = read(response, events).catch(() => {});
  return { status: response.status, events, ended, next: (name) => nextOf(events, name) };
}

async function read(response: Response, events: Event[]): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const event = field("event");
      const id = field("id");
      if (event)
        events.push({ event, data: JSON.parse(field("data") ?? "{}"), ...(id ? { id } : {}) });
    }
  }
}

async function nextOf(events: Event[], name: string): Promise<Event> {
  const find = () => events.find(({ event }) => event === name);
  await expect.poll(find).toBeDefined();
  return find() as Event;
}

describe("GET /api/notifications, POST /api/notifications/read and /read-all", () => {
  test("newest first, by pages, unread until read up to one; nobody else's", async () => {
    const ids = [];
    for (const title of ["Un", "Deux", "Trois"]) ids.push(await tellPerson(title));
    const first = await camille.get("/api/notifications?limit=2");
    expect(first.body.items.map((notice: any) => notice.title)).toEqual(["Trois", "Deux"]);
    expect(first.body).toMatchObject({ unread: 3, next: ids[1] });
    const second = await camille.get(`/api/notifications?limit=2&before=${first.body.next}`);
    expect(second.body).toMatchObject({ next: null, unread: 3 });
    expect(second.body.items.map((notice: any) => notice.title)).toEqual(["Un"]);
    const answer = await camille.post("/api/notifications/read-all", { upTo: ids[1] });
    expect(answer).toMatchObject({ status: 200, body: { unread: 1 } });
    const after = await camille.get("/api/notifications");
    expect(after.body.items.map((notice: any) => notice.read)).toEqual([false, true, true]);
    const hugo = await server.as("stranger");
    expect((await hugo.get("/api/notifications")).body).toEqual({
      items: [],
      next: null,
      unread: 0,
    });
    await hugo.post("/api/notifications/read-all", { upTo: ids[2] });
    await hugo.post("/api/notifications/read", { ids });
    expect((await camille.get("/api/notifications")).body.unread).toBe(1);
  });

  test("one by one: those that are named, the older ones stay unread", async () => {
    const { items: earlier, unread: before } = (await camille.get("/api/notifications")).body;
    const ids = [];
    for (const title of ["Un", "Deux", "Trois"]) ids.push(await tellPerson(title));
    const path = "/api/notifications/read";
    const answer = await camille.post(path, { ids: ids.slice(1, 2) });
    expect(answer).toMatchObject({ status: 200, body: { unread: before + 2 } });
    const { items } = (await camille.get("/api/notifications")).body;
    expect(items.map((notice: any) => notice.read)).toEqual([
      false,
      true,
      false,
      ...earlier.map((notice: any) => notice.read),
    ]);
    await camille.post(path, { ids });
    expect((await camille.get("/api/notifications")).body.unread).toBe(before);
    for (const wrong of [{ ids: [] }, { ids: [0] }, { ids: Array(101).fill(1) }]) {
      expect(await camille.post(path, wrong)).toMatchObject({ status: 400 });
    }
  });

  test("a transaction that fails tells nothing", async () => {
    const before = (await camille.get("/api/notifications")).body.items.length;
    await expect(
      inTx(server.deps.db, async (tx) => {
        await notify(tx, {
          personId,
          kind: "welcome",
          title: "Non",
          body: "",
          at: server.clock.now(),
        });
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
    expect((await camille.get("/api/notifications")).body.items).toHaveLength(before);
  });
});

describe("GET /api/notifications/live", () => {
  test("a notice arrives at once with its id, and only to whom it is for", async () => {
    const hugo = await server.as("stranger");
    const [mine, his] = await Promise.all([watch(camille.token), watch(hugo.token)]);
    expect(mine.status).toBe(200);
    const id = await tellPerson("Recharge créditée");
    const event = await mine.next("notice");
    expect(event).toMatchObject({ id: String(id), data: { title: "Recharge créditée", id } });
    expect(his.events).toEqual([]);
  });

  test("what changed is told without a notice", async () => {
    const mine = await watch(camille.token);
    await inTx(server.deps.db, (tx) => publishChange(tx, personId, "wallets"));
    expect((await mine.next("changed")).data).toEqual({ what: ["wallets"] });
  });

  describe("the other guardian changes a child's money: its balance is read again", () => {
    let thomas: Client;
    beforeAll(async () => void (thomas = await server.as("coGuardian")));
    const childsMoney = async () =>
      (await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`)).body.items[0];
    const whileWatching = async (path: string, input: unknown) => {
      const before = await childsMoney();
      const mine = await watch(camille.token);
      const done = await thomas.post(path, input);
      expect(done.status, done.text).toBe(200);
      expect((await childsMoney()).projectedCents).not.toBe(before.projectedCents);
      await expect.poll(() => mine.events.flatMap(({ data }) => data.what)).toContain("wallets");
    };

    test("a meal is cancelled", async () => {
      const { registrations } = await makeCanteen(server, { kind: "staff" });
      const day = addDays(todayInParis(server.clock.now()), 9);
      const meal = await placeMeal(server, { registration: registrations.child, day });
      await server.deps.pool.query(
        "update meal_order set cancel_until = now() + interval '1 day' where id = $1",
        [meal],
      );
      await whileWatching("/api/canteen/orders/cancel", { orders: [meal], costCents: 0 });
    });

    test("a ticket is bought, and given back", async () => {
      const { session, full: category } = await makeEvent(server);
      const line = { session, category, cardnumber: cast.child.cardnumber, quantity: 1 };
      const { cart } = (await thomas.post("/api/tickets/cart/lines", line)).body;
      const { id: order, totalCents } = cart;
      const { objectID } = await childsMoney();
      const payment = { method: "wallet", order, objectID, totalCents };
      await whileWatching("/api/tickets/cart/pay", payment);
      const [ticket] = (await thomas.get(`/api/tickets/orders/${order}`)).body.tickets;
      await whileWatching(`/api/tickets/${ticket.id}/cancel`, { refundCents: totalCents });
    });
  });

  test("Last-Event-ID brings what was missed, once", async () => {
    const seen = await tellPerson("Vu");
    const missed = await tellPerson("Manqué");
    const mine = await watch(camille.token, { "last-event-id": String(seen) });
    expect((await mine.next("notice")).data.title).toBe("Manqué");
    await tellPerson("Nouveau");
    await expect.poll(() => mine.events.length).toBe(2);
    expect(mine.events.filter(({ id }) => id === String(missed))).toHaveLength(1);
  });

  test("ends when the session ends elsewhere, and says so", async () => {
    const client = await server.as("guardian");
    const mine = await watch(client.token);
    await client.post("/api/logout");
    await mine.next("session_ended");
    await mine.ended;
    expect((await watch(client.token)).status).toBe(401);
  });

  test("a cut listening connection comes back, and what was told meanwhile arrives", async () => {
    const mine = await watch(camille.token);
    await tellPerson("Avant");
    await mine.next("notice");
    await server.deps.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'ma-carte live' and datname = current_database()`,
    );
    await tellPerson("Pendant la coupure");
    await expect
      .poll(() => mine.events.map(({ data }) => data.title))
      .toContain("Pendant la coupure");
    await expect.poll(() => mine.events.map(({ data }) => data.what)).toContain("all");
  });

  test("anonymous and waiting for a reset: refused", async () => {
    expect((await watch("x")).status).toBe(401);
    expect((await watch((await server.as("resetPending")).token)).status).toBe(403);
  });

  test("a ninth stream of one person ends the first", async () => {
    const first = await watch(camille.token);
    for (let count = 0; count < 8; count++) await watch(camille.token);
    await first.ended;
    expect(first.status).toBe(200);
  });

  test("of sixty streams that one person opens together eight stay", async () => {
    let ended = 0;
    const watches = await Promise.all(Array.from({ length: 60 }, () => watch(camille.token)));
    for (const { ended: end } of watches) void end.then(() => ended++);
    await expect.poll(() => ended).toBe(52);
    const before = watches.map(({ events }) => events.length);
    await tellPerson("À huit");
    const reached = () =>
      watches.filter(({ events }, at) => events.length > (before[at] ?? 0)).length;
    await expect.poll(reached).toBe(8);
    expect(ended).toBe(52);
  });

  test("a server that closes ends its streams and leaves no connection behind", async () => {
    const other = await openTestServer();
    await other.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = other.app.server.address() as AddressInfo;
    const { token } = await other.as("guardian");
    const response = await fetch(`http://127.0.0.1:${port}/api/notifications/live`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const ended = read(response, []);
    await other.app.close();
    await ended;
    const listening = async () => {
      const { rows } = await other.deps.pool.query(
        `select from pg_stat_activity
          where application_name = 'ma-carte live' and datname = current_database()`,
      );
      return rows.length;
    };
    await expect.poll(listening).toBe(0);
    await other.close();
  });
});
