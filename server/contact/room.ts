// The contact room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import {
  closeThread,
  contactRoutines,
  contactTasks,
  openThread,
  threadOf,
  threadsOf,
  writeToThread,
} from "./contact.ts";
import { draftOf, keepDraft } from "./drafts.ts";
import { contactCommands } from "./operator.ts";
import { homeToDos, personalToDos } from "#server/portal/portal.ts";
import { attach, type Room } from "#server/process/room.ts";
import { contactToDos, professionalContactToDos } from "./to-dos.ts";

const handlers = routes("contact", api.contact, {
  threads: ({ deps, caller, input }) => threadsOf(deps.db, caller.personId, input),
  draft: ({ deps, caller, input }) => draftOf(deps.db, caller.personId, input.thread),
  keepDraft: ({ deps, caller, input }) => keepDraft(deps.db, caller.personId, input, deps.now()),
  thread: ({ deps, caller, input }) => threadOf(deps.db, caller.personId, input.id),
  open: openThread,
  write: writeToThread,
  close: closeThread,
});

export const contact: Room = {
  name: "contact",
  routes: handlers,
  tasks: contactTasks,
  routines: contactRoutines,
  commands: contactCommands,
  hooks: [attach({ homeToDos }, contactToDos), attach({ personalToDos }, professionalContactToDos)],
};
