import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { rightsSeen, sendProof, withdrawProof } from "./proofs.ts";

export const entitlementRoutes = routes("entitlements", api.entitlements, {
  list: ({ deps, caller }) => rightsSeen(deps, caller.personId),
  send: sendProof,
  withdraw: withdrawProof,
});
