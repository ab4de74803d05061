// Notices that say the same are one line of the bell, with how often and the latest time.
import type { Notification } from "#contract/notifications/rows.ts";

export interface NoticeGroup {
  /** The latest one. */
  notice: Notification;
  /** All of them, the latest first. */
  ids: number[];
  unreadIds: number[];
}

/** Groups by what is said and where it leads, in the order of the latest ones. Alerts stand alone. */
export function groupNotices(notices: readonly Notification[]): NoticeGroup[] {
  const same = Map.groupBy(notices, ({ id, kind, title, body, path, alert }) =>
    JSON.stringify(alert === null ? [kind, title, body, path] : [id]),
  );
  return [...same.values()].map((own) => ({
    notice: own[0] as Notification,
    ids: own.map(({ id }) => id),
    unreadIds: own.filter(({ read }) => !read).map(({ id }) => id),
  }));
}
