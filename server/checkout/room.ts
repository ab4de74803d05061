// The checkout room: reads of paid purchases. Rooms that sell call `pay`, and hook their sales on payments.
import { api } from "#contract/api.ts";
import { pdf } from "#server/http/document.ts";
import { routes } from "#server/http/serve.ts";
import type { Room } from "#server/process/room.ts";
import { purchaseOf, receiptPdf } from "./purchases.ts";

const handlers = routes("checkout", api.checkout, {
  purchase: async ({ deps, caller, input }) =>
    await purchaseOf(deps.db, caller.personId, input.order),
  receipt: async ({ deps, caller, input }) =>
    pdf(await receiptPdf(deps, caller, input.order), "recu.pdf"),
});

export const checkout: Room = { name: "checkout", routes: handlers };
