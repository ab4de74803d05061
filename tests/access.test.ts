// The permission table, proved whole: every row of the contract × every kind of caller. A new row is
// covered by being in the contract; its input is drawn from its own schema.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";
import { idFieldsOf, type Row } from "#contract/endpoint.ts";
import { makeCanteen } from "./canteens.ts";
import { cast, type CastName } from "./cast.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { makeEvent } from "./events.ts";
import { callRow, smallestInput } from "./row-calls.ts";
import { openTestServer, type Answered, type Client, type TestServer } from "./test-server.ts";

const callers = [
  "anonymous",
  "owner",
  "guardian of the owner",
  "other holder",
  "co-guardian of a sibling",
  "professional",
  "other professional",
  "reset pending",
  "disabled",
] as const;
type Caller = (typeof callers)[number];

const people: Record<Exclude<Caller, "anonymous">, CastName> = {
  owner: "secondChild",
  "guardian of the owner": "guardian",
  "other holder": "stranger",
  "co-guardian of a sibling": "coGuardian",
  professional: "canteenProvider",
  "other professional": "partnerShop",
  "reset pending": "resetPending",
  disabled: "employer",
};

let server: TestServer;
const clients = new Map<Caller, Client>();
/** What the owner has: the values that the rows' scopes point at. */
let owned: Record<string, unknown>;
let file: string;

beforeAll(async () => {
  server = await openTestServer();
  clients.set("anonymous", server.anonymous);
  await Promise.all((Object.keys(people) as (keyof typeof people)[]).map(open));
  const owner = clients.get("owner") as Client;
  const { cardnumber } = cast.secondChild;
  const { body } = await owner.get(`/api/wallets?cardnumber=${cardnumber}`);
  const wallet = body.items[0].objectID;
  const topUp = await owner.post(`/api/wallets/${wallet}/top-ups`, { amountCents: 2000 });
  owned = { cardnumber, objectID: wallet, fromWallet: wallet, id: topUp.body.id, amountCents: 600 };
  file = await fileOf(owner, cardnumber);
  Object.assign(owned, await ridesOf(owner, cardnumber, wallet));
  Object.assign(owned, await ticketOf(owner, wallet));
  Object.assign(owned, await fundedOf(wallet));
  // A canteen where nobody of the family is registered yet.
  const canteen = await makeCanteen(server, { classes: [] });
  await server.deps.pool.query("delete from canteen_registration where canteen_id = $1", [
    canteen.id,
  ]);
  Object.assign(owned, { canteen: canteen.id, month: "2026-11" });
  await server.deps.db
    .updateTable("person")
    .set({ disabled_at: new Date() })
    .where("id", "=", (eb) =>
      eb.selectFrom("card").select("person_id").where("number", "=", cast.employer.cardnumber),
    )
    .execute();
});
afterAll(() => server.close());

/** A subscription that the owner fills in. */
async function fileOf(owner: Client, cardnumber: number): Promise<string> {
  const formula = "essentiel";
  return (await owner.post("/api/subscriptions", { cardnumber, formula })).body.id;
}

/** A pass that the owner bought, a purchase that waits, and the group that sells them. */
async function ridesOf(owner: Client, cardnumber: number, wallet: string) {
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  const { idgroup } = (await owner.get("/api/fares")).body.items[0];
  const begin = async (product: string) =>
    (await owner.post("/api/passes/orders", { product, cardnumber })).body;
  const { id, revision, price } = await begin("lagon-ticket");
  const order = { revision, totalCents: price.totalCents, objectID: wallet, method: "wallet" };
  const paid = await owner.post(`/api/passes/orders/${id}/pay`, order);
  const waiting = await begin("lagon-jour");
  const pass = paid.body.order.pass;
  return { group: idgroup, product: "lagon-jour", pass, order: waiting.id, wallet };
}

/** The owner's ticket for a free event. */
async function ticketOf(owner: Client, objectID: string): Promise<Record<string, unknown>> {
  const free = [{ name: "Gratuit", priceCents: 0 }];
  const event = await makeEvent(server, { categories: free });
  const { cardnumber } = cast.secondChild;
  const seat = { session: event.session, category: event.full, cardnumber, quantity: 1 };
  const order = (await owner.post("/api/tickets/cart/lines", seat)).body.cart.id;
  await owner.post("/api/tickets/cart/pay", { order, objectID, totalCents: 0, method: "wallet" });
  const { tickets } = (await owner.get(`/api/tickets/orders/${order}`)).body;
  return { event: event.id, session: event.session, category: event.full, ticket: tickets[0].id };
}

/** What keeps the owner's wallet filled: a guardian's rule and link. */
async function fundedOf(objectID: string) {
  const { rows } = await server.deps.pool.query(
    `with guardian as (select person_id as id from card where number = $2), made as (
       insert into top_up_rule (wallet_id, person_id, trigger, day_of_month, mode, amount_cents,
         monthly_cents, state, consent_at, created_at)
       select w.id, guardian.id, 'day', 5, 'amount', 2000, 9000, 'waiting', now(), now()
       from wallet w, guardian where w.object_id = $1 returning id),
     linked as (
       insert into gift_link (wallet_id, person_id, secret_hash, shown_name, max_each_cents,
         max_total_cents, max_count, expires_at, created_at)
       select w.id, guardian.id, 'none', 'Jade', 2000, 9000, 9, now() + interval '9 days', now()
       from wallet w, guardian where w.object_id = $1 returning id)
     select made.id as "ruleId", linked.id as "linkId" from made, linked`,
    [objectID, cast.guardian.cardnumber],
  );
  return rows[0] as { ruleId: string; linkId: string };
}

async function open(caller: Exclude<Caller, "anonymous">): Promise<void> {
  clients.set(caller, await server.as(people[caller]));
}

async function call(client: Client, row: Row): Promise<Answered> {
  const mine = idFieldsOf(row)["id"] === "subscription" ? { ...owned, id: file } : owned;
  return await callRow(client, row, smallestInput(row, mine));
}

/** Things of the owner that the calls name. */
const ofOwner = new Set<string>(
  "card wallet topUp topUpRule giftLink pass passOrder subscription ticket".split(" "),
);
/** Whether the row names nothing but such things. */
const isOwnersAlone = (row: Row): boolean => {
  const things = Object.values(idFieldsOf(row));
  return things.length > 0 && things.every((thing) => ofOwner.has(thing));
};

type Expected = { status: number; code?: string } | "allowed";

function expected(row: Row, caller: Caller): Expected {
  // A test speaks from this machine.
  if (row.access === "public" || row.access === "machine") return "allowed";
  if (caller === "anonymous") return { status: 401, code: "unauthenticated" };
  if (caller === "disabled") return { status: 401, code: "session_ended" };
  const resetting = caller === "reset pending";
  if (row.access === "session") return "allowed";
  if (row.access === "reset")
    return resetting ? "allowed" : { status: 409, code: "reset_not_pending" };
  if (resetting) return { status: 403, code: "reset_required" };
  const type = cast[people[caller]].type;
  if (row.access === "holder" && type !== 1) return { status: 403, code: "forbidden" };
  if (row.access === "professional" && type !== 2) return { status: 403, code: "forbidden" };
  if (!isOwnersAlone(row)) return "allowed";
  if (caller === "owner" || caller === "guardian of the owner") return "allowed";
  return { status: 404, code: "not_found" };
}

/** Rows that end the caller's own session or change who they are come last. */
const order = (name: string) =>
  name.endsWith("resetPassword") ? 2 : /logout|oppose|activate|changePassword/.test(name) ? 1 : 0;
/** A stream does not end: its access is proved by its own room's test. */
const rows = everyRow()
  .filter(({ row }) => row.reply !== "events")
  .sort((a, b) => order(a.name) - order(b.name));

describe.each(rows)("$name", ({ name, row }) => {
  test.each(callers)("%s", async (caller) => {
    const answer = await call(clients.get(caller) as Client, row);
    const wanted = expected(row, caller);
    if (wanted === "allowed") {
      // A public row may be refused by its own rules, never by who calls.
      const barred = ["unauthenticated", "session_ended", "forbidden", "reset_required"];
      expect(barred).not.toContain(answer.body["code"]);
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(500);
      if (isOwnersAlone(row)) expect(answer.status).not.toBe(404);
    } else {
      expect({ status: answer.status, code: answer.body["code"] }).toEqual(wanted);
      expect(answer.body["message"]).toMatch(/\S/);
      expect(answer.body["requestId"]).toMatch(/\S/);
    }
    const ended = /logout|oppose|changePassword/.test(name);
    if (ended && caller !== "anonymous" && caller !== "disabled" && answer.status === 200) {
      const password = name.includes("changePassword") ? undefined : cast[people[caller]];
      if (password) await open(caller);
    }
  });
});
