// Actions of a holder on a pass: show its QR code, suspend and resume it, replace a lost one.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { addDays, daysBetween, parisDay, startOfDay } from "#contract/days.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { passCan } from "#contract/passes/states.ts";
import type { Pass, passes } from "#contract/passes/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import { requireNotMinor } from "#server/family/family.ts";
import { auditAct, proofOf } from "#server/identity/identity.ts";
import { lockTiesOfWallets, schemeAccount, spend, walletOf } from "#server/wallet/wallet.ts";
import { codeSigner, revokeCodes } from "#server/signed-codes/signed-codes.ts";
import { withApproval, requireAccepted, requireSamePrice } from "#server/checkout/checkout.ts";
import {
  duplicateCents,
  lockPassOf,
  readPassOf,
  toPassView,
  type PassRow,
  suspensionLeft,
  requireCardInUse,
} from "./pass-rows.ts";
import { announcePass } from "./announcements.ts";

type PassCall = AuditedCall<{ pass: string }>;

/** Signed QR token of a valid or future pass; only while the holder's card is in use. */
export async function qrOfPass({
  deps,
  caller,
  input,
}: PassCall): Promise<Output<typeof passes.qr>> {
  const row = await readPassOf(deps.db, caller.personId, input.pass, deps.now());
  if (!passCan.show(row)) throw new Problem("pass_state");
  requireCardInUse(row);
  return {
    token: (await passCode(deps.db))(row),
    validFrom: row.validFrom.toISOString(),
    validUntil: row.validUntil.toISOString(),
  };
}

/** Makes a function that signs the QR token of a pass, so that a list of passes reads the key once. */
export async function passCode(db: Db): Promise<(row: PassRow) => string> {
  const sign = await codeSigner(db, "pass");
  return ({ id, revision, validFrom: from, validUntil: until }) =>
    sign({ id, revision, from, until });
}

/**
 * Suspends a pass from now on, today included: it is not valid until it is resumed, at the latest when
 * its days of suspension are used up. Refuses `pass_no_suspension`, `pass_suspension_spent`, `pass_state`.
 */
export function suspendPass(call: PassCall): Promise<Pass> {
  const { deps, caller, input } = call;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockPassOf(tx, caller.personId, input.pass, at);
    if (row.maxDays === 0) throw new Problem("pass_no_suspension");
    if (!passCan.suspend(row)) throw new Problem("pass_state");
    const left = suspensionLeft(row, parisDay(at));
    if (left === 0) throw new Problem("pass_suspension_spent", { max: row.maxDays });
    // Copies of the QR code must be refused: the next one bears a higher revision.
    await sql`update pass set state = 'suspended', suspended_on = ${parisDay(at)},
      qr_revision = qr_revision + 1 where id = ${row.id}`.execute(tx);
    const { id, revision, validUntil: until } = row;
    await revokeCodes(tx, "pass", [{ id, firstGood: revision + 1, until }]);
    await auditPass(tx, call, row, "pass.suspend", at);
    const days = left === 1 ? "1 jour" : `${left} jours`;
    const what = `est suspendu. Il reprend quand vous le voulez, au plus tard dans ${days}.`;
    await announcePass(tx, deps, { ...toPassNews(row), title: "Titre suspendu", what, at });
    return toPassView(await readPassOf(tx, caller.personId, row.id, at), at);
  });
}

/**
 * Resumes a suspended pass; its end is postponed by the suspended days. For a child's pass only a guardian
 * may: `family_minor`.
 */
export function resumePass(call: PassCall): Promise<Pass> {
  const { deps, caller, input } = call;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockPassOf(tx, caller.personId, input.pass, at);
    if (!passCan.resume(row)) throw new Problem("pass_state");
    await requireNotMinor(tx, { actor: caller.personId, owner: row.holderId });
    await endSuspension(tx, deps, row, at);
    await auditPass(tx, call, row, "pass.resume", at);
    return toPassView(await readPassOf(tx, caller.personId, row.id, at), at);
  });
}

/** Ends the suspension of a locked row: for its holder, or for the job when its days are used up. */
export async function endSuspension(tx: Tx, deps: Deps, row: PassRow, at: Date): Promise<void> {
  if (row.suspendedOn === null) return;
  const elapsedDays = daysBetween(row.suspendedOn, parisDay(at));
  const days = Math.min(Math.max(0, elapsedDays), row.maxDays - row.suspendedDays);
  // Days in Paris: the end stays at midnight when the clocks change in between.
  const endDay = addDays(parisDay(row.validUntil), days);
  const until = startOfDay(endDay);
  await sql`update pass set state = 'active', suspended_on = null,
    suspended_days = suspended_days + ${days}, valid_until = ${until} where id = ${row.id}`.execute(
    tx,
  );
  const last = addDays(endDay, -1).split("-").toReversed().join("/");
  const what = `est de nouveau valable, jusqu’au ${last}.`;
  await announcePass(tx, deps, { ...toPassNews(row), title: "Titre repris", what, at });
}

/**
 * Replaces a lost pass: its QR code is refused at once, the duplicate keeps the remaining validity.
 * The fee, in cents, must be the one that was shown; it is paid from `wallet`. The same
 * Idempotency-Key answers the same duplicate.
 */
export async function duplicatePass(
  call: PassCall & { input: Parsed<typeof passes.duplicate>; key: string | null },
): Promise<Pass> {
  const { deps, caller, input, key } = call;
  const { wallet: objectID, feeCents } = input;
  const binding = ["pass-duplicate", input.pass, feeCents, objectID ?? null];
  let made = input.pass;
  const admit = async (tx: Tx) => {
    if (objectID) await lockTiesOfWallets(tx, caller.personId, [objectID]);
  };
  const approval = { caller, purpose: "payment" as const, binding, admit, ...proofOf(input) };
  await withApproval(deps, approval, async (tx) => {
    const at = deps.now();
    const wallet = objectID
      ? await walletOf({ db: tx, now: deps.now }, caller.personId, objectID)
      : null;
    const row = await lockPassOf(tx, caller.personId, input.pass, at);
    const before =
      key === null ? null : await findDuplicate(tx, row.id, `${caller.personId}:${key}`);
    if (before) {
      made = before;
      return null;
    }
    if (!passCan.duplicate(row)) throw new Problem("pass_state");
    requireSamePrice(feeCents, duplicateCents(row));
    if (feeCents > 0) await payDuplicateFee(tx, row, { wallet, feeCents, at });
    made = await replacePass(tx, row, { key: key && `${caller.personId}:${key}`, at });
    await revokeCodes(tx, "pass", [{ id: row.id, firstGood: 0, until: row.validUntil }]);
    await auditPass(tx, call, row, "pass.duplicate", at);
    const what = "est remplacé par un duplicata. L’ancien QR code est refusé dès maintenant.";
    await announcePass(tx, deps, {
      ...toPassNews(row),
      passId: made,
      title: "Duplicata prêt",
      what,
      at,
    });
    return { amountCents: feeCents, what: `payer ${formatMoney(feeCents)} pour un duplicata` };
  });
  const at = deps.now();
  return toPassView(await readPassOf(deps.db, caller.personId, made, at), at);
}

async function replacePass(
  tx: Tx,
  row: PassRow,
  { key, at }: { key: string | null; at: Date },
): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into pass (id, holder_id, order_id, product_id, name, state, valid_from, valid_until,
      stop_id, stop_name, suspended_on, suspended_days, duplicates, replaces, idempotency_key, created_at)
    select ${id}, holder_id, order_id, product_id, name, ${row.state}, valid_from, valid_until,
      stop_id, stop_name, suspended_on, suspended_days, duplicates + 1, id, ${key}, ${at} from pass
    where id = ${row.id}`.execute(tx);
  await sql`update pass set state = 'replaced', suspended_on = null where id = ${row.id}`.execute(
    tx,
  );
  return id;
}

async function findDuplicate(tx: Tx, oldId: string, key: string): Promise<string | null> {
  const found = await query(tx).maybeOne(sql<{ id: string }>`
    select id from pass where replaces = ${oldId} and idempotency_key = ${key}`);
  return found?.id ?? null;
}

async function payDuplicateFee(
  tx: Tx,
  row: PassRow,
  paying: { wallet: { id: number; groupId: number } | null; feeCents: number; at: Date },
): Promise<void> {
  const { wallet, feeCents: amountCents, at } = paying;
  if (!wallet) throw new Problem("wallet_not_accepted");
  requireAccepted(wallet, row.groupId);
  await spend(tx, {
    walletId: wallet.id,
    amountCents,
    to: await schemeAccount(tx, "transport"),
    kind: "purchase",
    key: `pass-duplicate:${row.id}`,
    memo: { label: `Duplicata, ${row.name}, ${row.holder}` },
    at,
  });
}

const toPassNews = ({ holderId, name, groupId, id }: PassRow) => ({
  holderId,
  name,
  groupId,
  passId: id,
});

async function auditPass(
  tx: Tx,
  { caller, origin }: PassCall,
  row: PassRow,
  action: string,
  at: Date,
) {
  await auditAct(tx, { caller, origin }, action, {
    personId: row.holderId,
    details: { name: row.name },
    at,
  });
}
