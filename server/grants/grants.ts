// Grants own the money that a company puts on its pro cards: what was granted to whom, paid up front from
// the company's own money, what came back. They refuse cards that are not the company's or not active, aid
// given on, and a second payment.
export { giveGrant } from "./fulfilment.ts";
export { lockGrant } from "./grant-rows.ts";
export { payReturns } from "./returns.ts";
export { grantsLeft, transfersDue } from "./views.ts";
