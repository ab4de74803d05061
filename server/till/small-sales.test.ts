// Small sales by the code of a card: a few a day need no approval, whatever left the wallets before.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { smallSale } from "#contract/till/small-sales.ts";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1 });
  await furnishDirectory(server.deps);
});
afterAll(() => server.close());

test("five small sales of a day pass at once, the sixth and any larger one ask", async () => {
  server.clock.freeze();
  // Noon in Paris: a minute for each code of a card stays within the day.
  server.clock.advance(Date.parse("2027-11-23T11:00:00Z") - server.clock.now().getTime());
  const { rows } = await server.deps.pool.query<{ id: string }>(
    "select id from partner where reference = 'librairie-des-embruns'",
  );
  const [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
  const charge = async (amountCents: number): Promise<string> => {
    server.clock.advance(61_000);
    const { body } = await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`);
    const sale = { id: randomUUID(), partner: rows[0]?.id, amountCents, token: body.token };
    const charged = await shop.post("/api/till/sales", sale);
    expect(charged.status, charged.text).toBe(200);
    await server.deps.pool.query(
      "update till_sale set state = 'expired' where state = 'requested'",
    );
    return charged.body.state;
  };
  expect(await charge(smallSale.cents)).toBe("requested");
  const small = [];
  for (let n = 0; n < smallSale.perDay; n++) small.push(await charge(100 + n));
  expect(new Set(small)).toEqual(new Set(["paid"]));
  expect(await charge(100)).toBe("requested");
  server.clock.advance(24 * 3_600_000);
  const [nextShop, next] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
  const { token } = (await next.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const sale = { id: randomUUID(), partner: rows[0]?.id, amountCents: 150, token };
  expect((await nextShop.post("/api/till/sales", sale)).body.state).toBe("paid");
});
