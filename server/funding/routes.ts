// Routes of the funding room: one line each.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { walletOf } from "#server/wallet/wallet.ts";
import { siteOrigin } from "../http/site.ts";
import { setAlert } from "./alerts.ts";
import { automationsOf } from "./funding.ts";
import { give, giftState, readGift } from "./gifts.ts";
import { createLink, revokeLink } from "./links.ts";
import { changeRule, createRule, forgetMeans, payRule } from "./rules.ts";

export const fundingRoutes = routes("funding", api.funding, {
  automations: ({ deps, caller, input }) => automationsOf(deps, caller.personId, input.objectID),
  setAlert: async ({ deps, caller, input: { objectID, alert } }) => {
    const { personId } = caller;
    const { id: walletId } = await walletOf(deps, personId, objectID);
    await setAlert(deps, { walletId, personId, alert });
    return await automationsOf(deps, personId, objectID);
  },
  createRule: ({ deps, caller, input, origin: { address }, request }) =>
    createRule(deps, { caller, wanted: input, address, siteOrigin: siteOrigin(deps, request) }),
  payRule: ({ deps, caller, input: { ruleId }, request }) =>
    payRule(deps, { caller, ruleId, siteOrigin: siteOrigin(deps, request) }),
  pauseRule: ({ deps, caller, input: { ruleId }, origin: { address } }) =>
    changeRule(deps, { caller, ruleId, address, act: "pause" }),
  resumeRule: ({ deps, caller, input: { ruleId }, origin: { address } }) =>
    changeRule(deps, { caller, ruleId, address, act: "resume" }),
  deleteRule: ({ deps, caller, input: { ruleId }, origin: { address } }) =>
    changeRule(deps, { caller, ruleId, address, act: "delete" }),
  forgetMeans: ({ deps, caller, input: { meansId }, origin: { address } }) =>
    forgetMeans(deps, caller, { meansId, address }),
  createLink: ({ deps, caller, input, origin: { address }, request }) =>
    createLink(deps, { caller, wanted: input, address, siteOrigin: siteOrigin(deps, request) }),
  revokeLink: ({ deps, caller, input: { linkId }, origin: { address } }) =>
    revokeLink(deps, { caller, linkId, address }),
  gift: ({ deps, input: { secret }, origin }) => readGift(deps, secret, origin.address),
  give: ({ deps, input, key, origin, request }) =>
    give(deps, {
      given: input,
      key,
      address: origin.address,
      siteOrigin: siteOrigin(deps, request),
    }),
  giftState: ({ deps, input: { id }, origin, request }) =>
    giftState(deps, { id, address: origin.address, siteOrigin: siteOrigin(deps, request) }),
});
