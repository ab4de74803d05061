// Terms between the scheme and a partner: written by the operator, version by version, read at a date.
import { afterAll, beforeAll, expect, test } from "vitest";
import { furnishDirectory } from "#tests/directory.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { partnerCommands } from "./operator.ts";
import { termsAt } from "./partners.ts";

let server: TestServer;
let shop: string;
const reference = "librairie-des-embruns";
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  await furnishDirectory(server.deps);
  const { rows } = await server.deps.pool.query("select id from partner where reference = $1", [
    reference,
  ]);
  shop = rows[0].id;
});
afterAll(() => server.close());

const write = async (...given: string[]) => {
  const command = partnerCommands.find(({ name }) => name === "partners terms");
  return await command!.run(server.deps, given, "alice");
};
const terms = () => termsAt(server.deps.db, shop, server.clock.now());

test("each version stands from its writing, with its discount and its commission", async () => {
  expect(await terms()).toMatchObject({ version: 0, discountPercent: 0, commissionBasisPoints: 0 });
  expect((await write(reference, "5", "1,5")).lines).toEqual([
    `${reference}  conditions n° 1 : remise de 5 %, commission de 1,5 %`,
  ]);
  const before = server.clock.now();
  server.clock.advance(1000);
  expect(await write(reference, "10", "2")).toMatchObject({ ok: true });
  expect(await terms()).toMatchObject({
    version: 2,
    discountPercent: 10,
    commissionBasisPoints: 200,
  });
  expect(await termsAt(server.deps.db, shop, before)).toMatchObject({
    version: 1,
    discountPercent: 5,
    commissionBasisPoints: 150,
  });
});

test("what is wrong writes nothing", async () => {
  const before = await terms();
  const refused = [
    [reference, "91", "1"],
    [reference, "5", "30,01"],
    [reference, "5", ""],
    [reference, "5", "1,255"],
    [reference, "5", "-1"],
    ["nulle-part", "5", "1"],
  ];
  for (const given of refused)
    expect(await write(...given), given.join()).toMatchObject({ ok: false });
  expect(await terms()).toMatchObject(before);
});
