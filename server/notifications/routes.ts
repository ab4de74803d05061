import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { openStream } from "./live.ts";
import { messagesPage } from "./messages-page.ts";
import { markRead, noticesOf } from "./notifications.ts";

export const notificationRoutes = routes("notifications", api.notifications, {
  list: ({ input, caller, deps }) => noticesOf(deps.db, caller.personId, input),
  read: async ({ input, caller, deps }) => ({
    unread: await markRead(deps, caller.personId, input.upTo),
  }),
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
  demoMessages: ({ deps }) => messagesPage(deps),
});
