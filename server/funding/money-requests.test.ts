// A child's requests for money over HTTP: asked once at a time, answered once, by a guardian of that child alone,
// with the transfer and the answer in one transaction.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { verify } from "#server/ledger/ledger.ts";
import { freezeWallet } from "#server/wallet/wallet.ts";
import { inTx } from "#server/db/db.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { refusedAsTieEnds, tieAgain, untie } from "#tests/family-ties.ts";
import { type Answered, type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { fundingTasks } from "./funding.ts";

let server: TestServer;
let leo: Client;
let camille: Client;
let thomas: Client;
beforeAll(async () => {
  server = await openTestServer();
  [leo, camille, thomas] = await Promise.all([
    server.as("child"),
    server.as("guardian"),
    server.as("coGuardian"),
  ]);
});
beforeEach(async () => {
  server.deps.config.codeFromCents = 1_000_000;
  server.deps.config.walletCapCents = 1_000_000;
  await server.deps.db.deleteFrom("limiter").execute();
  await query("delete from money_request");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await server.owner.pool.query(text, values)).rows;
const numberOf = (name: CastName) => cast[name].cardnumber;
const requestsOf = async (client: Client, name: CastName = "child") =>
  (await client.get(`/api/money-requests?cardnumber=${numberOf(name)}`)).body;
const ask = (body: object = { amountCents: 1000, words: "Pour le cinéma" }, who = leo) =>
  who.post("/api/money-requests", body);
const openRequest = async (): Promise<string> => {
  const answer = await ask();
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
};
const send = (who: Client, id: string, amountCents = 1000) =>
  who.post(`/api/money-requests/${id}/send`, { amountCents });
const refuse = (who: Client, id: string, body: object = {}) =>
  who.post(`/api/money-requests/${id}/refuse`, body);
const withdraw = (who: Client, id: string) => who.post(`/api/money-requests/${id}/withdraw`);
const outcome = ({ status, body }: Answered<any>) => [status, body.code];

/** What the main wallets of those people hold, in cents. */
const balances = async (...names: CastName[]): Promise<number[]> => {
  const rows = await query(
    `select c.number, sum(a.balance)::int as cents from card c
     join wallet w on w.person_id = c.person_id and w.group_id = 1
     join wallet_lot l on l.wallet_id = w.id join ledger_account a on a.id = l.account_id
     where c.number = any ($1) group by c.number`,
    names.map(numberOf),
  );
  return names.map((name) => rows.find((row) => Number(row.number) === numberOf(name))?.cents);
};
const transfers = async (): Promise<number> =>
  (await query("select count(*)::int as count from wallet_transfer"))[0].count;
const toDosOf = async (client: Client, name: CastName) =>
  (await client.get(`/api/home?cardnumber=${numberOf(name)}`)).body.toDos.filter(
    ({ kind }: { kind: string }) => kind === "money_request",
  );
const noticesOf = async (client: Client) =>
  (await client.get("/api/notifications?limit=50")).body.items.map(
    ({ title, path }: { title: string; path: string }) => `${title} ${path}`,
  );

/** Makes a call that must be refused, and proves that no money moved and the request is as it was. */
async function refused(make: () => Promise<Answered<any>>, status: number, code: string) {
  const seen = async () => [await query("select * from money_request"), await transfers()];
  const before = await seen();
  const answer = await make();
  expect(outcome(answer), answer.text).toEqual([status, code]);
  expect(await seen()).toEqual(before);
}

describe("asking", () => {
  // proves: money-request
  test("all guardians are told on the portal and by e-mail, and find it on their home page", async () => {
    const mails = server.outbox.length;
    const id = await openRequest();
    const path = `/family/${numberOf("child")}#demande-${id}`;
    for (const [client, name] of [
      [camille, "guardian"],
      [thomas, "coGuardian"],
    ] as const) {
      expect(await noticesOf(client)).toContain(`Léo demande 10,00\u202f€ ${path}`);
      expect(await toDosOf(client, name)).toMatchObject([
        { id, what: "1000 Pour le cinéma", name: "Léo Moreau", own: false, path },
      ]);
      const { items } = await requestsOf(client);
      expect(items).toMatchObject([{ id, state: "open", words: "Pour le cinéma" }]);
    }
    const letters = server.outbox.slice(mails);
    expect(letters.map(({ channel }) => channel)).toEqual(["email", "email"]);
    const addresses = new Set(letters.map(({ address }) => address));
    expect(addresses).toEqual(new Set([cast.guardian.email, cast.coGuardian.email]));
    expect(letters[0]?.body).toContain(path);
    expect(await toDosOf(leo, "child")).toEqual([]);
    const own = await requestsOf(leo);
    expect(own.guardians).toEqual(["Camille Moreau", "Thomas Moreau"]);
    expect(own.items).toMatchObject([{ id, state: "open", amountCents: 1000, endedAt: null }]);
  });

  test("a guardian who switched the e-mails off is told on the portal alone", async () => {
    const kind = { kind: "money_request", channel: "email" };
    await camille.post("/api/notifications/choices", { ...kind, enabled: false });
    const mails = server.outbox.length;
    await openRequest();
    const sentTo = server.outbox.slice(mails).map(({ address }) => address);
    expect(sentTo).toEqual([cast.coGuardian.email]);
    await camille.post("/api/notifications/choices", { ...kind, enabled: true });
  });

  test("one at a time, of two at once too; another one once it is taken back", async () => {
    const both = await Promise.all([ask(), ask()]);
    expect(new Set(both.map((one) => outcome(one).join(" ")))).toEqual(
      new Set(["201 ", "409 money_request_waiting"]),
    );
    const id = both.find(({ status }) => status === 201)?.body.id;
    expect((await withdraw(leo, id)).body).toMatchObject({ id, state: "withdrawn" });
    expect((await withdraw(leo, id)).body).toMatchObject({ id, state: "withdrawn" });
    expect(await toDosOf(camille, "guardian")).toEqual([]);
    await refused(() => send(camille, id), 409, "money_request_withdrawn");
    await openRequest();
  });

  test("refused: an adult, an address in the words, an amount out of bounds, a full or frozen wallet", async () => {
    await refused(() => ask(undefined, camille), 403, "money_request_adult");
    for (const words of ["Va sur exemple.fr", "Appelle le 06 12 34 56 78", "leo@exemple"]) {
      await refused(() => ask({ amountCents: 1000, words }), 422, "money_request_words");
    }
    for (const amountCents of [99, 20_001]) {
      await refused(() => ask({ amountCents }), 422, "money_request_amount");
    }
    expect((await ask({ amountCents: 1000, words: "x".repeat(141) })).status).toBe(400);
    const [cents = 0] = await balances("child");
    server.deps.config.walletCapCents = cents + 999;
    const full = await ask();
    expect(outcome(full)).toEqual([422, "wallet_cap"]);
    expect(full.body.message).toContain("au plus 9,99\u202f€");
    server.deps.config.walletCapCents = 1_000_000;
    const [{ id }] = await query(
      "select w.id from wallet w join card using (person_id) where number = $1 and group_id = 1",
      numberOf("child"),
    );
    const at = server.clock.now();
    await inTx(server.deps.db, (tx) => freezeWallet(tx, Number(id), { why: "test", at }));
    await refused(() => ask(), 409, "wallet_frozen");
    await query("update wallet set frozen_at = null, frozen_why = null where id = $1", id);
  });
});

describe("answering", () => {
  // proves: money-request
  test("sent once: the money, the answer, the notice, and nothing left for the other guardian", async () => {
    const id = await openRequest();
    const before = await balances("guardian", "child", "coGuardian");
    const made = await transfers();
    const answer = await send(camille, id);
    expect(answer.status, answer.text).toBe(200);
    const [mine = 0, his = 0, other = 0] = before;
    const after = [mine - 1000, his + 1000, other];
    expect(await balances("guardian", "child", "coGuardian")).toEqual(after);
    expect(answer.body).toMatchObject({ amountCents: 1000, balanceCents: mine - 1000 });
    expect((await camille.get(`/api/transfers/${answer.body.transfer}`)).body).toMatchObject({
      amountCents: 1000,
      toCardnumber: numberOf("child"),
    });
    expect((await requestsOf(leo)).items).toMatchObject([
      { id, state: "sent", sentCents: 1000, answeredBy: "Camille Moreau" },
    ]);
    expect(await noticesOf(leo)).toContain("Argent reçu /cagnottes/demander");
    expect(await toDosOf(thomas, "coGuardian")).toEqual([]);
    expect((await requestsOf(thomas)).items).toEqual([]);
    // The same press again is the first outcome; any other answer comes too late.
    expect((await send(camille, id)).body).toEqual(answer.body);
    expect(await transfers()).toBe(made + 1);
    await refused(() => send(camille, id, 1100), 409, "money_request_answered");
    await refused(() => send(thomas, id), 409, "money_request_answered");
    await refused(() => refuse(thomas, id), 409, "money_request_answered");
    await refused(() => withdraw(leo, id), 409, "money_request_answered");
    expect(await balances("guardian", "child", "coGuardian")).toEqual(after);
  });

  test("another amount is sent, and said", async () => {
    const id = await openRequest();
    expect((await send(camille, id, 700)).status).toBe(200);
    expect((await requestsOf(leo)).items).toMatchObject([
      { amountCents: 1000, sentCents: 700, state: "sent" },
    ]);
  });

  // proves: money-request
  test("both guardians at once, each pressing twice: one transfer", async () => {
    for (let round = 0; round < 4; round++) {
      const id = await openRequest();
      const [his = 0] = await balances("child");
      const made = await transfers();
      const presses = [camille, thomas, camille, thomas].map((who) => send(who, id, 100));
      const answers = await Promise.all(presses);
      expect(await transfers()).toBe(made + 1);
      expect(await balances("child")).toEqual([his + 100]);
      const done = answers.filter(({ status }) => status === 200);
      expect(new Set(done.map(({ body }) => body.transfer)).size).toBe(1);
      const late = answers.filter(({ status }) => status !== 200).map(outcome);
      expect(late).toEqual(late.map(() => [409, "money_request_answered"]));
      expect(done.length).toBe(2);
    }
  });

  test("refused with words, once: the child reads them, no money moves", async () => {
    const id = await openRequest();
    const made = await transfers();
    await refused(
      () => refuse(thomas, id, { words: "www.exemple.fr" }),
      422,
      "money_request_words",
    );
    expect((await refuse(thomas, id, { words: "Pas cette semaine" })).status).toBe(200);
    expect((await refuse(thomas, id)).status).toBe(200);
    expect((await requestsOf(leo)).items).toMatchObject([
      { state: "refused", answeredBy: "Thomas Moreau", answerWords: "Pas cette semaine" },
    ]);
    expect(await noticesOf(leo)).toContain("Demande refusée /cagnottes/demander");
    await refused(() => send(camille, id), 409, "money_request_answered");
    expect(await transfers()).toBe(made);
  });

  test("too little money: refused with what there is; the request still waits", async () => {
    const id = await openRequest();
    const [mine = 0] = await balances("coGuardian");
    await refused(() => send(thomas, id, mine + 1), 409, "insufficient_funds");
    expect(await toDosOf(thomas, "coGuardian")).toMatchObject([{ id }]);
  });

  test("from the threshold on a code, and none for what would be refused anyway", async () => {
    const id = await openRequest();
    server.deps.config.codeFromCents = 1000;
    const sms = server.outbox.length;
    await refused(() => send(thomas, id, 900_000), 409, "insufficient_funds");
    expect(server.outbox.length).toBe(sms);
    await refused(() => send(camille, id), 403, "code_required");
    const path = `/api/money-requests/${id}/send`;
    expect((await approve(server, camille, path, { amountCents: 1000 })).status).toBe(200);
    expect((await requestsOf(leo)).items).toMatchObject([{ state: "sent" }]);
  });

  test("a wallet that filled up meanwhile says so, and the request still waits", async () => {
    const id = await openRequest();
    const [his = 0] = await balances("child");
    server.deps.config.walletCapCents = his + 500;
    await refused(() => send(camille, id), 422, "wallet_cap");
    expect((await send(camille, id, 500)).status).toBe(200);
  });
});

describe("who may", () => {
  // proves: money-request
  test("the child itself, a stranger, and who is a guardian no more: not found", async () => {
    const id = await openRequest();
    const stranger = await server.as("stranger");
    for (const who of [leo, stranger]) {
      await refused(() => send(who, id), 404, "not_found");
      await refused(() => refuse(who, id), 404, "not_found");
    }
    for (const who of [stranger, camille, thomas]) {
      await refused(() => withdraw(who, id), 404, "not_found");
    }
    await untie(server.owner.pool, "coGuardian", "child");
    await refused(() => send(thomas, id), 404, "not_found");
    await refused(() => refuse(thomas, id), 404, "not_found");
    const number = numberOf("child");
    expect((await thomas.get(`/api/money-requests?cardnumber=${number}`)).status).toBe(404);
    expect(await toDosOf(thomas, "coGuardian")).toEqual([]);
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  test("a guardianship that ends while the call waits: not found, nothing sent", async () => {
    const id = await openRequest();
    const made = await transfers();
    for (const call of [() => send(thomas, id), () => refuse(thomas, id)]) {
      expect(await refusedAsTieEnds(server, "coGuardian", "child", call)).toEqual([
        404,
        "not_found",
      ]);
    }
    expect(await transfers()).toBe(made);
    expect((await requestsOf(leo)).items).toMatchObject([{ state: "open" }]);
  });

  test("a guardian of another child of the family reads nothing of this one", async () => {
    await openRequest();
    const jade = await server.as("secondChild");
    expect((await requestsOf(jade, "secondChild")).items).toEqual([]);
    const number = numberOf("child");
    expect((await jade.get(`/api/money-requests?cardnumber=${number}`)).status).toBe(404);
  });
});

describe("ends without an answer", () => {
  const states = async () =>
    (await query("select state from money_request")).map(({ state }) => state);

  test("after seven days, before and after the job: told once, and another one may be made", async () => {
    const id = await openRequest();
    await query("update money_request set expires_at = now() - interval '1 minute'");
    expect((await requestsOf(leo)).items).toMatchObject([{ state: "expired" }]);
    expect(await toDosOf(camille, "guardian")).toEqual([]);
    await refused(() => send(camille, id), 410, "money_request_expired");
    await fundingTasks(server.deps).end_money_requests();
    await fundingTasks(server.deps).end_money_requests();
    expect(await states()).toEqual(["expired"]);
    const titles: string[] = await noticesOf(leo);
    expect(titles.filter((title) => title.startsWith("Demande sans réponse"))).toHaveLength(1);
    await query("update money_request set state = 'open', ended_at = null");
    await openRequest();
    expect(new Set(await states())).toEqual(new Set(["expired", "open"]));
  });

  test("a suspended card: nobody sends until it is resumed", async () => {
    const id = await openRequest();
    await query("update card set state = 'suspended' where number = $1", numberOf("child"));
    await refused(() => send(camille, id), 409, "card_suspended");
    expect(await toDosOf(camille, "guardian")).toEqual([]);
    await refused(() => ask(), 409, "card_suspended");
    await query("update card set state = 'active' where number = $1", numberOf("child"));
    expect((await send(camille, id)).status).toBe(200);
  });

  test("the day of the 18th birthday: no guardian finds it, and the job ends it", async () => {
    const id = await openRequest();
    const [{ born }] = await query(
      "select born_on::text as born from person join card c on c.person_id = person.id where number = $1",
      numberOf("child"),
    );
    const bornOn = (day: string) =>
      query(
        "update person p set born_on = $1 from card c where c.person_id = p.id and c.number = $2",
        day,
        numberOf("child"),
      );
    await bornOn(addDays(parisDay(server.clock.now()), -19 * 366));
    await refused(() => send(camille, id), 404, "not_found");
    expect((await requestsOf(leo)).items).toMatchObject([{ state: "ended" }]);
    await fundingTasks(server.deps).end_money_requests();
    expect(await states()).toEqual(["ended"]);
    await bornOn(born);
  });

  test("an opposition ends it at once", async () => {
    const id = await openRequest();
    const reason = { reason: "lost" };
    const opposed = await camille.post(`/api/cards/${numberOf("child")}/oppose`, reason);
    expect(opposed.status, opposed.text).toBe(200);
    expect(await states()).toEqual(["ended"]);
    await refused(() => send(camille, id), 410, "money_request_ended");
  });
});
