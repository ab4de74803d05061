// Charging a kept payment method without anybody before a screen, and noting what the provider kept.
import { sql } from "kysely";
import { topUpCan } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { chargeSavedMethod, enqueueCharge } from "./saved-methods.ts";
import { newTopUp } from "./new-top-up.ts";
import type { Provider, ProviderName } from "./provider.ts";
import { applyCharge } from "./reconcile.ts";
import { rows } from "./top-ups.ts";

/** Where a top-up comes from when nobody typed it: `label` is what the movement says. */
export interface Origin {
  kind: "rule" | "link";
  id: string;
  label: string;
}

interface TopUpPlacement {
  walletId: number;
  /** Who pays, or for whom somebody else does. */
  personId: number;
  amountCents: number;
  origin: Origin;
  at: Date;
}

/**
 * Writes down a top-up that is to be paid on the provider's page, in the caller's transaction; gives its
 * id, for `payPlaced`. `keepPaymentMethod` asks there whether the payment method may be kept. The
 * room refuses what it must before.
 */
export async function placeOnPage(
  tx: Tx,
  provider: Provider,
  placing: TopUpPlacement & { returnPath: string; key: string | null; keepPaymentMethod: boolean },
): Promise<string> {
  const { returnPath, key, keepPaymentMethod } = placing;
  return await insert(tx, provider.name, placing, {
    returnPath,
    idempotencyKey: key,
    keepPaymentMethod,
  });
}

/**
 * The same from a kept payment method: the provider is asked by a job, once the transaction has
 * committed.
 */
export async function placeCharge(
  tx: Tx,
  deps: Pick<Deps, "enqueue">,
  placing: TopUpPlacement & { paymentMethodId: string },
): Promise<string> {
  const { provider } = await tx
    .selectFrom("paymentMethod")
    .select("provider")
    .where("id", "=", placing.paymentMethodId)
    .executeTakeFirstOrThrow();
  const id = await insert(tx, provider, placing, { paymentMethodId: placing.paymentMethodId });
  await enqueueCharge(tx, deps, id);
  return id;
}

async function insert(
  tx: Tx,
  provider: ProviderName,
  { walletId, personId, amountCents, origin, at }: TopUpPlacement,
  more: {
    returnPath?: string;
    idempotencyKey?: string | null;
    keepPaymentMethod?: boolean;
    paymentMethodId?: string;
  },
): Promise<string> {
  const row = newTopUp(
    { walletId, personId, amountCents, provider, at },
    { origin: origin.kind, originId: origin.id, originLabel: origin.label, ...more },
  );
  await tx.insertInto("topUp").values(row).execute();
  return row.id;
}

type FindProvider = (name: ProviderName) => Provider | null;

/**
 * Charges a top-up placed on a kept payment method: under its own id, so that a second try after a
 * lost answer finds what the first one did. Throws when the provider is out of reach: the queue
 * tries again.
 */
export async function chargePlaced(deps: Deps, named: FindProvider, id: string): Promise<void> {
  const topUp = await rows(deps.db).where("t.id", "=", id).executeTakeFirst();
  if (!topUp || !topUpCan.pay(topUp)) return;
  const provider = named(topUp.provider);
  const charge = provider && (await chargeSavedMethod(deps, provider, id));
  if (charge) await applyCharge(deps, provider, charge);
}

/**
 * Asks the provider what it kept when this top-up was paid, and writes it down; null when it was not
 * allowed to. Asked twice, it is one payment method.
 */
export async function savePaymentMethod(
  deps: Deps,
  named: FindProvider,
  topUpId: string,
): Promise<string | null> {
  const topUp = await rows(deps.db).where("t.id", "=", topUpId).executeTakeFirstOrThrow();
  const method = topUp.providerRef && (await named(topUp.provider)?.savedMethod(topUp.providerRef));
  if (!method) return null;
  const { id } = await query(deps.db).one(sql<{ id: string }>`
    insert into payment_method (person_id, provider, customer, ref, label, kept_at)
    values (${topUp.payerId}, ${topUp.provider}, ${method.customer}, ${method.ref}, ${method.label},
      ${deps.now()})
    on conflict (provider, ref) do update set label = excluded.label
    returning id`);
  return id;
}
