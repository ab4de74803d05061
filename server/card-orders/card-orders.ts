// Card orders own how a company gets pro cards: their price, the draft written step by step, the order from
// the printer to the company. They refuse callers who are not its owner, a write by a screen that has not
// read the latest revision, and an outdated price.
export { cardPrices, lockCardOrder } from "./orders.ts";
export { makeOrderedCards } from "./lifecycle.ts";
export { placeOrder } from "./sale.ts";
