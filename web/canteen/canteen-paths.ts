// Addresses of the canteen's screens.
import type { CanteenProvider } from "#contract/canteen/registrations.ts";
import { fill } from "#web/app/addresses.ts";

export const providersPath = (): string => "/commande/cantine";
export const providerPath = ({
  slug,
  idgroup,
}: Pick<CanteenProvider, "slug" | "idgroup">): string =>
  fill("/commande/cantine/:name/:idgroup", { name: slug, idgroup });
export const mealsPath = (): string => "/commande/cantine/suivi";
