// Grants own the money that a company puts on its pro cards: amounts by card, paid up front from the
// company's own money, and returns. They refuse cards that are not the company's or not active, aid passed
// on, and a second payment.
export { giveGrant } from "./fulfilment.ts";
export { lockGrant } from "./grant-rows.ts";
export { payReturns } from "./returns.ts";
