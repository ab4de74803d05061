// Off-session charges of a saved payment method, and saving the method with which a top-up was paid.
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

/** Origin of a top-up that nobody typed: `label` is the text of the movement. */
export interface Origin {
  kind: "rule" | "link";
  id: string;
  label: string;
}

interface TopUpPlacement {
  walletId: number;
  /** The payer, or the person for whom somebody else pays. */
  personId: number;
  amountCents: number;
  origin: Origin;
  at: Date;
}

/**
 * Writes a top-up that is to be paid on the provider's page, in the caller's transaction; gives its id, for
 * `payPlaced`. With `keepPaymentMethod` the page asks whether the payment method may be saved. The room
 * checks its own rules before.
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

/** The same with a saved payment method: a job asks the provider, once the transaction has committed. */
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
 * Charges a top-up placed on a saved payment method: under its own id, so that a retry after a lost answer
 * finds the first charge. Throws when the provider is out of reach: the queue tries again.
 */
export async function chargePlaced(
  deps: Deps,
  findProvider: FindProvider,
  id: string,
): Promise<void> {
  const topUp = await rows(deps.db).where("t.id", "=", id).executeTakeFirst();
  if (!topUp || !topUpCan.pay(topUp)) return;
  const provider = findProvider(topUp.provider);
  const charge = provider && (await chargeSavedMethod(deps, provider, id));
  if (charge) await applyCharge(deps, provider, charge);
}

/**
 * Asks the provider for the payment method saved when this top-up was paid, and stores it; null when saving
 * was not allowed. Called twice, it stores one payment method.
 */
export async function savePaymentMethod(
  deps: Deps,
  findProvider: FindProvider,
  topUpId: string,
): Promise<string | null> {
  const topUp = await rows(deps.db).where("t.id", "=", topUpId).executeTakeFirstOrThrow();
  const method =
    topUp.providerRef && (await findProvider(topUp.provider)?.savedMethod(topUp.providerRef));
  if (!method) return null;
  const { id } = await query(deps.db).one(sql<{ id: string }>`
    insert into payment_method (person_id, provider, customer, ref, label, saved_at)
    values (${topUp.payerId}, ${topUp.provider}, ${method.customer}, ${method.ref}, ${method.label},
      ${deps.now()})
    on conflict (provider, ref) do update set label = excluded.label
    returning id`);
  return id;
}
