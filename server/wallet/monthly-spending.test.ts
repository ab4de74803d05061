// Spending by month and category: what the ledger holds, whose it is, and the movements that make it up.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, dayMs, firstOfMonth, parisDay, startOfDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { listedCategories, type walletSpending } from "#contract/wallet/spending.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { runByTwo } from "#tests/two-operators.ts";
import { reversalCommands } from "./reversals-operator.ts";
import { grant, type SchemeAccount, schemeAccount, spend } from "./wallet.ts";

type Spending = Output<typeof walletSpending.spending>;

let server: TestServer;
let partner: string;
let sale: string;
/** The month of the acts, and the one after, in which some are refunded. */
let month: string;
let next: string;

beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  ({ partner } = await furnishDirectory(server.deps));
  goTo(addDays(firstOfMonth(today(), 1), 1));
  month = today().slice(0, 7);
  next = firstOfMonth(today(), 1).slice(0, 7);
  sale = await sell(1000);
  await pay("child", { kind: "meal", to: "meals", amountCents: 345, label: "Repas, Léo" });
  await pay("guardian", { to: "transport", amountCents: 290, label: "Dix voyages" });
  goTo(addDays(today(), 9));
  await pay("guardian", { to: "tickets", amountCents: 1200, label: "Concert" });
  await pay("guardian", { to: "pro_cards", amountCents: 55, label: "Frais" });
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter(({ ok }) => !ok)).toEqual([]);
  await server.close();
});

const today = () => parisDay(server.clock.now());
/** Moves the clock to noon of a day. */
function goTo(day: string): void {
  server.clock.advance(startOfDay(day).getTime() + dayMs / 2 - server.clock.now().getTime());
}
const walletIdOf = async (name: CastName): Promise<number> =>
  (
    await server.deps.pool.query(
      `select w.id from wallet w join card c on c.person_id = w.person_id
      where c.number = $1 and w.group_id = 1`,
      [cast[name].cardnumber],
    )
  ).rows[0].id;

async function pay(
  name: CastName,
  bought: { kind?: "purchase" | "meal"; to: SchemeAccount; amountCents: number; label: string },
): Promise<void> {
  const walletId = await walletIdOf(name);
  await inTx(server.deps.db, async (tx) => {
    await spend(tx, {
      walletId,
      amountCents: bought.amountCents,
      to: await schemeAccount(tx, bought.to),
      kind: bought.kind ?? "purchase",
      key: `spending test:${bought.label}`,
      memo: { label: bought.label },
      at: server.clock.now(),
    });
  });
}

async function sell(amountCents: number): Promise<string> {
  const camille = await server.as("guardian");
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const id = randomUUID();
  const shop = await server.as("partnerShop");
  const { body, text } = await shop.post("/api/till/sales", { id, partner, amountCents, token });
  expect(body.state, text).toBe("paid");
  return id;
}

/** Reverses a transfer by two operators; gives the id of the opposite one. */
async function reverse(id: number): Promise<number> {
  const undo = reversalCommands.find(({ name }) => name === "reversals undo");
  expect(await runByTwo(server.deps, undo, [String(id), "Erreur"])).toMatchObject({ ok: true });
  const { rows } = await server.deps.pool.query("select id from transfer where reverses = $1", [
    id,
  ]);
  return rows[0].id;
}

const read = async (client: Client): Promise<Spending> => {
  const { status, body, text } = await client.get<Spending>("/api/wallets/spending");
  expect(status, text).toBe(200);
  return body;
};
const sumOf = (parts: readonly { cents: number }[]) =>
  parts.reduce((sum, { cents }) => sum + cents, 0);
/** « category cents operations » of a month, in one wallet or in all. */
const linesOf = ({ parts }: Spending, of: string, objectID?: string) =>
  parts
    .filter((part) => part.month === of && (objectID === undefined || part.objectID === objectID))
    .map(({ category, cents, operations }) => [category, cents, operations])
    .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
const walletIn = ({ wallets }: Spending, name: CastName) =>
  wallets.find(({ cardnumber }) => cardnumber === cast[name].cardnumber);

/** Each part must be the sum of the movements that its category lists in its month. */
async function expectMovementsToAgree(client: Client): Promise<void> {
  const { parts, wallets, months } = await read(client);
  for (const { objectID } of wallets) {
    for (const of of months.slice(-3)) {
      const from = `${of}-01`;
      const days = { from, to: addDays(firstOfMonth(from, 1), -1) };
      let rest = 0;
      for (const category of [...listedCategories, undefined]) {
        const search = new URLSearchParams({
          ...days,
          limit: "100",
          ...(category && { category }),
        });
        const { items } = (await client.get(`/api/wallets/${objectID}/movements?${search}`)).body;
        const spent = items
          .filter((one: { kind: string }) =>
            ["purchase", "meal", "refund", "correction"].includes(one.kind),
          )
          .map((one: { amountCents: number }) => ({ cents: -one.amountCents }));
        const mine = parts.filter((part) => part.month === of && part.objectID === objectID);
        const expected = category ? mine.filter((part) => part.category === category) : mine;
        expect(sumOf(expected), `${of} ${category}`).toBe(sumOf(spent));
        if (category) {
          expect(spent).toHaveLength(items.length);
          expect(spent).toHaveLength(expected[0]?.operations ?? 0);
          rest += sumOf(expected);
        } else {
          const others = mine.filter((part) => part.category === "other");
          expect(rest + sumOf(others)).toBe(sumOf(spent));
        }
      }
    }
  }
}

test("GET /api/wallets/spending: the family by month and category; transfers, top-ups, aids are none", async () => {
  const camille = await server.as("guardian");
  const before = await read(camille);
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  const sent = await camille.post("/api/transfers", {
    fromWallet: body.items[0].objectID,
    toCardnumber: cast.child.cardnumber,
    amountCents: 700,
  });
  expect(sent.status, sent.text).toBe(201);
  const walletId = await walletIdOf("guardian");
  const aid = { walletId, amountCents: 500, label: "Aide", expiresOn: null, key: "spending aid" };
  await inTx(server.deps.db, (tx) => grant(tx, { ...aid, at: server.clock.now() }));

  const spending = await read(camille);
  expect(spending).toEqual(before);
  expect(spending.months).toHaveLength(12);
  expect(spending.months.at(-1)).toBe(month);
  expect(spending.months[0]).toBe(firstOfMonth(`${month}-01`, -11).slice(0, 7));
  const { wallets } = spending;
  expect(wallets.map(({ owner, own }) => [owner, own])).toEqual([
    ["Camille Moreau", true],
    ["Jade Moreau", false],
    ["Léo Moreau", false],
  ]);
  const sold = spending.parts.find(({ category }) => category === "shops");
  expect(linesOf(spending, month)).toEqual([
    ["meals", 345, 1],
    ["other", 55, 1],
    ["shops", sold?.cents, 1],
    ["tickets", 1200, 1],
    ["transport", 290, 1],
  ]);
  const child = walletIn(spending, "child")?.objectID;
  expect(linesOf(spending, month, child)).toEqual([["meals", 345, 1]]);
  await expectMovementsToAgree(camille);
});

test("a refund is deducted in its own month, under what it refunds, and so is a reversal", async () => {
  goTo(`${next}-05`);
  const shop = await server.as("partnerShop");
  const back = await shop.post(`/api/till/sales/${sale}/refund`, {
    amountCents: 400,
    refundedCents: 0,
  });
  expect(back.status, back.text).toBe(200);
  const { rows } = await server.deps.pool.query(
    "select id from transfer where key = 'spending test:Dix voyages'",
  );
  const correction = await reverse(rows[0].id);
  const camille = await server.as("guardian");
  const spending = await read(camille);
  expect(linesOf(spending, next)).toEqual([
    ["shops", -400, 1],
    ["transport", -290, 1],
  ]);
  expect(linesOf(spending, month)).toContainEqual(["transport", 290, 1]);
  // What was spent from the second to the fifth of the month before; the rest came on the eleventh.
  const own = walletIn(spending, "guardian");
  const shopCents = sumOf(
    spending.parts.filter((part) => part.month === month && part.category === "shops"),
  );
  expect(own?.lastMonthToDateCents).toBe(shopCents + 290);
  expect(walletIn(spending, "child")?.lastMonthToDateCents).toBe(345);
  await expectMovementsToAgree(camille);

  // The reversal was wrong: it is reversed as well, and the journey is spent after all.
  await reverse(correction);
  const again = await read(camille);
  expect(linesOf(again, next)).toContainEqual(["transport", 0, 2]);
  await expectMovementsToAgree(camille);

  // The reversal of a top-up takes money away, which is not spent.
  const opening = await server.deps.pool.query(
    "select id from transfer where key = 'opening:secondChild'",
  );
  await reverse(opening.rows[0].id);
  expect((await read(camille)).parts).toEqual(again.parts);
});

test("whose it is: a child's own alone, a guardian's while they are one, nobody else's", async () => {
  const cardsOf = async (name: CastName) =>
    (await read(await server.as(name))).wallets.map(({ cardnumber }) => cardnumber);
  const leo = cast.child.cardnumber;
  expect(await cardsOf("child")).toEqual([leo]);
  expect(await cardsOf("coGuardian")).toEqual([cast.coGuardian.cardnumber, leo]);
  await untie(server.owner.pool, "coGuardian", "child");
  expect(await cardsOf("coGuardian")).toEqual([cast.coGuardian.cardnumber]);
  expect((await read(await server.as("coGuardian"))).parts).toEqual([]);
  await tieAgain(server.owner.pool, "coGuardian", "child");
  expect(await cardsOf("stranger")).toEqual([cast.stranger.cardnumber]);
  const desk = await (await server.as("canteenProvider")).get("/api/wallets/spending");
  expect(desk).toMatchObject({ status: 403, body: { code: "forbidden" } });
  expect((await server.anonymous.get("/api/wallets/spending")).status).toBe(401);
});

test("a category and a kind together keep the lines of both; the statement says the category", async () => {
  const camille = await server.as("guardian");
  const own = walletIn(await read(camille), "guardian")?.objectID;
  const search = `from=${month}-01&category=tickets`;
  const list = await camille.get(`/api/wallets/${own}/movements?${search}&kind=purchase`);
  expect(list.body.items.map(({ label }: { label: string }) => label)).toEqual(["Concert"]);
  const none = await camille.get(`/api/wallets/${own}/movements?${search}&kind=top_up`);
  expect(none.body.items).toEqual([]);
  const { text } = await camille.get(`/api/wallets/${own}/movements.csv?${search}`);
  expect(text.trim().split("\r\n")).toHaveLength(2);
  expect(text).toContain("Concert");
  const unknown = await camille.get(`/api/wallets/${own}/movements?category=other`);
  expect(unknown).toMatchObject({ status: 400, body: { code: "invalid_input" } });
});
