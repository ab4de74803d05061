// The notifications room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { choicesOf, choose } from "./choices.ts";
import { openStream } from "./live.ts";
import { messageHtml, messagesPage } from "./messages-page.ts";
import { markRead, noticesOf } from "./notifications.ts";
import { notificationTasks } from "./notifications.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("notifications", api.notifications, {
  list: ({ input, caller, deps }) => noticesOf(deps.db, caller.personId, input),
  read: async ({ input, caller, deps }) => ({
    unread: await markRead(deps, caller.personId, input),
  }),
  readAll: async ({ input, caller, deps }) => ({
    unread: await markRead(deps, caller.personId, input),
  }),
  choices: ({ caller, deps }) => choicesOf(deps, caller.personId),
  choose: async ({ input, caller, deps }) => {
    await choose(deps.db, caller.personId, input);
    return await choicesOf(deps, caller.personId);
  },
  live: async ({ caller, deps, request, reply }) => {
    const last = Number(request.headers["last-event-id"]);
    const known = Number.isSafeInteger(last) && last > 0 ? last : null;
    const stream = await openStream(deps, caller, known);
    void reply
      .type("text/event-stream; charset=utf-8")
      .header("cache-control", "no-store, no-transform")
      .header("x-accel-buffering", "no")
      .send(stream);
  },
  demoMessage: ({ input, deps }) => messageHtml(deps, input.id),
  demoMessages: ({ deps }) => messagesPage(deps),
});

export const notifications: Room = {
  name: "notifications",
  routes: handlers,
  tasks: notificationTasks,
  routines: [{ task: "sweep_outbox", cron: "*/5 * * * *" }],
};
