// Notifications: notices in the portal, live events, messages that leave by e-mail or SMS. Nobody reads
// anyone else's, and nothing is sent that the transaction did not commit.
import { sql } from "kysely";
import { lists } from "#contract/limits.ts";
import type { Notification } from "#contract/notifications/rows.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import type { Deps, Enqueue, Send } from "#server/process/deps.ts";
import { closeStreams } from "./live.ts";
import { toNoticeView } from "./notice.ts";
import { deliver, sweepOutbox } from "./outbox.ts";

export { announce, type Announcement, type Payer, sendLetter } from "./announce.ts";
export { type Notice, notify, notifyAll, publishChange } from "./notice.ts";
export { onAttachmentDrawn } from "./outbox.ts";
export { carries, type Contact } from "./channels.ts";
export { chooserColumns, toChoices } from "./choices.ts";
export { asSentence } from "./sentence.ts";

/**
 * A page of a person's notices, newest first, and how many are unread. `before` is the id of the last one
 * read by the client.
 */
export async function noticesOf(
  db: Db,
  personId: number,
  {
    before,
    limit = lists.defaultLimit,
  }: { before?: number | undefined; limit?: number | undefined },
): Promise<{ items: Notification[]; next: number | null; unread: number }> {
  let query = db.selectFrom("notification").selectAll().where("personId", "=", personId);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { items, next } = pageOf(rows, limit, ({ id }) => id);
  return { items: items.map(toNoticeView), next, unread: await unreadOf(db, personId) };
}

/**
 * Marks as read a person's notices, those named or all up to the id `upTo`; gives how many stay unread.
 */
export async function markRead(
  deps: Deps,
  personId: number,
  which: { ids: readonly number[] } | { upTo: number },
): Promise<number> {
  const unread = deps.db
    .updateTable("notification")
    .set({ readAt: deps.now() })
    .where("personId", "=", personId)
    .where("readAt", "is", null);
  await (
    "ids" in which ? unread.where("id", "in", which.ids) : unread.where("id", "<=", which.upTo)
  ).execute();
  return await unreadOf(deps.db, personId);
}

async function unreadOf(db: Db, personId: number): Promise<number> {
  const { count } = await db
    .selectFrom("notification")
    .select(sql<number>`count(*)`.as("count"))
    .where("personId", "=", personId)
    .where("readAt", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Makes `Send`: a message goes into the outbox in the caller's transaction, and with it the job that delivers
 * it; neither exists if the transaction does not commit
 * (server/notifications/README.md#the-bell-and-what-is-sent).
 */
export function makeSend({ enqueue, now }: { enqueue: Enqueue; now: () => Date }): Send {
  return async (tx, message) => {
    const { id } = await tx
      .insertInto("outbox")
      .values({
        personId: message.personId,
        channel: message.channel,
        address: message.address,
        subject: message.subject,
        body: message.body,
        html: message.html ?? null,
        ...(message.attachments && { attachments: JSON.stringify(message.attachments) }),
        // Six digits in a row are taken for a code even where the sender did not set `secret`.
        secret: message.secret ?? /(^|\D)\d{6}(\D|$)/.test(message.body),
        createdAt: now(),
        sentAt: null,
        abandonedAt: null,
        lastError: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await enqueue(tx, "send_message", { id });
  };
}

/** The jobs of this room: delivering a message, and deleting old ones. */
export function notificationTasks(deps: Deps) {
  return {
    send_message: (payload: Record<string, unknown>) => deliver(deps, Number(payload["id"])),
    sweep_outbox: () => sweepOutbox(deps),
  };
}

/** Ends every open stream of this server, so that a drain does not wait for screens left open. */
export const endLiveEvents = (deps: Deps): void => closeStreams(deps);
