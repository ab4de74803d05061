// A notice as the contract shows it, and what wakes the open screens.
import type { Changed, Notification } from "#contract/notifications.ts";

/** Channel of PostgreSQL's NOTIFY on which the streams of every process are woken. */
export const liveChannel = "macarte_live";

/** What travels on that channel: who, and the notice or the thing that changed. */
export interface Wake {
  person: number;
  notice?: number;
  changed?: Changed;
}

/** A row of the table as the contract shows it. */
export function noticeOf(row: {
  id: number;
  at: Date;
  kind: string;
  title: string;
  body: string;
  path: string | null;
  read_at: Date | null;
}): Notification {
  const { id, at, kind, title, body, path, read_at } = row;
  return { id, at: at.toISOString(), kind, title, body, path, read: read_at !== null };
}
