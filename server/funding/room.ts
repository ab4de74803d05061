// The funding room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { walletOf } from "#server/wallet/wallet.ts";
import { siteOrigin } from "../http/site.ts";
import { setAlert } from "./alerts.ts";
import {
  automationsOf,
  fundingRoutines,
  fundingTasks,
  onGiftTopUpSettled,
  onRuleTopUpSettled,
} from "./funding.ts";
import { endRulesOfLeaver } from "./departure.ts";
import { give, giftState, readGift } from "./gifts.ts";
import { refuseRequest, sendRequested } from "./money-request-answers.ts";
import {
  askForMoney,
  endRequestOf,
  moneyRequestToDos,
  requestsOf,
  withdrawRequest,
} from "./money-requests.ts";
import { createLink, revokeLink } from "./links.ts";
import { changeRuleMethod, payRule } from "./rule-method.ts";
import { changeRule, createRule, forgetPaymentMethod } from "./rules.ts";
import { onHolderLeft, onOpposed } from "#server/cards/cards.ts";
import { homeToDos } from "#server/portal/portal.ts";
import { onTopUpSettled } from "#server/payments/payments.ts";
import { attach, attachAs, type Room } from "#server/process/room.ts";

const handlers = routes("funding", api.funding, {
  automations: ({ deps, caller, input }) => automationsOf(deps, caller.personId, input.objectID),
  setAlert: async ({ deps, caller, input: { objectID, alert } }) => {
    const { personId } = caller;
    const { id: walletId } = await walletOf(deps, personId, objectID);
    await setAlert(deps, { walletId, personId, alert });
    return await automationsOf(deps, personId, objectID);
  },
  createRule: ({ deps, caller, input, origin: { address }, request }) =>
    createRule(deps, { caller, input, address, siteOrigin: siteOrigin(deps, request) }),
  payRule: ({ deps, caller, input, origin: { address }, request }) => {
    const { ruleId, paymentMethodId, ...proof } = input;
    return paymentMethodId === undefined
      ? payRule(deps, { caller, ruleId, siteOrigin: siteOrigin(deps, request) })
      : changeRuleMethod(deps, { caller, ruleId, paymentMethodId, proof, address });
  },
  pauseRule: ({ deps, caller, input: { ruleId }, origin: { address } }) =>
    changeRule(deps, { caller, ruleId, address, action: "pause" }),
  resumeRule: ({ deps, caller, input: { ruleId }, origin: { address } }) =>
    changeRule(deps, { caller, ruleId, address, action: "resume" }),
  deleteRule: ({ deps, caller, input: { ruleId }, origin: { address } }) =>
    changeRule(deps, { caller, ruleId, address, action: "delete" }),
  forgetPaymentMethod: ({ deps, caller, input: { paymentMethodId }, origin: { address } }) =>
    forgetPaymentMethod(deps, caller, { paymentMethodId, address }),
  createLink: ({ deps, caller, input, origin: { address }, request }) =>
    createLink(deps, { caller, input, address, siteOrigin: siteOrigin(deps, request) }),
  revokeLink: ({ deps, caller, input: { linkId }, origin: { address } }) =>
    revokeLink(deps, { caller, linkId, address }),
  gift: ({ deps, input: { secret }, origin }) => readGift(deps, secret, origin.address),
  give: ({ deps, input, key, origin, request }) =>
    give(deps, {
      input,
      key,
      address: origin.address,
      siteOrigin: siteOrigin(deps, request),
    }),
  giftState: ({ deps, input: { id }, origin, request }) =>
    giftState(deps, { id, address: origin.address, siteOrigin: siteOrigin(deps, request) }),
});

const moneyRequestHandlers = routes("moneyRequests", api.moneyRequests, {
  list: ({ deps, caller, input }) => requestsOf(deps, caller.personId, input.cardnumber),
  ask: askForMoney,
  withdraw: withdrawRequest,
  send: sendRequested,
  refuse: refuseRequest,
});

export const funding: Room = {
  name: "funding",
  routes: [...handlers, ...moneyRequestHandlers],
  tasks: fundingTasks,
  routines: fundingRoutines,
  hooks: [
    attach({ onHolderLeft }, endRulesOfLeaver),
    attach({ onHolderLeft }, endRequestOf),
    attach({ onOpposed }, endRequestOf),
    attach({ homeToDos }, moneyRequestToDos),
    attachAs({ onTopUpSettled }, "rule", onRuleTopUpSettled),
    attachAs({ onTopUpSettled }, "link", onGiftTopUpSettled),
  ],
};
