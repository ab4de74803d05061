// Card orders own how a company gets pro cards: what they cost, the draft written step by step, the order
// on its way from the printer to the company. They refuse whoever is not its owner, a write by a screen
// that has not read the last one, and the price of another day.
export { cardPrices, lockCardOrder } from "./orders.ts";
export { makeOrderedCards } from "./lifecycle.ts";
export { placeOrder } from "./sale.ts";
