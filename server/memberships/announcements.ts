// Notices about membership requests, to whoever made them.
import type { Tx } from "#server/db/db.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import type { MembershipRow } from "./requests.ts";

/** Announces in the transaction of the change; by the bell alone what the person did themself. */
export async function announceMembership(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { personId, service }: Pick<MembershipRow, "personId" | "service">,
  news: { title: string; body: string; at: Date; outside?: boolean },
): Promise<void> {
  const { outside = true, ...said } = news;
  await announce(tx, deps, {
    ...said,
    about: "membership",
    to: [personId],
    path: `/${service}`,
    changed: "contact",
    channels: outside ? "outside" : "portal",
  });
}
