// Top-ups from the click to the credit, through the sandbox's page and its webhooks over real HTTP.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { post, verify } from "#server/ledger/ledger.ts";
import { freezeWallet, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { paymentTasks } from "./payments.ts";
import type { Charge, EventType } from "./provider.ts";
import { secretOf } from "./sandbox.ts";
import { sign } from "./signature.ts";

let server: TestServer;
let guardian: Client;
let wallet: { id: number; objectID: string; personId: number };

beforeAll(async () => {
  server = await openTestServer({ walletCapCents: 10_000_000 });
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  guardian = await server.as("guardian");
  wallet = await mainOf("guardian");
});
beforeEach(() => {
  server.deps.config.walletCapCents = 10_000_000;
  // What one person starts in a day is summed in top-up-code.test.ts.
  server.deps.config.topUpCodeFromCents = 10_000_000;
  server.deps.config.payments = "sandbox";
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const number = (name: CastName) => cast[name].cardnumber;
async function mainOf(name: CastName) {
  return await server.deps.db
    .selectFrom("wallet as w")
    .innerJoin("card as c", "c.personId", "w.personId")
    .select(["w.id", "w.objectId as objectID", "w.personId"])
    .where("c.number", "=", number(name))
    .executeTakeFirstOrThrow();
}
async function balance(name: CastName = "guardian"): Promise<number> {
  const { rows } = await server.deps.pool.query<{ cents: number }>(
    `select sum(a.balance)::bigint as cents from wallet w join wallet_lot l on l.wallet_id = w.id
       join ledger_account a on a.id = l.account_id where w.id = $1`,
    [(await mainOf(name)).id],
  );
  return rows[0]?.cents ?? 0;
}
const schemeBalance = async (name: string) =>
  (
    await server.deps.pool.query<{ balance: number }>(
      `select balance from ledger_account a join scheme_account s on s.account_id = a.id
       where s.name = $1`,
      [name],
    )
  ).rows[0]?.balance;

const start = (amountCents: number, key?: string, client = guardian, objectID = wallet.objectID) =>
  client.post(
    `/api/wallets/${objectID}/top-ups`,
    { amountCents },
    key ? { "idempotency-key": key } : {},
  );
const stateOf = async (id: string) => (await guardian.get(`/api/top-ups/${id}`)).body.state;

/** Presses a button of the payment page, as a browser posts its form. */
async function press(paymentUrl: string, outcome: string) {
  return await server.app.inject({
    method: "POST",
    url: new URL(paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
}

/** Runs the deliveries that are due by the test's clock. */
async function deliverDue(): Promise<number> {
  const due = await server.deps.db
    .selectFrom("sandboxEvent")
    .select("id")
    .where("deliveredAt", "is", null)
    .where("dueAt", "<=", server.clock.now())
    .execute();
  for (const { id } of due) await paymentTasks(server.deps).sandbox_deliver({ event: id });
  return due.length;
}
const reconcile = () => paymentTasks(server.deps).reconcile_payments();

async function chargeOf(topUpId: string): Promise<Charge> {
  const row = await server.deps.db
    .selectFrom("sandboxCharge")
    .selectAll()
    .where("reference", "=", topUpId)
    .executeTakeFirstOrThrow();
  return { ref: row.id, reference: topUpId, amountCents: row.amountCents, state: "succeeded" };
}

/** Sends a webhook as the provider would, or an altered one. */
async function webhook(
  type: EventType,
  charge: Charge,
  {
    id = randomUUID(),
    ageSeconds = 0,
    secret,
    alter = (body: string) => body,
  }: {
    id?: string;
    ageSeconds?: number;
    secret?: Buffer;
    alter?: (body: string) => string;
  } = {},
) {
  const body = JSON.stringify({ id, type, charge });
  const at = new Date(server.clock.now().getTime() - ageSeconds * 1000);
  const signature = sign(secret ?? (await secretOf(server.deps.db)), body, at);
  return await server.app.inject({
    method: "POST",
    url: "/api/payments/sandbox/webhooks",
    headers: { "content-type": "application/json", "x-sandbox-signature": signature },
    payload: alter(body),
  });
}
const outcomeOf = async (eventId: string) =>
  (
    await server.deps.db
      .selectFrom("paymentEvent")
      .select("outcome")
      .where("eventId", "=", eventId)
      .executeTakeFirst()
  )?.outcome;

const creditsOf = async (topUpId: string) => {
  const { ref } = await chargeOf(topUpId);
  const { rows } = await server.deps.pool.query(
    "select amount from transfer where key = $1 and kind = 'top_up'",
    [`charge:sandbox:${ref}`],
  );
  return rows.map((row: { amount: number }) => row.amount);
};

describe("starting", () => {
  test("POST top-ups: 201 with the address of the payment page, nothing moved", async () => {
    const before = await balance();
    const answer = await start(2000);
    expect(answer).toMatchObject({ status: 201, body: { state: "initiated", amountCents: 2000 } });
    const page = await server.app.inject(new URL(answer.body.paymentUrl).pathname);
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.body).toContain("Paiements fictifs");
    expect(page.body).toContain("20,00\u202f€");
    expect(page.body).not.toContain("<script");
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(await balance()).toBe(before);
  });

  // proves: receipts
  test("credited: whoever paid has a receipt by e-mail with the amount and what the wallet holds", async () => {
    const sent = server.outbox.length;
    const child = await mainOf("child");
    const { body } = await start(1500, undefined, guardian, child.objectID);
    await press(body.paymentUrl, "duplicate");
    const mails = server.outbox.slice(sent).filter((one) => one.subject === "Recharge créditée");
    expect(mails.map(({ address }) => address)).toEqual([cast.guardian.email]);
    const cents = await balance("child");
    const holds = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}\u202f€`;
    expect(mails[0]?.body).toContain("Montant : 15,00\u202f€");
    expect(mails[0]?.body).toContain("Cagnotte : Cagnotte principale, Léo Moreau");
    expect(mails[0]?.body).toContain(`Nouveau solde : ${holds}`);
    expect(mails[0]?.body).toContain(`Référence : ${body.id.slice(0, 4).toUpperCase()}-`);
  });

  test("a guardian tops up a child's wallet: each reads whose wallet it is and whose card paid", async () => {
    const { objectID } = await mainOf("child");
    const child = await server.as("child");
    const lastOf = async (client: Client) =>
      (await client.get("/api/notifications")).body.items[0].body.replaceAll(/\s/g, " ");
    const paid = (await start(2000, undefined, guardian, objectID)).body;
    await press(paid.paymentUrl, "success");
    expect(await lastOf(guardian)).toBe("20,00 € ont rejoint la cagnotte de Léo Moreau.");
    expect(await lastOf(child)).toBe(
      "20,00 € ont rejoint votre cagnotte, payés par Camille Moreau.",
    );
    const refused = (await start(2100, undefined, guardian, objectID)).body;
    await press(refused.paymentUrl, "declined");
    expect(await lastOf(guardian)).toBe(
      "Le paiement de 21,00 € pour la cagnotte de Léo Moreau a été refusé. Rien n'a été débité.",
    );
    expect(await lastOf(child)).toBe(
      "Le paiement de 21,00 € par Camille Moreau pour votre cagnotte a été refusé. Rien n'a été débité.",
    );
    const returned = (await start(2200, undefined, guardian, objectID)).body;
    await press(returned.paymentUrl, "success");
    await webhook("charge.refunded", await chargeOf(returned.id));
    expect(await lastOf(guardian)).toBe(
      "22,00 € payés pour la cagnotte de Léo Moreau ont été rendus à votre carte bancaire.",
    );
    expect(await lastOf(child)).toBe(
      "22,00 € payés pour votre cagnotte ont été rendus à la carte bancaire de Camille Moreau.",
    );
    const { body: seen } = await child.get(`/api/top-ups/${returned.id}`);
    expect(seen.reason).toBe("L'argent a été rendu à la carte bancaire qui a payé.");
  });

  test("under the minimum, over the maximum, over the cap: 422 with the limit, no top-up", async () => {
    const count = async () =>
      (await guardian.get(`/api/wallets/${wallet.objectID}/top-ups`)).body.items.length;
    const before = await count();
    expect((await start(499)).body).toMatchObject({
      code: "amount_too_small",
      message: "Le montant minimal est de 5,00\u202f€.",
    });
    expect((await start(50_001)).body.code).toBe("amount_too_large");
    await server.deps.pool.query(
      "update top_up set state = 'declined' where state in ('initiated', 'authorized')",
    );
    server.deps.config.walletCapCents = (await balance()) + 1000;
    expect((await start(1001)).body).toMatchObject({
      code: "wallet_cap",
      details: { roomCents: 1000 },
    });
    for (const amountCents of [0, -500, 10.5, null]) {
      expect((await start(amountCents as number)).status).toBe(400);
    }
    expect(await count()).toBe(before);
    expect((await start(1000)).status).toBe(201);
  });

  test("a stranger's wallet: 404; a stranger's top-up and receipt: 404; a child's wallet: 201", async () => {
    const stranger = await server.as("stranger");
    expect((await start(1000, undefined, stranger)).status).toBe(404);
    const { body } = await start(1000);
    expect((await stranger.get(`/api/top-ups/${body.id}`)).status).toBe(404);
    expect((await stranger.get(`/api/top-ups/${body.id}/receipt.pdf`)).status).toBe(404);
    const child = await mainOf("child");
    expect((await start(1000, undefined, guardian, child.objectID)).status).toBe(201);
  });

  test("a frozen wallet takes no top-up", async () => {
    const { id, objectID } = await mainOf("stranger");
    await inTx(server.deps.db, (tx) =>
      freezeWallet(tx, id, { why: "test", at: server.clock.now() }),
    );
    const answer = await start(1000, undefined, await server.as("stranger"), objectID);
    expect(answer).toMatchObject({ status: 409, body: { code: "wallet_frozen" } });
  });

  // proves: double-click
  test("double click with a key, ten at once: one top-up; another amount: refused", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => start(1500, "click")));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect((await start(1600, "click")).body.code).toBe("idempotency_mismatch");
    const other = (await mainOf("child")).objectID;
    expect((await start(1500, "click", guardian, other)).body.code).toBe("idempotency_mismatch");
  });

  test("double click without a key: two intents, only the one that is paid credits", async () => {
    const before = await balance();
    const [one, two] = await Promise.all([start(1700), start(1700)]);
    expect(one.body.id).not.toBe(two.body.id);
    await press(one.body.paymentUrl, "success");
    expect(await balance()).toBe(before + 1700);
    expect(await stateOf(two.body.id)).toBe("initiated");
  });

  test("payments closed by the settings: refused, and the sandbox's pages are not there", async () => {
    const { body } = await start(1000);
    server.deps.config.payments = "none";
    expect((await start(1000)).body.code).toBe("payments_off");
    expect((await server.app.inject(new URL(body.paymentUrl).pathname)).statusCode).toBe(404);
    expect((await press(body.paymentUrl, "success")).statusCode).toBe(404);
    server.deps.config.payments = "sandbox";
    expect(await stateOf(body.id)).toBe("initiated");
  });
});

describe("the buttons of the payment page", () => {
  test("payer: credited when the browser is back, a notice, a movement that leads to a receipt", async () => {
    const before = await balance();
    const { body } = await start(2500);
    const early = await guardian.get(`/api/top-ups/${body.id}/receipt.pdf`);
    expect(early).toMatchObject({ status: 409, body: { code: "receipt_not_ready" } });
    const back = await press(body.paymentUrl, "success");
    expect(back.statusCode).toBe(303);
    expect(back.headers.location).toBe(
      `/services/${wallet.objectID}/principale/1?recharge=${body.id}`,
    );
    const { body: seen } = await guardian.get(`/api/top-ups/${body.id}`);
    expect(seen).toMatchObject({ state: "credited", paymentUrl: null, reason: null });
    expect(await balance()).toBe(before + 2500);
    const page = await guardian.get(`/api/wallets/${wallet.objectID}/movements?limit=1`);
    expect(page.body.items[0]).toMatchObject({
      kind: "top_up",
      amountCents: 2500,
      topUp: body.id,
    });
    const notices = await guardian.get("/api/notifications");
    expect(notices.body.items[0]).toMatchObject({ title: "Recharge créditée" });
    const receipt = await guardian.get(`/api/top-ups/${body.id}/receipt.pdf`);
    expect(receipt.status).toBe(200);
    expect(receipt.text.slice(0, 5)).toBe("%PDF-");
  });

  test("payer twice, five tabs at once: every one is sent back, one credit", async () => {
    const before = await balance();
    const { body } = await start(600);
    const backs = await Promise.all([1, 2, 3, 4, 5].map(() => press(body.paymentUrl, "success")));
    expect(new Set(backs.map((back) => back.statusCode))).toEqual(new Set([303]));
    await deliverDue();
    expect(await balance()).toBe(before + 600);
    expect(await creditsOf(body.id)).toEqual([600]);
  });

  test("refuser: declined with its reason; another button then: 409 and nothing changes", async () => {
    const before = await balance();
    const { body } = await start(700);
    expect((await press(body.paymentUrl, "declined")).statusCode).toBe(303);
    const { body: seen } = await guardian.get(`/api/top-ups/${body.id}`);
    expect(seen.state).toBe("declined");
    expect(seen.reason).toContain("refusé");
    const late = await press(body.paymentUrl, "success");
    expect(late.statusCode).toBe(409);
    expect(late.body).toContain("Revenir à ma cagnotte");
    expect(await balance()).toBe(before);
    expect(await stateOf(body.id)).toBe("declined");
  });

  test("3-D Secure: a second page, then payer or refuser", async () => {
    const before = await balance();
    for (const [outcome, state] of [
      ["success", "credited"],
      ["declined", "declined"],
    ] as const) {
      const { body } = await start(800);
      const second = await press(body.paymentUrl, "challenge");
      expect(second.headers.location).toBe(new URL(body.paymentUrl).pathname);
      const page = await server.app.inject(second.headers.location as string);
      expect(page.body).toContain("Confirmation 3-D Secure");
      expect(await stateOf(body.id)).toBe("initiated");
      await press(body.paymentUrl, outcome);
      expect(await stateOf(body.id)).toBe(state);
    }
    expect(await balance()).toBe(before + 800);
  });

  test("en attente: authorized, credited when the provider says so", async () => {
    const before = await balance();
    const { body } = await start(900);
    await press(body.paymentUrl, "pending");
    expect(await stateOf(body.id)).toBe("authorized");
    expect(await deliverDue()).toBe(0);
    expect(await balance()).toBe(before);
    server.clock.advance(21_000);
    expect(await deliverDue()).toBe(1);
    expect(await stateOf(body.id)).toBe("credited");
    expect(await balance()).toBe(before + 900);
  });

  test("en retard: nothing for a while, then credited", async () => {
    const { body } = await start(1100);
    await press(body.paymentUrl, "late");
    expect(await stateOf(body.id)).toBe("initiated");
    server.clock.advance(21_000);
    await deliverDue();
    expect(await creditsOf(body.id)).toEqual([1100]);
  });

  test("doublon: the same news three times, one credit", async () => {
    const before = await balance();
    const { body } = await start(1200);
    await press(body.paymentUrl, "duplicate");
    expect(await stateOf(body.id)).toBe("credited");
    expect(await balance()).toBe(before + 1200);
  });

  test("an outcome that is no button: 400; a charge that does not exist: 404", async () => {
    const { body } = await start(1000);
    expect((await press(body.paymentUrl, "gratis")).statusCode).toBe(400);
    const nowhere = `http://x/paiement/sandbox/${randomUUID()}`;
    expect((await press(nowhere, "success")).statusCode).toBe(404);
    expect(await stateOf(body.id)).toBe("initiated");
  });

  // proves: redirects
  test("a way back that resolves to another site is not followed", async () => {
    const { body } = await start(1000);
    await server.deps.pool.query("update sandbox_charge set return_url = $1 where reference = $2", [
      "/.//evil.example/x",
      body.id,
    ]);
    const { headers, statusCode } = await press(body.paymentUrl, "success");
    expect(headers["location"]).toBeUndefined();
    expect(statusCode).toBe(500);
    expect(await stateOf(body.id)).toBe("credited");
  });

  test("litige: what is left goes back, what was spent is owed, the wallet is frozen", async () => {
    const { objectID, id } = await mainOf("secondChild");
    const { body } = await start(1000, undefined, guardian, objectID);
    await press(body.paymentUrl, "dispute");
    expect(await balance("secondChild")).toBe(1820);
    await inTx(server.deps.db, async (tx) => {
      const to = await schemeAccount(tx, "purchases");
      const at = server.clock.now();
      return spend(tx, { walletId: id, amountCents: 1300, to, kind: "purchase", key: "s", at });
    });
    server.clock.advance(21_000);
    await deliverDue();
    expect(await stateOf(body.id)).toBe("disputed");
    expect(await balance("secondChild")).toBe(0);
    expect(await schemeBalance("disputes")).toBe(-480);
    const { body: list } = await guardian.get(`/api/wallets?cardnumber=${number("secondChild")}`);
    expect(list.items[0].frozen).toBe(true);
    expect((await start(1000, undefined, guardian, objectID)).body.code).toBe("wallet_frozen");
    // A refund of a disputed payment is not applied.
    const refund = randomUUID();
    await webhook("charge.refunded", await chargeOf(body.id), { id: refund });
    expect(await outcomeOf(refund)).toBe("parked");
    expect(await schemeBalance("disputes")).toBe(-480);
    expect(await stateOf(body.id)).toBe("disputed");
  });
});

describe("webhooks", () => {
  // proves: payment-news
  test("a bad signature, another body, an old or future moment: 400 and nothing happens", async () => {
    const before = await balance();
    const { body } = await start(1300);
    const charge = await chargeOf(body.id);
    const bad = [
      { secret: Buffer.alloc(32) },
      { alter: (sent: string) => sent.replace("1300", "9300") },
      { alter: (sent: string) => `${sent} ` },
      { ageSeconds: 301 },
      { ageSeconds: -302 },
    ];
    for (const forged of bad) {
      const answer = await webhook("charge.succeeded", charge, forged);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().code).toBe("webhook_signature");
    }
    const bare = await server.anonymous.post("/api/payments/sandbox/webhooks", { id: "x" });
    expect(bare).toMatchObject({ status: 400, body: { code: "webhook_signature" } });
    expect(await stateOf(body.id)).toBe("initiated");
    expect(await balance()).toBe(before);
    expect((await webhook("charge.succeeded", charge, { ageSeconds: 290 })).statusCode).toBe(200);
    expect(await balance()).toBe(before + 1300);
  });

  // proves: payment-news
  test("three times each, shuffled, 16 at a time, five top-ups: one credit each", async () => {
    const before = await balance();
    const ids = await Promise.all([1, 2, 3, 4, 5].map(async () => (await start(500)).body.id));
    const sends: (() => Promise<unknown>)[] = [];
    for (const id of ids) {
      const charge = await chargeOf(id);
      for (const type of ["charge.authorized", "charge.succeeded", "charge.declined"] as const) {
        const eventId = randomUUID();
        for (let copy = 0; copy < 3; copy++) {
          sends.push(() => webhook(type, charge, { id: eventId }));
        }
        // And the same event under another id.
        sends.push(() => webhook(type, charge));
      }
    }
    sends.sort(() => Math.random() - 0.5);
    while (sends.length > 0) {
      const answers = await Promise.all(sends.splice(0, 16).map((one) => one()));
      expect(new Set(answers.map((one: any) => one.statusCode))).toEqual(new Set([200]));
    }
    for (const id of ids) {
      expect(await stateOf(id)).toBe("credited");
      expect(await creditsOf(id)).toEqual([500]);
    }
    expect(await balance()).toBe(before + 2500);
  });

  // proves: payment-news
  test("one event a hundred times at once: one credit", async () => {
    const { body } = await start(1400);
    const charge = await chargeOf(body.id);
    const id = randomUUID();
    await Promise.all(
      Array.from({ length: 100 }, () => webhook("charge.succeeded", charge, { id })),
    );
    expect(await creditsOf(body.id)).toEqual([1400]);
  });

  // proves: payment-news
  test("states only go forward: news of before changes nothing", async () => {
    const { body } = await start(1000);
    const charge = await chargeOf(body.id);
    await webhook("charge.succeeded", charge);
    for (const type of ["charge.declined", "charge.authorized"] as const) {
      const id = randomUUID();
      await webhook(type, charge, { id });
      expect(await outcomeOf(id)).toBe("ignored");
    }
    expect(await stateOf(body.id)).toBe("credited");
  });

  test("a success after a refusal still credits, over the cap too", async () => {
    const { body } = await start(1000);
    await press(body.paymentUrl, "declined");
    server.deps.config.walletCapCents = 100;
    const before = await balance();
    await webhook("charge.succeeded", await chargeOf(body.id));
    expect(await stateOf(body.id)).toBe("credited");
    expect(await balance()).toBe(before + 1000);
    expect((await guardian.get(`/api/top-ups/${body.id}`)).body.reason).toBeNull();
  });

  // proves: payment-news
  test("another amount than asked: suspense and review, the wallet untouched, told once", async () => {
    const before = await balance();
    const suspense = (await schemeBalance("suspense")) ?? 0;
    const { body } = await start(1000);
    const charge = { ...(await chargeOf(body.id)), amountCents: 999 };
    const id = randomUUID();
    for (let copy = 0; copy < 3; copy++) await webhook("charge.succeeded", charge, { id });
    await webhook("charge.succeeded", charge);
    expect(await outcomeOf(id)).toBe("suspense");
    expect(await stateOf(body.id)).toBe("review");
    expect(await balance()).toBe(before);
    expect(await schemeBalance("suspense")).toBe(suspense + 999);
  });

  // proves: payment-news
  test("an unknown charge: 200, kept as parked, not dropped", async () => {
    const id = randomUUID();
    const charge: Charge = {
      ref: randomUUID(),
      reference: randomUUID(),
      amountCents: 100,
      state: "succeeded",
    };
    expect((await webhook("charge.succeeded", charge, { id })).statusCode).toBe(200);
    expect(await outcomeOf(id)).toBe("parked");
  });

  test("news before the start was written down finds its top-up by our reference", async () => {
    const { body } = await start(1000);
    await server.deps.db
      .updateTable("topUp")
      .set({ providerRef: null, paymentUrl: null })
      .where("id", "=", body.id)
      .execute();
    await webhook("charge.succeeded", await chargeOf(body.id));
    expect(await creditsOf(body.id)).toEqual([1000]);
  });

  test("a dispute heard before the success: credited and taken back, once each", async () => {
    const { objectID } = await mainOf("coGuardian");
    const other = await server.as("coGuardian");
    const before = await balance("coGuardian");
    const { body } = await start(1000, undefined, other, objectID);
    const charge = await chargeOf(body.id);
    await webhook("charge.disputed", charge);
    await webhook("charge.succeeded", charge);
    expect((await other.get(`/api/top-ups/${body.id}`)).body.state).toBe("disputed");
    expect(await creditsOf(body.id)).toEqual([1000]);
    expect(await balance("coGuardian")).toBe(before);
  });

  test("refunded: the money leaves the wallet; a dispute of it is not taken", async () => {
    const before = await balance();
    const { body } = await start(1000);
    await press(body.paymentUrl, "success");
    const charge = await chargeOf(body.id);
    await webhook("charge.refunded", charge);
    await webhook("charge.refunded", charge);
    await webhook("charge.disputed", charge);
    expect(await stateOf(body.id)).toBe("refunded");
    expect(await balance()).toBe(before);
    const { body: list } = await guardian.get(`/api/wallets?cardnumber=${number("guardian")}`);
    expect(list.items[0].frozen).toBe(false);
  });
});

describe("when nobody tells", () => {
  test("reconciliation asks about what is stuck, and credits it once", async () => {
    const before = await balance();
    const { body } = await start(1000);
    await press(body.paymentUrl, "late");
    await reconcile();
    expect(await stateOf(body.id)).toBe("initiated");
    server.clock.advance(121_000);
    guardian = await server.as("guardian");
    await Promise.all([reconcile(), reconcile()]);
    expect(await stateOf(body.id)).toBe("credited");
    await deliverDue();
    expect(await balance()).toBe(before + 1000);
    expect(await creditsOf(body.id)).toEqual([1000]);
  });

  test("a webhook that nobody heard leaves again by its job", async () => {
    const { body } = await start(1000);
    const { publicUrl } = server.deps.config;
    server.deps.config.publicUrl = "http://127.0.0.1:9";
    expect((await press(body.paymentUrl, "success")).statusCode).toBe(303);
    expect(await stateOf(body.id)).toBe("initiated");
    // Still no answer: the job fails, and is retried.
    server.clock.advance(6_000);
    await server.runJobs();
    expect(await stateOf(body.id)).toBe("initiated");
    server.deps.config.publicUrl = publicUrl;
    server.clock.advance(60_000);
    await server.runJobs();
    expect(await creditsOf(body.id)).toEqual([1000]);
  });

  test("never paid: declined once the page has expired; paid after that, it still credits", async () => {
    const before = await balance();
    const { body } = await start(1000);
    server.clock.advance(1_801_000);
    guardian = await server.as("guardian");
    await reconcile();
    const { body: seen } = await guardian.get(`/api/top-ups/${body.id}`);
    expect(seen).toMatchObject({ state: "declined" });
    expect(seen.reason).toContain("délai");
    await press(body.paymentUrl, "success");
    expect(await stateOf(body.id)).toBe("credited");
    expect(await balance()).toBe(before + 1000);
  });
});

test("the provider's account owes exactly what wallets and suspense were given", async () => {
  const { rows } = await server.deps.pool.query(
    `select sum(case when debit_account = a.account_id then amount else -amount end)::bigint as cents
       from transfer, scheme_account a where a.name = 'payments:sandbox' and a.account_id in (debit_account, credit_account)`,
  );
  expect(rows[0].cents).toBe(-((await schemeBalance("payments:sandbox")) ?? 0));
  await expect(
    inTx(server.deps.db, async (tx) =>
      post(tx, [
        {
          key: "never",
          debitAccount: await schemeAccount(tx, "suspense"),
          creditAccount: await schemeAccount(tx, "purchases"),
          amountCents: 10_000_000,
          kind: "test",
        },
      ]),
    ),
  ).rejects.toMatchObject({ code: "insufficient_funds" });
});
