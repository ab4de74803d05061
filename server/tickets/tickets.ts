// Tickets own events, the seats of their sessions, carts that hold them, and every ticket until it was
// used. They refuse a seat beyond the last, a price that is not for the person, a code that was
// revoked, and to give back more than the policy frozen at purchase says.
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { ticketCommands } from "./desk.ts";
import { createEvent, type EventDescription } from "./import.ts";
import { renewCodes } from "./gate.ts";
import { putLine } from "./cart.ts";
import { buyTickets, orderPaid, orderPaymentEnded, payFromWallet } from "./pay.ts";
import { tidyTickets } from "./release.ts";

export {
  buyTickets,
  createEvent,
  orderPaid,
  orderPaymentEnded,
  payFromWallet,
  putLine,
  ticketCommands,
};
export type { EventDescription };

/** At an opposition the QR codes of the person's tickets are revoked; new ones are at hand. */
export const renewTicketCodes = (
  tx: Tx,
  _deps: Deps,
  { personId }: { personId: number },
): Promise<void> => renewCodes(tx, personId);

/** The jobs of this room. */
export function ticketTasks(deps: Deps) {
  return { tidy_tickets: () => tidyTickets(deps) };
}

/** When they run by themselves (UTC). */
export const ticketRoutines = [{ task: "tidy_tickets", cron: "* * * * *" }] as const;
