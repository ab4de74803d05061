// The partners room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { categoriesOf, partnerOf, searchPartners } from "./partners.ts";
import { enrolledTransport, serviceOf, servicesFor } from "./services.ts";
import { partnerCommands } from "./operator.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("partners", api.partners, {
  autoAdhesion: async ({ input, caller, deps }) => ({
    data: await enrolledTransport(deps.db, caller, input.code === "true", deps.now()),
  }),
  services: async ({ caller, deps }) => ({ items: await servicesFor(deps.db, caller.type) }),
  service: ({ input, caller, deps }) => serviceOf(deps.db, caller.type, input.code),
  list: ({ input, deps }) => searchPartners(deps.db, input, deps.now()),
  categories: ({ deps }) => categoriesOf(deps.db),
  one: ({ input, deps }) => partnerOf(deps.db, input, deps.now()),
});

export const partners: Room = {
  name: "partners",
  routes: handlers,
  commands: partnerCommands,
};
