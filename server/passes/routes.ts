// Routes of the passes room: one line each.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { siteOrigin } from "#server/http/site.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { duplicatePass, qrOfPass, resumePass, suspendPass } from "./acts.ts";
import { fareGroupOf, fareGroups, offersOf } from "./catalogue.ts";
import { askExemption } from "./exemption.ts";
import { passesOf, passOf, passSeen } from "./list.ts";
import {
  cancelOrder,
  changeOrder,
  openOrdersOf,
  orderOf,
  orderSeen,
  startOrder,
} from "./orders.ts";
import { payOrder } from "./pay.ts";
import { holderOf } from "./people.ts";

export const passRoutes = routes("passes", api.passes, {
  list: async ({ deps, caller, input }) => {
    const holder = await holderOf(deps.db, caller.personId, input.cardnumber);
    return { items: await passesOf(deps.db, holder, deps.now()) };
  },
  groups: async ({ deps }) => ({ items: await fareGroups(deps.db) }),
  offers: async ({ deps, caller, input }) => {
    const holder = await holderOf(deps.db, caller.personId, input.cardnumber);
    const group = await fareGroupOf(deps.db, input.group);
    const today = parisDay(deps.now());
    return { group, items: await offersOf(deps.db, input.group, holder, today) };
  },
  orders: async ({ deps, caller }) => ({ items: await openOrdersOf(deps, caller.personId) }),
  start: async ({ deps, caller, input }) => await startOrder(deps, caller, input),
  order: async ({ deps, caller, input }) =>
    await orderSeen(deps, deps.db, await orderOf(deps.db, caller.personId, input.order)),
  change: async ({ deps, caller, input }) => await changeOrder(deps, caller, input),
  pay: async ({ deps, caller, origin, request, input }) =>
    await payOrder(deps, {
      caller,
      origin,
      wanted: input,
      siteOrigin: siteOrigin(deps, request),
    }),
  cancel: async ({ deps, caller, input }) => await cancelOrder(deps, caller, input.order),
  one: async ({ deps, caller, input }) =>
    passSeen(await passOf(deps.db, caller.personId, input.pass, deps.now()), deps.now()),
  qr: qrOfPass,
  suspend: suspendPass,
  resume: resumePass,
  duplicate: duplicatePass,
  exempt: async ({ deps, caller, input }) => await askExemption(deps, caller, input),
});
