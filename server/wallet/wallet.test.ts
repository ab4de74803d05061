// Wallets as their holders see them: their owners, their balances, in which order they are spent.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { hold, post, verify, voidHold } from "#server/ledger/ledger.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { api } from "#contract/api.ts";
import { cast, type CastName, openingCents } from "#tests/cast.ts";
import { type Answered, type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { expireLots } from "./expiry.ts";
import { freezeWallet, grant, openWallet, schemeAccount, spend, walletTasks } from "./wallet.ts";

let server: TestServer;
let guardian: Client;
let stranger: Client;
let shop: number;

beforeAll(async () => {
  server = await openTestServer();
  guardian = await server.as("guardian");
  stranger = await server.as("stranger");
  shop = await inTx(server.deps.db, (tx) => schemeAccount(tx, "purchases"));
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const number = (name: CastName) => cast[name].cardnumber;
const walletsOf = async (client: Client, name: CastName) =>
  (await client.get(`/api/wallets?cardnumber=${number(name)}`)).body.items;

/** The ids of a person's main wallet. */
async function mainOf(name: CastName) {
  const row = await server.deps.db
    .selectFrom("wallet as w")
    .innerJoin("card as c", "c.personId", "w.personId")
    .innerJoin("walletLot as l", "l.walletId", "w.id")
    .select(["w.id", "w.objectId as objectID", "w.personId", "l.accountId"])
    .where("c.number", "=", number(name))
    .where("w.groupId", "=", 1)
    .where("l.kind", "=", "purchased")
    .executeTakeFirstOrThrow();
  return { ...row, accountId: row.accountId };
}

const soon = (days: number) => addDays(parisDay(server.clock.now()), days);
let serial = 0;
const key = () => `test:${(serial += 1)}`;

const pay = (walletId: number, amountCents: number, more: { key?: string; to?: number } = {}) =>
  inTx(server.deps.db, (tx) =>
    spend(tx, {
      walletId,
      amountCents,
      to: shop,
      kind: "purchase",
      key: key(),
      memo: { label: "Librairie des Embruns" },
      at: server.clock.now(),
      ...more,
    }),
  );
const give = (walletId: number, amountCents: number, label: string, expiresOn: string | null) =>
  inTx(server.deps.db, (tx) =>
    grant(tx, { walletId, amountCents, label, expiresOn, key: key(), at: server.clock.now() }),
  );

describe("whose wallets", () => {
  test("GET /api/wallets: one's own, main one first, with limits and room", async () => {
    const [main] = await walletsOf(guardian, "guardian");
    expect(main).toMatchObject({
      name: "Cagnotte principale",
      idgroup: 1,
      main: true,
      slug: "principale",
      cardnumber: number("guardian"),
      balanceCents: openingCents.guardian,
      heldCents: 0,
      projectedCents: openingCents.guardian,
      topUpMinCents: 500,
      topUpMaxCents: 50_000,
      capCents: 100_000,
      roomCents: 100_000 - 12_000,
      emptyOn: null,
      frozen: false,
    });
  });

  test("GET /api/wallets: a child's for each guardian, not for the other way round", async () => {
    expect((await walletsOf(guardian, "child"))[0].balanceCents).toBe(openingCents.child);
    const other = await server.as("coGuardian");
    expect((await walletsOf(other, "child"))[0].balanceCents).toBe(openingCents.child);
    const child = await server.as("child");
    for (const [client, name] of [
      [child, "guardian"],
      [other, "guardian"],
      [other, "secondChild"],
      [stranger, "guardian"],
    ] as const) {
      const answer = await client.get(`/api/wallets?cardnumber=${number(name)}`);
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  // proves: others-not-found
  test("every read of a stranger's wallet answers 404, as does one that does not exist", async () => {
    const { objectID } = await mainOf("guardian");
    for (const id of [objectID, crypto.randomUUID()]) {
      for (const path of ["movements", "history", "statement.pdf", "movements.csv", "top-ups"]) {
        const answer = await stranger.get(`/api/wallets/${id}/${path}`);
        expect(answer, path).toMatchObject({ status: 404, body: { code: "not_found" } });
      }
    }
  });

  test("POST /api/card/info: credit in euros and cents, 404 for a stranger's card", async () => {
    const child = await guardian.post("/api/card/info", { cardnumber: number("child") });
    expect(child.body).toEqual({
      cardnumber: number("child"),
      credit: 35.5,
      creditCents: 3550,
      state: "active",
      atf: 1,
    });
    for (const cardnumber of [number("guardian"), 1999999998]) {
      const answer = await stranger.post("/api/card/info", { cardnumber });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  test("POST /api/public/services/public: the same wallets, and a session is needed", async () => {
    const body = { cardnumber: number("guardian") };
    const answer = await guardian.post("/api/public/services/public", body);
    expect(answer.body.data).toEqual(await walletsOf(guardian, "guardian"));
    expect((await server.anonymous.post("/api/public/services/public", body)).status).toBe(401);
  });
});

describe("spending", () => {
  test("group wallet first, then main; granted before purchased, the earliest expiry first", async () => {
    const { db } = server.deps;
    const { id: group } = await db
      .insertInto("acceptanceGroup")
      .values({ id: 50, name: "Cantine", slug: "cantine", rule: "À la cantine." })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { personId, id: main, accountId } = await mainOf("secondChild");
    const wallet = await inTx(db, (tx) => openWallet(tx, { personId, groupId: group }));
    const later = await give(wallet.id, 300, "Aide de juin", soon(60));
    const sooner = await give(wallet.id, 200, "Aide de mai", soon(30));
    const inMain = await give(main, 100, "Prime", null);
    const parts = await pay(wallet.id, 650);
    const { rows } = await server.deps.pool.query(
      "select debit_account as debit, amount from transfer where key = $1 order by part",
      [parts[0]?.key],
    );
    expect(rows).toEqual([
      { debit: sooner.accountId, amount: 200 },
      { debit: later.accountId, amount: 300 },
      { debit: inMain.accountId, amount: 100 },
      { debit: accountId, amount: 50 },
    ]);
    const [seenMain, seenGroup] = await walletsOf(guardian, "secondChild");
    expect([seenMain.balanceCents, seenGroup.balanceCents]).toEqual([770, 0]);
    // One line per movement in each wallet, however many lots it touched.
    const lines = await guardian.get(`/api/wallets/${seenGroup.objectID}/movements`);
    expect(lines.body.items.map((line: any) => [line.kind, line.amountCents])).toEqual([
      ["purchase", -500],
      ["grant", 200],
      ["grant", 300],
    ]);
    expect(lines.body.items[0]).toMatchObject({ balanceAfterCents: 0, topUp: null });
    // The same purchase in either wallet: the amount that left it, and all its parts.
    const split = [
      { wallet: "Cantine", label: "Aide de mai", amountCents: -200 },
      { wallet: "Cantine", label: "Aide de juin", amountCents: -300 },
      { wallet: seenMain.name, label: "Prime", amountCents: -100 },
      { wallet: seenMain.name, label: seenMain.lots[0].label, amountCents: -50 },
    ];
    const mainPath = `/api/wallets/${seenMain.objectID}/movements`;
    const [inMainWallet, prime] = (await guardian.get(mainPath)).body.items;
    expect(lines.body.items[0].parts).toEqual(split);
    expect(inMainWallet).toMatchObject({ kind: "purchase", amountCents: -150, parts: split });
    expect(prime).toMatchObject({ kind: "grant", parts: [] });
    // A page that ends inside the purchase would cut it in two.
    const [first] = (await guardian.get(`${mainPath}?limit=1`)).body.items;
    expect(first).toEqual(inMainWallet);
    const table = (await guardian.get(`${mainPath}.csv`)).text.split("\r\n");
    expect(table[1]).toMatch(/;Librairie des Embruns \(6,50.€ en tout\);-1,50;7,70$/u);
    const paper = await server.app.inject({
      url: `/api/wallets/${seenMain.objectID}/statement.pdf`,
      headers: { authorization: `Bearer ${guardian.token}` },
    });
    expect(wordsOf(paper.rawPayload)).toMatch(/6,50\s€\s+en\s+tout/u);
  });

  test("more than everything: insufficient_funds and nothing moved", async () => {
    const { id } = await mainOf("secondChild");
    await expect(pay(id, 771)).rejects.toMatchObject({ code: "insufficient_funds" });
    expect((await walletsOf(guardian, "secondChild"))[0].balanceCents).toBe(770);
  });

  test("the same key answers the first outcome, another amount is refused", async () => {
    const { id } = await mainOf("secondChild");
    const first = await pay(id, 20, { key: "once" });
    const again = await pay(id, 20, { key: "once" });
    expect(again.map((part) => part.id)).toEqual(first.map((part) => part.id));
    await expect(pay(id, 21, { key: "once" })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    const both = await Promise.all([1, 2, 3, 4].map(() => pay(id, 10, { key: "race" })));
    expect(new Set(both.map((parts) => parts[0]?.id)).size).toBe(1);
    expect((await walletsOf(guardian, "secondChild"))[0].balanceCents).toBe(740);
  });

  test("a suspended card spends nothing, a frozen wallet neither", async () => {
    const { id } = await mainOf("secondChild");
    await guardian.post(`/api/cards/${number("secondChild")}/suspend`);
    await expect(pay(id, 10)).rejects.toMatchObject({ code: "card_suspended" });
    await guardian.post(`/api/cards/${number("secondChild")}/resume`);
    const { db } = server.deps;
    await inTx(db, (tx) => freezeWallet(tx, id, { why: "test", at: server.clock.now() }));
    await expect(pay(id, 10)).rejects.toMatchObject({ code: "wallet_frozen" });
    await db
      .updateTable("wallet")
      .set({ frozenAt: null, frozenWhy: null })
      .where("id", "=", id)
      .execute();
    expect((await walletsOf(guardian, "secondChild"))[0].balanceCents).toBe(740);
  });
});

describe("expiry of lots", () => {
  test("a lot leaves after its last day, booked money stays until it is released", async () => {
    const { id, objectID } = await mainOf("coGuardian");
    const other = await server.as("coGuardian");
    const lot = await give(id, 900, "Chèque culture", soon(1));
    const at = server.clock.now();
    const booking = await inTx(server.deps.db, (tx) =>
      hold(tx, {
        key: key(),
        debitAccount: lot.accountId,
        creditAccount: shop,
        amountCents: 400,
        kind: "meal",
        at,
      }),
    );
    const [before] = await walletsOf(other, "coGuardian");
    expect(before).toMatchObject({ balanceCents: 4900, heldCents: 400, projectedCents: 4500 });
    const expire = () => walletTasks(server.deps).expire_lots();
    expect(await expire()).toBe(0);
    server.clock.advance(2 * 86_400_000);
    const again = await server.as("coGuardian");
    const info = { cardnumber: number("coGuardian") };
    // Expired money is not spendable, even before the job has run.
    expect((await again.post("/api/card/info", info)).body.creditCents).toBe(4000);
    await expect(pay(id, 4001)).rejects.toMatchObject({ code: "insufficient_funds" });
    expect(await expire()).toBe(1);
    expect(await expire()).toBe(0);
    expect((await walletsOf(again, "coGuardian"))[0].balanceCents).toBe(4400);
    await inTx(server.deps.db, (tx) => voidHold(tx, booking.id));
    expect(await expire()).toBe(1);
    expect(await expire()).toBe(0);
    expect((await walletsOf(again, "coGuardian"))[0].balanceCents).toBe(4000);
    const page = await again.get(`/api/wallets/${objectID}/movements?kind=expiry`);
    expect(page.body.items.map((line: any) => [line.label, line.amountCents])).toEqual([
      ["Chèque culture", -400],
      ["Chèque culture", -500],
    ]);
    const notices = await again.get("/api/notifications");
    expect(notices.body.items.filter((one: any) => one.kind === "expiry")).toHaveLength(2);
  });

  test("a lot whose money is booked does not keep those after it", async () => {
    const { id } = await mainOf("coGuardian");
    const booked = await give(id, 500, "Chèque réservé", soon(1));
    const free = await give(id, 300, "Chèque libre", soon(1));
    expect(booked.accountId).toBeLessThan(free.accountId);
    const at = server.clock.now();
    await inTx(server.deps.db, (tx) =>
      hold(tx, {
        key: key(),
        debitAccount: booked.accountId,
        creditAccount: shop,
        amountCents: 500,
        kind: "meal",
        at,
      }),
    );
    server.clock.advance(2 * 86_400_000);
    const balances = async () => {
      const text =
        "select balance::int as cents from ledger_account where id = any ($1) order by id";
      const { rows } = await server.deps.pool.query(text, [[booked.accountId, free.accountId]]);
      return rows.map(({ cents }) => cents);
    };
    expect(await expireLots(server.deps, { atOnce: 1 })).toBe(1);
    expect(await balances()).toEqual([500, 0]);
  });
});

describe("movements", () => {
  test("paged by key, filtered by kind, day and words; no line twice, none lost", async () => {
    const client = await server.as("stranger");
    const { id, objectID } = await mainOf("stranger");
    for (let index = 0; index < 7; index++) await pay(id, 10 + index);
    const path = `/api/wallets/${objectID}/movements`;
    const seen: any[] = [];
    let next: number | null = null;
    do {
      const page: Answered<any> = await client.get(
        `${path}?limit=3${next ? `&before=${next}` : ""}`,
      );
      seen.push(...page.body.items);
      next = page.body.next;
    } while (next !== null);
    expect(seen).toHaveLength(8);
    expect(new Set(seen.map((line) => line.id)).size).toBe(8);
    expect(seen[0].balanceAfterCents).toBe(2500 - 91);
    for (const [index, line] of seen.entries()) {
      const older = seen[index + 1]?.balanceAfterCents ?? 0;
      expect(line.balanceAfterCents - line.amountCents).toBe(older);
    }
    const count = async (query: string) => (await client.get(`${path}?${query}`)).body.items.length;
    expect(await count("kind=purchase")).toBe(7);
    expect(await count("kind=top_up")).toBe(1);
    expect(await count("kind=transfer_in")).toBe(0);
    expect(await count("q=embruns")).toBe(7);
    expect(await count("q=%25")).toBe(0);
    const today = parisDay(server.clock.now());
    expect(await count(`from=${today}&to=${today}`)).toBe(7);
    expect(await count(`to=${addDays(today, -1)}`)).toBe(1);
  });

  test("days at the ends of the calendar: an empty page, never an error", async () => {
    const client = await server.as("stranger");
    const { objectID } = await mainOf("stranger");
    for (const span of ["from=2199-12-31", "to=1900-01-01", "from=1900-01-01&to=2199-12-31"]) {
      for (const path of ["movements", "movements.csv", "statement.pdf"]) {
        const answer = await client.get(`/api/wallets/${objectID}/${path}?${span}`);
        expect(answer.status, `${path} ${span}`).toBe(200);
      }
    }
    for (const on of ["2026-02-30", "0000-01-01", "1899-12-31", "2200-01-01"]) {
      const wrong = await client.get(`/api/wallets/${objectID}/movements?from=${on}`);
      expect(wrong, on).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    }
  });

  test("history: ends at the balance, its projection goes down at the pace of an ordinary week", async () => {
    const client = await server.as("stranger");
    const { objectID } = await mainOf("stranger");
    const { body } = await client.get(`/api/wallets/${objectID}/history?days=7`);
    expect(body.points).toHaveLength(7);
    expect(body.points.at(-1)).toEqual({ on: parisDay(server.clock.now()), balanceCents: 2409 });
    expect(body.points[0].balanceCents).toBe(0);
    expect(body.projection).toHaveLength(30);
    // All was bought on one day: no spending rate.
    expect(body.projection[27].balanceCents).toBe(2409);
    const [wallet] = await walletsOf(client, "stranger");
    expect(wallet.emptyOn).toBeNull();
    const { id } = await mainOf("stranger");
    const bought = (cents: number, daysAgo: number) =>
      inTx(server.deps.db, (tx) =>
        spend(tx, {
          walletId: id,
          amountCents: cents,
          to: shop,
          kind: "purchase",
          key: key(),
          at: new Date(server.clock.now().getTime() - daysAgo * 86_400_000),
        }),
      );
    for (const daysAgo of [8, 15, 22]) await bought(91, daysAgo);
    const before = (await walletsOf(client, "stranger"))[0].emptyOn;
    const today = parisDay(server.clock.now());
    // 2,136 cents at 13 a day.
    expect((Date.parse(before) - Date.parse(today)) / 86_400_000).toBe(165);
    // Once and large: it does not change the spending rate.
    await bought(1000, 9);
    const { body: after } = await client.get(`/api/wallets/${objectID}/history?days=7`);
    expect(after.projection[27].balanceCents).toBe(2409 - 1273 - 364);
  });

  // proves: csv-formulas
  test("CSV: BOM, semicolons, decimal commas, and no cell that starts a formula", async () => {
    const client = await server.as("stranger");
    const { id, objectID } = await mainOf("stranger");
    await inTx(server.deps.db, (tx) =>
      spend(tx, {
        walletId: id,
        amountCents: 1,
        to: shop,
        kind: "purchase",
        key: key(),
        memo: { label: '=HYPERLINK("x");a' },
        at: server.clock.now(),
      }),
    );
    const answer = await client.get(`/api/wallets/${objectID}/movements.csv`);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(answer.headers["content-disposition"]).toContain("operations-principale.csv");
    const lines = answer.text.split("\r\n");
    expect(lines[0]).toBe("\uFEFFDate;Heure;Opération;Libellé;Montant (€);Solde (€)");
    expect(lines[1]).toContain(`;Achat;"'=HYPERLINK(""x"");a";-0,01;11,35`);
    expect(lines.filter(Boolean)).toHaveLength(14);
  });

  // proves: rates
  test("statements: so many in a minute, drawn one after the other", async () => {
    const client = await server.as("stranger");
    const { objectID } = await mainOf("stranger");
    const { max } = api.wallet.statement.rate;
    const path = `/api/wallets/${objectID}/statement.pdf`;
    await server.deps.db.deleteFrom("limiter").execute();
    const answers = await Promise.all(Array.from({ length: max + 5 }, () => client.get(path)));
    const found = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(found).toEqual([...Array(max).fill(200), ...Array(5).fill(429)]);
    await server.deps.db.deleteFrom("limiter").execute();
  });

  test("statement: a tagged PDF in French, its fonts inside, its period told, the lines of the CSV", async () => {
    const client = await server.as("stranger");
    const { objectID } = await mainOf("stranger");
    const answer = await server.app.inject({
      url: `/api/wallets/${objectID}/statement.pdf`,
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect(answer.headers["content-type"]).toBe("application/pdf");
    const source = answer.rawPayload.toString("latin1");
    expect(source.slice(0, 8)).toBe("%PDF-1.7");
    expect(source).toContain("/Marked true");
    expect(source).toContain("(fr-FR)");
    expect(source).toContain("/FontFile");
    const words = async (query: string) =>
      wordsOf(
        (
          await server.app.inject({
            url: `/api/wallets/${objectID}/statement.pdf${query}`,
            headers: { authorization: `Bearer ${client.token}` },
          })
        ).rawPayload,
      );
    const table = async (query: string) =>
      (await client.get(`/api/wallets/${objectID}/movements.csv${query}`)).text
        .split("\r\n")
        .slice(1, -1);
    const long = `?from=${addDays(parisDay(server.clock.now()), -400)}`;
    for (const query of ["", long, "?kind=purchase", "?q=embruns", "?kind=top_up"]) {
      const statement = await words(query);
      const lines = await table(query);
      // The instant at which it was made, and one for each line.
      expect(statement.match(/\d\d\/\d\d\/\d{4} \d\d:\d\d/g)?.length, query).toBe(lines.length + 1);
      expect(statement).toMatch(/Période/);
    }
    expect(await words("?kind=purchase")).toMatch(/Filtre[^]*Achat/);
    const none = `/api/wallets/${objectID}/statement.pdf?from=2020-01-01&to=2020-01-31`;
    expect((await client.get(none)).status).toBe(200);
    // A period without an operation has the earlier balance.
    server.clock.advance(3 * 86_400_000);
    const again = await server.as("stranger");
    const today = parisDay(server.clock.now());
    const quiet = wordsOf(
      (
        await server.app.inject({
          url: `/api/wallets/${objectID}/statement.pdf?from=${today}&to=${today}`,
          headers: { authorization: `Bearer ${again.token}` },
        })
      ).rawPayload,
    );
    const { balanceCents } = (await walletsOf(again, "stranger"))[0];
    const held = `${Math.floor(balanceCents / 100)},${String(balanceCents % 100).padStart(2, "0")}`;
    expect(quiet).toMatch(/Solde au début[^]*Solde à la fin/);
    expect(quiet.split(held)).toHaveLength(3);
    expect(quiet).toContain("Aucune opération sur cette période.");
  });

  test("statement: says that it stops at 1,000 lines where there are more", async () => {
    server.clock.advance(86_400_000);
    const client = await server.as("stranger");
    const { objectID, accountId } = await mainOf("stranger");
    const at = server.clock.now();
    const day = parisDay(at);
    const move = async (count: number) => {
      const transfers = Array.from({ length: count }, (_, place) => {
        const [debitAccount, creditAccount] = place % 2 ? [accountId, shop] : [shop, accountId];
        return { key: key(), debitAccount, creditAccount, amountCents: 1, kind: "purchase", at };
      });
      await inTx(server.deps.db, (tx) => post(tx, transfers));
    };
    const statement = async () =>
      wordsOf(
        (
          await server.app.inject({
            url: `/api/wallets/${objectID}/statement.pdf?from=${day}&to=${day}`,
            headers: { authorization: `Bearer ${client.token}` },
          })
        ).rawPayload,
      );
    await move(500);
    await move(500);
    expect(await statement()).not.toContain("Choisissez une période plus courte");
    await move(1);
    expect(await statement()).toContain("Choisissez une période plus courte");
  });

  test("CSV: every line, however many", { timeout: 60_000 }, async () => {
    const client = await server.as("stranger");
    const { objectID, accountId } = await mainOf("stranger");
    const path = `/api/wallets/${objectID}/movements.csv`;
    const lines = async () => (await client.get(path)).text.split("\r\n").filter(Boolean);
    const before = (await lines()).length;
    const at = server.clock.now();
    for (let block = 0; block < 21; block += 1) {
      const transfers = Array.from({ length: 500 }, (_, place) => {
        const [debitAccount, creditAccount] = place % 2 ? [accountId, shop] : [shop, accountId];
        return { key: key(), debitAccount, creditAccount, amountCents: 1, kind: "purchase", at };
      });
      await inTx(server.deps.db, (tx) => post(tx, transfers));
    }
    const all = await lines();
    expect(all).toHaveLength(before + 10_500);
    expect(all.filter((line) => line.includes("Solde (€)"))).toHaveLength(1);
  });
});

// proves: others-not-found
test("what is asked at one moment is told to each who may read it, and to nobody else", async () => {
  // The tests above advance the clock by weeks: their sessions are over.
  const [parent, other] = [await server.as("guardian"), await server.as("stranger")];
  const [own, childs, his] = [
    await mainOf("guardian"),
    await mainOf("child"),
    await mainOf("stranger"),
  ];
  await pay(own.id, 125);
  await pay(childs.id, 75);
  const ownPage = (await parent.get(`/api/wallets/${own.objectID}/movements`)).body;
  const childsPage = (await parent.get(`/api/wallets/${childs.objectID}/movements`)).body;
  const hisPage = (await other.get(`/api/wallets/${his.objectID}/movements`)).body;
  expect(ownPage.items[0].amountCents).toBe(-125);
  expect(childsPage.items[0].amountCents).toBe(-75);
  const movements = (client: Client, { objectID }: { objectID: string }) =>
    client.get(`/api/wallets/${objectID}/movements`);
  const list = (client: Client, name: CastName) =>
    client.get(`/api/wallets?cardnumber=${number(name)}`);
  const refusal = { status: 404, body: expect.objectContaining({ code: "not_found" }) };
  const rounds = Array.from({ length: 8 }, async () => {
    const answers = await Promise.all([
      movements(parent, own),
      movements(other, own),
      movements(parent, childs),
      movements(other, childs),
      movements(other, his),
      movements(parent, his),
      movements(parent, { objectID: crypto.randomUUID() }),
      list(parent, "guardian"),
      list(other, "guardian"),
      list(parent, "child"),
      list(other, "stranger"),
    ]);
    const results = answers.map(({ status, body }) => ({ status, body }));
    expect(results.slice(0, 7)).toEqual([
      { status: 200, body: ownPage },
      refusal,
      { status: 200, body: childsPage },
      refusal,
      { status: 200, body: hisPage },
      refusal,
      refusal,
    ]);
    const owners = results.slice(7).map(({ body }) => body.items?.[0].cardnumber ?? body.code);
    expect(owners).toEqual([number("guardian"), "not_found", number("child"), number("stranger")]);
  });
  await Promise.all(rounds);
});
