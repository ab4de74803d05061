// What an operator decides of money that waits: a dispute that ended, a top-up under review, news put aside.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { reverseGroup, verify } from "#server/ledger/ledger.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { wallet as walletRoom } from "#server/wallet/room.ts";
import { cast } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { type PlayedSession, type PlayedStripe, playStripe } from "#tests/stripe-api.ts";
import { payments } from "./room.ts";

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

async function operate(name: string, ...given: string[]) {
  const command = [...(payments.commands ?? []), ...(walletRoom.commands ?? [])].find(
    (known) => known.name === name,
  );
  if (!command) throw new Error(`no command ${name}`);
  const { ok, lines } = await command.run(server.deps, given, "Awa");
  return { ok, text: lines.join("\n").replaceAll(/[\u202f\u00a0]/g, " ") };
}

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
    (opened) => opened.client_reference_id === body.id,
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
/** All but so much of the wallet is spent. */
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
  const shown = await operate("payments reinstate", id);
  expect(shown.text).toMatch(/20,00.*15,00 € reviennent à la cagnotte, 5,00/);
  expect(await state()).toEqual({ cents: 0, frozen: true });
  expect((await operate("payments reinstate", id, " ")).ok).toBe(false);
  expect((await operate("payments reinstate", id, "litige gagné")).ok).toBe(true);
  expect(await state()).toEqual({ cents: 1_500, frozen: false });
  expect(await scheme("disputes")).toBe(disputes);
  expect((await seen(id)).state).toBe("credited");
  const { body: notices } = await guardian.get("/api/notifications");
  const titles = notices.items.map((item: { title: string }) => item.title);
  expect(titles).toEqual(expect.arrayContaining(["Litige terminé", "Cagnotte débloquée"]));
  expect((await guardian.get("/api/profile/activity?limit=5")).text).toContain("Litige gagné");
  expect((await operate("payments reinstate", id, "encore")).ok).toBe(false);
  // The same dispute told again takes nothing more.
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
  ).toEqual({ actor: "operator:Awa", why: "perte du dispositif" });
  expect((await operate("wallets unfreeze", randomUUID())).ok).toBe(false);
  expect((await guardian.post(path(), { amountCents: 1_000 })).status).toBe(201);
});

test("a top-up to verify: credited with what was paid, or noted as given back", async () => {
  const [{ cents: before }, suspense] = [await state(), await scheme("suspense")];
  const accepted = await paid(4_400, 4_300);
  expect((await operate("payments accept", accepted.id)).text).toMatch(/43,00.*44,00/);
  expect((await state()).cents).toBe(before);
  expect((await operate("payments accept", accepted.id, "vu avec la banque")).ok).toBe(true);
  expect((await state()).cents).toBe(before + 4_300);
  expect(await seen(accepted.id)).toMatchObject({ state: "credited", amountCents: 4_300 });
  expect(await scheme("suspense")).toBe(suspense);
  const back = await paid(4_400, 4_300);
  expect((await operate("payments given-back", back.id, "rendu à la main")).ok).toBe(true);
  expect((await seen(back.id)).state).toBe("refunded");
  expect((await guardian.get("/api/notifications")).body.items[0].body).toContain("43,00");
  expect(await scheme("suspense")).toBe(suspense);
});

test("what was reversed out of suspense leaves nothing to credit, and takes nobody else's money", async () => {
  const [{ cents: before }, suspense] = [await state(), await scheme("suspense")];
  const [other, told, silent] = [
    await paid(1_100, 1_000),
    await paid(1_100, 1_000),
    await paid(1_100, 1_000),
  ];
  for (const { session } of [told, silent]) {
    await inTx(server.deps.db, (tx) =>
      reverseGroup(tx, `charge:stripe:${session.id}`, {
        key: `reversal:${session.id}`,
        kind: "correction",
        reason: "test",
      }),
    );
  }
  const refused = await operate("payments accept", silent.id, "trop tard");
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining("given-back") });
  expect((await operate("payments given-back", silent.id, "rendu")).ok).toBe(true);
  const { payment_intent } = told.session;
  await hear("charge.refunded", { payment_intent, amount_refunded: 1_000 });
  expect([(await seen(silent.id)).state, (await seen(told.id)).state]).toEqual([
    "refunded",
    "refunded",
  ]);
  expect(await scheme("suspense")).toBe(suspense + 1_000);
  expect((await operate("payments given-back", other.id, "rendu")).ok).toBe(true);
  expect(await scheme("suspense")).toBe(suspense);
  expect((await state()).cents).toBe(before);
});
