import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { departuresOf, lineGroupsOf, lineOf, linesOf, stopsFound, timetableOf } from "./transit.ts";

export const transitRoutes = routes("transit", api.transit, {
  lines: ({ input, deps }) => linesOf(deps.db, input),
  groups: async ({ deps }) => ({ items: await lineGroupsOf(deps.db) }),
  line: ({ input, deps }) => lineOf(deps.db, input.line),
  stops: ({ input, deps }) => stopsFound(deps.db, input),
  departures: ({ input, deps }) => departuresOf(deps.db, deps.now(), input),
  timetable: ({ input, deps }) => timetableOf(deps.db, deps.now(), input),
});
