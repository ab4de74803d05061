// Addresses of the canteen's screens.
import type { CanteenProvider, CanteenRegistration } from "#contract/canteen/registrations.ts";
import { fill } from "#web/app/shared/addresses.ts";

export const providersPath = (): string => "/commande/cantine";
export const providerPath = ({
  slug,
  idgroup,
}: Pick<CanteenProvider, "slug" | "idgroup">): string =>
  fill("/commande/cantine/:name/:idgroup", { name: slug, idgroup });
/** Where the next school year of a registration is asked for. */
export const renewalPath = ({ id, provider }: Pick<CanteenRegistration, "id" | "provider">) =>
  `${providerPath(provider)}?inscrire=${id}`;
export const mealsPath = (): string => "/commande/cantine/suivi";
