// The tickets room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { Problem } from "#contract/errors.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { holderFor } from "#server/family/family.ts";
import { pdf } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { siteOrigin } from "../http/site.ts";
import { cancelTicket, previewTicketRefund } from "./cancellation.ts";
import { dropCart, extendCart, readMyCart, putLine, retryCart, readOrder } from "./cart.ts";
import { renewTicketCodes, scanTicket } from "./admission.ts";
import { readTicketsOfCard, ticketsOfOrder } from "./ticket-views.ts";
import { readEvent, eventsOnSale } from "./events.ts";
import { orderCalendar } from "./ticket-calendar.ts";
import { orderTicketsPdf, ticketPdf } from "./ticket-pdf.ts";
import { ticketSale } from "./sale.ts";
import {
  acceptTransfer,
  claimTransfer,
  declineTransfer,
  startTransfer,
  startTransferByLink,
  withdrawTransfer,
} from "./transfers.ts";
import { joinWaitingList, leaveWaitingList, takeOfferedSeats } from "./waiting-list.ts";
import { ticketTasks, ticketRoutines } from "./tickets.ts";
import { ticketCommands } from "./operator.ts";
import { onOpposed } from "#server/cards/cards.ts";
import { onAttachmentDrawn } from "#server/notifications/notifications.ts";
import {
  companyHome,
  homeComing,
  homeDayFacts,
  homeToDos,
  tileFacts,
} from "#server/portal/portal.ts";
import { attach, attachAs, type Room } from "#server/process/room.ts";
import { eventsHome } from "./partner-home.ts";
import { ticketsOfDays, ticketFacts, ticketsToCome, ticketToDos } from "./to-dos.ts";

const handlers = routes("tickets", api.tickets, {
  billet: async ({ deps, caller, input }) => {
    const { type } = await holderFor(deps.db, caller.personId, input.cardnumber);
    if (type !== 1) throw new Problem("not_found");
    return { items: await eventsOnSale(deps.db, deps.now()) };
  },
  event: async (call) => ({ event: await readEvent(call), now: call.deps.now().toISOString() }),
  list: readTicketsOfCard,
  cart: readMyCart,
  putLine,
  retryCart,
  extendCart,
  dropCart,
  pay: async ({ deps, caller, origin, request, input }) => {
    const { order: orderId, ...paymentInput } = input;
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    const payment = await pay(deps, ticketSale, { ...from, orderId, ...paymentInput });
    const cart = await readOrder(deps, caller.personId, orderId);
    if (!cart) throw new Problem("not_found");
    return { cart, now: deps.now().toISOString(), payment };
  },
  joinWaitingList,
  takeOfferedSeats,
  leaveWaitingList,
  order: async ({ deps, caller, input }) => {
    const order = await readOrder(deps, caller.personId, input.order);
    if (!order) throw new Problem("not_found");
    return {
      order,
      tickets: await ticketsOfOrder(deps.db, order.id, deps.now()),
    };
  },
  print: async ({ deps, caller, input }) => {
    const { file, name } = await ticketPdf(deps, caller, input.ticket);
    return pdf(file, name);
  },
  refund: previewTicketRefund,
  cancel: cancelTicket,
  transfer: startTransfer,
  transferByLink: startTransferByLink,
  claim: claimTransfer,
  withdraw: withdrawTransfer,
  accept: acceptTransfer,
  decline: declineTransfer,
  scan: scanTicket,
});

export const tickets: Room = {
  name: "tickets",
  routes: handlers,
  tasks: ticketTasks,
  routines: ticketRoutines,
  commands: ticketCommands,
  hooks: [
    attach({ onOpposed }, renewTicketCodes),
    attach({ homeToDos }, ticketToDos),
    attach({ homeComing }, ticketsToCome),
    attach({ homeDayFacts }, ticketsOfDays),
    attach({ tileFacts }, ticketFacts),
    attach({ companyHome }, eventsHome),
    attachAs({ onAttachmentDrawn }, "tickets_pdf", orderTicketsPdf),
    attachAs({ onAttachmentDrawn }, "tickets_calendar", orderCalendar),
    ...saleHooks(ticketSale),
  ],
};
