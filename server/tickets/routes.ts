// Routes of the tickets room: one line each.
import { sql } from "kysely";
import { api } from "#contract/api.ts";
import { Problem } from "#contract/errors.ts";
import { pdf } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { siteOrigin } from "../http/site.ts";
import { cancelTicket, refundPreview } from "./cancel.ts";
import { dropCart, myCart, putLine, retryCart } from "./cart.ts";
import { orderSeen } from "./cart-seen.ts";
import { revocationsFor, scan } from "./gate.ts";
import { ticketsOfCard, ticketsWhere } from "./list.ts";
import { offerFor, offersOnSale } from "./offers.ts";
import { payFromWallet, payOnline } from "./pay.ts";
import { ticketPdf } from "./print.ts";
import { acceptTransfer, declineTransfer, offerTicket, withdrawTransfer } from "./transfers.ts";
import { joinList, leaveList, takeKept } from "./waits.ts";
import { reachedPerson } from "./wanted.ts";

export const ticketRoutes = routes("tickets", api.tickets, {
  billet: async ({ deps, caller, input }) => {
    await reachedPerson(deps.db, caller.personId, input.cardnumber);
    return { items: await offersOnSale(deps.db, deps.now()) };
  },
  offer: async (call) => ({ offer: await offerFor(call), now: call.deps.now().toISOString() }),
  list: ticketsOfCard,
  cart: myCart,
  putLine,
  retryCart,
  dropCart,
  pay: payFromWallet,
  payOnline: (call) => payOnline({ ...call, siteOrigin: siteOrigin(call.deps, call.request) }),
  wait: joinList,
  takeWait: takeKept,
  leaveWait: leaveList,
  order: async ({ deps, caller, input }) => {
    const order = await orderSeen(deps, caller.personId, input.order);
    if (!order) throw new Problem("not_found");
    return {
      order,
      tickets: await ticketsWhere(deps.db, sql`t.order_id = ${order.id}`, deps.now()),
    };
  },
  print: async ({ deps, caller, input }) => {
    const { file, name } = await ticketPdf(deps, caller, input.ticket);
    return pdf(file, name);
  },
  refund: refundPreview,
  cancel: cancelTicket,
  transfer: offerTicket,
  withdraw: withdrawTransfer,
  accept: acceptTransfer,
  decline: declineTransfer,
  scan,
  revocations: ({ deps, caller }) => revocationsFor(deps.db, caller.personId, deps.now()),
});
