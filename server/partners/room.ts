// The partners room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { askIdentity, readIdentity, withdrawIdentity } from "./identity-request.ts";
import { chooseCategory, readOwnSheets } from "./own-sheet.ts";
import { readEditableSheet, writeSheet } from "./sheet-text.ts";
import { categoriesOf, partnerOf, placesOf, searchPartners } from "./partners.ts";
import { enrolledTransport, serviceOf, servicesFor } from "./services.ts";
import { partnerCommands } from "./operator.ts";
import type { Room } from "#server/process/room.ts";

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

export const partners: Room = {
  name: "partners",
  routes: handlers,
  commands: partnerCommands,
};
