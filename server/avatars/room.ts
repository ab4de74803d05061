// The avatars room: which function answers which row.
import { api } from "#contract/api.ts";
import { routes } from "#server/http/serve.ts";
import type { Room } from "#server/process/room.ts";
import { readAvatar, removeAvatar, setAvatar } from "./avatars.ts";

const handlers = routes("avatars", api.avatars, {
  set: setAvatar,
  remove: removeAvatar,
  read: ({ deps, caller, input }) => readAvatar(deps.db, caller.personId, input.id),
});

export const avatars: Room = { name: "avatars", routes: handlers };
