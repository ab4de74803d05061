import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { activate, oppose, qrOf, resume, suspend } from "./cards.ts";
import { cardsOf } from "./list.ts";

export const cardRoutes = routes("cards", api.cards, {
  list: async ({ caller, deps }) => ({ items: await cardsOf(deps.db, caller.personId) }),
  qr: qrOf,
  suspend,
  resume,
  oppose,
  activate,
});
