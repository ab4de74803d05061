// What a person is told when something that guards the account changes: in the portal, and outside it
// in case it was someone else.
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { notify } from "#server/notifications/notifications.ts";
import { onFile } from "./contacts.ts";
import { contactsOf } from "./identity.ts";

const otherwise = "Si ce n'est pas vous, appelez sans attendre le service clients.";

/** `what` is a whole sentence; what to do if it was someone else follows it unless `advice` says more. */
export async function tellSecurity(
  deps: Deps,
  tx: Tx,
  {
    personId,
    title,
    what,
    advice = otherwise,
    mailAdvice = advice,
  }: { personId: number; title: string; what: string; advice?: string; mailAdvice?: string },
): Promise<void> {
  await notify(tx, {
    personId,
    kind: "security",
    title,
    body: `${what} ${advice}`,
    path: "/profil",
    at: deps.now(),
    changed: "person",
  });
  const to = onFile(deps.config, await contactsOf(tx, personId));
  if (!to) return;
  await deps.send(tx, {
    ...to,
    subject: `${title} sur votre compte Ma carte`,
    body: `${what} ${mailAdvice}`,
    personId,
  });
}
