// The home room: which function answers its row.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import type { Room } from "#server/process/room.ts";
import { homeOf } from "./home.ts";
import { professionalHomeOf } from "./professional.ts";
import { serviceFactsOf } from "./services.ts";

const handlers = routes("home", api.home, {
  read: ({ deps, caller, input }) => homeOf(deps, caller.personId, input),
  professional: professionalHomeOf,
  services: ({ deps, caller, input }) => serviceFactsOf(deps, caller.personId, input),
});

export const home: Room = {
  name: "home",
  routes: handlers,
};
