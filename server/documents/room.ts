// The documents room: which function answers which row, its jobs and commands.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import { readAvatar, removeAvatar, setAvatar } from "./avatars.ts";
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

const avatarHandlers = routes("avatars", api.avatars, {
  set: setAvatar,
  remove: removeAvatar,
  read: ({ deps, caller, input }) => readAvatar(deps.db, caller.personId, input.id),
});

export const documents: Room = {
  name: "documents",
  routes: [...handlers, ...avatarHandlers],
  tasks: documentTasks,
  routines: documentRoutines,
  commands: documentCommands,
};
