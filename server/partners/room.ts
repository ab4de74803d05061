// The partners room: which function answers which row, its commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { askIdentity, readIdentity, withdrawIdentity } from "./identity-request.ts";
import { chooseCategory, readOwnSheets, sheetsHome } from "./own-sheet.ts";
import { readEditableSheet, writeSheet } from "./sheet-text.ts";
import { categoriesOf, directoryFacts, partnerOf, placesOf, searchPartners } from "./partners.ts";
import { enrolledTransport, serviceOf, servicesFor } from "./services.ts";
import { partnerCommands } from "./operator.ts";
import { answerInvitation, invitePartner, withdrawInvitation } from "./partnership-invitations.ts";
import { readMessages, writeMessage } from "./partnership-messages.ts";
import { answerTerms, endPartnership, proposeTerms } from "./partnership-terms.ts";
import { invitationsHome, listPartnerships, readPartnership } from "./partnerships.ts";
import { companyHome, tileFacts } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";

const handlers = routes("partners", api.partners, {
  autoAdhesion: async ({ input, caller, deps }) => ({
    data: await enrolledTransport(deps.db, caller, input.code === "true", deps.now()),
  }),
  services: async ({ caller, deps }) => ({ items: await servicesFor(deps.db, caller) }),
  service: ({ input, caller, deps }) => serviceOf(deps.db, caller.type, input.code),
  list: ({ input, deps }) => searchPartners(deps.db, input, deps.now()),
  places: ({ input, deps }) => placesOf(deps.db, input, deps.now()),
  categories: ({ input, deps }) => categoriesOf(deps.db, { all: input.all === "true" }),
  ownSheets: readOwnSheets,
  chooseCategory,
  editableSheet: readEditableSheet,
  writeSheet,
  identity: readIdentity,
  askIdentity,
  withdrawIdentity,
  one: ({ input, deps }) => partnerOf(deps.db, input, deps.now()),
});

const partnershipHandlers = routes("partnerships", api.partnerships, {
  list: listPartnerships,
  invite: invitePartner,
  one: readPartnership,
  answer: answerInvitation,
  withdraw: withdrawInvitation,
  end: endPartnership,
  propose: proposeTerms,
  answerTerms,
  messages: readMessages,
  write: writeMessage,
});

export const partners: Room = {
  name: "partners",
  routes: [...handlers, ...partnershipHandlers],
  commands: partnerCommands,
  hooks: [
    attach({ tileFacts }, directoryFacts),
    attach({ companyHome }, sheetsHome),
    attach({ companyHome }, invitationsHome),
  ],
};
