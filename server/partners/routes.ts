import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { categoriesOf, partnerOf, partnersFound } from "./partners.ts";
import { enrolledTransport, serviceOf, servicesFor } from "./services.ts";

export const partnerRoutes = routes("partners", api.partners, {
  autoAdhesion: async ({ input, caller, deps }) => ({
    data: await enrolledTransport(deps.db, caller, input.code === "true", deps.now()),
  }),
  services: async ({ caller, deps }) => ({ items: await servicesFor(deps.db, caller.type) }),
  service: ({ input, caller, deps }) => serviceOf(deps.db, caller.type, input.code),
  list: ({ input, deps }) => partnersFound(deps.db, input, deps.now()),
  categories: ({ deps }) => categoriesOf(deps.db),
  one: ({ input, deps }) => partnerOf(deps.db, input, deps.now()),
});
