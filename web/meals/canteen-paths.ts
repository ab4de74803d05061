// Addresses of a provider of meals.
import type { CanteenProvider, CanteenRegistration } from "#contract/meals/registrations.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";

export const providerPath = ({
  slug,
  idgroup,
}: Pick<CanteenProvider, "slug" | "idgroup">): string =>
  linkTo(paths.canteenProvider, { name: slug, idgroup });
/** Where the next school year of a registration is asked for. */
export const renewalPath = ({ id, provider }: Pick<CanteenRegistration, "id" | "provider">) =>
  linkTo(paths.canteenProvider, { name: provider.slug, idgroup: provider.idgroup }, { renew: id });
