// Addresses and icons of services: null for a screen that is not built or not for this person; such a
// service is not listed.
import type { Service } from "#contract/partners/rows.ts";
import { decide } from "#web/app/shared/guards.ts";
import type { IconName } from "#web/ui/icon.tsx";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { type Entry, isBuilt } from "#web/app/shared/route-entry.ts";
import { pathTo, type RouteName, table } from "#web/paths.ts";

/** By the name of the route; by its path where the name is one of the odd spellings. */
const screens: Record<Service["screen"], RouteName | `/${string}`> = {
  wallets: "services_cagnotte_public",
  subscription: "Abonnement_user",
  transit: "/Abonnement/ligne",
  tickets: "Billet_public",
  canteen: "/commande/cantine",
  directory: "Partner_components",
  transport: "Transport_mobile",
  membership: "adhesion_page",
};

export const serviceIcons: Record<Service["screen"], IconName> = {
  wallets: "wallet",
  subscription: "card",
  transit: "bus",
  tickets: "ticket",
  canteen: "meal",
  directory: "pin",
  transport: "bus",
  membership: "document",
};

/** The address of a service's screen. That of transport is the page of the service itself. */
export function servicePathFor(
  service: Pick<Service, "code" | "screen">,
  user: CurrentUser,
): string | null {
  const target = screens[service.screen];
  const entry: Entry | undefined = table.find(
    (candidate) => candidate.name === target || candidate.path === target,
  );
  const open = entry && isBuilt(entry) && decide(entry.guard, { token: "valid", user }).to === null;
  if (!open) return null;
  if (service.screen === "transport") return servicePath(service.code);
  return service.screen === "membership"
    ? pathTo("adhesion_page", { code_services: service.code })
    : entry.path;
}

export const servicePath = (code: string): string => pathTo("service-index", { code });
