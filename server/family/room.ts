// The family room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { comingOfAgeRoutines, comingOfAgeTasks } from "./coming-of-age.ts";
import { contactsView, setChildEmail, setChildPhone } from "./contacts.ts";
import { closeCustody, custodyView, proposeCustody } from "./custody.ts";
import { claimInvitation, inviteByLink } from "./invitation-links.ts";
import { acceptInvitation, closeInvitation, invite } from "./invitations.ts";
import { joinByCode } from "./join.ts";
import { limitsView, setLimits } from "./limits.ts";
import { leave } from "./members.ts";
import { familyCommands } from "./operator.ts";
import { familyView } from "./overview.ts";
import { attach, type Room } from "#server/process/room.ts";
import { onContactReplaced } from "#server/identity/identity.ts";
import { requireOwnContacts } from "./family.ts";

const handlers = routes("family", api.family, {
  list: ({ deps, caller }) => familyView(deps, caller.personId),
  invite,
  inviteByLink,
  claim: claimInvitation,
  accept: acceptInvitation,
  decline: (call) => closeInvitation(call, "declined"),
  cancel: (call) => closeInvitation(call, "cancelled"),
  join: joinByCode,
  limits: limitsView,
  setLimits,
  contacts: contactsView,
  setChildEmail,
  setChildPhone,
  leave,
  custody: custodyView,
  proposeCustody,
  acceptCustody: (call) => closeCustody(call, "agreed"),
  declineCustody: (call) => closeCustody(call, "declined"),
  withdrawCustody: (call) => closeCustody(call, "withdrawn"),
});

export const family: Room = {
  name: "family",
  routes: handlers,
  tasks: comingOfAgeTasks,
  routines: comingOfAgeRoutines,
  commands: familyCommands,
  hooks: [attach({ onContactReplaced }, requireOwnContacts)],
};
