// The price of an order of cards: the unit price falls with the quantity, the delivery is added, VAT is
// computed once on the whole.
import { type VatCode, vatOf } from "../invoices/vat.ts";

/** Prices as the operator set them; amounts in cents, without VAT. */
export interface CardPrices {
  /** The unit price from so many cards on, the smallest number first. */
  tiers: readonly { from: number; unitCents: number }[];
  deliveryCents: number;
  /** From so many cards on the delivery is free; null for never. */
  freeDeliveryFrom: number | null;
  vat: VatCode;
}

/** Amounts in cents. */
export interface CardOrderPrice {
  quantity: number;
  unitCents: number;
  cardsCents: number;
  deliveryCents: number;
  netCents: number;
  vat: VatCode;
  vatCents: number;
  totalCents: number;
}

/** The price of so many cards. */
export function priceOf(quantity: number, prices: CardPrices): CardOrderPrice {
  const { tiers, freeDeliveryFrom, vat } = prices;
  const tier = tiers.findLast(({ from }) => from <= quantity) ?? tiers[0];
  const unitCents = tier?.unitCents ?? 0;
  const cardsCents = quantity * unitCents;
  const isFree = quantity === 0 || (freeDeliveryFrom !== null && quantity >= freeDeliveryFrom);
  const deliveryCents = isFree ? 0 : prices.deliveryCents;
  const netCents = cardsCents + deliveryCents;
  const vatCents = vatOf(netCents, vat);
  const totalCents = netCents + vatCents;
  return {
    quantity,
    unitCents,
    cardsCents,
    deliveryCents,
    netCents,
    vat,
    vatCents,
    totalCents,
  };
}
