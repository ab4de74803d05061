// Notices about tickets, to the persons concerned and, for a child, its guardians.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import { announce, type Announcement } from "#server/notifications/notifications.ts";

/** The part of `Deps` that operator commands and the demo scheme have too. */
export type TicketDeps = Pick<Deps, "db" | "now" | "send" | "config">;

/** The list of one's tickets, of those offered and of the waiting list. */
export const ownTicketsPath = linkTo(paths.tickets, {}, { tab: "billets" });

interface TicketNews extends Pick<Announcement, "title" | "body" | "at" | "payer"> {
  /** Also by e-mail, else by SMS: for news that must not wait for the next visit to the portal. */
  alsoOutside?: boolean;
  /** Page of the notice, if not the person's tickets. */
  path?: string;
}

/** Announces in the transaction of the change; each person gets one notice. */
export async function announceTicket(
  tx: Tx,
  deps: Pick<TicketDeps, "send" | "config">,
  concerned: readonly number[],
  { alsoOutside = false, ...news }: TicketNews,
): Promise<void> {
  await announce(tx, deps, {
    path: ownTicketsPath,
    ...news,
    about: "ticket",
    to: await withGuardians(tx, concerned),
    changed: ["tickets", "wallets"],
    channels: alsoOutside ? "outside" : "portal",
  });
}
