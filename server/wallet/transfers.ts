// Transfers between the wallets of a family: read what stands, refuse, move, write it down. Those of
// one moment are decided and written together; each has its own outcome.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { DatabaseError } from "pg";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { wallets } from "#contract/wallet.ts";
import { batched } from "#server/db/batch.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { auditAll, requireCode } from "#server/identity/identity.ts";
import { post } from "#server/ledger/ledger.ts";
import { notifyAll } from "#server/notifications/notifications.ts";
import { endsOf, lockEnds, readyToDecide, situationsOf, type Wish } from "./transfer-reads.ts";
import { judge, refuse, sentBefore, type Verdict } from "./transfer-rules.ts";

type Wanted = Parsed<typeof wallets.transfer>;
export type Sent = Output<typeof wallets.transfer>;
type Outcome = PromiseSettledResult<Sent>;

export interface Asked {
  caller: Caller;
  origin: Origin;
  wanted: Wanted;
  /** The client's Idempotency-Key. */
  key: string | null;
}

/**
 * Sends purchased money from a wallet of one's own (or of one's child) to the main wallet of a card
 * of the family; amount in cents. From `config.transferCodeFromCents` on it asks for a code (décision
 * 14). The same Idempotency-Key answers the first outcome; an identical transfer within a minute asks
 * for `repeat` (décision 15). Refuses as its row lists; a card outside the family is `not_found`.
 */
export async function transfer(deps: Deps, asked: Asked): Promise<Sent> {
  if (asked.wanted.amountCents < deps.config.transferCodeFromCents) {
    return await withOthers(deps)(asked);
  }
  return await withCode(deps, asked);
}

/** With a code: everything that would be refused anyway is refused before one leaves. */
async function withCode(deps: Deps, asked: Asked): Promise<Sent> {
  const { wanted, caller } = asked;
  const [ends] = await endsOf(deps.db, [asked]);
  if (!ends) throw new Problem("not_found");
  const wish = { asked, ends };
  const [situation] = await situationsOf(deps, deps.db, [wish]);
  if (situation?.before) return sentBefore(wish, situation.before);
  if (situation) refuse(deps, wish, situation);
  const useCode = await requireCode(deps, caller, {
    purpose: "transfer",
    binding: [wanted.fromWallet, wanted.toCardnumber, wanted.amountCents],
    what: `envoyer ${formatMoney(wanted.amountCents)} à ${wish.ends.toName}`,
    challenge: wanted.challenge,
    code: wanted.code,
  });
  return await alone(deps, asked, useCode);
}

async function alone(deps: Deps, asked: Asked, useCode?: (tx: Tx) => Promise<void>): Promise<Sent> {
  const outcome = await inTx(deps.db, async (tx) => {
    const [only] = await outcomesOf(deps, tx, [asked], useCode);
    return only as Outcome;
  });
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

// ---- those of one moment

const gathered = new WeakMap<Deps, (asked: Asked) => Promise<Sent>>();

function withOthers(deps: Deps): (asked: Asked) => Promise<Sent> {
  let send = gathered.get(deps);
  if (!send) {
    send = batched<Asked, Sent>({
      one: (asked) => alone(deps, asked),
      many: (all) => together(deps, all),
      patienceMs: 2000,
    });
    gathered.set(deps, send);
  }
  return send;
}

/**
 * Throws only when nothing of it can have happened, so that each may be tried again alone. A COMMIT
 * that got no clear answer may have happened: then each is told what the database said, as a transfer
 * alone would be.
 */
async function together(deps: Deps, all: readonly Asked[]): Promise<Outcome[]> {
  let settled = false;
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const outcomes = await outcomesOf(deps, tx, all);
      settled = true;
      return outcomes;
    });
  } catch (error) {
    const rolledBack = error instanceof DatabaseError && /^(23|40)/.test(error.code ?? "");
    if (!settled || rolledBack) throw error;
    return all.map(() => rejected(error));
  }
}

/** One outcome each, in their order: those whose ends the caller does not reach are not found. */
async function outcomesOf(
  deps: Deps,
  tx: Tx,
  all: readonly Asked[],
  useCode?: (tx: Tx) => Promise<void>,
): Promise<Outcome[]> {
  await readyToDecide(tx);
  const ends = await endsOf(tx, all);
  const wishes = all.flatMap((asked, place) => {
    const found = ends[place];
    return found ? [{ asked, ends: found }] : [];
  });
  const settled = wishes.length > 0 ? await settle(deps, tx, wishes, useCode) : [];
  return ends.map((found) =>
    found ? (settled.shift() as Outcome) : rejected(new Problem("not_found")),
  );
}

const rejected = (reason: unknown): Outcome => ({ status: "rejected", reason });

// ---- decided and written

/** Decides the wishes under their locks and writes those that go; one outcome each, in their order. */
async function settle(
  deps: Deps,
  tx: Tx,
  wishes: readonly Wish[],
  useCode?: (tx: Tx) => Promise<void>,
): Promise<Outcome[]> {
  await lockEnds(tx, wishes);
  // Under the locks: whoever used the same key, or sent the same a moment ago, has committed.
  const verdicts = judge(deps, wishes, await situationsOf(deps, tx, wishes));
  const going = verdicts.filter((verdict) => verdict.do === "send");
  const at = deps.now();
  const sent = new Map(going.map((verdict) => [verdict, sentNow(verdict, at)]));
  if (going.length > 0) {
    await useCode?.(tx);
    await write(tx, [...sent], at);
  }
  const outcomes: Outcome[] = [];
  for (const verdict of verdicts) {
    if (verdict.do === "refuse") outcomes.push(rejected(verdict.why));
    else if (verdict.do === "copy") outcomes.push(outcomes[verdict.like] as Outcome);
    else {
      const value = verdict.do === "repeat" ? verdict.sent : (sent.get(verdict) as Sent);
      outcomes.push({ status: "fulfilled", value });
    }
  }
  return outcomes;
}

type Going = Extract<Verdict, { do: "send" }>;

function sentNow({ wish: { asked, ends }, leftCents }: Going, at: Date): Sent {
  const { amountCents, toCardnumber } = asked.wanted;
  return {
    id: randomUUID(),
    amountCents,
    toName: ends.toName,
    toCardnumber,
    balanceCents: leftCents,
    at: at.toISOString(),
  };
}

async function write(tx: Tx, going: readonly [Going, Sent][], at: Date): Promise<void> {
  await post(
    tx,
    going.map(([{ wish }, sent]) => ({
      key: `transfer:${sent.id}`,
      debit: wish.ends.fromAccount,
      credit: wish.ends.toAccount,
      amountCents: sent.amountCents,
      kind: "transfer",
      memo: { from: wish.ends.fromName, to: wish.ends.toName },
      at,
    })),
  );
  await writeDown(tx, going, at).catch(refuseSharedKey);
  await auditAll(
    tx,
    going.map(([{ wish }, { amountCents, toCardnumber }]) => ({
      personId: wish.asked.caller.personId,
      action: "transfer.send",
      actor: "person",
      address: wish.asked.origin.address,
      details: { amountCents, toCardnumber },
      at,
    })),
  );
  await notifyAll(
    tx,
    going.map(([{ wish }, { amountCents }]) => ({
      personId: wish.ends.toPersonId,
      kind: "transfer",
      title: "Virement reçu",
      body: `${wish.ends.fromName} vous a envoyé ${formatMoney(amountCents)}.`,
      path: "/dashboard",
      at,
      changed: "wallets",
    })),
  );
}

async function writeDown(tx: Tx, going: readonly [Going, Sent][], at: Date): Promise<void> {
  const column = <T>(read: (one: Wish, sent: Sent) => T) =>
    going.map(([{ wish }, sent]) => read(wish, sent));
  await sql`
    insert into wallet_transfer (id, person_id, from_wallet, to_wallet, to_cardnumber, to_name,
      amount_cents, balance_after_cents, idempotency_key, at)
    select s.*, ${at} from unnest(${column((_, sent) => sent.id)}::uuid[],
      ${column(({ asked }) => asked.caller.personId)}::bigint[],
      ${column(({ ends }) => ends.fromId)}::bigint[], ${column(({ ends }) => ends.toId)}::bigint[],
      ${column((_, sent) => sent.toCardnumber)}::bigint[],
      ${column((_, sent) => sent.toName)}::text[], ${column((_, sent) => sent.amountCents)}::bigint[],
      ${column((_, sent) => sent.balanceCents)}::bigint[],
      ${column(({ asked }) => asked.key)}::text[]) s`.execute(tx);
}

/** One key for two different transfers at once: the second to write it down is the one refused. */
function refuseSharedKey(error: unknown): never {
  const broken = (error as { constraint?: string }).constraint;
  throw broken === "wallet_transfer_key" ? new Problem("idempotency_mismatch") : error;
}
