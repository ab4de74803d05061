import { expect, test } from "vitest";
import type { Notification } from "#contract/notifications/rows.ts";
import { groupNotices } from "./group.ts";

const notice = (id: number, more: Partial<Notification> = {}): Notification => ({
  id,
  at: `2026-11-22T10:00:${String(id).padStart(2, "0")}Z`,
  kind: "funding",
  title: "Solde bas",
  body: "Il reste 4,00 €.",
  path: "/dashboard",
  read: false,
  alert: null,
  ...more,
});

test("what says the same is one line, at its latest time, with what is still to read", () => {
  const groups = groupNotices([notice(5), notice(4, { body: "Autre" }), notice(3, { read: true })]);
  expect(groups).toEqual([
    { notice: notice(5), ids: [5, 3], unreadIds: [5] },
    { notice: notice(4, { body: "Autre" }), ids: [4], unreadIds: [4] },
  ]);
});

test("another page to lead to, another kind, an alert to answer: lines of their own", () => {
  const all = [
    notice(4),
    notice(3, { path: "/family" }),
    notice(2, { kind: "security", alert: "a" }),
    notice(1, { kind: "security", alert: "b" }),
  ];
  expect(groupNotices(all).map(({ ids }) => ids)).toEqual([[4], [3], [2], [1]]);
});
