// Transfers between the wallets of a family: read the snapshot, decide, post to the ledger, insert.
// Concurrent transfers are gathered into one batch and one transaction; each has its own outcome.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { DatabaseError } from "pg";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { createBatcherPerOwner } from "#server/db/batch.ts";
import { inTx, prepared, type Tx } from "#server/db/db.ts";
import { inPipeline, runPipelined, runPipelinedAndCommit } from "#server/db/pipeline.ts";
import { lockTiesForShare } from "#server/family/family.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  auditAll,
  type AuditLine,
  CodeRequired,
  proofOf,
  requireCode,
} from "#server/identity/identity.ts";
import { post, type Transfer } from "#server/ledger/ledger.ts";
import { type Notice, notifyAll } from "#server/notifications/notifications.ts";
import {
  type TransferCall,
  type Sent,
  readParties,
  locksOf,
  setDecisionPlannerOptions,
  readSnapshots,
  type Snapshot,
  type TransferRequest,
} from "./transfer-reads.ts";
import { outgoingOf } from "./outgoing.ts";
import {
  decide,
  requireAllowed,
  sentBefore,
  type Verdict,
  transferDescription,
} from "./transfer-rules.ts";

type Outcome = PromiseSettledResult<Sent>;

/**
 * Sends purchased money from a wallet of one's own (or of one's child) to the main wallet of a card of the
 * family; amount in cents. From `config.codeFromCents` on, the outgoing money of 24 h included
 * (`outgoingSql`), it requires a code (spec.md 14 and 28). The same Idempotency-Key answers the first
 * outcome; an identical transfer within a minute requires `repeat` (spec.md 15). What `call.settles` names is
 * settled in the same transaction. Refuses as its row lists; a card outside the family is `not_found`.
 */
export async function transfer(deps: Deps, call: TransferCall): Promise<Sent> {
  const { amountCents, challenge } = call.input;
  if (challenge !== undefined || amountCents >= deps.config.codeFromCents) {
    return await transferWithCode(deps, call);
  }
  try {
    return await (call.settles ? transferOne(deps, call) : enqueueTransfer(deps, call));
  } catch (error) {
    if (!(error instanceof CodeRequired)) throw error;
    return await transferWithCode(deps, call);
  }
}

/** With a code: a transfer that would be refused anyway is refused before a code is sent. */
async function transferWithCode(deps: Deps, call: TransferCall): Promise<Sent> {
  const { input, caller } = call;
  const [parties] = await readParties(deps.db, [call]);
  if (!parties) throw new Problem("not_found");
  const request = { call, parties };
  const [snapshot] = await readSnapshots(deps, deps.db, [request]);
  if (snapshot?.before) return sentBefore(request, snapshot.before);
  if (snapshot) requireAllowed(deps, request, snapshot);
  const useCode = await requireCode(deps, caller, {
    purpose: "transfer",
    binding: [input.fromWallet, input.toCardnumber, input.amountCents],
    what: transferDescription(request),
    moneyCents: input.amountCents,
    ...proofOf(input),
  });
  return await transferOne(deps, call, useCode);
}

async function transferOne(
  deps: Deps,
  call: TransferCall,
  useCode?: (tx: Tx) => Promise<void>,
): Promise<Sent> {
  const outcome = await inTx(deps.db, async (tx) => {
    const [only] = await outcomesOf(deps, tx, [call], useCode);
    return only as Outcome;
  });
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

// ---- batches

const enqueueTransfer = createBatcherPerOwner<Deps, TransferCall, Sent>((deps) => ({
  one: (call) => transferOne(deps, call),
  many: (all) => transferBatch(deps, all),
  overlapAfterMs: 2000,
  // Even a single transfer needs fewer round trips that way.
  minBatch: 1,
}));

/**
 * Throws only when certainly nothing of it was committed, so that each may be retried alone. A COMMIT without
 * a clear answer may have happened: then each call gets the database's error, as a single transfer would.
 */
async function transferBatch(deps: Deps, all: readonly TransferCall[]): Promise<Outcome[]> {
  let settled = false;
  try {
    const work = async (tx: Tx) => await outcomesOf(deps, tx, all);
    return await inPipeline(deps.pool, work, () => (settled = true));
  } catch (error) {
    const rolledBack = error instanceof DatabaseError && /^(23|40)/.test(error.code ?? "");
    if (!settled || rolledBack) throw error;
    return all.map(() => rejected(error));
  }
}

/** One outcome each, in their order: calls whose parties the caller may not reach are not found. */
async function outcomesOf(
  deps: Deps,
  tx: Tx,
  all: readonly TransferCall[],
  useCode?: (tx: Tx) => Promise<void>,
): Promise<Outcome[]> {
  const [, parties] = await runPipelined(tx, [
    () => setDecisionPlannerOptions(tx),
    () => readParties(tx, all),
  ]);
  const reached = all.flatMap((call, place) => {
    const found = parties[place];
    return found ? [{ call, parties: found, place }] : [];
  });
  const actions = reached.map(({ call, parties: { fromPersonId } }) => ({
    actor: call.caller.personId,
    owner: fromPersonId,
  }));
  for (const { call } of reached) await call.settles?.lockTies(tx);
  const held = await lockTiesForShare(tx, actions);
  const requests = reached.filter((_, at) => held[at]);
  const going = new Set(requests.map(({ place }) => place));
  const settled = requests.length > 0 ? await settle(deps, tx, requests, useCode) : [];
  return all.map((_, place) =>
    going.has(place) ? (settled.shift() as Outcome) : rejected(new Problem("not_found")),
  );
}

const rejected = (reason: unknown): Outcome => ({ status: "rejected", reason });

// ---- decided and written

/** Decides the requests under their locks and writes the allowed ones; one outcome each, in their order. */
async function settle(
  deps: Deps,
  tx: Tx,
  requests: readonly TransferRequest[],
  useCode?: (tx: Tx) => Promise<void>,
): Promise<Outcome[]> {
  const [, , snapshots] = await runPipelined(tx, [
    ...locksOf(tx, requests),
    // Under the locks: transfers with the same key, or identical recent ones, have committed.
    () => readSnapshots(deps, tx, requests),
  ]);
  for (const { call } of requests) await call.settles?.requireOpen(tx);
  const verdicts = await verdictsOf(deps, tx, requests, snapshots, useCode !== undefined);
  const going = verdicts.filter((verdict) => verdict.do === "send");
  const at = deps.now();
  const sent = new Map(going.map((verdict) => [verdict, toSent(verdict, at)]));
  if (going.length > 0) {
    await useCode?.(tx);
    await writeTransfers(tx, [...sent], at);
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

/**
 * Decides on the upper bound of the outgoing money, and where that would require a code, on the exact sums.
 */
async function verdictsOf(
  deps: Deps,
  tx: Tx,
  requests: readonly TransferRequest[],
  snapshots: readonly Snapshot[],
  approved: boolean,
): Promise<Verdict[]> {
  const first = decide(deps, requests, snapshots, { approved });
  const isNear = (one: Verdict) => one.do === "refuse" && one.why instanceof CodeRequired;
  if (!first.some(isNear)) return first;
  const people = requests.map(({ call }) => call.caller.personId);
  const sums = await outgoingOf(tx, people, deps.now());
  const exact = snapshots.map((one, at) => ({ ...one, outgoingCents: sums[at] as number }));
  return decide(deps, requests, exact, { approved });
}

type AcceptedTransfer = Extract<Verdict, { do: "send" }>;

function toSent({ request: { call, parties }, leftCents }: AcceptedTransfer, at: Date): Sent {
  const { amountCents, toCardnumber } = call.input;
  return {
    id: randomUUID(),
    amountCents,
    toName: parties.toName,
    toCardnumber,
    balanceCents: leftCents,
    at: at.toISOString(),
  };
}

/** None of these statements needs the answer of another: an error in one rolls back all of them. */
async function writeTransfers(
  tx: Tx,
  going: readonly [AcceptedTransfer, Sent][],
  at: Date,
): Promise<void> {
  await runPipelinedAndCommit(tx, [
    () => post(tx, going.map(asPosting(at))),
    () => insertTransfers(tx, going, at).catch(rethrowSharedKey),
    () => auditAll(tx, going.map(asAuditLine(at))),
    () => notifyAll(tx, going.map(asNotice(at))),
    ...going.flatMap(([{ request }, sent]) => {
      const { settles } = request.call;
      return settles ? [() => settles.onSent(tx, sent)] : [];
    }),
  ]);
}

const asPosting =
  (at: Date) =>
  ([{ request }, sent]: [AcceptedTransfer, Sent]): Transfer => ({
    key: `transfer:${sent.id}`,
    debitAccount: request.parties.fromAccount,
    creditAccount: request.parties.toAccount,
    amountCents: sent.amountCents,
    kind: "transfer",
    memo: { from: request.parties.fromName, to: request.parties.toName },
    at,
  });

const asAuditLine =
  (at: Date) =>
  ([{ request }, { amountCents, toCardnumber }]: [AcceptedTransfer, Sent]): AuditLine => ({
    personId: request.call.caller.personId,
    action: "transfer.send",
    actor: "person",
    address: request.call.origin.address,
    details: { amountCents, toCardnumber },
    at,
  });

const asNotice =
  (at: Date) =>
  ([{ request }, sent]: [AcceptedTransfer, Sent]): Notice => ({
    personId: request.parties.toPersonId,
    kind: "transfer",
    title: "Virement reçu",
    body: `${request.parties.fromName} vous a envoyé ${formatMoney(sent.amountCents)}.`,
    path: linkTo(paths.movements, { objectID: request.parties.toObjectId }),
    at,
    changed: ["wallets", "limits"],
    // From a child's wallet to one's own.
    isOwnAct: request.call.caller.personId === request.parties.toPersonId,
    ...request.call.settles?.notice(sent),
  });

async function insertTransfers(
  tx: Tx,
  going: readonly [AcceptedTransfer, Sent][],
  at: Date,
): Promise<void> {
  const column = <T>(read: (one: TransferRequest, sent: Sent) => T) =>
    going.map(([{ request }, sent]) => read(request, sent));
  await sql`${prepared("transfer-lines")}
    insert into wallet_transfer (id, person_id, from_wallet, to_wallet, to_cardnumber, to_name,
      amount_cents, balance_after_cents, idempotency_key, at)
    select s.*, ${at} from unnest(${column((_, sent) => sent.id)}::uuid[],
      ${column(({ call }) => call.caller.personId)}::bigint[],
      ${column(({ parties }) => parties.fromId)}::bigint[], ${column(({ parties }) => parties.toId)}::bigint[],
      ${column((_, sent) => sent.toCardnumber)}::bigint[],
      ${column((_, sent) => sent.toName)}::text[], ${column((_, sent) => sent.amountCents)}::bigint[],
      ${column((_, sent) => sent.balanceCents)}::bigint[],
      ${column(({ call }) => call.key)}::text[]) s`.execute(tx);
}

/** One key for two different transfers at once: the second to be written is refused. */
function rethrowSharedKey(error: unknown): never {
  const broken = (error as { constraint?: string }).constraint;
  throw broken === "wallet_transfer_key" ? new Problem("idempotency_mismatch") : error;
}
