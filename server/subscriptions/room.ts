// The subscriptions room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { pdf } from "../http/document.ts";
import { routes } from "../http/serve.ts";
import { siteOrigin } from "../http/site.ts";
import { cancelSubscription } from "./cancellation.ts";
import {
  abandon,
  chooseFormula,
  chooseOptions,
  confirmHolder,
  readApplication,
  addProof,
  removeProof,
} from "./applications.ts";
import { receiptPdf } from "./receipt.ts";
import {
  readFormulasFor,
  readSubscriptionsOf,
  subscriptionTasks,
  subscriptionRoutines,
} from "./subscriptions.ts";
import { subscriptionCommands } from "./operator.ts";
import { onDocumentRead } from "#server/documents/documents.ts";
import { mayReadProof } from "./proofs.ts";
import { subscriptionSale } from "./sale.ts";
import { homeToDos, tileFacts } from "#server/portal/portal.ts";
import { attach, attachAs, type Room } from "#server/process/room.ts";
import { subscriptionFacts, subscriptionToDos } from "./to-dos.ts";

const handlers = routes("subscriptions", api.subscriptions, {
  list: readSubscriptionsOf,
  offer: readFormulasFor,
  choose: chooseFormula,
  read: readApplication,
  addProof,
  removeProof,
  confirmHolder,
  chooseOptions,
  pay: async ({ deps, caller, origin, request, input }) => {
    const { id: orderId, ...paymentInput } = input;
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    const payment = await pay(deps, subscriptionSale, { ...from, orderId, ...paymentInput });
    const application = await readApplication({ deps, caller, input });
    return payment ? { ...application, payment } : application;
  },
  abandon,
  cancel: cancelSubscription,
  receipt: async ({ deps, caller, input }) =>
    pdf(await receiptPdf(deps, caller, input.id), "recu-abonnement.pdf"),
});

export const subscriptions: Room = {
  name: "subscriptions",
  routes: handlers,
  tasks: subscriptionTasks,
  routines: subscriptionRoutines,
  commands: subscriptionCommands,
  hooks: [
    attachAs({ onDocumentRead }, "subscription_proof", mayReadProof),
    attach({ homeToDos }, subscriptionToDos),
    attach({ tileFacts }, subscriptionFacts),
    ...saleHooks(subscriptionSale),
  ],
};
