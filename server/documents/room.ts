// The documents room: which function answers which row, its jobs, commands and hooks.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import {
  discardDocument,
  documentRoutines,
  documentTasks,
  readDocument,
  uploadDocument,
} from "./documents.ts";
import { documentCommands } from "./operator.ts";
import type { Room } from "#server/process/room.ts";

const handlers = routes("documents", api.documents, {
  upload: uploadDocument,
  read: ({ deps, caller, input }) => readDocument(deps.db, caller.personId, input.id),
  discard: ({ deps, caller, input }) => discardDocument(deps.db, caller.personId, input.id),
});

export const documents: Room = {
  name: "documents",
  routes: handlers,
  tasks: documentTasks,
  routines: documentRoutines,
  commands: documentCommands,
};
