// The card orders room: which function answers which row, its job, commands and hooks.
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { routes } from "#server/http/serve.ts";
import { lineFileReader } from "#server/http/line-files.ts";
import { siteOrigin } from "#server/http/site.ts";
import type { Room } from "#server/process/room.ts";
import { listCardOrders, orderInformation, readDesk, readDispatch } from "./views.ts";
import {
  deleteStaleDrafts,
  discardDraft,
  writeDelivery,
  writeDesign,
  writePersons,
} from "./draft.ts";
import { cancelOrder, receiveOrder } from "./lifecycle.ts";
import { cardOrderCommands } from "./operator.ts";
import { cardOrderSale, orderByInvoice } from "./sale.ts";

const readPersons = lineFileReader<Uint8Array, Output<typeof api.cardOrders.readFile>>(
  new URL("persons-file-worker.ts", import.meta.url),
);

const handlers = routes("cardOrders", api.cardOrders, {
  information: orderInformation,
  dispatch: readDispatch,
  list: listCardOrders,
  desk: readDesk,
  readFile: async ({ caller, file }) => await readPersons(file, caller.personId),
  persons: writePersons,
  design: writeDesign,
  delivery: writeDelivery,
  discard: discardDraft,
  pay: async ({ deps, caller, origin, request, input }) => {
    const { order: orderId, ...paymentInput } = input;
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    const payment = await pay(deps, cardOrderSale, { ...from, orderId, ...paymentInput });
    return { id: orderId, payment };
  },
  orderByInvoice,
  cancel: cancelOrder,
  receive: receiveOrder,
});

export const cardOrders: Room = {
  name: "card-orders",
  routes: handlers,
  tasks: (deps) => ({ delete_stale_card_orders: () => deleteStaleDrafts(deps) }),
  routines: [{ task: "delete_stale_card_orders", cron: "50 3 * * *" }],
  commands: cardOrderCommands,
  hooks: saleHooks(cardOrderSale),
};
