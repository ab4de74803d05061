// Subscriptions over HTTP: the offer, the application step by step, its payment from a wallet, whom the
// subscription then covers, and every refusal with the state after it.
import { afterEach, beforeEach, expect, test } from "vitest";
import { daysBetween, todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { whileHeld } from "#tests/row-locks.ts";
import { subscriptionCommands } from "./operator.ts";

let server: TestServer;
let hugo: Client;
let camille: Client;
beforeEach(async () => {
  server = await openTestServer();
  [hugo, camille] = await Promise.all([server.as("stranger"), server.as("guardian")]);
});
afterEach(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const path = "/api/subscriptions";
const number = (name: CastName) => cast[name].cardnumber;
const onCard = (client: Client, name: CastName) =>
  client.get(`${path}?cardnumber=${number(name)}`).then(({ body }) => body);
const choose = (client: Client, name: CastName, formula = "essentiel") =>
  client.post(path, { cardnumber: number(name), formula });
const run = async (name: string, ...args: string[]) =>
  await subscriptionCommands.find((one) => one.name === name)?.run(server.deps, args, "test");

async function mainOf(client: Client, name: CastName) {
  const { body } = await client.get(`/api/wallets?cardnumber=${number(name)}`);
  return body.items[0] as { objectID: string; balanceCents: number };
}

/** An application ready to be paid. */
async function ready(client: Client, name: CastName, formula = "essentiel", options = [""]) {
  const { body } = await choose(client, name, formula);
  await client.post(`${path}/${body.id}/holder`);
  const codes = options.filter((one) => one !== "");
  return (await client.post(`${path}/${body.id}/options`, { options: codes })).body;
}

async function pay(
  client: Client,
  from: CastName,
  file: { id: string; revision: number; quote: { totalCents: number } },
  more: Record<string, unknown> = {},
) {
  const { objectID } = await mainOf(client, from);
  return await client.post(`${path}/${file.id}/pay`, {
    method: "wallet",
    objectID,
    totalCents: file.quote.totalCents,
    revision: file.revision,
    ...more,
  });
}

const user = async (client: Client) => (await client.get("/api/session")).body.data;
const days = (count: number) => server.clock.advance(count * 86_400_000);

test("somebody else's file that is busy is not found at once", async () => {
  const { id } = (await choose(camille, "guardian")).body;
  const { answer, waited } = await whileHeld(
    server,
    (client) => client.query("select from subscription where id = $1 for update", [id]),
    () => hugo.post(`${path}/${id}/holder`),
  );
  expect([answer.status, waited]).toEqual([404, false]);
});

test("bought step by step: the file remembers, the wallet pays once, the user says so", async () => {
  const offer = (await hugo.get(`${path}/offer?cardnumber=${number("stranger")}`)).body;
  expect(offer.formulas.map((one: any) => one.code)).toContain("essentiel");
  const chosen = await choose(hugo, "stranger");
  expect(chosen).toMatchObject({
    status: 201,
    body: { state: "draft", step: "holder", quote: { totalCents: 2400 }, proofs: [] },
  });
  const { id } = chosen.body;
  expect((await hugo.post(`${path}/${id}/holder`)).body.step).toBe("options");
  const priced = await hugo.post(`${path}/${id}/options`, { options: ["sms"] });
  expect(priced.body).toMatchObject({ step: "price", chosen: ["sms"] });
  expect(priced.body.quote.totalCents).toBe(2700);
  // Another device finds the same step.
  const elsewhere = await server.as("stranger");
  expect((await onCard(elsewhere, "stranger")).open).toMatchObject({ id, state: "draft" });
  expect((await elsewhere.get(`${path}/${id}`)).body.step).toBe("price");
  await choose(hugo, "stranger");
  const file = await ready(hugo, "stranger");
  expect(file.id).toBe(id);
  expect(await user(hugo)).toMatchObject({ isc: 0, subExp: 0, dateRenew: null });

  const paid = await pay(hugo, "stranger", file);
  expect(paid).toMatchObject({ status: 200, body: { state: "active", chosen: [] } });
  expect((await mainOf(hugo, "stranger")).balanceCents).toBe(100);
  const again = await pay(hugo, "stranger", file);
  expect(again.body).toEqual(paid.body);
  expect((await mainOf(hugo, "stranger")).balanceCents).toBe(100);
  const { startsOn, endsOn } = paid.body.quote;
  const after = await user(hugo);
  expect(after).toMatchObject({ isc: 1 });
  expect(after.dateRenew.slice(5)).toBe(startsOn.slice(5));
  expect(new Date(after.subExp * 1000).toLocaleDateString("en-CA")).toBe(endsOn);
  const seen = await onCard(hugo, "stranger");
  expect(seen).toMatchObject({ endsOn, open: null, items: [{ state: "active", paidCents: 2400 }] });
  const notice = (await hugo.get("/api/notifications")).body.items[0];
  expect(notice.title).toBe("Abonnement souscrit");
  const receipt = await hugo.get(`${path}/${id}/receipt.pdf`);
  expect(receipt.text.slice(0, 5)).toBe("%PDF-");
});

// proves: subscriptions
test("two payments at once, or two files begun at once, have one effect", async () => {
  const files = await Promise.all([choose(hugo, "stranger"), choose(hugo, "stranger")]);
  expect(files[0].body.id).toBe(files[1].body.id);
  const file = await ready(hugo, "stranger");
  const both = await Promise.all([pay(hugo, "stranger", file), pay(hugo, "stranger", file)]);
  expect(both.map(({ body }) => body.state)).toEqual(["active", "active"]);
  expect((await mainOf(hugo, "stranger")).balanceCents).toBe(100);
  expect((await onCard(hugo, "stranger")).items).toHaveLength(1);
});

// proves: subscriptions
test("what was read is what is paid: another price, another content, is read again", async () => {
  const file = await ready(hugo, "stranger");
  expect((await run("subscriptions price", "essentiel", "25,50"))?.ok).toBe(true);
  const stale = await pay(hugo, "stranger", file);
  expect(stale).toMatchObject({ status: 409, body: { code: "price_changed" } });
  expect(stale.body.message).toContain("25,50");
  const read = (await hugo.get(`${path}/${file.id}`)).body;
  expect(read.priceChange).toContain("passe de 24,00");
  await choose(hugo, "stranger", "solidaire");
  const other = await pay(hugo, "stranger", read);
  expect(other).toMatchObject({ status: 409, body: { code: "order_changed" } });
  expect((await mainOf(hugo, "stranger")).balanceCents).toBe(2500);
  expect((await run("subscriptions price", "nulle", "3"))?.ok).toBe(false);
  expect((await run("subscriptions price", "essentiel", "trois"))?.ok).toBe(false);
});

test("refused with nothing moved: no money, another's wallet, a card opposed, unknown things", async () => {
  const file = await ready(hugo, "stranger", "essentiel", ["sms"]);
  expect((await pay(hugo, "stranger", file)).body.code).toBe("insufficient_funds");
  const theirs = (await mainOf(camille, "guardian")).objectID;
  expect((await pay(hugo, "stranger", file, { objectID: theirs })).status).toBe(404);
  expect((await pay(hugo, "stranger", file, { totalCents: 1 })).body.code).toBe("price_changed");
  expect((await choose(hugo, "stranger", "nulle")).body.code).toBe("subscription_unknown");
  const wrong = await hugo.post(`${path}/${file.id}/options`, { options: ["nulle"] });
  expect(wrong.body.code).toBe("subscription_unknown");
  expect((await camille.get(`${path}/${file.id}`)).status).toBe(404);
  expect((await camille.get(`${path}?cardnumber=${number("stranger")}`)).status).toBe(404);
  expect((await choose(camille, "stranger")).status).toBe(404);
  await hugo.post(`${path}/${file.id}/options`, { options: [] });
  await hugo.post(`/api/cards/${number("stranger")}/oppose`, { reason: "lost" });
  const calm = (await hugo.get(`${path}/${file.id}`)).body;
  expect((await pay(hugo, "stranger", calm)).body.code).toBe("card_opposed");
  expect((await onCard(hugo, "stranger")).open).toMatchObject({ id: file.id, state: "draft" });
});

test("conditions that fail close a formula; a wallet of a group does not pay", async () => {
  const { rows } = await server.deps.pool.query(
    "insert into acceptance_group (name, slug, rule) values ('Culture', 'c', '') returning id",
  );
  const { rows: made } = await server.deps.pool.query(
    `insert into wallet (person_id, group_id, name, slug)
     select person_id, $1, 'Culture', 'c' from card where number = $2 returning object_id`,
    [rows[0].id, number("stranger")],
  );
  await server.deps.pool.query(
    "insert into ledger_account (kind, asset, floor) values ('wallet', 'EUR', 0)",
  );
  await server.deps.pool.query(
    `insert into wallet_lot (account_id, wallet_id, kind, label)
     select max(a.id), (select max(id) from wallet), 'purchased', '' from ledger_account a`,
  );
  const file = await ready(hugo, "stranger");
  const other = await pay(hugo, "stranger", file, { objectID: made[0].object_id });
  expect(other.body.code).toBe("wallet_not_accepted");
  expect((await choose(camille, "secondChild", "famille")).body.code).toBe(
    "subscription_conditions",
  );
  expect((await onCard(camille, "secondChild")).open).toBeNull();
});

test("a code is asked from the threshold on, used once, with its effect", async () => {
  expect((await run("subscriptions price", "famille", "50,00"))?.ok).toBe(true);
  const file = await ready(camille, "guardian", "famille", ["sms"]);
  expect(file.covers).toEqual(["Jade Moreau", "Léo Moreau"]);
  const refusal = await pay(camille, "guardian", file);
  expect(refusal).toMatchObject({ status: 403, body: { code: "code_required" } });
  const { challenge } = refusal.body.details;
  const code = server.lastCode();
  const wrong = code === "000000" ? "111111" : "000000";
  const proof = { challenge, password: castPassword };
  expect((await pay(camille, "guardian", file, { ...proof, code: wrong })).body.code).toBe(
    "code_wrong",
  );
  expect((await mainOf(camille, "guardian")).balanceCents).toBe(12_000);
  const before = await user(camille);
  const paid = await pay(camille, "guardian", file, { ...proof, code });
  expect(paid.body.state).toBe("active");
  expect((await mainOf(camille, "guardian")).balanceCents).toBe(12_000 - 5300);
  // It begins where the first one ends: no day is lost, and Jade is covered too.
  const after = await user(camille);
  expect(after.dateRenew).toBe(
    `${Number(before.dateRenew.slice(0, 4)) + 1}${before.dateRenew.slice(4)}`,
  );
  const jade = await onCard(camille, "secondChild");
  const covered = { own: false, upcoming: true, cancelUntil: null, paidCents: 0 };
  expect(jade.items).toMatchObject([covered]);
  const [notice] = (await camille.get("/api/notifications")).body.items;
  const [{ startsOn, endsOn }] = jade.items;
  expect(notice).toMatchObject({
    title: "Abonnement souscrit",
    body: expect.stringContaining(
      `commencera le ${formatDate(startsOn)} et finira le ${formatDate(endsOn)}.`,
    ),
  });
  // Léo's other guardian reads who covers him, but neither the price nor the others covered.
  const leo = await onCard(await server.as("coGuardian"), "child");
  expect(leo.items[0]).toMatchObject({ ...covered, covers: ["Camille Moreau", "Léo Moreau"] });
  expect(JSON.stringify(leo)).not.toContain("Jade");
  const early = await choose(camille, "guardian");
  expect(early).toMatchObject({ status: 409, body: { code: "subscription_too_early" } });
  expect((await onCard(camille, "guardian")).open).toBeNull();
});

test("a guardian buys for a child from their own wallet; the child's limits do not count", async () => {
  const file = await ready(camille, "secondChild");
  expect(file.holder).toMatchObject({ name: "Jade Moreau", own: false });
  const paid = await pay(camille, "guardian", file);
  expect(paid.body.state).toBe("active");
  const jade = await server.as("secondChild");
  expect(await user(jade)).toMatchObject({ isc: 1 });
  expect((await jade.get("/api/notifications")).body.items[0].kind).toBe("subscription");
  expect(await user(camille)).toMatchObject({ isc: 1 });
});

test("what one guardian paid for a child is theirs; what the child's wallet paid is both guardians'", async () => {
  const thomas = await server.as("coGuardian");
  const { body: bought } = await pay(camille, "guardian", await ready(camille, "child"));
  expect(bought).toMatchObject({ state: "active", payer: true });
  const [own] = (await onCard(camille, "child")).items;
  expect(own).toMatchObject({ own: true, payer: true, cancelUntil: expect.any(String) });
  expect(own.paidCents).toBeGreaterThan(0);
  const hidden = { payer: false, paidCents: 0, cancelUntil: null };
  for (const other of [thomas, await server.as("child")]) {
    expect((await onCard(other, "child")).items[0]).toMatchObject({ own: true, ...hidden });
    const read = (await other.get(`${path}/${bought.id}`)).body;
    expect(read).toMatchObject({ payer: false, quote: { totalCents: 0, lines: [] } });
    expect((await other.get(`${path}/${bought.id}/receipt.pdf`)).status).toBe(404);
    expect((await other.post(`${path}/${bought.id}/cancel`)).status).toBe(404);
  }
  expect((await camille.get(`${path}/${bought.id}/receipt.pdf`)).status).toBe(200);
  expect((await camille.post(`${path}/${bought.id}/cancel`)).status).toBe(200);

  await server.deps.pool.query(
    `select ledger_post(true, array[1], array['child'],
       array[(select account_id from scheme_account where name = 'payments:sandbox')],
       array[(select l.account_id from wallet_lot l join wallet w on w.id = l.wallet_id
         where w.object_id = $1 and l.kind = 'purchased')],
       array[10000::bigint], array['top_up'], array[null]::jsonb[], array[null]::bigint[], array[now()])`,
    [(await mainOf(camille, "child")).objectID],
  );
  await pay(camille, "child", await ready(camille, "child"));
  expect((await onCard(thomas, "child")).items[0]).toMatchObject({ payer: true });
  expect((await onCard(thomas, "child")).items[0].paidCents).toBe(own.paidCents);
});

// proves: subscriptions
test("cancelled within 14 days: the whole comes back, the dates go; later it is final", async () => {
  const file = await ready(hugo, "stranger");
  const { body } = await pay(hugo, "stranger", file);
  const cancel = () => hugo.post(`${path}/${body.id}/cancel`);
  expect((await camille.post(`${path}/${body.id}/cancel`)).status).toBe(404);
  expect((await cancel()).status).toBe(200);
  expect((await cancel()).status).toBe(200);
  expect((await mainOf(hugo, "stranger")).balanceCents).toBe(2500);
  expect(await user(hugo)).toMatchObject({ isc: 0, subExp: 0, dateRenew: null });
  expect((await pay(hugo, "stranger", file)).body.code).toBe("subscription_closed");

  const next = await pay(hugo, "stranger", await ready(hugo, "stranger"));
  days(13);
  hugo = await server.as("stranger");
  const { cancelUntil } = (await onCard(hugo, "stranger")).items[0];
  expect(cancelUntil).toMatch(/^\d{4}-\d\d-\d\d$/);
  days(3);
  hugo = await server.as("stranger");
  expect((await hugo.post(`${path}/${next.body.id}/cancel`)).body.code).toBe("subscription_final");
  expect((await onCard(hugo, "stranger")).items[0].cancelUntil).toBeNull();
  expect((await mainOf(hugo, "stranger")).balanceCents).toBe(100);
});

test("one that is followed by another is cancelled after it", async () => {
  const first = (await pay(camille, "guardian", await ready(camille, "secondChild"))).body;
  const at = new Date(server.clock.now().getTime() - 20 * 86_400_000);
  await server.deps.pool.query(
    `update subscription set starts_on = starts_on - 20, ends_on = ends_on - 20, paid_at = $1
     where id = $2`,
    [server.clock.now(), first.id],
  );
  expect(at < server.clock.now()).toBe(true);
  const second = (await pay(camille, "guardian", await ready(camille, "secondChild"))).body;
  const refused = await camille.post(`${path}/${first.id}/cancel`);
  expect(refused.body.code).toBe("subscription_followed");
  expect((await camille.post(`${path}/${second.id}/cancel`)).status).toBe(200);
  expect((await camille.post(`${path}/${first.id}/cancel`)).status).toBe(200);
  expect((await mainOf(camille, "guardian")).balanceCents).toBe(12_000);
});

test("given up: the file is closed, another may begin; a receipt needs a payment", async () => {
  const { body } = await choose(hugo, "stranger");
  const receipt = await hugo.get(`${path}/${body.id}/receipt.pdf`);
  expect(receipt).toMatchObject({ status: 409, body: { code: "subscription_unpaid" } });
  expect((await hugo.post(`${path}/${body.id}/cancel`)).body.code).toBe("subscription_final");
  expect((await hugo.post(`${path}/${body.id}/abandon`)).status).toBe(200);
  for (const call of ["holder", "abandon"]) {
    const after = await hugo.post(`${path}/${body.id}/${call}`);
    expect(after.body.code).toBe("subscription_closed");
  }
  expect((await onCard(hugo, "stranger")).items).toEqual([]);
  expect((await choose(hugo, "stranger")).body.id).not.toBe(body.id);
});

test("reminders 30, 7 and 1 days before the end, once each; the end is told once, isc goes", async () => {
  await pay(hugo, "stranger", await ready(hugo, "stranger", "essentiel", []));
  const { endsOn } = (await onCard(hugo, "stranger")).items[0];
  const left = daysBetween(todayInParis(server.clock.now()), endsOn);
  const tasks = (await import("./subscriptions.ts")).subscriptionTasks(server.deps);
  const about = () =>
    server.outbox.filter(({ subject }) => subject.includes("bientôt") && subject !== "").length;
  const both = async () => {
    await tasks.remind_subscriptions();
    await tasks.expire_subscriptions();
  };
  const counts: number[] = [];
  // 40, then 30, 29, 7, 1 and 0 days are left.
  for (const wait of [left - 40, 10, 1, 22, 6, 1]) {
    days(wait);
    await both();
    await both();
    counts.push(about());
  }
  expect(counts).toEqual([0, 1, 1, 2, 3, 3]);
  hugo = await server.as("stranger");
  expect(await user(hugo)).toMatchObject({ isc: 1 });
  days(1);
  await both();
  await both();
  hugo = await server.as("stranger");
  expect(await user(hugo)).toMatchObject({ isc: 0 });
  const ended = server.outbox.filter(({ subject }) => subject === "Abonnement terminé");
  expect(ended.map(({ address }) => address)).toContain(cast.stranger.email);
  expect(ended.filter(({ address }) => address === cast.stranger.email)).toHaveLength(1);
  expect((await onCard(hugo, "stranger")).items[0].state).toBe("expired");
});

test("whoever has prolonged is not reminded; a file forgotten for 60 days is given up", async () => {
  await pay(hugo, "stranger", await ready(hugo, "stranger"));
  const tasks = (await import("./subscriptions.ts")).subscriptionTasks(server.deps);
  days(350);
  hugo = await server.as("stranger");
  await server.deps.pool.query(
    "update subscription_formula set year_cents = 50 where code = 'essentiel'",
  );
  const more = await pay(hugo, "stranger", await ready(hugo, "stranger"));
  expect(more.body).toMatchObject({ state: "active" });
  await tasks.remind_subscriptions();
  expect(server.outbox.filter(({ subject }) => subject.includes("bientôt"))).toHaveLength(
    server.outbox.filter(
      ({ subject, address }) => subject.includes("bientôt") && address !== cast.stranger.email,
    ).length,
  );
  days(20);
  await tasks.expire_subscriptions();
  hugo = await server.as("stranger");
  expect(await user(hugo)).toMatchObject({ isc: 1 });
  const states = (await onCard(hugo, "stranger")).items.map((one: any) => one.state);
  expect(states).toEqual(["active", "expired"]);
  days(200);
  hugo = await server.as("stranger");
  const { body } = await choose(hugo, "stranger");
  days(61);
  await tasks.delete_stale_applications();
  hugo = await server.as("stranger");
  expect((await hugo.get(`${path}/${body.id}`)).body.state).toBe("abandoned");
});
