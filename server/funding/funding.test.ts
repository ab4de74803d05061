// Funding over HTTP and by its jobs: alerts at a crossing, automatic top-ups once for each, gift links within
// their limits.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { funding as limits } from "#contract/limits.ts";
import { motifOf } from "#contract/motif.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { freezeWallet, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { tieAgain, untie } from "#tests/family-ties.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { runRules } from "./automatic-top-ups.ts";
import { fundingTasks } from "./funding.ts";

let server: TestServer;
let guardian: Client;
let wallet: { id: number; objectID: string };
let childWallet: { id: number; objectID: string };

beforeAll(async () => {
  server = await openTestServer({ walletCapCents: 10_000_000 });
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  guardian = await server.as("guardian");
  wallet = await mainOf("guardian");
  childWallet = await mainOf("child");
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  await sql`update top_up_rule set state = 'deleted', paused_why = null`.execute(server.deps.db);
  await sql`update gift_link set revoked_at = now() where revoked_at is null`.execute(
    server.deps.db,
  );
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

async function mainOf(name: CastName) {
  const { rows } = await sql<{ id: number; objectID: string }>`
    select w.id, w.object_id as "objectID" from wallet w join card c on c.person_id = w.person_id
    where c.number = ${cast[name].cardnumber} and w.group_id = 1`.execute(server.deps.db);
  return rows[0] as { id: number; objectID: string };
}
async function spendable({ id } = wallet): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select sum(a.balance - a.held)::bigint as cents from wallet_lot l
    join ledger_account a on a.id = l.account_id where l.wallet_id = ${id}`.execute(server.deps.db);
  return rows[0]?.cents ?? 0;
}
/** Brings a wallet to a balance, by a purchase or by a top-up that is paid. */
async function bringTo(cents: number, of = wallet): Promise<void> {
  const now = await spendable(of);
  if (now > cents) {
    await inTx(server.deps.db, async (tx) => {
      const to = await schemeAccount(tx, "purchases");
      const amountCents = now - cents;
      const at = server.clock.now();
      const key = `test:${randomUUID()}`;
      await spend(tx, { walletId: of.id, amountCents, to, kind: "purchase", key, at });
    });
  } else if (now < cents) {
    const amountCents = Math.max(500, cents - now);
    const { body } = await guardian.post(`/api/wallets/${of.objectID}/top-ups`, { amountCents });
    await press(body.paymentUrl, "success");
    if (amountCents > cents - now) await bringTo(cents, of);
  }
}
const press = async (paymentUrl: string, outcome: string, keep = false) =>
  await server.app.inject({
    method: "POST",
    url: new URL(paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}${keep ? "&keep=1" : ""}`,
  });
const seen = async (of = wallet, client = guardian) =>
  (await client.get(`/api/wallets/${of.objectID}/automations`)).body;
const notices = async (client = guardian) =>
  (await client.get("/api/notifications?limit=50")).body.items as { title: string; body: string }[];
const titled = async (title: string, client = guardian) =>
  (await notices(client)).filter((one) => one.title === title);
const watch = () => fundingTasks(server.deps).watch_balances();
const run = async (times = 1) => {
  await Promise.all(Array.from({ length: times }, () => fundingTasks(server.deps).run_rules()));
  await server.runJobs();
};

describe("alerts", () => {
  const alert = { thresholdCents: 2000, email: true, sms: false };
  const set = (value: unknown, of = wallet) =>
    guardian.post(`/api/wallets/${of.objectID}/alert`, { alert: value });

  // proves: automatic-top-ups
  test("told once for a crossing, however often and by however many it is looked at", async () => {
    await bringTo(3000);
    expect((await set(alert)).body.alert).toEqual(alert);
    await watch();
    const before = (await titled("Solde bas")).length;
    const mails = server.outbox.length;
    await bringTo(1500);
    await Promise.all(Array.from({ length: 5 }, () => watch()));
    await bringTo(1200);
    await watch();
    const alerts = await titled("Solde bas");
    expect(alerts.length).toBe(before + 1);
    expect(alerts[0]?.body).toContain("15,00\u202f€");
    const left = server.outbox.slice(mails).filter(({ subject }) => subject === "Solde bas");
    expect(left.map(({ channel }) => channel)).toEqual(["email"]);
    await bringTo(2500);
    await watch();
    await bringTo(1900);
    await watch();
    expect((await titled("Solde bas")).length).toBe(before + 2);
  });

  test("a balance that is low already is no crossing; taken away, nothing is told", async () => {
    await bringTo(1000);
    await set(alert);
    const before = (await titled("Solde bas")).length;
    await watch();
    expect((await titled("Solde bas")).length).toBe(before);
    await bringTo(3000);
    await watch();
    expect((await set(null)).body.alert).toBeNull();
    await bringTo(1000);
    await watch();
    expect((await titled("Solde bas")).length).toBe(before);
  });

  test("a child's wallet: the guardian is told, the child who asked for nothing is not", async () => {
    await bringTo(3000, childWallet);
    await set(alert, childWallet);
    await bringTo(500, childWallet);
    await watch();
    expect((await titled("Solde bas"))[0]?.body).toMatch(/de Léo/);
    expect(await titled("Solde bas", await server.as("child"))).toEqual([]);
    const rename = (name: string) =>
      server.deps.pool.query(
        "update person set name = $2 where id = (select person_id from card where number = $1)",
        [cast.child.cardnumber, name],
      );
    await rename("Inès Moreau");
    await bringTo(3000, childWallet);
    await watch();
    await bringTo(500, childWallet);
    await watch();
    expect((await titled("Solde bas"))[0]?.body).toMatch(/d’Inès Moreau/);
    await rename("Léo Moreau");
    await set(null, childWallet);
  });

  test("a channel without an address: refused, the alert as it was", async () => {
    await set(null);
    await sql`update person set phonenumber = null
      where id = (select person_id from card where number = ${cast.guardian.cardnumber})`.execute(
      server.deps.db,
    );
    expect((await set({ ...alert, sms: true })).body.code).toBe("no_channel");
    expect((await seen()).alert).toBeNull();
  });
});

const newRule = {
  when: { trigger: "threshold", thresholdCents: 1000 },
  mode: "amount",
  amountCents: 2000,
  monthlyCents: 10_000,
  paymentMethodId: null,
  consent: true,
};
const allow = (change: object = {}, of = wallet) =>
  approve(server, guardian, `/api/wallets/${of.objectID}/rules`, { ...newRule, ...change });
/** Refusals before any code is sent. */
const refused = async (change: object) =>
  (await guardian.post(`/api/wallets/${wallet.objectID}/rules`, { ...newRule, ...change })).body
    .code as string;
/** A rule that runs, its payment method saved by a first payment. */
async function running(outcome = "success", change: object = {}) {
  const { status, body, text } = await allow(change);
  expect(status, text).toBe(201);
  await press(body.paymentUrl, outcome, true);
  await server.runJobs();
  const rule = (await seen()).rules[0];
  expect(rule).toMatchObject({ state: "active", paymentMethod: expect.stringContaining("4242") });
  return rule.id as string;
}
const ruleOf = async () => (await seen()).rules[0];
const charges = async (ruleId: string) =>
  (
    await sql<{ state: string; amount: number }>`select state, amount_cents as amount from top_up
      where origin_id = ${ruleId} and payment_method_id is not null order by created_at`.execute(
      server.deps.db,
    )
  ).rows;
const act = (id: string, what: string, client = guardian) =>
  client.post(`/api/rules/${id}/${what}`);

describe("automatic top-ups", () => {
  test("asks for a code; the first payment keeps the payment method only if it was allowed to", async () => {
    const path = `/api/wallets/${wallet.objectID}/rules`;
    const refusal = await guardian.post(path, newRule);
    expect([refusal.status, refusal.body.code]).toEqual([403, "code_required"]);
    expect(await ruleOf()).toBeUndefined();
    const { body } = await allow();
    await press(body.paymentUrl, "success");
    await server.runJobs();
    expect(await ruleOf()).toMatchObject({ state: "waiting", paymentMethod: null });
    const again = await act(body.id, "payments");
    expect(again.status).toBe(201);
    const page = await server.app.inject(new URL(again.body.paymentUrl).pathname);
    expect(page.body).toContain("Garder ce moyen de paiement");
    const back = await press(again.body.paymentUrl, "success", true);
    expect(back.headers.location).toBe(
      `/cagnottes/${wallet.objectID}/automatismes?paiement=${again.body.topUp}`,
    );
    await server.runJobs();
    expect(await ruleOf()).toMatchObject({ state: "active", paidByMe: true });
    expect(await refused({})).toBe("rule_exists");
  });

  // proves: automatic-top-ups
  test("below the threshold: one charge for the crossing, told with its receipt", async () => {
    await bringTo(3000);
    const id = await running();
    await bringTo(1500);
    await run();
    expect(await charges(id)).toEqual([]);
    await bringTo(900);
    const mails = server.outbox.length;
    await run(6);
    await run(3);
    expect(await charges(id)).toEqual([{ state: "credited", amount: 2000 }]);
    expect(await spendable()).toBe(2900);
    expect((await titled("Recharge automatique faite"))[0]?.body).toContain("20,00\u202f€");
    const mail = server.outbox.slice(mails).find((one) => one.subject.startsWith("Recharge auto"));
    expect(mail?.body).toMatch(/Moyen de paiement : .*4242[^]*Référence : /);
    const { body } = await guardian.get(`/api/wallets/${wallet.objectID}/movements?limit=1`);
    expect(body.items[0]).toMatchObject({ kind: "top_up", label: "Recharge automatique" });
    await bringTo(800);
    await run();
    expect(await charges(id)).toHaveLength(2);
    expect((await ruleOf()).spentCents).toBeGreaterThanOrEqual(4000);
  });

  test("one that cannot be charged keeps none after it waiting", async () => {
    const { pool } = server.deps;
    await bringTo(3000);
    const id = await running();
    const first = "00000000-0000-4000-8000-000000000000";
    await pool.query(
      `insert into top_up_rule select (jsonb_populate_record(r,
         jsonb_build_object('id', $2::uuid, 'wallet_id', $3::bigint))).* from top_up_rule r where id = $1`,
      [id, first, childWallet.id],
    );
    const owner = server.owner.db;
    await sql`create function refuse_charge() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`.execute(owner);
    await sql`create trigger refuse_charge before insert on top_up for each row
      when (new.origin_id::text = ${sql.lit(first)}) execute function refuse_charge()`.execute(
      owner,
    );
    await bringTo(500, childWallet);
    await bringTo(500);
    expect(await runRules(server.deps, { atOnce: 1 })).toBe(1);
    await sql`drop function refuse_charge cascade`.execute(owner);
    await server.runJobs();
    expect(await charges(first)).toEqual([]);
    expect(await charges(id)).toHaveLength(1);
  });

  // proves: automatic-top-ups
  test("refused: told, again after 1 h, 6 h and 24 h, then it rests until its payer lets it run", async () => {
    await bringTo(3000);
    const id = await running("refuse_later");
    await bringTo(500);
    await run();
    for (const [index, hours] of limits.retryHours.entries()) {
      expect(await charges(id)).toHaveLength(index + 1);
      const { nextTryAt, state } = await ruleOf();
      expect(state).toBe("active");
      const wait = Date.parse(nextTryAt) - server.clock.now().getTime();
      expect(Math.round(wait / 3_600_000)).toBe(hours);
      expect((await titled("Recharge automatique refusée")).length).toBeGreaterThan(index);
      await run();
      expect(await charges(id)).toHaveLength(index + 1);
      server.clock.advance(hours * 3_600_000 + 1000);
      guardian = await server.as("guardian");
      await run();
    }
    expect(await ruleOf()).toMatchObject({ state: "paused", pausedWhy: "refused" });
    expect((await titled("Recharge automatique en pause")).length).toBeGreaterThan(0);
    await run();
    expect(await charges(id)).toHaveLength(4);
    expect(await spendable()).toBe(500);
    expect((await act(id, "resume")).status).toBe(200);
    await run();
    expect(await charges(id)).toHaveLength(5);
  });

  test("the balance is back before the next try: nothing is charged", async () => {
    await bringTo(3000);
    const id = await running("refuse_later");
    await bringTo(500);
    await run();
    await bringTo(3000);
    server.clock.advance(2 * 3_600_000);
    guardian = await server.as("guardian");
    await run();
    expect(await charges(id)).toHaveLength(1);
    expect((await ruleOf()).nextTryAt).toBeNull();
  });

  // proves: automatic-top-ups
  test("the ceiling of the month: charged up to it, told, again next month", async () => {
    await bringTo(3000);
    const id = await running("success", { monthlyCents: 4500 });
    for (const left of [2500, 500, 500]) {
      await bringTo(500);
      await run();
      expect(await spendable(), `of ${left}`).toBeGreaterThanOrEqual(500);
    }
    expect((await charges(id)).map((one) => one.amount)).toEqual([2000, 500].slice(0, 2));
    expect((await titled("Pas de recharge automatique")).length).toBe(1);
    server.clock.advance(32 * 86_400_000);
    guardian = await server.as("guardian");
    await run();
    expect(await charges(id)).toHaveLength(3);
  });

  test("on a date, up to a target: once, what is missing", async () => {
    await bringTo(1000);
    const day = Number(parisDay(server.clock.now()).slice(8)) % 28;
    const change = { when: { trigger: "day", day: day + 1 }, mode: "target", amountCents: 5000 };
    const id = await running("success", change);
    expect(await spendable()).toBe(5000);
    await bringTo(1800);
    server.clock.advance(33 * 86_400_000);
    guardian = await server.as("guardian");
    await run(4);
    expect(await charges(id)).toEqual([{ state: "credited", amount: 3200 }]);
    expect(await spendable()).toBe(5000);
    await bringTo(1000);
    await run();
    expect(await charges(id)).toHaveLength(1);
  });

  // proves: automatic-top-ups
  test("paused, deleted, its payment method forgotten, its wallet frozen: nothing is charged", async () => {
    await bringTo(3000);
    const id = await running();
    await act(id, "pause");
    await bringTo(500);
    await run();
    expect(await charges(id)).toEqual([]);
    const { paymentMethods } = await seen();
    expect(
      (await guardian.post(`/api/payment-methods/${paymentMethods[0].id}/forget`)).status,
    ).toBe(200);
    expect(
      (await guardian.post(`/api/payment-methods/${paymentMethods[0].id}/forget`)).status,
    ).toBe(404);
    expect((await seen()).paymentMethods).toHaveLength(paymentMethods.length - 1);
    expect(await ruleOf()).toMatchObject({ state: "paused", pausedWhy: "payment_method" });
    expect((await act(id, "resume")).body.code).toBe("rule_state");
    expect((await act(id, "delete")).status).toBe(200);
    expect(await ruleOf()).toBeUndefined();
    expect((await act(id, "pause")).status).toBe(404);
    await run();
    expect(await charges(id)).toEqual([]);
  });

  test("its card forgotten, it takes another that is kept, with a code: it runs again and charges that one", async () => {
    await bringTo(3000);
    const id = await running();
    // A second payment method of the same payer, and one of somebody else's.
    const { rows: methods } = await sql<{ id: string; label: string }>`
      insert into payment_method (person_id, provider, customer, ref, label, saved_at)
      select c.person_id, m.provider, m.customer, m.ref || ':' || c.number, 'Mastercard ' || right(c.number::text, 4),
        now() - interval '1 day'
      from payment_method m, card c
      where m.id = ${(await ruleOf()).paymentMethodId} and c.number in (${cast.guardian.cardnumber}, ${cast.stranger.cardnumber})
      returning id, label`.execute(server.deps.db);
    const own = methods.find(({ label }) =>
      label.endsWith(String(cast.guardian.cardnumber).slice(-4)),
    );
    const theirs = methods.find((one) => one !== own);
    const path = `/api/rules/${id}/payments`;
    const take = (paymentMethodId: string, client = guardian) =>
      client.post(path, { paymentMethodId });
    const before = (await seen()).paymentMethods;
    const { paymentMethodId: first } = await ruleOf();
    expect((await guardian.post(`/api/payment-methods/${first}/forget`)).status).toBe(200);
    expect(await ruleOf()).toMatchObject({ pausedWhy: "payment_method", paymentMethodId: null });
    expect(before.map((one: { id: string }) => one.id)).toContain(own?.id);

    expect((await take(theirs?.id ?? "")).status).toBe(404);
    expect((await take(first)).status).toBe(404);
    const mails = server.outbox.length;
    expect((await take(own?.id ?? "", await server.as("stranger"))).status).toBe(404);
    expect(server.outbox).toHaveLength(mails);
    const refusal = await take(own?.id ?? "");
    expect([refusal.status, refusal.body.code]).toEqual([403, "code_required"]);
    expect(await ruleOf()).toMatchObject({ state: "paused" });
    const done = await approve(server, guardian, path, { paymentMethodId: own?.id });
    expect(done.status, done.text).toBe(201);
    expect(await ruleOf()).toMatchObject({
      state: "active",
      pausedWhy: null,
      paymentMethodId: own?.id,
      paymentMethod: own?.label,
    });
    await bringTo(500);
    await run();
    const { rows: charged } = await sql`select t.state from top_up t
      where t.origin_id = ${id} and t.payment_method_id = ${own?.id}`.execute(server.deps.db);
    expect(charged).toHaveLength(1);
    // What its payer has paused is theirs to resume first.
    await act(id, "pause");
    expect((await take(own?.id ?? "")).body.code).toBe("rule_state");
  });

  test("amounts that would charge twice or break a limit, and whoever has a guardian: refused", async () => {
    expect(await refused({ amountCents: 900 })).toBe("rule_amount");
    expect(await refused({ amountCents: 60_000, monthlyCents: 70_000 })).toBe("amount_too_large");
    expect(await refused({ monthlyCents: 1500 })).toBe("rule_ceiling");
    expect(await refused({ consent: false })).toBe("invalid_input");
    expect(await refused({ paymentMethodId: randomUUID() })).toBe("not_found");
    const small = { when: { trigger: "day", day: 3 }, amountCents: 400 };
    expect(await refused(small)).toBe("amount_too_small");
    const child = await server.as("child");
    const path = `/api/wallets/${childWallet.objectID}/rules`;
    expect((await child.post(path, newRule)).body.code).toBe("family_minor");
    expect((await seen()).rules).toEqual([]);
  });

  test("a child's rule: the other guardian may stop it, not let it run; a stranger finds nothing", async () => {
    const { rows } = await sql<{ id: string }>`
      insert into top_up_rule (wallet_id, person_id, trigger, day_of_month, mode, amount_cents,
        monthly_cents, state, paused_why, consent_at, created_at)
      select ${childWallet.id}, person_id, 'day', 5, 'amount', 2000, 9000, 'paused', 'person',
        now(), now() from card where number = ${cast.guardian.cardnumber}
      returning id`.execute(server.deps.db);
    const id = rows[0]?.id ?? "";
    const other = await server.as("coGuardian");
    expect((await act(id, "resume", other)).body.code).toBe("rule_not_yours");
    expect((await act(id, "payments", other)).body.code).toBe("rule_not_yours");
    const { paymentMethods: theirs } = await seen(childWallet, guardian);
    const take = { paymentMethodId: theirs[0]?.id ?? randomUUID() };
    expect((await other.post(`/api/rules/${id}/payments`, take)).body.code).toBe("rule_not_yours");
    expect((await act(id, "delete", await server.as("stranger"))).status).toBe(404);
    const child = await server.as("child");
    for (const way of ["pause", "delete"] as const) {
      expect((await act(id, way, child)).body.code).toBe("family_minor");
    }
    expect((await act(id, "delete", other)).status).toBe(200);
  });
});

describe("relatives' links", () => {
  const link = {
    displayName: "Léo",
    maxEachCents: 3000,
    maxTotalCents: 5000,
    maxCount: 3,
    days: 30,
  };
  const make = (change: object = {}, of = childWallet) =>
    guardian.post(`/api/wallets/${of.objectID}/links`, { ...link, ...change });
  async function made(change: object = {}) {
    const { status, body, text } = await make(change);
    expect(status, text).toBe(201);
    return { id: body.link.id as string, secret: (body.address as string).split("#")[1] ?? "" };
  }
  const read = (secret: string) => server.anonymous.post("/api/gifts/read", { secret });
  const payer = { payerName: "Mamie  Jeanne", payerEmail: "jeanne@exemple.fr" };
  const give = (secret: string, amountCents: number, key?: string) =>
    server.anonymous.post(
      "/api/gifts",
      { secret, amountCents, ...payer },
      key ? { "idempotency-key": key } : {},
    );
  const state = async (id: string) => (await server.anonymous.get(`/api/gifts/${id}`)).body.state;

  // proves: relatives-link
  test("the page shows a first name and limits, and nothing else of the holder", async () => {
    const { secret } = await made();
    const { status, body } = await read(secret);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      [
        "displayName",
        "expiresAt",
        "ink",
        "maxCents",
        "minCents",
        "motif",
        "sandbox",
        "word",
      ].sort(),
    );
    expect(body).toMatchObject({ displayName: "Léo", maxCents: 3000, word: null });
    // Theirs on every link, in the ink of their card; its curves are not the card's.
    const again = (await read((await made()).secret)).body;
    expect([again.motif, again.ink]).toEqual([body.motif, body.ink]);
    const card = motifOf(cast.child.cardnumber);
    expect(body.ink).toBe(card.ink);
    expect(motifOf(body.motif).rosette).not.toEqual(card.rosette);
    const stored = await sql<{ hash: Buffer }>`select secret_hash as hash from gift_link`.execute(
      server.deps.db,
    );
    expect(stored.rows.some(({ hash }) => hash.toString().includes(secret))).toBe(false);
  });

  test("paid: the wallet has it, holder and guardian are told, the payer has a receipt by e-mail", async () => {
    const { secret } = await made();
    const before = await spendable(childWallet);
    const { status, body } = await server.anonymous.post("/api/gifts", {
      secret,
      amountCents: 2500,
      ...payer,
      // As some programs copy it.
      payerEmail: ` \u2068${payer.payerEmail}\u2069`,
    });
    expect(status).toBe(201);
    const mails = server.outbox.length;
    const back = await press(body.paymentUrl, "duplicate");
    expect(back.headers.location).toBe(`/recharge/proche?paiement=${body.id}`);
    expect(await state(body.id)).toBe("credited");
    expect(await spendable(childWallet)).toBe(before + 2500);
    expect((await titled("Recharge d'un proche"))[0]?.body).toContain("Mamie Jeanne");
    expect(await titled("Recharge d'un proche", await server.as("child"))).toHaveLength(1);
    const receipt = server.outbox.slice(mails).filter((one) => one.address === payer.payerEmail);
    expect(receipt).toHaveLength(1);
    expect(receipt[0]?.body).toMatch(/25,00\s€/);
    expect((await read(secret)).body.maxCents).toBe(2500);
    const { rows } = await sql<{ email: string | null }>`select payer_email as email
      from gift_payment where top_up_id = ${body.id}`.execute(server.deps.db);
    expect(rows).toEqual([{ email: null }]);
  });

  test("a word is read with the link, the thanks once the money has arrived", async () => {
    const words = { word: " Pour mes livres\n et le théâtre ", thanks: "Merci Mamie : bisous !" };
    const { secret } = await made(words);
    expect((await read(secret)).body.word).toBe("Pour mes livres et le théâtre");
    const { body } = await give(secret, 1000);
    const path = `/api/gifts/${body.id}`;
    expect((await server.anonymous.get(path)).body).toMatchObject({ thanks: null });
    await press(body.paymentUrl, "declined");
    expect((await server.anonymous.get(path)).body.thanks).toBeNull();
    const paid = (await give(secret, 1000)).body;
    await press(paid.paymentUrl, "success");
    const after = (await server.anonymous.get(`/api/gifts/${paid.id}`)).body;
    expect(after).toMatchObject({ state: "credited", thanks: words.thanks });
    expect((await seen(childWallet)).links[0]).toMatchObject({
      word: "Pour mes livres et le théâtre",
      thanks: words.thanks,
    });
  });

  // proves: relatives-link
  test.each([
    "Virez sur exemple.fr",
    "Voir https://exemple.fr",
    "jeanne@exemple",
    "exemple．fr",
    "Appelez le 06 12 34 56 78",
    "FR76 3000 6000 0112 3456",
  ])("no word is an address, a link or a number: « %s »", async (word) => {
    expect((await make({ word })).body.code).toBe("gift_word");
    expect((await make({ thanks: word })).body.code).toBe("gift_word");
  });

  // proves: relatives-link
  test("a name that is an address or a link goes into no message: nothing is made, nothing is started", async () => {
    const { secret } = await made();
    const names = [
      "exemple.fr/x",
      "Compte bloqué : payez",
      "jeanne@exemple",
      "Voir exemple.fr",
      "exemple．fr",
      "···",
    ];
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from top_up`.execute(server.deps.db))
        .rows[0]?.n;
    const [before, mails] = [await count(), server.outbox.length];
    for (const payerName of names) {
      const begun = await server.anonymous.post("/api/gifts", {
        secret,
        amountCents: 1000,
        payerName,
        payerEmail: "victime@exemple.fr",
      });
      expect([begun.status, begun.body.code], payerName).toEqual([422, "gift_name"]);
      expect((await make({ displayName: payerName })).body.code, payerName).toBe("gift_name");
    }
    expect(await count()).toBe(before);
    expect(server.outbox).toHaveLength(mails);
    expect((await seen(childWallet)).links.filter((one: any) => one.state === "open")).toHaveLength(
      1,
    );
    for (const displayName of ["J.P. Martin", "Mme. Le Goff", "Zoé-Lou d’Arc"]) {
      expect((await make({ displayName })).status, displayName).toBe(201);
    }
  });

  // proves: relatives-link
  test("its limits hold whoever pays at once: amount, total, count", async () => {
    const { secret } = await made();
    expect((await give(secret, 3001)).body.code).toBe("gift_amount");
    expect((await give(secret, 499)).body.code).toBe("gift_amount");
    const all = await Promise.all(Array.from({ length: 6 }, () => give(secret, 2500)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(2);
    expect((await read(secret)).body.code).toBe("link_over");
    const single = await made({ maxCount: 1 });
    expect((await give(single.secret, 500)).status).toBe(201);
    expect((await give(single.secret, 500)).body.code).toBe("link_over");
  });

  test("the same key: one payment; another amount: refused", async () => {
    const { secret } = await made();
    const all = await Promise.all(Array.from({ length: 4 }, () => give(secret, 2000, "clic")));
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect((await give(secret, 2100, "clic")).body.code).toBe("idempotency_mismatch");
  });

  // proves: relatives-link
  test("revoked, expired, unknown: said in its own words, nothing started; what was paid is followed", async () => {
    const { id, secret } = await made();
    const { body } = await give(secret, 1000);
    const stranger = await server.as("stranger");
    expect((await stranger.post(`/api/links/${id}/revoke`)).status).toBe(404);
    expect((await guardian.post(`/api/links/${id}/revoke`)).status).toBe(200);
    expect((await guardian.post(`/api/links/${id}/revoke`)).status).toBe(200);
    expect((await read(secret)).body.code).toBe("link_over");
    expect((await give(secret, 1000)).body.code).toBe("link_over");
    expect(await state(body.id)).toBe("initiated");
    expect((await read("x".repeat(43))).body.code).toBe("link_unknown");
    expect((await server.anonymous.get(`/api/gifts/${randomUUID()}`)).status).toBe(404);
    const short = await made({ days: 1 });
    server.clock.advance(25 * 3_600_000);
    guardian = await server.as("guardian");
    expect((await read(short.secret)).body.code).toBe("link_over");
  });

  const aside = async () => {
    const { rows } = await sql<{ cents: number }>`
      select balance::bigint as cents from ledger_account
      where id = (select account_id from scheme_account where name = 'returns')`.execute(
      server.deps.db,
    );
    return rows[0]?.cents;
  };
  const followed = async (id: string) => (await server.anonymous.get(`/api/gifts/${id}`)).body;

  // proves: hidden-balance
  test("beyond the cap: accepted, the wallet filled, the rest given back, both told; nothing tells the balance", async () => {
    const { secret } = await made();
    const before = await spendable(childWallet);
    server.deps.config.walletCapCents = before + 600;
    const linkText = (await read(secret)).text;
    const { status, body } = await give(secret, 1000);
    expect(status).toBe(201);
    const mails = server.outbox.length;
    await press(body.paymentUrl, "duplicate");
    expect([await spendable(childWallet), await aside()]).toEqual([before + 600, 400]);
    await server.runJobs();
    await server.runJobs();
    expect([await spendable(childWallet), await aside()]).toEqual([before + 600, 0]);
    expect(await followed(body.id)).toMatchObject({ state: "credited", returnCents: 400 });
    const [notice] = await titled("Recharge d'un proche");
    expect(notice?.body).toMatch(/offert 10,00\s€ et ajouté 6,00\s€.*4,00\s€, lui est rendu/);
    const receipt = server.outbox.slice(mails).filter((one) => one.address === payer.payerEmail);
    expect(receipt.map((one) => one.body)).toEqual([
      expect.stringMatching(/Ajouté : 6,00\s€[^]*Rendu : 4,00\s€/),
    ]);
    expect(await titled("Recharge remboursée en partie")).toEqual([]);
    server.deps.config.walletCapCents = 10_000_000;
    // The link shows what it did before, less what was received.
    expect(JSON.parse(linkText)).toMatchObject({ maxCents: 3000 });
    expect((await seen(childWallet)).links[0]).toMatchObject({ receivedCents: 600 });
  });

  test("contested after its part beyond the cap was given back: the wallet gives all that it had got", async () => {
    const { secret } = await made();
    const before = await spendable(childWallet);
    server.deps.config.walletCapCents = before + 600;
    const { body } = await give(secret, 1000);
    await press(body.paymentUrl, "dispute");
    await server.runJobs();
    expect([await spendable(childWallet), await aside()]).toEqual([before + 600, 0]);
    server.clock.advance(21_000);
    await server.runJobs();
    expect(await state(body.id)).toBe("disputed");
    expect([await spendable(childWallet), await aside()]).toEqual([before, 0]);
    server.deps.config.walletCapCents = 10_000_000;
    await sql`update wallet set frozen_at = null, frozen_why = null
      where id = ${childWallet.id}`.execute(server.deps.db);
  });

  // proves: hidden-balance
  test("a wallet that is full: the page and the payment are the same, all of it is given back", async () => {
    const { secret } = await made();
    const before = await spendable(childWallet);
    server.deps.config.walletCapCents = before;
    expect((await read(secret)).body.maxCents).toBe(3000);
    const { body } = await give(secret, 3000);
    await press(body.paymentUrl, "success");
    await server.runJobs();
    expect([await spendable(childWallet), await aside()]).toEqual([before, 0]);
    expect(await followed(body.id)).toMatchObject({ state: "refunded", returnCents: 3000 });
    expect((await titled("Recharge remboursée"))[0]?.body).toMatch(/la personne qui/);
    server.deps.config.walletCapCents = 10_000_000;
  });

  test("made while the tie ends: there is none", async () => {
    const former = await server.as("coGuardian");
    const links = async () => (await seen(childWallet)).links.length;
    const before = await links();
    const { answer } = await whileHeld(
      server,
      (client) => client.query("select from wallet where id = $1 for update", [childWallet.id]),
      () => former.post(`/api/wallets/${childWallet.objectID}/links`, link),
      (client) => untie(client, "coGuardian", "child"),
    );
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect(await links()).toBe(before);
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  test("made by a former guardian: it is over, and what is still paid by it is not told to them", async () => {
    const former = await server.as("coGuardian");
    const { body } = await former.post(`/api/wallets/${childWallet.objectID}/links`, link);
    const secret = (body.address as string).split("#")[1] ?? "";
    const begun = await give(secret, 1000);
    expect(begun.status).toBe(201);
    const leave = `/api/family/members/${cast.child.cardnumber}/leave`;
    expect((await former.post(leave)).status).toBe(200);
    expect((await read(secret)).body.code).toBe("link_over");
    expect((await give(secret, 1000)).body.code).toBe("link_over");
    expect((await seen(childWallet)).links[0]).toMatchObject({
      id: body.link.id,
      state: "revoked",
    });
    const [before, noticeCount] = [
      await spendable(childWallet),
      (await titled("Recharge d'un proche", former)).length,
    ];
    const guardians = (await titled("Recharge d'un proche")).length;
    await press(begun.body.paymentUrl, "success");
    expect(await spendable(childWallet)).toBe(before + 1000);
    expect(await titled("Recharge d'un proche")).toHaveLength(guardians + 1);
    expect(await titled("Recharge d'un proche", former)).toHaveLength(noticeCount);
    await tieAgain(server.owner.pool, "coGuardian", "child");
  });

  test("a frozen wallet: its link is over, nothing is started", async () => {
    const { id } = await mainOf("secondChild");
    const other = (await make({}, await mainOf("secondChild"))).body;
    await inTx(server.deps.db, (tx) =>
      freezeWallet(tx, id, { why: "test", at: server.clock.now() }),
    );
    const frozen = await give(other.address.split("#")[1], 1000);
    expect(frozen.body.code).toBe("link_over");
  });

  // proves: relatives-link
  test("guessing is slow, links are few, a child makes none", async () => {
    const child = await server.as("child");
    const path = `/api/wallets/${childWallet.objectID}/links`;
    expect((await child.post(path, link)).body.code).toBe("family_minor");
    expect((await make({ maxTotalCents: 2000 })).body.code).toBe("link_amounts");
    for (let index = 0; index < limits.openLinks; index++) await made();
    expect((await make()).body.code).toBe("link_full");
    const tries = await Promise.all(
      Array.from({ length: limits.giftsPerMinute + 5 }, () => read("y".repeat(43))),
    );
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
  });
});
