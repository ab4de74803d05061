// Notifications own what a person is told: notices of the bell, live events, messages that leave by
// e-mail or SMS. They refuse to show anyone else's, and to tell what the transaction did not commit.
import { sql } from "kysely";
import { lists } from "#contract/limits.ts";
import type { Changed, Notification } from "#contract/notifications.ts";
import type { Db, Tx } from "#server/db/db.ts";
import type { Deps, Enqueue, Send } from "#server/deps.ts";
import { closeStreams } from "./live.ts";
import { liveChannel, noticeOf, type Wake } from "./notice.ts";
import { deliver, sweepOutbox } from "./outbox.ts";

export interface Notice {
  personId: number;
  /** One word of the room that tells: `top_up`, `transfer`, `card`, `security`… */
  kind: string;
  title: string;
  body: string;
  /** Path of the portal that the notice is about. */
  path?: string;
  at: Date;
  /** What open screens should read again because of it. */
  changed?: Changed;
}

/**
 * Writes a notice for a person and wakes their open screens when the transaction commits; gives the
 * notice's id. Nothing depends on the waking: streams also look by themselves (décision 15).
 */
export async function notify(tx: Tx, notice: Notice): Promise<number> {
  const [id] = await notifyAll(tx, [notice]);
  return id as number;
}

/** The same for many notices in one statement; gives their ids in the same order. */
export async function notifyAll(tx: Tx, notices: readonly Notice[]): Promise<number[]> {
  const column = <T>(read: (notice: Notice) => T) => notices.map(read);
  // Ids are drawn first: a row's words and its waking then meet by id, in whatever order rows go in.
  const { rows } = await sql<{ id: number }>`
    with drawn as materialized (
      select nextval(pg_get_serial_sequence('notification', 'id')) as id, n.*
      from unnest(${column((notice) => notice.personId)}::bigint[],
        ${column((notice) => notice.at.toISOString())}::timestamptz[],
        ${column((notice) => notice.kind)}::text[], ${column((notice) => notice.title)}::text[],
        ${column((notice) => notice.body)}::text[],
        ${column((notice) => notice.path ?? null)}::text[],
        ${column((notice) => notice.changed ?? null)}::text[])
        with ordinality as n (person_id, at, kind, title, body, path, changed, ord)
    ), told as (
      insert into notification (id, person_id, at, kind, title, body, path)
      overriding system value
      select id, person_id, at, kind, title, body, path from drawn
    )
    select id, pg_notify(${liveChannel}::text, json_strip_nulls(json_build_object(
      'person', person_id, 'notice', id, 'changed', changed))::text)
    from drawn order by ord`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Tells a person's open screens, at commit, what to read again, without a notice. `session` makes
 * each stream look whether its session still stands.
 */
export async function tellChanged(tx: Tx, personId: number, changed: Changed): Promise<void> {
  await wake(tx, { person: personId, changed });
}

async function wake(tx: Tx, payload: Wake): Promise<void> {
  await sql`select pg_notify(${liveChannel}, ${JSON.stringify(payload)})`.execute(tx);
}

/**
 * A page of a person's notices, newest first, and how many are unread. `before` is the id of the last
 * one seen.
 */
export async function noticesOf(
  db: Db,
  personId: number,
  {
    before,
    limit = lists.defaultLimit,
  }: { before?: number | undefined; limit?: number | undefined },
): Promise<{ items: Notification[]; next: number | null; unread: number }> {
  let query = db.selectFrom("notification").selectAll().where("person_id", "=", personId);
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(noticeOf);
  const next = rows.length > limit ? (items.at(-1)?.id ?? null) : null;
  return { items, next, unread: await unreadOf(db, personId) };
}

/** Marks as read a person's notices up to the id `upTo`; gives how many stay unread. */
export async function markRead(deps: Deps, personId: number, upTo: number): Promise<number> {
  await deps.db
    .updateTable("notification")
    .set({ read_at: deps.now() })
    .where("person_id", "=", personId)
    .where("id", "<=", upTo)
    .where("read_at", "is", null)
    .execute();
  return await unreadOf(deps.db, personId);
}

async function unreadOf(db: Db, personId: number): Promise<number> {
  const { count } = await db
    .selectFrom("notification")
    .select(sql<number>`count(*)`.as("count"))
    .where("person_id", "=", personId)
    .where("read_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Gives `Send`: a message goes into the outbox in the caller's transaction, and the job that carries
 * it away with it; neither exists if the transaction does not commit (docs/spec.md).
 */
export function makeSend({ enqueue, now }: { enqueue: Enqueue; now: () => Date }): Send {
  return async (tx, message) => {
    const { id } = await tx
      .insertInto("outbox")
      .values({
        person_id: message.personId,
        channel: message.channel,
        address: message.address,
        subject: message.subject,
        body: message.body,
        // Six digits in a row are taken for a code even where the sender forgot to say so.
        secret: message.secret ?? /(^|\D)\d{6}(\D|$)/.test(message.body),
        created_at: now(),
        sent_at: null,
        given_up_at: null,
        last_error: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await enqueue(tx, "send_message", { id });
  };
}

/** The jobs of this room: carrying a message away, and forgetting old ones. */
export function notificationTasks(deps: Deps) {
  return {
    send_message: (payload: Record<string, unknown>) => deliver(deps, Number(payload["id"])),
    sweep_outbox: () => sweepOutbox(deps),
  };
}

/** Ends every open stream of this server, so that a drain does not wait for screens left open. */
export const endLiveEvents = (deps: Deps): void => closeStreams(deps);
