// The passes room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { holderFor } from "#server/family/family.ts";
import { pdf } from "#server/http/document.ts";
import { routes } from "#server/http/serve.ts";
import { siteOrigin } from "#server/http/site.ts";
import { pay, saleHooks } from "#server/checkout/checkout.ts";
import { duplicatePass, qrOfPass, resumePass, suspendPass } from "./lifecycle.ts";
import { controlPass, networkHome } from "./control.ts";
import { fareGroupOf, fareGroups, offersOf } from "./catalogue.ts";
import { askExemption } from "./exemption.ts";
import { familyPassesPdf, passPdf } from "./pass-pdf.ts";
import { readPassesOf, readPassOf, toPassView } from "./pass-rows.ts";
import {
  cancelOrder,
  changeOrder,
  readOpenOrdersOf,
  readOrderOf,
  toOrderView,
  startOrder,
  mayReadOrder,
} from "./orders.ts";
import { passTasks, passRoutines, revokePassQrs } from "./passes.ts";
import { passCommands } from "./operator.ts";
import { onOpposed } from "#server/cards/cards.ts";
import { onDocumentRead } from "#server/documents/documents.ts";
import { companyHome, homeBuses, homeComing, homeToDos, tileFacts } from "#server/portal/portal.ts";
import { attachAs, attach, type Room } from "#server/process/room.ts";
import { busesOfDay, ridingFacts } from "./next-departure.ts";
import { passSale } from "./sale.ts";
import { passesToCome, passOrderToDos } from "./to-dos.ts";

const handlers = routes("passes", api.passes, {
  list: async ({ deps, caller, input }) => {
    const { id: holder } = await holderFor(deps.db, caller.personId, input.cardnumber);
    return { items: await readPassesOf(deps.db, holder, deps.now()) };
  },
  groups: async ({ deps }) => ({ items: await fareGroups(deps.db) }),
  offers: async ({ deps, caller, input }) => {
    const [{ id: holder }, group] = await Promise.all([
      holderFor(deps.db, caller.personId, input.cardnumber),
      fareGroupOf(deps.db, input.group),
    ]);
    return { group, items: await offersOf(deps.db, input.group, holder, deps.now()) };
  },
  orders: async ({ deps, caller }) => ({ items: await readOpenOrdersOf(deps, caller.personId) }),
  start: async ({ deps, caller, input }) => await startOrder(deps, caller, input),
  order: async ({ deps, caller, input }) =>
    await toOrderView(deps, deps.db, await readOrderOf(deps.db, caller.personId, input.order)),
  change: async ({ deps, caller, input }) => await changeOrder(deps, caller, input),
  pay: async ({ deps, caller, origin, request, input }) => {
    const { order: orderId, ...paymentInput } = input;
    const from = { caller, origin, siteOrigin: siteOrigin(deps, request) };
    const payment = await pay(deps, passSale, { ...from, orderId, ...paymentInput });
    const order = await readOrderOf(deps.db, caller.personId, orderId);
    return { order: await toOrderView(deps, deps.db, order), payment };
  },
  cancel: async ({ deps, caller, input }) => await cancelOrder(deps, caller, input.order),
  one: async ({ deps, caller, input }) =>
    toPassView(await readPassOf(deps.db, caller.personId, input.pass, deps.now()), deps.now()),
  qr: qrOfPass,
  print: async (call) => {
    const { file, name } = await passPdf(call);
    return pdf(file, name);
  },
  printAll: async ({ deps, caller }) => pdf(await familyPassesPdf(deps, caller), "titres.pdf"),
  control: controlPass,
  suspend: suspendPass,
  resume: resumePass,
  duplicate: duplicatePass,
  exempt: async ({ deps, caller, input }) => await askExemption(deps, caller, input),
});

export const passes: Room = {
  name: "passes",
  routes: handlers,
  tasks: passTasks,
  routines: passRoutines,
  commands: passCommands,
  hooks: [
    attach({ onOpposed }, revokePassQrs),
    attach({ homeToDos }, passOrderToDos),
    attach({ homeComing }, passesToCome),
    attach({ homeBuses }, busesOfDay),
    attach({ tileFacts }, ridingFacts),
    attach({ companyHome }, networkHome),
    attachAs({ onDocumentRead }, "pass_photo", mayReadOrder),
    attachAs({ onDocumentRead }, "pass_exemption", mayReadOrder),
    ...saleHooks(passSale),
  ],
};
