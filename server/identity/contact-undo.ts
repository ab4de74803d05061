// Restores an address that an alerted session changed (spec.md 29).
import type { Tx } from "#server/db/db.ts";
import type { Contact } from "#server/notifications/notifications.ts";
import { addressesOf, trustedAfterMs } from "./contacts.ts";

/** Columns of an address and of its age. */
export const columnsOf = {
  email: ["email", "emailSince"],
  sms: ["phonenumber", "phoneSince"],
} as const;

/**
 * Restores the address before the change `changeId`, and, of each channel, the one before the last changes
 * when the session made them all. Returns the addresses that were removed.
 */
export async function takeBackContacts(
  tx: Tx,
  alert: { personId: number; sessionId: string; changeId: string | null; at: Date },
): Promise<Contact[]> {
  const { personId, sessionId, changeId, at } = alert;
  const changes = await tx
    .selectFrom("contactChange")
    .select(["id", "sessionId", "channel", "former", "formerSince"])
    .where("personId", "=", personId)
    .where("at", ">", new Date(at.getTime() - trustedAfterMs))
    .orderBy("at", "desc")
    .execute();
  const before = await addressesOf(tx, personId);
  const left: Contact[] = [];
  for (const channel of ["email", "sms"] as const) {
    const latest = changes.filter((change) => change.channel === channel);
    const named = latest.findIndex(({ id }) => id === changeId);
    const others = latest.findIndex((change) => change.sessionId !== sessionId);
    const own = (others === -1 ? latest.length : others) - 1;
    const back = latest[Math.max(named, own)];
    if (!back) continue;
    const [address, since] = columnsOf[channel];
    await tx
      .updateTable("person")
      .set({ [address]: back.former, [since]: back.formerSince })
      .where("id", "=", personId)
      .execute();
    left.push(...before.filter((one) => one.channel === channel && one.address !== back.former));
  }
  return left.map(({ channel, address }) => ({ channel, address }));
}
