// Notices: written in the transaction of the event; NOTIFY wakes the open streams when it commits.
import { sql } from "kysely";
import { mandatoryKinds, type NoticeKind } from "#contract/notifications/kinds.ts";
import type { Notification } from "#contract/notifications/rows.ts";
import type { Topic } from "#contract/topics.ts";
import { actingPerson } from "#server/process/acting-person.ts";
import { prepared, type Tx } from "#server/db/db.ts";

/** Channel of PostgreSQL's NOTIFY on which the streams of every process are woken. */
export const liveChannel = "macarte_live";

/** Payload on that channel: the person, and the notice or the topic that changed. */
export interface LiveEvent {
  person: number;
  notice?: number;
  changed?: readonly Topic[];
}

/** A row of the table as the contract shows it. */
export function toNoticeView(row: {
  id: number;
  at: Date;
  kind: string;
  title: string;
  body: string;
  path: string | null;
  readAt: Date | null;
  alertId: string | null;
}): Notification {
  const { id, at, kind, title, body, path, readAt, alertId } = row;
  const read = readAt !== null;
  return { id, at: at.toISOString(), kind, title, body, path, read, alert: alertId };
}

export interface Notice {
  personId: number;
  kind: NoticeKind;
  title: string;
  body: string;
  /** Path of the portal that the notice is about. */
  path?: string;
  /** The alert that the notice asks about. */
  alertId?: string;
  at: Date;
  /** Topics that open screens read again because of it. */
  changed?: readonly Topic[];
  /** Whether its reader did it, where the current request does not say so. */
  isOwnAct?: boolean;
}

/** Whether a notice starts as unread: not for one's own action, unless the kind protects the account. */
const ringsFor = ({ personId, kind, isOwnAct }: Notice): boolean =>
  mandatoryKinds.has(kind) || !(isOwnAct ?? actingPerson() === personId);

/**
 * Writes a notice for a person and wakes their open screens when the transaction commits; gives the notice's
 * id. A lost wake-up only delays: streams also read by themselves (spec.md 15).
 */
export async function notify(tx: Tx, notice: Notice): Promise<number> {
  const [id] = await notifyAll(tx, [notice]);
  return id as number;
}

/** The same for many notices in one statement; gives their ids in the same order. */
export async function notifyAll(tx: Tx, notices: readonly Notice[]): Promise<number[]> {
  const column = <T>(read: (notice: Notice) => T) => notices.map(read);
  // Ids are drawn first: a row's texts and its wake-up are then matched by id, whatever the order of
  // insertion.
  const { rows } = await sql<{ id: number }>`${prepared("notices")}
    with drawn as materialized (
      select nextval(pg_get_serial_sequence('notification', 'id')) as id, n.*
      from unnest(${column((notice) => notice.personId)}::bigint[],
        ${column((notice) => notice.at.toISOString())}::timestamptz[],
        ${column((notice) => notice.kind)}::text[], ${column((notice) => notice.title)}::text[],
        ${column((notice) => notice.body)}::text[],
        ${column((notice) => notice.path ?? null)}::text[],
        ${column((notice) => notice.alertId ?? null)}::uuid[],
        ${column(({ changed }) => (changed ? JSON.stringify(changed) : null))}::text[],
        ${column(ringsFor)}::boolean[])
        with ordinality as n (person_id, at, kind, title, body, path, alert_id, changed, rings, ord)
    ), inserted as (
      insert into notification (id, person_id, at, kind, title, body, path, alert_id, read_at)
      overriding system value
      select id, person_id, at, kind, title, body, path, alert_id, case when not rings then at end
      from drawn
    )
    select id, pg_notify(${liveChannel}::text, json_strip_nulls(json_build_object(
      'person', person_id, 'notice', id, 'changed', changed::json))::text)
    from drawn order by ord`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Tells the open screens of a person, or of several, at commit, which topics to read again, without a notice.
 * `session` makes each stream check whether its session is still valid.
 */
export async function publishChange(
  tx: Tx,
  people: number | readonly number[],
  ...changed: readonly Topic[]
): Promise<void> {
  const liveEvents = [people].flat().map((person): LiveEvent => ({ person, changed }));
  await sql`select pg_notify(${liveChannel}::text, wake)
    from unnest(${liveEvents.map((liveEvent) => JSON.stringify(liveEvent))}::text[]) wake`.execute(
    tx,
  );
}
