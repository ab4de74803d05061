// Addresses and icons of services: null for a screen that is not built or not for this person; such a
// service is not listed.
import { linkTo } from "#contract/link-to.ts";
import type { Service } from "#contract/partners/rows.ts";
import { paths } from "#contract/paths.ts";
import type { PortalPath } from "#contract/searches.ts";
import { decide } from "#web/app/shared/guards.ts";
import type { IconName } from "#web/ui/icon.tsx";
import type { CurrentUser } from "#web/app/transport/session.ts";
import { type Entry, isBuilt } from "#web/app/shared/route-entry.ts";
import { table } from "#web/paths.ts";

const screens = {
  wallets: paths.wallets,
  subscription: paths.subscription,
  transit: paths.lines,
  tickets: paths.tickets,
  canteen: paths.canteenProviders,
  directory: paths.directory,
  transport: paths.employeeTransport,
  membership: paths.membership,
} as const satisfies Record<Service["screen"], PortalPath>;

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
  const path = screens[service.screen];
  const entry: Entry | undefined = table.find((candidate) => candidate.path === path);
  const open = entry && isBuilt(entry) && decide(entry.guard, { token: "valid", user }).to === null;
  if (!open) return null;
  if (service.screen === "transport") return servicePath(service.code);
  return service.screen === "membership"
    ? linkTo(paths.membership, { code_services: service.code })
    : entry.path;
}

export const servicePath = (code: string): string => linkTo(paths.service, { code });
