// Security notices: when something that protects the account changes, the person is told in the portal, and
// outside it in case it was someone else.
import { paths } from "#contract/paths.ts";
import type { Topic } from "#contract/topics.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { announce } from "#server/notifications/notifications.ts";

export const unlessYou = "Si ce n'est pas vous, appelez sans attendre le service clients.";

/**
 * `what` is a whole sentence; advice for the case that it was someone else follows unless `advice` replaces
 * it. `mailAdvice` and `action` are only in the message: a notice never carries a secret address.
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
    /** Where the notice leads: what opens the account unless it says otherwise. */
    path?: string;
    /** `portal` for news that was sent outside it a moment ago. */
    channels?: "outside" | "portal";
    /** The alert that the notice asks about. */
    alertId?: string;
    /** Topics that changed besides the account itself. */
    changed?: readonly Topic[];
  },
): Promise<void> {
  const { personId, title, what, advice = unlessYou, mailAdvice = advice, action, alertId } = news;
  const { channels = "outside", changed = [], path = paths.signInSettings } = news;
  await announce(tx, deps, {
    about: "security",
    to: [personId],
    title,
    body: `${what} ${advice}`,
    path,
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
