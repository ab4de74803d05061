// What must hold when processes share one database, each check a few lines: it answers what it saw, or
// throws. Adding one is adding it to the list.
import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inTx } from "#server/db/db.ts";
import { makeEnqueue } from "#server/process/jobs.ts";
import { verify } from "#server/ledger/ledger.ts";
import { makeSend } from "#server/notifications/notifications.ts";
import { cast } from "#tests/cast.ts";
import type { Answer, Fleet } from "./fleet.ts";
import { connectionsOf } from "./figures.ts";
import { openLive } from "./live.ts";

export interface Sizes {
  messages: number;
  clicks: number;
  transfers: number;
}

export interface Check {
  name: string;
  run: (fleet: Fleet, sizes: Sizes) => Promise<string>;
}

export const checks: readonly Check[] = [
  // proves: session-row
  { name: "sessions", run: sessions },
  // proves: slow-guessing, trap-limiters
  { name: "limiters", run: limiters },
  // proves: jobs
  { name: "jobs once", run: jobsOnce },
  { name: "live notices", run: liveNotices },
  { name: "one top-up", run: oneTopUp },
  { name: "transfers", run: transfers },
  { name: "one wallet", run: oneWallet },
  { name: "connections", run: connections },
  { name: "a process dies", run: oneDies },
  { name: "ledger", run: ledger },
];

async function sessions(fleet: Fleet): Promise<string> {
  const bearer = await fleet.login(0, "coGuardian");
  const seen = async () => {
    const answers = fleet.addresses.map((_, at) =>
      fleet.call(at, "/api/session", undefined, bearer),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  assert.deepEqual(new Set(await seen()), new Set([200]));
  await fleet.call(1, "/api/logout", {}, bearer);
  assert.deepEqual(new Set(await seen()), new Set([401]));
  return "opened on one, read on all; ended on another, ended on all at once";
}

async function limiters(fleet: Fleet): Promise<string> {
  const login = cast.stranger.cardnumber;
  const refused = new Set<number>();
  let tried = 0;
  // Each wrong try doubles the wait: soon it is longer than any machine takes to ask everywhere.
  for (let at = 0; refused.size < fleet.addresses.length; at++) {
    const { status } = await fleet.call(at, "/api/login", { login, password: "essai au hasard" });
    if (status === 429) refused.add(at % fleet.addresses.length);
    else tried += 1;
    assert.ok(status === 429 || status === 401, `answered ${status}`);
  }
  const counted = fleet.database.db.selectFrom("limiter").select("failures");
  const { failures } = await counted
    .where("key", "=", `login:card:${login}`)
    .executeTakeFirstOrThrow();
  assert.ok(tried >= 5, `refused after ${tried}`);
  assert.equal(failures, tried);
  return `${tried} wrong passwords, spread over the processes, counted once each, then 429 on all`;
}

async function jobsOnce(fleet: Fleet, { messages }: Sizes): Promise<string> {
  const { db } = fleet.database;
  const send = makeSend({ enqueue: makeEnqueue(), now: () => new Date() });
  const bodies = Array.from({ length: messages }, (_, n) => `message ${n}`);
  const first = fleet.texts.length;
  const startedAt = performance.now();
  for (const body of bodies) {
    const sms = { channel: "sms", address: "+33600000000", subject: "", personId: null } as const;
    await inTx(db, (tx) => send(tx, { ...sms, body }));
  }
  await until(() => fleet.texts.length - first >= messages);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(300);
  const left = fleet.texts.slice(first);
  assert.deepEqual(left.map(({ text }) => text).sort(), bodies.toSorted());
  const shares = fleet.addresses.map((_, at) => left.filter(({ from }) => from === at).length);
  return `${messages} messages, each once, in ${seconds.toFixed(1)} s, by ${shares.join(" + ")}`;
}

async function liveNotices(fleet: Fleet): Promise<string> {
  const bearer = await fleet.login(0, "guardian");
  const watched = await Promise.all(
    fleet.addresses.map((address) => openLive(`${address}/api/notifications/live`, bearer)),
  );
  const { objectID } = await mainWallet(fleet, bearer, cast.guardian.cardnumber);
  const path = `/api/wallets/${objectID}/top-ups`;
  const { body: started } = await fleet.call(0, path, { amountCents: 500 }, bearer);
  const paidAt = performance.now();
  await press(fleet, 0, new URL(started.paymentUrl).pathname);
  const delays = await Promise.all(
    watched.map(async (live) => {
      const { at } = await live.next("notice", (data) => data.includes(started.id));
      return at - paidAt;
    }),
  );
  for (const live of watched) live.close();
  const last = Math.round(Math.max(...delays));
  return `told on every process, the last ${last} ms after the click that pays`;
}

async function oneTopUp(fleet: Fleet, { clicks }: Sizes): Promise<string> {
  const bearer = await fleet.login(0, "guardian");
  const wallet = await mainWallet(fleet, bearer, cast.guardian.cardnumber);
  const headers = { ...bearer, "idempotency-key": randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: clicks }, (_, at) =>
      fleet.call(at, `/api/wallets/${wallet.objectID}/top-ups`, { amountCents: 1_000 }, headers),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  const ids = new Set(answers.map(({ body }) => body.id));
  assert.equal(ids.size, 1);
  const page = new URL((answers[0] as Answer).body.paymentUrl).pathname;
  await Promise.all(Array.from({ length: clicks }, (_, at) => press(fleet, at, page)));
  await until(async () => (await balanceOf(fleet, bearer)) === wallet.balanceCents + 1_000);
  await sleep(300);
  assert.equal(await balanceOf(fleet, bearer), wallet.balanceCents + 1_000);
  return `${clicks} starts with one key and ${clicks} payments, on all: one top-up, one credit`;
}

async function transfers(fleet: Fleet, { transfers: many }: Sizes): Promise<string> {
  const bearer = await fleet.login(1, "guardian");
  const before = await balanceOf(fleet, bearer);
  const from = (await mainWallet(fleet, bearer, cast.guardian.cardnumber)).objectID;
  const body = {
    fromWallet: from,
    toCardnumber: cast.child.cardnumber,
    amountCents: 1,
    repeat: true,
  };
  const keys = Array.from({ length: many }, () => randomUUID());
  // Each is sent twice, to two processes at once: a client that lost patience.
  const outcomes = await inLanes(8, keys, async (key, at) => {
    const headers = { ...bearer, "idempotency-key": key };
    const twice = [at, at + 1].map((on) => fleet.call(on, "/api/transfers", body, headers));
    const [one, two] = (await Promise.all(twice)) as [Answer, Answer];
    assert.equal(one.status, 201, JSON.stringify(one.body));
    return one.body.id === two.body.id;
  });
  assert.ok(outcomes.every(Boolean));
  assert.equal(await balanceOf(fleet, bearer), before - many);
  return `${many} transfers, each sent to two processes at once: each moved its cent once`;
}

async function oneWallet(fleet: Fleet): Promise<string> {
  const bearer = await fleet.login(0, "guardian");
  const toCardnumber = cast.guardian.cardnumber;
  const { objectID: fromWallet, balanceCents } = await mainWallet(
    fleet,
    bearer,
    cast.child.cardnumber,
  );
  const amountCents = Math.max(1, Math.floor(balanceCents / 10));
  const sends = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      fleet.call(
        at,
        "/api/transfers",
        { fromWallet, toCardnumber, amountCents, repeat: true },
        { ...bearer, "idempotency-key": randomUUID() },
      ),
    ),
  );
  const passed = sends.filter(({ status }) => status === 201).length;
  const refused = sends.filter(({ body }) => body.code === "insufficient_funds").length;
  const left = (await mainWallet(fleet, bearer, cast.child.cardnumber)).balanceCents;
  assert.equal(
    passed + refused,
    sends.length,
    JSON.stringify(sends.find((one) => one.status > 422)),
  );
  assert.equal(left, balanceCents - passed * amountCents);
  assert.ok(left >= 0 && left < amountCents);
  return `40 clients at once empty one wallet: ${passed} pass, ${refused} are refused, none below zero`;
}

async function connections(fleet: Fleet): Promise<string> {
  const bearer = await fleet.login(0, "guardian");
  const watched = await Promise.all(
    fleet.addresses.map((address) => openLive(`${address}/api/notifications/live`, bearer)),
  );
  const { text, max } = await connectionsOf(fleet);
  for (const live of watched) live.close();
  // Pool, queue (four and its listening one), and one for live events.
  assert.ok(max <= fleet.addresses.length * (fleet.poolSize + 6) + 2, text);
  return text;
}

async function oneDies(fleet: Fleet): Promise<string> {
  const last = fleet.addresses.length - 1;
  const bearer = await fleet.login(last, "guardian");
  const before = await balanceOf(fleet, bearer);
  const wallet = await mainWallet(fleet, bearer, cast.guardian.cardnumber);
  const path = `/api/wallets/${wallet.objectID}/top-ups`;
  const { body } = await fleet.call(last, path, { amountCents: 700 }, bearer);
  await fleet.kill(last);
  await press(fleet, 0, new URL(body.paymentUrl).pathname);
  const startedAt = performance.now();
  await until(async () => (await balanceOf(fleet, bearer)) === before + 700, 40_000);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `killed -9: its session and its top-up go on elsewhere, credited after ${seconds} s`;
}

async function ledger(fleet: Fleet): Promise<string> {
  const found = await verify(fleet.database.db);
  const wrong = found.checks.filter(({ ok }) => !ok);
  assert.deepEqual(wrong, []);
  return `${found.transfers} postings, every balance proved`;
}

// ---- what several checks do

async function mainWallet(fleet: Fleet, bearer: Record<string, string>, cardnumber: number) {
  const { body } = await fleet.call(0, `/api/wallets?cardnumber=${cardnumber}`, undefined, bearer);
  const [wallet] = body.items;
  assert.ok(wallet);
  return wallet;
}

const balanceOf = async (fleet: Fleet, bearer: Record<string, string>) =>
  (await mainWallet(fleet, bearer, cast.guardian.cardnumber)).balanceCents;

async function press(fleet: Fleet, at: number, page: string): Promise<void> {
  await fetch(`${fleet.addresses[at % fleet.addresses.length]}${page}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "outcome=success",
    redirect: "manual",
  });
}

async function inLanes<T, R>(
  lanes: number,
  items: readonly T[],
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const [at, item] of waiting) results.push(await work(item, at));
    }),
  );
  return results;
}

async function until(holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > withinMs) throw new Error("it never came");
    await sleep(20);
  }
}
