// Where a service leads for this person: the address of its screen, null when the screen is not built
// or not for them. What leads nowhere is not listed.
import type { Service } from "#contract/partners.ts";
import { decide } from "#web/app/guards.ts";
import type { IconName } from "#web/ui/icon.tsx";
import type { CurrentUser } from "#web/app/session.ts";
import type { Entry } from "#web/app/route-entry.ts";
import { pathTo, type RouteName, table } from "#web/routes.tsx";

/** By the name of the route; by its path where the name is one of the odd spellings. */
const screens: Record<Service["screen"], RouteName | `/${string}`> = {
  wallets: "services_cagnotte_public",
  subscription: "Abonnement_user",
  transit: "/Abonnement/ligne",
  tickets: "Billet_public",
  directory: "Partner_components",
  transport: "Transport_mobile",
};

export const serviceIcons: Record<Service["screen"], IconName> = {
  wallets: "wallet",
  subscription: "card",
  transit: "bus",
  tickets: "ticket",
  directory: "pin",
  transport: "bus",
};

/** The address of a service's screen. That of transport is the page of the service itself. */
export function leadOf(
  service: Pick<Service, "code" | "screen">,
  user: CurrentUser,
): string | null {
  const wanted = screens[service.screen];
  const entry: Entry | undefined = table.find(
    (candidate) => candidate.name === wanted || candidate.path === wanted,
  );
  const open = entry?.screen && decide(entry.guard, { token: "valid", user }).to === null;
  if (!open) return null;
  return service.screen === "transport" ? servicePath(service.code) : entry.path;
}

export const servicePath = (code: string): string => pathTo("service-index", { code });
