// The bell: a person's notices, live by server-sent events.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { lists as limits } from "../limits.ts";
import type { Topic } from "../topics.ts";
import {
  bellOptionalKinds,
  channels,
  channelStates,
  choiceTargets,
  choosableKinds,
} from "./kinds.ts";

export const notification = z.object({
  id: z.number(),
  at: c.instant,
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  /** Path of the portal that the notice is about, null when there is none. */
  path: z.nullable(z.string()),
  read: z.boolean(),
  /** The alert on a login that it asks about, an id of `identity.alerts` while it can be answered. */
  alert: z.nullable(c.uuid),
});
export type Notification = z.output<typeof notification>;

const choices = z.object({
  channels: z.array(z.object({ channel: z.enum(channels), state: z.enum(channelStates) })),
  kinds: z.array(
    z.object({
      kind: z.enum(choosableKinds),
      email: z.boolean(),
      sms: z.boolean(),
      /** Whether the bell shows it; null for a kind that it always shows. */
      bell: z.nullable(z.boolean()),
    }),
  ),
});
export type NotificationChoices = z.output<typeof choices>;

/**
 * Data of a `changed` event: the topics that an open screen should read again; `all` after a gap of the
 * stream.
 */
export interface ChangedEvent {
  what: readonly Topic[] | "all";
}

const noticeId = z.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));

export const notifications = {
  list: c.row({
    method: "GET",
    path: "/api/notifications",
    access: "person",
    of: "self",
    reads: ["notices"],
    summary: "Notices, newest first, with the number unread",
    source: "server/notifications/README.md#the-bell-and-what-is-sent",
    input: z.object({ before: c.before, limit: c.limit }),
    output: z.object({
      items: z.array(notification),
      next: z.nullable(z.number()),
      unread: z.int(),
    }),
    problems: [],
  }),
  read: c.row({
    method: "POST",
    path: "/api/notifications/read",
    access: "person",
    of: { "ids[]": "notification" },
    changes: ["notices"],
    summary: "Marks as read the notices that are named",
    source: "server/notifications/README.md#the-bell-and-what-is-sent",
    input: z.object({
      ids: z.array(noticeId).check(z.minLength(1), z.maxLength(limits.longestLimit)),
    }),
    output: z.object({ unread: z.int() }),
    problems: [],
  }),
  readAll: c.row({
    method: "POST",
    path: "/api/notifications/read-all",
    access: "person",
    of: "self",
    changes: ["notices"],
    summary: "Marks as read all notices up to one",
    source: "server/notifications/README.md#the-bell-and-what-is-sent",
    input: z.object({ upTo: noticeId }),
    output: z.object({ unread: z.int() }),
    problems: [],
  }),
  choices: c.row({
    method: "GET",
    path: "/api/notifications/choices",
    access: "person",
    of: "self",
    reads: ["notice_choices"],
    summary: "Which channels carry each kind of news beside the bell, and reminders in it",
    source: "server/notifications/README.md#the-bell-and-what-is-sent",
    input: c.emptyObject,
    output: choices,
    problems: [],
  }),
  choose: c.row({
    method: "POST",
    path: "/api/notifications/choices",
    access: "person",
    of: "self",
    changes: ["notice_choices"],
    summary:
      "Chooses whether a channel, or for a reminder the bell, carries a kind of news; what protects the account always leaves",
    source: "server/notifications/README.md#the-bell-and-what-is-sent",
    input: z
      .object({
        kind: z.enum(choosableKinds),
        channel: z.enum(choiceTargets),
        enabled: z.boolean(),
      })
      .check(z.refine(({ kind, channel }) => channel !== "bell" || bellOptionalKinds.has(kind))),
    output: choices,
    problems: [],
  }),
  live: c.row({
    method: "GET",
    path: "/api/notifications/live",
    access: "person",
    of: "self",
    summary:
      "Server-sent events: `notice`, `session_ended` or `session_opposed`, `changed` (what to read again)",
    source: "spec.md 15",
    input: c.emptyObject,
    output: c.document,
    reply: "events",
    problems: [],
  }),
  demoMessage: c.row({
    method: "GET",
    path: "/demo/messages/:id",
    access: "public",
    of: { id: "anyone" },
    summary: "Demo mode only: one kept e-mail as a mail reader draws it",
    source: "spec.md 20",
    input: z.object({
      id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
    }),
    output: c.document,
    reply: "html",
    problems: [],
  }),
  demoMessages: c.row({
    method: "GET",
    path: "/demo/messages",
    access: "public",
    of: "anyone",
    summary: "Demo mode only: the e-mails and SMS kept because no gateway is configured",
    source: "spec.md 20",
    input: c.emptyObject,
    output: c.document,
    reply: "html",
    problems: [],
  }),
} as const;
