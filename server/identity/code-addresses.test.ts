// A limit keeps people from sending codes to many strangers.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofOnePerson } from "#contract/identity/limits.ts";
import { castPassword as password } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await openTestServer();
  client = await server.as("guardian");
});
afterAll(() => server.close());

// proves: code-addresses
test("codes go to a few new addresses a day for one account, of whatever kind; those of the day again are free", async () => {
  // Past the quarter of an hour of the codes.
  const pause = async () => {
    server.clock.advance(16 * 60_000);
    client = await server.as("guardian");
  };
  const max = ofOnePerson.newAddressesPerDay;
  const send = (n: number) =>
    n % 2
      ? client.post("/api/profile/phone", { password, phonenumber: `06 12 34 56 1${n}` })
      : client.post("/api/profile/email", { password, email: `voisin${n}@exemple.fr` });
  for (let n = 0; n < max; n++) {
    expect((await send(n)).body.code).toBe("code_required");
    await pause();
  }
  const sent = server.outbox.length;
  for (const n of [max, max + 1]) {
    const refused = await send(n);
    expect([refused.status, refused.body.code]).toEqual([403, "code_addresses_exhausted"]);
  }
  expect(server.outbox).toHaveLength(sent);
  expect((await send(0)).body.code).toBe("code_required");
  expect(server.outbox).toHaveLength(sent + 1);
  const other = await server.as("stranger");
  const email = "voisin9@exemple.fr";
  expect((await other.post("/api/profile/email", { email })).body.code).toBe("code_required");
  server.clock.advance(24 * 3_600_000);
  client = await server.as("guardian");
  expect((await send(max)).body.code).toBe("code_required");
});
