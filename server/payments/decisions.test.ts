// Operator decisions on money that waits: a dispute that ended, a top-up under review, parked events.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf } from "#contract/reference.ts";
import { inTx } from "#server/db/db.ts";
import { reverseGroup, verify } from "#server/ledger/ledger.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { wallet as walletRoom } from "#server/wallet/room.ts";
import { cast } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { type PlayedSession, type PlayedStripe, playStripe } from "#tests/stripe-api.ts";
import { payments } from "./room.ts";
import type { CommandResult, OperatorCommand } from "#server/process/room.ts";
import { runByTwo } from "#tests/two-operators.ts";

let played: PlayedStripe;
let server: TestServer;
let guardian: Client;
let wallet: { id: number; objectID: string };

beforeAll(async () => {
  played = await playStripe();
  const { secretKey, webhookSecret, url: apiUrl } = played;
  server = await openTestServer({
    payments: "stripe",
    stripe: { secretKey, webhookSecret, apiUrl },
    publicUrl: "https://carte.exemple.fr",
    walletCapCents: 10_000_000,
  });
  guardian = await server.as("guardian");
  wallet = await one(
    `select w.id, w.object_id as "objectID" from wallet w join card c on c.person_id = w.person_id
      where c.number = $1`,
    [cast.guardian.cardnumber],
  );
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
  await played.close();
});

async function one<T>(text: string, values: unknown[] = []): Promise<T> {
  return (await server.deps.pool.query(text, values)).rows[0] as T;
}
const state = async () =>
  await one<{ cents: number; frozen: boolean }>(
    `select sum(a.balance)::int as cents, w.frozen_at is not null as frozen
      from wallet w join wallet_lot l on l.wallet_id = w.id
      join ledger_account a on a.id = l.account_id where w.id = $1 group by w.id`,
    [wallet.id],
  );
const scheme = async (name: string) =>
  (
    await one<{ cents: number }>(
      `select balance::int as cents from ledger_account a join scheme_account s on s.account_id = a.id
        where s.name = $1`,
      [name],
    )
  ).cents;
const outcomeOf = async (id: string) =>
  (await one<{ outcome: string }>("select outcome from payment_event where event_id = $1", [id]))
    .outcome;
const seen = async (id: string) => (await guardian.get(`/api/top-ups/${id}`)).body;
const path = () => `/api/wallets/${wallet.objectID}/top-ups`;

const textOf = ({ ok, lines }: CommandResult) => ({
  ok,
  text: lines.join("\n").replaceAll(/[\u202f\u00a0]/g, " "),
});
const commandOf = (name: string): OperatorCommand => {
  const known = [...(payments.commands ?? []), ...(walletRoom.commands ?? [])];
  const command = known.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return command;
};
const operateAs = async (account: string, name: string, ...args: string[]) =>
  textOf(await commandOf(name).run(server.deps, args, account));
const operate = (name: string, ...args: string[]) => operateAs("awa", name, ...args);
const operateByTwo = async (name: string, ...args: string[]) =>
  textOf(await runByTwo(server.deps, commandOf(name), args));

async function hear(type: string, object: unknown): Promise<string> {
  const event = played.event(type, object);
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/payments/stripe/webhooks",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": played.signature(event.body, server.clock.now()),
    },
    payload: event.body,
  });
  expect(answer.statusCode).toBe(200);
  return event.id;
}
/** Paid at Stripe, as much as was asked or not. */
async function paid(amountCents: number, paidCents = amountCents) {
  const { status, body } = await guardian.post(path(), { amountCents });
  expect(status).toBe(201);
  const session = [...played.sessions.values()].find(
    (candidate) => candidate.client_reference_id === body.id,
  );
  if (!session) throw new Error("no session was opened");
  const change = { amount_total: paidCents };
  await hear("checkout.session.completed", played.pay(session.id, change));
  return { id: body.id as string, session };
}
const disputeOf = ({ payment_intent }: PlayedSession, amount: number) => ({
  id: `dp_${payment_intent}`,
  payment_intent,
  amount,
  currency: "eur",
});
/** Spends all but so much of the wallet. */
async function spendBut(leftCents: number) {
  const { cents } = await state();
  await inTx(server.deps.db, async (tx) => {
    const [to, at] = [await schemeAccount(tx, "purchases"), server.clock.now()];
    const order = { walletId: wallet.id, amountCents: cents - leftCents, to, at };
    return spend(tx, { ...order, kind: "purchase", key: randomUUID() });
  });
}

test("a won dispute: shown, then the debt is paid, the wallet filled and let free, once", async () => {
  const { id, session } = await paid(2_000);
  await spendBut(1_500);
  const disputes = await scheme("disputes");
  await hear("charge.dispute.created", disputeOf(session, 2_000));
  expect(await scheme("disputes")).toBe(disputes - 500);
  const won = await hear("charge.dispute.funds_reinstated", disputeOf(session, 2_000));
  const preview = await operate("payments reinstate", id);
  expect(preview.text).toMatch(/20,00.*15,00 € reviennent à la cagnotte, 5,00/);
  expect(await state()).toEqual({ cents: 0, frozen: true });
  expect((await operateByTwo("payments reinstate", id, " ")).ok).toBe(false);
  expect((await operateByTwo("payments reinstate", id, "litige gagné")).ok).toBe(true);
  expect(await state()).toEqual({ cents: 1_500, frozen: false });
  expect(await scheme("disputes")).toBe(disputes);
  expect((await seen(id)).state).toBe("credited");
  const { body: notices } = await guardian.get("/api/notifications");
  const titles = notices.items.map((item: { title: string }) => item.title);
  expect(titles).toEqual(expect.arrayContaining(["Litige terminé", "Cagnotte débloquée"]));
  expect((await guardian.get("/api/profile/activity?limit=5")).text).toContain("Litige gagné");
  expect((await operateByTwo("payments reinstate", id, "encore")).ok).toBe(false);
  // The same dispute announced again takes nothing more.
  const again = await hear("charge.dispute.created", disputeOf(session, 2_000));
  expect(await state()).toEqual({ cents: 1_500, frozen: false });
  for (const news of [won, again]) {
    expect((await operate("payments settle-parked", news)).ok).toBe(true);
    expect(await outcomeOf(news)).toBe("parked");
    expect((await operate("payments settle-parked", news, "litige gagné")).ok).toBe(true);
    expect(await outcomeOf(news)).toBe("settled");
    expect((await operate("payments settle-parked", news, "encore")).ok).toBe(false);
  }
  expect(await operate("payments list")).toMatchObject({ ok: true });
});

test("a lost dispute: wallets unfreeze lets the wallet free, and nothing waits any more", async () => {
  const { session } = await paid(1_000);
  await hear("charge.dispute.created", disputeOf(session, 1_000));
  expect((await guardian.post(path(), { amountCents: 1_000 })).body.code).toBe("wallet_frozen");
  expect((await operate("wallets frozen")).text).toContain(wallet.objectID);
  expect((await operate("wallets unfreeze", wallet.objectID)).text).toContain("paiement contesté");
  expect((await state()).frozen).toBe(true);
  expect((await operate("payments list")).ok).toBe(false);
  expect((await operate("wallets unfreeze", wallet.objectID, "perte du dispositif")).ok).toBe(true);
  expect((await state()).frozen).toBe(false);
  expect((await operate("payments list")).ok).toBe(true);
  expect(
    await one(`select actor, details ->> 'why' as why from audit where action = 'wallet.unfreeze'
      order by id desc limit 1`),
  ).toEqual({ actor: "operator:awa", why: "perte du dispositif" });
  expect((await operate("wallets unfreeze", randomUUID())).ok).toBe(false);
  expect((await guardian.post(path(), { amountCents: 1_000 })).status).toBe(201);
});

/** A dispute of a top-up that was spent in part; gives the number of the transfer that is owed. */
async function lost(amountCents: number, spentCents: number) {
  const { id, session } = await paid(amountCents);
  await spendBut(amountCents - spentCents);
  await hear("charge.dispute.created", disputeOf(session, amountCents));
  const { text } = await operate("debts list");
  const line = text.split("\n").find((found) => found.includes(id)) ?? "";
  return { id, session, line, debt: /écriture n° (\d+)/.exec(line)?.[1] ?? "" };
}
const latestNotice = async () =>
  (await guardian.get("/api/notifications")).body.items[0] as { title: string; body: string };

/** The debt of all top-ups of the wallet, listed or not, and what keeps the account from closing. */
async function owedAndObstacles() {
  const { body } = await guardian.get(path());
  const card = `cardnumber=${cast.guardian.cardnumber}`;
  return [body.owedCents, (await guardian.get(`/api/privacy?${card}`)).body.obstacles];
}

// proves: lost-dispute
test("what a lost dispute leaves is told, and repaid by a transfer or the wallet, by two operators", async () => {
  const disputes = await scheme("disputes");
  const bank = await scheme("bank");
  const { id, line, debt } = await lost(2_000, 1_500);
  expect(line).toMatch(/15,00 € dus sur 15,00 €.*Camille Moreau.*bloquée/);
  expect((await latestNotice()).body).toMatch(/15,00\s€ en étaient déjà dépensés.*est due/);
  expect((await seen(id)).owedCents).toBe(1_500);
  expect((await guardian.get(path())).body.items[0].owedCents).toBe(1_500);
  expect(await seen(id)).toMatchObject({
    frozen: true,
    reason: expect.stringContaining("est bloquée"),
  });
  expect((await operate("wallets unfreeze", wallet.objectID, "litige perdu")).ok).toBe(true);
  expect((await seen(id)).owedCents).toBe(1_500);
  expect(await seen(id)).toMatchObject({
    frozen: false,
    reason: expect.stringContaining("est débloquée"),
  });
  expect(await owedAndObstacles()).toEqual([1_500, expect.arrayContaining(["closure_debt"])]);

  const repay = (account: string, from: string, euros: string, number = debt) =>
    operateAs(account, "debts repay", number, from, euros, "réglé");
  const ask = (from: string, euros: string, number = debt) => repay("alice", from, euros, number);
  expect((await ask("virement", "15,01")).text).toContain("il reste 15,00 €");
  expect((await ask("virement", "0")).ok).toBe(false);
  expect((await ask("espèces", "10")).ok).toBe(false);
  expect((await ask("virement", "10", "1")).ok).toBe(false);
  const request = await ask("virement", "10");
  expect(request.text).toMatch(/à confirmer.*10,00 € de Camille Moreau réglés, par virement/);
  expect(await ask("virement", "10")).toEqual(request);
  expect((await repay("bob", "virement", "9")).text).toContain("Rien n'est fait");
  expect(await scheme("disputes")).toBe(disputes - 1_500);
  expect((await repay("bob", "virement", "10")).ok).toBe(true);
  expect((await operate("reversals list")).text).toMatch(
    /règlement d’une dette  10,00 €.*demandée par alice, confirmée par bob/,
  );
  expect(await scheme("disputes")).toBe(disputes - 500);
  expect(await scheme("bank")).toBe(bank - 1_000);
  expect((await seen(id)).owedCents).toBe(500);
  expect(await latestNotice()).toMatchObject({
    title: "Règlement reçu",
    body: expect.stringMatching(/10,00\s€.*Il en reste 5,00\s€/),
  });
  expect((await operateAs("alice", "reversals undo", debt, "erreur")).text).toContain("réglée");

  // The wallet is empty: it is told at once.
  expect((await ask("cagnotte", "5")).ok).toBe(false);
  await paid(1_000);
  expect((await ask("cagnotte", "5")).ok).toBe(true);
  expect((await repay("bob", "cagnotte", "5")).ok).toBe(true);
  expect((await state()).cents).toBe(500);
  expect(await scheme("disputes")).toBe(disputes);
  expect((await seen(id)).owedCents).toBe(0);
  expect(await owedAndObstacles()).toEqual([0, expect.not.arrayContaining(["closure_debt"])]);
  expect((await operate("debts list")).text).not.toContain(id);
  expect((await latestNotice()).body).toContain("Rien n’en reste dû");
  expect((await ask("virement", "1")).ok).toBe(false);
  const { body: moves } = await guardian.get(`/api/wallets/${wallet.objectID}/movements`);
  expect(moves.items.find(({ kind }: { kind: string }) => kind === "dispute")).toMatchObject({
    label: "Règlement d’un paiement contesté",
    amountCents: -500,
  });
  expect((await guardian.get("/api/profile/activity?limit=5")).text).toContain(
    "Règlement d’un paiement contesté passé",
  );
});

// proves: lost-dispute
test("a repayment undone is owed again, and one that nobody confirms was never made", async () => {
  const { id, debt } = await lost(1_000, 1_000);
  const repay = ["debts repay", debt, "virement", "10", "reçu"] as const;
  expect((await operateAs("alice", ...repay)).ok).toBe(true);
  expect((await seen(id)).owedCents).toBe(1_000);
  expect((await operateAs("bob", ...repay)).ok).toBe(true);
  expect((await seen(id)).owedCents).toBe(0);
  const posted = await one<{ id: number }>(
    "select posted_id as id from reversal order by number desc limit 1",
  );
  expect((await operateByTwo("reversals undo", String(posted.id), "saisi deux fois")).ok).toBe(
    true,
  );
  expect((await seen(id)).owedCents).toBe(1_000);
  expect((await operate("wallets unfreeze", wallet.objectID, "litige perdu")).ok).toBe(true);
});

// proves: lost-dispute
test("a dispute won after its debt was repaid: what was repaid comes to the wallet too", async () => {
  const { cents } = await state();
  expect(cents).toBe(0);
  const disputes = await scheme("disputes");
  const { id, session, debt } = await lost(2_000, 1_200);
  expect((await operateByTwo("debts repay", debt, "virement", "7", "reçu")).ok).toBe(true);
  await hear("charge.dispute.funds_reinstated", disputeOf(session, 2_000));
  expect((await operate("payments reinstate", id)).text).toMatch(
    /15,00 € reviennent.*5,00 € soldent/,
  );
  expect((await operateByTwo("payments reinstate", id, "litige gagné")).ok).toBe(true);
  // Disputes that were lost before the wallet was unfrozen freeze it no more.
  expect(await state()).toEqual({ cents: 1_500, frozen: false });
  expect(await operate("payments list")).not.toMatchObject({
    text: expect.stringContaining("En litige"),
  });
  expect(await scheme("disputes")).toBe(disputes);
  expect((await seen(id)).owedCents).toBe(0);
  expect((await operateAs("alice", "debts repay", debt, "virement", "1", "reçu")).ok).toBe(false);
});

/** A relative's gift of which a part exceeds the cap: that part is set aside for the giver. */
async function gift(amountCents: number, pendingReturnCents: number) {
  const cap = server.deps.config.walletCapCents;
  // No other top-up counts in the wallet's cap.
  await server.deps.pool.query("update top_up set state = 'declined' where state = 'initiated'");
  const link = {
    displayName: "Camille",
    maxEachCents: 3000,
    maxTotalCents: 9000,
    maxCount: 3,
    days: 30,
  };
  const made = await guardian.post(`/api/wallets/${wallet.objectID}/links`, link);
  const secret = (made.body.address as string).split("#")[1];
  server.deps.config.walletCapCents = (await state()).cents + amountCents - pendingReturnCents;
  const payer = { payerName: "Mamie Jeanne", payerEmail: "jeanne@exemple.fr" };
  const { body } = await server.anonymous.post("/api/gifts", { secret, amountCents, ...payer });
  const session = [...played.sessions.values()].find(
    (candidate) => candidate.client_reference_id === body.id,
  );
  if (!session) throw new Error("no session was opened");
  await hear("checkout.session.completed", played.pay(session.id, {}));
  server.deps.config.walletCapCents = cap;
  return { id: body.id as string, session };
}

// proves: lost-dispute
test("a gift under dispute: what was beyond the cap goes back to its payer, whatever news comes first", async () => {
  const [{ cents: before }, returns] = [await state(), await scheme("returns")];
  const whole = await gift(1_000, 400);
  expect([(await state()).cents, await scheme("returns")]).toEqual([before + 600, returns + 400]);
  await hear("charge.dispute.created", disputeOf(whole.session, 1_000));
  expect([(await state()).cents, await scheme("returns")]).toEqual([before, returns]);
  await operate("wallets unfreeze", wallet.objectID, "litige perdu");

  // The refund was made, its event comes after the dispute of the rest.
  const crossed = await gift(1_000, 400);
  await hear("charge.dispute.created", disputeOf(crossed.session, 600));
  expect([(await state()).cents, await scheme("returns")]).toEqual([before, returns + 400]);
  const { payment_intent } = crossed.session;
  const eventId = await hear("charge.refunded", { payment_intent, amount_refunded: 400 });
  expect(await outcomeOf(eventId)).toBe("applied");
  expect([(await state()).cents, await scheme("returns")]).toEqual([before, returns]);
  const more = await hear("charge.refunded", { payment_intent, amount_refunded: 500 });
  expect(await outcomeOf(more)).toBe("parked");
  await operate("payments settle-parked", more, "test");
  await operate("wallets unfreeze", wallet.objectID, "litige perdu");
});

test("a gift of which a part is contested: the rest of its return waits for the operator, and leaves", async () => {
  const [{ cents: before }, returns] = [await state(), await scheme("returns")];
  const { id, session } = await gift(1_000, 400);
  await hear("charge.dispute.created", disputeOf(session, 300));
  await server.runJobs();
  expect([(await state()).cents, await scheme("returns")]).toEqual([before + 300, returns + 400]);
  await operate("wallets unfreeze", wallet.objectID, "litige perdu");
  expect((await operate("payments list")).text).toMatch(/4,00 € de trop-perçu à rendre/);
  expect((await operateByTwo("payments refund", id)).text).toContain(
    "4,00 € de trop-perçu demandés",
  );
  const { payment_intent } = session;
  expect(played.refunded.get(payment_intent ?? "")).toBe(400);
  await hear("charge.refunded", { payment_intent, amount_refunded: 400 });
  expect([(await state()).cents, await scheme("returns")]).toEqual([before + 300, returns]);
  expect((await operate("payments list")).text).not.toContain(id);
  expect((await operateByTwo("payments refund", id)).ok).toBe(false);
});

test("a top-up to verify: credited with what was paid, or noted as given back", async () => {
  const [{ cents: before }, suspense] = [await state(), await scheme("suspense")];
  const accepted = await paid(4_400, 4_300);
  expect((await operate("payments accept", referenceOf(accepted.id))).text).toMatch(/43,00.*44,00/);
  // One operator alone credits nothing, however often.
  for (const why of ["vu avec la banque", "encore"]) {
    const result = await operate("payments accept", accepted.id, why);
    expect(result.text).toContain("Rien n'est fait");
  }
  expect((await state()).cents).toBe(before);
  expect((await operateAs("bob", "payments accept", accepted.id, "vu avec la banque")).ok).toBe(
    true,
  );
  expect((await state()).cents).toBe(before + 4_300);
  expect(await seen(accepted.id)).toMatchObject({ state: "credited", amountCents: 4_300 });
  expect(await scheme("suspense")).toBe(suspense);
  const back = await paid(4_400, 4_300);
  expect((await operateByTwo("payments record-refund", back.id, "rendu à la main")).ok).toBe(true);
  expect((await seen(back.id)).state).toBe("refunded");
  expect((await guardian.get("/api/notifications")).body.items[0].body).toContain("43,00");
  expect(await scheme("suspense")).toBe(suspense);
});

test("what was reversed out of suspense leaves nothing to credit, and takes nobody else's money", async () => {
  const [{ cents: before }, suspense] = [await state(), await scheme("suspense")];
  const [other, refundedPayment, silent] = [
    await paid(1_100, 1_000),
    await paid(1_100, 1_000),
    await paid(1_100, 1_000),
  ];
  for (const { session } of [refundedPayment, silent]) {
    await inTx(server.deps.db, (tx) =>
      reverseGroup(tx, `charge:stripe:${session.id}`, {
        key: `reversal:${session.id}`,
        kind: "correction",
        reason: "test",
      }),
    );
  }
  const refused = await operateByTwo("payments accept", silent.id, "trop tard");
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("record-refund") });
  expect((await operateByTwo("payments record-refund", silent.id, "rendu")).ok).toBe(true);
  const { payment_intent } = refundedPayment.session;
  await hear("charge.refunded", { payment_intent, amount_refunded: 1_000 });
  expect([(await seen(silent.id)).state, (await seen(refundedPayment.id)).state]).toEqual([
    "refunded",
    "refunded",
  ]);
  expect(await scheme("suspense")).toBe(suspense + 1_000);
  expect((await operateByTwo("payments record-refund", other.id, "rendu")).ok).toBe(true);
  expect(await scheme("suspense")).toBe(suspense);
  expect((await state()).cents).toBe(before);
});
