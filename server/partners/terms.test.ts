// Terms between the scheme and a partner: written by the operator, version by version, read at a date.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
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

const write = async (...args: string[]) => {
  const command = partnerCommands.find(({ name }) => name === "partners terms");
  return await command!.run(server.deps, args, "alice");
};
const terms = () => termsAt(server.deps.db, shop, server.clock.now());

test("each version stands from its writing, with its discount and its commission", async () => {
  expect(await terms()).toMatchObject({ version: 0, discountPercent: 0, commissionBasisPoints: 0 });
  expect((await write(reference, "5", "1,5")).lines).toEqual([
    `${reference}  conditions n° 1 : remise de 5\u00a0%, commission de 1,50\u00a0%, 0 point par euro`,
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

test("the company reads every version, and is told of each; the operator looks before writing", async () => {
  const owner = await server.as("partnerShop");
  const { items } = (await owner.get("/api/settlements/terms")).body;
  expect(items).toMatchObject([
    {
      name: "Librairie des Embruns",
      versions: [
        {
          version: 2,
          discountPercent: 10,
          commissionBasisPoints: 200,
          pointsPerEuro: 0,
          until: null,
        },
        {
          version: 1,
          discountPercent: 5,
          commissionBasisPoints: 150,
          until: items[0].versions[0].from,
        },
      ],
    },
  ]);
  const output = await write(reference);
  expect(output.ok).toBe(true);
  expect(output.lines).toEqual([
    expect.stringMatching(
      /conditions n° 2, du .*, en vigueur : remise de 10.%, commission de 2,00.%/,
    ),
    expect.stringMatching(/conditions n° 1, du .* au .* : remise de 5.%, commission de 1,50.%/),
  ]);
  expect((await terms()).version).toBe(2);
  expect((await write("nulle-part")).ok).toBe(false);
  const points = partnerCommands.find(({ name }) => name === "partners points");
  expect((await points?.run(server.deps, [reference, "2"], "alice"))?.ok).toBe(true);
  const { items: notices } = (await owner.get("/api/notifications")).body;
  expect(notices[0].title).toBe("Vos conditions changent");
  expect(notices[0].body).toMatch(
    /dès maintenant.: remise de 10.%, .*, 2 points par euro\. Avant.: .*, 0 point/,
  );
  expect(notices.filter(({ title }: any) => title === "Vos conditions changent")).toHaveLength(3);
  await server.deps.pool.query(
    "update company_member set roles = '{cashier}' where person_id = (select person_id from card where number = $1)",
    [cast.partnerShop.cardnumber],
  );
  expect((await owner.get("/api/settlements/terms")).body.code).toBe("company_role");
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
  for (const args of refused)
    expect(await write(...args), args.join()).toMatchObject({ ok: false });
  expect(await terms()).toMatchObject(before);
});
