import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { closeThread, openThread, threadOf, threadsOf, writeToThread } from "./contact.ts";
import { draftOf, keepDraft } from "./drafts.ts";

export const contactRoutes = routes("contact", api.contact, {
  threads: ({ deps, caller, input }) => threadsOf(deps.db, caller.personId, input),
  draft: ({ deps, caller, input }) => draftOf(deps.db, caller.personId, input.thread),
  keepDraft: ({ deps, caller, input }) => keepDraft(deps.db, caller.personId, input, deps.now()),
  thread: ({ deps, caller, input }) => threadOf(deps.db, caller.personId, input.id),
  open: openThread,
  write: writeToThread,
  close: closeThread,
});
