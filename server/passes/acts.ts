// What a person does with a pass: shows its QR, suspends it for the holidays, resumes it, has it made
// again when it is lost.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { passCan } from "#contract/pass-states.ts";
import { type Pass, type passes } from "#contract/passes.ts";
import { Problem } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { audit } from "#server/identity/identity.ts";
import {
  addDays,
  mainGroup,
  parisDay,
  schemeAccount,
  spend,
  startOfDay,
  walletOf,
} from "#server/wallet/wallet.ts";
import {
  anyPass,
  daysBetween,
  duplicateCents,
  lockedPass,
  passOf,
  passSeen,
  type PassRow,
  suspensionLeft,
} from "./list.ts";
import { requireCardInUse } from "./people.ts";
import { makePassQr } from "./qr.ts";
import { tell } from "./tell.ts";

/** Who acts, on which pass, and from where. */
export interface Act {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: { pass: string };
}

/** The signed token of a pass that rides or will; only while the holder's card is in use. */
export async function qrOfPass({ deps, caller, input }: Act): Promise<Output<typeof passes.qr>> {
  const row = await passOf(deps.db, caller.personId, input.pass, deps.now());
  if (!passCan.show(row)) throw new Problem("pass_state");
  await requireCardInUse(deps.db, row.holderId);
  const { id, revision, validFrom: from, validUntil: until } = row;
  return {
    token: await makePassQr(deps.db, { passId: id, revision, from, until }),
    validFrom: from.toISOString(),
    validUntil: until.toISOString(),
  };
}

/**
 * Suspends a pass from now on, today counted: it rides no more until it is resumed, at the latest when
 * its days of suspension are spent. Refuses `pass_no_suspension`, `pass_suspension_spent`, `pass_state`.
 */
export function suspendPass(act: Act): Promise<Pass> {
  const { deps, caller, input } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockedPass(tx, caller.personId, input.pass, at);
    if (row.mostDays === 0) throw new Problem("pass_no_suspension");
    if (!passCan.suspend(row)) throw new Problem("pass_state");
    const left = suspensionLeft(row, parisDay(at));
    if (left === 0) throw new Problem("pass_suspension_spent", { most: row.mostDays });
    // The QR that is out there no longer rides: the next one bears another revision.
    await sql`update pass set state = 'suspended', suspended_on = ${parisDay(at)},
      qr_revision = qr_revision + 1 where id = ${row.id}`.execute(tx);
    await record(tx, act, row, "pass.suspend", at);
    const days = left === 1 ? "1 jour" : `${left} jours`;
    const what = `est suspendu. Il reprend quand vous le voulez, au plus tard dans ${days}.`;
    await tell(tx, deps, { ...news(row), title: "Titre suspendu", what, at });
    return passSeen(await passOf(tx, caller.personId, row.id, at), at);
  });
}

/** Resumes a suspended pass; its end is put off by the days that it slept. */
export function resumePass(act: Act): Promise<Pass> {
  const { deps, caller, input } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockedPass(tx, caller.personId, input.pass, at);
    if (!passCan.resume(row)) throw new Problem("pass_state");
    await wake(tx, deps, row, at);
    await record(tx, act, row, "pass.resume", at);
    return passSeen(await passOf(tx, caller.personId, row.id, at), at);
  });
}

/** Resumes a locked row: by its holder, or by the job when its days are spent. */
export async function wake(tx: Tx, deps: Deps, row: PassRow, at: Date): Promise<void> {
  if (row.suspendedOn === null) return;
  const slept = daysBetween(row.suspendedOn, parisDay(at));
  const days = Math.min(Math.max(0, slept), row.mostDays - row.suspendedDays);
  // Days in Paris: the end stays at midnight when the clocks change in between.
  const endDay = addDays(parisDay(row.validUntil), days);
  const until = startOfDay(endDay);
  await sql`update pass set state = 'active', suspended_on = null,
    suspended_days = suspended_days + ${days}, valid_until = ${until} where id = ${row.id}`.execute(
    tx,
  );
  const last = addDays(endDay, -1).split("-").toReversed().join("/");
  const what = `est de nouveau valable, jusqu’au ${last}.`;
  await tell(tx, deps, { ...news(row), title: "Titre repris", what, at });
}

/**
 * Makes a lost pass again: the old one is replaced and its QR refused at once, the new one has what was
 * left of it. The fee, in cents, must be the one that was shown; it is paid from `wallet`. The same
 * Idempotency-Key answers the same duplicate.
 */
export async function duplicatePass(
  act: Act & { input: Parsed<typeof passes.duplicate>; key: string | null },
): Promise<Pass> {
  const { deps, caller, input, key } = act;
  const wallet = input.wallet ? await walletOf(deps, caller.personId, input.wallet) : null;
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockedPass(tx, caller.personId, input.pass, at);
    const made = key === null ? null : await madeUnder(tx, row.id, `${caller.personId}:${key}`, at);
    if (made) return passSeen(made, at);
    if (!passCan.duplicate(row)) throw new Problem("pass_state");
    const fee = duplicateCents(row);
    if (fee !== input.feeCents) throw new Problem("pass_price_changed", { totalCents: fee });
    if (fee > 0) await payFee(tx, row, { wallet, fee, at });
    const id = randomUUID();
    await sql`
      insert into pass (id, holder_id, order_id, product_id, name, state, valid_from, valid_until,
        stop_id, stop_name, suspended_on, suspended_days, duplicates, replaces, asked_key, created_at)
      select ${id}, holder_id, order_id, product_id, name, ${row.state}, valid_from, valid_until,
        stop_id, stop_name, suspended_on, suspended_days, duplicates + 1, id,
        ${key === null ? null : `${caller.personId}:${key}`}, ${at} from pass
      where id = ${row.id}`.execute(tx);
    await sql`update pass set state = 'replaced', suspended_on = null where id = ${row.id}`.execute(
      tx,
    );
    await record(tx, act, row, "pass.duplicate", at);
    const what = "est remplacé par un duplicata. L’ancien QR code est refusé dès maintenant.";
    await tell(tx, deps, { ...news(row), passId: id, title: "Duplicata prêt", what, at });
    return passSeen(await passOf(tx, caller.personId, id, at), at);
  });
}

async function madeUnder(tx: Tx, oldId: string, key: string, at: Date) {
  const { rows } = await sql<{ id: string }>`
    select id from pass where replaces = ${oldId} and asked_key = ${key}`.execute(tx);
  return rows[0] ? await anyPass(tx, rows[0].id, at) : undefined;
}

async function payFee(
  tx: Tx,
  row: PassRow,
  { wallet, fee, at }: { wallet: { id: number; groupId: number } | null; fee: number; at: Date },
): Promise<void> {
  if (wallet?.groupId !== mainGroup && wallet?.groupId !== row.groupId) {
    throw new Problem("pass_wallet");
  }
  await spend(tx, {
    walletId: wallet.id,
    amountCents: fee,
    to: await schemeAccount(tx, "transport"),
    kind: "purchase",
    key: `pass-duplicate:${row.id}`,
    memo: { label: `Duplicata, ${row.name}, ${row.holder}` },
    at,
  });
}

const news = ({ holderId, name, groupId, id }: PassRow) => ({
  holderId,
  name,
  groupId,
  passId: id,
});

async function record(tx: Tx, { caller, origin }: Act, row: PassRow, action: string, at: Date) {
  await audit(tx, {
    personId: row.holderId,
    action,
    actor: row.holderId === caller.personId ? "person" : `guardian:${caller.personId}`,
    address: origin.address,
    details: { name: row.name },
    at,
  });
}
