// The transit room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { homeStops } from "#server/portal/portal.ts";
import {
  chooseFavourite,
  departuresOf,
  favouritesOf,
  lineGroupsOf,
  lineOf,
  linesOf,
  searchStops,
  timetableOf,
} from "./transit.ts";
import { transitCommands } from "./operator.ts";
import { firstFavouriteOf } from "./favourites.ts";
import { attach, type Room } from "#server/process/room.ts";

const handlers = routes("transit", api.transit, {
  lines: ({ input, deps }) => linesOf(deps.db, input),
  groups: async ({ deps }) => ({ items: await lineGroupsOf(deps.db) }),
  line: ({ input, deps }) => lineOf(deps.db, input.line),
  stops: ({ input, deps }) => searchStops(deps.db, input),
  departures: ({ input, caller, deps }) =>
    departuresOf(deps.db, deps.now(), { ...input, personId: caller.personId }),
  timetable: ({ input, deps }) => timetableOf(deps.db, deps.now(), input),
  favourites: ({ caller, deps }) => favouritesOf(deps.db, deps.now(), caller.personId),
  chooseFavourite: ({ input, caller, deps }) =>
    chooseFavourite(deps.db, deps.now(), { ...input, personId: caller.personId }),
});

export const transit: Room = {
  name: "transit",
  routes: handlers,
  commands: transitCommands,
  hooks: [attach({ homeStops }, firstFavouriteOf)],
};
