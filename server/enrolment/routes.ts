import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { askFirstCard, requestsOf, withdrawRequest } from "./enrolment.ts";

export const enrolmentRoutes = routes("enrolment", api.enrolment, {
  list: async ({ deps, caller }) => ({
    items: await requestsOf(deps.db, caller.personId, deps.now()),
  }),
  ask: askFirstCard,
  withdraw: withdrawRequest,
});
