// A network that a company takes over: passes sold from then on are owed to it, earlier ones stay the
// scheme's.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { passCommands } from "#server/passes/operator.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { cast } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { closingMonth, collectLines } from "./collect.ts";

let server: TestServer;
let camille: Client;
beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 1_000_000;
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  camille = await server.as("guardian");
});
afterAll(() => server.close());

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;

async function buyTicket(): Promise<string> {
  const cardnumber = cast.guardian.cardnumber;
  const { items } = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body;
  const begun = await camille.post("/api/passes/orders", { product: "lagon-ticket", cardnumber });
  const { id, revision, price } = begun.body;
  const paid = await camille.post(`/api/passes/orders/${id}/pay`, {
    revision,
    totalCents: price.totalCents,
    objectID: items[0].objectID,
    method: "wallet",
  });
  expect(paid.status, paid.text).toBe(200);
  return `pass:${id}`;
}

test("naming a network pays it no pass that was sold before", async () => {
  const [{ slug }] = await query(`select g.slug from acceptance_group g
    join fare_product f on f.group_id = g.id where f.id = 'lagon-ticket'`);
  const [{ siren }] = await query(
    `select c.siren from company c join company_member m on m.company_id = c.id
      join card k on k.person_id = m.person_id where k.number = $1`,
    cast.partnerShop.cardnumber,
  );
  const before = await buyTicket();
  server.clock.advance(1000);
  const name = () =>
    passCommands
      .find((one) => one.name === "passes network")
      ?.run(server.deps, [slug, siren], "test");
  expect((await name())?.ok).toBe(true);
  server.clock.advance(1000);
  const after = await buyTicket();
  // Assigned again, it is still owed the same.
  server.clock.advance(1000);
  expect((await name())?.ok).toBe(true);
  const month = closingMonth(parisDay(server.clock.now()).slice(0, 7));
  await query(
    "insert into settlement_month (month, started_at, closed_by) values ($1, now(), 'test')",
    month.month,
  );
  await collectLines(server.deps.db, month, { chunk: 100, progress: () => {} });
  expect(await query("select key from settlement_line where source = 'pass'")).toEqual([
    { key: after },
  ]);
  expect(before).not.toBe(after);
});
