// A partner frozen by the operator: out of the directory, and none of its tickets can be bought.
import { afterAll, beforeAll, expect, test } from "vitest";
import { partnerCommands } from "#server/partners/operator.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { makeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  camille = await server.as("guardian");
});
afterAll(() => server.close());

const run = async (name: string, ...args: string[]) => {
  const command = partnerCommands.find((one) => one.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return await command.run(server.deps, args, "alice");
};
const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const wallet = async () =>
  (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0];

// proves: frozen-partner
test("partners freeze: hidden, not sold, a held cart not paid; unfreeze brings all of it back", async () => {
  const [{ reference, id }] = await rows("select reference, id from partner order by reference");
  await rows(
    `update partner set company_id = (select company_id from company_member join card using (person_id)
       where number = $1) where id = $2`,
    cast.partnerShop.cardnumber,
    id,
  );
  const [own, other] = [await makeEvent(server), await makeEvent(server, { partner: undefined })];
  const put = ({ session, full: category }: { session: string; full: string }, quantity = 1) =>
    camille.post("/api/tickets/cart/lines", {
      session,
      category,
      cardnumber: cast.guardian.cardnumber,
      quantity,
    });
  const { cart } = (await put(own)).body;
  const before = await wallet();
  const pay = () =>
    camille.post("/api/tickets/cart/pay", {
      method: "wallet",
      order: cart.id,
      objectID: before.objectID,
      totalCents: cart.totalCents,
    });
  const cardnumber = cast.guardian.cardnumber;
  const onSale = async () =>
    (await camille.post("/api/public/services/billet", { cardnumber })).body.items.map(
      ({ id: event }: { id: string }) => event,
    );
  const stateOf = async (event: string) =>
    (await camille.get(`/api/tickets/events/${event}?cardnumber=${cardnumber}`)).body.event.state;
  expect(await onSale()).toEqual(expect.arrayContaining([own.id, other.id]));
  expect((await run("partners freeze", reference, " ")).ok).toBe(false);
  expect((await run("partners freeze", "nobody", "motif")).ok).toBe(false);
  expect((await camille.get(`/api/partners/${id}`)).status).toBe(200);

  expect((await run("partners freeze", reference, "Contrat rompu")).ok).toBe(true);
  expect((await camille.get(`/api/partners/${id}`)).status).toBe(404);
  expect((await run("partners list")).lines.find((line) => line.startsWith(reference))).toContain(
    "gelé : Contrat rompu",
  );
  // The command that ends a hiding does not show it again either.
  await run("partners unhide", reference);
  expect((await camille.get(`/api/partners/${id}`)).status).toBe(404);
  expect(await onSale()).toEqual([other.id]);
  // The importer of the event loses their role: it is still the company's, and not sold.
  await rows("update ticket_event set partner_id = null where id = $1", own.id);
  expect(await onSale()).toEqual([other.id]);
  expect(await stateOf(own.id)).toBe("closed");
  expect(await stateOf(other.id)).toBe("open");
  expect((await put(own, 2)).body.code).toBe("tickets_closed");
  expect((await pay()).body.code).toBe("tickets_closed");
  expect((await wallet()).balanceCents).toBe(before.balanceCents);
  expect(await rows("select from ticket where state = 'issued'")).toEqual([]);
  expect((await run("partners freeze", reference, "encore")).ok).toBe(false);

  expect((await run("partners unfreeze", reference)).ok).toBe(true);
  expect((await camille.get(`/api/partners/${id}`)).status).toBe(200);
  expect((await pay()).status).toBe(200);
  expect((await wallet()).balanceCents).toBe(before.balanceCents - cart.totalCents);
  expect((await run("partners unfreeze", reference)).ok).toBe(false);
  const notices = await rows(
    `select title, body from notification where person_id = (select person_id from card where number = $1)
     order by at, id`,
    cast.partnerShop.cardnumber,
  );
  expect(notices.slice(-2)).toMatchObject([
    {
      title: expect.stringContaining("ne vend plus"),
      body: expect.stringContaining("Contrat rompu"),
    },
    { title: expect.stringContaining("vend à nouveau") },
  ]);
  const trail = await rows(
    `select action, actor, details->>'why' as why from audit where action like 'partner.%' order by id`,
  );
  expect(trail).toEqual([
    { action: "partner.freeze", actor: "operator:alice", why: "Contrat rompu" },
    { action: "partner.unfreeze", actor: "operator:alice", why: null },
  ]);
});
