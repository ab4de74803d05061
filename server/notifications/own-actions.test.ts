// One's own action writes no unread notice, except for others who are told and for kinds that protect the
// account.
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 1_000_000;
  camille = await server.as("guardian");
  thomas = await server.as("coGuardian");
});
afterAll(() => server.close());

interface Bell {
  items: { title: string; read: boolean }[];
  unread: number;
}
const bellOf = async (client: Client): Promise<Bell> =>
  (await client.get("/api/notifications")).body;
const latest = async (client: Client, title: string) =>
  (await bellOf(client)).items.find((one) => one.title === title)?.read;
const walletOf = async (client: Client, cardnumber: number): Promise<string> =>
  (await client.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0].objectID;

// proves: own-acts
test("meals that one orders: read by whoever ordered them, unread by the other guardian", async () => {
  const canteen = await makeCanteen(server, { kind: "staff" });
  const day = workingDaysAfter(todayInParis(server.deps.now()), 3);
  const { request } = (
    await camille.post("/api/canteen/requests/lines", {
      idgroup: canteen.groupId,
      meals: [{ registration: canteen.registrations.child, day }],
      chosen: true,
    })
  ).body;
  const { unread } = await bellOf(camille);
  const paid = await camille.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID: await walletOf(camille, cast.guardian.cardnumber),
  });
  expect(paid.status, paid.text).toBe(200);
  expect(await latest(camille, "Repas commandés")).toBe(true);
  expect((await bellOf(camille)).unread).toBe(unread);
  expect(await latest(thomas, "Repas commandés")).toBe(false);
});

// proves: own-acts
test("transfers of one moment: each rings for its receiver, but not for who sent it to themselves", async () => {
  const own = await walletOf(camille, cast.guardian.cardnumber);
  const his = await walletOf(thomas, cast.coGuardian.cardnumber);
  const send = (client: Client, fromWallet: string, toCardnumber: number) =>
    client.post("/api/transfers", { fromWallet, toCardnumber, amountCents: 100 });
  const sent = await Promise.all([
    send(camille, own, cast.coGuardian.cardnumber),
    send(thomas, his, cast.guardian.cardnumber),
  ]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201]);
  expect(await latest(thomas, "Virement reçu")).toBe(false);
  expect(await latest(camille, "Virement reçu")).toBe(false);
  const childs = await walletOf(camille, cast.child.cardnumber);
  const { unread } = await bellOf(camille);
  const back = await send(camille, childs, cast.guardian.cardnumber);
  expect(back.status, back.text).toBe(201);
  expect(await latest(camille, "Virement reçu")).toBe(true);
  expect((await bellOf(camille)).unread).toBe(unread);
});

// proves: own-acts
test("a password that one changes rings all the same", async () => {
  const { unread } = await bellOf(thomas);
  const changed = await thomas.post("/api/password/change", {
    current: castPassword,
    password: "six bouées au large du port",
  });
  expect(changed.status, changed.text).toBe(200);
  expect((await bellOf(thomas)).unread).toBe(unread + 1);
});
