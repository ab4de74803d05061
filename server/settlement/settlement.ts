// The settlement pays companies for what holders spent with them: a month is closed, each company gets a
// statement and the invoice of its commission, and the amount owed leaves in a batch for the bank.
export { closeMonth } from "./close.ts";
export { acknowledge, makePayouts, messageIdOf } from "./payouts.ts";
export { proveSettlements } from "./verification.ts";
