// An owner who loses the role while their call is under way: either the call is refused and has changed
// nothing, or it succeeds, is answered as such, and the role ends afterwards.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { holdRows, untilWaiting, waitingCount } from "#tests/row-locks.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";

let server: TestServer;
let owner: Client;
let order: { id: string; revision: number; totalCents: number };
let objectID: string;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const draft = "/api/card-orders/draft";
const awa = { firstName: "Awa", lastName: "Diallo", email: null, phonenumber: null };
const design = { label: "Ateliers Corail", ink: "reef", printsNames: true };
const delivery = { to: "company", recipient: "Accueil", street: "", postcode: "", town: "" };
const persons = { persons: [awa], blank: 1 };
const rolesOf = "(select person_id from card where number = $1)";
const setRole = `update company_member set roles = array[$2] where person_id = ${rolesOf}`;
const stored = () => query("select id, state, revision from card_order");
const calls = {
  persons: () => owner.post(`${draft}/persons`, { revision: order.revision, ...persons }),
  design: () => owner.post(`${draft}/design`, { revision: order.revision, ...design }),
  delivery: () => owner.post(`${draft}/delivery`, { revision: order.revision, ...delivery }),
  discard: () => owner.post(`${draft}/discard`, { revision: order.revision }),
  pay: () => {
    const { id, revision, totalCents } = order;
    const paying = { revision, totalCents, method: "wallet", objectID };
    return owner.post(`/api/card-orders/${id}/pay`, paying);
  },
  orderByInvoice: () => {
    const { id, revision, totalCents } = order;
    return owner.post(`/api/card-orders/${id}/invoice`, { revision, totalCents });
  },
};
const names = Object.keys(calls) as (keyof typeof calls)[];

beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 1_000_000;
});
afterAll(() => server.close());
beforeEach(async () => {
  await query("delete from limiter");
  await query("delete from card_order where state = 'draft'");
  await query(setRole, cast.employer.cardnumber, "owner");
  owner = await server.as("employer");
  await owner.post(`${draft}/persons`, { revision: 0, ...persons });
  await owner.post(`${draft}/design`, { revision: 1, ...design });
  const { body } = await owner.post(`${draft}/delivery`, { revision: 2, ...delivery });
  const { id, revision, price } = body.draft;
  order = { id, revision, totalCents: price.totalCents };
  const wallets = await owner.get(`/api/wallets?cardnumber=${cast.employer.cardnumber}`);
  objectID = wallets.body.items[0].objectID;
  await leaveToSpend(server, objectID, order.totalCents);
});

describe("a call that has begun is done before the role goes", () => {
  test.each(names)("%s", async (name) => {
    const before = await stored();
    const { release } = await holdRows(server, "select from card_order where id = $1 for update", [
      order.id,
    ]);
    const answering = calls[name]();
    await untilWaiting(server, 1);
    let isLost = false;
    const losing = query(setRole, cast.employer.cardnumber, "cashier").then(() => (isLost = true));
    await expect.poll(async () => isLost || (await waitingCount(server)) === 2).toBe(true);
    await release();
    const answer = await answering;
    await losing;
    expect(answer.status, answer.text).toBe(200);
    expect(await stored()).not.toEqual(before);
    expect((await owner.get(draft)).body.code).toBe("company_role");
  });
});

describe("a call that comes after the role went is refused, and changes nothing", () => {
  test.each(names)("%s", async (name) => {
    const before = await stored();
    const { release } = await holdRows(server, setRole, [cast.employer.cardnumber, "cashier"]);
    const answering = calls[name]();
    await untilWaiting(server, 1);
    await release();
    expect((await answering).body.code).toBe("company_role");
    expect(await stored()).toEqual(before);
  });
});
