// What a person is told when something that guards the account changes: in the portal, and outside it
// in case it was someone else.
import type { Topic } from "#contract/topics.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announce } from "#server/notifications/notifications.ts";

export const unlessYou = "Si ce n'est pas vous, appelez sans attendre le service clients.";

/**
 * `what` is a whole sentence; what to do if it was someone else follows it unless `advice` says more.
 * `mailAdvice` and `action` are for the message alone: a notice never carries a secret address.
 */
export async function announceSecurity(
  tx: Tx,
  deps: Pick<Deps, "send" | "config" | "now">,
  news: {
    personId: number;
    title: string;
    what: string;
    advice?: string;
    mailAdvice?: string;
    action?: { label: string; path: string };
    /** `portal` for what was told outside it a moment ago. */
    channels?: "outside" | "portal";
    /** The alert that the notice asks about. */
    alertId?: string;
    /** What it tells of beside the account itself. */
    changed?: readonly Topic[];
  },
): Promise<void> {
  const { personId, title, what, advice = unlessYou, mailAdvice = advice, action, alertId } = news;
  const { channels = "outside", changed = [] } = news;
  await announce(tx, deps, {
    about: "security",
    to: [personId],
    title,
    body: `${what} ${advice}`,
    path: "/profil",
    ...(alertId && { alertId }),
    at: deps.now(),
    changed: ["person", "session", "alerts", "activity", ...changed],
    channels,
    message: {
      subject: `${title} sur votre compte Ma carte`,
      body: what,
      note: mailAdvice,
      ...(action && { action }),
    },
  });
}
