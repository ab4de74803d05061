// Money that a company grants on its pro cards: written, paid once and up front, spent by lots and groups,
// ended, given back, taken back, read by those who see the company's money; every refusal with the state
// after it. The ledger and the proof of grants agree at the end.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, addMonths, firstOfMonth, instantOfParis, parisDay } from "#contract/days.ts";
import { issueProCards } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { emptyWallets, grant, openWallet, schemeAccount } from "#server/wallet/wallet.ts";
import { expireLots } from "#server/wallet/expiry.ts";
import { closeMonth } from "#server/settlement/close.ts";
import { fecChunks, type FecSums } from "#server/settlement/fec.ts";
import { proveSettlements } from "#server/settlement/verification.ts";
import { approve } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { leaveToSpend } from "#tests/wallet-money.ts";
import { deleteStaleDrafts } from "./drafts.ts";
import { grantCommands } from "./operator.ts";
import { payReturns } from "./returns.ts";
import { proveGrants } from "./verification.ts";
import { warnOfEnds } from "./warnings.ts";
import { runByTwo } from "#tests/two-operators.ts";

let server: TestServer;
let owner: Client;
let shop: Client;
let partner: string;
let company: string;
/** Cards that Awa, Yann and Zoé carry. */
let [awa, yann, zoe]: [number, number, number] = [0, 0, 0];
const groups = { meals: 0, culture: 0 };
const own: number = cast.employer.cardnumber;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number): Promise<number> =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id;
const today = () => parisDay(server.clock.now());
const signIn = async (login: number): Promise<Client> => {
  const answer = await server.anonymous.post("/api/login", { login, password: castPassword });
  expect(answer.status, answer.text).toBe(200);
  return server.withToken(answer.body.token.jeton);
};

beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  // Noon of a tenth: whatever the hour and the day on which the test runs.
  const noon = instantOfParis(addDays(firstOfMonth(parisDay(server.clock.now()), 1), 9), "12:00");
  server.clock.advance(noon.getTime() - server.clock.now().getTime());
  await furnishDirectory(server.deps);
  for (const [name, slug] of [
    ["meals", "restauration"],
    ["culture", "culture"],
  ] as const) {
    groups[name] = (await query("select id from acceptance_group where slug = $1", slug))[0].id;
  }
  partner = (await query("select id from partner where reference = 'librairie-des-embruns'"))[0].id;
  await query("delete from partner_group where partner_id = $1", partner);
  await query(
    "insert into partner_group (partner_id, group_id) values ($1, $2)",
    partner,
    groups.meals,
  );
  company = (
    await query(
      "select company_id as id from company_member where person_id = $1",
      await personOf(own),
    )
  )[0].id;
  const bearers = ["Awa Diallo", "Yann Le Goff", "Zoé Kermarrec"].map((name) => ({
    name,
    email: `${name.slice(0, 3).toLowerCase()}@corail.test`,
    phonenumber: null,
  }));
  const made = await inTx(server.deps.db, (tx) =>
    issueProCards(tx, { companyId: company, count: 3, bearers, at: server.clock.now() }),
  );
  [awa, yann, zoe] = made as [number, number, number];
});
beforeEach(async () => {
  // Past the minute of the rate and of a card's QR.
  server.clock.advance(61_000);
  server.deps.config.codeFromCents = 100_000_000;
  await query("update card set state = 'active', activated_at = now() where number = any ($1)", [
    awa,
    yann,
    zoe,
  ]);
  await query(
    `update person set must_reset = false, disabled_at = null, disabled_why = null, password_hash =
       (select password_hash from person p join card k on k.person_id = p.id where k.number = $2)
     where id in (select person_id from card where number = any ($1))`,
    [awa, yann, zoe],
    own,
  );
  [owner, shop] = await Promise.all([server.as("employer"), server.as("partnerShop")]);
  server.outbox.length = 0;
});
afterAll(async () => {
  const { checks } = await verify(server.deps.db);
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect((await proveGrants(server.deps)).lines).toEqual([expect.stringMatching(/^✓/)]);
  await server.close();
});

const content = (more: Record<string, unknown> = {}) => ({
  idgroup: groups.meals,
  label: "Repas de décembre",
  expiresOn: addDays(today(), 60),
  cards: [
    { cardnumber: awa, amountCents: 4500 },
    { cardnumber: yann, amountCents: 3000 },
  ],
  ...more,
});
const write = (more: Record<string, unknown> = {}, client = owner) =>
  client.post("/api/grants", content(more));
const mainWallet = async (): Promise<{ objectID: string; projectedCents: number }> =>
  (await owner.get(`/api/wallets?cardnumber=${own}`)).body.items[0];
const had = async () => (await mainWallet()).projectedCents;
const fill = async (cents: number) => leaveToSpend(server, (await mainWallet()).objectID, cents);
const pay = async (id: string, totalCents: number, more: object = {}, client = owner) =>
  client.post(`/api/grants/${id}/pay`, {
    method: "wallet",
    objectID: (await mainWallet()).objectID,
    totalCents,
    ...more,
  });
/** A paid grant; answers its id. */
async function granted(more: Record<string, unknown> = {}): Promise<string> {
  const { body, status, text } = await write(more);
  expect(status, text).toBe(201);
  await fill(body.totalCents);
  const paid = await pay(body.id, body.totalCents);
  expect(paid.status, paid.text).toBe(200);
  return body.id;
}
const read = async (id: string, client = owner) => (await client.get(`/api/grants/${id}`)).body;
const lotsOf = async (cardnumber: number) =>
  await query(
    `select w.group_id as group, l.label, l.expires_on::text as until, a.balance::int as cents
     from wallet_lot l join wallet w on w.id = l.wallet_id join ledger_account a on a.id = l.account_id
     where w.person_id = $1 and l.kind = 'granted' and a.balance > 0
     order by l.expires_on, l.account_id`,
    await personOf(cardnumber),
  );
const noticesOf = async (cardnumber: number): Promise<string[]> =>
  (
    await query(
      "select title from notification where person_id = $1 order by id desc",
      await personOf(cardnumber),
    )
  ).map(({ title }) => title);
const spends = async (cardnumber: number, amountCents: number) => {
  // A QR is good for one sale, and another one a minute later.
  server.clock.advance(61_000);
  shop = await server.as("partnerShop");
  const bearer = await signIn(cardnumber);
  const { token } = (await bearer.get(`/api/cards/${cardnumber}/qr`)).body;
  return await shop.post("/api/till/sales", { id: randomUUID(), partner, amountCents, token });
};
/** Spends or ends whatever the cards still have, so that tests do not meet. */
const forgetLots = async () => {
  await query("update wallet_lot set expires_on = '2020-01-01' where kind = 'granted'");
  await expireLots(server.deps);
  await payReturns(server.deps);
};
const goDays = async (days: number) => {
  server.clock.advance(days * 86_400_000);
  owner = await server.as("employer");
};
/** A colleague of the owner with a role. */
async function colleague(role: "accountant" | "cashier" | "owner"): Promise<Client> {
  await query(
    "update company_member set company_id = $1, roles = array[$2] where person_id = $3",
    company,
    role,
    await personOf(cast.canteenProvider.cardnumber),
  );
  return await server.as("canteenProvider");
}

describe("what is chosen from", () => {
  test("active cards that somebody carries, and groups that a partner accepts", async () => {
    await query("update card set state = 'suspended' where number = $1", yann);
    const { body } = await owner.get("/api/grants/choices");
    const numbers = body.cards.map(({ cardnumber }: { cardnumber: number }) => cardnumber);
    expect(numbers).toContain(awa);
    expect(numbers).not.toContain(yann);
    expect(body.groups[0].idgroup).toBe(1);
    expect(body.groups.map(({ idgroup }: any) => idgroup)).toContain(groups.meals);
    await query("update partner set frozen_at = now(), frozen_why = 'x' where listed");
    const { body: frozen } = await owner.get("/api/grants/choices");
    expect(frozen.groups.map(({ idgroup }: any) => idgroup)).toEqual([1]);
    expect((await write()).body.code).toBe("grant_group");
    await query("update partner set frozen_at = null, frozen_why = null");
  });

  test("only an owner chooses; an accountant reads; a cashier sees nothing of it", async () => {
    const accountant = await colleague("accountant");
    expect((await accountant.get("/api/grants/choices")).body.code).toBe("company_role");
    expect((await write({}, accountant)).body.code).toBe("company_role");
    expect((await accountant.get("/api/grants")).body).toMatchObject({ canDecide: false });
    const cashier = await colleague("cashier");
    for (const path of ["", "/cards", "/export.csv", "/choices", `/${randomUUID()}`]) {
      expect((await cashier.get(`/api/grants${path}`)).body.code, path).toBe("company_role");
    }
    const bearer = await signIn(awa);
    expect((await bearer.get("/api/grants")).body.code).toBe("company_missing");
  });
});

describe("a draft", () => {
  test("counts what it costs, grants nothing, and is erased", async () => {
    const { body, status } = await write();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: "draft",
      totalCents: 7500,
      cards: 2,
      leftCents: 0,
      spentCents: 0,
      canDecide: true,
      takeBackUntil: null,
    });
    expect(await lotsOf(awa)).toEqual([]);
    expect((await owner.post(`/api/grants/${body.id}/take-back`)).status).toBe(404);
    expect((await owner.post(`/api/grants/${body.id}/discard`)).status).toBe(200);
    expect((await owner.get(`/api/grants/${body.id}`)).status).toBe(404);
  });

  test("refuses what is not an active card of the company, and writes nothing", async () => {
    const before = (await query("select count(*)::int as n from company_grant"))[0].n;
    const line = (cardnumber: number) => ({ cards: [{ cardnumber, amountCents: 1000 }] });
    expect((await write(line(cast.partnerShop.cardnumber))).body.code).toBe("grant_card");
    expect((await write(line(cast.guardian.cardnumber))).body.code).toBe("grant_card");
    await query("update card set state = 'suspended' where number = $1", awa);
    expect((await write(line(awa))).body.code).toBe("grant_card");
    await query("update pro_card set assigned_at = null where person_id = $1", await personOf(zoe));
    expect((await write(line(zoe))).body.code).toBe("grant_card");
    await query(
      "update pro_card set assigned_at = now() where person_id = $1",
      await personOf(zoe),
    );
    const twice = [
      { cardnumber: yann, amountCents: 1000 },
      { cardnumber: yann, amountCents: 500 },
    ];
    expect((await write({ cards: twice })).body.code).toBe("grant_card_twice");
    expect((await write({ expiresOn: today() })).body.code).toBe("grant_day");
    expect((await write({ expiresOn: addDays(addMonths(today(), 24), 1) })).body.code).toBe(
      "grant_day",
    );
    expect((await write({ idgroup: 999_999 })).body.code).toBe("grant_group");
    expect((await write({ label: " \u202e " })).body.code).toBe("grant_label");
    for (const amountCents of [99, 100_001, 0, -5, 10.5]) {
      const cards = [{ cardnumber: yann, amountCents }];
      expect((await write({ cards })).status, String(amountCents)).toBe(400);
    }
    expect((await write({ cards: [] })).status).toBe(400);
    expect((await query("select count(*)::int as n from company_grant"))[0].n).toBe(before);
  });

  test("is given up after a month, unless its payment is at the bank", async () => {
    const { body: recent } = await write();
    const { body: old } = await write();
    await query(
      "update company_grant set created_at = created_at - interval '31 days' where id = $1",
      old.id,
    );
    await deleteStaleDrafts(server.deps);
    expect((await owner.get(`/api/grants/${old.id}`)).status).toBe(404);
    expect((await owner.get(`/api/grants/${recent.id}`)).status).toBe(200);
  });
});

describe("the file", () => {
  const send = (text: string, encoding: BufferEncoding = "utf8") =>
    owner.post("/api/grants/file", Buffer.from(text, encoding), {
      "content-type": "application/octet-stream",
    });

  test("takes cards and amounts, in the encodings and with the separators of spreadsheets", async () => {
    const { body } = await send(
      `Numéro de carte;Montant;Nom\r\n${awa};45,50;Awa\r\n${String(yann).replace(/(....)/, "$1 ")};30;Yann`,
      "latin1",
    );
    expect(body).toMatchObject({ encoding: "windows-1252", faults: [] });
    expect(body.cards).toEqual([
      { cardnumber: awa, name: "Awa Diallo", amountCents: 4550 },
      { cardnumber: yann, name: "Yann Le Goff", amountCents: 3000 },
    ]);
    expect((await send(`carte,montant\n${zoe},12.00\n`)).body.cards).toHaveLength(1);
    const { body: other } = await send(`carte;montant\n${awa};9€99\n${yann};1\u00a0000,00 €\n`);
    expect(other.cards).toMatchObject([{ amountCents: 999 }, { amountCents: 100_000 }]);
  });

  test("reads empty columns at the end, and numbers with typographic hyphens", async () => {
    const hyphened = String(yann).replace(/(....)(...)/, "$1\u2011$2\u2011");
    const { body } = await send(`N° de carte;Montant;;\n${awa};45;;\n${hyphened};30;;\n`);
    expect(body).toMatchObject({ faults: [], cards: [{ cardnumber: awa }, { cardnumber: yann }] });
  });

  test("tells what is wrong by line, and takes nothing over by half", async () => {
    const { body } = await send(
      `carte;montant\n${awa};45\n${awa};10\n${cast.guardian.cardnumber};10\n${yann};0,50\n${zoe};dix\n${zoe}`,
    );
    expect(body.cards).toEqual([]);
    expect(body.faults.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5, 6, 7]);
    expect(body.faults[0].what).toMatch(/ligne 2/);
    expect(body.faults[1].what).toMatch(/pas une carte active/);
    expect(body.faults[2].what).toMatch(/montant/);
    const { body: unclear } = await send(`carte;montant\n${awa};2 50\n${yann};1,234\n${zoe};-5\n`);
    expect(unclear.cards).toEqual([]);
    expect(unclear.faults).toHaveLength(3);
    expect((await send("carte;montant\n")).body.faults[0].what).toMatch(/aucune carte/);
  });

  test("refuses what is no such file", async () => {
    expect((await send("carte;prix\n1;2")).body.code).toBe("grant_file_columns");
    expect((await send('carte;montant\n"1;2')).body.code).toBe("grant_file_unreadable");
    expect((await send("\u0001\u0002\u0003")).body.code).toBe("grant_file_type");
    expect((await send("%PDF-1.7\n%âãÏÓ\n")).body.code).toBe("grant_file_type");
    const large = `carte;montant\n${"x".repeat(513 * 1024)}`;
    expect((await send(large)).body).toMatchObject({
      code: "document_too_large",
      message: expect.stringContaining("512\u202fko au plus"),
    });
    // Beyond what any file may weigh, the limit that is told is still that of this one.
    expect((await send("x".repeat(6 * 1024 ** 2))).body.message).toContain("512\u202fko au plus");
  });
});

describe("paid", () => {
  test("once, to the cent: each bearer has a lot of the group until its day, and is told", async () => {
    await forgetLots();
    const { body } = await write();
    await fill(10_000);
    const both = await Promise.all([pay(body.id, 7500), pay(body.id, 7500)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await had()).toBe(2500);
    const until = body.expiresOn;
    const label = `Repas de décembre · ${cast.employer.name}`;
    expect(await lotsOf(awa)).toEqual([{ group: groups.meals, label, until, cents: 4500 }]);
    expect(await lotsOf(yann)).toEqual([{ group: groups.meals, label, until, cents: 3000 }]);
    expect(await lotsOf(zoe)).toEqual([]);
    expect((await noticesOf(awa))[0]).toMatch(/Ateliers Corail vous accorde 45,00/);
    expect(server.outbox.some(({ address }) => address === "awa@corail.test")).toBe(true);
    expect((await noticesOf(own))[0]).toBe("Dotation accordée");
    expect((await owner.post(`/api/grants/${body.id}/discard`)).body.code).toBe("grant_closed");
    expect(await read(body.id)).toMatchObject({ state: "granted", leftCents: 7500, spentCents: 0 });
  });

  test("by nobody else, for no other price, and never without the money", async () => {
    const { body } = await write();
    await fill(7499);
    expect((await pay(body.id, 7500)).body.code).toBe("insufficient_funds");
    expect((await pay(body.id, 7400)).body.code).toBe("price_changed");
    const objectID = (await shop.get(`/api/wallets?cardnumber=${cast.partnerShop.cardnumber}`)).body
      .items[0].objectID;
    expect((await pay(body.id, 7500, { objectID }, shop)).status).toBe(404);
    const accountant = await colleague("accountant");
    expect((await pay(body.id, 7500, {}, accountant)).body.code).toBe("company_role");
    await query("update card set state = 'suspended' where number = $1", yann);
    await fill(7500);
    const stopped = await pay(body.id, 7500);
    expect(stopped.body.code).toBe("grant_card");
    expect(stopped.body.message).toContain(
      (await query("select name from person where id = $1", await personOf(yann)))[0].name,
    );
    expect(await read(body.id)).toMatchObject({ state: "draft" });
    expect(await had()).toBe(7500);
  });

  test("above the threshold a code is asked first", async () => {
    server.deps.config.codeFromCents = 5000;
    const { body } = await write();
    await fill(7500);
    const { objectID } = await mainWallet();
    const paid = await approve(server, owner, `/api/grants/${body.id}/pay`, {
      method: "wallet",
      objectID,
      totalCents: 7500,
    });
    expect(paid.status, paid.text).toBe(200);
    expect(await had()).toBe(0);
  });

  test("with the company's own money: an aid is not given on", async () => {
    await fill(1000);
    await inTx(server.deps.db, async (tx) => {
      const wallet = await openWallet(tx, { personId: await personOf(own) });
      const aid = { label: "Aide", expiresOn: addDays(today(), 3), key: randomUUID() };
      await grant(tx, { ...aid, walletId: wallet.id, amountCents: 9000, at: server.clock.now() });
    });
    const { body } = await write();
    const refused = await pay(body.id, 7500);
    expect(refused.body).toMatchObject({
      code: "insufficient_funds",
      details: { missingCents: 6500 },
    });
    expect((await pay(body.id, 7500, { method: "both", cardCents: 6000 })).body.code).toBe(
      "split_changed",
    );
    expect(await lotsOf(own)).toHaveLength(1);
    await forgetLots();
  });

  test("by a bank card: refused it stays a draft; late it is granted to a card suspended since", async () => {
    await forgetLots();
    const press = (url: string, outcome: string) =>
      server.app.inject({
        method: "POST",
        url: new URL(url).pathname,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: `outcome=${outcome}`,
      });
    await server.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.app.server.address() as AddressInfo;
    server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
    const { body } = await write();
    await fill(0);
    const begin = async () =>
      (await pay(body.id, 7500, { method: "provider" })).body.payment as Record<string, string>;
    const first = await begin();
    expect((await read(body.id)).topUp).toBe(first["topUp"]);
    await press(first["paymentUrl"] as string, "declined");
    expect(await read(body.id)).toMatchObject({
      state: "draft",
      topUp: null,
      paymentFailed: expect.stringMatching(/refusé/),
    });
    const second = await begin();
    await query("update card set state = 'suspended' where number = $1", yann);
    await press(second["paymentUrl"] as string, "success");
    expect(await read(body.id)).toMatchObject({ state: "granted", leftCents: 7500 });
    expect(await had()).toBe(0);
  });
});

describe("spent", () => {
  test("where the group is accepted, the nearest day first, then the main wallet", async () => {
    await forgetLots();
    const one = (amountCents: number) => [{ cardnumber: awa, amountCents }];
    const later = await granted({ cards: one(2000), expiresOn: addDays(today(), 90) });
    const sooner = await granted({ cards: one(1000), expiresOn: addDays(today(), 30) });
    const elsewhere = await granted({ cards: one(5000), idgroup: groups.culture });
    expect((await spends(awa, 1500)).body).toMatchObject({ state: "paid" });
    expect(await read(sooner)).toMatchObject({ spentCents: 1000, leftCents: 0 });
    expect(await read(later)).toMatchObject({ spentCents: 500, leftCents: 1500 });
    const refused = await spends(awa, 2500);
    expect(refused.body.code, refused.text).toMatch(/^till_/);
    expect(await read(elsewhere)).toMatchObject({ spentCents: 0, leftCents: 5000 });
    await forgetLots();
  });

  test("the company reads sums by card, and by line in the file, never where", async () => {
    await forgetLots();
    const before = (await owner.get("/api/grants/cards")).body.totals;
    const id = await granted({ expiresOn: addDays(today(), 10), label: "=2+2" });
    await spends(awa, 700);
    owner = await server.as("employer");
    const accountant = await colleague("accountant");
    const { totals, items } = (await accountant.get("/api/grants/cards")).body;
    expect(totals.grantedCents - before.grantedCents).toBe(7500);
    expect(totals).toMatchObject({ leftCents: 6800, soonCents: 6800 });
    expect(totals.grantedCents).toBe(totals.spentCents + totals.leftCents + totals.returnedCents);
    expect(items.find(({ cardnumber }: any) => cardnumber === awa)).toMatchObject({
      leftCents: 3800,
      nextExpiresOn: addDays(today(), 10),
    });
    const file = await accountant.get("/api/grants/export.csv");
    expect(file.headers["content-type"]).toMatch(/text\/csv/);
    expect(file.text).toMatch(/;'=2\+2;.*;Awa Diallo;45,00;7,00;38,00;0,00/);
    expect(file.text).toContain("Dépensé (€);Restant (€);Rendu (€)");
    expect(file.text).not.toMatch(/Librairie/);
    expect((await read(id, accountant)).lines).toEqual([
      {
        cardnumber: awa,
        name: "Awa Diallo",
        amountCents: 4500,
        spentCents: 700,
        leftCents: 3800,
        returnedCents: 0,
      },
      {
        cardnumber: yann,
        name: "Yann Le Goff",
        amountCents: 3000,
        spentCents: 0,
        leftCents: 3000,
        returnedCents: 0,
      },
    ]);
    expect((await read(id, accountant)).takeBackUntil).toBeNull();
    expect((await shop.get(`/api/grants/${id}`)).status).toBe(404);
    await forgetLots();
  });

  test("the list is paged by number, the newest first", async () => {
    const page = (await owner.get("/api/grants?limit=2")).body;
    expect(page.items).toHaveLength(2);
    const next = (await owner.get(`/api/grants?limit=2&before=${page.next}`)).body;
    const numbers = [...page.items, ...next.items].map(({ number }: any) => number as number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe("ended", () => {
  test("told once before, to who has some left; then it goes back to the company, who is told", async () => {
    await forgetLots();
    await warnOfEnds(server.deps);
    const id = await granted({ expiresOn: addDays(today(), 30) });
    await spends(yann, 3000);
    await goDays(15);
    expect(await warnOfEnds(server.deps)).toBe(0);
    await goDays(1);
    server.outbox.length = 0;
    expect(await warnOfEnds(server.deps)).toBe(1);
    expect(await warnOfEnds(server.deps)).toBe(0);
    expect((await noticesOf(awa))[0]).toMatch(/45,00.*à utiliser avant/);
    expect((await noticesOf(yann))[0]).not.toMatch(/à utiliser avant/);
    expect((await noticesOf(own))[0]).toBe("Une dotation finit bientôt");
    expect(server.outbox.map(({ address }) => address)).toEqual(["awa@corail.test"]);
    await fill(0);
    await goDays(15);
    await expireLots(server.deps);
    expect(await read(id)).toMatchObject({ spentCents: 3000, leftCents: 0, returnedCents: 4500 });
    expect((await noticesOf(awa))[0]).toBe("Une aide a expiré");
    expect((await proveGrants(server.deps)).ok).toBe(true);
    expect(await had()).toBe(0);
    expect(await payReturns(server.deps)).toBe(1);
    expect(await payReturns(server.deps)).toBe(0);
    expect(await had()).toBe(4500);
    expect((await noticesOf(own))[0]).toMatch(/45,00.*vous reviennent/);
  });

  test("on its last day it is still spent", async () => {
    await forgetLots();
    const id = await granted({ expiresOn: addDays(today(), 1) });
    await goDays(1);
    await expireLots(server.deps);
    expect((await spends(awa, 4500)).body.state).toBe("paid");
    expect(await read(id)).toMatchObject({ spentCents: 4500, leftCents: 3000 });
    await forgetLots();
  });

  test("what is refunded after its day goes to the company too", async () => {
    await forgetLots();
    const id = await granted({
      expiresOn: addDays(today(), 2),
      cards: [{ cardnumber: awa, amountCents: 1000 }],
    });
    const { body: sale } = await spends(awa, 1000);
    await goDays(3);
    await expireLots(server.deps);
    await fill(0);
    shop = await server.as("partnerShop");
    const back = await shop.post(`/api/till/sales/${sale.id}/refund`, {
      amountCents: 400,
      refundedCents: 0,
    });
    expect(back.status, back.text).toBe(200);
    expect(await lotsOf(awa)).toEqual([]);
    await payReturns(server.deps);
    expect(await read(id)).toMatchObject({ spentCents: 600, returnedCents: 400, leftCents: 0 });
    expect(await had()).toBe(400);
  });

  test("a closed account gives it back", async () => {
    await forgetLots();
    await granted({ cards: [{ cardnumber: zoe, amountCents: 1500 }] });
    await fill(0);
    const personId = await personOf(zoe);
    const at = server.clock.now();
    await inTx(server.deps.db, async (tx) => {
      const to = await schemeAccount(tx, "closures");
      const grants = await schemeAccount(tx, "grants");
      await emptyWallets(tx, { personId, to, grants, key: randomUUID(), at });
    });
    await payReturns(server.deps);
    expect(await had()).toBe(1500);
  });

  // proves: card-of-leaver
  test("closing the card of who leaves gives back at once what is not spent", async () => {
    await forgetLots();
    const bearer = { name: "Gaël Riou", email: null, phonenumber: null };
    const [leaver = 0] = await inTx(server.deps.db, (tx) =>
      issueProCards(tx, { companyId: company, count: 1, bearers: [bearer], at: server.deps.now() }),
    );
    await query("update card set state = 'active', activated_at = now() where number = $1", leaver);
    await granted({ cards: [{ cardnumber: leaver, amountCents: 2000 }] });
    await fill(0);
    const path = `/api/pro-cards/${leaver}`;
    expect((await owner.get(`${path}/closing`)).body).toEqual({ returnedCents: 2000 });
    const closed = await approve(server, owner, `${path}/close`, {});
    expect(closed.body.message).toMatch(/20,00.€ de dotations reviennent/u);
    expect(await lotsOf(leaver)).toEqual([]);
    await payReturns(server.deps);
    expect(await had()).toBe(2000);
    expect(await noticesOf(leaver)).toContain("Votre carte pro est fermée");
    await fill(0);
  });

  test("it goes to another owner once who paid is none, and waits while there is no owner", async () => {
    await forgetLots();
    await granted({
      cards: [{ cardnumber: zoe, amountCents: 900 }],
      expiresOn: addDays(today(), 1),
    });
    await fill(0);
    await goDays(2);
    const me = await personOf(own);
    await query("update company_member set roles = '{accountant}' where person_id = $1", me);
    await colleague("accountant");
    await expireLots(server.deps);
    expect(await payReturns(server.deps)).toBe(0);
    expect((await proveGrants(server.deps)).ok).toBe(true);
    const other = await colleague("owner");
    const balance = async () =>
      (await other.get(`/api/wallets?cardnumber=${cast.canteenProvider.cardnumber}`)).body.items[0]
        .balanceCents;
    const before = await balance();
    expect(await payReturns(server.deps)).toBe(1);
    expect(await balance()).toBe(before + 900);
    expect(await had()).toBe(0);
    await query("update company_member set roles = '{owner}' where person_id = $1", me);
    await colleague("accountant");
  });

  test("what waits for an owner keeps nothing after it waiting", async () => {
    await forgetLots();
    const ends = { expiresOn: addDays(today(), 1) };
    const made = [
      await granted({ ...ends, cards: [{ cardnumber: zoe, amountCents: 900 }] }),
      await granted({ ...ends, cards: [{ cardnumber: yann, amountCents: 900 }] }),
    ];
    await fill(0);
    await goDays(2);
    await expireLots(server.deps);
    // The first of them, in the order in which they are read, is of a company without an owner.
    const first = made.toSorted()[0] ?? "";
    const shopOwner = await personOf(cast.partnerShop.cardnumber);
    const grantOf = "update company_grant set company_id = $2 where id = $1";
    const role = "update company_member set roles = array[$2] where person_id = $1";
    const [{ id: shops }] = await query(
      "select company_id as id from company_member where person_id = $1",
      shopOwner,
    );
    await query(grantOf, first, shops);
    await query(role, shopOwner, "accountant");
    expect(await payReturns(server.deps, { atOnce: 1 })).toBe(1);
    expect(await had()).toBe(900);
    await query(grantOf, first, company);
    await query(role, shopOwner, "owner");
    expect(await payReturns(server.deps)).toBe(1);
    expect(await had()).toBe(1800);
  });
});

describe("the books", () => {
  test("a month with grants is settled, and its file of entries balances, to the cent", async () => {
    await forgetLots();
    const month = firstOfMonth(today()).slice(0, 7);
    const id = await granted();
    await spends(awa, 4500);
    const first = (await query("select min(at) as at from transfer"))[0].at as Date;
    await goDays(32);
    const ahead = firstOfMonth(today()).slice(0, 7);
    for (let on = parisDay(first); on.slice(0, 7) < ahead; on = firstOfMonth(on, 1)) {
      await closeMonth(server.deps, { month: on.slice(0, 7), operator: "alice" });
    }
    expect((await proveSettlements(server.deps)).lines).toEqual([expect.stringMatching(/^✓/)]);
    shop = await server.as("partnerShop");
    const statement = (await shop.get(`/api/settlements/${month}`)).body;
    expect(statement.controlCents).toBe(0);
    expect(await read(id)).toMatchObject({ spentCents: 4500 });
    let [lines, sums]: [string[], FecSums | null] = [[], null];
    for await (const chunk of fecChunks(server.deps.db, Number(month.slice(0, 4)))) {
      lines = [...lines, ...chunk.text.trimEnd().split("\r\n")];
      sums = chunk.sums;
    }
    expect(sums?.debitCents).toBe(sums?.creditCents);
    // A grant pays in exactly what it puts on the cards.
    const passed = lines
      .map((line) => line.split("\t"))
      .filter(
        (cells) => cells[4] === "46742000" && String(cells[9]).startsWith(month.replace("-", "")),
      );
    expect(passed.length).toBeGreaterThan(3);
    const net = passed.reduce((cents, cells) => {
      const amount = (at: number) => Math.round(Number(cells[at]?.replace(",", ".")) * 100);
      return cents + amount(12) - amount(11);
    }, 0);
    expect(net).toBe(0);
    await forgetLots();
  });
});

describe("taken back", () => {
  test("what is not spent, of one card then of all; bearers are told", async () => {
    await forgetLots();
    const id = await granted();
    await spends(awa, 1200);
    owner = await server.as("employer");
    await fill(0);
    const one = await owner.post(`/api/grants/${id}/take-back`, { cardnumber: yann });
    expect(one.body).toMatchObject({
      takenCents: 3000,
      grant: { leftCents: 3300, returnedCents: 3000, spentCents: 1200 },
    });
    expect(await had()).toBe(3000);
    expect((await noticesOf(yann))[0]).toMatch(/Ateliers Corail reprend 30,00/);
    const rest = await owner.post(`/api/grants/${id}/take-back`);
    expect(rest.body).toMatchObject({ takenCents: 3300, grant: { takeBackUntil: null } });
    expect(await had()).toBe(6300);
    expect((await owner.post(`/api/grants/${id}/take-back`)).body.code).toBe("grant_spent");
    expect(await lotsOf(awa)).toEqual([]);
    const stranger = { cardnumber: zoe };
    expect((await owner.post(`/api/grants/${id}/take-back`, stranger)).status).toBe(404);
  });

  test("for 72 hours, by an owner of the company alone", async () => {
    await forgetLots();
    const id = await granted();
    const accountant = await colleague("accountant");
    const path = `/api/grants/${id}/take-back`;
    expect((await accountant.post(path)).body.code).toBe("company_role");
    expect((await shop.post(path)).status).toBe(404);
    await goDays(3);
    expect((await read(id)).takeBackUntil).toBeNull();
    expect((await owner.post(path)).body.code).toBe("grant_final");
    expect(await read(id)).toMatchObject({ leftCents: 7500, returnedCents: 0 });
    await forgetLots();
  });
});

describe("by transfer", () => {
  const operate = (name: string, ...args: string[]) => {
    const command = grantCommands.find((one) => one.name === name);
    return runByTwo(server.deps, command, args);
  };
  const account = async (name: string): Promise<number> =>
    (
      await query(
        `select balance::int as cents from ledger_account a join scheme_account s
           on s.account_id = a.id where s.name = $1`,
        name,
      )
    )[0].cents;
  const byTransfer = (id: string, more: object = {}, client = owner) =>
    client.post(`/api/grants/${id}/transfer`, more);

  test("nothing is on the cards before the money has come; then it is, once", async () => {
    await forgetLots();
    const { body: draft } = await write();
    expect(draft).toMatchObject({ byTransfer: "waits", transfer: null, owedCents: 0 });
    const response = await byTransfer(draft.id);
    expect(response.status, response.text).toBe(200);
    const { transfer } = response.body;
    expect(response.body).toMatchObject({ state: "awaiting", owedCents: 7500, leftCents: 0 });
    expect(transfer).toMatchObject({ until: draft.expiresOn, iban: expect.any(String) });
    expect(transfer.reference).toMatch(/^RF\d\dD\d{6}$/);
    expect((await byTransfer(draft.id)).body.transfer.reference).toBe(transfer.reference);
    expect(await lotsOf(awa)).toEqual([]);
    expect((await noticesOf(own))[0]).toBe("Dotation à régler par virement");
    expect((await operate("grants transfers")).lines.join()).toContain(transfer.reference);

    // Neither paid twice nor erased while the transfer is on its way.
    await fill(10_000);
    expect((await pay(draft.id, 7500)).body.code).toBe("grant_awaiting");
    expect((await owner.post(`/api/grants/${draft.id}/discard`)).body.code).toBe("grant_awaiting");
    expect((await operate("grants transfer-received", transfer.reference, "74,99", "V1")).ok).toBe(
      false,
    );
    expect((await operate("grants transfer-received", "RF00D000000", "75", "V1")).ok).toBe(false);
    expect(await lotsOf(awa)).toEqual([]);

    const bank = await account("bank");
    const command = grantCommands.find(({ name }) => name === "grants transfer-received");
    const tried = await command?.run(server.deps, [transfer.reference, "75", "V1"], "alice");
    expect(tried?.lines.join()).toContain("Rien n'est fait");
    expect(await lotsOf(awa)).toEqual([]);
    const spaced = transfer.reference.replaceAll(/(.{4})/g, "$1 ").toLowerCase();
    for (const again of [/^75,00 € notés/, /déjà noté/]) {
      const { ok, lines } = await operate("grants transfer-received", spaced, "75", "V1");
      expect(lines.join().replaceAll(/\s/g, " ")).toMatch(again);
      expect(ok).toBe(true);
    }
    expect((await operate("grants transfer-received", spaced, "75", "V2")).ok).toBe(false);
    expect(await account("bank")).toBe(bank - 7500);
    expect(await account("company_grants")).toBe(0);
    expect(await had()).toBe(10_000);
    expect((await lotsOf(awa)).map(({ cents }) => cents)).toEqual([4500]);
    const done = await read(draft.id);
    expect(done).toMatchObject({ state: "granted", owedCents: 0, transfer: null, leftCents: 7500 });
    expect((await noticesOf(awa))[0]).toMatch(/vous accorde 45,00/);
    const trail = await query(
      "select actor from audit where action = 'grant.give' order by id desc limit 1",
    );
    expect(trail[0].actor).toBe("operator:bob");
    expect((await owner.post(`/api/grants/${draft.id}/transfer/cancel`)).body.code).toBe(
      "grant_closed",
    );
    await forgetLots();
  });

  test("is given up to pay otherwise, and its reference is then nobody's", async () => {
    await forgetLots();
    const { body: draft } = await write();
    expect((await owner.post(`/api/grants/${draft.id}/transfer/cancel`)).body.code).toBe(
      "grant_no_transfer",
    );
    await fill(0);
    await pay(draft.id, 7500, { method: "provider" });
    await query("update top_up set state = 'declined' where order_id = $1", draft.id);
    expect((await read(draft.id)).paymentFailed).toMatch(/refusé/);
    const { reference } = (await byTransfer(draft.id)).body.transfer;
    expect((await read(draft.id)).paymentFailed).toBeNull();
    server.clock.advance(1000);
    const back = await owner.post(`/api/grants/${draft.id}/transfer/cancel`);
    expect(back.body).toMatchObject({ state: "draft", transfer: null, byTransfer: "waits" });
    // A card was refused before the transfer: its failure is not shown any more.
    expect(back.body.paymentFailed).toBeNull();
    expect((await operate("grants transfer-received", reference, "75", "V3")).ok).toBe(false);
    await fill(7500);
    expect((await pay(draft.id, 7500)).status).toBe(200);
    expect((await lotsOf(awa)).map(({ cents }) => cents)).toEqual([4500]);
    await forgetLots();
  });

  test("a transfer that comes when nobody could spend it is refused to the operator, and books nothing", async () => {
    const { body: draft } = await write({ expiresOn: addDays(today(), 2) });
    const { reference } = (await byTransfer(draft.id)).body.transfer;
    await goDays(3);
    const bank = await account("bank");
    expect((await operate("grants transfer-received", reference, "75", "V4")).ok).toBe(false);
    expect(await account("bank")).toBe(bank);
    await deleteStaleDrafts(server.deps);
    expect((await owner.get(`/api/grants/${draft.id}`)).status).toBe(404);
    expect((await noticesOf(own))[0]).toBe("Dotation abandonnée");
  });

  test("on credit the cards are paid at once with a code, and the transfer settles the debt", async () => {
    await forgetLots();
    expect((await operate("grants credit", String(own), "100")).lines.join()).toContain("100,00");
    const { body: draft } = await write();
    const { body: next } = await write();
    expect(draft.byTransfer).toBe("credit");
    server.deps.config.codeFromCents = 5000;
    const [lent, companyGrants] = [await account("grant_credits"), await account("company_grants")];
    expect((await byTransfer(draft.id)).body.code).toBe("code_required");
    expect(await lotsOf(awa)).toEqual([]);
    const onCredit = await approve(server, owner, `/api/grants/${draft.id}/transfer`, {});
    expect(onCredit.status, onCredit.text).toBe(200);
    expect(onCredit.body).toMatchObject({ state: "granted", owedCents: 7500, leftCents: 7500 });
    expect(onCredit.body.transfer.until).toBe(addDays(today(), 30));
    expect(await account("grant_credits")).toBe(lent - 7500);
    expect(await account("company_grants")).toBe(companyGrants);
    expect((await lotsOf(awa)).map(({ cents }) => cents)).toEqual([4500]);
    // The credit is used up: the next one waits for its transfer.
    expect(await read(next.id)).toMatchObject({ byTransfer: "waits" });
    expect((await byTransfer(next.id)).body).toMatchObject({ state: "awaiting", leftCents: 0 });
    expect((await proveGrants(server.deps)).ok).toBe(true);

    const { reference } = onCredit.body.transfer;
    const { ok } = await operate("grants transfer-received", reference, "75,00", "V5");
    expect(ok).toBe(true);
    expect(await account("grant_credits")).toBe(lent);
    expect(await read(draft.id)).toMatchObject({ owedCents: 0, transfer: null, leftCents: 7500 });
    expect((await noticesOf(own))[0]).toBe("Virement reçu");
    await operate("grants credit", String(own), "0");
    await owner.post(`/api/grants/${next.id}/transfer/cancel`);
    await forgetLots();
  });

  /** A grant on the cards whose transfer has not come. */
  async function grantOnCredit(more: Record<string, unknown> = {}): Promise<string> {
    await operate("grants credit", String(own), "100");
    const { body: draft } = await write(more);
    const { body } = await byTransfer(draft.id);
    expect(body).toMatchObject({ state: "granted", owedCents: draft.totalCents });
    return draft.id;
  }
  const lastWords = async (): Promise<string> =>
    (
      await query(
        "select body from notification where person_id = $1 order by id desc limit 1",
        await personOf(own),
      )
    )[0].body.replaceAll(/\s/g, " ");

  test("what is taken back before the transfer has come is owed no more, and nobody's money", async () => {
    await forgetLots();
    await fill(0);
    const [owed, companyGrants] = [await account("grant_credits"), await account("company_grants")];
    const id = await grantOnCredit();
    await spends(awa, 1200);
    owner = await server.as("employer");
    const one = await owner.post(`/api/grants/${id}/take-back`, { cardnumber: yann });
    expect(one.body).toMatchObject({
      takenCents: 3000,
      grant: { owedCents: 4500, returnedCents: 3000, leftCents: 3300 },
    });
    expect(await lastWords()).toContain(
      `Il reste 45,00 € à virer avec la référence ${one.body.grant.transfer.reference}.`,
    );
    const rest = await owner.post(`/api/grants/${id}/take-back`);
    expect(rest.body).toMatchObject({
      takenCents: 3300,
      grant: { owedCents: 1200, spentCents: 1200, returnedCents: 6300 },
    });
    expect(await had()).toBe(0);
    expect(await account("grant_credits")).toBe(owed - 1200);
    expect(await account("company_grants")).toBe(companyGrants);
    expect((await proveGrants(server.deps)).ok).toBe(true);
    // Spent money stays owed, counts in the credit, and is what the transfer must bring.
    expect((await operate("grants credit", String(own))).lines.join()).toContain("reste 88,00");
    const { reference } = rest.body.grant.transfer;
    expect((await operate("grants transfer-received", reference, "75", "V6")).ok).toBe(false);
    expect((await operate("grants transfer-received", reference, "12", "V6")).ok).toBe(true);
    expect(await account("grant_credits")).toBe(owed);
    expect(await read(id)).toMatchObject({ owedCents: 0, transfer: null });
    expect((await proveGrants(server.deps)).ok).toBe(true);
    await operate("grants credit", String(own), "0");
  });

  test("what ends unspent before the transfer has come settles the debt, and no transfer is expected", async () => {
    await forgetLots();
    await fill(0);
    const owed = await account("grant_credits");
    const id = await grantOnCredit();
    const { reference } = (await read(id)).transfer;
    await forgetLots();
    expect(await had()).toBe(0);
    expect(await account("grant_credits")).toBe(owed);
    expect(await read(id)).toMatchObject({ owedCents: 0, transfer: null, returnedCents: 7500 });
    expect(await lastWords()).toContain("ne sont plus dus. Plus rien n'est dû.");
    expect((await operate("grants transfers")).lines.join()).not.toContain(reference);
    expect((await operate("grants transfer-received", reference, "75", "V7")).ok).toBe(false);
    expect(await account("grant_credits")).toBe(owed);
    expect((await owner.get(`/api/grants/${id}/request.pdf`)).status).toBe(404);
    expect((await proveGrants(server.deps)).ok).toBe(true);
    await operate("grants credit", String(own), "0");
  });

  test("the call for funds says what to transfer, that it is no invoice, and nothing to a stranger", async () => {
    const { body: draft } = await write();
    expect((await owner.get(`/api/grants/${draft.id}/request.pdf`)).status).toBe(404);
    const { reference } = (await byTransfer(draft.id)).body.transfer;
    const answer = await server.app.inject({
      url: `/api/grants/${draft.id}/request.pdf`,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(answer.statusCode).toBe(200);
    const words = wordsOf(answer.rawPayload);
    expect(words).toContain(reference);
    expect(words).toContain("pas une facture");
    const accountant = await colleague("accountant");
    expect((await accountant.get(`/api/grants/${draft.id}/request.pdf`)).status).toBe(200);
    expect((await byTransfer(draft.id, {}, accountant)).body.code).toBe("company_role");
    const cashier = await colleague("cashier");
    expect((await cashier.get(`/api/grants/${draft.id}/request.pdf`)).body.code).toBe(
      "company_role",
    );
    expect((await shop.get(`/api/grants/${draft.id}/request.pdf`)).status).toBe(404);
    await owner.post(`/api/grants/${draft.id}/transfer/cancel`);
  });
});

test("a draft sent again under its id takes the place of the first; never of another's, nor of a paid one", async () => {
  const draft = randomUUID();
  const count = async () =>
    (await query("select count(*)::int as n from company_grant where label like 'Encore%'"))[0].n;
  expect((await write({ draft, label: "Encore" })).body.id).toBe(draft);
  const both = await Promise.all(
    ["Encore une fois", "Encore deux fois"].map((label) => write({ draft, label })),
  );
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(await count()).toBe(1);
  expect((await write({ draft }, shop)).status).not.toBe(201);
  const { body } = await owner.get(`/api/grants/${draft}`);
  await fill(body.totalCents);
  expect((await pay(draft, body.totalCents)).status).toBe(200);
  expect((await write({ draft, label: "Encore" })).body.code).toBe("grant_closed");
  expect(await count()).toBe(1);
});
