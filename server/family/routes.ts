import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { closeCustody, custodySeen, proposeCustody } from "./custody.ts";
import { acceptInvitation, closeInvitation, invite } from "./invitations.ts";
import { joinByCode } from "./join.ts";
import { limitsSeen, setLimits } from "./limits.ts";
import { familySeen, leave } from "./members.ts";

export const familyRoutes = routes("family", api.family, {
  list: ({ deps, caller }) => familySeen(deps, caller.personId),
  invite,
  accept: acceptInvitation,
  decline: (call) => closeInvitation(call, "declined"),
  cancel: (call) => closeInvitation(call, "cancelled"),
  join: joinByCode,
  limits: limitsSeen,
  setLimits,
  leave,
  custody: custodySeen,
  proposeCustody,
  acceptCustody: (call) => closeCustody(call, "agreed"),
  declineCustody: (call) => closeCustody(call, "declined"),
  withdrawCustody: (call) => closeCustody(call, "withdrawn"),
});
