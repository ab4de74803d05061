// Top-ups: limits, the start at the provider, the code for large ones, what is read of them.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths, searchNames } from "#contract/paths.ts";
import {
  type OrderKind,
  type payments,
  type TopUp,
  topUpCan,
  type TopUpState,
} from "#contract/payments/rows.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf, mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { CodeRequired, proofOf, withCodeOnDemand } from "#server/identity/identity.ts";
import { lockOutgoing, walletOf } from "#server/wallet/wallet.ts";
import { requireWithinCap } from "./cap.ts";
import { owedOf, owedSql } from "./debts.ts";
import { enqueueCharge, paymentMethodsOf } from "./saved-methods.ts";
import { newTopUp } from "./new-top-up.ts";
import type { Provider, ProviderName } from "./provider.ts";

export type Started = Output<typeof payments.startTopUp>;

interface TopUpInput {
  objectID: string;
  amountCents: number;
  paymentMethod?: string | undefined;
  keep?: boolean | undefined;
  challenge?: string | undefined;
  code?: string | undefined;
}

/** A top-up as the room reads it. */
export interface TopUpRow {
  id: string;
  walletId: number;
  state: TopUpState;
  amountCents: number;
  createdAt: Date;
  reason: string | null;
  paymentPath: string | null;
  provider: ProviderName;
  providerRef: string | null;
  objectID: string;
  name: string;
  slug: string;
  idgroup: number;
  cardnumber: number;
  ownerName: string;
  creditedAt: Date | null;
  owedCents: number;
  frozen: boolean;
  payerId: number;
  orderKind: OrderKind | null;
  orderId: string | null;
  orderLabel: string | null;
  orderPath: string | null;
  orderRevision: number | null;
  orderOutcome: "settled" | "unapplied" | null;
  keepPaymentMethod: boolean;
  /** The saved payment method that is charged for it, null where it is paid on the provider's page. */
  paymentMethodId: string | null;
  /** The part beyond the wallet's cap, which is refunded to the payer. */
  returnCents: number;
  returnPath: string | null;
  /** The holds on wallets for its order now. */
  holds: TopUp["holds"];
}

/**
 * Starts a top-up of a wallet of one's own or of one's child, amount in cents, and answers where to pay;
 * nowhere when a saved payment method is charged. The same Idempotency-Key answers the same top-up (spec.md
 * 15). Throws `amount_too_small`, `amount_too_large`, `wallet_cap`, `top_ups_started`, `wallet_frozen`,
 * `idempotency_mismatch`, `payment_provider_down`, `payments_off`, `payment_method_gone`, and `family_minor`
 * for a person with a guardian who would save one.
 */
export async function startTopUp(
  deps: Deps,
  provider: Provider | null,
  call: { caller: Caller; input: TopUpInput; key: string | null; siteOrigin: string },
): Promise<Started> {
  const { caller, input, key, siteOrigin } = call;
  const wallet = await walletOf(deps, caller.personId, input.objectID);
  const known = key === null ? null : await topUpUnder(deps.db, caller.personId, key);
  if (!known) await requireStartable(deps, wallet, input.amountCents);
  if (!provider) throw new Problem("payments_off");
  if (!known) await requireUsableMethod(deps.db, caller.personId, input);
  const topUp = known ?? (await begin(deps, provider, call, wallet));
  const same =
    topUp.walletId === wallet.id &&
    topUp.amountCents === input.amountCents &&
    topUp.paymentMethodId === (input.paymentMethod ?? null);
  if (!same) throw new Problem("idempotency_mismatch");
  return await startedOf(deps, provider, topUp, siteOrigin);
}

/** Where to pay a top-up that waits for it, its charge opened the first time; else its state alone. */
export async function startedOf(
  deps: Deps,
  provider: Provider,
  topUp: TopUpRow,
  siteOrigin: string,
): Promise<Started> {
  const { id, state, amountCents } = topUp;
  const payable = topUpCan.pay(topUp) && topUp.paymentMethodId === null;
  if (!payable) return { id, state, amountCents, paymentUrl: null };
  const path = topUp.paymentPath ?? (await openCharge(deps, provider, topUp));
  return { id, state, amountCents, paymentUrl: new URL(path, siteOrigin).href };
}

/** The period over which the top-ups that a person started are summed. */
const spanMs = 24 * 3_600_000;

/**
 * From `config.topUpCodeFromCents` on, with the caller's top-ups of the last 24 h counted, a code must
 * approve it (spec.md 14 and 28); the code is consumed in the same transaction. The wallet is locked while
 * its cap and the sum are read.
 */
async function begin(
  deps: Deps,
  provider: Provider,
  call: { caller: Caller; input: TopUpInput; key: string | null },
  wallet: { id: number },
): Promise<TopUpRow> {
  const { caller, input } = call;
  const { objectID, amountCents } = input;
  const order = { ...call, walletId: wallet.id };
  const approval = { purpose: "top_up" as const, binding: [objectID, amountCents] };
  return await withCodeOnDemand(deps, caller, { ...approval, ...proofOf(input) }, (useCode) =>
    inTx(deps.db, async (tx) => {
      await lockOutgoing(tx, { personIds: [caller.personId], walletIds: [wallet.id] });
      const again = call.key && (await topUpUnder(tx, caller.personId, call.key));
      if (again) return again;
      await requireWithinCap(tx, deps.config, { walletId: wallet.id, amountCents });
      const startedCents = useCode ? 0 : await recentTopUpCents(deps, tx, caller.personId);
      if (startedCents + amountCents >= deps.config.topUpCodeFromCents && !useCode) {
        throw new CodeRequired(`recharger ${formatMoney(amountCents)}`, amountCents);
      }
      await useCode?.(tx);
      return await insert(deps, tx, provider, order);
    }),
  );
}

/** Cents of the top-ups that a person started in the last 24 h and that have not failed. */
async function recentTopUpCents(deps: Deps, db: Db, personId: number): Promise<number> {
  const { cents } = await db
    .selectFrom("topUp")
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as("cents"))
    .where("personId", "=", personId)
    .where("createdAt", ">", new Date(deps.now().getTime() - spanMs))
    .where("state", "in", ["initiated", "authorized", "credited", "review"])
    // Payments of orders, and top-ups by a rule or a link, were approved in their own way.
    .where("orderId", "is", null)
    .where("origin", "is", null)
    .executeTakeFirstOrThrow();
  return cents;
}

async function requireStartable(
  { config, db }: Deps,
  wallet: Awaited<ReturnType<typeof walletOf>>,
  amountCents: number,
): Promise<void> {
  const { topUpMinCents: min, topUpMaxCents: max } = config;
  if (amountCents < min) throw new Problem("amount_too_small", { min: formatMoney(min) });
  if (amountCents > max) throw new Problem("amount_too_large", { max: formatMoney(max) });
  if (wallet.frozen) throw new Problem("wallet_frozen");
  await requireWithinCap(db, config, { walletId: wallet.id, amountCents });
}

/** A payment method is charged by the person who saved it, and a minor saves none. */
async function requireUsableMethod(db: Db, personId: number, { paymentMethod, keep }: TopUpInput) {
  if (paymentMethod) {
    const methods = await paymentMethodsOf(db, personId);
    if (!methods.some(({ id }) => id === paymentMethod)) throw new Problem("payment_method_gone");
  }
  if (keep && (await guardiansOf(db, personId)).length > 0) throw new Problem("family_minor");
}

async function insert(
  deps: Deps,
  tx: Tx,
  provider: Provider,
  call: { caller: Caller; input: TopUpInput; key: string | null; walletId: number },
): Promise<TopUpRow> {
  const { caller, input, key, walletId } = call;
  const { amountCents } = input;
  const row = newTopUp(
    {
      walletId,
      personId: caller.personId,
      amountCents,
      provider: provider.name,
      at: deps.now(),
    },
    {
      idempotencyKey: key,
      paymentMethodId: input.paymentMethod ?? null,
      keepPaymentMethod: input.keep ?? false,
    },
  );
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto("topUp")
    .values(row)
    .onConflict((conflict) => conflict.constraint("top_up_key").doNothing())
    .executeTakeFirstOrThrow();
  if (input.paymentMethod && inserted) await enqueueCharge(tx, deps, row.id);
  // Of two concurrent calls with one key, both find the row that was first.
  const found =
    key === null ? await topUpBy(tx, row.id) : await topUpUnder(tx, caller.personId, key);
  return found as TopUpRow;
}

/**
 * Outside any transaction: a provider may be slow, and may have opened the charge although its answer was
 * lost.
 */
async function openCharge(deps: Deps, provider: Provider, topUp: TopUpRow): Promise<string> {
  const { id, amountCents, orderLabel: label, keepPaymentMethod: keep } = topUp;
  const charge = await provider
    .start({ reference: id, amountCents, label, keep, returnPath: followedAt(topUp) })
    .catch((error: unknown) => {
      deps.log.warn({ err: error, topUp: id }, "the payment provider did not answer");
      throw new Problem("payment_provider_down");
    });
  await deps.db
    .updateTable("topUp")
    .set({ providerRef: charge.ref, paymentUrl: charge.path, updatedAt: deps.now() })
    .where("id", "=", id)
    .where("providerRef", "is", null)
    .execute();
  return charge.path;
}

/** The page on which a payment's progress is shown: that of its order, or of its wallet. */
export function followedAt(topUp: {
  id: string;
  objectID: string;
  slug: string;
  idgroup: number;
  orderPath: string | null;
  returnPath: string | null;
}): string {
  const { id, objectID, slug, idgroup } = topUp;
  const own = topUp.orderPath ?? topUp.returnPath;
  if (own !== null) return `${own}${own.includes("?") ? "&" : "?"}${searchNames.payment}=${id}`;
  return linkTo(paths.topUp, { objectID, name: slug, idgroup }, { topUp: id });
}

/** Query of top-ups, to be narrowed by the caller. */
export const rows = (db: Db) =>
  db
    .selectFrom("topUp as t")
    .innerJoin("wallet as w", "w.id", "t.walletId")
    .innerJoin("person as p", "p.id", "w.personId")
    .select(["t.id", "t.walletId", "t.state", "t.amountCents"])
    .select(["t.createdAt", "t.reason", "t.paymentUrl as paymentPath", "t.provider"])
    .select(["t.providerRef", "t.creditedAt"])
    .select(["w.objectId as objectID", "w.name", "w.slug", "w.groupId as idgroup"])
    .select(["p.name as ownerName", "t.personId as payerId", "t.orderKind"])
    .select(["t.orderId", "t.orderLabel", "t.orderPath"])
    .select([
      "t.orderRevision",
      "t.orderOutcome",
      "t.keepPaymentMethod",
      "t.paymentMethodId",
      "t.returnCents",
    ])
    .select("t.returnPath")
    .select(holdsSql.as("holds"))
    .select(owedSql.as("owedCents"))
    .select(sql<boolean>`w.frozen_at is not null`.as("frozen"))
    .select(sql<number>`(select number from current_card(w.person_id))`.as("cardnumber"));

const holdsSql = sql<TopUp["holds"]>`(select coalesce(json_agg(json_build_object(
    'objectID', part.id, 'name', part.name, 'amountCents', part.cents) order by part.place), '[]')
  from (select x.object_id as id, x.name || ', ' || o.name as name, sum(h.amount) as cents,
      min(h.id) as place
    from hold h join wallet_lot l on l.account_id = h.debit_account
    join wallet x on x.id = l.wallet_id join person o on o.id = x.person_id
    where h.id = any (t.hold_ids) and h.state = 'pending' group by 1, 2) part)`;

const topUpBy = async (db: Db, id: string): Promise<TopUpRow | undefined> =>
  await rows(db).where("t.id", "=", id).executeTakeFirst();

const topUpUnder = async (db: Db, personId: number, key: string): Promise<TopUpRow | undefined> =>
  await rows(db)
    .where("t.personId", "=", personId)
    .where("t.idempotencyKey", "=", key)
    .executeTakeFirst();

/** A top-up of a wallet that the caller may read; else `not_found`. */
export async function topUpOf(deps: Deps, personId: number, id: string): Promise<TopUpRow> {
  const row = await rows(deps.db)
    .where("t.id", "=", id)
    .where(mayActFor(personId, sql.ref("w.person_id")))
    .executeTakeFirst();
  if (!row) throw new Problem("not_found");
  return row;
}

/** The last twenty top-ups of a wallet, newest first, and the debt of all of them, in cents. */
export async function topUpsOf(
  deps: Deps,
  personId: number,
  objectID: string,
): Promise<{ latest: TopUpRow[]; owedCents: number }> {
  const wallet = await walletOf(deps, personId, objectID);
  const [latest, owedCents] = await Promise.all([
    rows(deps.db)
      .where("t.walletId", "=", wallet.id)
      .orderBy("t.createdAt", "desc")
      .orderBy("t.id")
      .limit(20)
      .execute(),
    owedOf(deps.db, sql`w.id = ${wallet.id}`),
  ]);
  return { latest, owedCents };
}
