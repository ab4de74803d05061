// The part of a pass's price that an employer pays. A later room decides it: it answers here before a
// purchase, and books its part once the pass is bought.
import type { FareKind } from "#contract/passes/states.ts";
import type { EmployerShare, Price } from "#contract/passes/fares.ts";
import { formatMoney } from "#contract/french.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { lastDayOf } from "./validity.ts";

interface Offered {
  id: string;
  kind: FareKind;
  minutes: number | null;
}

/** A pass that a holder would buy; `cents` is its price without late fee. */
export interface SharedFare {
  holderId: number;
  productId: string;
  kind: FareKind;
  cents: number;
  firstDay: string;
  lastDay: string;
}

/** A pass that was bought with an employer's share. */
export interface SharedPurchase extends SharedFare {
  orderId: string;
  enrolmentId: string;
  productName: string;
  employerCents: number;
  employerPercent: number;
  /** Label for the accounts: the product and the rider. */
  label: string;
  at: Date;
}

/** Filled in rooms.ts: the share of a pass, null where the later room has none. */
export const onPassPriced: ((db: Db, fare: SharedFare) => Promise<EmployerShare | null>)[] = [];

/** Filled in rooms.ts: books the share in the transaction that creates the pass. */
export const onSharedPassBought: ((tx: Tx, purchase: SharedPurchase) => Promise<void>)[] = [];

/** A price with the employer's share; the buyer alone pays the late fee. */
export async function withEmployerShare(
  db: Db,
  price: Price,
  { product, holderId, startOn }: { product: Offered; holderId: number; startOn: string },
): Promise<Price> {
  const { id: productId, kind } = product;
  const days = { firstDay: startOn, lastDay: lastDayOf(product, startOn) };
  for (const step of onPassPriced) {
    const share = await step(db, { holderId, productId, kind, cents: price.cents, ...days });
    if (!share) continue;
    const sentence = `${share.name} en paie ${share.percent}\u202f%, soit ${formatMoney(share.cents)}.`;
    const totalCents = price.totalCents - share.cents;
    return { ...price, reason: `${price.reason} ${sentence}`, employer: share, totalCents };
  }
  return price;
}
