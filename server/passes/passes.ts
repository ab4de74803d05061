// Transport passes: the products of a line group and their price for a person, the purchase, the pass with
// its states and its signed QR. Refuses a second pass of a kind while one is valid, a price other than the
// one shown, and any pass or purchase that is not the caller's or their child's.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type * as z from "zod/mini";
import { parisDay } from "#contract/days.ts";
import { collect } from "#server/checkout/checkout.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OpposedCard } from "#server/cards/cards.ts";
import { type Revocation, revokeCodes } from "#server/signed-codes/signed-codes.ts";
import { fareFile, loadFares, productOf } from "./catalogue.ts";
import { updatePassStates } from "./jobs.ts";
import { lockOrder, quoteNow } from "./orders.ts";
import { createPass, passSale } from "./sale.ts";

export { runsNetwork } from "./control.ts";
export {
  onPassPriced,
  onSharedPassBought,
  type SharedFare,
  type SharedPurchase,
} from "./employer-share.ts";
export { lastDayOf } from "./validity.ts";
/** A file of fares: each group of lines with what it sells, in the order of the screen. */
export type FareFile = z.input<typeof fareFile>;

/** At an opposition every QR shown so far is refused; the passes wait for the next card. */
export async function revokePassQrs(
  tx: Tx,
  _deps: unknown,
  { personId }: OpposedCard,
): Promise<void> {
  const { rows } = await sql<Revocation>`update pass set qr_revision = qr_revision + 1
    where holder_id = ${personId} and state in ('pending', 'active', 'suspended')
    returning id, qr_revision as first_good, valid_until as until`.execute(tx);
  await revokeCodes(tx, "pass", rows);
}

/** Puts fares on sale, as the operator's file defines them (see `loadFares`). */
export async function putOnSale(tx: Tx, fares: FareFile): Promise<void> {
  await loadFares(tx, fareFile.parse(fares));
}

/**
 * Sells a pass at a given instant, paid from a wallet: for the demo scheme, which simulates months of
 * purchases. It asks for no code and notifies nobody; the price is that of the day. Gives the purchase.
 */
export async function sellPass(
  tx: Tx,
  input: {
    personId: number;
    holderId: number;
    product: string;
    startOn: string;
    walletId: number;
    at: Date;
    /** Credits the price, in cents, before it is spent. */
    fund: (cents: number) => Promise<void>;
  },
): Promise<{ orderId: string; passId: string }> {
  const { personId, holderId, startOn, walletId, at } = input;
  const orderId = randomUUID();
  await sql`
    insert into pass_order (id, person_id, holder_id, product_id, state, start_on, created_at,
      updated_at)
    values (${orderId}, ${personId}, ${holderId}, ${input.product}, 'draft', ${startOn}, ${at},
      ${at})`.execute(tx);
  const order = await lockOrder(tx, orderId);
  const product = await productOf(tx, order.productId);
  const { price } = await quoteNow(tx, order, product, parisDay(at));
  const { totalCents } = price;
  await input.fund(totalCents);
  const label = `${product.name}, ${order.holder}`;
  await collect(tx, passSale, orderId, { walletId, totalCents, label, at });
  const { passId } = await createPass(tx, order, { product, price, sold: { walletId, at } });
  return { orderId, passId };
}

/** The jobs of this room. */
export function passTasks(deps: Deps) {
  return { update_pass_states: () => updatePassStates(deps) };
}

/** Schedule of the jobs (UTC). Hourly, so that a day begins at midnight in Paris. */
export const passRoutines = [{ task: "update_pass_states", cron: "1 * * * *" }] as const;
